//! The view of a diff: where it stands, its two sides, what there is to know, and the rows. Of these
//! only the ones on the screen are ever made.

mod line;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hit, Hits, Lines, chrome};
use crate::action::Action;
use crate::engine;
use crate::jobs::diff::{Compared, Fine, Half, LARGEST, Look, Told, Where};
use crate::state::State;
use crate::state::diff::Diff;
use crate::state::diff::rows::{Kind, Row};
use crate::state::page::Part;
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;
use engine::history::hex_row;
use line::{Cells, Piece};

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    (state, diff): (&State, &Diff),
    theme: &Theme,
    hits: &mut Hits,
) {
    let mut lines = Lines { left: area };
    let line = lines.next();
    trail((state, diff), theme, line, hits).draw(line, frame.buffer_mut(), Style::new());
    let mut draw = Draw {
        frame,
        area: lines.left,
        state,
        diff,
        theme,
        hits,
    };
    match &diff.told {
        Part::Ready(told) => draw.told(told),
        part => draw.missing(part),
    }
}

/// `Hosts > docs.alder.test > /llms.txt`, and how much changed at the right end.
fn trail<'a>(
    (state, diff): (&State, &Diff),
    theme: &'a Theme,
    line: Rect,
    hits: &mut Hits,
) -> Strip<'a> {
    let rule = theme.symbols.rule;
    let pane = state.pane.word();
    let mut right = Strip::new(theme);
    if let Some(compared) = diff.compared() {
        let count = compared.script.changes.len();
        let of = |side: fn(&engine::history::Change) -> usize| {
            compared.script.changes.iter().map(side).sum::<usize>() as u64
        };
        let (removed, added) = (of(|change| change.old.len()), of(|change| change.new.len()));
        let word = if count == 1 { "change" } else { "changes" };
        right = right
            .gap(1)
            .value(format!("{} {word}", fit::count(count as u64)), Role::Plain)
            .gap(1)
            .value(format!("-{}", fit::count(removed)), Role::Removed)
            .gap(1)
            .value(format!("+{}", fit::count(added)), Role::Added)
            .gap(1)
            .fixed(rule, Role::Dim);
    }
    let left = Strip::new(theme)
        .fixed(rule, Role::Dim)
        .gap(1)
        .fixed(pane, Role::Plain)
        .fixed(" > ", Role::Dim)
        .clean(&diff.name, Role::Plain);
    hits.put(
        chrome::part(line, 0, left.width()),
        Hit::Action(Action::Back),
    );
    let left = left.fixed(" > ", Role::Dim);
    let room = usize::from(line.width).saturating_sub(left.width() + right.width() + 2);
    let location = Clean::new(&diff.wanted.new.location);
    let left = left
        .clean(&location.fit(room.max(8), theme.symbols.cut), Role::Title)
        .gap(1);
    let rest = usize::from(line.width).saturating_sub(left.width() + right.width());
    left.times(rule, rest, Role::Dim).join(right)
}

/// What the view is drawn with.
struct Draw<'a, 'f, 'b> {
    frame: &'a mut Frame<'f>,
    /// What is left of it.
    area: Rect,
    state: &'b State,
    diff: &'b Diff,
    theme: &'b Theme,
    hits: &'a mut Hits,
}

impl<'b> Draw<'_, '_, 'b> {
    fn put(&mut self, strip: Strip<'_>) {
        let mut lines = Lines { left: self.area };
        let line = lines.next();
        self.area = lines.left;
        strip.draw(line, self.frame.buffer_mut(), Style::new());
    }

