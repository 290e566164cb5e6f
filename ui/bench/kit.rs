//! States and answers for the benches.

use std::time::Duration;

use jiff::Timestamp;

use crate::engine;
use crate::engine::crawl::{HostState as InFlight, Lamp, RunState, Update, VisitRow};
use crate::engine::hosts::{Host, NameRules};
use crate::engine::store::{
    HostId, HostLine, HostSource, HostState, SiteId, SpanState, VisitFacts, VisitKind, VisitOutcome,
};
use crate::input::{Code, Gesture, Key};
use crate::jobs::{Answer, What};
use crate::msg::{Effect, Msg};
use crate::state::State;
use crate::theme::{Source, Stage, Theme, UNICODE};
use crate::update::update;

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_796_018_400 + second).unwrap()
}

pub(crate) fn theme() -> Theme {
    Theme::fitted(&Source::load("dark").unwrap(), Stage::Rgb, &UNICODE)
}

pub(crate) fn key(letter: char) -> Msg {
    Msg::Gesture(Gesture::Key(Key::from(Code::Char(letter))))
}

fn host(id: i64) -> Host {
    let name = format!("h{:08x}.example.com", (id * 2_654_435_761) & 0xffff_ffff);
    Host::parse(&name, NameRules::Loopback).unwrap()
}

/// A host as the store would give it.
fn line(id: HostId) -> HostLine {
    let host = host(id.0);
    HostLine {
        id,
        site: host.site(),
        site_id: SiteId(id.0),
        state: HostState::Done(Some(VisitKind::Done)),
        again: false,
        resting: None,
        source: HostSource::List {
            kind: "majestic".to_owned(),
            name: "million.csv".to_owned(),
            date: at(0),
            line: Some(id.0.unsigned_abs()),
        },
        due: Some(at(6 * 86_400 + id.0)),
        visited: Some(at(id.0)),
        outcome: Some(VisitOutcome::Done),
        locations: (0..13)
            .map(|n| match (id.0 + n) % 4 {
                0 => SpanState::Present,
                1 => SpanState::Denied,
                _ => SpanState::Absent,
            })
            .collect(),
        newest: Some(VisitFacts {
            kind: VisitKind::Done,
            reason: String::new(),
            requests: 10,
            errors: 0,
            denied: 3,
            largest: id.0.unsigned_abs() * 17 % 90_000,
            statuses: vec![200, 304, 404],
        }),
        host,
    }
}

/// Answers what is asked of the store, at once.
pub(crate) fn answered(state: &mut State, mut effects: Vec<Effect>, hosts: i64) {
    while let Some(effect) = effects.pop() {
        let Effect::Ask(question) = effect else {
            continue;
        };
        let answer = match question.what {
            What::Order { .. } => Answer::Order((1..=hosts).map(HostId).collect()),
            What::Rows(ids) => Answer::Rows(ids.into_iter().map(line).collect()),
            _ => continue,
        };
        effects.extend(update(state, Msg::Read(question.number, Ok(answer))));
    }
}

/// The list of so many hosts.
pub(crate) fn listed(hosts: i64, size: (u16, u16)) -> State {
    let mut state = State::default();
    update(&mut state, Msg::Size(size.0, size.1));
    update(&mut state, Msg::Clock(Some(at(0))));
    let asked = update(&mut state, Msg::Offline(None));
    answered(&mut state, asked, hosts);
    state
}

/// A visit in flight, as it stands after so many changes.
pub(crate) fn visit(id: i64, changes: i64) -> VisitRow {
    VisitRow {
        id: HostId(id),
        host: host(id),
        lamps: vec![Lamp::Present; usize::try_from(1 + changes % 13).unwrap()],
        gap: Duration::from_secs(2),
        state: if (id + changes) % 12 == 0 {
            InFlight::Asking {
                path: "/.well-known/agent-skills/index.json".to_owned(),
            }
        } else {
            InFlight::Resting {
                until: at((id * 7 + changes) % 60),
                why: "minimum gap, no Crawl-delay declared".to_owned(),
            }
        },
    }
}

/// News of a run with these visits.
pub(crate) fn news(rows: Vec<VisitRow>) -> Update {
    Update {
        policy: "intentroute".to_owned(),
        run: "2026-W49".to_owned(),
        now: Some(at(0)),
        started: Some(at(-3_600)),
        state: Some(RunState::Running),
        in_flight: 5_000,
        waiting: 900_000,
        rows,
        ..Update::default()
    }
}
