//! The page of one host: a trail back to the list, the names of its sections, and the one shown.

mod lists;
mod requests;
mod robots;

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hit, Hits, Lines, chrome};
use crate::action::Action;
use crate::state::State;
use crate::state::page::facts::{Fact, LABEL};
use crate::state::page::{HostPage, Part, Section};
use crate::text::Clean;
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    (state, page): (&State, &HostPage),
    theme: &Theme,
    hits: &mut Hits,
) {
    let mut lines = Lines { left: area };
    let line = lines.next();
    trail((state, page), theme, line, hits).draw(line, frame.buffer_mut(), Style::new());
    let line = lines.next();
    names(page, theme, line, hits).draw(line, frame.buffer_mut(), Style::new());
    let mut draw = Draw {
        frame,
        area: lines.left,
        state,
        page,
        theme,
        hits,
    };
    match page.section {
        Section::Overview => draw.overview(),
        Section::Robots => draw.robots(),
        Section::Visits => draw.visits(),
        Section::Requests => draw.requests(),
        Section::Versions => draw.versions(),
        Section::Journal => draw.journal(),
    }
}

/// `Hosts > docs.alder.test`, and the state at the right end.
fn trail<'a>(
    (state, page): (&State, &HostPage),
    theme: &'a Theme,
    line: Rect,
    hits: &mut Hits,
) -> Strip<'a> {
    let rule = theme.symbols.rule;
    let pane = state.pane.word();
    let width = usize::from(line.width);
    let mut right = Strip::new(theme);
    if let Some(as_of) = page.as_of() {
        right = right
            .gap(1)
            .clean(&as_of, Role::Told)
            .gap(1)
            .fixed(rule, Role::Dim);
    } else if let Some(overview) = page.overview.ready() {
        let stands = state.stands(&overview.row);
        right = right
            .gap(1)
            .clean(&stands.state, stands.role)
            .gap(1)
            .fixed(rule, Role::Dim);
    }
    let left = Strip::new(theme)
        .fixed(rule, Role::Dim)
        .gap(1)
        .fixed(pane, Role::Plain);
    hits.put(
        chrome::part(line, 0, left.width()),
        Hit::Action(Action::Back),
    );
    let left = left.fixed(" > ", Role::Dim);
    let room = width
        .saturating_sub(left.width() + right.width() + 2)
        .max(12);
    let left = left
        .clean(&page.name.fit(room, theme.symbols.cut), Role::Title)
        .gap(1);
    let rest = width.saturating_sub(left.width() + right.width());
    left.times(rule, rest, Role::Dim).join(right)
}

fn names<'a>(page: &HostPage, theme: &'a Theme, line: Rect, hits: &mut Hits) -> Strip<'a> {
    let mut strip = Strip::new(theme);
    for section in Section::ALL {
        let from = strip.width();
        let lit = section == page.section;
        // Marked by a sign too: not every screen shows a reversed line.
        let (mark, role) = if lit {
            (theme.symbols.pointer, Role::Selected)
        } else {
            (" ", Role::Plain)
        };
        strip = strip
            .fixed(mark, Role::Title)
            .fixed(section.word(), role)
            .gap(1);
        hits.put(
            chrome::part(line, from, strip.width()),
            Hit::Section(section),
        );
    }
    strip
}

/// What a section is drawn with.
struct Draw<'a, 'f, 'b> {
    frame: &'a mut Frame<'f>,
    /// What is left of the page.
    area: Rect,
    state: &'b State,
    page: &'b HostPage,
    theme: &'b Theme,
    hits: &'a mut Hits,
}

impl<'b> Draw<'_, '_, 'b> {
    /// The next line.
    fn line(&mut self) -> Rect {
        let mut lines = Lines { left: self.area };
        let line = lines.next();
        self.area = lines.left;
        line
    }

    fn put(&mut self, strip: Strip<'_>) -> Rect {
        let line = self.line();
        strip.draw(line, self.frame.buffer_mut(), Style::new());
        line
    }

    fn strip(&self) -> Strip<'b> {
        Strip::new(self.theme)
    }

    /// A fact with its label.
    fn fact(&mut self, fact: &Fact) -> Rect {
        let strip = self
            .strip()
            .gap(1)
            .cell(&Clean::new(fact.label), LABEL - 1, Role::Dim)
            .clean(&fact.text, fact.role);
        self.put(strip)
    }

    /// What stands instead of a part that is not there; the part if it is.
    fn part<T>(&mut self, part: &'b Part<T>, what: &'static str) -> Option<&'b T> {
        let stack = self.state.pane_stack();
        let key = self.state.keymap.hint(stack, Action::Retry);
        let strip = self.strip().gap(2);
        let says = match part {
            Part::Ready(value) => return Some(value),
            Part::Not => strip
                .fixed(what, Role::Dim)
                .fixed(": not read yet; ", Role::Dim)
                .clean(&key, Role::Key)
                .fixed(" reads it", Role::Dim),
            Part::Reading => strip.fixed("reading ", Role::Dim).fixed(what, Role::Dim),
            Part::Failed(problem) => {
                let room = usize::from(self.area.width.saturating_sub(4));
                for line in problem.wrap(room) {
                    let line = self.strip().gap(2).clean(&line, Role::Bad);
                    self.put(line);
                }
                strip
                    .clean(&key, Role::Key)
                    .fixed(" tries again", Role::Dim)
            }
        };
        self.put(says);
        None
    }

    /// What an empty list says.
    fn none(&mut self, text: &'static str) {
        for line in Clean::new(text).wrap(self.width().saturating_sub(3).max(1)) {
            let strip = self.strip().gap(2).clean(&line, Role::Dim);
            self.put(strip);
        }
    }

    fn overview(&mut self) {
        let page = self.page;
        let Some(overview) = self.part(&page.overview, "the host") else {
            return;
        };
        let lines = page.overview_lines(usize::from(self.area.width));
        let now = page.past.run().is_none();
        let live = self.state.live.rows.get(&page.id).filter(|_| now);
        let (top, room) = (page.place().top, usize::from(self.area.height));
        let link = page.promised.ready().and_then(|promised| {
            let url = overview.url(Some(&promised.scheme))?;
            self.state.osc?.link(&url.parse().ok()?)
        });
        for (at, fact) in lines.iter().enumerate().skip(top).take(room) {
            let line = self.fact(fact);
            if fact.role == Role::Link
                && let Some(link) = &link
            {
                let to = LABEL + fact.text.width();
                link.lay(chrome::part(line, LABEL, to), self.frame.buffer_mut());
            }
            // What it does at this moment stands below its state.
            let last = lines.get(at + 1).is_none_or(|next| !next.label.is_empty());
            if let Some(row) = live.filter(|_| last && now_below(&lines, at)) {
                let strip = self
                    .strip()
                    .gap(1)
                    .cell(&Clean::new("now"), LABEL - 1, Role::Dim);
                let strip =
                    super::lamps(strip, self.theme, &row.visit.lamps, row.visit.lamps.len());
                let strip = strip.gap(2).clean(&row.sentence(), Role::Plain);
                self.put(strip);
            }
        }
    }
}

/// Whether this line ends the fact about the state.
fn now_below(lines: &[Fact], at: usize) -> bool {
    let label = lines
        .iter()
        .take(at + 1)
        .rev()
        .find(|fact| !fact.label.is_empty());
    label.is_some_and(|fact| fact.label == "state")
}
