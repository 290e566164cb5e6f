//! What stands round a pane: header, tabs, footer.

use engine::crawl::RunState;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::widgets::{Clear, Widget};

use super::{Hit, Hits, Lines};
use crate::action::{self, Action, Context, Spec};
use crate::engine;
use crate::state::notices::Notice;
use crate::state::prompt::Prompt;
use crate::state::{Offline, Pane, State};
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Symbol, role and words of the run's state: what is asked for and what is reached are two things.
pub(super) fn run_state(state: &State, theme: &Theme) -> (&'static str, Role, &'static str) {
    let symbols = theme.symbols;
    match state.offline {
        Some(Offline::Asked) => return (symbols.still, Role::Told, "start asked for, not reached"),
        Some(_) if state.elsewhere() => {
            let paused = state.beside.around.is_some_and(|around| around.paused);
            return match paused {
                true => (
                    symbols.still,
                    Role::Told,
                    "a paused run in another terminal",
                ),
                false => (symbols.running, Role::Good, "a run in another terminal"),
            };
        }
        Some(_) => return (symbols.still, Role::Dim, "no run under way"),
        None => {}
    }
    if !state.connected {
        return (symbols.still, Role::Dim, "starting");
    }
    match state.live.run_state {
        None => (symbols.still, Role::Dim, "starting"),
        Some(RunState::Running) => (symbols.running, Role::Good, "running"),
        Some(RunState::Pausing) => (symbols.still, Role::Told, "pause asked for, not reached"),
        Some(RunState::Paused) => (symbols.still, Role::Told, "paused"),
        Some(RunState::Stopping) => (symbols.still, Role::Told, "stopping, not reached"),
        Some(RunState::Finished) => (symbols.ended, Role::Title, "finished"),
        Some(RunState::Stopped) => (symbols.ended, Role::Told, "stopped"),
    }
}

pub(super) fn header(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let live = &state.live;
    let (symbol, role, words) = run_state(state, theme);
    let mut names = Strip::new(theme);
    for name in [&live.policy, &live.run] {
        if !name.is_empty() {
            names = names.gap(2).clean(name, Role::Title);
        }
    }
    let mut stands = Strip::new(theme)
        .gap(2)
        .fixed(symbol, role)
        .gap(1)
        .fixed(words, role);
    let ended = matches!(live.run_state, Some(RunState::Finished | RunState::Stopped));
    // What has ended runs no longer.
    let until = if ended { Some(live.now) } else { state.now };
    if let (Some(started), Some(now)) = (live.started, until) {
        let running = fit::stopwatch(fit::until(started, now));
        stands = stands.gap(1).value(running, Role::Plain);
    }
    let run = names.join(stands.clone());
    let product = Strip::new(theme).fixed(" lamplighter", Role::Title);
    let clock = |text: Option<String>| {
        text.map_or(Strip::new(theme), |text| {
            Strip::new(theme).value(text, Role::Plain).gap(1)
        })
    };
    let long = clock(state.now.map(fit::clock));
    let short = clock(state.now.map(|now| now.strftime("%H:%M:%SZ").to_string()));
    let width = usize::from(area.width);
    let whole = product.clone().join(run.clone());
    // What matters least goes first: the date, then the product's name.
    let fits = |left: &Strip<'_>, right: &Strip<'_>| left.width() + right.width() < width;
    let strip = if fits(&whole, &long) {
        let at = width - long.width();
        whole.to(at).join(long)
    } else if fits(&whole, &short) {
        let at = width - short.width();
        whole.to(at).join(short)
    } else if fits(&run, &short) {
        let at = width - short.width();
        run.to(at).join(short)
    } else if run.width() <= width {
        run
    } else {
        Strip::new(theme)
            .gap(1)
            .clean(&live.run, Role::Title)
            .join(stands)
    };
    strip.draw(area, frame.buffer_mut(), Style::new());
}

