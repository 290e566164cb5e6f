//! The page of one host: opened, read, moved about in, left.

use engine::store::Leave;

use super::{hosts, under_way};
use crate::action::Action;
use crate::engine;
use crate::jobs::page::{Explained, PageParts, Read};
use crate::jobs::{Answer, What};
use crate::keymap::STACKS;
use crate::msg::Effect;
use crate::state::page::robots::Evidence;
use crate::state::page::{HostPage, Part, Place, Section};
use crate::state::{Pane, State};
use crate::text::Clean;

/// Clock ticks between two readings while a run is under way.
const REREAD: u64 = 4;
/// Lines above the one that decides, when it is gone to.
const ABOVE: usize = 3;

/// Opens the page of the host under the cursor.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let id = match state.pane {
        Pane::Live => state.shown().target().map(|(id, _)| id),
        Pane::Hosts => state.hosts.selected,
        Pane::Changes => state.changes.selected_row().map(|row| row.line.key.host),
        Pane::Runs => None,
    };
    let (Some(id), Some(host)) = (id, state.host().cloned()) else {
        return Vec::new();
    };
    let mut page = HostPage::new(id, host, state.is_held(), state.is_suppressed());
    let key = state.keymap.hint(STACKS[2], Action::Details);
    page.more = Clean::new(format!(" (more: {key})"));
    state.page = Some(page);
    ask(state)
}

/// One step back: to what led here, to now from the past, or to the list as it was left.
pub(super) fn back(state: &mut State) -> Vec<Effect> {
    if state.page.as_mut().is_some_and(HostPage::step_back) {
        let mut effects = step(state, 0);
        effects.extend(explain(state));
        return effects;
    }
    if state.page.as_mut().is_some_and(HostPage::return_to_now) {
        return ask(state);
    }
    leave(state)
}

/// Back to the list as it was left, however many steps that is.
pub(super) fn leave(state: &mut State) -> Vec<Effect> {
    state.page = None;
    match state.pane {
        Pane::Live | Pane::Changes | Pane::Runs => Vec::new(),
        Pane::Hosts => hosts::ask_rows(state),
    }
}

/// Reads all small parts.
pub(super) fn ask(state: &mut State) -> Vec<Effect> {
    let Some((id, run)) = state.page.as_ref().map(|page| (page.id, page.past.run())) else {
        return Vec::new();
    };
    let Some(question) = hosts::question(state, What::Page(id, run)) else {
        return Vec::new();
    };
    if let Some(page) = &mut state.page {
        page.ask(question.number);
    }
    vec![Effect::Ask(question)]
}

/// Steps so many runs back in time, or forward.
pub(super) fn step_in_time(state: &mut State, back: isize) -> Vec<Effect> {
    let Some(page) = &mut state.page else {
        return Vec::new();
    };
    if page.step_in_time(back) {
        return ask(state);
    }
    let end = if back > 0 {
        "there is no run before this one"
    } else {
        "this is what is known now"
    };
    state.tell(Clean::new(end), false);
    Vec::new()
}

/// Reads everything anew, also what does not change by itself.
pub(super) fn again(state: &mut State) -> Vec<Effect> {
    if let Some(page) = &mut state.page {
        page.robots.question = None;
    }
    let mut effects = ask(state);
    effects.extend(explain(state));
    effects
}

/// Asks about a robots.txt, if it is looked at and the question is a new one.
pub(super) fn explain(state: &mut State) -> Vec<Effect> {
    let Some(page) = state.page.as_ref() else {
        return Vec::new();
    };
    if page.section != Section::Robots {
        return Vec::new();
    }
    let Some((_, fetch)) = page.fetch() else {
        return Vec::new();
    };
    let wanted = page.robots.wanted(fetch.row.id, page.past.run());
    if page.robots.question.as_ref() == Some(&wanted) {
        return Vec::new();
    }
    let Some(question) = hosts::question(state, What::Robots(wanted.clone())) else {
        return Vec::new();
    };
    if let Some(page) = &mut state.page {
        page.robots.asked = question.number;
        page.robots.question = Some(wanted);
        page.robots.evidence.ask();
    }
    vec![Effect::Ask(question)]
}

