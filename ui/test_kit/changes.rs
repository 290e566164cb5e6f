//! A list of changes, and answers from it.

use std::sync::Arc;

use engine::store::{
    ChangeIndex, ChangeKey, ChangeKind, ChangeLine, ChangeSpan, HostId, Run, RunId, RunStart,
    SiteId,
};

use super::{at, host, press, running, told};
use crate::engine;
use crate::jobs::changes::Begun;
use crate::jobs::{Answer, What};
use crate::msg::{Effect, Msg};
use crate::state::State;
use crate::update::update;

const HOSTS: [&str; 6] = [
    "docs.alder.test",
    "www.alder.test",
    "shop.bramble.test",
    "api.cedar.test",
    "xn--fiqs8s.test",
    "fir.test",
];
const LOCATIONS: [&str; 3] = [
    "/robots.txt",
    "/llms.txt",
    "/.well-known/agent-skills/index.json",
];
const STORY: [(ChangeKind, bool); 6] = [
    (ChangeKind::Changed, false),
    (ChangeKind::UnchangedByContent, false),
    (ChangeKind::New, false),
    (ChangeKind::Gone, false),
    (ChangeKind::Back, true),
    (ChangeKind::Back, false),
];

/// Three runs, newest first.
pub(crate) fn runs() -> Vec<Run> {
    [(3, "2026-W49"), (2, "2026-W48"), (1, "2026-W47")]
        .into_iter()
        .map(|(id, label)| Run {
            id: RunId(id),
            start: RunStart {
                label: label.to_owned(),
                policy_toml: String::new(),
                loopback: true,
                scheme: "https".to_owned(),
                user_agent: "IntentRouteBot/0.1".to_owned(),
                source_ip: None,
                at: at("2026-11-30T06:00:00Z"),
                window_ends: at("2026-12-01T06:00:00Z"),
            },
            ended: None,
        })
        .collect()
}

/// The change at a place of a list without end.
pub(crate) fn line(place: usize) -> ChangeLine {
    let number = i64::try_from(place).unwrap();
    let (kind, was_gone) = STORY[place % STORY.len()];
    let (round, name) = (place / 18, HOSTS[place / 3 % 6]);
    let name = match round {
        0 => name.to_owned(),
        _ => format!("h{round}.{name}"),
    };
    let host = host(&name);
    let there = kind != ChangeKind::New && !was_gone;
    let bytes = 1_250 + 977 * (number % 7);
    let size = u64::try_from(bytes).unwrap();
    let same = kind == ChangeKind::UnchangedByContent;
    ChangeLine {
        key: ChangeKey {
            site: SiteId([1, 1, 2, 3, 4, 5][place / 3 % 6] + 6 * i64::try_from(round).unwrap()),
            host: HostId(number / 3 + 1),
            target: number % 3 + 1,
        },
        site: host.site(),
        host,
        location: LOCATIONS[place % 3].to_owned(),
        kind,
        was_gone,
        at: at("2026-11-30T06:14:07Z"),
        before: (kind != ChangeKind::New).then_some(2),
        now: match kind {
            ChangeKind::Gone => None,
            ChangeKind::New => Some(1),
            _ if same || was_gone => Some(2),
            _ => Some(3),
        },
        bytes_before: there.then_some(if same { size } else { 4_100 }),
        bytes_now: (kind != ChangeKind::Gone).then_some(size),
        same_as: (kind == ChangeKind::Back && !was_gone).then_some(1),
        shared: (!place.is_multiple_of(3)).then_some(if kind == ChangeKind::New {
            4_210
        } else {
            0
        }),
    }
}

/// An answer to each question about changes, from a list of so many.
pub(crate) fn answer(state: &mut State, effects: Vec<Effect>, length: usize) {
    let mut left = effects;
    while let Some(effect) = left.pop() {
        let Effect::Ask(question) = effect else {
            continue;
        };
        let answers = match &question.what {
            What::Changes(asked) => {
                let to = asked.to.unwrap_or(RunId(3));
                let since = asked.since;
                let lines = (0..length.min(100)).map(line).collect();
                let begun = Begun {
                    runs: runs(),
                    span: Some(ChangeSpan { since, to }),
                    sparse: to == RunId(1),
                    lines,
                };
                let mut index = ChangeIndex::default();
                for place in 0..length {
                    *index.counts.of_mut(line(place).kind) += 1;
                }
                vec![
                    Answer::ChangesBegun(Box::new(begun)),
                    Answer::Changes(Arc::new(index)),
                ]
            }
            What::ChangeRows(window) => {
                let end = (window.first + window.limit).min(length);
                let lines = (window.first..end).map(line).collect();
                vec![Answer::ChangeRows(window.first, lines)]
            }
            _ => continue,
        };
        for answer in answers {
            left.extend(update(state, Msg::Read(question.number, Ok(answer))));
        }
    }
}

/// The pane with a list of so many changes.
pub(crate) fn shown(size: (u16, u16), length: usize) -> State {
    let mut state = told(size, running());
    let effects = press(&mut state, "3");
    answer(&mut state, effects, length);
    state
}

/// Presses letters and answers what they ask.
pub(crate) fn pressed(state: &mut State, keys: &str, length: usize) {
    for key in keys.chars() {
        let effects = press(state, &key.to_string());
        answer(state, effects, length);
    }
}
