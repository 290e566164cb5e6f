//! All runs of a store, as their totals tell.

use std::collections::BTreeMap;

use engine::store::{ChangeCounts, RunId, RunSummary, Totals};

use super::changes;
use super::{at, press, running, told};
use crate::engine;
use crate::jobs::{Answer, What};
use crate::msg::{Effect, Msg};
use crate::state::State;
use crate::update::update;

fn words(counts: &[(&str, u64)]) -> BTreeMap<String, u64> {
    let counts = counts.iter();
    counts.map(|(word, n)| ((*word).to_owned(), *n)).collect()
}

/// Three runs, the newest first and still going, the oldest begun by an older version.
pub(crate) fn summaries() -> Vec<RunSummary> {
    let runs = changes::runs().into_iter().enumerate();
    runs.map(|(age, mut run)| {
        let age = age as u64;
        run.ended = (age > 0).then(|| at("2026-12-01T05:12:00Z"));
        run.start.user_agent = "IntentRouteBot/0.1 (+https://intentroute.net/bot)".to_owned();
        RunSummary {
            changes: ChangeCounts {
                new: 3 + 400 * age,
                changed: 120 - 20 * age,
                back: 2,
                gone: age,
                unchanged_by_content: 40,
            },
            confirmed: 900 - 300 * age,
            sparse: age == 2,
            asked: Some((at("2026-11-30T06:00:01Z"), at("2026-11-30T08:14:07Z"))),
            processes: 1 + age,
            totals: Totals {
                requests: 14_200 - 1_000 * age,
                hosts: words(&[("done", 1_000 - age), ("limited", 7), ("closed:status", 12)]),
                statuses: BTreeMap::from([(200, 1_065), (304, 900 - 300 * age), (429, 7)]),
                outcomes: words(&[("present", 1_065), ("absent", 12_000), ("limited", 7)]),
                denied: 31,
                not_asked: words(&[("limited", 60), ("closed:status", 156)]),
                versions_new: 125,
                wire_bytes: 48_000_000 + 9_000_000 * age,
                body_bytes: 190_000_000,
                ..Totals::default()
            },
            run,
        }
    })
    .collect()
}

/// Answers every question about runs among these effects.
pub(crate) fn answer(state: &mut State, effects: Vec<Effect>, runs: &[RunSummary]) {
    for effect in effects {
        if let Effect::Ask(question) = effect
            && question.what == What::Runs
        {
            let read = Ok(Answer::Runs(runs.to_vec()));
            update(state, Msg::Read(question.number, read));
        }
    }
}

/// The pane as it was read.
pub(crate) fn opened(size: (u16, u16), runs: &[RunSummary]) -> State {
    let mut state = told(size, running());
    let effects = press(&mut state, "6");
    answer(&mut state, effects, runs);
    state
}

/// The run of this place, the newest being 0.
pub(crate) fn id(at: usize) -> RunId {
    summaries()[at].run.id
}
