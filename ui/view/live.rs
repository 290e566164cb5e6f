//! The Live pane: totals, pace, hosts in flight, log.

use engine::crawl::RunState;
use engine::store::Totals;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::{Hits, Lines, table};
use crate::action::Action;
use crate::engine;
use crate::state::State;
use crate::state::live::Focus;
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::{Strip, flow};

/// Columns of the progress bar.
const BAR: usize = 20;
/// A pause outlives the process that asked for it: the way on is named.
const PAUSED: &str = "paused: p or `lamplighter resume` lets it go on";
/// Seconds of the rate drawn.
const SPARKS: usize = 20;

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    let mut lines = Lines { left: area };
    let width = usize::from(area.width);
    // On low screens the counts are all there is room for beside the hosts in flight.
    let totals = if area.height >= 13 {
        totals(state, theme, width)
    } else {
        flow(theme, counts(state, theme), width)
    };
    for strip in totals {
        strip.draw(lines.next(), frame.buffer_mut(), Style::new());
    }
    standing(frame, &mut lines, state, theme);
    alarms(frame, &mut lines, state, theme);
    let selected = detail(state, width);
    let wanted = u16::try_from(selected.len().max(1)).unwrap_or(1);
    // On low screens a long sentence leaves room for the rows.
    let why = wanted.min(match lines.left.height {
        0..8 => 1,
        height => 1 + height / 6,
    });
    let log = log_height(lines.left.height);
    let rows = lines.left.height.saturating_sub(why + log);
    table::draw(frame, lines.take(rows), state, theme, hits);
    let mut place = Lines {
        left: lines.take(why),
    };
    for (at, line) in selected.iter().take(usize::from(why)).enumerate() {
        let cut = at + 1 == usize::from(why) && selected.len() > usize::from(why);
        let mut strip = Strip::new(theme).gap(1).clean(line, Role::Plain);
        if cut {
            strip = strip.fixed(theme.symbols.cut, Role::Escape);
        }
        strip.draw(place.next(), frame.buffer_mut(), Style::new());
    }
    table::log(frame, lines.take(log), state, theme, hits);
}

/// Most lines of a notice of the run.
const NOTICE: usize = 3;

/// What stands as long as it holds: why the run does not go on, or what its audit found.
fn standing(frame: &mut Frame<'_>, lines: &mut Lines, state: &State, theme: &Theme) {
    let symbols = theme.symbols;
    let beside = &state.beside;
    let width = usize::from(lines.left.width.saturating_sub(4)).max(1);
    let mut said: Vec<(&'static str, Clean, Role)> = Vec::new();
    if let Some(notice) = &state.live.notice {
        said.push((symbols.error, notice.clone(), Role::Bad));
    } else if state.live.run_state == Some(RunState::Paused) {
        said.push((symbols.still, Clean::new(PAUSED), Role::Told));
    }
    if let Some(audited) = &beside.audited {
        let (symbol, role) = match beside.is_breached() {
            true => (symbols.error, Role::Alarm),
            false => (symbols.ended, Role::Good),
        };
        said.push((symbol, Clean::new(audited.sentence()), role));
    } else if beside.auditing {
        let text = "the run has ended; its log is audited now";
        said.push((symbols.still, Clean::new(text), Role::Wait));
    }
    for (symbol, text, role) in said {
        for (at, line) in text.wrap(width).iter().take(NOTICE).enumerate() {
            let symbol = if at == 0 { symbol } else { " " };
            Strip::new(theme)
                .gap(1)
                .fixed(symbol, role)
                .gap(1)
                .clean(line, role)
                .draw(lines.next(), frame.buffer_mut(), Style::new());
        }
    }
}

/// The gravest alarm on a line of its own, and how many there are.
fn alarms(frame: &mut Frame<'_>, lines: &mut Lines, state: &State, theme: &Theme) {
    let alarms = state.alarms();
    let [first, rest @ ..] = &alarms[..] else {
        return;
    };
    let mut strip = Strip::new(theme)
        .gap(1)
        .fixed(theme.symbols.error, Role::Alarm)
        .gap(1);
    if !rest.is_empty() {
        let count = format!("{} alarms", alarms.len());
        let key = state.keymap.hint(state.pane_stack(), Action::Alarms);
        strip = strip
            .value(count, Role::Alarm)
            .fixed(" (", Role::Dim)
            .clean(&key, Role::Key)
            .fixed("): ", Role::Dim);
    }
    strip
        .clean(first, Role::Alarm)
        .draw(lines.next(), frame.buffer_mut(), Style::new());
}

/// Its title and three lines; more on high screens, none on very low ones.
fn log_height(left: u16) -> u16 {
    match left {
        0..8 => 0,
        8..22 => 4,
        _ => left / 3,
    }
}

fn totals<'a>(state: &State, theme: &'a Theme, width: usize) -> Vec<Strip<'a>> {
    let mut lines = flow(theme, counts(state, theme), width);
    lines.extend(flow(theme, outcomes(state, theme), width));
    lines.extend(flow(theme, pace(state, theme), width));
    lines
}

