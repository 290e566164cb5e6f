//! AS8 and AS9: where hosts come from, and when they are visited.

use jiff::Timestamp;

use super::asked::Asked;
use super::auditor::ProcessFacts;
use super::finding::{Book, Check};
use super::visit::{Denied, Expected};
use super::words::{span, utc};
use crate::policy::{PeriodKind, Policy, RobotsRetry};
use crate::store::{HostId, Run, RunStart, VisitOutcome, VisitRecord};

const DAY_MS: i64 = 86_400_000;

/// The visit record before this one.
#[derive(Clone, Debug)]
pub(super) struct Previous {
    host: HostId,
    turn: u32,
    /// It may go on after release: a hold is no end.
    held: bool,
}

impl Previous {
    pub(super) fn of(record: &VisitRecord) -> Previous {
        Previous {
            host: record.host,
            turn: record.turn,
            held: record.outcome == VisitOutcome::Held,
        }
    }
}

/// Checks a visit record by itself and against the one before it.
pub(super) fn visit(
    record: &VisitRecord,
    before: Option<&Previous>,
    run: &Run,
    policy: &Policy,
    book: &mut Book,
) {
    book.seen(Check::As8);
    if !record.source_known {
        let what = format!("no source is recorded for {}", record.host_name);
        book.breach(Check::As8, None, what);
    }
    book.seen(Check::As9);
    let again = before.filter(|before| before.host == record.host);
    let twice = again.is_some_and(|before| {
        before.turn == record.turn || (policy.robots.retry != RobotsRetry::After && !before.held)
    });
    if twice {
        let what = format!(
            "one visit a run was promised, {} was visited again, until {}",
            record.host_name,
            utc(record.ended)
        );
        book.breach(Check::As9, None, what);
    }
    if let Some(previous) = record.previous
        && not_before(record, run, policy).is_none()
    {
        // Every start inside the run is late enough: the run's own start tells how late at least.
        let since = run.start.at.as_millisecond() - previous.as_millisecond();
        book.value(Check::As9, since, || {
            format!(
                "shortest time since the visit before at least {} ({} {})",
                span(since),
                record.host_name,
                utc(run.start.at)
            )
        });
    }
}

/// What the record tells of requests that must not be found; none if it tells nothing. `one_plan`: all
/// processes of the run have the same plan, so that a location's bit means the same to each.
pub(super) fn expected(
    record: &VisitRecord,
    run: &Run,
    policy: &Policy,
    one_plan: bool,
) -> Option<Expected> {
    let mut expected = Expected {
        denied: Vec::new(),
        not_before: not_before(record, run, policy),
        limited: record.outcome == VisitOutcome::Limited,
    };
    for (path, robots, _) in &record.denied {
        let known = expected
            .denied
            .iter()
            .position(|denied| denied.robots == *robots);
        let index = known.unwrap_or_else(|| {
            expected.denied.push(Denied {
                robots: *robots,
                locations: 0,
                others: Vec::new(),
            });
            expected.denied.len() - 1
        });
        match super::plan::bit(policy, path).filter(|_| one_plan) {
            Some(bit) => expected.denied[index].locations |= bit,
            None => expected.denied[index].others.push(path.clone()),
        }
    }
    let empty = expected.denied.is_empty() && expected.not_before.is_none() && !expected.limited;
    (!empty).then_some(expected)
}

/// UTC milliseconds before which the visit must not begin, if that lies after the start of the run.
fn not_before(record: &VisitRecord, run: &Run, policy: &Policy) -> Option<i64> {
    let wait = millis(policy.schedule.revisit_after);
    let earliest = record.previous?.as_millisecond().saturating_add(wait);
    Some(earliest).filter(|earliest| *earliest > run.start.at.as_millisecond())
}

