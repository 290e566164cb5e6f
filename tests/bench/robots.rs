//! Hostile robots.txt files of 500 KiB: CPU time to read one and give 13 verdicts, and memory.
//!
//! Prints one JSON object. Each kind is measured in a process of its own. The time of a kind is its
//! best round by the clock or the mean CPU time of all rounds by /proc/self/schedstat (Linux),
//! whichever is less: both are at least what it costs, and other work on the machine makes the
//! clock say too much. Memory is read from /proc/self/status (elsewhere it is null): `live` is
//! what the process grew by with the file held parsed, `peak` what it grew by at most while
//! reading and judging. The signals in force at `/`, which a visit asks once, count with the
//! verdicts. `--kind NAME` measures only that kind, in this process.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints what it found"
)]

mod hostile;

use std::process::Command;
use std::time::Instant;

use hostile::{KINDS, LIMIT, PATHS, TOKEN};
use lamplighter::robots::RobotsFile;
use serde_json::{Value, json};

/// What any file may cost: read, 13 verdicts and the signals in force.
const MOST_CPU_MS: f64 = 50.0;
const MOST_PEAK_MIB: f64 = 10.0;

const ROUNDS: u32 = 9;

/// A value of /proc/self/status in bytes.
fn status(key: &str) -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(key))?;
    let kilobytes: i64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// Milliseconds that this process has computed, told in steps of a few.
fn computed() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    (nanoseconds > 0.0).then_some(nanoseconds / 1e6)
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1000.0
}

fn mib(bytes: i64) -> f64 {
    hundredths(bytes as f64 / (1024.0 * 1024.0))
}

fn hundredths(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn measure(kind: &str) -> Option<Value> {
    let bytes = hostile::file(kind)?;
    // What libraries set up once is not the file's.
    RobotsFile::read(b"User-agent: *\nDisallow: /*a$\n", TOKEN, LIMIT).verdict("/a");
    // Sets the high-water mark back to now.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = status("VmRSS:");
    let grown = |key: &str| Some(status(key)? - before?);

    let begun = computed();
    let mut best = (f64::MAX, f64::MAX);
    let mut memory = None;
    let mut denied = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let robots = RobotsFile::read(&bytes, TOKEN, LIMIT);
        let read = milliseconds(start);
        let start = Instant::now();
        denied = PATHS
            .iter()
            .filter(|path| !robots.verdict(path).allowed)
            .count();
        robots.signals("/");
        let verdicts = milliseconds(start);
        if read + verdicts < best.0 + best.1 {
            best = (read, verdicts);
        }
        // Memory of the first round only: later ones find the heap grown.
        memory.get_or_insert_with(|| (grown("VmRSS:"), grown("VmHWM:")));
    }
    let (live, peak) = memory.unwrap_or_default();
    let clock = best.0 + best.1;
    let mean = begun.and_then(|begun| Some((computed()? - begun) / f64::from(ROUNDS)));
    let total = hundredths(mean.unwrap_or(clock).min(clock));
    let peak = peak.map(mib);
    Some(json!({
        "kind": kind,
        "bytes": bytes.len(),
        "read_ms": hundredths(best.0),
        "verdicts_13_ms": hundredths(best.1),
        "cpu_ms": total,
        "live_mib": live.map(mib),
        "peak_mib": peak,
        "denied": denied,
        "holds": total <= MOST_CPU_MS && peak.is_none_or(|peak| peak <= MOST_PEAK_MIB),
    }))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--kind") {
        let kind = arguments.get(at + 1).map_or("", String::as_str);
        match measure(kind) {
            Some(found) => println!("{found}"),
            None => {
                let names: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
                eprintln!("no such kind: {kind}; there are {}", names.join(", "));
            }
        }
        return;
    }
    let found: Vec<Value> = KINDS
        .iter()
        .filter_map(|(kind, _)| in_own_process(kind))
        .collect();
    let holds = found.len() == KINDS.len() && found.iter().all(|kind| kind["holds"] == true);
    let whole = json!({
        "limit": { "cpu_ms": MOST_CPU_MS, "peak_mib": MOST_PEAK_MIB },
        "holds": holds,
        "worst_cpu_ms": worst(&found, "cpu_ms"),
        "worst_peak_mib": worst(&found, "peak_mib"),
        "kinds": found,
    });
    println!("{whole:#}");
}

/// The kind with the largest value, and the value.
fn worst(found: &[Value], key: &str) -> Value {
    let value = |kind: &&Value| kind[key].as_f64().unwrap_or_default();
    found
        .iter()
        .max_by(|a, b| value(a).total_cmp(&value(b)))
        .map_or(Value::Null, |kind| json!([kind["kind"], kind[key]]))
}

fn in_own_process(kind: &str) -> Option<Value> {
    let this = std::env::current_exe().ok()?;
    let output = Command::new(this).args(["--kind", kind]).output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}