/// Takes an answer; one to an older question is dropped.
pub(super) fn read(state: &mut State, number: u64, answer: Result<Answer, Clean>) -> Vec<Effect> {
    let Some(page) = &mut state.page else {
        return Vec::new();
    };
    let older = page.requests.ready().and_then(|requests| requests.asked);
    if number == page.asked {
        page.pending = false;
        match answer {
            Ok(Answer::Page(parts)) => return take(state, *parts),
            Ok(_) => {}
            Err(problem) => page.fail(&problem),
        }
    } else if number == page.robots.asked {
        match answer {
            Ok(Answer::Robots(said)) => show(state, Ok(*said)),
            Ok(_) => {}
            Err(problem) => show(state, Err(problem)),
        }
    } else if Some(number) == older
        && let Part::Ready(requests) = &mut page.requests
    {
        match answer {
            Ok(Answer::Requests(older)) => requests.more(older),
            Ok(_) => {}
            Err(problem) => {
                requests.asked = None;
                state.tell(problem, true);
            }
        }
    }
    Vec::new()
}

fn take(state: &mut State, parts: PageParts) -> Vec<Effect> {
    let size = state.size;
    let course = state.course();
    if let Some(page) = &mut state.page {
        page.under_way = state.live.rows.contains_key(&page.id);
        page.course = course;
        page.take(parts);
        page.step(0, size);
    }
    let mut effects = explain(state);
    effects.extend(more(state));
    effects
}

/// Shows what was found; a new question goes to the line that decides.
fn show(state: &mut State, said: Read<Explained>) {
    let size = state.size;
    let Some(page) = &mut state.page else { return };
    match said {
        Ok(said) => {
            let evidence = Evidence::new(said);
            let top = evidence.first().saturating_sub(ABOVE);
            page.robots.evidence = Part::Ready(evidence);
            page.put(Section::Robots, Place { at: top, top });
        }
        Err(problem) => {
            page.robots.evidence = Part::Failed(problem);
            page.robots.question = None;
        }
    }
    page.step(0, size);
}

/// Older requests, when the cursor comes near the last one.
fn more(state: &mut State) -> Vec<Effect> {
    let Some(page) = state.page.as_ref() else {
        return Vec::new();
    };
    let (Section::Requests, Some(requests)) = (page.section, page.requests.ready()) else {
        return Vec::new();
    };
    let at = page.place().at;
    let Some(last) = requests.rows.last().filter(|_| requests.wants_more(at)) else {
        return Vec::new();
    };
    let what = What::Requests(page.id, last.line.row.key);
    let Some(question) = hosts::question(state, what) else {
        return Vec::new();
    };
    if let Some(page) = &mut state.page
        && let Part::Ready(requests) = &mut page.requests
    {
        requests.asked = Some(question.number);
    }
    vec![Effect::Ask(question)]
}

/// While a run is under way the page is read anew from time to time.
pub(super) fn tick(state: &mut State) -> Vec<Effect> {
    // The past does not change.
    let still = |page: &HostPage| page.pending || page.past.run().is_some();
    let still = state.page.as_ref().is_none_or(still);
    if !still && state.ticks.is_multiple_of(REREAD) && under_way(state) {
        return ask(state);
    }
    Vec::new()
}

/// Moves by so many rows.
pub(super) fn step(state: &mut State, by: isize) -> Vec<Effect> {
    let size = state.size;
    if let Some(page) = &mut state.page {
        page.step(by, size);
    }
    more(state)
}

/// A page of rows, as many as are seen.
pub(super) fn room(state: &State) -> Option<isize> {
    let room = state.page.as_ref()?.room(state.size).saturating_sub(1);
    isize::try_from(room.max(1)).ok()
}

/// Puts the cursor on a row.
pub(super) fn point(state: &mut State, at: usize) -> Vec<Effect> {
    let size = state.size;
    if let Some(page) = &mut state.page {
        page.point(at, size);
    }
    more(state)
}

