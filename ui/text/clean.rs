//! The only door for untrusted text: anything from the network, the store, file names and errors.
//!
//! Nothing is deleted silently. What a terminal would obey or hide is shown as an escape: `^[` for
//! control bytes, `<U+202E>` for hidden and direction-changing characters, `\xFF` for bytes that
//! are no UTF-8. What is left takes exactly the columns that `width` says.

use std::fmt;
use std::fmt::Write as _;

use ratatui::style::Style;
use ratatui::text::Span;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use super::hidden::{hidden, stands_alone};

/// Longest line ever shown; more is cut, and a mark stands behind it.
const MOST_COLUMNS: usize = 4_000;
/// Marks allowed on one base; more are shown as escapes.
const MOST_MARKS: usize = 4;
/// Characters allowed in one cell, whatever they are.
const MOST_IN_CELL: usize = 12;
/// Columns between tab stops.
const TAB: usize = 8;
/// Says that a giant line was cut off here.
const CUT: &str = "<cut>";

/// Text that is safe to draw and to print: no control, no hidden, no direction-changing character.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Clean {
    text: String,
    width: usize,
    runs: Vec<Run>,
}

/// Where a run starts; runs are separate spans, so that escapes have a style of their own and no
/// character joins one from its neighbour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Run {
    start: usize,
    escaped: bool,
}

impl Clean {
    /// Cleans one line. A line break inside is shown as an escape.
    pub(crate) fn new(raw: impl AsRef<[u8]>) -> Clean {
        let mut builder = Builder::default();
        for chunk in raw.as_ref().utf8_chunks() {
            for grapheme in chunk.valid().graphemes(true) {
                builder.grapheme(grapheme);
                if builder.over {
                    return builder.cut();
                }
            }
            for byte in chunk.invalid() {
                builder.escape(format_args!("\\x{byte:02X}"));
                if builder.over {
                    return builder.cut();
                }
            }
        }
        builder.clean
    }

    /// Columns this text takes.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The text, for printing.
    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    /// Nothing to show.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether anything is shown as an escape or cut off: what looks alike may not be. Lines that are
    /// compared say so.
    pub(crate) fn is_escaped(&self) -> bool {
        self.runs()
            .any(|(run, text)| run.escaped && !text.is_empty())
    }

    /// The text cut to `columns` on the border of a character, with `mark` (one column) if anything
    /// was cut.
    pub(crate) fn fit(&self, columns: usize, mark: &'static str) -> Clean {
        if self.width <= columns {
            return self.clone();
        }
        let mut cut = Clean::default();
        if columns == 0 {
            return cut;
        }
        for (run, text) in self.runs() {
            cut.runs.push(Run {
                start: cut.text.len(),
                escaped: run.escaped,
            });
            for grapheme in text.graphemes(true) {
                let width = grapheme.width();
                if cut.width + width > columns - 1 {
                    cut.mark(mark);
                    return cut;
                }
                cut.text.push_str(grapheme);
                cut.width += width;
            }
        }
        cut
    }

    /// The text cut to `columns` with `mark` (one column) in its middle, so that its end is seen:
    /// a path or a name is told from its like by its end.
    pub(crate) fn middle(&self, columns: usize, mark: &'static str) -> Clean {
        if self.width <= columns || columns < 4 {
            return self.fit(columns, mark);
        }
        let mut cut = self.fit(columns / 3, mark);
        let tail = self.skip(self.width + cut.width - columns);
        let shift = cut.text.len();
        cut.text.push_str(&tail.text);
        cut.width += tail.width;
        cut.runs.extend(tail.runs.iter().map(|run| Run {
            start: run.start + shift,
            ..*run
        }));
        cut
    }

