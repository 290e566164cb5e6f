//! States and news for the tests of the console.

pub(crate) mod changes;
pub(crate) mod diff;
pub(crate) mod page;
pub(crate) mod runs;

use std::time::Duration;

use engine::crawl::{HostState, Lamp, LogLine, RunState, Update, VisitRow};
use engine::hosts::{Host, NameRules};
use engine::store::{Change, HostId, Totals};
use jiff::Timestamp;

use crate::engine;
use crate::input::{Code, Gesture, Key};
use crate::msg::{Effect, Msg};
use crate::state::State;
use crate::text::Clean;
use crate::theme::{Source, Stage, Theme, UNICODE};
use crate::update::update;

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A theme without colours.
pub(crate) fn mono() -> Theme {
    Theme::fitted(&Source::load("mono").unwrap(), Stage::None, &UNICODE)
}

pub(crate) fn host(name: &str) -> Host {
    Host::parse(name, NameRules::Loopback).unwrap()
}

pub(crate) fn lamps(text: &str) -> Vec<Lamp> {
    text.chars()
        .map(|char| match char {
            '@' => Lamp::Present,
            '=' => Lamp::Unchanged,
            'o' => Lamp::Absent,
            'x' => Lamp::Denied,
            '!' => Lamp::Error,
            '?' => Lamp::Asking,
            _ => Lamp::NotYet,
        })
        .collect()
}

pub(crate) fn row(id: i64, name: &str, shown: &str, gap: u64, state: HostState) -> VisitRow {
    VisitRow {
        id: HostId(id),
        host: host(name),
        lamps: lamps(shown),
        gap: Duration::from_secs(gap),
        state,
    }
}

pub(crate) fn resting(until: &str, why: &str) -> HostState {
    HostState::Resting {
        until: at(until),
        why: why.to_owned(),
    }
}

pub(crate) fn asking(path: &str) -> HostState {
    HostState::Asking {
        path: path.to_owned(),
    }
}

fn logged(time: &str, name: &str, path: &str, status: u16, bytes: u64, change: Change) -> LogLine {
    LogLine {
        at: at(time),
        id: HostId(match name {
            "docs.alder.test" => 1,
            "shop.bramble.test" => 2,
            _ => 3,
        }),
        host: host(name),
        method: "GET",
        path: path.to_owned(),
        status: Some(status),
        outcome: match status {
            200 => "present",
            304 => "not_modified",
            404 => "absent",
            _ => "limited",
        },
        bytes,
        change,
    }
}

fn totals() -> Totals {
    let outcomes = [
        ("present", 61_204),
        ("not_modified", 288_110),
        ("absent", 4_400_021),
        ("timeout", 4_100),
        ("limited", 14),
        ("redirect", 900),
    ];
    Totals {
        requests: 4_754_349,
        outcomes: outcomes
            .map(|(word, count)| (word.to_owned(), count))
            .into(),
        denied: 20_411,
        versions_new: 1_204,
        wire_bytes: 9_000_000_000,
        ..Totals::default()
    }
}

/// News of a run in its third hour.
pub(crate) fn running() -> Update {
    Update {
        policy: "intentroute".to_owned(),
        run: "2026-W49".to_owned(),
        now: Some(at("2026-11-30T08:14:07Z")),
        started: Some(at("2026-11-30T06:00:00Z")),
        state: Some(RunState::Running),
        totals: totals(),
        done: 412_310,
        in_flight: 5,
        waiting: 587_102,
        told_to_wait: 88,
        robots: [981, 12, 7],
        window_ends: Some(at("2026-12-01T06:00:00Z")),
        rows: vec![
            row(
                1,
                "docs.alder.test",
                "@@=ooo@o.....",
                2,
                resting(
                    "2026-11-30T08:14:08.200Z",
                    "minimum gap, no Crawl-delay declared",
                ),
            ),
            row(
                2,
                "shop.bramble.test",
                "@ooxoo?......",
                60,
                asking("/.well-known/agent-skills/index.json"),
            ),
            row(
                3,
                "api.cedar.test",
                "@!...........",
                2,
                HostState::Done {
                    outcome: "429 on /llms.txt, Retry-After 600: next week".to_owned(),
                },
            ),
            row(4, "xn--fiqs8s.test", "@", 2, HostState::Ready),
            row(5, "held.elder.test", "@o", 2, HostState::Held),
        ],
        log: vec![
            logged(
                "2026-11-30T08:14:06.412Z",
                "docs.alder.test",
                "/.well-known/agent-skills/index.json",
                200,
                4_100,
                Change::Changed,
            ),
            logged(
                "2026-11-30T08:14:06.700Z",
                "shop.bramble.test",
                "/llms.txt",
                404,
                120,
                Change::None,
            ),
            logged(
                "2026-11-30T08:14:06.900Z",
                "api.cedar.test",
                "/llms.txt",
                429,
                0,
                Change::None,
            ),
        ],
        ..Update::default()
    }
}

/// A run that broke, with hostile text on every path that ends on screen.
pub(crate) fn trouble() -> Update {
    let evil = "\x1b[2J\x1b]0;pwned\x07\u{202e}gnp\r\n\u{200b}\u{9b}31m";
    let mut update = running();
    update.loopback = true;
    update.state = Some(RunState::Stopping);
    update.notice = Some(format!("the disk is full; free some space{evil}"));
    update.dropped = 1_234;
    update.rows = vec![
        row(1, "docs.alder.test", "@!!!", 2, asking(&format!("/{evil}"))),
        row(
            2,
            "shop.bramble.test",
            "@@@@@@@@@@@@@@@@@@@@@@@@@@",
            60,
            resting("2026-11-30T10:42:07Z", &format!("Crawl-delay 60{evil}")),
        ),
    ];
    update.log.push(LogLine {
        path: format!("/{evil}"),
        ..update.log[0].clone()
    });
    update
}

/// A state that has heard this.
pub(crate) fn told(size: (u16, u16), news: Update) -> State {
    let mut state = State::default();
    let overrides = if news.loopback {
        vec![Clean::new("pace.scale=0.01")]
    } else {
        Vec::new()
    };
    update(&mut state, Msg::Size(size.0, size.1));
    update(&mut state, Msg::Started(overrides));
    update(&mut state, Msg::Update(Box::new(news)));
    state
}

/// Presses letters.
pub(crate) fn press(state: &mut State, keys: &str) -> Vec<Effect> {
    keys.chars()
        .flat_map(|char| press_key(state, Code::Char(char)))
        .collect()
}

pub(crate) fn press_key(state: &mut State, code: Code) -> Vec<Effect> {
    update(state, Msg::Gesture(Gesture::Key(Key::from(code))))
}