    fn strip(&self) -> Strip<'b> {
        Strip::new(self.theme)
    }

    /// A sentence in as many lines as it takes.
    fn say(&mut self, text: impl AsRef<str>, role: Role) {
        let room = usize::from(self.area.width.saturating_sub(4)).max(1);
        for line in Clean::new(text.as_ref()).wrap(room) {
            let strip = self.strip().gap(2).clean(&line, role);
            self.put(strip);
        }
    }

    fn missing(&mut self, part: &Part<Told>) {
        let key = self
            .state
            .keymap
            .hint(self.state.pane_stack(), Action::Retry);
        match part {
            Part::Not => self.say(format!("not read yet; {key} reads it"), Role::Dim),
            Part::Reading => self.say("reading the two versions", Role::Dim),
            Part::Failed(problem) => {
                self.say(problem.as_str(), Role::Bad);
                self.say(format!("{key} tries again"), Role::Dim);
            }
            Part::Ready(_) => {}
        }
    }

    fn told(&mut self, told: &'b Told) {
        let old = told.pair.old.as_ref();
        self.side("-", Role::Removed, old);
        self.side("+", Role::Added, Some(&told.pair.new));
        if let Some(compared) = &told.compared {
            for note in self.diff.notes() {
                let strip = self.strip().gap(2).clean(&note, Role::Told);
                self.put(strip);
            }
            return self.compared(compared, told.fine.as_deref());
        }
        if told.too_large() {
            self.say("", Role::Plain);
            self.say(
                format!(
                    "More than {}: told by size and digest alone. `lamplighter diff` writes what changed as a patch.",
                    fit::bytes(LARGEST as u64)
                ),
                Role::Told,
            );
            for half in [old, Some(&told.pair.new)].into_iter().flatten() {
                let body = &half.body;
                self.say(
                    format!(
                        "version {}: {} bytes, sha256 {}",
                        body.version.number,
                        fit::count(body.version.bytes),
                        hex(&body.version.sha256)
                    ),
                    Role::Plain,
                );
            }
            return;
        }
        self.say("comparing", Role::Dim);
    }

    /// `- version 3  2026-11-23 06:00Z  4.1 kB  UTF-8, LF  sha256 ab12..`
    fn side(&mut self, sign: &'static str, role: Role, half: Option<&Half>) {
        let strip = self.strip().gap(1).fixed(sign, role).gap(1);
        let strip = match half {
            None => strip.fixed("nothing before it", Role::Dim),
            Some(half) => {
                let version = &half.body.version;
                let mut strip = strip.value(format!("version {}", version.number), Role::Title);
                if version.location != self.diff.wanted.new.location {
                    strip = strip
                        .gap(1)
                        .clean(&Clean::new(&version.location), Role::Title);
                }
                let mut facts = vec![half.known.encoding.to_string()];
                if half.facts.mark {
                    facts.push("BOM".to_owned());
                }
                if half.known.encoding != engine::history::Encoding::Binary {
                    let ends = half.facts.ends();
                    facts.push(match ends.as_str() {
                        _ if half.body.bytes.is_empty() => "empty".to_owned(),
                        "none" => "one line".to_owned(),
                        _ => ends,
                    });
                }
                strip
                    .gap(2)
                    .value(fit::second(version.first_seen), Role::Plain)
                    .gap(2)
                    .value(fit::bytes(version.bytes), Role::Plain)
                    .gap(2)
                    .value(facts.join(", "), Role::Plain)
                    .gap(2)
                    .value(&hex(&version.sha256)[..12], Role::Dim)
            }
        };
        self.put(strip);
    }

    fn compared(&mut self, compared: &'b Compared, fine: Option<&'b Fine>) {
        let diff = self.diff;
        if diff.rows().len() == 0 {
            let text = match compared.look {
                _ if compared.pair.is_equal() => "the two are the same, byte for byte",
                Look::Laid => {
                    "no member differs; what differs are blanks between them, or marks: see the lines"
                }
                _ if compared.pair.old.is_none() => "the file is empty",
                _ => {
                    "the texts are the same; the bytes are not: they differ in their encoding alone"
                }
            };
            return self.say(text, Role::Told);
        }
        let digits = |text: &crate::jobs::diff::Text| {
            let count = text
                .lines
                .as_ref()
                .map_or(text.pieces.len(), |lines| lines.len());
            count.max(1).to_string().len()
        };
        let digits = digits(&compared.old).max(digits(&compared.new)).max(3);
        let rows = Drawn {
            compared,
            fine,
            digits: if compared.look == Look::Bytes {
                0
            } else {
                digits
            },
        };
        let mut at = self.top(&rows);
        while self.area.height > 0 {
            let Some(row) = diff.rows().get(at) else {
                break;
            };
            let height = self.row(&rows, at, row).clamp(1, self.area.height);
            let place = Rect {
                height,
                ..self.area
            };
            self.hits.put(place, Hit::DiffRow(at));
            self.area.y += height;
            self.area.height -= height;
            at += 1;
        }
    }

    /// The first row shown: where lines go on below, further down than the place says, or the row under
    /// the cursor would not be seen.
    fn top(&self, drawn: &Drawn<'_>) -> usize {
        let place = self.diff.place;
        if !self.diff.wrap {
            return place.top;
        }
        let mut room = usize::from(self.area.height);
        let mut top = place.at;
        for at in (place.top..=place.at).rev() {
            let row = self.diff.rows().get(at);
            let height = row.map_or(1, |row| self.height(drawn, row));
            if height > room {
                break;
            }
            room -= height;
            top = at;
        }
        top
    }

    /// Lines a row takes where lines go on below.
    fn height(&self, drawn: &Drawn<'_>, row: Row) -> usize {
        if let Kind::Head(_) = row.kind {
            return 1;
        }
        let before = match self.diff.is_beside(self.state.size) {
            true => 4 + drawn.digits,
            false => 5 + 2 * drawn.digits,
        };
        let (sides, width) = match self.diff.is_beside(self.state.size) {
            true => (
                vec![Where::Old, Where::New],
                usize::from(self.area.width) / 2,
            ),
            false if row.new.is_some() => (vec![Where::New], usize::from(self.area.width)),
            false => (vec![Where::Old], usize::from(self.area.width)),
        };
        let room = width.saturating_sub(before).max(1);
        let heights = sides.into_iter().map(|side| {
            let cells = drawn.cells(side, row, Role::Plain, "", self.theme);
            cells.height(room)
        });
        heights.max().unwrap_or(1)
    }

    /// Draws a row at the top of what is left. The lines it took.
    fn row(&mut self, drawn: &Drawn<'_>, at: usize, row: Row) -> u16 {
        let pointed = at == self.diff.place.at;
        if let Kind::Head(_) = row.kind {
            self.head(row, pointed);
            return 1;
        }
        if !self.diff.is_beside(self.state.size) {
            let (sign, role) = match row.kind {
                Kind::Removed => ("-", Role::Removed),
                Kind::Added => ("+", Role::Added),
                _ => (" ", Role::Plain),
            };
            let side = if row.new.is_some() {
                Where::New
            } else {
                Where::Old
            };
            let cells = drawn.cells(side, row, role, &self.diff.search, self.theme);
            let strip = self.gutter(pointed);
            let strip = drawn.number(strip, Where::Old, row.old);
            let strip = drawn.number(strip, Where::New, row.new);
            let strip = strip.fixed(sign, role).gap(1);
            return self.text(strip, self.area, &cells);
        }
        let left = self.area.width / 2;
        let halves = [
            (Where::Old, row.old, 0, left.saturating_sub(1)),
            (Where::New, row.new, left, self.area.width - left),
        ];
        let mut height = 1;
        for (side, piece, x, width) in halves {
            let area = Rect {
                x: self.area.x + x,
                width,
                ..self.area
            };
            let (sign, role) = match (row.kind, side) {
                (Kind::Equal, _) => (" ", Role::Plain),
                (_, Where::Old) => ("-", Role::Removed),
                (_, Where::New) => ("+", Role::Added),
            };
            let strip = match side {
                Where::Old => self.gutter(pointed),
                Where::New => self.strip().fixed(self.theme.symbols.bar, Role::Border),
            };
            let strip = drawn.number(strip, side, piece);
            if piece.is_none() {
                strip.draw(area, self.frame.buffer_mut(), Style::new());
                continue;
            }
            let cells = drawn.cells(side, row, role, &self.diff.search, self.theme);
            let strip = strip.fixed(sign, role).gap(1);
            height = height.max(self.text(strip, area, &cells));
        }
        // The border goes down beside whatever goes on below.
        for y in 1..height.min(self.area.height) {
            let place = Rect {
                x: self.area.x + left,
                y: self.area.y + y,
                width: 1,
                height: 1,
            };
            let bar = self.strip().fixed(self.theme.symbols.bar, Role::Border);
            bar.draw(place, self.frame.buffer_mut(), Style::new());
        }
        height
    }

    fn gutter(&self, pointed: bool) -> Strip<'b> {
        let pointer = if pointed {
            self.theme.symbols.pointer
        } else {
            " "
        };
        self.strip().fixed(pointer, Role::Title)
    }

    /// What stands before the text, and the text. The lines it took.
    fn text(&mut self, strip: Strip<'_>, area: Rect, cells: &Cells) -> u16 {
        let before = u16::try_from(strip.width())
            .unwrap_or(u16::MAX)
            .min(area.width);
        let first = Rect { height: 1, ..area };
        strip.draw(first, self.frame.buffer_mut(), Style::new());
        let area = Rect {
            x: area.x + before,
            width: area.width - before,
            ..area
        };
        if area.width == 0 {
            return 1;
        }
        let buffer = self.frame.buffer_mut();
        if self.diff.wrap {
            cells.draw_wrapped(area, buffer);
            return u16::try_from(cells.height(usize::from(area.width))).unwrap_or(u16::MAX);
        }
        cells.draw_cut(
            self.diff.left,
            Rect { height: 1, ..area },
            buffer,
            self.theme,
        );
        1
    }

    /// `── 37 equal lines ── @@ -12,7 +12,9 @@ ──`
    fn head(&mut self, row: Row, pointed: bool) {
        let rule = self.theme.symbols.rule;
        let mut strip = self.gutter(pointed).times(rule, 2, Role::Dim).gap(1);
        let what = match self.diff.compared() {
            Some(compared) if compared.look == Look::Bytes => "equal rows",
            Some(compared) if compared.look == Look::Laid => "equal members",
            Some(compared) if compared.old.lines.is_some() => "equal parts",
            _ => "equal lines",
        };
        if row.hidden > 0 {
            let hidden = format!("{} {what}", fit::count(row.hidden as u64));
            strip = strip
                .value(hidden, Role::Dim)
                .gap(1)
                .times(rule, 2, Role::Dim)
                .gap(1);
        }
        if let Kind::Head(number) = row.kind
            && let Some(hunk) = self.diff.rows().hunks.get(number)
        {
            let place = |(start, len): (usize, usize)| match len {
                0 => format!("{start},0"),
                1 => format!("{}", start + 1),
                len => format!("{},{len}", start + 1),
            };
            let places = format!("@@ -{} +{} @@", place(hunk.old), place(hunk.new));
            let count = format!("{} of {}", number + 1, self.diff.rows().hunks.len());
            strip = strip
                .value(places, Role::Changed)
                .gap(1)
                .value(count, Role::Dim)
                .gap(1);
        }
        let rest = usize::from(self.area.width).saturating_sub(strip.width());
        let strip = strip.times(rule, rest, Role::Dim);
        strip.draw(self.area, self.frame.buffer_mut(), Style::new());
    }
}

