//! The Hosts pane: what is read for it, and what is done with the answers.

use engine::store::HostSort;
use jiff::Timestamp;

use crate::engine;
use crate::jobs::{Answer, Question, What};
use crate::msg::Effect;
use crate::state::hosts::{Load, room};
use crate::state::undo::Step;
use crate::state::{Pane, State};
use crate::text::Clean;

/// Clock ticks between two looks at the disk.
const LOOK: u64 = 120;
/// The same with no run of our own, when a run of another terminal may begin or end.
const LOOK_OFFLINE: u64 = 5;
/// Clock ticks between two readings of the rows on the screen while a run is under way.
const REREAD: u64 = 4;

/// Goes to the pane; its order is read if that has not been done.
pub(super) fn show(state: &mut State) -> Vec<Effect> {
    state.pane = Pane::Hosts;
    state.page = None;
    match state.hosts.load {
        Load::Not | Load::Failed(_) => ask_order(state),
        Load::Loading | Load::Partly | Load::Ready(_) => ask_rows(state),
    }
}

pub(super) fn question(state: &mut State, what: What) -> Option<Question> {
    let now = state.now?;
    state.asked += 1;
    Some(Question {
        number: state.asked,
        now,
        what,
    })
}

/// Reads the order anew; what is on the screen stays until the answer is here.
pub(super) fn ask_order(state: &mut State) -> Vec<Effect> {
    let what = What::Order {
        filter: state.hosts.filter.filter.clone(),
        sort: state.hosts.sort,
        descending: state.hosts.descending,
    };
    let Some(question) = question(state, what) else {
        return Vec::new();
    };
    state.hosts.order_asked = question.number;
    state.hosts.load = Load::Loading;
    vec![Effect::Ask(question)]
}

/// Reads the rows on the screen anew.
pub(super) fn ask_rows(state: &mut State) -> Vec<Effect> {
    let ids = state.hosts.window(room(state.size));
    if ids.is_empty() {
        return Vec::new();
    }
    let Some(question) = question(state, What::Rows(ids)) else {
        return Vec::new();
    };
    state.hosts.rows_asked = question.number;
    vec![Effect::Ask(question)]
}

/// Reads rows if one on the screen has not been read.
pub(super) fn fill(state: &mut State) -> Vec<Effect> {
    if state.hosts.lacks_rows(room(state.size)) {
        return ask_rows(state);
    }
    Vec::new()
}

/// Whether a question of this number is the newest about the order or the rows.
pub(super) fn asked(state: &State, number: u64) -> bool {
    number == state.hosts.order_asked || number == state.hosts.rows_asked
}

/// Takes an answer; one to an older question is dropped.
pub(super) fn read(state: &mut State, number: u64, answer: Result<Answer, Clean>) -> Vec<Effect> {
    let room = room(state.size);
    let about_order = number == state.hosts.order_asked;
    if !asked(state, number) {
        return Vec::new();
    }
    match answer {
        Ok(Answer::First(ids)) => {
            // The screen shows what it showed until there is as much of the new order.
            if state.hosts.order.is_empty() || state.hosts.at < ids.len() {
                state.hosts.take_order(ids, room);
                state.hosts.load = Load::Partly;
            }
        }
        Ok(Answer::Order(ids)) => {
            state.hosts.take_order(ids, room);
            state.hosts.load = Load::Ready(state.now.unwrap_or(Timestamp::UNIX_EPOCH));
        }
        Ok(Answer::Rows(lines)) => {
            state.hosts.take_rows(lines);
            return Vec::new();
        }
        Ok(
            Answer::Around(_)
            | Answer::Breaches(_)
            | Answer::Page(_)
            | Answer::Robots(_)
            | Answer::Requests(_),
        ) => return Vec::new(),
        Err(problem) if about_order => {
            state.hosts.load = Load::Failed(problem);
            return Vec::new();
        }
        Err(problem) => {
            state.tell(problem, true);
            return Vec::new();
        }
    }
    fill(state)
}

/// Takes what alarms are told from, whenever it was asked.
pub(super) fn beside(state: &mut State, answer: Answer) {
    match answer {
        Answer::Around(around) => state.beside.around = Some(around),
        Answer::Breaches(breaches) => {
            if !breaches.is_empty() {
                let text = "the audit of this run found broken promises: `lamplighter audit`";
                state.tell(Clean::new(text), true);
            }
            state.beside.breaches = breaches;
        }
        _ => {}
    }
}

/// While a run is under way the rows on the screen are read anew from time to time.
pub(super) fn tick(state: &mut State) -> Vec<Effect> {
    let mut asked = Vec::new();
    let every = if state.connected { LOOK } else { LOOK_OFFLINE };
    let known = state.connected || state.offline.is_some();
    if known && state.ticks % every == 1 {
        asked.extend(ask_around(state));
    }
    let due = state.ticks.is_multiple_of(REREAD);
    let seen = state.pane == Pane::Hosts && state.page.is_none();
    if seen && due && (super::under_way(state) || state.elsewhere()) {
        asked.extend(ask_rows(state));
    }
    asked
}

/// Looks at what stands around the store.
pub(super) fn ask_around(state: &mut State) -> Option<Effect> {
    question(state, What::Around).map(Effect::Ask)
}

/// A run has ended: whether it kept its promises is looked at.
pub(super) fn audit(state: &mut State) -> Vec<Effect> {
    let label = state.live.run.as_str().to_owned();
    let asked = question(state, What::Audit(label));
    asked.map(Effect::Ask).into_iter().collect()
}

/// Moves the cursor.
pub(super) fn step(state: &mut State, by: isize) -> Vec<Effect> {
    state.hosts.step(by, room(state.size));
    fill(state)
}

/// Sorts, and keeps the way back.
pub(super) fn sort(state: &mut State, sort: HostSort, descending: bool) -> Vec<Effect> {
    let before = Step::SortHosts(state.hosts.sort, state.hosts.descending);
    state.undo.keep(before);
    order(state, sort, descending)
}

pub(super) fn order(state: &mut State, sort: HostSort, descending: bool) -> Vec<Effect> {
    state.hosts.sort = sort;
    state.hosts.descending = descending;
    ask_order(state)
}

/// Shows a column, or hides it.
pub(super) fn toggle(state: &mut State, at: usize) {
    use crate::state::hosts::Column;
    let Some(column) = Column::ALL.get(at) else {
        return;
    };
    let before = state.hosts.columns.clone();
    state.undo.keep(Step::Columns(before.clone()));
    state.hosts.columns = Column::ALL
        .into_iter()
        .filter(|known| before.contains(known) != (known == column))
        .collect();
}
