//! Cells to bytes, few of them: what only moved is scrolled, and of a style only what changes is sent.
//!
//! It stands between ratatui and the terminal and knows what the terminal shows, so that the rows of a
//! list that went up by one are not written again.

use std::collections::BTreeSet;
use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, CrosstermBackend, WindowSize};
use ratatui::buffer::{Buffer, Cell, CellWidth};
use ratatui::layout::{Position, Rect, Size};
use ratatui::style::{Color, Modifier};

/// Unchanged cells that are written again sooner than leapt over: a leap takes about so many bytes.
const LEAP: u16 = 4;
/// Rows that a scroll must save.
const WORTH: usize = 3;

/// A terminal that is written to sparingly.
pub(crate) struct Paint<W: Write> {
    inner: CrosstermBackend<W>,
    /// What the terminal shows.
    shown: Buffer,
    /// What it is to show.
    wanted: Buffer,
}

impl<W: Write> Paint<W> {
    /// On a terminal that is clear, or is cleared before anything is drawn.
    pub(crate) fn new(writer: W) -> Paint<W> {
        Paint {
            inner: CrosstermBackend::new(writer),
            shown: Buffer::empty(Rect::ZERO),
            wanted: Buffer::empty(Rect::ZERO),
        }
    }

    /// Makes room for a cell, and so for all before it.
    fn grow(&mut self, x: u16, y: u16) {
        let area = self.wanted.area;
        if x < area.width && y < area.height {
            return;
        }
        let (width, height) = (x.saturating_add(1), y.saturating_add(1));
        let area = Rect::new(0, 0, area.width.max(width), area.height.max(height));
        for buffer in [&mut self.shown, &mut self.wanted] {
            let mut grown = Buffer::empty(area);
            let width = usize::from(area.width);
            for at in 0..usize::from(buffer.area.height) {
                let cells = row(buffer, at);
                grown.content[at * width..][..cells.len()].clone_from_slice(cells);
            }
            *buffer = grown;
        }
    }
}

impl<W: Write> Backend for Paint<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let cells: Vec<(u16, u16, &Cell)> = content.collect();
        let ends = cells
            .iter()
            .map(|(x, y, cell)| (x + width(cell).max(1) - 1, *y));
        let (x, y) = ends.fold((0, 0), |(x, y), end| (x.max(end.0), y.max(end.1)));
        self.grow(x, y);
        for (x, y, cell) in cells {
            let width = width(cell).max(1);
            self.wanted[(x, y)] = cell.clone();
            // What a wide character covers is not told of.
            for covered in x + 1..x + width {
                self.wanted[(covered, y)] = Cell::EMPTY;
            }
        }
        let mut bytes = Vec::new();
        if let Some(scroll) = Scroll::find(&self.shown, &self.wanted) {
            scroll.apply(&mut self.shown);
            scroll.write(&mut bytes)?;
        }
        halve(&mut self.shown, &self.wanted);
        let mut pen = Pen::new(&self.wanted);
        for (x, y, cell) in self.shown.diff(&self.wanted) {
            pen.put(x, y, cell, &mut bytes)?;
            self.shown[(x, y)] = cell.clone();
            for covered in x + 1..x + width(cell).max(1) {
                self.shown[(covered, y)] = Cell::EMPTY;
            }
        }
        if !bytes.is_empty() {
            bytes.extend(b"\x1b[m");
        }
        self.inner.write_all(&bytes)
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.inner.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.clear_region(ClearType::All)
    }

    /// Whatever is asked for, all of it is cleared: a screen of ours begins at its first cell.
    fn clear_region(&mut self, _: ClearType) -> io::Result<()> {
        for buffer in [&mut self.shown, &mut self.wanted] {
            *buffer = Buffer::empty(Rect::ZERO);
        }
        self.inner.clear_region(ClearType::All)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        Backend::flush(&mut self.inner)
    }
}

/// Where a wide character goes nobody knows what its terminal leaves in its other half: that is written.
fn halve(shown: &mut Buffer, wanted: &Buffer) {
    // Like no cell of ours.
    let mut unknown = Cell::EMPTY;
    unknown.modifier = Modifier::all();
    for at in 0..shown.content.len() {
        let cell = &shown.content[at];
        if cell.symbol().len() > 1 && *cell != wanted.content[at] {
            let width = usize::from(width(cell)).max(1);
            let end = (at + width).min(shown.content.len());
            shown.content[at + 1..end].fill(unknown.clone());
        }
    }
}

