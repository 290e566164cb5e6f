//! The view of a diff: opened, read, moved about in, left.

use super::{hosts, page};
use crate::engine;
use crate::jobs::diff::{Look, Told, Where, Which};
use crate::jobs::{Answer, What};
use crate::msg::{Effect, Save};
use crate::state::diff::pick::Pick;
use crate::state::diff::rows::Kind;
use crate::state::diff::{Diff, DiffRequest};
use crate::state::page::{Part, Section};
use crate::state::{Overlay, Pane, State};
use crate::text::Clean;
use engine::history::Encoding;

/// Columns a key moves the text by.
const COLUMNS: isize = 16;
/// Lines of a hunk that are copied at most.
const MOST_COPIED: usize = 20_000;

/// Opens the view over whatever is shown.
pub(crate) fn open_diff(state: &mut State, request: DiffRequest) -> Vec<Effect> {
    state.diff = Some(Diff::new(request));
    ask(state)
}

/// Opens the view of the version under the cursor of a host's page.
pub(super) fn open(state: &mut State) -> Vec<Effect> {
    let Some(page) = state.page.as_ref() else {
        return Vec::new();
    };
    let versions = page.versions.ready().map_or(&[][..], Vec::as_slice);
    let Some(version) = versions
        .get(page.place().at)
        .filter(|_| page.section == Section::Versions)
    else {
        return Vec::new();
    };
    let (location, number) = version.which.clone();
    let request = DiffRequest {
        host: page.id,
        name: page.host.clone(),
        location,
        from: None,
        to: Some(number),
    };
    open_diff(state, request)
}

/// Back to what lies below.
pub(super) fn back(state: &mut State) -> Vec<Effect> {
    state.diff = None;
    match (&state.page, state.pane) {
        (Some(_), _) => page::ask(state),
        (None, Pane::Hosts) => hosts::ask_rows(state),
        (None, Pane::Live | Pane::Changes | Pane::Runs) => Vec::new(),
    }
}

/// Reads and compares anew.
pub(super) fn ask(state: &mut State) -> Vec<Effect> {
    let Some(wanted) = state.diff.as_ref().map(|diff| diff.wanted.clone()) else {
        return Vec::new();
    };
    let Some(question) = hosts::question(state, What::Diff(wanted)) else {
        return Vec::new();
    };
    if let Some(diff) = &mut state.diff {
        diff.ask(question.number);
    }
    vec![Effect::Ask(question)]
}

/// Whether a question of this number is the newest one.
pub(super) fn asked(state: &State, number: u64) -> bool {
    state.diff.as_ref().is_some_and(|diff| diff.asked == number)
}

/// Takes an answer; one to an older question is dropped.
pub(super) fn read(state: &mut State, number: u64, answer: Result<Answer, Clean>) -> Vec<Effect> {
    let size = state.size;
    if let Some(diff) = state.diff.as_mut().filter(|diff| diff.asked == number) {
        match answer {
            Ok(Answer::Diff(told)) => diff.take(*told, size),
            Ok(_) => {}
            Err(problem) => diff.told = Part::Failed(problem),
        }
    }
    step(state, 0)
}

/// Moves by so many rows.
pub(super) fn step(state: &mut State, by: isize) -> Vec<Effect> {
    let size = state.size;
    if let Some(diff) = &mut state.diff {
        diff.fit(size);
        let (count, room) = (diff.rows().len(), diff.room(size));
        let at = diff.place.at.saturating_add_signed(by);
        diff.place.at = at.min(count.saturating_sub(1));
        diff.place.scroll(count, room);
    }
    Vec::new()
}

/// Puts the cursor on a row.
pub(super) fn point(state: &mut State, at: usize) -> Vec<Effect> {
    if let Some(diff) = &mut state.diff {
        diff.place.at = at;
    }
    step(state, 0)
}

/// A page of rows.
pub(super) fn room(state: &State) -> Option<isize> {
    let room = state.diff.as_ref()?.room(state.size).saturating_sub(1);
    isize::try_from(room.max(1)).ok()
}