/// What rows are made from.
struct Drawn<'b> {
    compared: &'b Compared,
    fine: Option<&'b Fine>,
    /// Columns of a line number; none where there are none.
    digits: usize,
}

impl Drawn<'_> {
    /// The number of a line, from 1; of a part of one, only where the line begins.
    fn number<'s>(&self, strip: Strip<'s>, side: Where, piece: Option<usize>) -> Strip<'s> {
        if self.digits == 0 {
            return strip;
        }
        let text = self.compared.text(side);
        let number = piece.and_then(|piece| match &text.lines {
            None => Some(piece + 1),
            Some(lines) => {
                let start = text.pieces.range(piece).start;
                let line = lines.holding(start);
                (lines.range(line).start == start).then_some(line + 1)
            }
        });
        let shown = number.map_or_else(Clean::default, |number| Clean::new(number.to_string()));
        strip.cell_right(&shown, self.digits, Role::Dim).gap(1)
    }

    fn cells(&self, side: Where, row: Row, role: Role, search: &str, theme: &Theme) -> Cells {
        let text = self.compared.text(side);
        let bytes = self.compared.bytes(side);
        let piece = match side {
            Where::Old => row.old,
            Where::New => row.new,
        };
        let Some(piece) = piece else {
            return Cells::default();
        };
        let range = text.pieces.range(piece);
        if self.compared.look == Look::Bytes {
            let row = hex_row(range.start, &bytes[range]);
            return Cells::of(&Clean::new(row), role, theme);
        }
        let changed = row.kind != Kind::Equal;
        let last = range.end == bytes.len();
        let (marks, alike) = match self.fine.filter(|_| changed) {
            None => (Vec::new(), None),
            Some(fine) => self.found(fine, side, row.change, piece),
        };
        let piece = Piece {
            bytes: &bytes[range.clone()],
            marks,
            role,
            changed,
            alike,
            depth: text.depths.get(piece).copied(),
            lacks_end: last && bytes.last() != Some(&b'\n') && self.compared.look == Look::Text,
        };
        Cells::new(&piece, search, theme)
    }

    /// What of a piece changed, and whether another looks like it.
    fn found(
        &self,
        fine: &Fine,
        side: Where,
        change: usize,
        piece: usize,
    ) -> (Vec<std::ops::Range<usize>>, Option<usize>) {
        let alike = match side {
            Where::Old => fine.old_alike.get(&piece),
            Where::New => fine.new_alike.get(&piece),
        };
        let marks = fine.marks.get(change).and_then(Option::as_ref);
        let text = self.compared.text(side);
        let whole = self.compared.script.changes.get(change);
        let (Some(marks), Some(whole)) = (marks, whole) else {
            return (Vec::new(), alike.copied());
        };
        let (marks, pieces) = match side {
            Where::Old => (&marks.old, &whole.old),
            Where::New => (&marks.new, &whole.new),
        };
        let base = text.pieces.span(pieces.clone()).start;
        let own = text.pieces.range(piece);
        let (from, to) = (own.start - base.min(own.start), own.end - base.min(own.end));
        let first = marks.partition_point(|mark| mark.end <= from);
        let own = marks[first..].iter().take_while(|mark| mark.start < to);
        let cut = own.map(|mark| mark.start.max(from) - from..mark.end.min(to) - from);
        (cut.collect(), alike.copied())
    }
}

fn hex(digest: &[u8; 32]) -> String {
    crate::cli::log::hex(digest)
}

#[cfg(test)]
mod tests;
