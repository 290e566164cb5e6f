//! Requests and bytes a second, from totals seen over time.

use std::collections::VecDeque;

use jiff::Timestamp;

/// Seconds kept.
const KEPT: usize = 60;
/// Seconds averaged for the number shown.
const SHOWN: usize = 5;

/// Totals at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sample {
    /// Requests.
    pub(crate) requests: u64,
    /// Wire bytes.
    pub(crate) bytes: u64,
    /// Visits ended.
    pub(crate) done: u64,
}

/// What happened in each of the last seconds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rates {
    second: Option<i64>,
    last: Sample,
    newest: Sample,
    seconds: VecDeque<Sample>,
}

impl Rates {
    /// Takes totals at `now`; the first ones are only a base.
    pub(crate) fn see(&mut self, now: Timestamp, totals: Sample) {
        if self.second.is_none() {
            self.second = Some(now.as_second());
            self.last = totals;
        }
        self.newest = totals;
        self.roll(now);
    }

    /// Closes the seconds that have passed.
    pub(crate) fn roll(&mut self, now: Timestamp) {
        let Some(second) = self.second else { return };
        let passed = now.as_second().saturating_sub(second);
        if passed <= 0 {
            return;
        }
        let silent = usize::try_from(passed - 1).unwrap_or(KEPT).min(KEPT);
        for _ in 0..silent {
            self.push(Sample::default());
        }
        self.push(Sample {
            requests: self.newest.requests.saturating_sub(self.last.requests),
            bytes: self.newest.bytes.saturating_sub(self.last.bytes),
            done: self.newest.done.saturating_sub(self.last.done),
        });
        self.last = self.newest;
        self.second = Some(now.as_second());
    }

    /// Requests and bytes a second over the last seconds.
    pub(crate) fn present(&self) -> (u64, u64) {
        let count = self.seconds.len().clamp(1, SHOWN) as u64;
        let last = self.seconds.iter().rev().take(SHOWN);
        let (requests, bytes) = last.fold((0, 0), |sum, second| {
            (sum.0 + second.requests, sum.1 + second.bytes)
        });
        (requests / count, bytes / count)
    }

    /// Seconds until `left` visits are done at the pace of the last minute, once there is one.
    pub(crate) fn left(&self, left: u64) -> Option<u64> {
        let done: u64 = self.seconds.iter().map(|second| second.done).sum();
        let seconds = self.seconds.len() as u64;
        (seconds >= SHOWN as u64 && done > 0).then(|| left.saturating_mul(seconds) / done)
    }

    /// Requests in each of the last `count` seconds, oldest first, with their highest.
    pub(crate) fn spark(&self, count: usize) -> (impl Iterator<Item = u64> + '_, u64) {
        let skip = self.seconds.len().saturating_sub(count);
        let shown = self.seconds.iter().skip(skip);
        let most = shown.clone().map(|second| second.requests).max();
        (shown.map(|second| second.requests), most.unwrap_or(0))
    }

    fn push(&mut self, second: Sample) {
        if self.seconds.len() == KEPT {
            self.seconds.pop_front();
        }
        self.seconds.push_back(second);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).unwrap()
    }

    fn totals(requests: u64) -> Sample {
        Sample {
            requests,
            bytes: requests * 100,
            done: requests / 10,
        }
    }

    #[test]
    fn a_resumed_run_does_not_begin_with_a_burst() {
        let mut rates = Rates::default();
        rates.see(at(100), totals(1_000_000));
        rates.see(at(101), totals(1_000_010));
        assert_eq!(rates.present(), (10, 1_000));
    }

    #[test]
    fn silence_counts() {
        let mut rates = Rates::default();
        rates.see(at(100), totals(0));
        rates.see(at(101), totals(100));
        rates.roll(at(105));
        assert_eq!(rates.present(), (20, 2_000));
        assert_eq!(rates.left(10), Some(5));
        rates.roll(at(1_000_000));
        assert_eq!(rates.present(), (0, 0));
        assert_eq!(rates.left(10), None);
    }

    #[test]
    fn a_clock_that_steps_back_is_survived() {
        let mut rates = Rates::default();
        rates.see(at(100), totals(0));
        rates.see(at(50), totals(7));
        rates.see(at(101), totals(9));
        assert_eq!(rates.present(), (9, 900));
    }
}
