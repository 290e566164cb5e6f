//! The hosts of a store, and answers as the store would give them.

use engine::store::{
    HostId, HostLine, HostSource, HostState, SiteId, SiteWait, SpanState, VisitFacts, VisitKind,
    VisitOutcome,
};
use jiff::SignedDuration;

use super::run;
use crate::engine;
use crate::input::Code;
use crate::jobs::{Answer, What};
use crate::msg::{Effect, Msg};
use crate::state::State;
use crate::test_kit::{at, host, press, press_key};
use crate::update::update;

/// What is looked for.
const FILTER: &str = "status:429 or denied>0";

/// Hosts of the store; the shown ones are among them.
const NAMES: [&str; 30] = [
    "alder", "ash", "aspen", "beech", "birch", "bramble", "cedar", "cherry", "dogwood", "elder",
    "elm", "fern", "fig", "ginkgo", "hawthorn", "hazel", "holly", "ivy", "juniper", "larch",
    "maple", "nettle", "oak", "pine", "quince", "reed", "thistle", "umbel", "willow", "yew",
];
const PARTS: [&str; 3] = ["docs.", "www.", ""];

fn lines() -> Vec<HostLine> {
    let names = NAMES.iter().flat_map(|name| PARTS.map(|part| (name, part)));
    let names = names.map(|(name, part)| format!("{part}{name}.example"));
    (0..).zip(names).map(|(n, name)| line(n, &name)).collect()
}

/// One host; which kind it is follows from its number alone.
fn line(n: u32, name: &str) -> HostLine {
    use SpanState::{Absent, Denied, Error, Limited, NotAsked, Present};
    let host = host(name);
    let minutes = |count: u32| SignedDuration::from_mins(i64::from(count));
    let ended =
        at("2026-11-30T06:01:12Z") + minutes(n) + SignedDuration::from_secs(i64::from(n * 17 % 60));
    let next = ended + SignedDuration::from_hours(6 * 24);
    let (kind, reason, statuses, locations): (_, _, &[u16], &[SpanState]) = match n % 8 {
        1 => (
            VisitKind::Limited,
            "",
            &[200, 404, 429],
            &[Present, Absent, Absent, Limited],
        ),
        3 => (
            VisitKind::Done,
            "",
            &[200, 404],
            &[Present, Denied, Denied, Absent, Present, Denied, Absent],
        ),
        5 => (
            VisitKind::Closed,
            "unreachable",
            &[503],
            &[Limited, Denied, Denied],
        ),
        6 => (
            VisitKind::Done,
            "",
            &[200, 304, 404],
            &[Present, Absent, Present, Absent, Absent, Error, Denied],
        ),
        _ => (
            VisitKind::Done,
            "",
            &[200, 404],
            &[Present, Absent, Absent, Present, Absent],
        ),
    };
    let mut locations = locations.to_vec();
    let rest = if kind == VisitKind::Done {
        Absent
    } else {
        NotAsked
    };
    locations.resize(13, rest);
    let count =
        |wanted: SpanState| locations.iter().filter(|state| **state == wanted).count() as u32;
    let denied = count(Denied);
    let held = n % 29 == 6;
    let resting = kind == VisitKind::Limited || reason == "unreachable";
    HostLine {
        id: HostId(i64::from(n) + 1),
        site: host.site(),
        site_id: SiteId(i64::from(n / 3) + 1),
        state: match (held, resting) {
            (true, _) => HostState::Held,
            (_, true) => HostState::Resting,
            _ => HostState::Done(Some(kind)),
        },
        again: false,
        resting: resting.then(|| SiteWait {
            until: next,
            cause: if kind == VisitKind::Limited {
                "429 on /llms.txt, Retry-After 600: asked again next week".to_owned()
            } else {
                "503 on /robots.txt: asked again next week".to_owned()
            },
        }),
        source: HostSource::List {
            kind: "majestic".to_owned(),
            name: "million.csv".to_owned(),
            date: at("2026-11-29T00:00:00Z"),
            line: Some(u64::from(n * 7_919 % 100_000) + 1),
        },
        due: Some(next),
        visited: Some(ended),
        outcome: Some(match kind {
            VisitKind::Limited => VisitOutcome::Limited,
            VisitKind::Closed => VisitOutcome::Closed(reason.to_owned()),
            _ => VisitOutcome::Done,
        }),
        newest: Some(VisitFacts {
            kind,
            reason: reason.to_owned(),
            requests: 13 - denied - count(NotAsked),
            errors: count(Error) + count(Limited),
            denied,
            largest: u64::from(n * 5_147 % 90_000) + 1_200,
            statuses: statuses.to_vec(),
        }),
        locations,
        host,
    }
}

/// Answers every question until there is none left.
fn answered(state: &mut State, mut effects: Vec<Effect>) {
    let all = lines();
    let kept = |line: &&HostLine| {
        let newest = line.newest.as_ref().unwrap();
        newest.statuses.contains(&429) || newest.denied > 0
    };
    while let Some(effect) = effects.pop() {
        let Effect::Ask(question) = effect else {
            continue;
        };
        let answer = match question.what {
            What::Order { filter, .. } if filter.is_all() => {
                Answer::Order(all.iter().map(|line| line.id).collect())
            }
            What::Order { .. } => {
                Answer::Order(all.iter().filter(kept).map(|line| line.id).collect())
            }
            What::Rows(ids) => {
                let wanted = all.iter().filter(|line| ids.contains(&line.id));
                Answer::Rows(wanted.cloned().collect())
            }
            _ => continue,
        };
        effects.extend(update(state, Msg::Read(question.number, Ok(answer))));
    }
}

/// The hosts that said 429, or denied something.
pub(super) fn filtered(state: State) -> State {
    let mut state = run::running(state);
    let asked = press(&mut state, "2/");
    answered(&mut state, asked);
    let mut asked = press(&mut state, FILTER);
    asked.extend(press_key(&mut state, Code::Enter));
    answered(&mut state, asked);
    let asked = press(&mut state, "jjjj");
    answered(&mut state, asked);
    state
}
