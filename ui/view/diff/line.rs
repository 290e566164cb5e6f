//! One piece of a text as the cells it takes: nothing in it can hide, and nothing that differs looks
//! the same.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::state::diff::find::places;
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};

/// Columns between tab stops.
const TAB: usize = 8;
/// Larger pieces show what stands around their marks.
const WHOLE: usize = 2_100;
/// Bytes shown around a mark of a large piece, and at its beginning.
const AROUND: usize = 160;
/// Columns of indentation at most.
const MOST_INDENT: usize = 40;
/// Bytes shown of a piece that looks like another one.
const MOST_HEX: usize = 12;

/// A piece and how it is to be shown.
pub(super) struct Piece<'a> {
    /// Its bytes, with its line end.
    pub(super) bytes: &'a [u8],
    /// Parts that changed.
    pub(super) marks: Vec<Range<usize>>,
    pub(super) role: Role,
    /// It is no line of both sides.
    pub(super) changed: bool,
    /// Another piece looks the same and is not: from this byte on.
    pub(super) alike: Option<usize>,
    /// How deep it stands in a document that is laid out; blanks around it are no part of it then.
    pub(super) depth: Option<u32>,
    /// It is the last line and lacks its end.
    pub(super) lacks_end: bool,
}

/// One character, or escape, or blank.
struct Cell {
    text: String,
    width: usize,
    style: Style,
}

/// The cells of a line.
#[derive(Default)]
pub(super) struct Cells {
    cells: Vec<Cell>,
    width: usize,
}

impl Cells {
    pub(super) fn new(piece: &Piece<'_>, search: &str, theme: &Theme) -> Cells {
        let mut cells = Cells::default();
        let plain = theme.style(piece.role);
        let whole = match piece.bytes {
            [text @ .., b'\n'] => text,
            text => text,
        };
        let shown = match piece.depth {
            None => 0..whole.len(),
            Some(depth) => {
                let indent = usize::try_from(depth).unwrap_or(MOST_INDENT) * 2;
                cells.blanks(indent.min(MOST_INDENT), plain);
                let start = whole.len() - whole.trim_ascii_start().len();
                start..start.max(whole.trim_ascii_end().len())
            }
        };
        let tail = if piece.changed {
            let text = &whole[shown.clone()];
            let kept = text.iter().rposition(|byte| !matches!(byte, b' ' | b'\t'));
            shown.start + kept.map_or(0, |at| at + 1)
        } else {
            shown.end
        };
        let found = places(whole, search.as_bytes());
        for part in parts(whole, shown, &piece.marks) {
            match part {
                Part::Out(bytes) => cells.left_out(bytes, theme),
                Part::Shown(range) => cells.part(whole, range, tail, (piece, &found), theme),
            }
        }
        if let Some(from) = piece.alike {
            let escape = theme.style(Role::Escape);
            let bytes = whole.get(from..).unwrap_or_default().iter().take(MOST_HEX);
            let hex: Vec<String> = bytes.map(|byte| format!("{byte:02X}")).collect();
            cells.text(
                &Clean::new(format!(" <bytes {}>", hex.join(" "))),
                escape,
                escape,
            );
        }
        if piece.lacks_end {
            let escape = theme.style(Role::Escape);
            cells.text(&Clean::new(" <no newline at the end>"), escape, escape);
        }
        cells
    }

    /// Cleaned text alone.
    pub(super) fn of(text: &Clean, role: Role, theme: &Theme) -> Cells {
        let mut cells = Cells::default();
        cells.text(text, theme.style(role), theme.style(Role::Escape));
        cells
    }

