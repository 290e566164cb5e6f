//! Requests of a host, and what is known of the one under the cursor.

use ratatui::layout::Rect;

use super::Draw;
use super::lists::fitted;
use crate::state::page::facts::{Fact, LABEL, wrapped};
use crate::state::page::requests::Request;
use crate::state::page::{BESIDE, PANE};
use crate::text::Clean;
use crate::theme::Role;
use crate::widget::strip::Strip;

/// From this width on requests have an outcome, a size, a robots line, and say whether they were conditional.
const FULL: usize = 106;

impl<'b> Draw<'_, '_, 'b> {
    pub(super) fn requests(&mut self) {
        let page = self.page;
        let Some(requests) = self.part(&page.requests, "requests") else {
            return;
        };
        if requests.rows.is_empty() {
            return self.none("nothing was asked of this host yet");
        }
        let scheme = page
            .promised
            .ready()
            .map_or("", |promised| &promised.scheme);
        let facts = page.request().map(|request| request.facts(scheme));
        let facts = facts.unwrap_or_default();
        let whole = self.area;
        if self.state.size.0 >= BESIDE {
            self.area.width -= PANE;
        }
        let seen = requests.rows.iter().skip(page.place().top).take(100);
        let shape = Shape::of(self.width(), seen);
        let head = shape.head(self.strip());
        let beside = self.area.width < whole.width;
        let row = |strip: Strip<'b>, request: &Request| shape.row(strip, request);
        let below = if beside { &[][..] } else { &facts };
        let after = Rect {
            x: whole.x + self.area.width,
            width: whole.width - self.area.width,
            ..whole
        };
        self.rows(&requests.rows, head, row, below);
        if beside {
            self.area = after;
            self.beside(facts);
        }
    }

    /// All that is known of the selected request, in a pane of its own.
    fn beside(&mut self, facts: Vec<Fact>) {
        let bar = self.theme.symbols.bar;
        let lines = wrapped(facts, self.width().saturating_sub(2));
        let mut lines = lines.iter();
        while self.area.height > 0 {
            let mut strip = self.strip().fixed(bar, Role::Dim).gap(1);
            if let Some(fact) = lines.next() {
                strip = strip
                    .cell(&Clean::new(fact.label), LABEL - 1, Role::Dim)
                    .clean(&fact.text, fact.role);
            }
            self.put(strip);
        }
    }
}

/// Columns of the requests on a screen of some width.
struct Shape {
    date: bool,
    full: bool,
    what: usize,
    gap: usize,
    /// Of the word behind a gap that was not kept; none where all were.
    word: usize,
    in_force: usize,
}

/// Columns of the time, with the day and without, and the status.
const SHORT: usize = 15;
const TIME: usize = 13;
const STATUS: usize = 3;
/// Columns of the outcome, the size, the robots line and `cond`.
const OUTCOME: usize = 12;
const SIZE: usize = 8;
const ROBOTS: usize = 9;
const CONDITIONAL: usize = 4;

impl Shape {
    fn of<'t>(width: usize, seen: impl Iterator<Item = &'t Request> + Clone) -> Shape {
        let gap = fitted(seen.clone().map(|request| &request.gap), 5, 9);
        let in_force = fitted(seen.clone().map(|request| &request.in_force), 4, 9);
        let word = seen.map(|request| request.kept.word().len()).max();
        let word = word.filter(|word| *word > 0).map_or(0, |word| word + 1);
        let always = 2 + SHORT + 2 + 2 + STATUS + 2 + gap + word + 2 + in_force;
        let more = 2 + OUTCOME + SIZE + 4 + ROBOTS + CONDITIONAL;
        let full = width >= FULL;
        let date = width >= 130;
        let used = always + if full { more } else { 0 } + if date { 12 + TIME - SHORT } else { 0 };
        Shape {
            date,
            full,
            what: width.saturating_sub(used).min(70),
            gap,
            word,
            in_force,
        }
    }

    fn time(&self) -> usize {
        if self.date { TIME } else { SHORT }
    }

    fn head<'b>(&self, strip: Strip<'b>) -> Strip<'b> {
        let word = |text: &str| Clean::new(text);
        let mut strip = strip;
        if self.date {
            strip = strip.cell(&word("date"), 10, Role::Dim).gap(2);
        }
        strip = strip
            .cell(&word("time"), self.time(), Role::Dim)
            .gap(2)
            .cell(&word("request"), self.what, Role::Dim)
            .gap(2)
            .cell(&word(""), STATUS, Role::Dim);
        if self.full {
            strip = strip.gap(1).cell(&word("outcome"), OUTCOME, Role::Dim);
            strip = strip.gap(1).cell_right(&word("size"), SIZE, Role::Dim);
        }
        strip = strip
            .gap(2)
            .cell_right(&word("gap"), self.gap, Role::Dim)
            .gap(self.word + 2)
            .cell_right(&word("of"), self.in_force, Role::Dim);
        if self.full {
            strip = strip.gap(2).cell(&word("robots"), ROBOTS, Role::Dim);
            strip = strip.gap(2).cell(&word("cond"), CONDITIONAL, Role::Dim);
        }
        strip
    }

    fn row<'b>(&self, strip: Strip<'b>, request: &Request) -> Strip<'b> {
        let mut strip = strip;
        if self.date {
            strip = strip.cell(&request.date, 10, Role::Dim).gap(2);
        }
        let role = if request.good { Role::Plain } else { Role::Bad };
        let time = if self.date {
            &request.time
        } else {
            &request.short
        };
        strip = strip
            .cell(time, self.time(), Role::Plain)
            .gap(2)
            .cell(&request.what, self.what, Role::Plain)
            .gap(2)
            .cell(&request.status, STATUS, role);
        if self.full {
            strip = strip.gap(1).cell(&request.outcome, OUTCOME, role);
            strip = strip.gap(1).cell_right(&request.size, SIZE, Role::Plain);
        }
        let kept = request.kept.role();
        strip = strip.gap(2).cell_right(&request.gap, self.gap, kept);
        if self.word > 0 {
            let word = Clean::new(request.kept.word());
            strip = strip.gap(1).cell(&word, self.word - 1, kept);
        }
        strip = strip
            .gap(2)
            .cell_right(&request.in_force, self.in_force, Role::Dim);
        if self.full {
            strip = strip.gap(2).cell(&request.robots, ROBOTS, Role::Plain);
            strip = strip.gap(2).fixed(request.conditional, Role::Plain);
        }
        strip
    }
}
