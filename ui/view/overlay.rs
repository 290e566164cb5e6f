//! What lies over the pane: the help, and questions.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, Clear, Widget};

use crate::action::{self, Context, Danger, Spec};
use crate::state::State;
use crate::state::question::{About, Question, Scope};
use crate::text::{Clean, fit};
use crate::theme::{ASCII, Role, Theme};
use crate::widget::strip::Strip;

/// A cleared box in the middle, with a border, and what is inside it.
fn frame_of(frame: &mut Frame<'_>, area: Rect, size: (usize, usize), theme: &Theme) -> Rect {
    let fit = |wanted: usize, most: u16| u16::try_from(wanted).unwrap_or(most).min(most);
    let (width, height) = (fit(size.0 + 4, area.width), fit(size.1 + 2, area.height));
    let outer = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let mut block = Block::bordered().border_style(theme.style(Role::Plain));
    if std::ptr::eq(theme.symbols, &raw const ASCII) {
        block = block.border_set(ratatui::symbols::border::Set {
            top_left: "+",
            top_right: "+",
            bottom_left: "+",
            bottom_right: "+",
            vertical_left: "|",
            vertical_right: "|",
            horizontal_top: "-",
            horizontal_bottom: "-",
        });
    }
    let inner = block.inner(outer);
    Clear.render(outer, frame.buffer_mut());
    block.render(outer, frame.buffer_mut());
    Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

fn lines(frame: &mut Frame<'_>, area: Rect, strips: Vec<Strip<'_>>) {
    for (row, strip) in (0..area.height).zip(strips) {
        let line = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        strip.draw(line, frame.buffer_mut(), Style::new());
    }
}

pub(super) fn help(frame: &mut Frame<'_>, area: Rect, top: usize, state: &State, theme: &Theme) {
    let specs: Vec<&Spec> = action::of(Context::Live).collect();
    let keys: Vec<String> = specs
        .iter()
        .map(|spec| {
            let names: Vec<&str> = spec.keys.iter().map(|(name, _)| *name).collect();
            names.join(", ")
        })
        .collect();
    let column = keys.iter().map(String::len).max().unwrap_or(0);
    let width = usize::from(area.width.saturating_sub(6)).min(96);
    let mut strips = Vec::new();
    for (spec, keys) in specs.iter().zip(&keys) {
        let keys = Clean::new(keys);
        let mut text = spec.help.to_owned();
        if spec.danger == Danger::Confirm {
            text.push_str(" (asks first)");
        }
        let refusal = action::refusal(spec.action, state);
        if let Some(refusal) = refusal {
            text.push_str(" - not now: ");
            text.push_str(refusal);
        }
        let role = if refusal.is_some() {
            Role::Dim
        } else {
            Role::Plain
        };
        for (at, line) in wrap(&text, width.saturating_sub(column + 2))
            .iter()
            .enumerate()
        {
            let keys = if at == 0 { &keys } else { &Clean::default() };
            strips.push(
                Strip::new(theme)
                    .cell(keys, column + 2, Role::Key)
                    .clean(line, role),
            );
        }
    }
    let inner = frame_of(frame, area, (width, strips.len() + 2), theme);
    let room = usize::from(inner.height).saturating_sub(2);
    let top = top.min(strips.len().saturating_sub(room));
    let more = strips.len().saturating_sub(top + room);
    let mut shown = vec![Strip::new(theme).fixed("Keys", Role::Title)];
    shown.extend(strips.into_iter().skip(top).take(room));
    let mut last = Strip::new(theme).fixed("Esc closes", Role::Dim);
    if more > 0 {
        last = last.value(format!("; j scrolls: {more} more lines"), Role::Dim);
    }
    shown.push(last);
    lines(frame, inner, shown);
}

pub(super) fn question(frame: &mut Frame<'_>, area: Rect, question: &Question, theme: &Theme) {
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
    let inner = frame_of(frame, area, (width, strips.len()), theme);
    // The answers stay in sight on the lowest screens.
    let over = strips.len().saturating_sub(usize::from(inner.height));
    lines(frame, inner, strips.split_off(over));
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

/// Words into lines; our own ASCII text only.
fn wrap(text: &str, width: usize) -> Vec<Clean> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split(' ') {
        if !line.is_empty() && line.len() + 1 + word.len() > width {
            lines.push(Clean::new(std::mem::take(&mut line)));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(Clean::new(line));
    lines
}
