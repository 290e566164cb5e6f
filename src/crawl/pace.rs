//! When a site may be asked next (PC1, PC2, PC3, PC6).
//!
//! One pace a site, owned by the one task that walks it: that is how one request at a time holds.
//! The gap runs from the end of one answer, in monotonic time, and is kept across hosts of the site.

use std::time::Duration;

use tokio::time::Instant;

use crate::policy;
use crate::robots::Gap;

/// The pace of one site during one walk.
#[derive(Debug)]
pub(crate) struct SitePace {
    /// End of the last answer, or process start for a site not asked by this process yet.
    since: Option<Instant>,
    /// Gap kept after the last request.
    kept: Duration,
    /// Gap in force for the host asked now.
    in_force: Duration,
    /// Not before this, whatever the gap (Retry-After inside a visit).
    not_before: Option<Instant>,
    adaptive: Option<Caution>,
}

impl SitePace {
    /// The pace of a site that was asked before with this gap, if it ever was. `since` is the end of
    /// the last answer it gave to this process, in an earlier walk, or else process start: nobody
    /// knows when the last answer of another process ended for the server (rule 1).
    pub(crate) fn open(
        pace: &policy::Pace,
        earlier_gap: Option<Duration>,
        since: Instant,
    ) -> SitePace {
        let minimum = pace.min_gap.mul_f64(pace.scale);
        SitePace {
            since: earlier_gap.map(|_| since),
            kept: earlier_gap.unwrap_or_default().max(minimum),
            in_force: minimum,
            not_before: None,
            adaptive: pace
                .adaptive
                .as_ref()
                .map(|rule| Caution::new(rule, pace.scale)),
        }
    }

    /// A host comes up, or its robots.txt was read: this gap is in force for it.
    pub(crate) fn in_force(&mut self, gap: Gap) {
        self.in_force = gap.duration;
    }

    /// A host comes up whose robots.txt is asked anew: what it declared last holds until it says
    /// otherwise. Whether that is longer than what was in force. // PC3
    pub(crate) fn at_least(&mut self, gap: Gap) -> bool {
        let longer = gap.duration > self.in_force;
        self.in_force = self.in_force.max(gap.duration);
        longer
    }

    /// The gap that the next request keeps.
    pub(crate) fn gap(&self) -> Duration {
        let asked = self.in_force.max(self.kept);
        self.adaptive
            .as_ref()
            .map_or(asked, |caution| asked.max(caution.gap))
    }

    /// When the next request may leave; none means at once. // PC2
    pub(crate) fn ready_at(&self) -> Option<Instant> {
        let after_gap = self.since.map(|since| since + self.gap());
        after_gap.max(self.not_before)
    }

    /// An answer ended now, after `took`; `good` if the site coped with it.
    pub(crate) fn answered(&mut self, now: Instant, took: Duration, good: bool) {
        self.since = Some(now);
        self.kept = self.in_force;
        if let Some(caution) = &mut self.adaptive {
            caution.answered(took, good, self.in_force);
        }
    }

    /// The server asked for a wait inside the visit.
    pub(crate) fn wait_until(&mut self, at: Instant) {
        self.not_before = self.not_before.max(Some(at));
    }
}

/// PC6: slower for slow or failing sites, quicker again after good answers, never below the gap.
#[derive(Debug)]
struct Caution {
    rule: policy::Adaptive,
    scale: f64,
    gap: Duration,
    good_in_a_row: u32,
}

impl Caution {
    fn new(rule: &policy::Adaptive, scale: f64) -> Caution {
        Caution {
            rule: rule.clone(),
            scale,
            gap: Duration::ZERO,
            good_in_a_row: 0,
        }
    }