    /// The text without its first `columns`, from the next border of a character.
    pub(crate) fn skip(&self, columns: usize) -> Clean {
        let mut width = 0;
        for (run, text) in self.runs() {
            for (at, grapheme) in text.grapheme_indices(true) {
                if width >= columns {
                    return self.slice(run.start + at, self.text.len());
                }
                width += grapheme.width();
            }
        }
        Clean::default()
    }

    /// The text in lines of at most `columns`, broken at blanks where there are some.
    pub(crate) fn wrap(&self, columns: usize) -> Vec<Clean> {
        let mut lines = Vec::new();
        let (mut from, mut width) = (0, 0);
        // The last blank of the line, and the columns up to its end.
        let mut blank: Option<(usize, usize)> = None;
        let cells = self.runs().flat_map(|(run, text)| {
            let cells = text.grapheme_indices(true);
            cells.map(move |(at, grapheme)| (run.start + at, grapheme))
        });
        for (at, grapheme) in cells {
            let own = grapheme.width();
            let mut skipped = false;
            // What is left behind a blank may still be too wide with this one.
            while width + own > columns && at > from {
                let (end, next, used) = match blank {
                    _ if grapheme == " " => (at, at + 1, width),
                    Some((blank, used)) => (blank, blank + 1, used),
                    None => (at, at, width),
                };
                lines.push(self.slice(from, end));
                (from, width, blank) = (next, width - used, None);
                skipped = next > at;
                if skipped {
                    break;
                }
            }
            if skipped {
                continue;
            }
            width += own;
            if grapheme == " " {
                blank = Some((at, width));
            }
        }
        lines.push(self.slice(from, self.text.len()));
        lines
    }

    /// A part, from and to the border of a character.
    fn slice(&self, from: usize, to: usize) -> Clean {
        let mut part = Clean::default();
        for (run, text) in self.runs() {
            let (start, end) = (run.start.max(from), (run.start + text.len()).min(to));
            if start < end {
                part.runs.push(Run {
                    start: part.text.len(),
                    escaped: run.escaped,
                });
                let text = &self.text[start..end];
                part.text.push_str(text);
                part.width += text
                    .graphemes(true)
                    .map(UnicodeWidthStr::width)
                    .sum::<usize>();
            }
        }
        part
    }

    /// The text as spans, escapes in a style of their own.
    pub(crate) fn spans(&self, plain: Style, escaped: Style) -> impl Iterator<Item = Span<'_>> {
        self.runs().map(move |(run, text)| {
            let style = if run.escaped {
                plain.patch(escaped)
            } else {
                plain
            };
            Span::styled(text, style)
        })
    }

    fn runs(&self) -> impl Iterator<Item = (Run, &str)> {
        let ends = self.runs.iter().skip(1).map(|run| run.start);
        let ends = ends.chain(std::iter::once(self.text.len()));
        self.runs
            .iter()
            .zip(ends)
            .map(|(run, end)| (*run, &self.text[run.start..end]))
    }

    fn open(&mut self, escaped: bool) {
        let start = self.text.len();
        match self.runs.last_mut() {
            Some(last) if last.escaped == escaped => {}
            Some(last) if last.start == start => last.escaped = escaped,
            _ => self.runs.push(Run { start, escaped }),
        }
    }

    fn seam(&mut self) {
        let start = self.text.len();
        if self.runs.last().is_some_and(|last| last.start < start) {
            self.runs.push(Run {
                start,
                escaped: false,
            });
        }
    }

    fn mark(&mut self, mark: &'static str) {
        self.open(true);
        self.text.push_str(mark);
        self.width += mark.width();
    }
}

impl fmt::Display for Clean {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[derive(Default)]
struct Builder {
    clean: Clean,
    /// The last plain character that is not ASCII, to find pairs that would be drawn joined.
    joins: Option<String>,
    /// Something did not fit any more.
    over: bool,
}

impl Builder {
    /// Whether so many columns fit; after the first that do not, nothing does.
    fn fits(&mut self, columns: usize) -> bool {
        self.over |= self.clean.width + columns > MOST_COLUMNS;
        !self.over
    }