/// Columns of a cell; most are one letter.
fn width(cell: &Cell) -> u16 {
    match cell.symbol().len() {
        1 => 1,
        _ => cell.cell_width(),
    }
}

fn row(buffer: &Buffer, at: usize) -> &[Cell] {
    let width = usize::from(buffer.area.width);
    &buffer.content[at * width..(at + 1) * width]
}

/// Rows `top..=bottom` go up by so many, or down where that is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scroll {
    top: usize,
    bottom: usize,
    up: isize,
}

impl Scroll {
    /// The scroll that saves the most rows, if one saves enough of them.
    fn find(shown: &Buffer, wanted: &Buffer) -> Option<Scroll> {
        let rows = 0..usize::from(wanted.area.height);
        let right: Vec<bool> = rows.map(|at| row(shown, at) == row(wanted, at)).collect();
        let changed: Vec<usize> = (0..right.len()).filter(|at| !right[*at]).collect();
        let (first, last) = (*changed.first()?, *changed.last()?);
        // Where a few of the changed rows stood says how far all of them may have gone.
        let probes = [1, 2, 3].map(|part| changed[changed.len() * part / 4]);
        let stood = probes.iter().flat_map(|probe| {
            let stood = (first..=last).filter(|at| row(shown, *at) == row(wanted, *probe));
            stood.map(|at| at.cast_signed() - probe.cast_signed())
        });
        let ways: BTreeSet<isize> = stood.filter(|up| *up != 0).collect();
        let found = ways.into_iter().filter_map(|up| {
            let fits = |at: usize| {
                let from = at.checked_add_signed(up);
                let from = from.filter(|from| (first..=last).contains(from));
                from.is_some_and(|from| row(shown, from) == row(wanted, at))
            };
            let fits: Vec<bool> = (first..=last).map(fits).collect();
            Scroll::by(&fits, &right[first..=last], up, first)
        });
        let (saved, best) = found.max_by_key(|(saved, _)| *saved)?;
        (saved >= WORTH).then_some(best)
    }

    /// How many more rows going up by so many saves than it spoils: rows that would then be as wanted,
    /// and rows that are so already, counted from `first`.
    fn by(fits: &[bool], right: &[bool], up: isize, first: usize) -> Option<(usize, Scroll)> {
        let (head, tail) = (
            fits.iter().position(|fits| *fits)?,
            fits.iter().rposition(|fits| *fits)?,
        );
        let top = head.min(head.checked_add_signed(up)?);
        let bottom = tail.max(tail.checked_add_signed(up)?);
        let saved = (top..=bottom).filter(|at| fits[*at] && !right[*at]).count();
        let lost = (top..=bottom).filter(|at| !fits[*at] && right[*at]).count();
        let scroll = Scroll {
            top: first + top,
            bottom: first + bottom,
            up,
        };
        Some((saved.checked_sub(lost)?, scroll))
    }

    fn apply(self, shown: &mut Buffer) {
        let width = usize::from(shown.area.width);
        let rows = &mut shown.content[self.top * width..(self.bottom + 1) * width];
        let gone = self.up.unsigned_abs() * width;
        if self.up > 0 {
            rows.rotate_left(gone);
            let kept = rows.len() - gone;
            rows[kept..].fill(Cell::EMPTY);
        } else {
            rows.rotate_right(gone);
            rows[..gone].fill(Cell::EMPTY);
        }
    }

    fn write(self, bytes: &mut Vec<u8>) -> io::Result<()> {
        let (top, bottom) = (self.top + 1, self.bottom + 1);
        let (count, way) = (self.up.unsigned_abs(), if self.up > 0 { 'S' } else { 'T' });
        // The plain style first: rows that come in take the ground that is in force.
        write!(bytes, "\x1b[m\x1b[{top};{bottom}r\x1b[{count}{way}\x1b[r")
    }
}

/// Where the terminal's cursor stands, and the style in force.
struct Pen<'a> {
    wanted: &'a Buffer,
    at: Option<(u16, u16)>,
    style: (Color, Color, Modifier),
}

fn style(cell: &Cell) -> (Color, Color, Modifier) {
    (cell.fg, cell.bg, cell.modifier)
}

