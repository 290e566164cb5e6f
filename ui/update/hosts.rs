//! The Hosts pane: what is read for it, and what is done with the answers.

use std::sync::Arc;

use engine::store::HostSort;
use jiff::Timestamp;

use crate::engine;
use crate::filter::rows::state_word;
use crate::jobs::{Answer, Flights, Question, What};
use crate::msg::Effect;
use crate::state::alarms::{Around, Audited};
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
/// The same of the order, and of that of a list so large that reading it takes a while.
const REORDER: u64 = 40;
const REORDER_LARGE: u64 = 400;
const LARGE: usize = 100_000;

/// Goes to the pane; its order is read if that has not been done.
pub(super) fn show(state: &mut State) -> Vec<Effect> {
    state.pane = Pane::Hosts;
    state.page = None;
    state.diff = None;
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
    let effects = ask_order_quietly(state);
    if !effects.is_empty() {
        state.hosts.load = Load::Loading;
    }
    effects
}

/// The same without a word on the screen: what is there is not wrong, only older.
fn ask_order_quietly(state: &mut State) -> Vec<Effect> {
    let what = What::Order {
        filter: state.hosts.filter.filter.clone(),
        sort: state.hosts.sort,
        descending: state.hosts.descending,
        flights: flights(state),
    };
    let Some(question) = question(state, what) else {
        return Vec::new();
    };
    state.hosts.order_asked = question.number;
    vec![Effect::Ask(question)]
}

/// The states of the hosts in flight, for a filter that asks for any.
fn flights(state: &State) -> Flights {
    if state.hosts.filter.filter.is_all() || !super::under_way(state) {
        return Flights::default();
    }
    let rows = state.live.rows.iter();
    let words = rows.map(|(id, row)| (*id, state_word(&row.visit.state)));
    Arc::new(words.collect())
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
            // What another filter keeps is looked at from its top; else the screen shows what it showed
            // until there is as much of the new order.
            let other = std::mem::take(&mut state.hosts.refiltered) && !ids.is_empty();
            if !other && matches!(state.hosts.load, Load::Ready(_)) {
                return Vec::new();
            }
            if other && state.hosts.selected.is_none_or(|id| !ids.contains(&id)) {
                (state.hosts.at, state.hosts.selected) = (0, None);
            }
            if other || state.hosts.order.is_empty() || state.hosts.at < ids.len() {
                state.hosts.take_order(ids, room);
                state.hosts.load = Load::Partly;
            }
        }
        Ok(Answer::Order(ids)) => {
            state.hosts.refiltered = false;
            state.hosts.take_order(ids, room);
            state.hosts.load = Load::Ready(state.now.unwrap_or(Timestamp::UNIX_EPOCH));
            return ask_rows(state);
        }
        Ok(Answer::Rows(lines)) => {
            state.hosts.take_rows(lines);
            if let (Load::Ready(at), Some(now)) = (&mut state.hosts.load, state.now) {
                *at = now;
            }
            return Vec::new();
        }
        Ok(
            Answer::Around(_)
            | Answer::Audited(_)
            | Answer::Page(_)
            | Answer::Robots(_)
            | Answer::Requests(_)
            | Answer::Diff(_)
            | Answer::ChangesBegun(_)
            | Answer::Changes(_)
            | Answer::Runs(_)
            | Answer::ChangeRows(..),
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

/// What another terminal did, told once.
fn others(state: &mut State, before: Option<Around>, now: Around) -> Vec<Effect> {
    let Some(before) = before.filter(|_| state.offline.is_some()) else {
        return Vec::new();
    };
    let words = match (before.engine, now.engine) {
        (false, true) => "a run has begun in another terminal",
        (true, false) => "the run of the other terminal has ended",
        _ if before.paused == now.paused => return Vec::new(),
        (true, true) if now.paused => "a pause of the run in another terminal was asked for",
        (true, true) => "the run in another terminal was asked to go on",
        (false, false) if now.paused => "a pause was asked for: it holds for the next run",
        (false, false) => "the pause was taken back",
    };
    state.tell(Clean::new(words), false);
    if before.engine == now.engine {
        return Vec::new();
    }
    refresh(state)
}

/// Takes what alarms are told from, whenever it was asked.
pub(super) fn beside(state: &mut State, answer: Answer) -> Vec<Effect> {
    match answer {
        Answer::Around(around) => {
            let before = state.beside.around.replace(around);
            return others(state, before, around);
        }
        Answer::Audited(audited) => {
            state.beside.auditing = false;
            state.beside.audited = audited;
            let sentence = state.beside.audited.as_ref().map(Audited::sentence);
            if let Some(sentence) = sentence {
                state.tell(Clean::new(sentence), state.beside.is_breached());
            }
        }
        _ => {}
    }
    Vec::new()
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
    let moves = super::under_way(state) || state.elsewhere();
    let large = state.hosts.order.len() > LARGE;
    let reorder = if large { REORDER_LARGE } else { REORDER };
    if seen && moves && state.ticks.is_multiple_of(reorder) && is_ready(state) {
        asked.extend(ask_order_quietly(state));
    } else if seen && due && moves {
        asked.extend(ask_rows(state));
    }
    asked
}

fn is_ready(state: &State) -> bool {
    matches!(state.hosts.load, Load::Ready(_))
}

/// A run has begun or ended: what the list shows is read anew, if it was read.
pub(super) fn refresh(state: &mut State) -> Vec<Effect> {
    if is_ready(state) {
        return ask_order_quietly(state);
    }
    Vec::new()
}

/// Looks at what stands around the store.
pub(super) fn ask_around(state: &mut State) -> Option<Effect> {
    question(state, What::Around).map(Effect::Ask)
}

/// Whether a question of this number is that about the audit.
pub(super) fn is_audit(state: &State, number: u64) -> bool {
    state.beside.auditing && state.beside.audit_asked == number
}

/// A run has ended: whether it kept its promises is looked at.
pub(super) fn audit(state: &mut State) -> Vec<Effect> {
    let label = state.live.run.as_str().to_owned();
    if label.is_empty() {
        return Vec::new();
    }
    let asked = question(state, What::Audit(label));
    state.beside.auditing = asked.is_some();
    state.beside.audit_asked = state.asked;
    state.beside.audited = None;
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
