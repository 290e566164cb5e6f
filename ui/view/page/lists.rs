//! Lists of the page: visits, versions, journal. Only the rows that are seen are built.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Draw, Hit};
use crate::state::page::facts::{Fact, wrapped_to};
use crate::state::page::rows::{Journaled, VersionRow, Visit};
use crate::text::Clean;
use crate::theme::Role;
use crate::widget::strip::Strip;

/// A cell of a row.
struct Cell<'t> {
    text: &'t Clean,
    columns: usize,
    right: bool,
}

impl Cell<'_> {
    fn left(text: &Clean, columns: usize) -> Cell<'_> {
        Cell {
            text,
            columns,
            right: false,
        }
    }

    fn right(text: &Clean, columns: usize) -> Cell<'_> {
        Cell {
            right: true,
            ..Cell::left(text, columns)
        }
    }
}

fn cells<'b>(mut strip: Strip<'b>, cells: &[Cell<'_>]) -> Strip<'b> {
    for (at, cell) in cells.iter().enumerate() {
        let gap = if at == 0 { 0 } else { 2 };
        strip = strip.gap(gap);
        strip = if cell.right {
            strip.cell_right(cell.text, cell.columns, Role::Plain)
        } else {
            strip.cell(cell.text, cell.columns, Role::Plain)
        };
    }
    strip
}

/// Columns as wide as the longest of these texts, within bounds.
pub(super) fn fitted<'t>(
    texts: impl Iterator<Item = &'t Clean>,
    least: usize,
    most: usize,
) -> usize {
    let widest = texts.map(Clean::width).max().unwrap_or(0);
    widest.clamp(least, most.max(least))
}

impl<'b> Draw<'_, '_, 'b> {
    /// The rows that are seen, and below them what is said of the one under the cursor.
    pub(super) fn rows<T>(
        &mut self,
        rows: &'b [T],
        head: Strip<'_>,
        row: impl Fn(Strip<'b>, &T) -> Strip<'b>,
        facts: &[Fact],
    ) {
        let head = self.strip().gap(2).join(head);
        self.put(head);
        let place = self.page.place();
        let room = self.page.room(self.state.size);
        let bottom = self.area;
        for (at, item) in rows.iter().enumerate().skip(place.top).take(room) {
            let lit = at == place.at;
            let (pointer, over) = if lit {
                (self.theme.symbols.pointer, self.theme.style(Role::Selected))
            } else {
                (" ", Style::new())
            };
            let strip = row(self.strip().fixed(pointer, Role::Title).gap(1), item);
            let line = self.line();
            self.hits.put(line, Hit::PageRow(at));
            strip.draw(line, self.frame.buffer_mut(), over);
        }
        self.area = bottom;
        self.foot(facts);
    }

    /// What is said of the row under the cursor, at the foot.
    fn foot(&mut self, facts: &[Fact]) {
        let height = u16::try_from(self.page.detail(self.state.size)).unwrap_or(0);
        let height = height.min(self.area.height);
        self.area = Rect {
            y: self.area.bottom() - height,
            height,
            ..self.area
        };
        let more = &self.page.more;
        let lines = wrapped_to(facts.to_vec(), self.width(), usize::from(height), more);
        for fact in &lines {
            self.fact(fact);
        }
    }

    pub(super) fn width(&self) -> usize {
        usize::from(self.area.width)
    }

    pub(super) fn visits(&mut self) {
        let page = self.page;
        let Some(visits) = self.part(&page.visits, "visits") else {
            return;
        };
        if visits.is_empty() {
            return self.none("no visit of this host has ended yet");
        }
        let seen = || visits.iter().skip(page.place().top).take(100);
        let run = fitted(seen().map(|visit| &visit.run), 8, 20);
        let lamps = seen().map(|visit| visit.lamps.len()).max().unwrap_or(0);
        let lamps = lamps.clamp(5, 20);
        let outcome = self
            .width()
            .saturating_sub(2 + run + 2 + lamps + 2 + 20 + 2);
        let head = [
            ("run", run),
            ("lamps", lamps),
            ("ended", 20),
            ("outcome", outcome),
        ];
        let head = self.head(&head);
        let theme = self.theme;
        let row = |strip: Strip<'b>, visit: &Visit| {
            let strip = strip.cell(&visit.run, run, Role::Plain).gap(2);
            let strip = crate::view::lamps(strip, theme, &visit.lamps, lamps).gap(2);
            cells(
                strip,
                &[
                    Cell::left(&visit.ended, 20),
                    Cell::left(&visit.outcome, outcome),
                ],
            )
        };
        let locations = page
            .promised
            .ready()
            .map(|promised| promised.locations.as_slice());
        let facts = visits.get(page.place().at);
        let facts = facts.map(|visit| visit.facts(locations.unwrap_or_default()));
        self.rows(visits, head, row, &facts.unwrap_or_default());
    }

