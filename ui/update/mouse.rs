//! Clicks and the wheel: they do what a key does, where they point.

use super::{act, changes, diff, hosts, keys, page};
use crate::action::Action;
use crate::input::{Mouse, MouseKind};
use crate::msg::Effect;
use crate::state::hosts::room;
use crate::state::live::{Focus, Sort};
use crate::state::page::Section;
use crate::state::{Overlay, Pane, State};
use crate::view::Hit;

/// Rows a turn of the wheel moves.
const WHEEL: isize = 3;

pub(super) fn moved(state: &mut State, mouse: Mouse) -> Vec<Effect> {
    let hit = state.hits.at(mouse.column, mouse.row);
    match mouse.kind {
        MouseKind::Up => wheel(state, hit, -WHEEL),
        MouseKind::Down => wheel(state, hit, WHEEL),
        MouseKind::Press => press(state, hit),
    }
}

fn wheel(state: &mut State, hit: Option<Hit>, by: isize) -> Vec<Effect> {
    if state.overlay.is_none() {
        match hit {
            Some(Hit::InFlight(_)) => state.shown_mut().focus_on(Focus::Table),
            Some(Hit::Log | Hit::LogLine(_)) => state.shown_mut().focus_on(Focus::Log),
            _ => {}
        }
    }
    act::step(state, by)
}

fn press(state: &mut State, hit: Option<Hit>) -> Vec<Effect> {
    if state.prompt.is_some() {
        return Vec::new();
    }
    match (hit, &mut state.overlay) {
        (Some(Hit::Choice(at)), Some(Overlay::Menu(menu))) => {
            menu.marked = at;
            return act::choose(state, Action::Choose);
        }
        (Some(Hit::Choice(at)), Some(Overlay::Runs(pick))) => {
            pick.marked = at;
            return act::choose(state, Action::Choose);
        }
        (Some(Hit::Choice(at)), Some(Overlay::Palette(palette))) => {
            palette.marked = at;
            return act::choose(state, Action::Choose);
        }
        (Some(Hit::Choice(at)), Some(Overlay::Pick(pick))) => {
            pick.marked = at;
            return act::choose(state, Action::Choose);
        }
        // An answer is marked by a click and taken by Enter: no click alone does what cannot be undone.
        (Some(Hit::Choice(at)), Some(Overlay::Question(question))) => question.marked = at,
        (_, Some(_)) => {}
        (Some(Hit::Pane(pane)), None) => {
            let action = match pane {
                Pane::Live => Action::ShowLive,
                Pane::Hosts => Action::ShowHosts,
                Pane::Changes => Action::ShowChanges,
                Pane::Runs => Action::ShowRuns,
            };
            return keys::take(state, action);
        }
        (Some(Hit::Action(action)), None) => return keys::take(state, action),
        (Some(Hit::InFlight(row)), None) => {
            let live = state.shown_mut();
            live.focus_on(Focus::Table);
            let again = live.selected == live.order.get(row).copied();
            live.selected = live.order.get(row).copied().or(live.selected);
            if again {
                return keys::take(state, Action::Open);
            }
        }
        (Some(Hit::LiveHeader(sort)), None) => sorted(state, sort),
        (Some(Hit::Host(row)), None) => {
            let before = state.hosts.selected;
            state.hosts.put(row, room(state.size));
            if state.hosts.selected == before {
                return keys::take(state, Action::Open);
            }
        }
        (Some(Hit::Run(at)), None) => {
            let again = at == state.runs.at;
            state.runs.put(at, state.size);
            if again {
                return keys::take(state, Action::Open);
            }
        }
        (Some(Hit::Change(at)), None) => {
            let again = state.changes.at == at;
            state.changes.put(at, room(state.size));
            if again {
                return keys::take(state, Action::Open);
            }
            return changes::fill(state);
        }
        (Some(Hit::HostsHeader(sort)), None) => {
            let descending = state.hosts.sort == sort && !state.hosts.descending;
            return hosts::sort(state, sort, descending);
        }
        (Some(Hit::Section(section)), None) => return page::section(state, section),
        (Some(Hit::PageRow(at)), None) => {
            let again = state
                .page
                .as_ref()
                .is_some_and(|page| page.section == Section::Requests && page.place().at == at);
            if again {
                return keys::take(state, Action::Open);
            }
            return page::point(state, at);
        }
        (Some(Hit::DiffRow(at)), None) => return diff::point(state, at),
        (Some(Hit::Log), None) => state.shown_mut().focus_on(Focus::Log),
        (Some(Hit::LogLine(up)), None) => {
            let live = state.shown_mut();
            let again = live.focus == Focus::Log && live.log_up == up;
            live.focus_on(Focus::Log);
            live.pick(up);
            if again {
                return keys::take(state, Action::Open);
            }
        }
        (Some(Hit::Choice(_)) | None, None) => {}
    }
    Vec::new()
}

fn sorted(state: &mut State, sort: Sort) {
    let turned = state.live.sort == sort && !state.live.turned;
    act::sort_live(state, sort, turned);
}
