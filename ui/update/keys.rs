//! What each key does.

use engine::crawl::{HostState, RunState};
use engine::suppress::Entry;

use super::under_way;
use crate::action::{self, Action};
use crate::engine;
use crate::keymap::Key;
use crate::msg::{Effect, Wanted};
use crate::state::live::{Focus, Sort};
use crate::state::question::{About, Question, Scope};
use crate::state::{Overlay, State};
use crate::text::Clean;

/// Rows in a page, for paging keys.
const PAGE: isize = 10;

pub(super) fn pressed(state: &mut State, key: Key) -> Vec<Effect> {
    let Some(spec) = action::find(action::context(state), key) else {
        return Vec::new();
    };
    if let Some(refusal) = action::refusal(spec.action, state) {
        state.toast(Clean::new(refusal), false);
        return Vec::new();
    }
    act(state, spec.action)
}

fn act(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Down => step(state, 1),
        Action::Up => step(state, -1),
        Action::First => step(state, isize::MIN + 1),
        Action::Last => step(state, isize::MAX),
        Action::PageDown => step(state, PAGE),
        Action::PageUp => step(state, -PAGE),
        Action::Pause => return pause(state),
        Action::Hold => return hold(state),
        Action::Suppress => return ask_suppress(state),
        Action::Sort => {
            state.live.sort = match state.live.sort {
                Sort::Next => Sort::Host,
                Sort::Host => Sort::Next,
            };
            state.live.resort();
        }
        Action::Focus => {
            state.live.focus = match state.live.focus {
                Focus::Table => Focus::Log,
                Focus::Log => Focus::Table,
            };
        }
        Action::Help => state.overlay = Some(Overlay::Help { top: 0 }),
        Action::Quit if under_way(state) => {
            ask(state, About::Quit);
        }
        Action::Quit => return vec![Effect::Leave],
        Action::Interrupt => {
            state.leaving = true;
            if state.all_done {
                return vec![Effect::Leave];
            }
            state.toast(
                Clean::new("finishing what is under way; Ctrl-C again quits at once"),
                false,
            );
            return vec![Effect::Interrupt];
        }
        Action::Suspend => return vec![Effect::Suspend],
        Action::Close => state.overlay = None,
        Action::Next => mark(state, 1),
        Action::Previous => mark(state, -1),
        Action::Choose => return choose(state),
    }
    Vec::new()
}

fn step(state: &mut State, by: isize) {
    match &mut state.overlay {
        Some(Overlay::Help { top }) => {
            let most = action::ACTIONS.len();
            *top = top.saturating_add_signed(by).min(most);
        }
        Some(Overlay::Question(_)) => {}
        None => state.live.step(by),
    }
}

fn pause(state: &State) -> Vec<Effect> {
    let standing = matches!(
        state.live.run_state,
        Some(RunState::Paused | RunState::Pausing)
    );
    let (what, wanted) = if standing {
        ("resume", Wanted::Resume)
    } else {
        ("pause", Wanted::Pause)
    };
    vec![Effect::Command(Clean::new(what), wanted)]
}

fn hold(state: &State) -> Vec<Effect> {
    let Some(row) = state.live.selected_row() else {
        return Vec::new();
    };
    let domain = Entry::Domain(row.visit.host.site().as_str().to_owned());
    let command = |what: &str, wanted: fn(Entry) -> Wanted, entry: Entry| {
        Effect::Command(Clean::new(format!("{what} {entry}")), wanted(entry))
    };
    if row.visit.state != HostState::Held {
        return vec![command("hold", Wanted::Hold, domain)];
    }
    // It may be held by itself or with its whole domain.
    let alone = Entry::Host(row.visit.host.clone());
    vec![
        command("release", Wanted::Release, domain),
        command("release", Wanted::Release, alone),
    ]
}

fn ask(state: &mut State, about: About) -> u64 {
    state.asked += 1;
    state.overlay = Some(Overlay::Question(Question {
        id: state.asked,
        about,
        marked: 0,
    }));
    state.asked
}

fn ask_suppress(state: &mut State) -> Vec<Effect> {
    let Some(row) = state.live.selected_row() else {
        return Vec::new();
    };
    let host = Entry::Host(row.visit.host.clone());
    let domain = Entry::Domain(row.visit.host.site().as_str().to_owned());
    let scopes = [Scope::new(host.clone()), Scope::new(domain.clone())];
    let about = About::Suppress(Box::new(scopes));
    let id = ask(state, about);
    vec![Effect::Reach(id, host), Effect::Reach(id, domain)]
}

fn mark(state: &mut State, by: isize) {
    if let Some(Overlay::Question(question)) = &mut state.overlay {
        let count = question.answers().len();
        question.marked = (question.marked + count).saturating_add_signed(by) % count;
    }
}

fn choose(state: &mut State) -> Vec<Effect> {
    let Some(Overlay::Question(question)) = state.overlay.take() else {
        return Vec::new();
    };
    match (question.about, question.marked) {
        (_, 0) => Vec::new(),
        (About::Suppress(scopes), marked) => {
            let [host, domain] = *scopes;
            let scope = if marked == 1 { host } else { domain };
            let what = Clean::new(format!("suppress {}", scope.entry));
            vec![Effect::Command(what, Wanted::Suppress(scope.entry))]
        }
        (About::Quit, _) => {
            state.leaving = true;
            if state.all_done {
                return vec![Effect::Leave];
            }
            vec![Effect::Drain]
        }
    }
}