fn part<'a>(theme: &'a Theme, number: u64, words: &'static str, role: Role) -> Strip<'a> {
    Strip::new(theme)
        .value(fit::count(number), role)
        .fixed(words, Role::Plain)
}

fn counts<'a>(state: &State, theme: &'a Theme) -> Vec<Strip<'a>> {
    let live = &state.live;
    let left = live.waiting + live.in_flight;
    let whole = live.done + left;
    let mut progress = Strip::new(theme);
    if let Some(percent) = (live.done * 100).checked_div(whole) {
        let full = usize::try_from(percent * BAR as u64 / 100).unwrap_or(BAR);
        progress = progress
            .times(theme.symbols.full, full, Role::Good)
            .times(theme.symbols.empty, BAR - full, Role::Dim)
            .value(format!(" {percent} %"), Role::Title);
        if let Some(left) = crate::state::left::left(live) {
            let time = fit::span(left);
            progress = progress.value(format!("  about {time} left"), Role::Plain);
        }
    }
    let mut parts = vec![
        part(theme, live.done, " done", Role::Title),
        part(theme, live.in_flight, " in flight", Role::Title),
        part(theme, live.waiting, " waiting", Role::Title),
    ];
    if progress.width() > 0 {
        parts.push(progress);
    }
    parts
}

/// Requests by what came of them, in the words of the lamps.
fn outcomes<'a>(state: &State, theme: &'a Theme) -> Vec<Strip<'a>> {
    let symbols = theme.symbols;
    let totals = &state.live.totals;
    let of = |words: &[&str]| -> u64 {
        words
            .iter()
            .filter_map(|word| totals.outcomes.get(*word))
            .sum()
    };
    let lamp = |symbol, number, words, role| {
        Strip::new(theme)
            .fixed(symbol, role)
            .gap(1)
            .join(part(theme, number, words, role))
    };
    vec![
        lamp(symbols.present, of(&["present"]), " present", Role::Good),
        lamp(
            symbols.unchanged,
            of(&["not_modified", "unexpected_304"]),
            " unchanged",
            Role::Plain,
        ),
        lamp(
            symbols.absent,
            of(&["absent", "soft_absent"]),
            " absent",
            Role::Plain,
        ),
        lamp(symbols.denied, totals.denied, " denied", Role::Told),
        lamp(symbols.error, errors(totals), " errors", Role::Bad),
    ]
}

/// Everything that is neither a file, nor its plain absence, nor a redirect, nor withdrawn by us.
fn errors(totals: &Totals) -> u64 {
    const FINE: [&str; 7] = [
        "present",
        "not_modified",
        "unexpected_304",
        "absent",
        "soft_absent",
        "redirect",
        "withdrawn",
    ];
    totals
        .outcomes
        .iter()
        .filter(|(word, _)| !FINE.contains(&word.as_str()))
        .map(|(_, count)| count)
        .sum()
}

fn pace<'a>(state: &State, theme: &'a Theme) -> Vec<Strip<'a>> {
    let live = &state.live;
    let (requests, bytes) = live.rates.present();
    let mut rate = part(theme, requests, " req/s ", Role::Title);
    let (seconds, most) = live.rates.spark(SPARKS);
    let sparks = theme.symbols.sparks;
    for requests in seconds {
        let top = sparks.len() as u64 - 1;
        let level = (requests * top).div_ceil(most.max(1)).min(top);
        let spark = sparks[usize::try_from(level).unwrap_or(0)];
        rate = rate.fixed(spark, Role::Wait);
    }
    let [read, none, closed] = live.robots;
    let whole = read + none + closed;
    let mut parts = vec![
        rate,
        Strip::new(theme).value(format!("{}/s", fit::bytes(bytes)), Role::Plain),
    ];
    if whole > 0 {
        parts.push(Strip::new(theme).value(
            format!(
                "robots: {} read, {} none, {} closed",
                fit::percent(read, whole),
                fit::percent(none, whole),
                fit::percent(closed, whole)
            ),
            Role::Plain,
        ));
    }
    let role = if live.told_to_wait > 0 {
        Role::Told
    } else {
        Role::Plain
    };
    parts.push(part(theme, live.told_to_wait, " told to wait", role));
    if let Some(ends) = live.window_ends {
        let ends = ends.strftime("%a %H:%MZ").to_string();
        parts.push(Strip::new(theme).value(format!("window ends {ends}"), Role::Dim));
    }
    parts
}

/// Why the selected host is where it is, or the whole line of the log under the cursor.
fn detail(state: &State, width: usize) -> Vec<Clean> {
    let live = state.shown();
    let said = match (live.picked(), live.selected_row()) {
        (Some(told), _) => {
            let line = told.shown();
            format!("{}: {}", line.host, line.sentence())
        }
        (None, Some(row)) if live.focus == Focus::Table => {
            format!("{}: {}", row.host(), row.sentence())
        }
        _ => return Vec::new(),
    };
    Clean::new(said).wrap(width.saturating_sub(2).max(1))
}
