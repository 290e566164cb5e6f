//! What the console costs: `cargo bench --bench console -- [MODE...] [--seconds N]`, all modes by default.
//! Prints one JSON object for each mode: its goals by number, every figure with its goal and whether that is
//! met; exit 1 if one is not.
//!
//! - `frames` state to bytes at 1,000 and 1,000,000 hosts and with 5,000 in flight, without a terminal;
//!   instructions by callgrind where there is valgrind
//! - `diff` from two bodies to the first screen of what changed, and a frame of it
//! - `load` the loop itself on a screen in memory, under 100,000 changes a second of 5,000 hosts in flight
//! - `memory` of the real program with a million hosts, and of that loop over `--seconds`, 60 by default
//! - `keys`, `start`, `sort`, `resize`, `idle` the real program in a pty, over a store of a million
//!   hosts, which the first of them makes and keeps in the target directory
//!
//! The rate of the engine with a console beside it is measured by `console_load`.

#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench says what it found, stops at the first fault, and uses a part of the console"
)]

use lamplighter as engine;
use serde_json::{Value, json};

mod action;
mod cli;
mod desk;
mod exit;
mod filter;
mod input;
mod jobs;
mod keymap;
mod msg;
mod osc;
mod patch;
mod plain;
mod run;
mod screen;
mod settings;
mod state;
mod term;
// A bench is built as a test is, and the console's own tests come along.
#[cfg(test)]
mod test_kit;
mod text;
mod theme;
mod update;
mod view;
mod widget;

#[path = "bench/diff.rs"]
mod diff;
#[path = "bench/frames.rs"]
mod frames;
#[path = "bench/kit.rs"]
mod kit;
#[path = "bench/load.rs"]
mod load;
#[path = "bench/pty.rs"]
mod pty;
#[path = "bench/terminal.rs"]
mod terminal;

/// A name, the goals it is about by number, and what measures, given how many seconds a long look takes.
type Mode = (&'static str, &'static [u8], fn(u64) -> Vec<Goal>);

const MODES: [Mode; 9] = [
    ("frames", &[1, 10], |_| frames::goals()),
    ("load", &[2], |_| load::goals()),
    ("memory", &[7], |seconds| {
        let mut goals = load::memory(seconds);
        goals.push(terminal::memory());
        goals
    }),
    ("keys", &[5, 10], |_| terminal::keys()),
    ("start", &[6], |_| terminal::start()),
    ("sort", &[8], |_| terminal::sort()),
    ("resize", &[11], |_| terminal::resize()),
    ("idle", &[4], |_| terminal::idle()),
    ("diff", &[], |_| diff::goals()),
];

/// One thing measured.
struct Goal {
    name: &'static str,
    unit: &'static str,
    /// At most this; none where the figure only explains others.
    limit: Option<f64>,
    measured: f64,
}

impl Goal {
    fn holds(&self) -> bool {
        self.limit.is_none_or(|limit| self.measured <= limit)
    }

    fn json(&self) -> Value {
        json!({
            "what": self.name, "value": (self.measured * 1e3).round() / 1e3, "unit": self.unit,
            "goal": self.limit, "met": self.limit.map(|_| self.holds()),
        })
    }
}

/// A figure that must not be above a limit.
fn at_most(limit: f64, name: &'static str, unit: &'static str, measured: f64) -> Goal {
    Goal {
        name,
        unit,
        limit: Some(limit),
        measured,
    }
}

/// A figure beside.
fn beside(name: &'static str, unit: &'static str, measured: f64) -> Goal {
    Goal {
        name,
        unit,
        limit: None,
        measured,
    }
}

/// The value below which this part of them lies.
fn quantile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = (values.len() as f64 * part) as usize;
    values[at.min(values.len() - 1)]
}

fn main() {
    let mut words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let mut seconds = 60;
    if let Some(at) = words.iter().position(|word| word == "--seconds") {
        seconds = words[at + 1].parse().unwrap();
        words.drain(at..=at + 1);
    }
    if let [word, hosts, count] = &words[..]
        && word == "draw"
    {
        // What `frames` lets `perf` look at.
        return frames::draw(hosts.parse().unwrap(), count.parse().unwrap());
    }
    let mut held = true;
    let known = |word: &String| MODES.iter().any(|(name, ..)| name == word);
    if let Some(word) = words.iter().find(|word| !known(word)) {
        panic!("no mode is called {word}");
    }
    for (mode, numbers, measure) in MODES {
        if words.is_empty() || words.iter().any(|word| word == mode) {
            let goals = measure(seconds);
            let met = goals.iter().all(Goal::holds);
            held &= met;
            let figures: Vec<Value> = goals.iter().map(Goal::json).collect();
            println!(
                "{}",
                json!({"mode": mode, "goals": numbers, "met": met, "figures": figures})
            );
        }
    }
    if !held {
        std::process::exit(1);
    }
}