/// Goes to a section.
pub(super) fn section(state: &mut State, section: Section) -> Vec<Effect> {
    if let Some(page) = &mut state.page {
        page.section = section;
    }
    let mut effects = step(state, 0);
    effects.extend(explain(state));
    effects
}

/// Goes to the section so many places further on.
pub(super) fn turn(state: &mut State, by: isize) -> Vec<Effect> {
    match state.page.as_ref().map(|page| page.section.moved(by)) {
        Some(to) => section(state, to),
        None => Vec::new(),
    }
}

/// Looks at the fetch of robots.txt before or after this one.
pub(super) fn other_fetch(state: &mut State, by: isize) -> Vec<Effect> {
    let Some(page) = &mut state.page else {
        return Vec::new();
    };
    if let Some((at, _)) = page.fetch()
        && let Some(fetches) = page.fetches.ready()
    {
        let to = at.saturating_add_signed(by);
        let Some(fetch) = fetches.get(to).filter(|_| to != at) else {
            let end = if by > 0 { "oldest" } else { "newest" };
            let text = format!("this is the {end} robots.txt read here");
            state.tell(Clean::new(text), false);
            return section(state, Section::Robots);
        };
        // At the newest it follows whatever comes.
        page.robots.fetch = (to > 0).then_some(fetch.row.id);
    }
    section(state, Section::Robots)
}

/// Shows the robots.txt that the selected request was decided by, and the line.
pub(super) fn evidence(state: &mut State) -> Vec<Effect> {
    let Some(page) = &mut state.page else {
        return Vec::new();
    };
    let Some(row) = page.request().map(|request| &request.line.row) else {
        return Vec::new();
    };
    let fetch = match row.leave {
        Leave::Robots => None,
        Leave::NoRule(id) | Leave::Rule(id, _) | Leave::Open(id) => Some(id),
    };
    let path = row.target.clone();
    let fetches = page.fetches.ready().map_or(&[][..], Vec::as_slice);
    match fetch.map(|id| (id, fetches.iter().position(|fetch| fetch.row.id == id))) {
        None => {
            let text = "robots.txt itself is asked without leave";
            state.tell(Clean::new(text), false);
            return Vec::new();
        }
        Some((_, None)) => {
            let text = "the robots.txt that decided is older than those read here";
            state.tell(Clean::new(text), false);
            return Vec::new();
        }
        Some((id, Some(at))) => {
            page.note();
            page.robots.fetch = (at > 0).then_some(id);
            page.robots.path = Some(path);
            page.robots.token = None;
        }
    }
    section(state, Section::Robots)
}

/// What is wrong with a path to try, and from which column.
pub(super) fn wrong(text: &str) -> Option<(usize, Clean)> {
    let (path, token) = parted(text);
    if !path.starts_with('/') {
        let words = "a path begins with `/`, as in /llms.txt; `PATH as TOKEN` asks for another bot";
        return Some((1, Clean::new(words)));
    }
    match token {
        Some(token) if token.is_empty() || token.contains(char::is_whitespace) => {
            let column = text.chars().count() + 1 - token.chars().count();
            Some((
                column,
                Clean::new("a token is one word, as in `/ as IntentRouteBot`"),
            ))
        }
        _ => None,
    }
}

fn parted(text: &str) -> (&str, Option<&str>) {
    match text
        .rsplit_once(" as ")
        .or_else(|| Some((text.strip_suffix(" as")?, "")))
    {
        Some((path, token)) => (path.trim_end(), Some(token.trim())),
        None => (text.trim_end(), None),
    }
}

/// Tries a path: `PATH` or `PATH as TOKEN`.
pub(super) fn try_path(state: &mut State, text: &str) -> Vec<Effect> {
    if let Some(page) = &mut state.page {
        let (path, token) = parted(text);
        page.robots.path = Some(path.to_owned());
        page.robots.token = token.map(str::to_owned);
    }
    explain(state)
}

#[cfg(test)]
mod tests;
