//! Hosts in flight, and the log. Only the rows that are seen are built.

use engine::crawl::{HostState, RunState};
use jiff::Timestamp;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hit, Hits, Lines, WIDE, chrome};
use crate::engine;
use crate::state::live::{Focus, Logged, Row, Sort, Told};
use crate::state::{Offline, State};
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Columns of the gap and of the next request.
const GAP: usize = 7;
const NEXT: usize = 8;

/// Least columns of a host's name before a column that matters less gives way.
const HOST: usize = 16;

/// Widths of the columns that depend on the screen and on what is shown; none of what has no room.
struct Columns {
    host: usize,
    lamps: usize,
    gap: usize,
    wide: bool,
}

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    let live = state.shown();
    let width = usize::from(area.width);
    let mut lines = Lines { left: area };
    let says = Clean::new(heading(state));
    chrome::rule(
        theme,
        "In flight",
        live.focus == Focus::Table,
        Some(&says),
        width,
    )
    .draw(lines.next(), frame.buffer_mut(), Style::new());
    if live.order.is_empty() {
        let said = nothing(state).iter();
        for line in said.flat_map(|text| Clean::new(text).wrap(width.saturating_sub(3).max(1))) {
            let strip = Strip::new(theme).gap(2).clean(&line, Role::Dim);
            strip.draw(lines.next(), frame.buffer_mut(), Style::new());
        }
        return;
    }
    let columns = columns(state, width);
    let line = lines.next();
    head(theme, &columns, line, hits).draw(line, frame.buffer_mut(), Style::new());
    let room = usize::from(lines.left.height);
    let cursor = live.cursor().unwrap_or(0);
    let top = top(cursor, room, live.order.len());
    for (at, id) in live.order.iter().enumerate().skip(top).take(room) {
        let Some(row) = live.rows.get(id) else {
            continue;
        };
        let lit = at == cursor;
        let over = if lit && live.focus == Focus::Table {
            theme.style(Role::Selected)
        } else {
            Style::new()
        };
        let line = lines.next();
        hits.put(line, Hit::InFlight(at));
        host(theme, &columns, row, lit, state.now).draw(line, frame.buffer_mut(), over);
    }
}

/// What is shown, and how it is sorted.
fn heading(state: &State) -> String {
    let live = state.shown();
    let mut says = String::new();
    if state.frozen.is_some() {
        says.push_str("FROZEN, f catches up  ");
    }
    if !live.filter.filter.is_all() {
        says.push_str(&format!(
            "{} of {} match {}  ",
            live.order.len(),
            live.rows.len(),
            live.filter.filter
        ));
    }
    says.push_str("sort: ");
    says.push_str(live.sort.word());
    if live.turned {
        says.push_str(", turned");
    }
    says
}

/// The first row shown, so that the cursor is seen and, where possible, so are the rows round it.
fn top(cursor: usize, room: usize, count: usize) -> usize {
    let middle = cursor.saturating_sub(room / 2);
    middle.min(count.saturating_sub(room))
}

/// What an empty table says.
fn nothing(state: &State) -> &'static [&'static str] {
    let live = state.shown();
    if !live.rows.is_empty() {
        return &["no host in flight matches the filter; Esc clears it"];
    }
    if state.elsewhere() {
        return &[
            "a run is under way in another terminal: its screen shows what is in flight",
            "2 shows its hosts here; h, x and p act on it",
        ];
    }
    match state.offline {
        Some(Offline::Never(_)) => return &["no run is under way"],
        Some(Offline::Ready) if state.beside.around.is_some_and(|around| around.loopback) => {
            return &[
                "no run is under way; this store is of loopback runs",
                "`lamplighter demo --store DIR` or `run --loopback` goes on with them",
            ];
        }
        Some(Offline::Ready) => {
            return &["no run is under way; r starts this period's run, or resumes it"];
        }
        Some(Offline::Asked) | None => {}
    }
    if !state.connected || live.run_state.is_none() {
        return &["starting: nothing has been asked yet"];
    }
    if live.run_state == Some(RunState::Paused) {
        return &["nothing is under way: the run is paused; p lets it go on"];
    }
    if matches!(live.run_state, Some(RunState::Finished | RunState::Stopped)) {
        return &["nothing is under way: the run has ended; q leaves"];
    }
    if live.done + live.waiting == 0 {
        return &[
            "no host of this store is due",
            "`lamplighter hosts import list FILE` adds hosts",
        ];
    }
    &["nothing is under way"]
}

fn columns(state: &State, width: usize) -> Columns {
    let rows = state.shown().rows.values();
    let lamps = rows.map(|row| row.visit.lamps.len()).max().unwrap_or(0);
    let lamps = lamps.clamp(5, 20);
    let wide = width >= usize::from(WIDE);
    let room = |columns: &[usize]| {
        let used: usize = columns.iter().map(|columns| columns + 2).sum();
        width.saturating_sub(2 + used + 1)
    };
    // Who and when stay longest; the gap, which the reason names too, goes first.
    let (lamps, gap) = match () {
        () if room(&[lamps, GAP, NEXT]) >= HOST => (lamps, GAP),
        () if room(&[lamps, NEXT]) >= HOST => (lamps, 0),
        () => (0, 0),
    };
    let shown: Vec<usize> = [lamps, gap, NEXT]
        .into_iter()
        .filter(|columns| *columns > 0)
        .collect();
    let room = room(&shown);
    Columns {
        host: if wide { (room * 2 / 5).min(60) } else { room },
        lamps,
        gap,
        wide,
    }
}

