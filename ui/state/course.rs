//! Where a host stands by what the run under way knows of it, over what the store says: the store is
//! told at the end of a visit, the engine at every step.

use engine::crawl;
use engine::store::HostState;
use jiff::Timestamp;

use super::host_row::HostRow;
use super::live::Row;
use super::page::overview::standing;
use crate::engine;
use crate::text::{Clean, fit};
use crate::theme::Role;

/// Whether a run is under way, and when that was looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Course {
    /// Nobody knows yet.
    #[default]
    Unknown,
    /// None is.
    Idle(Timestamp),
    /// Ours; no new request after its end.
    Ours(Timestamp, Option<Timestamp>),
    /// That of another terminal.
    Elsewhere(Timestamp),
}

/// What is shown of a host.
#[derive(Clone, Debug)]
pub(crate) struct Stands {
    /// In a word or two.
    pub(crate) state: Clean,
    /// One plain sentence.
    pub(crate) why: Clean,
    /// When it is asked next, with seconds and without.
    pub(crate) due: Clean,
    pub(crate) due_minute: Clean,
    pub(crate) role: Role,
}

impl Stands {
    /// State and sentence, no word of it twice.
    pub(crate) fn sentence(&self) -> Clean {
        let (state, why) = (self.state.as_str(), self.why.as_str());
        if why.starts_with(state) {
            return self.why.clone();
        }
        Clean::new(format!("{state}: {why}"))
    }
}

impl Course {
    fn now(self) -> Option<Timestamp> {
        match self {
            Course::Unknown => None,
            Course::Idle(now) | Course::Ours(now, _) | Course::Elsewhere(now) => Some(now),
        }
    }

    /// Where a host of the store stands, `flight` being its visit under way.
    pub(crate) fn of(self, row: &HostRow, flight: Option<&Row>) -> Stands {
        match (flight, row.line.state) {
            // An operator's word counts at once, wherever it was given.
            (_, HostState::Suppressed) | (None, _) => self.stored(row),
            (Some(flight), _) => in_flight(flight),
        }
    }

    fn stored(self, row: &HostRow) -> Stands {
        let line = &row.line;
        let asked = !matches!(
            line.state,
            HostState::Held | HostState::Suppressed | HostState::Offered
        );
        let wait = line.resting.as_ref().map(|wait| wait.until);
        let due = line
            .due
            .filter(|_| asked)
            .map(|due| wait.map_or(due, |wait| due.max(wait)));
        let is_due = due.is_some_and(|due| self.now().is_some_and(|now| due <= now));
        let text = |written: fn(Timestamp) -> String| match (due, self) {
            (None, _) => "-".to_owned(),
            // What is due is never told as a time that has passed.
            (Some(_), Course::Idle(_)) if is_due => "next run".to_owned(),
            (Some(_), _) if is_due => "in this run".to_owned(),
            (Some(due), _) => written(due),
        };
        Stands {
            state: row.state.clone(),
            why: match line.state {
                HostState::Waiting => Clean::new(self.waits(due, is_due)),
                _ => row.why.clone(),
            },
            due: Clean::new(text(fit::second)),
            due_minute: Clean::new(text(fit::minute)),
            role: standing(line.state),
        }
    }

    fn waits(self, due: Option<Timestamp>, is_due: bool) -> &'static str {
        match self {
            Course::Ours(..) if is_due => "its turn comes in this run",
            Course::Ours(_, Some(ends)) if due.is_some_and(|due| due < ends) => {
                "its turn comes in this run, once it is due"
            }
            Course::Elsewhere(_) if is_due => {
                "its turn comes in the run of another terminal, or it has it now"
            }
            Course::Idle(_) if is_due => "its turn comes in the next run",
            _ => "its turn comes in the next run after its due time",
        }
    }
}

