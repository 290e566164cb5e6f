//! What the console costs, as goals: `cargo bench --bench console -- [MODE...]`, all modes by default.
//! Prints a JSON line for each goal: what is measured, its limit, and whether it holds; exit 1 if one does not.
//!
//! - `frames` state to bytes at 1,000 and 1,000,000 hosts, without a terminal; instructions where `perf` counts them
//! - `load` the loop itself on a screen in memory, under 100,000 changes a second of 5,000 hosts in flight
//! - `keys`, `start`, `sort`, `resize`, `idle` the real program in a pty, over a store of a million
//!   hosts, which the first of them makes and keeps in the target directory

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

/// A name and what measures.
type Mode = (&'static str, fn() -> Vec<Goal>);

const MODES: [Mode; 7] = [
    ("frames", frames::goals),
    ("load", load::goals),
    ("keys", terminal::keys),
    ("start", terminal::start),
    ("sort", terminal::sort),
    ("resize", terminal::resize),
    ("idle", terminal::idle),
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

    fn json(&self, mode: &str) -> Value {
        json!({
            "mode": mode, "goal": self.name, "unit": self.unit, "limit": self.limit,
            "measured": (self.measured * 1e3).round() / 1e3, "holds": self.holds(),
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
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    if let [word, hosts, count] = &words[..]
        && word == "draw"
    {
        // What `frames` lets `perf` look at.
        return frames::draw(hosts.parse().unwrap(), count.parse().unwrap());
    }
    let mut held = true;
    let known = |word: &String| MODES.iter().any(|(name, _)| name == word);
    if let Some(word) = words.iter().find(|word| !known(word)) {
        panic!("no mode is called {word}");
    }
    for (mode, measure) in MODES {
        if words.is_empty() || words.iter().any(|word| word == mode) {
            for goal in measure() {
                held &= goal.holds();
                println!("{}", goal.json(mode));
            }
        }
    }
    if !held {
        std::process::exit(1);
    }
}