fn head<'a>(theme: &'a Theme, columns: &Columns, line: Rect, hits: &mut Hits) -> Strip<'a> {
    let widths = [
        (Sort::Host, columns.host),
        (Sort::Progress, columns.lamps),
        (Sort::Gap, columns.gap),
        (Sort::Next, NEXT),
    ];
    let mut from = 2;
    for (sort, width) in widths.into_iter().filter(|(_, width)| *width > 0) {
        hits.put(
            chrome::part(line, from, from + width),
            Hit::LiveHeader(sort),
        );
        from += width + 2;
    }
    let mut strip = Strip::new(theme)
        .gap(2)
        .cell(&Clean::new("host"), columns.host, Role::Dim)
        .gap(2);
    if columns.lamps > 0 {
        let lamps = Clean::new("lamps");
        strip = strip.cell(&lamps, columns.lamps, Role::Dim).gap(2);
    }
    if columns.gap > 0 {
        let gap = Clean::new("gap");
        strip = strip.cell_right(&gap, columns.gap, Role::Dim).gap(2);
    }
    let strip = strip.cell_right(&Clean::new("next"), NEXT, Role::Dim);
    if columns.wide {
        strip.gap(2).fixed("why", Role::Dim)
    } else {
        strip
    }
}

fn host<'a>(
    theme: &'a Theme,
    columns: &Columns,
    row: &Row,
    lit: bool,
    now: Option<Timestamp>,
) -> Strip<'a> {
    let pointer = if lit { theme.symbols.pointer } else { " " };
    let mut strip = Strip::new(theme)
        .fixed(pointer, Role::Title)
        .gap(1)
        .cell_middle(&row.host(), columns.host, Role::Plain)
        .gap(2);
    if columns.lamps > 0 {
        strip = super::lamps(strip, theme, &row.visit.lamps, columns.lamps).gap(2);
    }
    let (next, role) = next(&row.visit.state, now);
    if columns.gap > 0 {
        let gap = Clean::new(fit::gap(row.visit.gap));
        strip = strip.cell_right(&gap, columns.gap, Role::Plain).gap(2);
    }
    let strip = strip.cell_right(&Clean::new(next), NEXT, role);
    if columns.wide {
        strip.gap(2).clean(&row.why(), role)
    } else {
        strip
    }
}

/// When the next request comes, and what kind of waiting that is.
fn next(state: &HostState, now: Option<Timestamp>) -> (String, Role) {
    match state {
        HostState::Asking { .. } => ("now".to_owned(), Role::Good),
        HostState::Ready => ("ready".to_owned(), Role::Good),
        HostState::Waiting => ("-".to_owned(), Role::Dim),
        HostState::Resting { until, .. } => {
            let left = now.map(|now| fit::span(fit::until(now, *until)));
            (left.unwrap_or_else(|| "-".to_owned()), Role::Wait)
        }
        HostState::Paused { .. } => ("paused".to_owned(), Role::Told),
        HostState::Held => ("held".to_owned(), Role::Told),
        HostState::Suppressed => ("never".to_owned(), Role::Told),
        HostState::Done { .. } => ("done".to_owned(), Role::Dim),
    }
}

pub(super) fn log(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    if area.height == 0 {
        return;
    }
    hits.put(area, Hit::Log);
    let live = state.shown();
    let width = usize::from(area.width);
    let mut lines = Lines { left: area };
    let right = match (live.dropped, live.log_up) {
        _ if !live.log_filter.filter.is_all() => {
            Some(Clean::new(format!("only {}", live.log_filter.filter)))
        }
        (0, 0) => None,
        (0, up) => Some(Clean::new(format!("{} newer", fit::count(up as u64)))),
        (dropped, _) => Some(Clean::new(format!(
            "{} too many to show",
            fit::counted(dropped, "line")
        ))),
    };
    chrome::rule(
        theme,
        "Log",
        live.focus == Focus::Log,
        right.as_ref(),
        width,
    )
    .draw(lines.next(), frame.buffer_mut(), Style::new());
    let room = usize::from(lines.left.height);
    let count = live.log_kept().count();
    let from = top(live.log_up, room, count);
    let shown: Vec<&Told> = live.log_kept().skip(from).take(room).collect();
    for (up, line) in shown.into_iter().enumerate().rev() {
        let lit = live.is_picked(line);
        let over = match lit {
            true => theme.style(Role::Selected),
            false => Style::new(),
        };
        let at = lines.next();
        hits.put(at, Hit::LogLine(from + up));
        logged(theme, &line.shown(), lit, width).draw(at, frame.buffer_mut(), over);
    }
}

/// From this width on the log has milliseconds.
const LOG_FULL: usize = 80;

fn logged<'a>(theme: &'a Theme, line: &Logged, lit: bool, width: usize) -> Strip<'a> {
    let wide = width >= usize::from(WIDE);
    let full = width >= LOG_FULL;
    let role = if line.good { Role::Plain } else { Role::Bad };
    let pointer = if lit { theme.symbols.pointer } else { " " };
    let time = if full { &line.time } else { &line.second };
    let (result, size) = if wide { (20, 10) } else { (15, 0) };
    // Where there is no room for the time, the line under the cursor tells it.
    let time_columns = if width >= 50 { time.width() + 2 } else { 0 };
    let host = width / 4;
    let what = width.saturating_sub(1 + time_columns + host + 2 + 2 + result + size);
    let mut strip = Strip::new(theme).fixed(pointer, Role::Title);
    if time_columns > 0 {
        strip = strip.clean(time, Role::Dim).gap(2);
    }
    strip = strip
        .cell_middle(&line.host, host, Role::Plain)
        .gap(2)
        .cell_middle(&line.what, what, Role::Plain)
        .gap(2)
        .cell(&line.result, result, role);
    if wide {
        strip = strip.gap(2).cell_right(&line.size, size - 2, Role::Plain);
    }
    strip
}
