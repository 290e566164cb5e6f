//! The Hosts pane: all hosts of the store in an order. Only the rows that are seen are built.

use engine::crawl::Lamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hit, Hits, Lines, WIDE, chrome};
use crate::engine;
use crate::state::State;
use crate::state::host_row::HostRow;
use crate::state::hosts::{Column, Hosts, Load, SORTS, detail_lines};
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Rows that widths are taken from.
const SEEN: usize = 100;
/// Least and most columns of the host's name, and what the most telling columns leave of it.
const NAME: (usize, usize) = (12, 60);
const NAME_LEAST: usize = 18;
/// Least and most columns of the state.
const STATE: (usize, usize) = (7, 28);
/// Columns of a time without seconds.
const MINUTE: usize = 17;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    let hosts = &state.hosts;
    let width = usize::from(area.width);
    let mut lines = Lines { left: area };
    let says = heading(hosts);
    chrome::rule(theme, "Hosts", true, Some(&says), width).draw(
        lines.next(),
        frame.buffer_mut(),
        Style::new(),
    );
    if hosts.order.is_empty() {
        for (text, role) in nothing(state) {
            for line in text.wrap(width.saturating_sub(3).max(1)) {
                let strip = Strip::new(theme).gap(2).clean(&line, role);
                strip.draw(lines.next(), frame.buffer_mut(), Style::new());
            }
        }
        return;
    }
    let shown = Shown::fit(state, width);
    let line = lines.next();
    head(theme, &shown, line, hits).draw(line, frame.buffer_mut(), Style::new());
    let said = detail_lines(area.width);
    let room = usize::from(lines.left.height).saturating_sub(said);
    for (at, id) in hosts.order.iter().enumerate().skip(hosts.top).take(room) {
        let lit = at == hosts.at;
        let over = if lit {
            theme.style(Role::Selected)
        } else {
            Style::new()
        };
        let line = lines.next();
        hits.put(line, Hit::Host(at));
        let strip = match hosts.row(*id) {
            Some(row) => self::row(state, theme, &shown, row, lit),
            None => Strip::new(theme).gap(2).fixed("reading", Role::Dim),
        };
        strip.draw(line, frame.buffer_mut(), over);
    }
    let height = u16::try_from(said).unwrap_or(1).min(area.height);
    let mut last = Lines {
        left: Rect {
            y: area.bottom() - height,
            height,
            ..area
        },
    };
    if let Some(row) = hosts.selected_row() {
        for strip in detail(state, theme, row, (width, said)) {
            strip.draw(last.next(), frame.buffer_mut(), Style::new());
        }
    }
}

/// How many there are, what is kept of them, and how they are sorted.
fn heading(hosts: &Hosts) -> Clean {
    let mut says = match &hosts.load {
        Load::Not | Load::Failed(_) => String::new(),
        Load::Loading if hosts.order.is_empty() => "reading  ".to_owned(),
        Load::Loading => "sorting  ".to_owned(),
        Load::Partly => format!("{} and more  ", fit::count(hosts.order.len() as u64)),
        Load::Ready(at) => format!(
            "{} as of {}  ",
            fit::count(hosts.order.len() as u64),
            at.strftime("%H:%M:%SZ")
        ),
    };
    if !hosts.filter.text.is_empty() {
        says.push_str("that match ");
        says.push_str(&hosts.filter.text);
        says.push_str("  ");
    }
    let sort = SORTS.iter().find(|(sort, _)| *sort == hosts.sort);
    says.push_str("sort: ");
    says.push_str(sort.map_or("", |(_, word)| *word));
    if hosts.descending {
        says.push_str(", turned");
    }
    Clean::new(says)
}

/// What an empty list says.
fn nothing(state: &State) -> Vec<(Clean, Role)> {
    let hosts = &state.hosts;
    let dim = |text: &str| (Clean::new(text), Role::Dim);
    match &hosts.load {
        Load::Not => vec![dim("not read yet; R reads the hosts of the store")],
        Load::Loading | Load::Partly => vec![dim("reading the hosts of the store")],
        Load::Failed(problem) => vec![(problem.clone(), Role::Bad), dim("R tries again")],
        Load::Ready(_) if hosts.filter.filter.is_all() => vec![
            dim("there is no host in this store yet"),
            dim("`lamplighter hosts import list FILE` adds some"),
        ],
        Load::Ready(_) => vec![dim("no host matches the filter; Esc clears it")],
    }
}

/// The columns there is room for.
struct Shown {
    name: usize,
    columns: Vec<(Column, usize)>,
}

