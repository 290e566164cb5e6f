//! What an answer to /robots.txt means for the host, by policy (RB3 to RB11).

use std::time::Duration;

use crate::policy;

/// What came back for robots.txt, after redirects, in the terms that decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A whole answer with this status and, for 2xx, this many decoded bytes and this look.
    Status {
        /// HTTP status.
        status: u16,
        /// Decoded bytes; one more than the limit means "over it".
        bytes: u64,
        /// It is an HTML page or binary (RB10).
        not_robots: bool,
        /// A challenge was recognised (PC7, RB11).
        challenge: bool,
    },
    /// 304 and whether a stored copy is held.
    NotModified {
        /// A stored copy is held.
        held: bool,
    },
    /// More than the allowed redirects, a loop, a redirect without target, or off the site (RB7, RB11).
    Redirects,
    /// A body cut short or otherwise unreadable (RB11).
    Broken,
    /// No answer: DNS, connect, TLS, timeout, reset (RB6).
    Failed,
}

/// Why a host is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// 429 (RB5).
    TooManyRequests,
    /// A status that closes (RB6).
    Status,
    /// No answer (RB6).
    Unreachable,
    /// Redirects (RB7, RB11).
    Redirects,
    /// Too large (RB8).
    TooLarge,
    /// Not a robots.txt (RB10).
    NotRobots,
    /// A challenge (PC7, RB11).
    Challenge,
    /// Cut short, 206 unasked, 304 without a copy (RB11).
    Broken,
}

/// What may be asked of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// By the rules of the file.
    Rules,
    /// No restrictions.
    Open,
    /// Nothing.
    Closed(Closed),
}

/// When robots.txt may be asked for again after a closed answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextTry {
    /// Not in this run.
    NextRun,
    /// At the next visit.
    NextVisit,
    /// After this long.
    After(Duration),
}

/// Access, how long it holds, and when to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What may be asked.
    pub access: Access,
    /// Longest use of an access that is not closed (RB9).
    pub valid: Duration,
    /// When to try again, if closed.
    pub next_try: NextTry,
}

/// Applies the policy to an answer.
pub fn access(policy: &policy::Robots, answer: &Answer) -> Decision {
    let _ = (policy, answer);
    unimplemented!()
}
