//! All time in the engine: UTC wall time, and monotonic time since the process started (rule 7).

use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;

use crate::store::Stamp;

/// Wall time may be shifted (loopback runs: `--now`, demo weeks) and may step; monotonic time paces.
#[derive(Clone, Debug)]
pub struct Clock {
    started: Instant,
    shift: Duration,
    back: bool,
}

impl Clock {
    /// The system clock.
    pub fn system() -> Clock {
        Clock {
            started: Instant::now(),
            shift: Duration::ZERO,
            back: false,
        }
    }

    /// A clock that says `at` now and runs on from there (loopback runs only).
    pub fn starting_at(at: Timestamp) -> Clock {
        let now = Timestamp::now();
        let back = at < now;
        let shift = if back {
            now.duration_since(at)
        } else {
            at.duration_since(now)
        };
        Clock {
            started: Instant::now(),
            shift: shift.unsigned_abs(),
            back,
        }
    }

    /// UTC now.
    pub fn now(&self) -> Timestamp {
        let system = Timestamp::now();
        let shifted = if self.back {
            system.checked_sub(self.shift)
        } else {
            system.checked_add(self.shift)
        };
        shifted.unwrap_or(system)
    }

    /// Both times now.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            utc: self.now(),
            mono_ms: self.mono_ms(Instant::now()),
        }
    }

    /// Milliseconds from process start to `at`.
    pub fn mono_ms(&self, at: Instant) -> i64 {
        i64::try_from(at.saturating_duration_since(self.started).as_millis()).unwrap_or(i64::MAX)
    }

    /// When the process started.
    pub fn started(&self) -> Instant {
        self.started
    }
}