    fn cut(mut self) -> Clean {
        self.clean.mark(CUT);
        self.clean
    }

    fn grapheme(&mut self, grapheme: &str) {
        if let [byte @ 0x20..=0x7e] = grapheme.as_bytes() {
            if !self.fits(1) {
                return;
            }
            self.clean.open(false);
            self.clean.text.push(char::from(*byte));
            self.clean.width += 1;
            self.joins = None;
        } else if grapheme == "\t" {
            self.tab();
        } else if stands_alone(grapheme) {
            self.bounded(grapheme);
        } else {
            self.each(grapheme);
        }
    }

    /// A visible cluster: its base, at most four marks, hidden parts escaped.
    fn bounded(&mut self, grapheme: &str) {
        let mut kept = String::new();
        let mut marks = 0;
        let mut rest = Vec::new();
        for (at, char) in grapheme.chars().enumerate() {
            let mark = at > 0 && unicode_width::UnicodeWidthChar::width(char) == Some(0);
            marks += usize::from(mark);
            if !rest.is_empty() || hidden(char) || marks > MOST_MARKS || at >= MOST_IN_CELL {
                rest.push(char);
            } else {
                kept.push(char);
            }
        }
        self.plain(&kept);
        for char in rest {
            self.char(char);
            if self.over {
                return;
            }
        }
    }

    fn plain(&mut self, cluster: &str) {
        let width = cluster.width();
        if width == 0 || !stands_alone(cluster) {
            return self.each(cluster);
        }
        if !self.fits(width) {
            return;
        }
        self.clean.open(false);
        // Some scripts draw two neighbours in fewer columns than each alone: keep them apart.
        if let Some(last) = &self.joins {
            let pair = format!("{last}{cluster}");
            if pair.width() != last.width() + width || pair.graphemes(true).count() != 2 {
                self.clean.seam();
            }
        }
        self.clean.text.push_str(cluster);
        self.clean.width += width;
        self.joins = (!cluster.is_ascii()).then(|| cluster.to_owned());
    }

    fn each(&mut self, cluster: &str) {
        for char in cluster.chars() {
            self.char(char);
            if self.over {
                return;
            }
        }
    }

    /// One character by itself: as it is if it can stand alone, otherwise its escape.
    fn char(&mut self, char: char) {
        let mut buffer = [0; 4];
        let text = char.encode_utf8(&mut buffer);
        match char {
            '\t' => self.tab(),
            '\0'..='\x1f' => {
                let caret = char::from(char as u8 + 0x40);
                self.escape(format_args!("^{caret}"));
            }
            '\x7f' => self.escape(format_args!("^?")),
            _ if hidden(char) || text.width() == 0 || !stands_alone(text) => {
                self.escape(format_args!("<U+{:04X}>", u32::from(char)));
            }
            _ if !self.fits(text.width()) => {}
            _ => {
                self.clean.open(false);
                self.clean.seam();
                self.clean.width += text.width();
                self.clean.text.push_str(text);
                self.joins = Some(text.to_owned());
            }
        }
    }

    fn tab(&mut self) {
        let columns = TAB - self.clean.width % TAB;
        if !self.fits(columns) {
            return;
        }
        self.clean.open(false);
        self.clean.text.extend(std::iter::repeat_n(' ', columns));
        self.clean.width += columns;
        self.joins = None;
    }

    fn escape(&mut self, form: fmt::Arguments<'_>) {
        self.clean.open(true);
        let start = self.clean.text.len();
        // Writing to a String cannot fail.
        let _ = self.clean.text.write_fmt(form);
        let columns = self.clean.text.len() - start;
        if !self.fits(columns) {
            self.clean.text.truncate(start);
            return;
        }
        self.clean.width += columns;
        self.joins = None;
    }
}

#[cfg(test)]
#[path = "clean_tests.rs"]
mod tests;
