//! How long the run still takes: the pace of the last minute, and never less than what its slowest
//! host in flight needs by itself.

use std::time::Duration;

use engine::crawl::{HostState, Lamp, RunState, VisitRow};
use jiff::Timestamp;

use super::live::Live;
use crate::engine;
use crate::text::fit;

/// Time left, once something can be said of it.
pub(crate) fn left(live: &Live) -> Option<Duration> {
    let hosts = live.waiting + live.in_flight;
    let over = matches!(
        live.run_state,
        Some(RunState::Finished | RunState::Stopped | RunState::Stopping)
    );
    if hosts == 0 || over {
        return None;
    }
    let paced = live.rates.left(hosts).map(Duration::from_secs);
    let rows = live.rows.values();
    let slowest = rows.map(|row| own(&row.visit, live.now)).max();
    match (paced, slowest) {
        (Some(paced), slowest) => Some(paced.max(slowest.unwrap_or_default())),
        // Nothing ended lately: with no host waiting, those in flight tell all there is.
        (None, slowest) => slowest.filter(|time| live.waiting == 0 && !time.is_zero()),
    }
}

/// What a host needs for the locations left to it: its wait, and a gap before each further one.
fn own(visit: &VisitRow, now: Timestamp) -> Duration {
    let wait = match &visit.state {
        HostState::Resting { until, .. } => fit::until(now, *until),
        HostState::Waiting
        | HostState::Ready
        | HostState::Asking { .. }
        | HostState::Paused { .. } => Duration::ZERO,
        // Nothing more is asked of these in this run, or nobody knows when.
        HostState::Held | HostState::Suppressed | HostState::Done { .. } => return Duration::ZERO,
    };
    let asked = |lamp: &&Lamp| matches!(lamp, Lamp::NotYet | Lamp::Asking);
    let further = visit.lamps.iter().filter(asked).count().saturating_sub(1);
    let further = u32::try_from(further).unwrap_or(u32::MAX);
    wait.saturating_add(visit.gap.saturating_mul(further))
}

#[cfg(test)]
mod tests {
    use engine::crawl::Update;

    use super::*;
    use crate::test_kit::{asking, at, resting, row, running};

    fn of(rows: Vec<VisitRow>, waiting: u64, done: [u64; 2]) -> Option<Duration> {
        let mut live = Live::default();
        let seconds = ["2026-11-30T08:14:00Z", "2026-11-30T08:14:10Z"];
        for (done, second) in done.into_iter().zip(seconds) {
            live.apply(Update {
                now: Some(at(second)),
                done,
                waiting,
                in_flight: rows.len() as u64,
                rows: rows.clone(),
                ..running()
            });
        }
        left(&live)
    }

    #[test]
    fn one_slow_host_is_waited_for() {
        let until = "2026-11-30T08:14:40Z";
        let slow = row(
            1,
            "slow.test",
            "@ooo..........",
            60,
            resting(until, "Crawl-delay 60"),
        );
        let needs = Duration::from_secs(30 + 9 * 60);
        assert_eq!(of(vec![slow.clone()], 0, [100, 200]), Some(needs));
        assert_eq!(
            of(vec![slow.clone()], 0, [100, 100]),
            Some(needs),
            "nothing ended lately"
        );
        assert_eq!(
            of(vec![slow.clone()], 3, [100, 100]),
            None,
            "others wait: nobody knows"
        );
        // Ten a second: the pace of the whole run counts where it is the longer one.
        assert_eq!(
            of(vec![slow], 35_999, [100, 200]),
            Some(Duration::from_secs(3_600))
        );
        let asked = row(1, "slow.test", "@ooo?.........", 60, asking("/a"));
        assert_eq!(
            of(vec![asked], 0, [0, 0]),
            Some(Duration::from_secs(9 * 60))
        );
        let held = row(1, "slow.test", "@ooo..........", 60, HostState::Held);
        assert_eq!(of(vec![held], 0, [0, 0]), None);
    }

    #[test]
    fn a_run_that_stops_has_no_time_left() {
        for (state, told) in [
            (RunState::Running, true),
            (RunState::Stopping, false),
            (RunState::Stopped, false),
            (RunState::Finished, false),
        ] {
            let mut live = Live::default();
            live.apply(Update {
                now: Some(at("2026-11-30T08:14:00Z")),
                state: Some(state),
                in_flight: 1,
                waiting: 0,
                rows: vec![row(1, "slow.test", "@ooo..", 60, asking("/a"))],
                ..running()
            });
            assert_eq!(left(&live).is_some(), told, "{state:?}");
        }
    }
}
