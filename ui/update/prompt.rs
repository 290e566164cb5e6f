//! A line being written: what is typed counts at once, Esc goes back to what stood before.

use engine::store::HostId;

use super::{changes, diff, hosts, page};
use crate::action::Action;
use crate::engine;
use crate::filter::{self, FilterError};
use crate::input::Key;
use crate::msg::Effect;
use crate::state::line::Line;
use crate::state::page::robots::Robots;
use crate::state::prompt::{Filtered, Prompt, Purpose};
use crate::state::undo::Step;
use crate::state::{Overlay, State};
use crate::text::Clean;

/// Opens a line.
pub(super) fn open(state: &mut State, purpose: Purpose) {
    let robots = state.page.as_ref().map(|page| &page.robots);
    let tried = robots.map(Robots::tried);
    let text = match purpose {
        // A new path is written from its start; the one tried before is offered.
        Purpose::TryPath => String::new(),
        Purpose::Search => match &state.overlay {
            Some(Overlay::Help { search, .. }) => search.clone(),
            _ => String::new(),
        },
        Purpose::Find => {
            let diff = state.diff.as_ref();
            diff.map_or_else(String::new, |diff| diff.search.clone())
        }
        Purpose::Save => diff::file(state),
        Purpose::Filter(list) => filter(state, list).to_owned(),
    };
    let mut prompt = Prompt::new(purpose, &text);
    prompt.stood = (state.shown().selected, state.hosts.selected);
    if purpose == Purpose::TryPath {
        prompt.offered = tried;
        prompt.offer();
    }
    state.prompt = Some(prompt);
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
        Action::Choose if prompt.wrong.is_some() => {
            // What makes no sense is mended or left, not taken.
            state.prompt = Some(prompt);
            Vec::new()
        }
        Action::Choose if prompt.purpose == Purpose::TryPath && prompt.line.text().is_empty() => {
            page::back(state)
        }
        Action::Choose => taken(state, prompt),
        Action::Close if prompt.purpose == Purpose::TryPath => page::back(state),
        Action::Close => {
            let effects = apply(state, prompt.purpose, &prompt.before);
            stand(state, prompt.stood);
            effects
        }
        Action::Complete => {
            let purpose = prompt.purpose;
            state.prompt = Some(prompt);
            match purpose {
                Purpose::Filter(list) => complete(state, list),
                Purpose::TryPath => take_offer(state),
                Purpose::Search | Purpose::Find | Purpose::Save => Vec::new(),
            }
        }
        _ => {
            state.prompt = Some(prompt);
            Vec::new()
        }
    }
}

/// The cursors go back to where they stood: what is done next is done to the host chosen before.
fn stand(state: &mut State, (live, hosts): (Option<HostId>, Option<HostId>)) {
    state.shown_mut().selected = live;
    state.shown_mut().keep_cursor();
    state.hosts.selected = hosts;
    state.hosts.refiltered = false;
}

fn taken(state: &mut State, prompt: Prompt) -> Vec<Effect> {
    if prompt.purpose == Purpose::TryPath
        && let Some(page) = &mut state.page
    {
        page.tried();
    }
    if let Purpose::Filter(list) = prompt.purpose
        && prompt.before != prompt.line.text()
    {
        state.undo.keep(Step::Filter(list, prompt.before));
    }
    match prompt.purpose {
        Purpose::Find if !prompt.line.text().is_empty() => diff::place(state, true),
        Purpose::Save => diff::save(state, prompt.line.text()),
        _ => Vec::new(),
    }
}

/// What was written counts at once.
fn written(state: &mut State) -> Vec<Effect> {
    let Some(prompt) = &state.prompt else {
        return Vec::new();
    };
    let (purpose, text) = (prompt.purpose, prompt.line.text().to_owned());
    apply(state, purpose, &text)
}

/// The path tried before, to be written on.
fn take_offer(state: &mut State) -> Vec<Effect> {
    let Some(prompt) = &mut state.prompt else {
        return Vec::new();
    };
    match &prompt.offered {
        Some(offered) if prompt.line.text().is_empty() => {
            prompt.line = Line::new(offered.clone());
            written(state)
        }
        _ => Vec::new(),
    }
}

