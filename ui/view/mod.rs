//! State to screen. Reads the state, changes nothing, and fits any size from 1x1 up.

mod changes;
mod choice;
mod chrome;
mod diff;
mod help;
mod hits;
mod hosts;
mod live;
mod overlay;
mod page;
mod runs;
mod table;

use engine::crawl::Lamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

pub(crate) use hits::{Hit, Hits};

use crate::engine;
use crate::state::{Overlay, Pane, State};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Narrower or lower than this there is one notice instead of the pane.
const LEAST: (u16, u16) = (40, 10);
/// From this width on the reason of each host has a column.
const WIDE: u16 = 100;

/// Lines of an area handed out from the top.
struct Lines {
    left: Rect,
}

impl Lines {
    /// The next line, or an empty area when none is left.
    fn next(&mut self) -> Rect {
        self.take(1)
    }

    fn take(&mut self, height: u16) -> Rect {
        let height = height.min(self.left.height);
        let taken = Rect {
            height,
            ..self.left
        };
        self.left.y += height;
        self.left.height -= height;
        taken
    }
}

/// Lamps in exactly so many columns, with a mark if there are more.
fn lamps<'a>(strip: Strip<'a>, theme: &'a Theme, lamps: &[Lamp], columns: usize) -> Strip<'a> {
    let from = strip.width();
    let shown = if lamps.len() > columns {
        columns.saturating_sub(1)
    } else {
        lamps.len()
    };
    let mut strip = strip;
    for lamp in lamps.iter().take(shown) {
        let (symbol, role) = theme.lamp(*lamp);
        strip = strip.fixed(symbol, role);
    }
    if shown < lamps.len() {
        strip = strip.fixed(theme.symbols.cut, Role::Escape);
    }
    strip.to(from + columns)
}

/// Draws one frame and says where things stand on it.
pub(crate) fn draw(frame: &mut Frame<'_>, state: &State, theme: &Theme) -> Hits {
    let area = frame.area();
    frame.buffer_mut().set_style(area, theme.ground());
    let mut hits = Hits::default();
    if area.width < LEAST.0 || area.height < LEAST.1 {
        too_small(frame, state, theme);
        return hits;
    }
    let mut lines = Lines { left: area };
    chrome::header(frame, lines.next(), state, theme);
    chrome::tabs(frame, lines.next(), state, theme, &mut hits);
    let body = lines.take(lines.left.height - 1);
    match (&state.diff, &state.page, state.pane) {
        (Some(shown), ..) => diff::draw(frame, body, (state, shown), theme, &mut hits),
        (None, Some(page), _) => page::draw(frame, body, (state, page), theme, &mut hits),
        (None, None, Pane::Live) => live::draw(frame, body, state, theme, &mut hits),
        (None, None, Pane::Hosts) => hosts::draw(frame, body, state, theme, &mut hits),
        (None, None, Pane::Runs) => runs::draw(frame, body, state, theme, &mut hits),
        (None, None, Pane::Changes) => changes::draw(frame, body, state, theme, &mut hits),
    }
    // What is written or told there may need more lines than one.
    let foot = Rect {
        y: area.y + 2,
        height: area.height - 2,
        ..area
    };
    match &state.prompt {
        Some(prompt) => chrome::prompt(frame, foot, prompt, theme),
        None => chrome::footer(frame, foot, state, theme, &mut hits),
    }
    let over = Rect {
        height: area.height - u16::from(state.prompt.is_some()),
        ..area
    };
    match &state.overlay {
        Some(Overlay::Help { top, search }) => {
            help::help(frame, over, (*top, search), state, theme)
        }
        Some(Overlay::Notices { top }) => help::notices(frame, over, *top, state, theme),
        Some(Overlay::Details(details)) => help::details(frame, over, details, theme),
        Some(Overlay::Alarms { top }) => help::alarms(frame, over, *top, state, theme),
        Some(Overlay::Palette(palette)) => {
            choice::palette(frame, over, palette, state, theme, &mut hits);
        }
        Some(Overlay::Menu(menu)) => choice::menu(frame, over, menu, state, theme, &mut hits),
        Some(Overlay::Pick(pick)) => choice::pick(frame, over, pick, theme, &mut hits),
        Some(Overlay::Runs(pick)) => choice::runs(frame, over, pick, theme, &mut hits),
        Some(Overlay::Question(question)) => {
            choice::question(frame, over, question, theme, &mut hits);
        }
        None => {}
    }
    hits
}

/// What can be said in no room: the state of the run, and what would help.
fn too_small(frame: &mut Frame<'_>, state: &State, theme: &Theme) {
    let mut lines = Lines { left: frame.area() };
    let (symbol, role, words) = chrome::run_state(state, theme);
    let says = Strip::new(theme)
        .fixed(symbol, role)
        .gap(1)
        .fixed(words, role);
    let counts = Strip::new(theme)
        .value(crate::text::fit::count(state.live.done), Role::Plain)
        .fixed(" done", Role::Plain);
    let hint = Strip::new(theme).fixed("needs 40x10 or more", Role::Dim);
    let buffer = frame.buffer_mut();
    for strip in [says, counts, hint] {
        strip.draw(lines.next(), buffer, Style::new());
    }
}

#[cfg(test)]
mod cost;
#[cfg(test)]
mod tests;
