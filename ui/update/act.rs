//! What each action does.

use engine::crawl::RunState;
use engine::suppress::Entry;

use super::{changes, diff, hosts, keys, page, prompt, runs, under_way};
use crate::action::Action;
use crate::engine;
use crate::jobs::diff::{Look, Where};
use crate::msg::{Effect, Wanted};
use crate::state::details::Details;
use crate::state::hosts::SORTS;
use crate::state::live::{Focus, Sort};
use crate::state::menu::{self, Menu};
use crate::state::page::{HostPage, Section};
use crate::state::palette::{self, Palette};
use crate::state::prompt::{Filtered, Purpose};
use crate::state::question::{About, Question, Scope};
use crate::state::undo::Step;
use crate::state::{Offline, Overlay, Pane, State};
use crate::text::Clean;

/// Rows in a page, for paging keys.
const PAGE: isize = 10;
/// Lines of one notice or alarm at most, for scrolling.
const LINES: usize = 12;

/// Takes an action on the pane itself.
pub(super) fn act(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Down
        | Action::Up
        | Action::First
        | Action::Last
        | Action::PageDown
        | Action::PageUp => return step(state, distance(state, action)),
        Action::ShowLive => {
            state.pane = Pane::Live;
            state.page = None;
            state.diff = None;
        }
        Action::Back if state.diff.is_some() => return diff::back(state),
        Action::Filter if state.diff.is_some() => prompt::open(state, Purpose::Find),
        Action::Older | Action::Newer if state.diff.is_some() => {
            return diff::along(state, action == Action::Newer);
        }
        Action::Retry if state.diff.is_some() => return diff::ask(state),
        Action::Copy if state.diff.is_some() => return diff::copy(state),
        Action::NextPlace | Action::PreviousPlace => {
            return diff::place(state, action == Action::NextPlace);
        }
        Action::NextChange | Action::PreviousChange => {
            return diff::change(state, action == Action::NextChange);
        }
        Action::MoreContext => return diff::widen(state, 1),
        Action::LessContext => return diff::widen(state, -1),
        Action::Beside => return diff::beside(state),
        Action::Wrap => return diff::wrap(state),
        Action::Left => return diff::shift(state, -1),
        Action::Right => return diff::shift(state, 1),
        Action::Raw => return diff::raw(state),
        Action::Laid => return diff::look(state, Look::Laid),
        Action::Bytes => return diff::look(state, Look::Bytes),
        Action::PickOld => return diff::pick(state, Where::Old),
        Action::PickNew => return diff::pick(state, Where::New),
        Action::Cite => return diff::cite(state),
        Action::Save => prompt::open(state, Purpose::Save),
        Action::Open if on_versions(state) => return diff::open(state),
        Action::Open if state.page.is_some() => return page::evidence(state),
        Action::Open if state.pane == Pane::Runs => return act(state, Action::Details),
        Action::Open if state.pane == Pane::Changes => return changes::open(state),
        Action::Open => return page::open(state),
        Action::ShowChanges => return changes::show(state),
        Action::ShowRuns => return runs::show(state),
        Action::Mark => runs::mark(state),
        Action::RunChanges => return runs::changed(state),
        Action::NextDiffering => return changes::step_differing(state, true),
        Action::PreviousDiffering => return changes::step_differing(state, false),
        Action::PickRun => changes::pick(state, false),
        Action::PickSince => changes::pick(state, true),
        Action::Back => return page::back(state),
        Action::TryPath => {
            if let Some(page) = &mut state.page {
                page.note();
            }
            let effects = page::section(state, Section::Robots);
            prompt::open(state, Purpose::TryPath);
            return effects;
        }
        Action::Older => return page::other_fetch(state, 1),
        Action::Newer => return page::other_fetch(state, -1),
        Action::StepBack => return page::step_in_time(state, 1),
        Action::StepForward => return page::step_in_time(state, -1),
        Action::Section if state.page.is_some() => return page::turn(state, 1),
        Action::SectionBack if state.page.is_some() => return page::turn(state, -1),
        Action::Retry if state.page.is_some() => return page::again(state),
        Action::ShowHosts => return hosts::show(state),
        Action::Retry if state.pane == Pane::Runs => return runs::ask(state),
        Action::Retry if state.pane == Pane::Changes => return changes::ask(state),
        Action::Retry => return hosts::ask_order(state),
        Action::Columns => {
            state.overlay = Some(Overlay::Menu(Menu {
                about: menu::About::Columns,
                marked: 0,
            }));
        }
        Action::Start => {
            state.offline = Some(Offline::Asked);
            state.pane = Pane::Live;
            return vec![Effect::Start];
        }
        Action::Pause => return pause(state),
        Action::Hold => return hold(state),
        Action::Suppress => return ask_suppress(state),
        Action::Filter => prompt::open(state, Purpose::Filter(filtered(state))),
        Action::Clear => {
            let list = filtered(state);
            let before = prompt::filter(state, list).to_owned();
            if !before.is_empty() {
                state.undo.keep(Step::Filter(list, before));
                return prompt::set_filter(state, list, "");
            }
        }
        Action::Sort if state.pane == Pane::Hosts => {
            let sort = state.hosts.sort;
            let at = SORTS.iter().position(|(known, _)| *known == sort);
            state.overlay = Some(Overlay::Menu(Menu {
                about: menu::About::SortHosts,
                marked: at.unwrap_or(0),
            }));
        }
        Action::Turn if state.pane == Pane::Hosts => {
            return hosts::sort(state, state.hosts.sort, !state.hosts.descending);
        }
        Action::Sort => {
            let at = Sort::ALL.iter().position(|sort| *sort == state.live.sort);
            state.overlay = Some(Overlay::Menu(Menu {
                about: menu::About::SortLive,
                marked: at.unwrap_or(0),
            }));
        }
        Action::Turn => sort_live(state, state.live.sort, !state.live.turned),
        Action::Section | Action::SectionBack => {
            let live = state.shown_mut();
            live.focus_on(match live.focus {
                Focus::Table => Focus::Log,
                Focus::Log => Focus::Table,
            });
        }
        Action::Freeze => freeze(state),
        Action::Copy => {
            if let Some(url) = state.page.as_ref().and_then(HostPage::url) {
                return vec![Effect::Copy(url)];
            }
            if state.page.is_none() && state.pane == Pane::Changes {
                return changes::url(state).into_iter().map(Effect::Copy).collect();
            }
            if let Some(url) = live_url(state) {
                return vec![Effect::Copy(url)];
            }
            if let Some(host) = state.host() {
                return vec![Effect::Copy(Clean::new(host.as_str()))];
            }
        }
        Action::Undo => return undo(state),
        Action::Details => {
            if let Some(details) = Details::of(state) {
                state.overlay = Some(Overlay::Details(details));
            }
        }
        Action::Alarms => state.overlay = Some(Overlay::Alarms { top: 0 }),
        Action::Notices => state.overlay = Some(Overlay::Notices { top: 0 }),
        Action::Theme => return vec![Effect::NextTheme],
        Action::Mouse => {
            state.mouse = !state.mouse;
            let words = if state.mouse {
                "the mouse works here; hold Shift to select as your terminal does"
            } else {
                "the mouse is your terminal's; M takes it back"
            };
            state.tell(Clean::new(words), false);
            return vec![Effect::Mouse(state.mouse)];
        }
        Action::Palette => state.overlay = Some(Overlay::Palette(Palette::default())),
        Action::Help => {
            state.overlay = Some(Overlay::Help {
                top: 0,
                search: String::new(),
            });
        }
        Action::Quit if state.diff.is_some() => return diff::back(state),
        Action::Quit if state.page.is_some() => return page::leave(state),
        Action::Quit if under_way(state) => {
            ask(state, About::Quit);
        }
        Action::Quit if state.offline.is_some() => return vec![Effect::Drain, Effect::Leave],
        Action::Quit => return vec![Effect::Leave],
        Action::Interrupt => {
            state.leaving = true;
            if state.all_done {
                return vec![Effect::Leave];
            }
            if state.offline.is_some() {
                return vec![Effect::Drain, Effect::Leave];
            }
            state.tell(
                Clean::new("finishing what is under way; Ctrl-C again quits at once"),
                false,
            );
            return vec![Effect::Interrupt];
        }
        Action::Suspend => return vec![Effect::Suspend],
        Action::Redraw => return vec![Effect::Redraw],
        Action::Close | Action::Next | Action::Previous | Action::Choose | Action::Complete => {}
    }
    Vec::new()
}