/// To the next change, or the one before.
pub(super) fn change(state: &mut State, forward: bool) -> Vec<Effect> {
    let Some(diff) = &mut state.diff else {
        return Vec::new();
    };
    let at = diff.place.at;
    let mut changes = diff
        .rows()
        .hunks
        .iter()
        .map(|hunk| (hunk.head, hunk.changed));
    let to = if forward {
        changes.find(|(_, changed)| *changed > at)
    } else {
        changes.rfind(|(_, changed)| *changed < at)
    };
    let Some((head, changed)) = to else {
        let text = if forward {
            "this is the last change"
        } else {
            "this is the first change"
        };
        state.tell(Clean::new(text), false);
        return Vec::new();
    };
    diff.place.at = changed;
    // Its head stands at the top, if there is room for both.
    if changed - head < diff.room(state.size) {
        diff.place.top = head;
    }
    step(state, 0)
}

/// To the next place that holds what is looked for; to the next change if nothing is.
pub(super) fn place(state: &mut State, forward: bool) -> Vec<Effect> {
    let Some(diff) = &mut state.diff else {
        return Vec::new();
    };
    if diff.search.is_empty() {
        return change(state, forward);
    }
    match diff.found(forward) {
        Some(at) => diff.place.at = at,
        None => {
            let text = format!(
                "\"{}\" stands in none of the lines shown; + shows more",
                diff.search
            );
            state.tell(Clean::new(text), false);
        }
    }
    step(state, 0)
}

/// What is looked for.
pub(super) fn search(state: &mut State, text: &str) {
    if let Some(diff) = &mut state.diff {
        text.clone_into(&mut diff.search);
    }
}

/// More equal lines around each change, or fewer.
pub(super) fn widen(state: &mut State, by: isize) -> Vec<Effect> {
    let size = state.size;
    let Some(diff) = &mut state.diff else {
        return Vec::new();
    };
    let moved = diff.widen(by);
    let lines = diff.context();
    diff.relay(size);
    let text = match (moved, lines) {
        (_, usize::MAX) => "every line is shown".to_owned(),
        (_, 0) => "no line is shown but those that changed".to_owned(),
        (_, lines) => format!("{lines} lines around each change"),
    };
    state.tell(Clean::new(text), false);
    step(state, 0)
}

/// Sides beside each other, or below each other.
pub(super) fn beside(state: &mut State) -> Vec<Effect> {
    let size = state.size;
    if let Some(diff) = &mut state.diff {
        diff.beside = Some(!diff.is_beside(size));
    }
    step(state, 0)
}

/// Long lines go on below, or are cut.
pub(super) fn wrap(state: &mut State) -> Vec<Effect> {
    if let Some(diff) = &mut state.diff {
        diff.wrap = !diff.wrap;
        diff.left = 0;
    }
    Vec::new()
}

/// Moves the text to the left or to the right.
pub(super) fn shift(state: &mut State, by: isize) -> Vec<Effect> {
    if let Some(diff) = &mut state.diff {
        diff.left = diff.left.saturating_add_signed(by * COLUMNS).min(4_000);
    }
    Vec::new()
}

/// Looks at it in another way, or back at the lines.
pub(super) fn look(state: &mut State, look: Look) -> Vec<Effect> {
    if let Some(diff) = &mut state.diff {
        let now = diff.wanted.look;
        diff.wanted.look = if now == look { Look::Text } else { look };
    }
    ask(state)
}

/// Bytes as they are, or decoded.
pub(super) fn raw(state: &mut State) -> Vec<Effect> {
    let Some(diff) = &mut state.diff else {
        return Vec::new();
    };
    let plain = |told: &Told| {
        let halves = told.pair.old.iter().chain([&told.pair.new]);
        let mut known = halves.map(|half| half.known.encoding);
        known.all(|encoding| matches!(encoding, Encoding::Utf8 | Encoding::Binary))
    };
    if diff.told.ready().is_some_and(plain) {
        let text = "both are shown as they are: there is nothing to decode";
        state.tell(Clean::new(text), false);
        return Vec::new();
    }
    diff.wanted.raw = !diff.wanted.raw;
    ask(state)
}

/// The list of versions to choose a side from.
pub(super) fn pick(state: &mut State, side: Where) -> Vec<Effect> {
    if let Some(diff) = &state.diff
        && let Some(told) = diff.told.ready()
    {
        let pick = Pick::new(side, &diff.wanted, &told.pair.versions);
        state.overlay = Some(Overlay::Pick(pick));
    }
    Vec::new()
}

