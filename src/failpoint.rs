//! Named points at which a test may kill the process, so that crash safety is tested on the real binary.
//!
//! Off unless a loopback run names one; then the process aborts at the given hit, as `kill -9` would.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Every point, in the order a request passes them.
pub const POINTS: [&str; 9] = [
    "intent.before",
    "intent.applied",
    "intent.committed",
    "send.before",
    "body.first",
    "answer.after",
    "commit.applied",
    "commit.after",
    "visit.end",
];

/// A text that names no point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no failpoint; write NAME or NAME:HIT with one of {known}", known = POINTS.join(", "))]
pub struct FailpointError(pub String);

/// At most one armed point. Cheap to clone; all clones count together.
#[derive(Clone, Debug, Default)]
pub struct Failpoints(Option<Arc<Armed>>);

#[derive(Debug)]
struct Armed {
    name: String,
    hits_left: AtomicU32,
}

impl std::str::FromStr for Failpoints {
    type Err = FailpointError;

    /// `NAME` dies at the first hit, `NAME:3` at the third.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fail = || FailpointError(text.to_owned());
        let (name, hit) = text.split_once(':').unwrap_or((text, "1"));
        let hits: u32 = hit.parse().ok().filter(|hits| *hits > 0).ok_or_else(fail)?;
        if !POINTS.contains(&name) {
            return Err(fail());
        }
        Ok(Failpoints(Some(Arc::new(Armed {
            name: name.to_owned(),
            hits_left: AtomicU32::new(hits),
        }))))
    }
}

impl Failpoints {
    /// Dies here if this point is armed and its hit has come.
    pub fn hit(&self, name: &str) {
        if let Some(armed) = &self.0
            && armed.name == name
            && armed.hits_left.fetch_sub(1, Ordering::SeqCst) == 1
        {
            std::process::abort();
        }
    }
}
