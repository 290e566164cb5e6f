//! The view of a diff: from two bodies read to the first screen, and a frame of it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::engine::history::{Facts, Known, Stop};
use crate::engine::store::{HostId, Version};
use crate::frames::Screen;
use crate::jobs::Answer;
use crate::jobs::diff::{Asked, Half, Look, Pair, Which, steps};
use crate::msg::Msg;
use crate::patch::Body;
use crate::state::State;
use crate::state::diff::DiffRequest;
use crate::update::diff::open_diff;
use crate::update::update;
use crate::{Goal, at_most, kit, quantile};

const SIZE: (u16, u16) = (120, 40);
const LOCATION: &str = "/openapi.json";

pub(crate) fn goals() -> Vec<Goal> {
    let pretty = pretty();
    let mut frames = scrolled(&pretty);
    vec![
        at_most(
            100.0,
            "first screen, 1 MB in 50,000 lines",
            "ms",
            first(&pretty),
        ),
        at_most(
            100.0,
            "first screen, 1 MB in one line",
            "ms",
            first(&one_line(1_000_000)),
        ),
        at_most(
            250.0,
            "first screen, 8 MB in one line",
            "ms",
            first(&one_line(7_900_000)),
        ),
        at_most(
            250.0,
            "first screen, 8 MB of shuffled lines",
            "ms",
            first(&shuffled()),
        ),
        at_most(
            5_000.0,
            "all levels, 8 MB of shuffled lines",
            "ms",
            last(&shuffled()),
        ),
        at_most(
            2.0,
            "frame of a diff, scrolled",
            "ms",
            quantile(&mut frames, 0.5),
        ),
    ]
}

type Bodies = (Vec<u8>, Vec<u8>);

/// The best of five: from the bodies to the bytes of the first screen.
fn first(bodies: &Bodies) -> f64 {
    let once = || {
        let begun = Instant::now();
        let mut shown = None;
        let stop = Stop::never();
        steps(pair(bodies), &asked(), &stop, &mut |told| {
            stop.end();
            if shown.is_none() {
                let (mut state, number) = opened();
                update(
                    &mut state,
                    Msg::Read(number, Ok(Answer::Diff(Box::new(told)))),
                );
                Screen::new(SIZE).draw(&state);
                shown = Some(begun.elapsed());
            }
        });
        shown.unwrap_or(Duration::MAX).as_secs_f64() * 1e3
    };
    (0..5).map(|_| once()).fold(f64::MAX, f64::min)
}

/// Until nothing more is told.
fn last(bodies: &Bodies) -> f64 {
    let begun = Instant::now();
    steps(pair(bodies), &asked(), &Stop::never(), &mut |_| {});
    begun.elapsed().as_secs_f64() * 1e3
}

/// Milliseconds of each frame of 500 rows gone down.
fn scrolled(bodies: &Bodies) -> Vec<f64> {
    let (mut state, number) = opened();
    steps(pair(bodies), &asked(), &Stop::never(), &mut |told| {
        update(
            &mut state,
            Msg::Read(number, Ok(Answer::Diff(Box::new(told)))),
        );
    });
    let mut screen = Screen::new(SIZE);
    let frames = (0..500).map(|_| {
        update(&mut state, kit::key('j'));
        let begun = Instant::now();
        screen.draw(&state);
        begun.elapsed().as_secs_f64() * 1e3
    });
    frames.collect()
}

fn opened() -> (State, u64) {
    let mut state = kit::listed(1, SIZE);
    let name = crate::engine::hosts::Host::parse(
        "api.example.com",
        crate::engine::hosts::NameRules::Loopback,
    );
    let request = DiffRequest {
        host: HostId(1),
        name: name.unwrap(),
        location: LOCATION.to_owned(),
        from: Some(1),
        to: Some(2),
    };
    open_diff(&mut state, request);
    let number = state.diff.as_ref().unwrap().asked;
    (state, number)
}

fn asked() -> Asked {
    let which = |number| Which {
        location: LOCATION.to_owned(),
        number: Some(number),
    };
    Asked {
        host: HostId(1),
        old: which(1),
        new: which(2),
        look: Look::Text,
        raw: false,
    }
}

fn pair((old, new): &Bodies) -> Arc<Pair> {
    let half = |number: u32, bytes: &[u8]| Half {
        known: Known::of(bytes, Some("application/json")),
        facts: Facts::of(bytes),
        cite: None,
        body: Body {
            version: Version {
                host: crate::engine::hosts::Host::parse(
                    "api.example.com",
                    crate::engine::hosts::NameRules::Loopback,
                )
                .unwrap(),
                location: LOCATION.to_owned(),
                number,
                first_seen: kit::at(0),
                last_seen: kit::at(0),
                sha256: [u8::try_from(number).unwrap(); 32],
                bytes: bytes.len() as u64,
                media_type: None,
                coding: None,
                marks: Vec::new(),
            },
            bytes: bytes.to_vec(),
        },
    };
    Arc::new(Pair {
        old: Some(half(1, old)),
        new: half(2, new),
        versions: Vec::new(),
    })
}

/// Numbers from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// One line of a hundred changed.
fn pretty() -> Bodies {
    let mut dice = Dice(1);
    let (mut old, mut new) = (String::new(), String::new());
    for at in 0..50_000 {
        let value = dice.below(1_000_000);
        let changed = u64::from(dice.below(100) == 0);
        old.push_str(&format!("  \"k{at}\": {value},\n"));
        new.push_str(&format!("  \"k{at}\": {},\n", value + changed));
    }
    (old.into_bytes(), new.into_bytes())
}

/// Three values changed.
fn one_line(bytes: usize) -> Bodies {
    let mut dice = Dice(2);
    let mut old = String::from("[");
    while old.len() < bytes {
        old.push_str(&format!(
            "{{\"id\":{},\"name\":\"item\"}},",
            dice.below(1_000_000)
        ));
    }
    old.push_str("0]");
    let mut new = old.clone().into_bytes();
    for part in [1, 2, 3] {
        let at = new.len() / 4 * part;
        let digit = new[at..].iter().position(u8::is_ascii_digit).unwrap();
        new[at + digit] ^= 1;
    }
    (old.into_bytes(), new)
}

fn shuffled() -> Bodies {
    let side = |seed| -> Vec<u8> {
        let mut dice = Dice(seed);
        let lines = (0..1_100_000).map(|_| format!("row {}\n", dice.below(50)));
        lines.collect::<String>().into_bytes()
    };
    (side(3), side(4))
}