/// Takes an action in a text that is read: the help, the notices.
pub(super) fn read(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        // One step back: from what was found to the whole help, from there to the pane.
        Action::Close
            if let Some(Overlay::Help { top, search }) = &mut state.overlay
                && !search.is_empty() =>
        {
            search.clear();
            *top = 0;
        }
        Action::Close => state.overlay = None,
        Action::Filter => {
            if matches!(state.overlay, Some(Overlay::Help { .. })) {
                prompt::open(state, Purpose::Search);
            }
        }
        _ => return step(state, distance(state, action)),
    }
    Vec::new()
}

/// Takes an action in a list of choices.
pub(super) fn choose(state: &mut State, action: Action) -> Vec<Effect> {
    match action {
        Action::Next => return step(state, 1),
        Action::Previous => return step(state, -1),
        Action::Close => state.overlay = None,
        Action::Choose => return chosen(state),
        _ => {}
    }
    Vec::new()
}

/// How far a key of movement goes.
fn distance(state: &State, action: Action) -> isize {
    let page = match state.overlay {
        Some(_) => PAGE,
        None => diff::room(state).or(page::room(state)).unwrap_or(PAGE),
    };
    match action {
        Action::Down => 1,
        Action::Up => -1,
        Action::PageDown => page,
        Action::PageUp => -page,
        Action::First => isize::MIN + 1,
        Action::Last => isize::MAX,
        _ => 0,
    }
}

