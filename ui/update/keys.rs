//! What a key means where it is pressed: an action of the registry, or a character of a line.

use super::{act, prompt};
use crate::action::{self, Action};
use crate::input::Key;
use crate::msg::Effect;
use crate::state::{Overlay, State};
use crate::text::Clean;

pub(super) fn pressed(state: &mut State, key: Key) -> Vec<Effect> {
    match state.keymap.find(state.stack(), key) {
        Some(action) => take(state, action),
        None => prompt::typed(state, key),
    }
}

/// Takes an action, or says why it cannot be taken now.
pub(super) fn take(state: &mut State, action: Action) -> Vec<Effect> {
    let on_pane = state.overlay.is_none() && state.prompt.is_none();
    if on_pane && let Some(refusal) = action::refusal(action, state) {
        state.tell(Clean::new(refusal), false);
        return Vec::new();
    }
    if matches!(action, Action::Interrupt | Action::Suspend | Action::Redraw) {
        return act::act(state, action);
    }
    if state.prompt.is_some() {
        return prompt::act(state, action);
    }
    match &state.overlay {
        None => act::act(state, action),
        Some(
            Overlay::Help { .. }
            | Overlay::Notices { .. }
            | Overlay::Alarms { .. }
            | Overlay::Details(_),
        ) => act::read(state, action),
        Some(
            Overlay::Palette(_)
            | Overlay::Menu(_)
            | Overlay::Question(_)
            | Overlay::Pick(_)
            | Overlay::Runs(_),
        ) => act::choose(state, action),
    }
}