    fn answered(&mut self, took: Duration, good: bool, floor: Duration) {
        let slow = took.mul_f64(f64::from(self.rule.response_factor) * self.scale);
        if good {
            self.good_in_a_row += 1;
            if self.good_in_a_row >= self.rule.halve_after {
                self.good_in_a_row = 0;
                self.gap /= 2;
            }
        } else {
            self.good_in_a_row = 0;
            self.gap = self.gap.max(floor) * 2;
        }
        let most = self.rule.max_gap.mul_f64(self.scale);
        self.gap = self.gap.max(slow).min(most);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::robots::GapReason;

    fn rules(adaptive: bool) -> policy::Pace {
        policy::Pace {
            min_gap: Duration::from_secs(2),
            delay_min: Duration::ZERO,
            delay_max: None,
            adaptive: adaptive.then(|| policy::Adaptive {
                response_factor: 5,
                max_gap: Duration::from_secs(3600),
                halve_after: 5,
            }),
            scale: 1.0,
        }
    }

    fn gap(seconds: u64) -> Gap {
        Gap {
            duration: Duration::from_secs(seconds),
            reason: GapReason::Minimum,
        }
    }

    #[test]
    fn a_new_site_is_ready_and_an_answered_one_waits_the_gap() {
        let now = Instant::now();
        let mut pace = SitePace::open(&rules(false), None, now);
        assert_eq!(pace.ready_at(), None);
        pace.answered(now, Duration::from_millis(10), true);
        assert_eq!(pace.ready_at(), Some(now + Duration::from_secs(2)));
    }

    #[test]
    fn the_longer_gap_of_two_hosts_of_a_site_is_kept_between_them() {
        let now = Instant::now();
        let mut pace = SitePace::open(&rules(false), None, now);
        pace.in_force(gap(60));
        pace.answered(now, Duration::ZERO, true);
        pace.in_force(gap(2));
        assert_eq!(pace.gap(), Duration::from_secs(60));
        pace.answered(now, Duration::ZERO, true);
        assert_eq!(pace.gap(), Duration::from_secs(2));
    }

    #[test]
    fn after_a_restart_the_gap_counts_from_process_start() {
        let start = Instant::now();
        let pace = SitePace::open(&rules(false), Some(Duration::from_secs(30)), start);
        assert_eq!(pace.ready_at(), Some(start + Duration::from_secs(30)));
    }

    #[test]
    fn a_failing_site_is_asked_more_slowly_and_a_good_one_faster_again() {
        let now = Instant::now();
        let mut pace = SitePace::open(&rules(true), None, now);
        pace.in_force(gap(2));
        pace.answered(now, Duration::from_millis(100), false);
        assert_eq!(pace.gap(), Duration::from_secs(4));
        pace.answered(now, Duration::from_secs(3), true);
        assert_eq!(pace.gap(), Duration::from_secs(15));
        for _ in 0..20 {
            pace.answered(now, Duration::ZERO, true);
        }
        assert_eq!(pace.gap(), Duration::from_secs(2));
    }

    #[test]
    fn a_wait_asked_for_and_the_gap_hold_whichever_is_later() {
        let now = Instant::now();
        let mut pace = SitePace::open(&rules(false), None, now);
        pace.answered(now, Duration::ZERO, true);
        pace.wait_until(now + Duration::from_secs(1));
        assert_eq!(pace.ready_at(), Some(now + Duration::from_secs(2)));
        pace.wait_until(now + Duration::from_secs(30));
        pace.wait_until(now + Duration::from_secs(10));
        assert_eq!(pace.ready_at(), Some(now + Duration::from_secs(30)));
    }

    #[test]
    fn caution_has_an_end_and_one_factor_scales_all_of_it() {
        let now = Instant::now();
        let mut scaled = rules(true);
        scaled.scale = 0.01;
        let mut pace = SitePace::open(&scaled, None, now);
        assert_eq!(pace.gap(), Duration::from_millis(20));
        for _ in 0..40 {
            pace.answered(now, Duration::from_secs(10), false);
        }
        assert_eq!(pace.gap(), Duration::from_secs(36));
        pace.answered(now, Duration::ZERO, true);
        assert_eq!(
            pace.gap(),
            Duration::from_secs(36),
            "halved after five, not after one"
        );
    }

    #[test]
    fn a_gap_kept_by_an_earlier_process_is_never_shortened_to_ours() {
        let start = Instant::now();
        for (earlier, kept) in [(1, 2), (2, 2), (60, 60)] {
            let earlier = Some(Duration::from_secs(earlier));
            let pace = SitePace::open(&rules(false), earlier, start);
            assert_eq!(pace.gap(), Duration::from_secs(kept));
        }
    }
}