/// Moves by so many rows in whatever is in front.
pub(super) fn step(state: &mut State, by: isize) -> Vec<Effect> {
    let found = match &state.overlay {
        Some(Overlay::Palette(palette)) => palette::entries(state, palette.line.text()).len(),
        Some(Overlay::Menu(menu)) => menu.entries().len(),
        Some(Overlay::Question(question)) => question.answers().len(),
        Some(Overlay::Pick(pick)) => pick.entries.len(),
        Some(Overlay::Runs(pick)) => pick.entries.len(),
        _ => 0,
    };
    let round = |marked: usize| {
        let count = found.max(1);
        let by = by.clamp(-1_000, 1_000).rem_euclid(count as isize);
        (marked + by.unsigned_abs()) % count
    };
    let most = match &state.overlay {
        Some(Overlay::Help { .. }) => 4 * crate::action::ACTIONS.len(),
        // As many lines as each may take on the narrowest screen.
        Some(Overlay::Notices { .. }) => LINES * state.notices.len(),
        Some(Overlay::Alarms { .. }) => LINES * state.alarms().len(),
        Some(Overlay::Details(details)) => details.lines(state.size.0).saturating_sub(1),
        _ => 0,
    };
    match &mut state.overlay {
        Some(
            Overlay::Help { top, .. }
            | Overlay::Notices { top }
            | Overlay::Alarms { top }
            | Overlay::Details(Details { top, .. }),
        ) => {
            *top = top.saturating_add_signed(by).min(most);
        }
        Some(Overlay::Palette(palette)) => palette.marked = round(palette.marked),
        Some(Overlay::Menu(menu)) => menu.marked = round(menu.marked),
        Some(Overlay::Question(question)) => question.marked = round(question.marked),
        Some(Overlay::Pick(pick)) => pick.marked = round(pick.marked),
        None if state.diff.is_some() => return diff::step(state, by),
        Some(Overlay::Runs(pick)) => pick.marked = round(pick.marked),
        None if state.page.is_some() => return page::step(state, by),
        None if state.pane == Pane::Hosts => return hosts::step(state, by),
        None if state.pane == Pane::Changes => return changes::step(state, by),
        None if state.pane == Pane::Runs => state.runs.step(by, state.size),
        None => state.shown_mut().step(by),
    }
    Vec::new()
}

/// The address of the selected line of the log; without the scheme where that is not known.
fn live_url(state: &State) -> Option<Clean> {
    let line = &state
        .shown()
        .picked()
        .filter(|_| state.pane == Pane::Live)?
        .line;
    let scheme = if state.live.loopback { "" } else { "https://" };
    Some(Clean::new(format!("{scheme}{}{}", line.host, line.path)))
}

fn on_versions(state: &State) -> bool {
    let page = state.page.as_ref();
    page.is_some_and(|page| page.section == Section::Versions)
}

/// The list that the filter key means.
fn filtered(state: &State) -> Filtered {
    match (state.pane, state.shown().focus) {
        (Pane::Hosts | Pane::Runs, _) => Filtered::Hosts,
        (Pane::Changes, _) => Filtered::Changes,
        (Pane::Live, Focus::Table) => Filtered::InFlight,
        (Pane::Live, Focus::Log) => Filtered::Log,
    }
}

/// Sorts the hosts in flight, and keeps the way back.
pub(super) fn sort_live(state: &mut State, sort: Sort, turned: bool) {
    state
        .undo
        .keep(Step::SortLive(state.live.sort, state.live.turned));
    order_live(state, sort, turned);
}

fn order_live(state: &mut State, sort: Sort, turned: bool) {
    for live in [Some(&mut state.live), state.frozen.as_deref_mut()]
        .into_iter()
        .flatten()
    {
        live.sort = sort;
        live.turned = turned;
        live.resort();
    }
}