/// Completes the word before the cursor as far as all ways to go on agree, or tells them.
fn complete(state: &mut State, list: Filtered) -> Vec<Effect> {
    let Some(prompt) = &mut state.prompt else {
        return Vec::new();
    };
    let text = prompt.line.text();
    let cursor = prompt.line.before().chars().count();
    let found = filter::complete::complete(text, cursor, list.schema());
    let Some(first) = found.first() else {
        return Vec::new();
    };
    let before = prompt.line.before().chars();
    let typed: String = before.clone().skip(first.from).collect();
    let alike = found.iter().filter(|found| found.from == first.from);
    let shared = alike.fold(first.insert.as_str(), |shared, other| {
        let same = shared.chars().zip(other.insert.chars());
        let length = same
            .take_while(|(a, b)| a == b)
            .map(|(char, _)| char.len_utf8())
            .sum();
        shared.get(..length).unwrap_or_default()
    });
    if shared.len() > typed.len() || found.len() == 1 {
        let mut start: String = before.take(first.from).collect();
        start.push_str(shared);
        let cursor = start.len();
        start.push_str(&text[prompt.line.before().len()..]);
        prompt.line.replace(start, cursor);
        return written(state);
    }
    let ways: Vec<&str> = found.iter().map(|found| found.insert.trim()).collect();
    prompt.hint = Some(Clean::new(ways.join("  ")));
    Vec::new()
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
        Purpose::Find => {
            diff::search(state, text);
            Vec::new()
        }
        Purpose::Save => Vec::new(),
        Purpose::Filter(list) => set_filter(state, list, text),
        Purpose::TryPath => {
            // With nothing written there is nothing wrong, and nothing to try.
            let wrong = page::wrong(text).filter(|_| !text.is_empty());
            let sound = wrong.is_none() && !text.is_empty();
            if let Some(prompt) = &mut state.prompt {
                prompt.wrong = wrong;
                prompt.offer();
            }
            if sound {
                page::try_path(state, text)
            } else {
                Vec::new()
            }
        }
    }
}

/// Puts a filter in force; one that makes no sense says so where it is written.
pub(super) fn set_filter(state: &mut State, list: Filtered, text: &str) -> Vec<Effect> {
    let schema = list.schema();
    let mut wrong = None;
    match list {
        Filtered::Hosts => {
            let before = state.hosts.filter.filter.clone();
            wrong = state.hosts.filter.write(text, schema).err();
            tell_wrong(state, wrong);
            if wrong_now(state) || state.hosts.filter.filter == before {
                return Vec::new();
            }
            state.hosts.refiltered = !state.hosts.filter.filter.is_all();
            return hosts::ask_order(state);
        }
        Filtered::Changes => {
            let before = state.changes.filter.filter.clone();
            wrong = state.changes.filter.write(text, schema).err();
            tell_wrong(state, wrong);
            if wrong_now(state) || state.changes.filter.filter == before {
                return Vec::new();
            }
            return changes::begin(state);
        }
        Filtered::InFlight | Filtered::Log => {
            for live in [Some(&mut state.live), state.frozen.as_deref_mut()]
                .into_iter()
                .flatten()
            {
                if list == Filtered::Log {
                    wrong = live.log_filter.write(text, schema).err();
                    live.pick(0);
                } else {
                    wrong = live.filter.write(text, schema).err();
                    live.resort();
                    live.keep_cursor();
                }
            }
        }
    }
    tell_wrong(state, wrong);
    Vec::new()
}

fn tell_wrong(state: &mut State, wrong: Option<FilterError>) {
    if let Some(prompt) = &mut state.prompt {
        prompt.hint = None;
        prompt.wrong = wrong.map(|error| {
            let text = format!("column {}: {error}", error.column);
            (error.column, Clean::new(text))
        });
    }
}

fn wrong_now(state: &State) -> bool {
    state
        .prompt
        .as_ref()
        .is_some_and(|prompt| prompt.wrong.is_some())
}

/// The filter in force, as written.
pub(super) fn filter(state: &State, list: Filtered) -> &str {
    match list {
        Filtered::InFlight => &state.live.filter.text,
        Filtered::Log => &state.live.log_filter.text,
        Filtered::Hosts => &state.hosts.filter.text,
        Filtered::Changes => &state.changes.filter.text,
    }
}
