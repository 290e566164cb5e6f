//! What is read over the pane: the help, made from the registry, and the notices so far.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::overlay::{boxed, lines, wrap};
use crate::action::{self, Context, Danger, Spec};
use crate::keymap::Keymap;
use crate::state::State;
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Columns of the keys.
const KEYS: usize = 16;

pub(super) fn help(
    frame: &mut Frame<'_>,
    area: Rect,
    (top, search): (usize, &str),
    state: &State,
    theme: &Theme,
) {
    let width = usize::from(area.width.saturating_sub(6)).min(96);
    let mut strips = Vec::new();
    // What can be done here first, the rest after it.
    let here = state.pane_stack();
    let there = Context::ALL
        .iter()
        .filter(|context| !here.contains(context));
    for context in here.iter().chain(there) {
        let now = here.contains(context);
        section(&mut strips, *context, now, search, width, state, theme);
    }
    if strips.is_empty() {
        strips.push(Strip::new(theme).fixed("no line holds these words", Role::Dim));
    }
    let mut title = Strip::new(theme).fixed("Keys", Role::Title);
    if !search.is_empty() {
        title = title.fixed(" with ", Role::Dim).value(search, Role::Title);
    }
    let keys = "Esc closes, / searches";
    scrolled(frame, area, (top, width), (title, keys), strips, theme);
}

fn section<'a>(
    strips: &mut Vec<Strip<'a>>,
    context: Context,
    now: bool,
    search: &str,
    width: usize,
    state: &State,
    theme: &'a Theme,
) {
    let search = search.to_lowercase();
    let mut first = true;
    for spec in action::of(context) {
        let keys = names(&state.keymap, context, spec);
        let refusal = action::refusal(spec.action, state).filter(|_| now);
        let text = sentence(spec, refusal);
        let whole = format!("{} {keys} {text}", spec.id).to_lowercase();
        if !search.split_whitespace().all(|word| whole.contains(word)) {
            continue;
        }
        if first {
            strips.push(Strip::new(theme).fixed(context.title(), Role::Title));
            first = false;
        }
        let role = if refusal.is_some() {
            Role::Dim
        } else {
            Role::Plain
        };
        let keys = wrap(&keys, KEYS);
        let text = wrap(&text, width.saturating_sub(KEYS + 4));
        let none = Clean::default();
        for at in 0..keys.len().max(text.len()) {
            strips.push(
                Strip::new(theme)
                    .gap(2)
                    .cell(keys.get(at).unwrap_or(&none), KEYS, Role::Key)
                    .gap(2)
                    .clean(text.get(at).unwrap_or(&none), role),
            );
        }
    }
}

fn names(keymap: &Keymap, context: Context, spec: &Spec) -> String {
    let keys = keymap.keys(context, spec).iter();
    let names: Vec<String> = keys.map(ToString::to_string).collect();
    if names.is_empty() {
        return "no key".to_owned();
    }
    names.join(", ")
}

fn sentence(spec: &Spec, refusal: Option<&str>) -> String {
    let mut text = spec.help.to_owned();
    if spec.danger == Danger::Confirm {
        text.push_str(" (asks first)");
    }
    if let Some(refusal) = refusal {
        text.push_str(" - not now: ");
        text.push_str(refusal);
    }
    text
}

pub(super) fn notices(frame: &mut Frame<'_>, area: Rect, top: usize, state: &State, theme: &Theme) {
    let width = usize::from(area.width.saturating_sub(6)).min(116);
    let mut strips: Vec<Strip<'_>> = Vec::new();
    for notice in state.notices.newest() {
        let time = notice.at.map(fit::second).unwrap_or_default();
        let (mark, role) = if notice.bad {
            (theme.symbols.error, Role::Bad)
        } else {
            (" ", Role::Plain)
        };
        strips.push(
            Strip::new(theme)
                .cell(&Clean::new(time), 20, Role::Dim)
                .gap(1)
                .fixed(mark, role)
                .gap(1)
                .clean(&notice.text, role),
        );
    }
    if strips.is_empty() {
        strips.push(Strip::new(theme).fixed("there has been no notice yet", Role::Dim));
    }
    let title = Strip::new(theme).fixed("Notices, newest first", Role::Title);
    scrolled(
        frame,
        area,
        (top, width),
        (title, "Esc closes"),
        strips,
        theme,
    );
}

pub(super) fn alarms(frame: &mut Frame<'_>, area: Rect, top: usize, state: &State, theme: &Theme) {
    let width = usize::from(area.width.saturating_sub(6)).min(116);
    let mut strips: Vec<Strip<'_>> = Vec::new();
    for alarm in state.alarms() {
        strips.push(
            Strip::new(theme)
                .fixed(theme.symbols.error, Role::Alarm)
                .gap(1)
                .clean(&alarm, Role::Plain),
        );
    }
    if strips.is_empty() {
        strips.push(Strip::new(theme).fixed("all is as it should be", Role::Good));
    }
    let title = Strip::new(theme).fixed("Alarms, the gravest first", Role::Title);
    scrolled(
        frame,
        area,
        (top, width),
        (title, "Esc closes"),
        strips,
        theme,
    );
}

fn scrolled<'a>(
    frame: &mut Frame<'_>,
    area: Rect,
    (top, width): (usize, usize),
    (title, keys): (Strip<'a>, &'static str),
    strips: Vec<Strip<'a>>,
    theme: &'a Theme,
) {
    let inner = boxed(frame, area, (width, strips.len() + 2), theme);
    let room = usize::from(inner.height).saturating_sub(2);
    let top = top.min(strips.len().saturating_sub(room));
    let more = strips.len().saturating_sub(top + room);
    let mut shown = vec![title];
    shown.extend(strips.into_iter().skip(top).take(room));
    let mut last = Strip::new(theme).fixed(keys, Role::Dim);
    if more > 0 {
        last = last.value(format!("; j scrolls: {more} more lines"), Role::Dim);
    }
    shown.push(last);
    lines(frame, inner, shown);
}