/// AS9 at the first request of a visit.
pub(super) fn begins(asked: &Asked<'_>, not_before: i64, book: &mut Book) {
    let wait = millis(asked.policy.schedule.revisit_after);
    let since = asked.start.utc_ms() - not_before + wait;
    book.value(Check::As9, since, || {
        format!(
            "shortest time since the visit before {} of {} ({})",
            span(since),
            span(wait),
            asked.place()
        )
    });
    if since < wait {
        let what = format!(
            "at least {} were to pass since the visit before, {} ms less did ({})",
            span(wait),
            wait - since,
            asked.page()
        );
        book.breach(Check::As9, Some(asked.row.key), what);
    }
}

/// The last instant at which a process of the run may ask: the end of the run's window. A process that
/// took the run up after it has a window of its own, inside the same period; that the run is late is
/// reported and no breach.
pub(super) fn window_ends(run: &RunStart, process: Option<&ProcessFacts>) -> Timestamp {
    let Some(process) = process.filter(|process| process.started >= run.window_ends) else {
        return run.window_ends;
    };
    let schedule = &process.policy.schedule;
    let own = process.started.checked_add(schedule.window);
    let began = run.at.as_millisecond();
    let next = period_start(schedule.period, began).saturating_add(length(schedule.period));
    let period = Timestamp::from_millisecond(next);
    own.unwrap_or(Timestamp::MAX)
        .min(period.unwrap_or(Timestamp::MAX))
}

/// Reported, never a breach: a run that began late or runs over.
pub(super) fn report(run: &Run, policy: &Policy, book: &mut Book) {
    let began = run.start.at.as_millisecond();
    let promised = period_start(policy.schedule.period, began) + millis(policy.schedule.starts);
    let at = utc(run.start.at);
    let note = match began - promised {
        0 => format!("the run began {at}, as promised"),
        late @ 1.. => format!(
            "the run began {at}, {} after the promised start",
            span(late)
        ),
        early => format!(
            "the run began {at}, {} before the promised start",
            span(-early)
        ),
    };
    book.note(Check::As9, note);
    let over = run.ended.map_or(0, |ended| {
        ended.as_millisecond() - run.start.window_ends.as_millisecond()
    });
    if over > 0 {
        let note = format!("it ended {} after its window", span(over));
        book.note(Check::As9, note);
    }
}

/// Start of the period that contains `at`, both UTC milliseconds. 1970-01-01 was a Thursday.
fn period_start(kind: PeriodKind, at: i64) -> i64 {
    let day = at.div_euclid(DAY_MS);
    let first = match kind {
        PeriodKind::Day => day,
        PeriodKind::Week => day - (day + 3).rem_euclid(7),
        PeriodKind::Days(days) => day - day.rem_euclid(i64::from(days.max(1))),
    };
    first * DAY_MS
}

/// Length of a period in milliseconds.
fn length(kind: PeriodKind) -> i64 {
    let days = match kind {
        PeriodKind::Day => 1,
        PeriodKind::Week => 7,
        PeriodKind::Days(days) => i64::from(days.max(1)),
    };
    days * DAY_MS
}

fn millis(time: std::time::Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_begin_at_midnight_utc() {
        for (kind, at, start) in [
            (
                PeriodKind::Week,
                "2026-11-30T06:00:00Z",
                "2026-11-30T00:00:00Z",
            ),
            (
                PeriodKind::Week,
                "2026-12-06T23:59:59.999Z",
                "2026-11-30T00:00:00Z",
            ),
            (
                PeriodKind::Week,
                "2027-01-03T12:00:00Z",
                "2026-12-28T00:00:00Z",
            ),
            (
                PeriodKind::Day,
                "2026-12-06T23:59:59.999Z",
                "2026-12-06T00:00:00Z",
            ),
            (
                PeriodKind::Days(3),
                "1970-01-06T01:00:00Z",
                "1970-01-04T00:00:00Z",
            ),
        ] {
            let at: Timestamp = at.parse().expect("a time");
            let start: Timestamp = start.parse().expect("a time");
            let found = period_start(kind, at.as_millisecond());
            assert_eq!(found, start.as_millisecond(), "{kind:?} {at}");
        }
    }
}