pub(super) fn tabs(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    let live = &state.live;
    let mut strip = Strip::new(theme);
    for (pane, key) in [
        (Pane::Live, Action::ShowLive),
        (Pane::Hosts, Action::ShowHosts),
        (Pane::Changes, Action::ShowChanges),
        (Pane::Runs, Action::ShowRuns),
    ] {
        let from = strip.width() + 1;
        let key = state.keymap.hint(state.pane_stack(), key);
        let role = if state.pane == pane {
            Role::Title
        } else {
            Role::Plain
        };
        strip = strip
            .gap(1)
            .clean(&key, Role::Key)
            .gap(1)
            .fixed(pane.word(), role)
            .gap(1);
        hits.put(part(area, from, strip.width()), Hit::Pane(pane));
    }
    if state.beside.is_breached() {
        strip = strip.gap(2).fixed(" PROMISE BROKEN ", Role::Alarm);
    }
    if state.read_only.is_some() {
        strip = strip.gap(2).fixed(" READ ONLY ", Role::Label);
    }
    let stored = state.beside.around.is_some_and(|around| around.loopback);
    if live.loopback || !live.overrides.is_empty() || (state.offline.is_some() && stored) {
        strip = strip.gap(2).fixed(" LOOPBACK ", Role::Label);
        for change in &live.overrides {
            strip = strip.gap(1).clean(change, Role::Told);
        }
    }
    let mut keys = Strip::new(theme);
    for (action, words) in [(Action::Help, " help "), (Action::Palette, " commands ")] {
        let key = state.keymap.hint(state.pane_stack(), action);
        keys = keys.gap(1).clean(&key, Role::Key).fixed(words, Role::Plain);
    }
    let at = usize::from(area.width).saturating_sub(keys.width());
    if strip.width() < at {
        strip = strip.to(at).join(keys);
    }
    strip.draw(area, frame.buffer_mut(), Style::new());
}

/// Columns of a line.
pub(super) fn part(area: Rect, from: usize, to: usize) -> Rect {
    let column = |at: usize| u16::try_from(at).unwrap_or(u16::MAX).min(area.width);
    Rect {
        x: area.x + column(from),
        width: column(to) - column(from),
        height: 1,
        ..area
    }
}

/// A line being written, at the foot of the area, and below it what is wrong with it: a sign under the
/// column, and the sentence in as many lines as it needs.
pub(super) fn prompt(frame: &mut Frame<'_>, area: Rect, prompt: &Prompt, theme: &Theme) {
    let width = usize::from(area.width);
    let (text, cursor) = prompt.line.shown();
    let label = Strip::new(theme)
        .gap(1)
        .fixed(prompt.label(), Role::Key)
        .fixed(": ", Role::Key);
    let start = label.width();
    // A long line is shown round its cursor.
    let room = width.saturating_sub(start + 1).max(1);
    let skipped = (cursor + 1).saturating_sub(room);
    let line = label.clean(&text.skip(skipped), Role::Title);
    let mut below = Vec::new();
    if let Some((column, problem)) = &prompt.wrong {
        let at = (start + prompt.line.columns_before(*column)).saturating_sub(skipped);
        below.push(
            Strip::new(theme)
                .gap(at.min(width.saturating_sub(1)))
                .fixed("^", Role::Bad),
        );
        for (at, line) in problem
            .wrap(width.saturating_sub(4).max(1))
            .iter()
            .enumerate()
        {
            let mark = if at == 0 { theme.symbols.error } else { " " };
            below.push(
                Strip::new(theme)
                    .gap(1)
                    .fixed(mark, Role::Bad)
                    .gap(1)
                    .clean(line, Role::Bad),
            );
        }
    }
    for line in prompt
        .hint
        .iter()
        .flat_map(|hint| hint.wrap(width.saturating_sub(2).max(1)))
    {
        below.push(Strip::new(theme).gap(1).clean(&line, Role::Dim));
    }
    let height = u16::try_from(1 + below.len()).unwrap_or(1).min(area.height);
    let place = foot(frame, area, height, theme);
    let mut lines = Lines { left: place };
    line.draw(lines.next(), frame.buffer_mut(), Style::new());
    for strip in below {
        strip.draw(lines.next(), frame.buffer_mut(), Style::new());
    }
    let column = u16::try_from(start + cursor - skipped).unwrap_or(u16::MAX);
    let at = area.x + column.min(area.width.saturating_sub(1));
    frame.set_cursor_position((at, place.y));
}

/// The last lines of an area, cleared.
fn foot(frame: &mut Frame<'_>, area: Rect, height: u16, theme: &Theme) -> Rect {
    let place = Rect {
        y: area.bottom() - height.min(area.height),
        height: height.min(area.height),
        ..area
    };
    Clear.render(place, frame.buffer_mut());
    frame.buffer_mut().set_style(place, theme.ground());
    place
}

/// Most lines of a notice; the rest of a longer one is in the list of notices.
const NOTICE: usize = 4;

