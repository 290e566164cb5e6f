//! One line of a view. It takes cleaned text, text of our own making, and nothing else, and it never
//! cuts anything off without a mark.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unicode_width::UnicodeWidthStr;

use crate::text::Clean;
use crate::theme::{Role, Theme};

/// A line under construction.
#[derive(Clone, Debug)]
pub(crate) struct Strip<'a> {
    theme: &'a Theme,
    spans: Vec<Span<'static>>,
    width: usize,
}

impl<'a> Strip<'a> {
    /// An empty line.
    pub(crate) fn new(theme: &'a Theme) -> Strip<'a> {
        Strip {
            theme,
            spans: Vec::new(),
            width: 0,
        }
    }

    /// Columns so far.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Text of our own.
    pub(crate) fn fixed(mut self, text: &'static str, role: Role) -> Self {
        self.push(Span::styled(text, self.theme.style(role)));
        self
    }

    /// Text of our own, so many times.
    pub(crate) fn times(mut self, text: &'static str, count: usize, role: Role) -> Self {
        self.push(Span::styled(text.repeat(count), self.theme.style(role)));
        self
    }

    /// Cleaned text.
    pub(crate) fn clean(mut self, text: &Clean, role: Role) -> Self {
        let escape = self.theme.style(Role::Escape);
        for span in text.spans(self.theme.style(role), escape) {
            self.push(Span::styled(span.content.into_owned(), span.style));
        }
        self
    }

    /// A number or a time of our own making.
    pub(crate) fn value(self, text: impl AsRef<str>, role: Role) -> Self {
        self.clean(&Clean::new(text.as_ref()), role)
    }

    /// Cleaned text in exactly so many columns, to the left.
    pub(crate) fn cell(self, text: &Clean, columns: usize, role: Role) -> Self {
        let fitted = text.fit(columns, self.theme.symbols.cut);
        let pad = columns - fitted.width();
        self.clean(&fitted, role).gap(pad)
    }

    /// The same, cut in its middle where it is too long.
    pub(crate) fn cell_middle(self, text: &Clean, columns: usize, role: Role) -> Self {
        let fitted = text.middle(columns, self.theme.symbols.cut);
        let pad = columns - fitted.width();
        self.clean(&fitted, role).gap(pad)
    }

    /// Cleaned text in exactly so many columns, to the right.
    pub(crate) fn cell_right(self, text: &Clean, columns: usize, role: Role) -> Self {
        let fitted = text.fit(columns, self.theme.symbols.cut);
        let pad = columns - fitted.width();
        self.gap(pad).clean(&fitted, role)
    }

    /// Empty columns.
    pub(crate) fn gap(mut self, columns: usize) -> Self {
        if columns > 0 {
            self.push(Span::raw(" ".repeat(columns)));
        }
        self
    }

    /// Empty columns up to a column.
    pub(crate) fn to(self, column: usize) -> Self {
        let columns = column.saturating_sub(self.width);
        self.gap(columns)
    }

    /// Another strip behind this one.
    pub(crate) fn join(mut self, other: Strip<'_>) -> Self {
        for span in other.spans {
            self.push(span);
        }
        self
    }

    /// Draws the line, with a mark if it is longer than its place. `over` lies over all of it.
    pub(crate) fn draw(self, area: Rect, buffer: &mut Buffer, over: Style) {
        let area = area.intersection(buffer.area);
        if area.is_empty() {
            return;
        }
        let line = Line::from(self.spans);
        buffer.set_line(area.x, area.y, &line, area.width);
        if self.width > usize::from(area.width) {
            // A wide character at the border would be cut in half: its place is taken whole.
            let last = area.right() - 1;
            buffer[(last, area.y)]
                .set_symbol(self.theme.symbols.cut)
                .set_style(self.theme.style(Role::Escape));
            let before = last.saturating_sub(1);
            if before >= area.x && buffer[(before, area.y)].symbol().width() > 1 {
                buffer[(before, area.y)].set_symbol(" ");
            }
        }
        buffer.set_style(Rect { height: 1, ..area }, over);
    }

    fn push(&mut self, span: Span<'static>) {
        self.width += span.width();
        self.spans.push(span);
    }
}

/// Puts parts into as few lines as hold them, breaking between parts only.
pub(crate) fn flow<'a>(theme: &'a Theme, parts: Vec<Strip<'a>>, width: usize) -> Vec<Strip<'a>> {
    let mut lines: Vec<Strip<'a>> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.width() + 3 + part.width() < width => {
                *line = line.clone().gap(3).join(part);
            }
            _ => lines.push(Strip::new(theme).gap(1).join(part)),
        }
    }
    lines
}
