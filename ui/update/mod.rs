//! The reducer: state and a message to effects. No input, no output, no clock of its own.

mod keys;

use engine::crawl::RunState;

use crate::engine;
use crate::msg::{Effect, Msg};
use crate::state::live::Live;
use crate::state::question::About;
use crate::state::{Overlay, State};
use crate::text::Clean;

/// Applies one message.
pub(crate) fn update(state: &mut State, msg: Msg) -> Vec<Effect> {
    state.dirty = true;
    match msg {
        Msg::Started(overrides) => started(state, overrides),
        Msg::Update(update) => {
            state.now = update.now.or(state.now);
            state.live.apply(*update);
        }
        Msg::Ended(sentence) => state.toast(sentence, false),
        Msg::Failed(sentence) => {
            state.live.notice = Some(sentence);
            state.all_done = true;
            return leave_if_wished(state);
        }
        Msg::AllDone => {
            state.all_done = true;
            return leave_if_wished(state);
        }
        Msg::Key(key) => return keys::pressed(state, key),
        Msg::Size(columns, rows) => state.size = (columns, rows),
        Msg::Clock(now) => {
            if let Some(now) = now {
                state.now = Some(now);
                state.live.rates.roll(now);
            }
            if let Some(toast) = &mut state.toast {
                toast.left = toast.left.saturating_sub(1);
            }
            state.toast.take_if(|toast| toast.left == 0);
        }
        Msg::Reach(id, entry, reach) => {
            if let Some(Overlay::Question(question)) = &mut state.overlay
                && question.id == id
                && let About::Suppress(scopes) = &mut question.about
                && let Some(scope) = scopes.iter_mut().find(|scope| scope.entry == entry)
            {
                scope.reach = Some(reach);
            }
        }
        Msg::Commanded(what, Ok(())) => state.toast(Clean::new(format!("{what}: reached")), false),
        Msg::Commanded(what, Err(problem)) => {
            state.toast(Clean::new(format!("{what}: {problem}")), true);
        }
        Msg::Draining => {
            state.leaving = true;
            return leave_if_wished(state);
        }
        Msg::Resumed => state.toast(Clean::new("went on after a suspension"), false),
    }
    Vec::new()
}

/// A new run: the pane begins anew, the operator's choices stay.
fn started(state: &mut State, overrides: Vec<Clean>) {
    state.connected = true;
    state.live = Live {
        overrides,
        sort: state.live.sort,
        focus: state.live.focus,
        log: std::mem::take(&mut state.live.log),
        ..Live::default()
    };
}

/// Whether a run is under way.
fn under_way(state: &State) -> bool {
    let ended = matches!(
        state.live.run_state,
        Some(RunState::Finished | RunState::Stopped)
    );
    state.connected && !state.all_done && !ended
}

fn leave_if_wished(state: &State) -> Vec<Effect> {
    if state.leaving && state.all_done {
        vec![Effect::Leave]
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
