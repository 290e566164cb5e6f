//! Leave to send one request.

use crate::hosts::Host;

/// Leave to send exactly one request to one host. Only the engine's pace room makes one, after the
/// gap has passed, robots and suppression have said yes and the intent is committed.
#[derive(Debug)]
pub struct Permit {
    host: Host,
}

impl Permit {
    /// Grants leave. Called in one place: `crawl::gate`.
    pub fn grant(host: Host) -> Permit {
        Permit { host }
    }

    /// The host it is for.
    pub fn host(&self) -> &Host {
        &self.host
    }
}
