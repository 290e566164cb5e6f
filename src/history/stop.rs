//! When work is to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Nobody wants the result any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the comparison was ended before it was done")]
pub struct Cancelled;

/// A time after which a result becomes approximate, and a flag that ends the work.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    deadline: Option<Instant>,
    ended: Arc<AtomicBool>,
}

impl Stop {
    /// How long people are let wait for the smallest changes: with reading and writing 5 s (P12).
    pub const LONGEST: Duration = Duration::from_millis(4_500);

    /// Never: the work takes what it takes.
    pub fn never() -> Stop {
        Stop::default()
    }

    /// After this long from now a result becomes approximate.
    pub fn after(time: Duration) -> Stop {
        Stop {
            deadline: Instant::now().checked_add(time),
            ended: Arc::default(),
        }
    }

    /// The same flag with another deadline, this long from now.
    pub fn within(&self, time: Duration) -> Stop {
        Stop {
            deadline: Instant::now().checked_add(time),
            ended: Arc::clone(&self.ended),
        }
    }

    /// Ends the work of every clone of this.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Fails if the work is to end.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.ended.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        Ok(())
    }

    /// The time is over.
    pub fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() > deadline)
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }
}
