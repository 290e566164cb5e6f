//! The Runs pane: all runs, how their figures went, and the one under the cursor beside another.

use engine::store::RunSummary;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hit, Hits, Lines, WIDE, chrome};
use crate::engine;
use crate::state::State;
use crate::state::hosts::Load;
use crate::state::runs::{FIGURES, Figure, RunRow, Runs, around, room};
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::{Strip, flow};

/// Columns of a label, a time, a count.
const LABEL: usize = 11;
const TIME: usize = 17;
const COUNT: usize = 10;
/// From this width on there are more columns.
const ROOMY: usize = 80;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    let runs = &state.runs;
    let width = usize::from(area.width);
    let mut lines = Lines { left: area };
    let mut put = |strip: Strip<'_>, lines: &mut Lines| {
        strip.draw(lines.next(), frame.buffer_mut(), Style::new());
    };
    put(
        chrome::rule(theme, "Runs", true, heading(runs).as_ref(), width),
        &mut lines,
    );
    if runs.rows.is_empty() {
        let key = |action| state.keymap.hint(state.pane_stack(), action);
        for (text, role) in nothing(runs, &key(crate::action::Action::Retry)) {
            put(Strip::new(theme).gap(2).clean(&text, role), &mut lines);
        }
        return;
    }
    let (above, below) = around(state.size);
    if above > 0 {
        for (name, of) in COURSES {
            put(course(theme, runs, name, of, width), &mut lines);
        }
    }
    put(head(theme, width), &mut lines);
    let mut list = Lines {
        left: lines.take(lines.left.height.saturating_sub(below)),
    };
    for (at, run) in runs
        .rows
        .iter()
        .enumerate()
        .skip(runs.top)
        .take(room(state.size))
    {
        let lit = at == runs.at;
        let over = match lit {
            true => theme.style(Role::Selected),
            false => Style::new(),
        };
        let line = list.next();
        hits.put(line, Hit::Run(at));
        let marked = runs.marked == Some(run.summary.run.id);
        row(theme, run, (lit, marked), width).draw(line, frame.buffer_mut(), over);
    }
    for strip in about(theme, runs, width)
        .into_iter()
        .take(usize::from(below))
    {
        strip.draw(lines.next(), frame.buffer_mut(), Style::new());
    }
}

fn heading(runs: &Runs) -> Option<Clean> {
    let mut parts = Vec::new();
    if let Some(marked) = runs.marked {
        let found = runs.rows.iter().find(|row| row.summary.run.id == marked);
        parts.push(format!("compared with {}", found?.label));
    }
    match &runs.load {
        Load::Loading => parts.push("reading".to_owned()),
        Load::Ready(at) => parts.push(format!(
            "{} as of {}",
            fit::counted(runs.rows.len() as u64, "run"),
            at.strftime("%H:%M:%SZ")
        )),
        Load::Failed(_) => parts.push("could not be read anew".to_owned()),
        Load::Not | Load::Partly => {}
    }
    (!parts.is_empty()).then(|| Clean::new(parts.join("  ")))
}

/// What an empty pane says.
fn nothing(runs: &Runs, retry: &Clean) -> Vec<(Clean, Role)> {
    let dim = |text: String| (Clean::new(text), Role::Dim);
    match &runs.load {
        Load::Not => vec![dim(format!("runs: not read yet; {retry} reads them"))],
        Load::Loading | Load::Partly => vec![dim("reading runs".to_owned())],
        Load::Failed(problem) => vec![
            (problem.clone(), Role::Bad),
            dim(format!("{retry} tries again")),
        ],
        Load::Ready(_) => vec![dim("there is no run in this store yet".to_owned())],
    }
}

/// A figure over all runs.
type Course = fn(&RunSummary) -> Option<u64>;

/// What the sparklines show; a share is told in thousandths.
const COURSES: [(&str, Course); 3] = [
    ("requests", |run| Some(run.totals.requests)),
    ("different", |run| {
        let changes = &run.changes;
        Some(changes.new + changes.changed + changes.back + changes.gone)
    }),
    ("unchanged", |run| {
        let (part, whole) = run.unchanged()?;
        (part * 1_000 + whole / 2).checked_div(whole)
    }),
];

