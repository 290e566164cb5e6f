//! Our diff against `git diff --no-index` and `diff -u`: CPU, memory, and the size of what is written.
//! Prints one JSON object.
//!
//! Each round takes the three in turn, as whole processes (read, compare, write a unified diff to
//! nowhere), and each figure is the median of the rounds. CPU seconds and the peak of memory are those
//! that the system counts for the process. The giant line is also compared in parts and laid out anew,
//! as the console does, against git's words. A tool that is absent is left out.
//!
//! `-- ROUNDS` sets the number of rounds (default 5).
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a bench prints what it found, and stops at the first fault"
)]

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lamplighter::history::{
    Facts, Known, Layout, Named, Patch, Pieces, Side, Stop, align, compare,
};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use serde_json::{Value, json};

/// What P12 allows.
const MOST_OF_GIT: f64 = 1.1;
const MOST_MIB: f64 = 150.0;
const MOST_SECONDS: f64 = 5.0;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|one| one != "--bench")
        .collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["ours", mode, old, new] => ours(mode, Path::new(old), Path::new(new)),
        ["measure", program, rest @ ..] => println!("{}", measured(program, rest)),
        [] => report(5),
        [rounds] => report(rounds.parse().unwrap()),
        other => panic!("{other:?}"),
    }
}

/// One whole comparison, in this process.
fn ours(mode: &str, old: &Path, new: &Path) {
    let (old, new) = (std::fs::read(old).unwrap(), std::fs::read(new).unwrap());
    let stop = Stop::after(Stop::LONGEST);
    let (old_pieces, new_pieces) = (pieces(mode, &old), pieces(mode, &new));
    let side = |body, pieces| Side {
        body,
        pieces,
        trimmed: mode == "reflow",
    };
    let script = compare(side(&old, &old_pieces), side(&new, &new_pieces), &stop).unwrap();
    let patch = Patch {
        old: Named {
            path: "old",
            body: &old,
        },
        new: Named {
            path: "new",
            body: &new,
        },
        context: 3,
    };
    let mut out = BufWriter::with_capacity(64 * 1024, std::io::stdout().lock());
    patch
        .write((&old_pieces, &new_pieces), &script, &mut out)
        .unwrap();
    out.flush().unwrap();
    std::process::exit(if script.approximate { 10 } else { 0 });
}

fn pieces(mode: &str, body: &[u8]) -> Pieces {
    match mode {
        "patch" => Pieces::lines(body),
        "parts" => Pieces::broken(body),
        "reflow" => Layout::new(body).unwrap().1.pieces,
        other => panic!("{other}"),
    }
}

/// One program in a process of its own, so that its peak of memory is its own, too.
fn measured(program: &str, arguments: &[&str]) -> Value {
    let begun = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("HOME", "/nonexistent")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let written = std::io::copy(&mut out, &mut std::io::sink()).unwrap();
    let status = child.wait().unwrap();
    let wall = begun.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap();
    let cpu = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    json!({
        "cpu_s": cpu as f64 / 1e6,
        "wall_s": wall,
        "peak_mib": usage.max_rss() as f64 / 1024.0,
        "output_bytes": written,
        "code": status.code(),
    })
}

/// A pair of files, and how our side and git look at it.
struct Pair {
    name: &'static str,
    old: Vec<u8>,
    new: Vec<u8>,
    mode: &'static str,
    /// No other tool ends in a time worth waiting for.
    alone: bool,
}

fn report(rounds: usize) {
    let folder = tempfile::tempdir().unwrap();
    let mut pairs = Vec::new();
    for pair in all() {
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        std::fs::write(&old, &pair.old).unwrap();
        std::fs::write(&new, &pair.new).unwrap();
        pairs.push(compared(&pair, &old, &new, rounds));
    }
    let of = |name: &str| pairs.iter().find(|pair| pair["pair"] == name).unwrap();
    let main = of("json_10mb_1_percent");
    let slowest = pairs
        .iter()
        .map(|pair| pair["ours"]["wall_s"].as_f64().unwrap())
        .fold(0.0, f64::max);
    let goal = json!({
        "cpu_of_git": main["ours_of_git"],
        "cpu_of_git_at_most": MOST_OF_GIT,
        "peak_mib": main["ours"]["peak_mib"],
        "peak_mib_at_most": MOST_MIB,
        "slowest_wall_s": slowest,
        "slowest_wall_s_at_most": MOST_SECONDS,
    });
    println!(
        "{:#}",
        json!({"rounds": rounds, "pairs": pairs, "waits": waits(), "goal": goal})
    );
}

