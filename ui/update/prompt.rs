//! A line being written: what is typed counts at once, Esc goes back to what stood before.

use crate::action::Action;
use crate::input::Key;
use crate::msg::Effect;
use crate::state::prompt::{Filtered, Prompt, Purpose};
use crate::state::undo::Step;
use crate::state::{Overlay, State};

/// Opens a line.
pub(super) fn open(state: &mut State, purpose: Purpose) {
    let text = match purpose {
        Purpose::Search => match &state.overlay {
            Some(Overlay::Help { search, .. }) => search.clone(),
            _ => String::new(),
        },
        Purpose::Filter(list) => filter(state, list).clone(),
    };
    state.prompt = Some(Prompt::new(purpose, &text));
}

/// A key that is no action's.
pub(super) fn typed(state: &mut State, key: Key) -> Vec<Effect> {
    if let Some(prompt) = &mut state.prompt {
        if prompt.line.pressed(key) {
            return written(state);
        }
    } else if let Some(Overlay::Palette(palette)) = &mut state.overlay
        && palette.line.pressed(key)
    {
        palette.marked = 0;
    }
    Vec::new()
}

/// Text pasted into whatever line is open.
pub(super) fn pasted(state: &mut State, text: &str) -> Vec<Effect> {
    if let Some(prompt) = &mut state.prompt {
        prompt.line.insert(text);
        return written(state);
    }
    if let Some(Overlay::Palette(palette)) = &mut state.overlay {
        palette.line.insert(text);
        palette.marked = 0;
    }
    Vec::new()
}

/// Takes an action while a line is open.
pub(super) fn act(state: &mut State, action: Action) -> Vec<Effect> {
    let Some(prompt) = state.prompt.take() else {
        return Vec::new();
    };
    match action {
        Action::Choose => return taken(state, prompt),
        Action::Close => return apply(state, prompt.purpose, &prompt.before),
        _ => state.prompt = Some(prompt),
    }
    Vec::new()
}

fn taken(state: &mut State, prompt: Prompt) -> Vec<Effect> {
    if let Purpose::Filter(list) = prompt.purpose
        && prompt.before != prompt.line.text()
    {
        state.undo.keep(Step::Filter(list, prompt.before));
    }
    Vec::new()
}

/// What was written counts at once.
fn written(state: &mut State) -> Vec<Effect> {
    let Some(prompt) = &state.prompt else {
        return Vec::new();
    };
    let (purpose, text) = (prompt.purpose, prompt.line.text().to_owned());
    apply(state, purpose, &text)
}

fn apply(state: &mut State, purpose: Purpose, text: &str) -> Vec<Effect> {
    match purpose {
        Purpose::Search => {
            if let Some(Overlay::Help { top, search }) = &mut state.overlay {
                *top = 0;
                text.clone_into(search);
            }
            Vec::new()
        }
        Purpose::Filter(list) => set_filter(state, list, text),
    }
}

/// Puts a filter in force.
pub(super) fn set_filter(state: &mut State, list: Filtered, text: &str) -> Vec<Effect> {
    for live in [Some(&mut state.live), state.frozen.as_deref_mut()]
        .into_iter()
        .flatten()
    {
        match list {
            Filtered::InFlight => {
                text.clone_into(&mut live.filter);
                live.resort();
                live.keep_cursor();
            }
            Filtered::Log => {
                text.clone_into(&mut live.log_filter);
                live.log_up = 0;
            }
        }
    }
    Vec::new()
}

/// The filter in force.
pub(super) fn filter(state: &State, list: Filtered) -> &String {
    match list {
        Filtered::InFlight => &state.live.filter,
        Filtered::Log => &state.live.log_filter,
    }
}
