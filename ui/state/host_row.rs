//! One host of the store as the list shows it, its texts cleaned once.

use crate::engine;
use crate::text::{Clean, fit, words};
use engine::crawl::Lamp;
use engine::store::{Change, HostLine, HostState, VisitOutcome};

/// The row.
#[derive(Clone, Debug)]
pub(crate) struct HostRow {
    pub(crate) line: HostLine,
    pub(crate) host: Clean,
    /// `held`, `done: closed by robots`…
    pub(crate) state: Clean,
    /// Why it is where it is, and until when.
    pub(crate) why: Clean,
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
                format!("done: {}", words::plain(&word))
            }
        }
        (state, _) => state.word().to_owned(),
    }
}

/// One plain sentence.
fn why(line: &HostLine) -> String {
    match line.state {
        // That depends on what is under way.
        HostState::Waiting => String::new(),
        HostState::Resting => line.resting.as_ref().map_or_else(
            || "its site rests".to_owned(),
            |wait| format!("resting until {}: {}", fit::second(wait.until), wait.cause),
        ),
        HostState::Offered => {
            "offered to you, met through a redirect; not asked unless a list names it".to_owned()
        }
        HostState::Done(_) if line.again => {
            "done for now; asked again in this run when it is due".to_owned()
        }
        HostState::Done(_) if let Some(VisitOutcome::Closed(reason)) = &line.outcome => {
            let reason = words::plain(reason);
            format!("its visit of the newest run has ended: robots.txt closed it ({reason})")
        }
        HostState::Done(_) => "its visit of the newest run has ended".to_owned(),
        HostState::Held => "held by an operator until released".to_owned(),
        HostState::Suppressed => "suppressed: never asked again".to_owned(),
    }
}
