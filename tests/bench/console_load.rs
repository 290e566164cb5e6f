//! Whether the screen slows the engine: the same demo without a face, on a terminal that is read, and
//! on one that nobody reads for a while. Prints one JSON object.
//!
//! ```sh
//! cargo bench --bench console_load [-- --hosts 5000 --rounds 3 --unread 10 --gap 20]
//! ```
//!
//! With the usual gap of 20 ms the processors are the limit, and a console takes its share of them; with
//! one of 200 ms the gap is, and whatever is lost then was lost by waiting for the screen.
//!
//! Engine, mini web and console share one process and its processors, and the three take turns, so
//! that what else the machine does falls on all. Linux and macOS: it needs pseudo-terminals.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a bench prints what it found and stops where it cannot go on"
)]

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lamplighter::store::Store;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::{Value, json};

const BINARY: &str = env!("CARGO_BIN_EXE_lamplighter");
/// A run that has not ended by then never will.
const LONGEST: Duration = Duration::from_secs(600);

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let options: HashMap<&str, u64> = words
        .chunks(2)
        .map(|pair| match pair {
            [key, value] => (key.trim_start_matches("--"), value.parse().unwrap()),
            _ => panic!("{pair:?}: an option and its value, please"),
        })
        .collect();
    let option = |key: &str, usual| options.get(key).copied().unwrap_or(usual);
    let (hosts, rounds) = (option("hosts", 5_000), option("rounds", 3));
    let unread = Duration::from_secs(option("unread", 10));
    let gap = option("gap", 20);
    let load = Load { hosts, gap };
    let mut turns = Vec::new();
    for round in 0..rounds {
        // Each goes first in its turn: the first one finds another machine than the last.
        let (mut alone, mut read, mut deaf) = (None, None, None);
        for turn in 0..3 {
            match (round + turn) % 3 {
                0 => alone = Some(headless(load)),
                1 => read = Some(watched(load, Duration::ZERO)),
                _ => deaf = Some(watched(load, unread)),
            }
        }
        let (alone, read, deaf) = (alone.unwrap(), read.unwrap(), deaf.unwrap());
        turns.push(json!({
            "headless": alone.told(),
            "console": read.told(),
            "console_unread": deaf.told(),
            "ratio": read.rate() / alone.rate(),
            "ratio_unread": deaf.rate() / alone.rate(),
            "cpu_ratio": read.cpu / alone.cpu,
            "cpu_ratio_unread": deaf.cpu / alone.cpu,
        }));
    }
    let spread = |key: &str| {
        let mut values: Vec<f64> = turns
            .iter()
            .map(|turn| turn[key].as_f64().unwrap())
            .collect();
        values.sort_by(f64::total_cmp);
        let (median, most) = (values[values.len() / 2], values[values.len() - 1]);
        json!({"least": values[0], "median": median, "most": most})
    };
    let (ratio, ratio_unread) = (spread("ratio"), spread("ratio_unread"));
    let least = |ratio: &Value| ratio["median"].as_f64().unwrap() >= 0.97;
    let found = json!({
        "bench": "console_load",
        "hosts": hosts,
        "gap_ms": gap,
        "unread_s": unread.as_secs(),
        "met": least(&ratio) && least(&ratio_unread),
        "ratio": ratio,
        "ratio_unread": ratio_unread,
        "cpu_ratio": spread("cpu_ratio"),
        "cpu_ratio_unread": spread("cpu_ratio_unread"),
        "goal": "a console attached, read or not, leaves the engine at least 97 % of its rate",
        "turns": turns,
    });
    println!("{found:#}");
}

/// How much there is to do.
#[derive(Clone, Copy)]
struct Load {
    hosts: u64,
    /// Least gap of a site, ms.
    gap: u64,
}

/// What a run did by its own store, and what was drawn of it.
struct Ran {
    requests: u64,
    seconds: f64,
    drawn: u64,
    /// Processor time of engine, mini web and console, seconds.
    cpu: f64,
}