fn in_flight(flight: &Row) -> Stands {
    use crawl::HostState as Now;
    let (state, due, role) = match &flight.visit.state {
        Now::Waiting => ("waiting", None, Role::Plain),
        Now::Ready => ("ready", Some("now"), Role::Good),
        Now::Asking { .. } => ("asking", Some("now"), Role::Good),
        Now::Resting { until, .. } => {
            let (second, minute) = (fit::second(*until), fit::minute(*until));
            return Stands {
                state: Clean::new("resting"),
                why: flight.sentence(),
                due: Clean::new(second),
                due_minute: Clean::new(minute),
                role: Role::Wait,
            };
        }
        Now::Paused { .. } => ("paused", Some("once resumed"), Role::Told),
        Now::Held => ("held", None, Role::Told),
        Now::Suppressed => ("suppressed", None, Role::Told),
        Now::Done { .. } => ("done", None, Role::Plain),
    };
    let due = Clean::new(due.unwrap_or("-"));
    Stands {
        state: Clean::new(state),
        why: flight.sentence(),
        due: due.clone(),
        due_minute: due,
        role,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_kit::{asking, at, page, resting, row as flight};

    fn line(state: HostState, due: &str) -> HostRow {
        let mut line = page::card("docs.alder.test", state).line;
        line.due = Some(at(due));
        HostRow::new(line)
    }

    const NOW: &str = "2026-11-30T08:00:00Z";
    const PAST: &str = "2026-11-30T06:00:00Z";
    const LATER: &str = "2026-12-07T06:00:00Z";

    #[test]
    fn a_host_in_flight_is_told_by_the_run() {
        let course = Course::Ours(at(NOW), None);
        let row = line(HostState::Waiting, PAST);
        let told = |state| {
            let flight = Row::told(flight(1, "docs.alder.test", "@o", 2, state));
            let stands = course.of(&row, Some(&flight));
            (stands.sentence().to_string(), stands.due.to_string())
        };
        let (says, due) = told(asking("/llms.txt"));
        assert_eq!((says.as_str(), due.as_str()), ("asking /llms.txt", "now"));
        let (says, due) = told(resting("2026-11-30T08:00:09Z", "Crawl-delay 10"));
        assert_eq!(says, "resting until 08:00:09Z: Crawl-delay 10");
        assert_eq!(due, "2026-11-30 08:00:09Z");
        let (says, due) = told(crawl::HostState::Held);
        assert_eq!(
            (says.as_str(), due.as_str()),
            ("held by the operator until released", "-")
        );
    }

    #[test]
    fn nothing_that_is_due_is_told_as_past() {
        let courses = [
            (
                Course::Ours(at(NOW), None),
                "its turn comes in this run",
                "in this run",
            ),
            (
                Course::Elsewhere(at(NOW)),
                "its turn comes in the run of another terminal, or it has it now",
                "in this run",
            ),
            (
                Course::Idle(at(NOW)),
                "its turn comes in the next run",
                "next run",
            ),
        ];
        for (course, why, due) in courses {
            let stands = course.of(&line(HostState::Waiting, PAST), None);
            assert_eq!(stands.sentence().as_str(), format!("waiting: {why}"));
            assert_eq!(
                (stands.due.as_str(), stands.due_minute.as_str()),
                (due, due)
            );
            let done = course.of(&line(HostState::Done(None), PAST), None);
            assert_eq!(done.due.as_str(), due);
            let later = course.of(&line(HostState::Waiting, LATER), None);
            assert_eq!(later.due.as_str(), "2026-12-07 06:00:00Z");
            assert!(later.why.as_str().contains("after its due time"));
        }
        let ends = Course::Ours(at(NOW), Some(at("2026-12-08T00:00:00Z")));
        let soon = ends.of(&line(HostState::Waiting, LATER), None);
        assert_eq!(
            soon.why.as_str(),
            "its turn comes in this run, once it is due"
        );
    }

    #[test]
    fn no_state_is_said_twice() {
        for state in [
            HostState::Held,
            HostState::Suppressed,
            HostState::Resting,
            HostState::Offered,
            HostState::Waiting,
        ] {
            let mut row = line(state, LATER);
            row.line.resting = Some(engine::store::SiteWait {
                until: at(LATER),
                cause: "429 on /llms.txt".to_owned(),
            });
            let row = HostRow::new(row.line);
            let says = Course::Idle(at(NOW)).of(&row, None).sentence().to_string();
            assert_eq!(says.matches(state.word()).count(), 1, "{says}");
        }
    }
}
