//! What stands round a pane: header, tabs, footer.

use engine::crawl::RunState;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::action::{self, Spec};
use crate::engine;
use crate::state::State;
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Symbol, role and words of the run's state: what is asked for and what is reached are two things.
pub(super) fn run_state(state: &State, theme: &Theme) -> (&'static str, Role, &'static str) {
    let symbols = theme.symbols;
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
    let mut run = Strip::new(theme);
    for name in [&live.policy, &live.run] {
        if !name.is_empty() {
            run = run.gap(2).clean(name, Role::Title);
        }
    }
    run = run.gap(2).fixed(symbol, role).gap(1).fixed(words, role);
    if let (Some(started), Some(now)) = (live.started, state.now) {
        let running = fit::stopwatch(fit::until(started, now));
        run = run.gap(1).value(running, Role::Plain);
    }
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
    } else {
        run
    };
    strip.draw(area, frame.buffer_mut(), Style::new());
}

pub(super) fn tabs(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    let live = &state.live;
    let mut strip = Strip::new(theme)
        .gap(1)
        .fixed("1", Role::Key)
        .fixed(" Live", Role::Title);
    if live.loopback || !live.overrides.is_empty() {
        strip = strip.gap(3).fixed(" LOOPBACK ", Role::Label);
        for change in &live.overrides {
            strip = strip.gap(1).clean(change, Role::Told);
        }
    }
    let help = Strip::new(theme)
        .fixed("?", Role::Key)
        .fixed(" help ", Role::Plain);
    let at = usize::from(area.width).saturating_sub(help.width());
    if strip.width() < at {
        strip = strip.to(at).join(help);
    }
    strip.draw(area, frame.buffer_mut(), Style::new());
}

pub(super) fn footer(frame: &mut Frame<'_>, area: Rect, state: &State, theme: &Theme) {
    if let Some(toast) = &state.toast {
        let (word, role) = if toast.bad {
            ("! ", Role::Bad)
        } else {
            ("", Role::Told)
        };
        let strip = Strip::new(theme)
            .gap(1)
            .fixed(word, role)
            .clean(&toast.text, role);
        return strip.draw(area, frame.buffer_mut(), Style::new());
    }
    let width = usize::from(area.width);
    let mut strip = Strip::new(theme);
    for spec in action::of(action::context(state)).filter(|spec| !spec.short.is_empty()) {
        if action::refusal(spec.action, state).is_some() {
            continue;
        }
        let hint = hint(spec, theme);
        if strip.width() + 3 + hint.width() < width {
            let gap = if strip.width() == 0 { 1 } else { 3 };
            strip = strip.gap(gap).join(hint);
        }
    }
    strip.draw(area, frame.buffer_mut(), Style::new());
}

fn hint<'a>(spec: &'static Spec, theme: &'a Theme) -> Strip<'a> {
    let key = spec.keys.first().map_or("", |(name, _)| *name);
    Strip::new(theme)
        .fixed(key, Role::Key)
        .gap(1)
        .fixed(spec.short, Role::Plain)
}

/// A rule with a title in it and something to say at its right end.
pub(super) fn rule<'a>(
    theme: &'a Theme,
    title: &'static str,
    lit: bool,
    right: Option<&Clean>,
    width: usize,
) -> Strip<'a> {
    let role = if lit { Role::Title } else { Role::Dim };
    let line = theme.symbols.rule;
    let strip = Strip::new(theme)
        .fixed(line, Role::Dim)
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