fn freeze(state: &mut State) {
    match state.frozen.take() {
        None => state.frozen = Some(Box::new(state.live.clone())),
        Some(stood) => {
            // The eye stays where it was.
            state.live.look_as(*stood);
            state.live.keep_cursor();
        }
    }
}

fn undo(state: &mut State) -> Vec<Effect> {
    match state.undo.take() {
        None => Vec::new(),
        Some(Step::Filter(list, text)) => prompt::set_filter(state, list, &text),
        Some(Step::SortLive(sort, turned)) => {
            order_live(state, sort, turned);
            Vec::new()
        }
        Some(Step::SortHosts(sort, descending)) => hosts::order(state, sort, descending),
        Some(Step::Columns(columns)) => {
            state.hosts.columns = columns;
            Vec::new()
        }
        Some(Step::Held(entry)) => vec![command("release", Wanted::Release, entry)],
        Some(Step::Released(entry)) => vec![command("hold", Wanted::Hold, entry)],
        Some(Step::Suppressed(entry)) => {
            let way =
                format!("no key takes a suppression back: lamplighter suppress remove {entry}");
            state.tell(Clean::new(way), true);
            Vec::new()
        }
    }
}

fn pause(state: &State) -> Vec<Effect> {
    let standing = match state.beside.around {
        Some(around) if state.offline.is_some() => around.paused,
        _ => matches!(
            state.live.run_state,
            Some(RunState::Paused | RunState::Pausing)
        ),
    };
    let (what, wanted) = if standing {
        ("resume", Wanted::Resume)
    } else {
        ("pause", Wanted::Pause)
    };
    vec![Effect::Command(Clean::new(what), wanted)]
}

fn command(what: &str, wanted: fn(Entry) -> Wanted, entry: Entry) -> Effect {
    Effect::Command(Clean::new(format!("{what} {entry}")), wanted(entry))
}

fn hold(state: &mut State) -> Vec<Effect> {
    let Some(host) = state.host().cloned() else {
        return Vec::new();
    };
    let domain = Entry::Domain(host.site().as_str().to_owned());
    if !state.is_held() {
        state.undo.keep(Step::Held(domain.clone()));
        return vec![command("hold", Wanted::Hold, domain)];
    }
    // It may be held by itself or with its whole domain.
    let alone = Entry::Host(host);
    state.undo.keep(Step::Released(domain.clone()));
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
    let Some(host) = state.host().cloned() else {
        return Vec::new();
    };
    let domain = Entry::Domain(host.site().as_str().to_owned());
    let host = Entry::Host(host);
    let scopes = [Scope::new(host.clone()), Scope::new(domain.clone())];
    let about = About::Suppress(Box::new(scopes));
    let id = ask(state, about);
    vec![Effect::Reach(id, host), Effect::Reach(id, domain)]
}

fn chosen(state: &mut State) -> Vec<Effect> {
    match state.overlay.take() {
        Some(Overlay::Question(question)) => answered(state, question),
        Some(Overlay::Menu(menu)) => picked(state, menu),
        Some(Overlay::Pick(pick)) => diff::picked(state, pick),
        Some(Overlay::Runs(pick)) => changes::picked(state, &pick),
        Some(Overlay::Palette(palette)) => {
            let entries = palette::entries(state, palette.line.text());
            let action = entries.get(palette.marked).map(|entry| entry.spec.action);
            action.map_or_else(Vec::new, |action| keys::take(state, action))
        }
        other => {
            state.overlay = other;
            Vec::new()
        }
    }
}

fn picked(state: &mut State, menu: Menu) -> Vec<Effect> {
    match menu.about {
        menu::About::SortLive => {
            if let Some(sort) = Sort::ALL.get(menu.marked) {
                sort_live(state, *sort, false);
            }
        }
        menu::About::SortHosts => {
            if let Some((sort, _)) = SORTS.get(menu.marked) {
                return hosts::sort(state, *sort, false);
            }
        }
        menu::About::Columns => {
            hosts::toggle(state, menu.marked);
            // Several may be wanted.
            state.overlay = Some(Overlay::Menu(menu));
        }
    }
    Vec::new()
}

fn answered(state: &mut State, question: Question) -> Vec<Effect> {
    match (question.about, question.marked) {
        (_, 0) => Vec::new(),
        (About::Suppress(scopes), marked) => {
            let [host, domain] = *scopes;
            let scope = if marked == 1 { host } else { domain };
            state.undo.keep(Step::Suppressed(scope.entry.clone()));
            vec![command("suppress", Wanted::Suppress, scope.entry)]
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
