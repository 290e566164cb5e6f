//! Lists to choose from, over the pane: commands, columns, answers.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::overlay::{boxed, lines, wrap};
use super::{Hit, Hits};
use crate::state::State;
use crate::state::changes::RunPick;
use crate::state::diff::pick::Pick;
use crate::state::menu::{self, Menu};
use crate::state::palette::{self, Palette};
use crate::state::question::{About, Question, Scope};
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// One line of an area; empty below its end.
fn row(area: Rect, at: usize) -> Rect {
    let at = u16::try_from(at).unwrap_or(u16::MAX).min(area.height);
    Rect {
        y: area.y + at,
        height: u16::from(at < area.height),
        ..area
    }
}

/// An entry of a list, marked or not.
fn entry<'a>(theme: &'a Theme, marked: bool) -> (Strip<'a>, Role) {
    let (pointer, role) = if marked {
        (theme.symbols.pointer, Role::Selected)
    } else {
        (" ", Role::Plain)
    };
    (Strip::new(theme).fixed(pointer, Role::Title).gap(1), role)
}

pub(super) fn menu(
    frame: &mut Frame<'_>,
    area: Rect,
    menu: &Menu,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    let most = usize::from(area.width.saturating_sub(4));
    let title = wrapped(theme, menu.title(), most, Role::Title);
    let heads = title.len();
    let mut strips = title;
    for (at, words) in menu.entries().into_iter().enumerate() {
        let (strip, role) = entry(theme, at == menu.marked);
        // What is on says so by a sign.
        let mark = match menu.is_on(at, state) {
            true if menu.about == menu::About::Columns => "[x] ",
            false if menu.about == menu::About::Columns => "[ ] ",
            true => "* ",
            false => "  ",
        };
        let mut strip = strip.fixed(mark, role).fixed(words, role);
        if menu.about == menu::About::Columns
            && menu.is_on(at, state)
            && !super::hosts::has_room(state, at)
        {
            strip = strip.fixed(" (no room here)", Role::Dim);
        }
        strips.push(strip);
    }
    let width = strips.iter().map(Strip::width).max().unwrap_or(0);
    let inner = boxed(frame, area, (width, strips.len()), theme);
    let room = usize::from(inner.height);
    let over = (menu.marked + heads + 1).saturating_sub(room);
    for at in 0..strips.len() - heads {
        if at + heads >= over {
            hits.put(row(inner, at + heads - over), Hit::Choice(at));
        }
    }
    lines(frame, inner, strips.split_off(over.min(strips.len())));
}

pub(super) fn pick(frame: &mut Frame<'_>, area: Rect, pick: &Pick, theme: &Theme, hits: &mut Hits) {
    let room = usize::from(area.height.saturating_sub(4));
    let shown = room.saturating_sub(1).max(1);
    let top = (pick.marked + 1).saturating_sub(shown);
    let mut strips = vec![Strip::new(theme).fixed(pick.title(), Role::Title)];
    for (at, found) in pick.entries.iter().enumerate().skip(top).take(shown) {
        let (strip, role) = entry(theme, at == pick.marked);
        strips.push(strip.clean(&found.text, role));
    }
    let width = strips.iter().map(Strip::width).max().unwrap_or(0);
    let inner = boxed(frame, area, (width, strips.len()), theme);
    for at in 1..strips.len() {
        hits.put(row(inner, at), Hit::Choice(top + at - 1));
    }
    lines(frame, inner, strips);
}

pub(super) fn runs(
    frame: &mut Frame<'_>,
    area: Rect,
    pick: &RunPick,
    theme: &Theme,
    hits: &mut Hits,
) {
    let shown = usize::from(area.height.saturating_sub(5)).max(1);
    let top = (pick.marked + 1).saturating_sub(shown);
    let mut strips = vec![Strip::new(theme).fixed(pick.title(), Role::Title)];
    for (at, (_, text)) in pick.entries.iter().enumerate().skip(top).take(shown) {
        let (strip, role) = entry(theme, at == pick.marked);
        strips.push(strip.clean(text, role));
    }
    let width = strips.iter().map(Strip::width).max().unwrap_or(0);
    let inner = boxed(frame, area, (width, strips.len()), theme);
    for at in 1..strips.len() {
        hits.put(row(inner, at), Hit::Choice(top + at - 1));
    }
    lines(frame, inner, strips);
}

