//! The gap in force, and why (PC2, PC3).

use std::time::Duration;

use super::Delay;
use crate::policy;

/// Why the gap is what it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GapReason {
    /// No readable Crawl-delay: the policy's minimum.
    Minimum,
    /// A declared delay, on this line.
    Declared(Delay),
    /// A declared delay raised or cut to the policy's bounds.
    Clamped(Delay),
}

/// The shortest wait between an answer and the next request, scaled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gap {
    /// The wait.
    pub duration: Duration,
    /// Why.
    pub reason: GapReason,
}

/// The gap a policy keeps, given what robots.txt declares. `pace.scale` is applied last, to all of it.
pub fn gap(pace: &policy::Pace, declared: Option<Delay>) -> Gap {
    let _ = (pace, declared);
    unimplemented!()
}