fn compared(pair: &Pair, old: &Path, new: &Path, rounds: usize) -> Value {
    let this = std::env::current_exe().unwrap();
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    let (old, new) = (path(old), path(new));
    let words = if pair.mode == "patch" {
        "--no-color"
    } else {
        "--word-diff=plain"
    };
    let programs: [(&str, Vec<String>); 3] = [
        (
            "ours",
            [
                path(&this),
                "ours".into(),
                pair.mode.into(),
                old.clone(),
                new.clone(),
            ]
            .into(),
        ),
        (
            "git",
            ["git", "diff", "--no-index", words, &old, &new]
                .map(str::to_owned)
                .into(),
        ),
        ("diff", ["diff", "-u", &old, &new].map(str::to_owned).into()),
    ];
    let mut all: Vec<(&str, Vec<Value>)> = programs
        .iter()
        .map(|(name, _)| (*name, Vec::new()))
        .collect();
    for _ in 0..rounds {
        let which = if pair.alone { 1 } else { programs.len() };
        for ((_, program), (_, found)) in programs.iter().zip(&mut all).take(which) {
            found.extend(run(&this, program));
        }
    }
    let mut result = json!({"pair": pair.name, "mode": pair.mode});
    for (name, found) in &all {
        if !found.is_empty() {
            result[*name] = medians(found);
        }
    }
    for other in ["git", "diff"] {
        if let Some(cpu) = result[other]["cpu_s"].as_f64() {
            let ours = result["ours"]["cpu_s"].as_f64().unwrap();
            result[format!("ours_of_{other}")] = json!(hundredths(ours / cpu));
        }
    }
    result
}

/// Milliseconds until the console has its first answer about two files of 1 MB (what it reads from the
/// store aside), and until a search that nobody waits for any more has ended.
fn waits() -> Value {
    let first = |(old, new): (String, String)| {
        let once = || {
            let begun = Instant::now();
            first_answer(old.as_bytes(), new.as_bytes());
            begun.elapsed().as_secs_f64() * 1000.0
        };
        let best = (0..5).map(|_| once()).fold(f64::MAX, f64::min);
        hundredths(best)
    };
    json!({
        "first_answer_pretty_1mb_ms": first(pretty(50_000)),
        "first_answer_one_line_1mb_ms": first(minified(1_000_000)),
        "ended_search_ms": (0..5).map(|_| ended()).fold(0.0, f64::max),
    })
}

fn first_answer(old: &[u8], new: &[u8]) {
    let stop = Stop::after(Duration::from_millis(200));
    let all = |body| {
        let _ = (Known::of(body, None), Facts::of(body));
        let lines = Pieces::lines(body);
        if lines.has_long() {
            Pieces::broken(body)
        } else {
            lines
        }
    };
    let (old_pieces, new_pieces) = (all(old), all(new));
    let (old, new) = (Side::new(old, &old_pieces), Side::new(new, &new_pieces));
    let script = compare(old, new, &stop).unwrap();
    for change in &script.changes {
        align(change, &old, &new);
    }
}

fn ended() -> f64 {
    let (old, new) = shuffled(1_600_000);
    let stop = Stop::never();
    let search = {
        let stop = stop.clone();
        std::thread::spawn(move || {
            let (a, b) = (Pieces::lines(old.as_bytes()), Pieces::lines(new.as_bytes()));
            let sides = (Side::new(old.as_bytes(), &a), Side::new(new.as_bytes(), &b));
            let ended = compare(sides.0, sides.1, &stop).is_err();
            (ended, Instant::now())
        })
    };
    std::thread::sleep(Duration::from_millis(1_500));
    let asked = Instant::now();
    stop.end();
    let (was_ended, at) = search.join().unwrap();
    assert!(was_ended, "the search was over before it was ended");
    hundredths(at.duration_since(asked).as_secs_f64() * 1000.0)
}