pub(super) fn palette(
    frame: &mut Frame<'_>,
    area: Rect,
    palette: &Palette,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    let entries = palette::entries(state, palette.line.text());
    let stack = state.pane_stack();
    let width = usize::from(area.width.saturating_sub(6)).min(84);
    let marked = entries
        .get(palette.marked)
        .map(|found| match found.refusal {
            Some(why) => format!("{} - not now: {why}", found.spec.help),
            None => found.spec.help.to_owned(),
        });
    // All of what the marked command does stands below the list.
    let below = marked.map_or_else(Vec::new, |text| wrap(&text, width));
    let height = entries.len().max(1) + 2 + below.len();
    let height = usize::from(area.height.saturating_sub(4)).min(height);
    let inner = boxed(frame, area, (width, height), theme);
    let (text, _) = palette.line.shown();
    let spare = usize::from(inner.height).saturating_sub(2);
    let below = if spare > below.len() {
        below
    } else {
        Vec::new()
    };
    let room = usize::from(inner.height)
        .saturating_sub(1 + below.len() + usize::from(!below.is_empty()))
        .min(entries.len().max(1));
    let top = (palette.marked + 1).saturating_sub(room);
    let mut shown = vec![
        Strip::new(theme)
            .fixed(":", Role::Key)
            .clean(&text, Role::Title)
            .fixed(theme.symbols.caret, Role::Key),
    ];
    if entries.is_empty() {
        shown.push(Strip::new(theme).fixed(
            "no command holds these words; Backspace takes some away",
            Role::Dim,
        ));
    }
    for (at, found) in entries.iter().enumerate().skip(top).take(room) {
        let (strip, role) = entry(theme, at == palette.marked);
        let role = match found.refusal {
            Some(_) if role == Role::Plain => Role::Dim,
            _ => role,
        };
        let key = state.keymap.hint(stack, found.spec.action);
        let mut strip = strip
            .cell(&Clean::new(found.spec.id), 13, role)
            .gap(1)
            .cell(&key, 9, Role::Key)
            .gap(1);
        strip = match found.refusal {
            Some(why) => strip.fixed("not now: ", Role::Dim).fixed(why, Role::Dim),
            None => strip.fixed(found.spec.help, Role::Plain),
        };
        hits.put(row(inner, 1 + at - top), Hit::Choice(at));
        shown.push(strip);
    }
    if !below.is_empty() {
        let rule = theme.symbols.rule;
        shown.push(Strip::new(theme).times(rule, usize::from(inner.width), Role::Dim));
        shown.extend(
            below
                .iter()
                .map(|line| Strip::new(theme).clean(line, Role::Dim)),
        );
    }
    lines(frame, inner, shown);
}

pub(super) fn question(
    frame: &mut Frame<'_>,
    area: Rect,
    question: &Question,
    theme: &Theme,
    hits: &mut Hits,
) {
    let width = usize::from(area.width.saturating_sub(6)).min(72);
    let mut strips = match &question.about {
        About::Suppress(scopes) => suppress(theme, scopes, width),
        About::Quit => {
            let mut strips = vec![
                Strip::new(theme).fixed("Quit?", Role::Title),
                Strip::new(theme),
            ];
            let says =
                "The run is under way. Requests under way are finished first; run again to resume.";
            strips.extend(wrapped(theme, says, width, Role::Plain));
            strips
        }
    };
    strips.push(Strip::new(theme));
    let mut answers = Vec::new();
    for (at, answer) in question.answers().iter().enumerate() {
        for (line, text) in wrap(answer, width.saturating_sub(2)).iter().enumerate() {
            let (strip, role) = entry(theme, at == question.marked && line == 0);
            let role = if at == question.marked {
                Role::Selected
            } else {
                role
            };
            strips.push(strip.clean(text, role));
            answers.push(at);
        }
    }
    let room = usize::from(area.height.saturating_sub(2));
    let strips = fitted(strips, answers.len(), room, theme);
    let inner = boxed(frame, area, (width, strips.len()), theme);
    // The answers stay in sight on the lowest screens.
    let over = strips.len().saturating_sub(usize::from(inner.height));
    let shown = strips.into_iter().skip(over).collect::<Vec<_>>();
    let first = shown.len().saturating_sub(answers.len());
    for (line, at) in answers.into_iter().enumerate() {
        hits.put(row(inner, first + line), Hit::Choice(at));
    }
    lines(frame, inner, shown);
}

/// A question in so many lines: blank ones go first, then the end of what is said, with a sign. What is
/// asked and its reach stand before that, the answers behind it.
fn fitted<'a>(
    mut strips: Vec<Strip<'a>>,
    answers: usize,
    room: usize,
    theme: &'a Theme,
) -> Vec<Strip<'a>> {
    if strips.len() > room {
        strips.retain(|strip| strip.width() > 0);
    }
    let over = strips.len().saturating_sub(room);
    let end = strips.len().saturating_sub(answers);
    if over > 0 && end > over + 1 {
        strips.drain(end - over..end);
        if let Some(last) = strips.get_mut(end - over - 1) {
            *last = last.clone().gap(1).fixed(theme.symbols.cut, Role::Escape);
        }
    }
    strips
}

/// A text of our own in lines.
fn wrapped<'a>(theme: &'a Theme, text: &str, width: usize, role: Role) -> Vec<Strip<'a>> {
    let lines = wrap(text, width).into_iter();
    lines
        .map(|line| Strip::new(theme).clean(&line, role))
        .collect()
}

fn suppress<'a>(theme: &'a Theme, [host, domain]: &[Scope; 2], width: usize) -> Vec<Strip<'a>> {
    let mut strips = vec![
        Strip::new(theme).fixed("Suppress: never asked again?", Role::Title),
        Strip::new(theme),
    ];
    for (scope, words) in [(host, " alone: "), (domain, " and every name below: ")] {
        let reach = match &scope.reach {
            None => Clean::new("counting"),
            Some(Ok(count)) => {
                Clean::new(format!("{} of this store", fit::counted(*count, "host")))
            }
            Some(Err(problem)) => problem.clone(),
        };
        let whole = scope.name.width() + words.len() + reach.width();
        if whole <= width {
            let strip = Strip::new(theme).clean(&scope.name, Role::Title);
            strips.push(strip.fixed(words, Role::Plain).clean(&reach, Role::Plain));
            continue;
        }
        for line in scope.name.wrap(width.max(1)) {
            strips.push(Strip::new(theme).clean(&line, Role::Title));
        }
        let rest = format!("{}{reach}", words.trim_start());
        for line in wrap(&rest, width.saturating_sub(2)) {
            strips.push(Strip::new(theme).gap(2).clean(&line, Role::Plain));
        }
    }
    for line in wrap(
        "Not even robots.txt from now on. What is stored stays. `lamplighter suppress remove` \
         undoes it.",
        width,
    ) {
        strips.push(Strip::new(theme).clean(&line, Role::Dim));
    }
    strips
}
