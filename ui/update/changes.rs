//! The Changes pane: what is read for it, and what is done with the answers.

use std::sync::Arc;

use jiff::Timestamp;

use super::{diff, hosts, page};
use crate::jobs::changes::Asked;
use crate::jobs::{Answer, What};
use crate::msg::Effect;
use crate::state::changes::RunPick;
use crate::state::diff::DiffRequest;
use crate::state::hosts::{Load, room};
use crate::state::page::Section;
use crate::state::{Overlay, Pane, State};
use crate::text::Clean;

/// Clock ticks between two readings while a run is under way.
const REREAD: u64 = 40;

/// Goes to the pane; its list is read if that has not been done.
pub(super) fn show(state: &mut State) -> Vec<Effect> {
    state.pane = Pane::Changes;
    (state.page, state.diff) = (None, None);
    match state.changes.load {
        // What a run found since is shown too.
        Load::Not | Load::Failed(_) | Load::Ready(_) => ask(state),
        Load::Loading | Load::Partly => fill(state),
    }
}

/// Reads another list.
pub(super) fn begin(state: &mut State) -> Vec<Effect> {
    state.changes.begin();
    ask(state)
}

/// Reads the list anew; what is on the screen stays until the answer is here.
pub(super) fn ask(state: &mut State) -> Vec<Effect> {
    let what = What::Changes(Asked {
        to: state.changes.to,
        since: state.changes.since,
        filter: state.changes.filter.filter.clone(),
    });
    let Some(question) = hosts::question(state, what) else {
        return Vec::new();
    };
    state.changes.list_asked = question.number;
    state.changes.load = Load::Loading;
    vec![Effect::Ask(question)]
}

/// While a run is under way its changes are read anew from time to time.
pub(super) fn tick(state: &mut State) -> Vec<Effect> {
    let seen = state.pane == Pane::Changes && state.page.is_none() && state.diff.is_none();
    let ready = matches!(state.changes.load, Load::Ready(_));
    let due = state.ticks.is_multiple_of(REREAD);
    if seen && ready && due && (super::under_way(state) || state.elsewhere()) {
        return ask(state);
    }
    Vec::new()
}

/// Reads rows if one on the screen has not been read.
pub(super) fn fill(state: &mut State) -> Vec<Effect> {
    let Some(window) = state.changes.lacking(room(state.size)) else {
        return Vec::new();
    };
    let Some(question) = hosts::question(state, What::ChangeRows(window)) else {
        return Vec::new();
    };
    state.changes.rows_asked = question.number;
    vec![Effect::Ask(question)]
}

/// Whether a question of this number is the newest about the list or the rows.
pub(super) fn asked(state: &State, number: u64) -> bool {
    number == state.changes.list_asked || number == state.changes.rows_asked
}

/// Takes an answer; one to an older question is dropped.
pub(super) fn read(state: &mut State, number: u64, answer: Result<Answer, Clean>) -> Vec<Effect> {
    if !asked(state, number) {
        return Vec::new();
    }
    let room = room(state.size);
    match answer {
        Ok(Answer::ChangesBegun(begun)) => {
            state.changes.take_begun(*begun, room);
            state.changes.load = Load::Partly;
        }
        Ok(Answer::Changes(index)) => {
            state.changes.take_index(Arc::clone(&index), room);
            state.changes.load = Load::Ready(state.now.unwrap_or(Timestamp::UNIX_EPOCH));
        }
        Ok(Answer::ChangeRows(first, lines)) => {
            state.changes.take_rows(first, lines);
            // The names of sites take lines too.
            state.changes.scroll(room);
        }
        Ok(_) => {}
        Err(problem) if number == state.changes.list_asked => {
            state.changes.load = Load::Failed(problem);
            return Vec::new();
        }
        Err(problem) => {
            state.tell(problem, true);
            return Vec::new();
        }
    }
    fill(state)
}

/// Moves the cursor.
pub(super) fn step(state: &mut State, by: isize) -> Vec<Effect> {
    state.changes.step(by, room(state.size));
    fill(state)
}

/// Moves the cursor to the next row in which something is different, or the one before.
pub(super) fn step_differing(state: &mut State, forward: bool) -> Vec<Effect> {
    state.changes.step_differing(forward, room(state.size));
    fill(state)
}

/// Lets a run be chosen: the one shown, or the older one it is compared with.
pub(super) fn pick(state: &mut State, since: bool) {
    let pick = RunPick::new(&state.changes, since);
    state.overlay = Some(Overlay::Runs(pick));
}

/// A run was chosen.
pub(super) fn picked(state: &mut State, pick: &RunPick) -> Vec<Effect> {
    let Some((chosen, _)) = pick.entries.get(pick.marked) else {
        return Vec::new();
    };
    if pick.since {
        state.changes.since = *chosen;
    } else {
        state.changes.to = *chosen;
        // A run is only ever compared with an older one.
        let since = state.changes.since.filter(|since| Some(*since) < *chosen);
        state.changes.since = since;
    }
    begin(state)
}

/// Opens what changed with the location under the cursor.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let Some(row) = state.changes.selected_row() else {
        return Vec::new();
    };
    let line = &row.line;
    let (from, to) = match (line.before, line.now) {
        (Some(before), Some(now)) if before != now => (Some(before), Some(now)),
        // Nothing was there before the first version.
        (None, Some(1)) => (None, Some(1)),
        _ => return versions(state),
    };
    let request = DiffRequest {
        host: line.key.host,
        name: line.host.clone(),
        location: line.location.clone(),
        from,
        to,
    };
    diff::open_diff(state, request)
}

/// Where there are not two versions to compare: all versions there are, on the page of the host.
fn versions(state: &mut State) -> Vec<Effect> {
    let mut effects = page::open(state);
    effects.extend(page::section(state, Section::Versions));
    effects
}

/// The URL of the location under the cursor.
pub(super) fn url(state: &State) -> Option<Clean> {
    let row = state.changes.selected_row()?;
    let run = state.changes.span?.to;
    let run = state.changes.runs.iter().find(|known| known.id == run)?;
    let place = row.place.as_str();
    Some(Clean::new(format!("{}://{place}", run.start.scheme)))
}

#[cfg(test)]
mod tests;