/// Takes the version marked.
pub(super) fn picked(state: &mut State, mut pick: Pick) -> Vec<Effect> {
    if pick.marked < pick.entries.len()
        && let Some(diff) = &mut state.diff
    {
        let which = pick.entries.swap_remove(pick.marked).which;
        match pick.side {
            Where::Old => diff.wanted.old = which,
            Where::New => {
                // An old side that goes along with the new one goes along to another location, too.
                if diff.wanted.old.number.is_none() {
                    diff.wanted.old.location.clone_from(&which.location);
                }
                diff.wanted.new = which;
            }
        }
    }
    ask(state)
}

/// Both sides a version back, or on.
pub(super) fn along(state: &mut State, on: bool) -> Vec<Effect> {
    let Some(diff) = &mut state.diff else {
        return Vec::new();
    };
    let Some(told) = diff.told.ready() else {
        return Vec::new();
    };
    // From the version asked for last, which need not be there yet.
    let location = diff.wanted.new.location.clone();
    let shown = told.pair.new.body.version.number;
    let now = diff.wanted.new.number.unwrap_or(shown);
    // The newest first.
    let mut here = told
        .pair
        .versions
        .iter()
        .filter(|one| one.location == location);
    let to = if on {
        here.rfind(|one| one.number > now)
    } else {
        here.find(|one| one.number < now)
    };
    let Some(number) = to.map(|version| version.number) else {
        let text = if on {
            "this is the newest version"
        } else {
            "this is the first version"
        };
        state.tell(Clean::new(text), false);
        return Vec::new();
    };
    let which = |number| Which {
        location: location.clone(),
        number,
    };
    (diff.wanted.old, diff.wanted.new) = (which(None), which(Some(number)));
    ask(state)
}

/// The hunk under the cursor to the clipboard, cleaned.
pub(super) fn copy(state: &State) -> Vec<Effect> {
    let Some(diff) = &state.diff else {
        return Vec::new();
    };
    let (Some(compared), Some((number, hunk))) = (diff.compared(), diff.rows().hunk(diff.place.at))
    else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    let mut line = |sign: &str, side: Where, piece: usize| {
        let range = compared.text(side).pieces.range(piece);
        let bytes = &compared.bytes(side)[range];
        let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        lines.push(Clean::new([sign.as_bytes(), text].concat()));
    };
    for at in (hunk.head + 1..hunk.end).take(MOST_COPIED) {
        let Some(row) = diff.rows().get(at) else {
            break;
        };
        match (row.kind, row.old, row.new) {
            (Kind::Equal, _, Some(new)) => line(" ", Where::New, new),
            (_, old, new) => {
                old.into_iter().for_each(|old| line("-", Where::Old, old));
                new.into_iter().for_each(|new| line("+", Where::New, new));
            }
        }
    }
    vec![Effect::CopyLines(
        lines,
        Clean::new(format!("change {}", number + 1)),
    )]
}

/// How the new side is cited, to the clipboard.
pub(super) fn cite(state: &mut State) -> Vec<Effect> {
    let told = state.diff.as_ref().and_then(|diff| diff.told.ready());
    let Some(told) = told else {
        return Vec::new();
    };
    match &told.pair.new.cite {
        Some(cite) => vec![Effect::Copy(Clean::new(cite))],
        None => {
            let text = "the policy of this store promises no form of citation";
            state.tell(Clean::new(text), false);
            Vec::new()
        }
    }
}

/// A name for the file a patch is saved to.
pub(super) fn file(state: &State) -> String {
    let told = state.diff.as_ref().and_then(|diff| diff.told.ready());
    let Some(told) = told else {
        return String::new();
    };
    let new = &told.pair.new.body.version;
    let old = told
        .pair
        .old
        .as_ref()
        .map_or(0, |old| old.body.version.number);
    let plain = |char: char| match char {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-' | '_' => char,
        _ => '-',
    };
    let location: String = new.location.trim_matches('/').chars().map(plain).collect();
    let host: String = new.host.as_str().chars().map(plain).collect();
    format!("{host}-{location}-{old}-{}.patch", new.number)
}

/// Saves the patch, once a name is written.
pub(super) fn save(state: &State, path: &str) -> Vec<Effect> {
    let told = state.diff.as_ref().and_then(|diff| diff.told.ready());
    let Some(told) = told.filter(|_| !path.trim().is_empty()) else {
        return Vec::new();
    };
    vec![Effect::Save(Save {
        path: path.trim().to_owned(),
        pair: std::sync::Arc::clone(&told.pair),
    })]
}

#[cfg(test)]
mod tests;