impl<'a> Pen<'a> {
    fn new(wanted: &'a Buffer) -> Pen<'a> {
        Pen {
            wanted,
            at: None,
            style: (Color::Reset, Color::Reset, Modifier::empty()),
        }
    }

    fn put(&mut self, x: u16, y: u16, cell: &Cell, bytes: &mut Vec<u8>) -> io::Result<()> {
        self.go(x, y, bytes)?;
        self.wear(style(cell), bytes)?;
        bytes.extend(cell.symbol().as_bytes());
        // Terminals do not agree on where a wide character ends.
        let narrow = width(cell) == 1;
        self.at = narrow.then_some((x + 1, y));
        Ok(())
    }

    fn go(&mut self, x: u16, y: u16, bytes: &mut Vec<u8>) -> io::Result<()> {
        match self.at {
            Some(at) if at == (x, y) => Ok(()),
            Some((from, line)) if line == y && from < x => {
                let between = (from..x).map(|at| &self.wanted[(at, y)]);
                let plain = |cell: &Cell| style(cell) == self.style && cell.symbol().len() == 1;
                if x - from <= LEAP && between.clone().all(plain) {
                    between.for_each(|cell| bytes.extend(cell.symbol().as_bytes()));
                    return Ok(());
                }
                write!(bytes, "\x1b[{}G", x + 1)
            }
            _ => write!(bytes, "\x1b[{};{}H", y + 1, x + 1),
        }
    }

    fn wear(&mut self, new: (Color, Color, Modifier), bytes: &mut Vec<u8>) -> io::Result<()> {
        if new == self.style {
            return Ok(());
        }
        let (fg, bg, modifier) = new;
        let (old_fg, old_bg, mut old) = self.style;
        bytes.extend(b"\x1b[");
        for (group, code) in OFF {
            if (old - modifier).intersects(group) {
                bytes.extend([b'2', code, b';']);
                // All of the group are off, also those still wanted.
                old -= group;
            }
        }
        if modifier != old {
            for (one, code) in MODIFIERS {
                if modifier.contains(one) && !old.contains(one) {
                    bytes.extend([code, b';']);
                }
            }
        }
        if fg != old_fg {
            code(fg, 30, bytes)?;
        }
        if bg != old_bg {
            code(bg, 40, bytes)?;
        }
        self.style = new;
        // A mark stands behind each part; the last one ends the sequence.
        if let Some(last) = bytes.last_mut() {
            *last = b'm';
        }
        Ok(())
    }
}

const MODIFIERS: [(Modifier, u8); 9] = [
    (Modifier::BOLD, b'1'),
    (Modifier::DIM, b'2'),
    (Modifier::ITALIC, b'3'),
    (Modifier::UNDERLINED, b'4'),
    (Modifier::SLOW_BLINK, b'5'),
    (Modifier::RAPID_BLINK, b'6'),
    (Modifier::REVERSED, b'7'),
    (Modifier::HIDDEN, b'8'),
    (Modifier::CROSSED_OUT, b'9'),
];

/// What is switched off together.
const OFF: [(Modifier, u8); 7] = [
    (Modifier::BOLD.union(Modifier::DIM), b'2'),
    (Modifier::ITALIC, b'3'),
    (Modifier::UNDERLINED, b'4'),
    (Modifier::SLOW_BLINK.union(Modifier::RAPID_BLINK), b'5'),
    (Modifier::REVERSED, b'7'),
    (Modifier::HIDDEN, b'8'),
    (Modifier::CROSSED_OUT, b'9'),
];

/// The code of a colour and a mark behind it; `base` is 30 for letters and 40 for the ground.
fn code(colour: Color, base: u8, bytes: &mut Vec<u8>) -> io::Result<()> {
    let bright = base + 60;
    let one = match colour {
        Color::Reset => base + 9,
        Color::Black => base,
        Color::Red => base + 1,
        Color::Green => base + 2,
        Color::Yellow => base + 3,
        Color::Blue => base + 4,
        Color::Magenta => base + 5,
        Color::Cyan => base + 6,
        Color::Gray => base + 7,
        Color::DarkGray => bright,
        Color::LightRed => bright + 1,
        Color::LightGreen => bright + 2,
        Color::LightYellow => bright + 3,
        Color::LightBlue => bright + 4,
        Color::LightMagenta => bright + 5,
        Color::LightCyan => bright + 6,
        Color::White => bright + 7,
        Color::Indexed(at) => return write!(bytes, "{};5;{at};", base + 8),
        Color::Rgb(r, g, b) => return write!(bytes, "{};2;{r};{g};{b};", base + 8),
    };
    write!(bytes, "{one};")
}

#[cfg(test)]
#[path = "paint_tests.rs"]
mod tests;
