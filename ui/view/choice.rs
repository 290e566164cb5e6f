//! Lists to choose from, over the pane: commands, columns, answers.

use ratatui::Frame;
use ratatui::layout::Rect;

use super::overlay::{boxed, lines, wrap};
use super::{Hit, Hits};
use crate::state::State;
use crate::state::menu::Menu;
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

pub(super) fn menu(frame: &mut Frame<'_>, area: Rect, menu: &Menu, theme: &Theme, hits: &mut Hits) {
    let mut strips = vec![Strip::new(theme).fixed(menu.title(), Role::Title)];
    for (at, words) in menu.entries().into_iter().enumerate() {
        let (strip, role) = entry(theme, at == menu.marked);
        strips.push(strip.fixed(words, role));
    }
    let width = strips.iter().map(Strip::width).max().unwrap_or(0);
    let inner = boxed(frame, area, (width, strips.len()), theme);
    let room = usize::from(inner.height);
    let over = (menu.marked + 2).saturating_sub(room);
    for at in over..strips.len().saturating_sub(1) {
        hits.put(row(inner, at + 1 - over), Hit::Choice(at));
    }
    lines(frame, inner, strips.split_off(over.min(strips.len())));
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
    let height = usize::from(area.height.saturating_sub(4)).min(entries.len().max(1) + 1);
    let inner = boxed(frame, area, (width, height), theme);
    let (text, _) = palette.line.shown();
    let room = usize::from(inner.height).saturating_sub(1);
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
        About::Quit => vec![
            Strip::new(theme).fixed("Quit?", Role::Title),
            Strip::new(theme),
            Strip::new(theme).fixed("The run is under way. Requests under way are", Role::Plain),
            Strip::new(theme).fixed("finished first; run again to resume.", Role::Plain),
        ],
    };
    strips.push(Strip::new(theme));
    for (at, answer) in question.answers().iter().enumerate() {
        let marked = at == question.marked;
        let (pointer, role) = if marked {
            (theme.symbols.pointer, Role::Selected)
        } else {
            (" ", Role::Plain)
        };
        strips.push(
            Strip::new(theme)
                .fixed(pointer, Role::Title)
                .gap(1)
                .fixed(answer, role),
        );
    }
    let inner = boxed(frame, area, (width, strips.len()), theme);
    // The answers stay in sight on the lowest screens.
    let over = strips.len().saturating_sub(usize::from(inner.height));
    let shown = strips.split_off(over);
    let answers = question.answers().len();
    let first = shown.len().saturating_sub(answers);
    for at in 0..answers {
        hits.put(row(inner, first + at), Hit::Choice(at));
    }
    lines(frame, inner, shown);
}

fn suppress<'a>(theme: &'a Theme, [host, domain]: &[Scope; 2], width: usize) -> Vec<Strip<'a>> {
    let mut strips = vec![
        Strip::new(theme).fixed("Suppress: never asked again?", Role::Title),
        Strip::new(theme),
    ];
    for (scope, words) in [(host, " alone: "), (domain, " and every name below: ")] {
        let mut strip = Strip::new(theme);
        let reach = match &scope.reach {
            None => Clean::new("counting"),
            Some(Ok(1)) => Clean::new("1 host of this store"),
            Some(Ok(count)) => Clean::new(format!("{} hosts of this store", fit::count(*count))),
            Some(Err(problem)) => problem.clone(),
        };
        let room = width.saturating_sub(words.len() + reach.width());
        strip = strip
            .clean(
                &scope.name.fit(room.max(12), theme.symbols.cut),
                Role::Title,
            )
            .fixed(words, Role::Plain)
            .clean(&reach, Role::Plain);
        strips.push(strip);
    }
    for line in wrap(
        "No request at all from now on, robots.txt included. What is stored stays. \
         `lamplighter suppress remove` takes it back.",
        width,
    ) {
        strips.push(Strip::new(theme).clean(&line, Role::Dim));
    }
    strips
}