    /// Heads of columns; `>` in front sets one to the right.
    fn head(&self, words: &[(&'static str, usize)]) -> Strip<'b> {
        let mut strip = self.strip();
        for (at, (word, columns)) in words.iter().enumerate() {
            let gap = if at == 0 { 0 } else { 2 };
            strip = strip.gap(gap);
            strip = match word.strip_prefix('>') {
                Some(word) => strip.cell_right(&Clean::new(word), *columns, Role::Dim),
                None => strip.cell(&Clean::new(word), *columns, Role::Dim),
            };
        }
        strip
    }

    pub(super) fn versions(&mut self) {
        let page = self.page;
        let Some(versions) = self.part(&page.versions, "versions") else {
            return;
        };
        if versions.is_empty() {
            return self.none("no version of any file was kept of this host");
        }
        let width = self.width();
        let (dates, kind) = match width {
            ..76 => (0, 0),
            76..104 => (20, 0),
            104..132 => (42, 0),
            _ => (42, 24),
        };
        let fixed = 2 + 6 + 2 + 9 + 2 + 12;
        let extra = |columns: usize| if columns > 0 { columns + 2 } else { 0 };
        let rest = width.saturating_sub(fixed + 2 + extra(dates) + extra(kind));
        let seen = versions.iter().skip(page.place().top).take(100);
        let location = fitted(seen.map(|version| &version.location), 12, rest);
        let mut head = vec![("location", location), (">number", 6)];
        match dates {
            0 => {}
            20 => head.push(("last seen", 20)),
            _ => head.extend([("first seen", 20), ("last seen", 20)]),
        }
        head.push((">bytes", 9));
        if kind > 0 {
            head.push(("type", kind));
        }
        head.push(("sha256", 12));
        let head = self.head(&head);
        let row = |strip: Strip<'b>, version: &VersionRow| {
            let mut row = vec![
                Cell::left(&version.location, location),
                Cell::right(&version.number, 6),
            ];
            if dates > 20 {
                row.push(Cell::left(&version.first_seen, 20));
            }
            if dates > 0 {
                row.push(Cell::left(&version.last_seen, 20));
            }
            row.push(Cell::right(&version.bytes, 9));
            if kind > 0 {
                row.push(Cell::left(&version.media_type, kind));
            }
            row.push(Cell::left(&version.digest, 12));
            cells(strip, &row)
        };
        let facts = versions.get(page.place().at).map(VersionRow::facts);
        self.rows(versions, head, row, &facts.unwrap_or_default());
    }

    pub(super) fn journal(&mut self) {
        let page = self.page;
        let Some(journal) = self.part(&page.journal, "the journal") else {
            return;
        };
        if journal.is_empty() {
            return self.none("no operator did anything about this host");
        }
        let seen = journal.iter().skip(page.place().top).take(100);
        let by = fitted(seen.map(|entry| &entry.by), 4, 24);
        let action = self.width().saturating_sub(2 + 20 + 2 + by + 2);
        let head = self.head(&[("when", 20), ("who", by), ("what", action)]);
        let row = |strip: Strip<'b>, entry: &Journaled| {
            cells(
                strip,
                &[
                    Cell::left(&entry.at, 20),
                    Cell::left(&entry.by, by),
                    Cell::left(&entry.action, action),
                ],
            )
        };
        let facts = journal.get(page.place().at).map(Journaled::facts);
        self.rows(journal, head, row, &facts.unwrap_or_default());
    }
}