/// One sparkline, oldest run first, and the greatest value in it.
fn course<'a>(
    theme: &'a Theme,
    runs: &Runs,
    name: &'static str,
    of: Course,
    width: usize,
) -> Strip<'a> {
    let sparks = theme.symbols.sparks;
    let share = name == "unchanged";
    let most = runs.rows.iter().filter_map(|row| of(&row.summary)).max();
    let scale = if share { 1_000 } else { most.unwrap_or(0) }.max(1);
    let mut strip = Strip::new(theme)
        .gap(1)
        .cell(&Clean::new(name), 10, Role::Dim)
        .gap(1);
    let shown = width.saturating_sub(12 + 20).min(runs.rows.len());
    for row in runs.rows.iter().take(shown).rev() {
        let top = sparks.len() as u64 - 1;
        let level = of(&row.summary).map_or(0, |value| (value * top).div_ceil(scale).min(top));
        let spark = sparks.get(usize::try_from(level).unwrap_or(0)).copied();
        strip = strip.fixed(spark.unwrap_or(" "), Role::Wait);
    }
    let told = match (most, share) {
        (None, _) => "not known".to_owned(),
        (Some(most), true) => format!("at most {}", fit::percent(most, 1_000)),
        (Some(most), false) => format!("at most {}", fit::count(most)),
    };
    strip.gap(2).value(told, Role::Plain)
}

fn head<'a>(theme: &'a Theme, width: usize) -> Strip<'a> {
    let word = |text: &'static str| Clean::new(text);
    let mut strip = Strip::new(theme)
        .gap(2)
        .cell(&word("run"), LABEL, Role::Dim)
        .gap(2);
    if width >= ROOMY {
        strip = strip.cell(&word("started"), TIME, Role::Dim).gap(2);
    }
    if width >= usize::from(WIDE) {
        strip = strip.cell(&word("ended"), TIME, Role::Dim).gap(2);
    }
    strip = strip.cell_right(&word("requests"), COUNT, Role::Dim).gap(1);
    if width >= usize::from(WIDE) {
        strip = strip.cell_right(&word("wire"), COUNT, Role::Dim).gap(1);
    }
    strip
        .cell_right(&word("different"), COUNT, Role::Dim)
        .gap(1)
        .cell_right(&word("unchanged"), COUNT, Role::Dim)
        .gap(1)
        .cell_right(&word("not asked"), COUNT, Role::Dim)
}

fn row<'a>(theme: &'a Theme, run: &RunRow, (lit, marked): (bool, bool), width: usize) -> Strip<'a> {
    let pointer = match (lit, marked) {
        (true, _) => theme.symbols.pointer,
        (false, true) => "*",
        (false, false) => " ",
    };
    let mut strip = Strip::new(theme)
        .fixed(pointer, Role::Title)
        .fixed(if marked && lit { "*" } else { " " }, Role::Title)
        .cell(&run.label, LABEL, Role::Plain)
        .gap(2);
    if width >= ROOMY {
        strip = strip.cell(&run.started, TIME, Role::Plain).gap(2);
    }
    let going = run.summary.run.ended.is_none();
    if width >= usize::from(WIDE) {
        let role = if going { Role::Good } else { Role::Plain };
        strip = strip.cell(&run.ended, TIME, role).gap(2);
    }
    strip = strip.cell_right(&run.requests, COUNT, Role::Plain).gap(1);
    if width >= usize::from(WIDE) {
        strip = strip.cell_right(&run.wire, COUNT, Role::Plain).gap(1);
    }
    strip
        .cell_right(&run.changed, COUNT, Role::Plain)
        .gap(1)
        .cell_right(&run.unchanged, COUNT, Role::Plain)
        .gap(1)
        .cell_right(&run.not_asked, COUNT, Role::Plain)
}

/// The run under the cursor, each figure with its difference from the other run.
fn about<'a>(theme: &'a Theme, runs: &Runs, width: usize) -> Vec<Strip<'a>> {
    let Some(run) = runs.selected() else {
        return Vec::new();
    };
    let other = runs.other();
    let title = match other {
        Some(other) => format!("{} against {}", run.label, other.label),
        None => format!("{}: no run to compare with", run.label),
    };
    let mut lines = vec![Strip::new(theme).gap(1).value(title, Role::Title)];
    let figures = FIGURES.iter().map(|figure| told(theme, figure, run, other));
    lines.extend(flow(theme, figures.collect(), width));
    lines.push(
        Strip::new(theme)
            .gap(1)
            .fixed("why not asked: ", Role::Dim)
            .value(run.left_out(), Role::Plain),
    );
    lines
}

fn told<'a>(theme: &'a Theme, figure: &Figure, run: &RunRow, other: Option<&RunRow>) -> Strip<'a> {
    let strip = Strip::new(theme)
        .fixed(figure.name, Role::Dim)
        .gap(1)
        .value(figure.told(&run.summary), Role::Plain);
    let difference = other.and_then(|other| figure.difference(&run.summary, &other.summary));
    match difference {
        Some(difference) if difference == "=" => strip.gap(1).fixed("(=)", Role::Dim),
        Some(difference) => strip.gap(1).value(format!("({difference})"), Role::Told),
        None => strip,
    }
}
