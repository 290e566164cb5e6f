//! One visit's client: one connection at a time, dropped with the visit.

use url::Url;

use super::{Answer, Permit, Validators};
use crate::policy::Method;

/// What one request may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Decoded bytes of a 200; also wire bytes.
    pub max_bytes: u64,
    /// If true, a 200 over the cap yields its first `max_bytes + 1` decoded bytes (robots.txt prefix
    /// reading, RB8); if false it yields nothing (TR3).
    pub keep_prefix: bool,
}

/// One request. Headers are fixed by the client; nothing else can be added.
#[derive(Clone, Debug)]
pub struct Request {
    /// GET or HEAD.
    pub method: Method,
    /// The URL; its host must be the permit's.
    pub url: Url,
    /// Validators held (TR1).
    pub validators: Option<Validators>,
    /// Caps.
    pub limits: Limits,
}

/// A client for one visit (PC1): dropped with it, and its connection with it.
pub struct Client {}

impl Client {
    /// Sends one request and reads its whole answer. Never fails: a failure is an outcome.
    pub async fn send(&mut self, permit: Permit, request: Request) -> Answer {
        let _ = (permit, request);
        unimplemented!()
    }
}
