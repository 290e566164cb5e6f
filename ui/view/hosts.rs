//! The Hosts pane: all hosts of the store in an order. Only the rows that are seen are built.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hit, Hits, Lines, chrome};
use crate::state::State;
use crate::state::host_row::HostRow;
use crate::state::hosts::{Column, Hosts, Load, SORTS};
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Least and most columns of the host's name.
const NAME: (usize, usize) = (24, 60);

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
            let strip = Strip::new(theme).gap(2).clean(&text, role);
            strip.draw(lines.next(), frame.buffer_mut(), Style::new());
        }
        return;
    }
    let shown = Shown::fit(hosts, width);
    let line = lines.next();
    head(theme, &shown, line, hits).draw(line, frame.buffer_mut(), Style::new());
    let room = usize::from(lines.left.height).saturating_sub(1);
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
            Some(row) => self::row(theme, &shown, row, lit),
            None => Strip::new(theme).gap(2).fixed("reading", Role::Dim),
        };
        strip.draw(line, frame.buffer_mut(), over);
    }
    let last = Rect {
        y: area.bottom().saturating_sub(1),
        height: area.height.min(1),
        ..area
    };
    if let Some(row) = hosts.selected_row() {
        detail(theme, row).draw(last, frame.buffer_mut(), Style::new());
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
    fn fit(hosts: &Hosts, width: usize) -> Shown {
        let lamps = hosts.order.iter().skip(hosts.top).take(100);
        let lamps = lamps.filter_map(|id| Some(hosts.row(*id)?.lamps.len()));
        let lamps = lamps.max().unwrap_or(0).clamp(5, 20);
        let mut columns: Vec<(Column, usize)> = Vec::new();
        let mut left = width.saturating_sub(2 + NAME.0);
        for column in &hosts.columns {
            let wanted = match column {
                Column::State => 12,
                Column::Lamps => lamps,
                Column::Due | Column::Visited => 20,
                Column::Requests => 8,
                Column::Size => 9,
                Column::Statuses => 15,
                Column::Source => 30,
            };
            if wanted + 2 <= left {
                left -= wanted + 2;
                columns.push((*column, wanted));
            }
        }
        let mut name = (NAME.0 + left).min(NAME.1);
        // What is left over goes to the state, which says most.
        if let Some((_, state)) = columns
            .iter_mut()
            .find(|(column, _)| *column == Column::State)
        {
            let spare = (NAME.0 + left).saturating_sub(40).min(28);
            *state += spare;
            name = (NAME.0 + left - spare).min(NAME.1);
        }
        Shown { name, columns }
    }
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

fn row<'a>(theme: &'a Theme, shown: &Shown, row: &HostRow, lit: bool) -> Strip<'a> {
    let pointer = if lit { theme.symbols.pointer } else { " " };
    let mut strip = Strip::new(theme).fixed(pointer, Role::Title).gap(1).cell(
        &row.host,
        shown.name,
        Role::Plain,
    );
    for (column, width) in &shown.columns {
        strip = strip.gap(2);
        let cell = match column {
            Column::Lamps => {
                strip = super::lamps(strip, theme, &row.lamps, *width);
                continue;
            }
            Column::State => &row.state,
            Column::Due => &row.due,
            Column::Visited => &row.visited,
            Column::Requests => &row.requests,
            Column::Size => &row.size,
            Column::Statuses => &row.statuses,
            Column::Source => &row.source,
        };
        let role = if *column == Column::State {
            standing(row)
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

fn standing(row: &HostRow) -> Role {
    use crate::engine::store::HostState;
    match row.line.state {
        HostState::Held | HostState::Suppressed | HostState::Resting => Role::Told,
        HostState::Offered => Role::Dim,
        HostState::Done(_) | HostState::Waiting => Role::Plain,
    }
}

/// Why the selected host is where it is.
fn detail<'a>(theme: &'a Theme, row: &HostRow) -> Strip<'a> {
    Strip::new(theme)
        .gap(1)
        .clean(&row.host, Role::Title)
        .fixed(": ", Role::Title)
        .clean(&row.why, Role::Plain)
}
