//! When a host is due again.

use std::time::Duration;

use jiff::Timestamp;

use super::Schedule;

/// The earliest instant at which a run may admit a host again (AS9): the start of a run in the period
/// after the visit's, but not before `revisit_after` has passed, nor before `not_before` (a
/// Retry-After or the like). Where that lies inside a period, the run of that period admits the host
/// as soon as it is due.
pub fn next_due(
    schedule: &Schedule,
    visited_at: Timestamp,
    not_before: Option<Timestamp>,
) -> Timestamp {
    let visited_in = schedule.period.containing(visited_at);
    let run = later(schedule.period.next(&visited_in).start, schedule.starts);
    let rested = later(visited_at, schedule.revisit_after);
    let told = not_before.unwrap_or(Timestamp::MIN);
    run.max(rested).max(told)
}

/// `at` plus `wait`, or the end of time.
fn later(at: Timestamp, wait: Duration) -> Timestamp {
    at.checked_add(wait).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{PeriodKind, parse_duration};

    fn schedule(period: PeriodKind, starts: &str, revisit_after: &str) -> Schedule {
        let duration = |text| parse_duration(text).unwrap();
        Schedule {
            period,
            starts: duration(starts),
            window: duration("24h"),
            revisit_after: duration(revisit_after),
        }
    }

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn weekly_hosts() {
        let weekly = schedule(PeriodKind::Week, "6h", "6d");
        for (visited, not_before, due) in [
            // Only 6 d 23 h 50 min later, and all right: at least six days.
            ("2026-11-30T06:10:00Z", None, "2026-12-07T06:00:00Z"),
            ("2026-12-01T06:00:00Z", None, "2026-12-07T06:00:00Z"),
            // A late Sunday visit is not followed by one on Monday.
            ("2026-12-06T23:30:00Z", None, "2026-12-12T23:30:00Z"),
            ("2026-12-01T05:59:59Z", None, "2026-12-07T06:00:00Z"),
            ("2026-12-01T06:00:01Z", None, "2026-12-07T06:00:01Z"),
            // Before the run's hour on Monday is already the new week: asked at most once in it.
            ("2026-12-07T05:00:00Z", None, "2026-12-14T06:00:00Z"),
            // Over the turn of the year, week 53.
            ("2026-12-28T07:00:00Z", None, "2027-01-04T06:00:00Z"),
            // Told to wait: inside a week it is due at that instant; a short wait changes nothing.
            (
                "2026-11-30T06:10:00Z",
                Some("2026-12-09T10:00:00Z"),
                "2026-12-09T10:00:00Z",
            ),
            (
                "2026-11-30T06:10:00Z",
                Some("2026-11-30T06:20:00Z"),
                "2026-12-07T06:00:00Z",
            ),
        ] {
            let found = next_due(&weekly, at(visited), not_before.map(at));
            assert_eq!(found, at(due), "{visited} {not_before:?}");
        }
    }

    #[test]
    fn daily_hosts() {
        let daily = schedule(PeriodKind::Day, "0s", "24h");
        let due = next_due(&daily, at("2026-11-30T23:50:00Z"), None);
        assert_eq!(due, at("2026-12-01T23:50:00Z"));
    }

    #[test]
    fn the_end_of_time_is_never() {
        let weekly = schedule(PeriodKind::Week, "6h", "6d");
        assert_eq!(next_due(&weekly, Timestamp::MAX, None), Timestamp::MAX);
    }
}