    /// Part of a piece, cut where a style or a tab begins or ends.
    fn part(
        &mut self,
        whole: &[u8],
        range: Range<usize>,
        tail: usize,
        (piece, found): (&Piece<'_>, &[Range<usize>]),
        theme: &Theme,
    ) {
        let plain = theme.style(piece.role);
        let inside = |ranges: &[Range<usize>], at: usize| {
            let next = ranges.partition_point(|range| range.end <= at);
            ranges.get(next).filter(|range| range.start <= at).is_some()
        };
        let border = |ranges: &[Range<usize>], at: usize| {
            let next = ranges.partition_point(|range| range.end <= at);
            ranges.get(next).map_or(usize::MAX, |range| {
                if range.start > at {
                    range.start
                } else {
                    range.end
                }
            })
        };
        let mut at = range.start;
        while at < range.end {
            let mut style = plain;
            if inside(&piece.marks, at) {
                style = style.add_modifier(Modifier::REVERSED);
            }
            if inside(found, at) {
                style = theme.style(Role::Match);
            }
            let byte = whole[at];
            if byte == b'\t' {
                let columns = TAB - self.width % TAB;
                self.push(theme.symbols.tab, style.patch(theme.style(Role::Dim)));
                self.blanks(columns - 1, style);
                at += 1;
                continue;
            }
            if at >= tail && byte == b' ' {
                self.push(theme.symbols.blank, style.patch(theme.style(Role::Escape)));
                at += 1;
                continue;
            }
            let tab = whole[at..range.end].iter().position(|byte| *byte == b'\t');
            let mut end = tab.map_or(range.end, |tab| at + tab);
            end = end.min(border(&piece.marks, at)).min(border(found, at));
            if tail > at {
                end = end.min(tail);
            }
            self.text(
                &Clean::new(&whole[at..end]),
                style,
                theme.style(Role::Escape),
            );
            at = end.max(at + 1);
        }
    }

    fn left_out(&mut self, bytes: usize, theme: &Theme) {
        let escape = theme.style(Role::Escape);
        let text = format!("<{} bytes left out>", fit::count(bytes as u64));
        self.text(&Clean::new(text), escape, escape);
    }

    fn text(&mut self, text: &Clean, plain: Style, escape: Style) {
        for span in text.spans(plain, escape) {
            for grapheme in span.content.graphemes(true) {
                self.push(grapheme, span.style);
            }
        }
    }

    fn blanks(&mut self, columns: usize, style: Style) {
        for _ in 0..columns {
            self.push(" ", style);
        }
    }

    fn push(&mut self, text: &str, style: Style) {
        let width = text.width();
        self.width += width;
        self.cells.push(Cell {
            text: text.to_owned(),
            width,
            style,
        });
    }

    /// Lines it takes when it goes on below.
    pub(super) fn height(&self, columns: usize) -> usize {
        self.lines(columns).len()
    }

    /// Cells of each line.
    fn lines(&self, columns: usize) -> Vec<Range<usize>> {
        let mut lines = Vec::new();
        let (mut from, mut width) = (0, 0);
        for (at, cell) in self.cells.iter().enumerate() {
            if width + cell.width > columns && at > from {
                lines.push(from..at);
                (from, width) = (at, 0);
            }
            width += cell.width;
        }
        lines.push(from..self.cells.len());
        lines
    }

    /// Draws it over as many lines as it takes and there are.
    pub(super) fn draw_wrapped(&self, area: Rect, buffer: &mut Buffer) {
        let lines = self.lines(usize::from(area.width));
        for (y, line) in (area.y..area.bottom()).zip(lines) {
            let row = Rect {
                y,
                height: 1,
                ..area
            };
            draw(&self.cells[line], 0, row, buffer);
        }
    }

    /// Draws it from a column on, with a mark wherever something is cut off.
    pub(super) fn draw_cut(&self, left: usize, area: Rect, buffer: &mut Buffer, theme: &Theme) {
        draw(&self.cells, left, area, buffer);
        let (escape, room) = (theme.style(Role::Escape), usize::from(area.width));
        if area.is_empty() {
            return;
        }
        let mut mark = |x: u16| {
            buffer[(x, area.y)]
                .set_symbol(theme.symbols.cut)
                .set_style(escape);
        };
        if left > 0 && self.width > 0 {
            mark(area.x);
        }
        if self.width > left + room {
            mark(area.right() - 1);
            let before = area.right().saturating_sub(2);
            if before > area.x && buffer[(before, area.y)].symbol().width() > 1 {
                buffer[(before, area.y)].set_symbol(" ");
            }
        }
    }
}

/// Draws cells into one line, without the first `left` columns.
fn draw(cells: &[Cell], left: usize, area: Rect, buffer: &mut Buffer) {
    let mut column = 0;
    for cell in cells {
        let end = column + cell.width;
        if column >= left {
            let x = column - left;
            if end - left > usize::from(area.width) {
                break;
            }
            let x = area.x + u16::try_from(x).unwrap_or(u16::MAX);
            buffer.set_string(x, area.y, &cell.text, cell.style);
        }
        column = end;
    }
}

enum Part {
    Shown(Range<usize>),
    /// So many bytes.
    Out(usize),
}

/// A small piece whole; of a large one its beginning and what stands around its marks.
fn parts(text: &[u8], shown: Range<usize>, marks: &[Range<usize>]) -> Vec<Part> {
    if shown.len() <= WHOLE {
        return vec![Part::Shown(shown)];
    }
    let clip = |at: usize| {
        let mut at = at.clamp(shown.start, shown.end);
        while at < shown.end && text[at] & 0xc0 == 0x80 {
            at += 1;
        }
        at
    };
    let mut kept: Vec<Range<usize>> = Vec::new();
    kept.push(shown.start..clip(shown.start + AROUND));
    for mark in marks.iter().take(200) {
        let end = mark.end.min(mark.start + WHOLE);
        let (from, to) = (clip(mark.start.saturating_sub(AROUND)), clip(end + AROUND));
        match kept.last_mut() {
            Some(last) if from <= last.end + AROUND => last.end = last.end.max(to),
            _ => kept.push(from..to),
        }
    }
    let mut parts = Vec::new();
    let mut at = shown.start;
    for range in kept {
        if range.start > at {
            parts.push(Part::Out(range.start - at));
        }
        at = range.end;
        parts.push(Part::Shown(range));
    }
    if shown.end > at {
        parts.push(Part::Out(shown.end - at));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_kit::mono;

    fn shown(piece: &Piece<'_>) -> String {
        let cells = Cells::new(piece, "", &mono());
        cells.cells.iter().map(|cell| cell.text.as_str()).collect()
    }

    fn changed(bytes: &[u8]) -> Piece<'_> {
        Piece {
            bytes,
            marks: Vec::new(),
            role: Role::Added,
            changed: true,
            alike: None,
            depth: None,
            lacks_end: false,
        }
    }

    #[test]
    fn nothing_hides_in_a_changed_line() {
        let table: &[(&[u8], &str)] = &[
            (b"a\tb\r\n", "a→      b^M"),
            (b"a  \n", "a··"),
            (b"  \t\n", "··→     "),
            ("\u{feff}x\u{202e}\n".as_bytes(), "<U+FEFF>x<U+202E>"),
            (b"\xff\n", "\\xFF"),
            (b"\n", ""),
        ];
        for (bytes, text) in table {
            assert_eq!(shown(&changed(bytes)), *text, "{bytes:?}");
        }
        let end = Piece {
            lacks_end: true,
            ..changed(b"a")
        };
        assert_eq!(shown(&end), "a <no newline at the end>");
        let alike = Piece {
            alike: Some(1),
            ..changed("xe\u{301}\n".as_bytes())
        };
        assert_eq!(shown(&alike), "xe\u{301} <bytes 65 CC 81>");
    }

    #[test]
    fn a_giant_piece_shows_what_stands_around_its_marks() {
        let mut bytes = "日".repeat(100_000).into_bytes();
        bytes.splice(150_000..150_003, *b"CHANGED");
        let piece = Piece {
            marks: vec![Range {
                start: 150_000,
                end: 150_007,
            }],
            ..changed(&bytes)
        };
        let text = shown(&piece);
        assert!(text.contains("CHANGED") && text.len() < 2_000, "{text}");
        assert_eq!(text.matches("bytes left out>").count(), 2, "{text}");
        assert!(!text.contains("\\x"), "no character is cut: {text}");
    }
}
