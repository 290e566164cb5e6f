//! The Changes pane: what became of locations, grouped by site. Only the rows that are seen are built.

use engine::store::ChangeKind;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hit, Hits, Lines, WIDE, chrome};
use crate::engine;
use crate::state::State;
use crate::state::changes::{ChangeRow, Changes};
use crate::state::hosts::Load;
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Columns of the kind, the versions, a size, a difference, a time.
const KIND: usize = 10;
const VERSIONS: usize = 9;
const SIZE: usize = 9;
const GROWN: usize = 11;
const SEEN: usize = 20;
/// From this width on the versions have a column.
const ROOMY: usize = 80;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    let changes = &state.changes;
    let width = usize::from(area.width);
    let mut lines = Lines { left: area };
    let says = heading(changes, width);
    chrome::rule(theme, "Changes", true, says.as_ref(), width).draw(
        lines.next(),
        frame.buffer_mut(),
        Style::new(),
    );
    if changes.len() == 0 {
        for (text, role) in nothing(changes) {
            let strip = Strip::new(theme).gap(2).clean(&text, role);
            strip.draw(lines.next(), frame.buffer_mut(), Style::new());
        }
        return;
    }
    counts(theme, changes, width).draw(lines.next(), frame.buffer_mut(), Style::new());
    let room = usize::from(lines.left.height).saturating_sub(1);
    let seen = changes.visible(changes.top, room).max(1);
    for at in (changes.top..changes.len()).take(seen) {
        if changes.is_headed(at, changes.top)
            && let Some(row) = changes.row(at)
        {
            let strip = Strip::new(theme).gap(1).clean(&row.site, Role::Title);
            strip.draw(lines.next(), frame.buffer_mut(), Style::new());
        }
        let lit = at == changes.at;
        let over = if lit {
            theme.style(Role::Selected)
        } else {
            Style::new()
        };
        let line = lines.next();
        hits.put(line, Hit::Change(at));
        let strip = match changes.row(at) {
            Some(row) => self::row(theme, row, lit, width),
            None => Strip::new(theme).gap(3).fixed("reading", Role::Dim),
        };
        strip.draw(line, frame.buffer_mut(), over);
    }
    let last = Rect {
        y: area.bottom().saturating_sub(1),
        height: area.height.min(1),
        ..area
    };
    if let Some(row) = changes.selected_row() {
        let strip = Strip::new(theme)
            .gap(1)
            .fixed(word(row.line.kind), role(row.line.kind))
            .fixed(": ", Role::Plain)
            .clean(&row.what, Role::Plain);
        strip.draw(last, frame.buffer_mut(), Style::new());
    }
}

/// Which runs are compared, and what is shown of it.
fn heading(changes: &Changes, width: usize) -> Option<Clean> {
    let mut parts = Vec::new();
    match &changes.load {
        Load::Loading => parts.push("reading".to_owned()),
        Load::Partly => parts.push("counting".to_owned()),
        Load::Not | Load::Ready(_) | Load::Failed(_) => {}
    }
    if let Some(span) = changes.span {
        let to = changes.label(span.to).unwrap_or_default();
        let since = span.since.and_then(|since| changes.label(since));
        parts.push(match since {
            Some(since) => format!("{since} to {to}"),
            None if width >= ROOMY => format!("{to} against what was known before"),
            None => to.to_owned(),
        });
    }
    if !changes.filter.text.is_empty() {
        parts.push(format!("only {}", changes.filter.text));
    }
    if let Load::Ready(at) = &changes.load {
        parts.push(format!("as of {}", at.strftime("%H:%M:%SZ")));
    }
    (!parts.is_empty()).then(|| Clean::new(parts.join("  ")))
}

/// How many of each kind are in the list.
fn counts<'a>(theme: &'a Theme, changes: &Changes, width: usize) -> Strip<'a> {
    let gap = if width >= ROOMY { 3 } else { 1 };
    let mut strip = Strip::new(theme).gap(1);
    let Some(index) = &changes.index else {
        return strip.fixed("counting", Role::Dim);
    };
    for kind in ChangeKind::ALL {
        let count = index.counts.of(kind);
        let role = if count == 0 { Role::Dim } else { role(kind) };
        strip = if kind == ChangeKind::UnchangedByContent && changes.sparse {
            strip.fixed("same bytes: not known", Role::Dim)
        } else {
            strip.value(fit::count(count), role).gap(1).fixed(
                if width < ROOMY {
                    short(kind)
                } else {
                    word(kind)
                },
                role,
            )
        };
        strip = strip.gap(gap);
    }
    strip
}

/// What an empty list says.
fn nothing(changes: &Changes) -> Vec<(Clean, Role)> {
    let dim = |text: &str| (Clean::new(text), Role::Dim);
    match &changes.load {
        Load::Not => vec![dim("not read yet; R reads what changed")],
        Load::Loading | Load::Partly => vec![dim("reading what changed")],
        Load::Failed(problem) => vec![(problem.clone(), Role::Bad), dim("R tries again")],
        Load::Ready(_) if changes.span.is_none() => vec![
            dim("there is no run in this store yet"),
            dim("r starts this period's run"),
        ],
        Load::Ready(_) if changes.filter.filter.is_all() => vec![
            dim("nothing changed, and nothing was sent whole for nothing"),
            dim("w shows another run, b compares with an older one"),
        ],
        Load::Ready(_) => vec![dim("no change matches the filter; Esc clears it")],
    }
}

fn row<'a>(theme: &'a Theme, row: &ChangeRow, lit: bool, width: usize) -> Strip<'a> {
    let pointer = if lit { theme.symbols.pointer } else { " " };
    let (roomy, wide) = (width >= ROOMY, width >= usize::from(WIDE));
    let mut taken = 2 + 1 + KIND + 2 + 2 + GROWN;
    taken += if roomy { 2 + VERSIONS } else { 0 };
    taken += if wide { 2 + SIZE + 2 + SEEN } else { 0 };
    let kind = Clean::new(word(row.line.kind));
    let mut strip = Strip::new(theme)
        .fixed(pointer, Role::Title)
        .gap(2)
        .cell(&kind, KIND, role(row.line.kind))
        .gap(2)
        .cell(&row.place, width.saturating_sub(taken), Role::Plain);
    if roomy {
        strip = strip
            .gap(2)
            .cell_right(&row.versions, VERSIONS, Role::Plain);
    }
    if wide {
        strip = strip.gap(2).cell_right(&row.bytes, SIZE, Role::Plain);
    }
    strip = strip.gap(2).cell_right(&row.grown, GROWN, Role::Plain);
    if wide {
        strip = strip.gap(2).cell(&row.seen, SEEN, Role::Dim);
    }
    strip
}

/// A kind on the screen.
fn word(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::UnchangedByContent => "same bytes",
        kind => kind.word(),
    }
}

/// The same where there is little room.
fn short(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::UnchangedByContent => "same",
        kind => kind.word(),
    }
}

fn role(kind: ChangeKind) -> Role {
    match kind {
        ChangeKind::New | ChangeKind::Back => Role::Good,
        ChangeKind::Changed => Role::Told,
        ChangeKind::Gone => Role::Bad,
        ChangeKind::UnchangedByContent => Role::Dim,
    }
}