/// None where the program is absent.
fn run(this: &PathBuf, program: &[String]) -> Option<Value> {
    let output = Command::new(this)
        .arg("measure")
        .args(program)
        .stderr(Stdio::null())
        .output()
        .unwrap();
    serde_json::from_slice(&output.stdout).ok()
}

fn medians(found: &[Value]) -> Value {
    let median = |key: &str| {
        let mut values: Vec<f64> = found.iter().map(|one| one[key].as_f64().unwrap()).collect();
        values.sort_by(f64::total_cmp);
        (values[values.len() / 2] * 1e4).round() / 1e4
    };
    json!({
        "cpu_s": median("cpu_s"),
        "wall_s": median("wall_s"),
        "peak_mib": median("peak_mib"),
        "output_bytes": median("output_bytes"),
        "code": found[0]["code"],
    })
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
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

fn all() -> Vec<Pair> {
    let pair = |name, (old, new): (String, String), mode| Pair {
        name,
        old: old.into_bytes(),
        new: new.into_bytes(),
        mode,
        alone: false,
    };
    let alone = |name, texts| Pair {
        alone: true,
        ..pair(name, texts, "patch")
    };
    let lines = |seed: u64, values: u64| {
        let mut dice = Dice(seed);
        (0..100_000)
            .map(|_| format!("line {}\n", dice.below(values)))
            .collect::<String>()
    };
    let giant = minified(10_000_000);
    vec![
        pair("json_1mb_1_percent", pretty(50_000), "patch"),
        pair("json_10mb_1_percent", pretty(500_000), "patch"),
        pair(
            "all_different",
            (lines(1, u64::MAX), lines(2, u64::MAX)),
            "patch",
        ),
        pair("shuffled_50_values", (lines(3, 50), lines(4, 50)), "patch"),
        pair("one_line_10mb", giant.clone(), "patch"),
        pair("one_line_10mb", giant.clone(), "parts"),
        pair("one_line_10mb", giant, "reflow"),
        alone("shuffled_10mb", shuffled(1_400_000)),
        alone("two_byte_lines_10mb", (coins(5), coins(6))),
    ]
}

/// Lines of 50 values, no two sides in the same order.
fn shuffled(lines: usize) -> (String, String) {
    let side = |seed| {
        let mut dice = Dice(seed);
        (0..lines)
            .map(|_| format!("row {}\n", dice.below(50)))
            .collect()
    };
    (side(9), side(10))
}

/// 10 MB of `0` and `1`, a line each.
fn coins(seed: u64) -> String {
    let mut dice = Dice(seed);
    (0..5_000_000)
        .map(|_| if dice.below(2) == 0 { "0\n" } else { "1\n" })
        .collect()
}

/// Pretty JSON of about 20 bytes a line; one line of a hundred changed.
fn pretty(lines: usize) -> (String, String) {
    let mut dice = Dice(7);
    let (mut old, mut new) = (String::from("{\n"), String::from("{\n"));
    for at in 0..lines {
        let value = dice.below(1_000_000);
        let line = |value| format!("  \"k{at}\": {value},\n");
        old.push_str(&line(value));
        new.push_str(&line(if dice.below(100) == 0 {
            value + 1
        } else {
            value
        }));
    }
    for text in [&mut old, &mut new] {
        text.push_str("  \"end\": 0\n}\n");
    }
    (old, new)
}

/// One line of JSON; one value of a hundred changed.
fn minified(bytes: usize) -> (String, String) {
    let mut dice = Dice(8);
    let (mut old, mut new) = (String::from("{\"all\":["), String::from("{\"all\":["));
    while old.len() < bytes {
        let (id, value) = (dice.below(1_000_000), dice.below(1_000_000));
        let item = |value| format!("{{\"id\":{id},\"name\":\"item, {value}\"}},");
        old.push_str(&item(value));
        new.push_str(&item(if dice.below(100) == 0 {
            value + 1
        } else {
            value
        }));
    }
    for text in [&mut old, &mut new] {
        text.push_str("0]}");
    }
    (old, new)
}
