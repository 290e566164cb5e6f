//! What is read over the pane: the help, made from the registry, and the notices so far.

use engine::crawl::Lamp;
use ratatui::Frame;
use ratatui::layout::Rect;

use super::overlay::{boxed, lines, wrap};
use crate::action::{self, Context, Danger, Spec};
use crate::engine;
use crate::keymap::Keymap;
use crate::state::State;
use crate::state::details::{Details, text_width};
use crate::state::page::facts::{LABEL, wrapped};
use crate::text::{Clean, fit};
use crate::theme::{Role, Theme};
use crate::widget::strip::Strip;

/// Columns of the keys, in a box of this width.
fn key_columns(width: usize) -> usize {
    if width < 50 { 9 } else { 16 }
}

pub(super) fn help(
    frame: &mut Frame<'_>,
    area: Rect,
    (top, search): (usize, &str),
    state: &State,
    theme: &Theme,
) {
    let width = usize::from(area.width.saturating_sub(6)).min(96);
    let mut strips = Vec::new();
    // What can be done here first, the rest after it.
    let here = state.pane_stack();
    let there = Context::ALL
        .iter()
        .filter(|context| !here.contains(context));
    for context in here.iter().chain(there) {
        let now = here.contains(context);
        section(&mut strips, *context, now, search, width, state, theme);
    }
    legend(&mut strips, search, width, theme);
    if strips.is_empty() {
        strips.push(Strip::new(theme).fixed("no line holds these words", Role::Dim));
    }
    let mut title = Strip::new(theme).fixed("Keys", Role::Title);
    if !search.is_empty() {
        title = title.fixed(" with ", Role::Dim).value(search, Role::Title);
    }
    let keys = "Esc closes, / searches";
    scrolled(frame, area, (top, width), (title, keys), strips, theme);
}

/// Examples of filters, as the README has them.
const FILTERS: [(&str, &str); 5] = [
    ("docs state:held", "both: the word, and held"),
    ("status:429 or status>=500", "either"),
    (
        "size>1mb !source:majestic",
        "over a megabyte, and not from that list",
    ),
    (
        "visited<2d due<1h",
        "visited within two days, due within the hour or overdue",
    ),
    (
        "\"two words\" or (a b)",
        "quotes keep words together, parentheses what belongs together",
    ),
];

/// What the signs on the screen mean, and what filters look like.
fn legend<'a>(strips: &mut Vec<Strip<'a>>, search: &str, width: usize, theme: &'a Theme) {
    let lamps = [
        (Lamp::Present, "present, new or changed"),
        (Lamp::Unchanged, "present and unchanged"),
        (Lamp::Absent, "absent, a soft 404 too"),
        (Lamp::Denied, "denied by robots.txt"),
        (Lamp::Error, "an error, a block, a challenge or a limit"),
        (Lamp::Asking, "being asked"),
        (Lamp::NotYet, "not asked yet"),
    ];
    let lamps = lamps.map(|(lamp, words)| {
        let (symbol, role) = theme.lamp(lamp);
        (symbol, role, words)
    });
    let robots = [
        (
            "read",
            Role::Plain,
            "robots.txt came and its rules are followed",
        ),
        ("none", Role::Plain, "there is none: no restrictions"),
        (
            "closed",
            Role::Told,
            "its answer forbids everything: an error, a challenge, a file too large",
        ),
    ];
    let filters = FILTERS.map(|(filter, words)| (filter, Role::Key, words));
    for (title, lines) in [
        (
            "Lamps: a host's locations in the order they are asked, robots.txt first",
            &lamps[..],
        ),
        ("robots.txt in the totals", &robots[..]),
        ("Filters", &filters[..]),
    ] {
        let search = search.to_lowercase();
        let found = |line: &&(&str, Role, &str)| {
            let whole = format!("{title} {} {}", line.0, line.2).to_lowercase();
            search.split_whitespace().all(|word| whole.contains(word))
        };
        let lines: Vec<_> = lines.iter().filter(found).collect();
        if lines.is_empty() {
            continue;
        }
        for line in wrap(title, width) {
            strips.push(Strip::new(theme).clean(&line, Role::Title));
        }
        for (sign, role, words) in lines {
            let columns = if *role == Role::Key {
                27
            } else {
                key_columns(width)
            };
            let sign = Clean::new(sign);
            let beside = width >= columns + 24;
            if !beside {
                strips.push(Strip::new(theme).gap(2).clean(&sign, *role));
            }
            let from = if beside { columns + 4 } else { 4 };
            for (at, text) in wrap(words, width.saturating_sub(from)).iter().enumerate() {
                let mut strip = Strip::new(theme).gap(2);
                if beside {
                    let none = Clean::default();
                    strip = strip.cell(if at == 0 { &sign } else { &none }, columns, *role);
                }
                strips.push(strip.gap(2).clean(text, Role::Plain));
            }
        }
    }
}

fn section<'a>(
    strips: &mut Vec<Strip<'a>>,
    context: Context,
    now: bool,
    search: &str,
    width: usize,
    state: &State,
    theme: &'a Theme,
) {
    let search = search.to_lowercase();
    let mut first = true;
    for spec in action::of(context) {
        let keys = names(&state.keymap, context, spec);
        let refusal = action::refusal(spec.action, state).filter(|_| now);
        let text = sentence(spec, refusal);
        let whole = format!("{} {keys} {text}", spec.id).to_lowercase();
        if !search.split_whitespace().all(|word| whole.contains(word)) {
            continue;
        }
        if first {
            strips.push(Strip::new(theme).fixed(context.title(), Role::Title));
            first = false;
        }
        let role = if refusal.is_some() {
            Role::Dim
        } else {
            Role::Plain
        };
        let columns = key_columns(width);
        let keys = wrap(&keys, columns);
        let text = wrap(&text, width.saturating_sub(columns + 4));
        let none = Clean::default();
        for at in 0..keys.len().max(text.len()) {
            strips.push(
                Strip::new(theme)
                    .gap(2)
                    .cell(keys.get(at).unwrap_or(&none), columns, Role::Key)
                    .gap(2)
                    .clean(text.get(at).unwrap_or(&none), role),
            );
        }
    }
}