impl Ran {
    /// The run of a store, once it has ended.
    fn of(store: &Path, drawn: u64, cpu: f64) -> Option<Ran> {
        let reader = Store::existing(store).ok()?.reader().ok()?;
        let run = reader.runs().ok()?.into_iter().next()?;
        let took = run.ended?.duration_since(run.start.at);
        Some(Ran {
            requests: reader.totals(run.id).ok()?.requests,
            seconds: took.as_secs_f64(),
            drawn,
            cpu,
        })
    }

    #[allow(clippy::cast_precision_loss, reason = "a rate")]
    fn rate(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    fn told(&self) -> Value {
        json!({
            "requests": self.requests,
            "seconds": self.seconds,
            "requests_a_second": self.rate(),
            "bytes_drawn": self.drawn,
            "cpu_seconds": self.cpu,
        })
    }
}

/// Seconds of processor time of a process so far (Linux).
fn cpu(process: u32) -> Option<f64> {
    let told = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<&str> = told.rsplit(')').next()?.split_whitespace().collect();
    let ticks = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    // One that has ended and is not waited for yet still tells.
    (ticks > 0.0).then_some(ticks / 100.0)
}

/// Arguments of the demo in a folder: one plain site beside the invented ones, since some of the
/// built-in ones take half a minute to answer nothing.
fn demo(place: &Path, load: Load) -> Vec<String> {
    let sites = place.join("web/sites");
    std::fs::create_dir_all(&sites).unwrap();
    std::fs::write(sites.join("oak.test.toml"), "").unwrap();
    let (web, store) = (place.join("web"), place.join("store"));
    let words = [
        "demo",
        // As --fast does, which divides by 100 what is set here.
        "--fast",
        "--set",
        &format!("pace.min_gap={}ms", 100 * load.gap),
        "--hosts",
        &load.hosts.to_string(),
        "--web",
        web.to_str().unwrap(),
        "--store",
        store.to_str().unwrap(),
    ];
    words.map(str::to_owned).to_vec()
}

fn headless(load: Load) -> Ran {
    let place = tempfile::tempdir().unwrap();
    let mut child = Command::new(BINARY)
        .args(demo(place.path(), load))
        .arg("--headless")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut spent = 0.0;
    let ended = loop {
        spent = cpu(child.id()).unwrap_or(spent);
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(ended.success());
    Ran::of(&place.path().join("store"), 0, spent).unwrap()
}

/// On a terminal that is not read for so long, then read and forgotten.
fn watched(load: Load, unread: Duration) -> Ran {
    let (place, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let size = PtySize {
        rows: 36,
        cols: 120,
        ..PtySize::default()
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let mut command = CommandBuilder::new(BINARY);
    command.args(demo(place.path(), load));
    command.env("TERM", "xterm-256color");
    command.env("XDG_CONFIG_HOME", home.path());
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let (drawn, mut terminal) = (
        Arc::new(AtomicU64::new(0)),
        pair.master.try_clone_reader().unwrap(),
    );
    let counted = Arc::clone(&drawn);
    std::thread::spawn(move || {
        std::thread::sleep(unread);
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count) = terminal.read(&mut buffer) {
            if count == 0 {
                return;
            }
            counted.fetch_add(count as u64, Ordering::SeqCst);
        }
    });
    let store = place.path().join("store");
    let begun = Instant::now();
    let ran = loop {
        std::thread::sleep(Duration::from_millis(500));
        let spent = child.process_id().and_then(cpu).unwrap_or(0.0);
        if let Some(ran) = Ran::of(&store, drawn.load(Ordering::SeqCst), spent) {
            break ran;
        }
        assert!(begun.elapsed() < LONGEST, "the run does not end");
    };
    // A key might come before the console has heard of the end, and be asked back.
    let id = child.process_id().unwrap().to_string();
    let told = Command::new("kill").args(["-s", "TERM", &id]).status();
    assert!(told.unwrap().success());
    child.wait().unwrap();
    ran
}