impl Shown {
    fn fit(state: &State, width: usize) -> Shown {
        let hosts = &state.hosts;
        let seen = || {
            let ids = hosts.order.iter().skip(hosts.top).take(SEEN);
            ids.filter_map(|id| hosts.row(*id))
        };
        let widest = |of: fn(&HostRow) -> usize| seen().map(of).max().unwrap_or(0);
        let whole = widest(|row| row.host.width()).clamp(NAME.0, NAME.1);
        let least = whole.min(NAME_LEAST);
        let mut columns: Vec<(Column, usize)> = Vec::new();
        let mut left = width.saturating_sub(2 + least);
        for column in &hosts.columns {
            let wanted = match column {
                // Where a host stands is told before all else, shortened if need be.
                Column::State => widest(|row| row.state.width())
                    .clamp(STATE.0, STATE.1)
                    .min(left.saturating_sub(2).max(STATE.0)),
                Column::Lamps => seen()
                    .map(|row| lamps(state, row).len())
                    .max()
                    .unwrap_or(0)
                    .clamp(5, 20),
                Column::Due if width < usize::from(WIDE) => MINUTE,
                Column::Due | Column::Visited => 20,
                Column::Requests => 8,
                Column::Size => 9,
                Column::Statuses => 15,
                Column::Source => 30,
            };
            // Only what matters most may shorten the names.
            let first = matches!(column, Column::State | Column::Lamps | Column::Due);
            let kept = if first { 0 } else { whole - least };
            if wanted + 2 + kept <= left {
                left -= wanted + 2;
                columns.push((*column, wanted));
            }
        }
        Shown {
            name: whole.min(least + left),
            columns,
        }
    }
}

/// Whether a column that is chosen has room on this screen.
pub(super) fn has_room(state: &State, at: usize) -> bool {
    let shown = Shown::fit(state, usize::from(state.size.0));
    let column = Column::ALL.get(at);
    shown.columns.iter().any(|(known, _)| Some(known) == column)
}

fn to_the_right(column: Column) -> bool {
    matches!(column, Column::Requests | Column::Size)
}

fn head<'a>(theme: &'a Theme, shown: &Shown, line: Rect, hits: &mut Hits) -> Strip<'a> {
    let mut strip = Strip::new(theme)
        .gap(2)
        .cell(&Clean::new("host"), shown.name, Role::Dim);
    let name = chrome::part(line, 2, 2 + shown.name);
    hits.put(name, Hit::HostsHeader(engine_name()));
    for (column, width) in &shown.columns {
        strip = strip.gap(2);
        let from = strip.width();
        if let Some(sort) = column.sort() {
            hits.put(
                chrome::part(line, from, from + width),
                Hit::HostsHeader(sort),
            );
        }
        let word = Clean::new(column.word());
        strip = if to_the_right(*column) {
            strip.cell_right(&word, *width, Role::Dim)
        } else {
            strip.cell(&word, *width, Role::Dim)
        };
    }
    strip
}

fn engine_name() -> crate::engine::store::HostSort {
    crate::engine::store::HostSort::Name
}

/// Lamps as the run under way tells, else those of the newest visit.
fn lamps<'s>(state: &'s State, row: &'s HostRow) -> &'s [Lamp] {
    let flight = state.live.rows.get(&row.line.id);
    flight.map_or(&row.lamps, |flight| &flight.visit.lamps)
}

fn row<'a>(state: &State, theme: &'a Theme, shown: &Shown, row: &HostRow, lit: bool) -> Strip<'a> {
    let pointer = if lit { theme.symbols.pointer } else { " " };
    let stands = state.stands(row);
    let lamps = lamps(state, row);
    let mut strip = Strip::new(theme)
        .fixed(pointer, Role::Title)
        .gap(1)
        .cell_middle(&row.host, shown.name, Role::Plain);
    for (column, width) in &shown.columns {
        strip = strip.gap(2);
        let cell = match column {
            Column::Lamps => {
                strip = super::lamps(strip, theme, lamps, *width);
                continue;
            }
            Column::State => &stands.state,
            Column::Due if *width == MINUTE => &stands.due_minute,
            Column::Due => &stands.due,
            Column::Visited => &row.visited,
            Column::Requests => &row.requests,
            Column::Size => &row.size,
            Column::Statuses => &row.statuses,
            Column::Source => &row.source,
        };
        let role = if *column == Column::State {
            stands.role
        } else {
            Role::Plain
        };
        strip = if to_the_right(*column) {
            strip.cell_right(cell, *width, role)
        } else {
            strip.cell(cell, *width, role)
        };
    }
    strip
}

/// Why the selected host is where it is, in as many lines as there are for it.
fn detail<'a>(
    state: &State,
    theme: &'a Theme,
    row: &HostRow,
    (width, lines): (usize, usize),
) -> Vec<Strip<'a>> {
    let says = format!("{}: {}", row.host, state.stands(row).sentence());
    let all = Clean::new(says).wrap(width.saturating_sub(2).max(1));
    let cut = all.len() > lines;
    let shown = all.iter().take(lines).enumerate();
    let strips = shown.map(|(at, line)| {
        let strip = Strip::new(theme).gap(1).clean(line, Role::Plain);
        match cut && at + 1 == lines {
            true => strip.fixed(theme.symbols.cut, Role::Escape),
            false => strip,
        }
    });
    strips.collect()
}