fn names(keymap: &Keymap, context: Context, spec: &Spec) -> String {
    let keys = keymap.keys(context, spec).iter();
    let names: Vec<String> = keys.map(ToString::to_string).collect();
    if names.is_empty() {
        return "no key".to_owned();
    }
    names.join(", ")
}

fn sentence(spec: &Spec, refusal: Option<&str>) -> String {
    let mut text = spec.help.to_owned();
    if spec.danger == Danger::Confirm {
        text.push_str(" (asks first)");
    }
    if let Some(refusal) = refusal {
        text.push_str(" - not now: ");
        text.push_str(refusal);
    }
    text
}

pub(super) fn notices(frame: &mut Frame<'_>, area: Rect, top: usize, state: &State, theme: &Theme) {
    let width = usize::from(area.width.saturating_sub(6)).min(116);
    let mut strips: Vec<Strip<'_>> = Vec::new();
    for notice in state.notices.newest() {
        let time = notice.at.map(fit::second).unwrap_or_default();
        let (mark, role) = if notice.bad {
            (theme.symbols.error, Role::Bad)
        } else {
            (" ", Role::Plain)
        };
        // On narrow screens the text stands below its time.
        let beside = width >= 50;
        let from = if beside { 23 } else { 2 };
        if !beside {
            strips.push(Strip::new(theme).value(&time, Role::Dim));
        }
        for (at, line) in notice
            .text
            .wrap(width.saturating_sub(from).max(1))
            .iter()
            .enumerate()
        {
            let (time, mark) = if at == 0 {
                (time.as_str(), mark)
            } else {
                ("", " ")
            };
            let mut strip = Strip::new(theme);
            if beside {
                strip = strip.cell(&Clean::new(time), 20, Role::Dim).gap(1);
            }
            strips.push(strip.fixed(mark, role).gap(1).clean(line, role));
        }
    }
    if strips.is_empty() {
        strips.push(Strip::new(theme).fixed("there has been no notice yet", Role::Dim));
    }
    let title = Strip::new(theme).fixed("Notices, newest first", Role::Title);
    scrolled(
        frame,
        area,
        (top, width),
        (title, "Esc closes"),
        strips,
        theme,
    );
}

pub(super) fn alarms(frame: &mut Frame<'_>, area: Rect, top: usize, state: &State, theme: &Theme) {
    let width = usize::from(area.width.saturating_sub(6)).min(116);
    let mut strips: Vec<Strip<'_>> = Vec::new();
    for alarm in state.alarms() {
        for (at, line) in alarm
            .wrap(width.saturating_sub(2).max(1))
            .iter()
            .enumerate()
        {
            let mark = if at == 0 { theme.symbols.error } else { " " };
            strips.push(
                Strip::new(theme)
                    .fixed(mark, Role::Alarm)
                    .gap(1)
                    .clean(line, Role::Plain),
            );
        }
    }
    if strips.is_empty() {
        strips.push(Strip::new(theme).fixed("all is as it should be", Role::Good));
    }
    let title = Strip::new(theme).fixed("Alarms, the gravest first", Role::Title);
    scrolled(
        frame,
        area,
        (top, width),
        (title, "Esc closes"),
        strips,
        theme,
    );
}

/// All there is to say of what is selected.
pub(super) fn details(frame: &mut Frame<'_>, area: Rect, details: &Details, theme: &Theme) {
    let width = text_width(area.width);
    let lines = wrapped(details.facts.clone(), width).into_iter();
    let strips = lines.map(|fact| {
        Strip::new(theme)
            .cell(&Clean::new(fact.label), LABEL - 1, Role::Dim)
            .clean(&fact.text, fact.role)
    });
    let strips: Vec<Strip<'_>> = strips.collect();
    let title = Strip::new(theme).clean(&details.title, Role::Title);
    scrolled(
        frame,
        area,
        (details.top, width),
        (title, "Esc closes"),
        strips,
        theme,
    );
}

fn scrolled<'a>(
    frame: &mut Frame<'_>,
    area: Rect,
    (top, width): (usize, usize),
    (title, keys): (Strip<'a>, &'static str),
    strips: Vec<Strip<'a>>,
    theme: &'a Theme,
) {
    let inner = boxed(frame, area, (width, strips.len() + 2), theme);
    let room = usize::from(inner.height).saturating_sub(2);
    let top = top.min(strips.len().saturating_sub(room));
    let more = strips.len().saturating_sub(top + room);
    let mut shown = vec![title];
    shown.extend(strips.into_iter().skip(top).take(room));
    let mut last = Strip::new(theme).fixed(keys, Role::Dim);
    if more > 0 {
        let count = fit::counted(more as u64, "more line");
        let whole = last
            .clone()
            .value(format!("; j scrolls: {count}"), Role::Dim);
        last = match whole.width() <= usize::from(inner.width) {
            true => whole,
            false => Strip::new(theme).value(format!("Esc closes; j: {count}"), Role::Dim),
        };
    }
    shown.push(last);
    lines(frame, inner, shown);
}
