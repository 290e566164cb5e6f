//! Leave to send one request, and how it is taken back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::hosts::Host;

/// Leave to send exactly one request to one host. Only the engine's gate makes one, after the gap
/// has passed, robots and suppression have said yes and the intent is committed. Not `Clone`.
#[derive(Debug)]
pub struct Permit {
    host: Host,
    revoked: Revocation,
}

/// Takes a permit back: a request that is still connecting then never leaves. One already sent
/// cannot be unsent.
#[derive(Clone, Debug, Default)]
pub struct Revocation(Arc<AtomicBool>);

impl Permit {
    /// Grants leave. Called in one place: `crawl::gate`.
    pub fn grant(host: Host) -> (Permit, Revocation) {
        let revoked = Revocation::default();
        (Permit { host, revoked: revoked.clone() }, revoked)
    }

    /// The host it is for.
    pub fn host(&self) -> &Host {
        &self.host
    }

    /// The flag to look at right before the first byte leaves.
    pub fn revocation(&self) -> &Revocation {
        &self.revoked
    }
}

impl Revocation {
    /// Takes the permit back.
    pub fn revoke(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Whether it was taken back.
    pub fn is_revoked(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