/// The newest notice, over the foot of the area, in as many lines as it needs.
fn notice(frame: &mut Frame<'_>, area: Rect, notice: &Notice, theme: &Theme) {
    let (mark, role) = if notice.bad {
        (theme.symbols.error, Role::Bad)
    } else {
        (" ", Role::Told)
    };
    let width = usize::from(area.width);
    let lines = notice.text.wrap(width.saturating_sub(4).max(1));
    let most = NOTICE.min(usize::from(area.height));
    let shown = lines.len().min(most);
    let place = foot(frame, area, u16::try_from(shown).unwrap_or(1), theme);
    let mut places = Lines { left: place };
    for (at, line) in lines.iter().take(shown).enumerate() {
        let mark = if at == 0 { mark } else { " " };
        let strip = Strip::new(theme)
            .gap(1)
            .fixed(mark, role)
            .gap(1)
            .clean(line, role);
        let cut = at + 1 == shown && lines.len() > shown;
        let strip = if cut {
            strip.fixed(theme.symbols.cut, Role::Escape)
        } else {
            strip
        };
        strip.draw(places.next(), frame.buffer_mut(), Style::new());
    }
}

pub(super) fn footer(
    frame: &mut Frame<'_>,
    area: Rect,
    state: &State,
    theme: &Theme,
    hits: &mut Hits,
) {
    if let Some(newest) = state.notices.shown() {
        return notice(frame, area, newest, theme);
    }
    let area = Rect {
        y: area.bottom().saturating_sub(1),
        height: area.height.min(1),
        ..area
    };
    let stack = state.stack();
    let here = |spec: &&'static Spec| spec.contexts.iter().any(|context| stack.contains(context));
    let possible = |spec: &&'static Spec| action::refusal(spec.action, state).is_none();
    let mut left = Strip::new(theme);
    let mut right = Strip::new(theme);
    let specs: Vec<&'static Spec> = action::ACTIONS.iter().filter(here).collect();
    // The way out keeps its place at the right end.
    if let Some(quit) = specs.iter().find(|spec| spec.action == Action::Quit) {
        right = hint(quit, stack, state, theme).gap(1);
    }
    let width = usize::from(area.width).saturating_sub(right.width());
    for spec in specs {
        if spec.short.is_empty() || spec.action == Action::Quit || !possible(&spec) {
            continue;
        }
        let hint = hint(spec, stack, state, theme);
        if left.width() + 3 + hint.width() < width {
            let gap = if left.width() == 0 { 1 } else { 3 };
            let from = left.width() + gap;
            left = left.gap(gap).join(hint);
            hits.put(part(area, from, left.width()), Hit::Action(spec.action));
        }
    }
    if right.width() > 0 {
        hits.put(
            part(area, width, width + right.width()),
            Hit::Action(Action::Quit),
        );
        left = left.to(width).join(right);
    }
    left.draw(area, frame.buffer_mut(), Style::new());
}

fn hint<'a>(spec: &'static Spec, stack: &[Context], state: &State, theme: &'a Theme) -> Strip<'a> {
    let key = state.keymap.hint(stack, spec.action);
    // The same key leaves a page and the program.
    let words = match spec.action {
        Action::Quit if state.page.is_some() || state.diff.is_some() => "leave",
        _ => spec.short,
    };
    Strip::new(theme)
        .clean(&key, Role::Key)
        .gap(1)
        .fixed(words, Role::Plain)
}

/// A rule with a title in it and something to say at its right end.
pub(super) fn rule<'a>(
    theme: &'a Theme,
    title: &'static str,
    lit: bool,
    right: Option<&Clean>,
    width: usize,
) -> Strip<'a> {
    // Marked by signs too: not every screen shows bold.
    let (first, line, role) = if lit {
        let symbols = theme.symbols;
        (symbols.pointer, symbols.focus_rule, Role::Title)
    } else {
        (theme.symbols.rule, theme.symbols.rule, Role::Dim)
    };
    let strip = Strip::new(theme)
        .fixed(first, role)
        .gap(1)
        .fixed(title, role)
        .gap(1);
    let right_width = right.map_or(0, |right| right.width() + 3);
    let rest = width.saturating_sub(strip.width() + right_width);
    let strip = strip.times(line, rest, Role::Dim);
    match right {
        Some(right) => strip
            .gap(1)
            .clean(right, Role::Plain)
            .gap(1)
            .fixed(line, Role::Dim),
        None => strip,
    }
}
