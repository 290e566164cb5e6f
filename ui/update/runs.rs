//! The Runs pane: what is read for it, and what is done on it.

use jiff::Timestamp;

use super::{changes, hosts};
use crate::jobs::{Answer, What};
use crate::msg::Effect;
use crate::state::hosts::Load;
use crate::state::{Pane, State};
use crate::text::Clean;

/// Clock ticks between two readings while a run is under way.
const REREAD: u64 = 8;

/// Goes to the pane; what is there is read anew.
pub(super) fn show(state: &mut State) -> Vec<Effect> {
    state.pane = Pane::Runs;
    (state.page, state.diff) = (None, None);
    ask(state)
}

/// Reads all runs; what is on the screen stays until the answer is here.
pub(super) fn ask(state: &mut State) -> Vec<Effect> {
    let Some(question) = hosts::question(state, What::Runs) else {
        return Vec::new();
    };
    state.runs.asked = question.number;
    if !matches!(state.runs.load, Load::Ready(_)) {
        state.runs.load = Load::Loading;
    }
    vec![Effect::Ask(question)]
}

/// Whether a question of this number is the newest.
pub(super) fn asked(state: &State, number: u64) -> bool {
    number == state.runs.asked
}

/// Takes an answer; one to an older question is dropped.
pub(super) fn read(state: &mut State, number: u64, answer: Result<Answer, Clean>) {
    if !asked(state, number) {
        return;
    }
    match answer {
        Ok(Answer::Runs(summaries)) => {
            state.runs.take(summaries, state.size);
            state.runs.load = Load::Ready(state.now.unwrap_or(Timestamp::UNIX_EPOCH));
        }
        Ok(_) => {}
        Err(problem) => state.runs.load = Load::Failed(problem),
    }
}

/// While a run is under way its figures are read anew from time to time.
pub(super) fn tick(state: &mut State) -> Vec<Effect> {
    let seen = state.pane == Pane::Runs && state.diff.is_none();
    let due = state.ticks.is_multiple_of(REREAD);
    if seen && due && (super::under_way(state) || state.elsewhere()) {
        return ask(state);
    }
    Vec::new()
}

/// Compares all runs with the one under the cursor; once more, each with the one before it.
pub(super) fn mark(state: &mut State) {
    let selected = state.runs.selected().map(|row| row.summary.run.id);
    state.runs.marked = match state.runs.marked == selected {
        true => None,
        false => selected,
    };
}

/// Goes to what changed in the run under the cursor, since the marked one if that is older.
pub(super) fn changed(state: &mut State) -> Vec<Effect> {
    let Some(run) = state.runs.selected().map(|row| row.summary.run.id) else {
        return Vec::new();
    };
    state.changes.to = Some(run);
    state.changes.since = state.runs.marked.filter(|marked| *marked < run);
    let mut effects = changes::begin(state);
    effects.extend(changes::show(state));
    effects
}

#[cfg(test)]
mod tests;
