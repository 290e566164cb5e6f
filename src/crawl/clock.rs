//! All time in the engine: UTC wall time, and monotonic time since the process started (rule 7).
//!
//! Wall time labels and dates; monotonic time paces. A wall clock that steps back shortens no gap.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use crate::store::Stamp;

/// The engine's clock. Clones share their steps, so that one is seen everywhere at once.
#[derive(Clone, Debug)]
pub struct Clock {
    started: Instant,
    /// How far it was set ahead of the system's when it was made, milliseconds.
    set_ms: i64,
    stepped_ms: Arc<AtomicI64>,
}

impl Clock {
    /// The system clock.
    pub fn system() -> Clock {
        Clock {
            started: Instant::now(),
            set_ms: 0,
            stepped_ms: Arc::new(AtomicI64::new(0)),
        }
    }

    /// A clock that says `at` now and runs on from there (loopback runs only).
    pub fn starting_at(at: Timestamp) -> Clock {
        // In whole milliseconds on both sides, as `now` counts: a clock set to a boundary must not
        // begin just before it, which would be another day or week.
        Clock {
            set_ms: at.as_millisecond() - Timestamp::now().as_millisecond(),
            ..Clock::system()
        }
    }

    /// How far it was set ahead of the system's clock, milliseconds. A step counts to the system's own.
    pub fn set_ahead_ms(&self) -> i64 {
        self.set_ms
    }

    /// Moves the wall clock, as an administrator or a time daemon would; monotonic time goes on.
    pub fn step(&self, by: SignedDuration) {
        let millis = i64::try_from(by.as_millis()).unwrap_or(0);
        self.stepped_ms.fetch_add(millis, Ordering::SeqCst);
    }

    /// UTC now, to the millisecond.
    pub fn now(&self) -> Timestamp {
        let system = Timestamp::now().as_millisecond();
        let stepped = self.stepped_ms.load(Ordering::SeqCst);
        let shifted = system.saturating_add(self.set_ms).saturating_add(stepped);
        Timestamp::from_millisecond(shifted).unwrap_or(Timestamp::MAX)
    }

    /// Both times now.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            utc: self.now(),
            mono_ms: self.mono_ms(Instant::now()),
        }
    }

    /// Whole milliseconds from process start to `at`, rounded down.
    pub fn mono_ms(&self, at: Instant) -> i64 {
        i64::try_from(at.saturating_duration_since(self.started).as_millis()).unwrap_or(i64::MAX)
    }

    /// When the process started.
    pub fn started(&self) -> Instant {
        self.started
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_set_to_a_time_runs_on_from_it() {
        let at: Timestamp = "2026-12-28T06:00:00Z".parse().unwrap();
        let clock = Clock::starting_at(at);
        assert!(clock.now().duration_since(at).abs() < SignedDuration::from_secs(2));
    }

    #[test]
    fn a_clock_set_to_a_boundary_never_begins_before_it() {
        for at in ["2099-01-05T00:00:00Z", "2001-01-01T00:00:00Z"] {
            let at: Timestamp = at.parse().unwrap();
            for _ in 0..200 {
                let now = Clock::starting_at(at).now();
                assert!(now >= at, "{now}");
                std::thread::sleep(std::time::Duration::from_micros(37));
            }
        }
    }

    #[test]
    fn a_step_back_moves_wall_time_and_not_monotonic_time() {
        let clock = Clock::system();
        let before = clock.stamp();
        clock.step(SignedDuration::from_hours(-1));
        let after = clock.stamp();
        assert!(after.utc < before.utc);
        assert!(after.mono_ms >= before.mono_ms);
    }
}
