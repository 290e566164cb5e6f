//! One host of the store as the list shows it, its texts cleaned once.

use engine::crawl::Lamp;
use engine::store::{Change, HostLine, HostState, VisitOutcome};
use jiff::Timestamp;

use crate::engine;
use crate::text::{Clean, fit};

/// The row.
#[derive(Clone, Debug)]
pub(crate) struct HostRow {
    pub(crate) line: HostLine,
    pub(crate) host: Clean,
    /// `held`, `done: closed by robots`…
    pub(crate) state: Clean,
    /// Why it is where it is, and until when.
    pub(crate) why: Clean,
    pub(crate) due: Clean,
    /// The same without seconds.
    pub(crate) due_minute: Clean,
    pub(crate) visited: Clean,
    pub(crate) requests: Clean,
    pub(crate) size: Clean,
    pub(crate) statuses: Clean,
    pub(crate) source: Clean,
    pub(crate) lamps: Vec<Lamp>,
}

impl HostRow {
    /// Of a row as read.
    pub(crate) fn new(line: HostLine) -> HostRow {
        let dash = || "-".to_owned();
        let newest = line.newest.as_ref();
        let number = |number: Option<u64>| number.map_or_else(dash, fit::count);
        HostRow {
            host: Clean::new(line.host.as_str()),
            state: Clean::new(state(&line)),
            why: Clean::new(why(&line)),
            due: Clean::new(due(&line, fit::second)),
            due_minute: Clean::new(due(&line, fit::minute)),
            visited: Clean::new(line.visited.map_or_else(dash, fit::second)),
            requests: Clean::new(number(newest.map(|visit| u64::from(visit.requests)))),
            size: Clean::new(newest.map_or_else(dash, |visit| fit::bytes(visit.largest))),
            statuses: Clean::new(newest.map_or_else(dash, |visit| {
                let words: Vec<String> = visit.statuses.iter().map(u16::to_string).collect();
                words.join(" ")
            })),
            source: Clean::new(line.source.to_string()),
            lamps: line
                .locations
                .iter()
                .map(|state| Lamp::of(*state, Change::None))
                .collect(),
            line,
        }
    }
}

fn state(line: &HostLine) -> String {
    match (line.state, &line.outcome) {
        (HostState::Done(_), Some(VisitOutcome::Closed(_))) => "done: closed by robots".to_owned(),
        (HostState::Done(_), Some(outcome)) => {
            let word = outcome.word();
            if word == "done" {
                "done".to_owned()
            } else {
                format!("done: {}", word.replace('_', " "))
            }
        }
        (state, _) => state.word().to_owned(),
    }
}

/// One plain sentence.
fn why(line: &HostLine) -> String {
    match line.state {
        HostState::Waiting => "its turn comes in the next run after its due time".to_owned(),
        HostState::Resting => line.resting.as_ref().map_or_else(
            || "its site rests".to_owned(),
            |wait| format!("resting until {}: {}", fit::second(wait.until), wait.cause),
        ),
        HostState::Offered => {
            "met through a redirect and offered to you; not asked unless a list names it".to_owned()
        }
        HostState::Done(_) if line.again => {
            "done for now; asked again in this run when it is due".to_owned()
        }
        HostState::Done(_) if let Some(VisitOutcome::Closed(reason)) = &line.outcome => {
            let reason = reason.replace('_', " ");
            format!("its visit of this run has ended: robots.txt closed it ({reason})")
        }
        HostState::Done(_) => "its visit of this run has ended".to_owned(),
        HostState::Held => "held by an operator until released".to_owned(),
        HostState::Suppressed => "suppressed: never asked again".to_owned(),
    }
}

fn due(line: &HostLine, written: fn(Timestamp) -> String) -> String {
    match (line.state, line.due) {
        (HostState::Held | HostState::Suppressed | HostState::Offered, _) | (_, None) => {
            "-".to_owned()
        }
        (_, Some(due)) => written(due),
    }
}
