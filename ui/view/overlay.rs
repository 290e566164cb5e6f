//! A box over the pane, and lines in it.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Block, Clear, Widget};

use crate::text::Clean;
use crate::theme::{ASCII, Role, Theme};
use crate::widget::strip::Strip;

/// A cleared box in the middle, with a border, and what is inside it.
pub(super) fn boxed(
    frame: &mut Frame<'_>,
    area: Rect,
    size: (usize, usize),
    theme: &Theme,
) -> Rect {
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
    frame.buffer_mut().set_style(outer, theme.ground());
    block.render(outer, frame.buffer_mut());
    Rect {
        x: inner.x + 1,
        width: inner.width.saturating_sub(2),
        ..inner
    }
}

/// Lines from the top of an area.
pub(super) fn lines(frame: &mut Frame<'_>, area: Rect, strips: Vec<Strip<'_>>) {
    for (row, strip) in (0..area.height).zip(strips) {
        let line = Rect {
            y: area.y + row,
            height: 1,
            ..area
        };
        strip.draw(line, frame.buffer_mut(), Style::new());
    }
}

/// Words into lines.
pub(super) fn wrap(text: &str, width: usize) -> Vec<Clean> {
    Clean::new(text).wrap(width.max(1))
}
