//! The real program in a pty, over an empty store and one of a million hosts.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::pty::{Console, Frame};
use crate::{Goal, at_most, beside, quantile};

const USUAL: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);
const STARTS: usize = 20;
/// Columns a list can be sorted by, but for the one it begins with.
const ORDERS: usize = 7;
const MILLION: &str = "1,000,000 as of";

fn import(store: &Path, names: &str) {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("hosts.txt");
    std::fs::write(&list, names).unwrap();
    let imported = Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .arg("--store")
        .arg(store)
        .args(["hosts", "import", "list"])
        .arg(&list)
        .output()
        .unwrap();
    assert!(imported.status.success(), "{imported:?}");
}

/// A store of a million hosts, made once.
fn million() -> PathBuf {
    let store = Path::new(env!("CARGO_TARGET_TMPDIR")).join("console-million");
    let whole = store.join("whole");
    if !whole.exists() {
        let _ = std::fs::remove_dir_all(&store);
        eprintln!("making a store of a million hosts");
        let mut names = String::new();
        for n in 0..1_000_000_u64 {
            let scattered = (n * 2_654_435_761) & 0xffff_ffff;
            let www = if n % 3 == 0 { "www." } else { "" };
            writeln!(names, "{www}h{scattered:08x}.com").unwrap();
        }
        import(&store, &names);
        std::fs::write(whole, "").unwrap();
    }
    store
}

/// A store with no host that is left.
fn empty() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    lamplighter::store::Store::open(folder.path(), "intentroute").unwrap();
    folder
}

fn opened(store: &Path, size: (u16, u16)) -> Console {
    Console::start(
        &["--store", store.to_str().unwrap(), "--theme", "dark"],
        size,
    )
}

/// The list of a million hosts, read.
fn listed(size: (u16, u16)) -> Console {
    let mut console = opened(&million(), size);
    console.until("the list", |text| text.contains(MILLION));
    console.settle(Duration::from_millis(300));
    console
}

fn milliseconds(times: impl Iterator<Item = Duration>) -> Vec<f64> {
    times.map(|time| time.as_secs_f64() * 1e3).collect()
}

/// The row under the cursor.
fn pointed(text: &str) -> &str {
    text.lines()
        .find(|line| line.starts_with('▸'))
        .unwrap_or("")
}

/// A key, scrolling frames, and a burst of keys.
pub(crate) fn keys() -> Vec<Goal> {
    let mut console = listed(SMALL);
    let mut times = Vec::new();
    let mut bytes = Vec::new();
    for n in 0..200 {
        let before = console.bytes;
        let row = pointed(&console.text()).to_owned();
        let begun = Instant::now();
        console.press(b"j");
        let frames = console.until("another row", |text| pointed(text) != row);
        times.push(frames.last().unwrap().at - begun);
        console.during(Duration::from_millis(20));
        if n >= 30 {
            bytes.push((console.bytes - before) as f64);
        }
    }
    let mut times = milliseconds(times.into_iter());
    let mut goals = vec![
        at_most(
            5.0,
            "key to frame, a million hosts, 80x24: p50",
            "ms",
            quantile(&mut times, 0.5),
        ),
        at_most(50.0, "the same: p99", "ms", quantile(&mut times, 0.99)),
        at_most(
            2_500.0,
            "a key that scrolls at 80x24: p50 of all it wrote",
            "bytes",
            quantile(&mut bytes, 0.5),
        ),
    ];
    console.press(b"g");
    console.settle(Duration::from_millis(300));
    let (before, begun) = (console.bytes, Instant::now());
    for _ in 0..500 {
        console.press(b"j");
    }
    let mut frames = console.settle(Duration::from_millis(300));
    frames.extend(console.until("its row", |text| !pointed(text).is_empty()));
    let last = frames.last().unwrap().at - begun;
    let burst = (console.bytes - before) as f64;
    let reached = pointed(&console.text()).to_owned();
    // One by one, the same keys lead to the same row.
    console.press(b"g");
    console.settle(Duration::from_millis(300));
    for _ in 0..50 {
        console.press(b"jjjjjjjjjj");
        console.during(Duration::from_millis(30));
    }
    console.until("its row", |text| !pointed(text).is_empty());
    let missed = f64::from(reached.is_empty() || reached != pointed(&console.text()));
    if missed > 0.0 {
        eprintln!("{reached}\n{}", pointed(&console.text()));
    }
    goals.extend([
        at_most(
            60.0,
            "burst of 500 keys",
            "frames a second",
            frames.len() as f64 / last.as_secs_f64().max(1.0),
        ),
        at_most(60_000.0, "burst of 500 keys", "bytes", burst),
        at_most(0.0, "burst of 500 keys that ends elsewhere", "", missed),
        beside(
            "burst of 500 keys, to the last frame",
            "ms",
            last.as_secs_f64() * 1e3,
        ),
    ]);
    goals
}

/// Milliseconds from the spawn to the first frame that shows what is looked for.
fn started(store: &Path, shows: impl Fn(&str) -> bool + Copy) -> Vec<f64> {
    let times = (0..STARTS).map(|_| {
        let mut console = opened(store, USUAL);
        let frames = console.until("the first frame", shows);
        let took = frames.last().unwrap().at - console.begun;
        console.press(b"q");
        took
    });
    milliseconds(times)
}

pub(crate) fn start() -> Vec<Goal> {
    let store = empty();
    let mut none = started(store.path(), |text| text.contains("there is no host"));
    let mut first = started(&million(), |text| {
        text.contains("▸ ") && text.contains("waiting")
    });
    let mut whole = started(&million(), |text| text.contains(MILLION));
    vec![
        at_most(
            50.0,
            "start to the first usable frame, empty store: p50",
            "ms",
            quantile(&mut none, 0.5),
        ),
        beside("the same: p95", "ms", quantile(&mut none, 0.95)),
        at_most(
            150.0,
            "start to the first rows of a million hosts: p50",
            "ms",
            quantile(&mut first, 0.5),
        ),
        beside("the same: p95", "ms", quantile(&mut first, 0.95)),
        beside(
            "start to the whole list of a million hosts: p50",
            "ms",
            quantile(&mut whole, 0.5),
        ),
    ]
}

/// Presses a key every 16 ms until something is shown; the largest gap between two frames, and how
/// long it took, milliseconds.
fn busy(console: &mut Console, begun: Instant, over: impl Fn(&str) -> bool) -> (f64, f64) {
    let (mut gap, mut last, mut n) = (0.0_f64, begun, 0);
    loop {
        console.press(if n % 2 == 0 { b"j" } else { b"k" });
        n += 1;
        for Frame { at, text } in console.during(Duration::from_millis(16)) {
            gap = gap.max((at - last).as_secs_f64() * 1e3);
            last = at;
            if over(&text) {
                return (gap, (at - begun).as_secs_f64() * 1e3);
            }
        }
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "{}",
            console.text()
        );
    }
}

/// Sorts and filters.
pub(crate) fn sort() -> Vec<Goal> {
    let mut console = listed(USUAL);
    let (mut gaps, mut ready, mut pages) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ORDERS {
        // The next column each time: down to it in the menu.
        console.press(b"s");
        console.settle(Duration::from_millis(100));
        console.press(b"j");
        console.settle(Duration::from_millis(100));
        let begun = Instant::now();
        console.press(b"\r");
        let frames = console.until("sorting", |text| !text.contains(MILLION));
        let sorting = frames.last().unwrap().at;
        let (gap, took) = busy(&mut console, sorting, |text| text.contains(MILLION));
        gaps.push(gap);
        ready.push(took + (sorting - begun).as_secs_f64() * 1e3);
        console.settle(Duration::from_millis(300));
    }
    for word in ["dead", "beef", "cafe", "f00d"] {
        // As one who has looked at the list for a moment.
        console.settle(Duration::from_millis(700));
        console.press(b"/");
        console.settle(Duration::from_millis(100));
        let begun = Instant::now();
        console.press(format!("{word}\r").as_bytes());
        let frames = console.until("the first page", |text| pointed(text).contains(word));
        pages.push((frames.last().unwrap().at - begun).as_secs_f64() * 1e3);
        console.settle(Duration::from_millis(300));
        console.press(b"\x1b");
        console.until("all hosts", |text| text.contains(MILLION));
    }
    vec![
        at_most(
            50.0,
            "sorting a million hosts: largest gap between frames",
            "ms",
            quantile(&mut gaps, 1.0),
        ),
        at_most(
            800.0,
            "sorting a million hosts: p50 of 7",
            "ms",
            quantile(&mut ready, 0.5),
        ),
        beside("the same: the slowest", "ms", quantile(&mut ready, 1.0)),
        at_most(
            50.0,
            "a filter of a million hosts to its first page: p50",
            "ms",
            quantile(&mut pages, 0.5),
        ),
    ]
}

/// What a million hosts take of memory: listed, and with the names read for filters.
pub(crate) fn memory() -> Goal {
    let mut console = listed(USUAL);
    console.during(Duration::from_secs(2));
    console.press(b"/dead\r");
    console.until("the filter", |text| text.contains("that match"));
    console.during(Duration::from_secs(2));
    at_most(
        250.0,
        "memory with a million hosts listed and filtered",
        "MB",
        console.memory(),
    )
}

/// Sizes thrown at the console, and what stands there in the end.
pub(crate) fn resize() -> Vec<Goal> {
    let mut console = listed(USUAL);
    let begun = Instant::now();
    let mut seed = 26_u32;
    let mut thrown = 0;
    while begun.elapsed() < Duration::from_secs(5) {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let part = |most: u32, shift: u32| u16::try_from(1 + (seed >> shift) % most).unwrap();
        console.resize((part(500, 8), part(200, 16)));
        thrown += 1;
        console.during(Duration::from_millis(5));
    }
    let last = (100, 30);
    console.resize(last);
    let frames = console.settle(Duration::from_millis(500));
    let took = frames
        .last()
        .map_or(Duration::ZERO, |frame| frame.at - begun);
    let left = hidden(&console.text());
    // Drawn anew on a clean screen, the same stands there.
    console.press(b"\x0c");
    console.settle(Duration::from_millis(500));
    let wrong = f64::from(left.is_empty() || left != hidden(&console.text()));
    vec![
        at_most(
            0.0,
            "sizes thrown for 5 s that leave another screen than one drawn anew",
            "",
            wrong,
        ),
        beside("sizes thrown", "", f64::from(thrown)),
        beside("memory afterwards", "MB", console.memory()),
        beside("first size to last frame", "ms", took.as_secs_f64() * 1e3),
    ]
}

/// The screen without digits: the clock goes on.
fn hidden(text: &str) -> String {
    text.lines()
        .map(|line| {
            line.trim_end()
                .replace(|char: char| char.is_ascii_digit(), "0")
                + "\n"
        })
        .collect()
}

/// Thirty seconds of nothing to do.
fn quiet(console: &mut Console, names: [&'static str; 4]) -> [Goal; 4] {
    console.during(Duration::from_millis(1_500));
    let (seconds, wakes) = console.spent();
    let before = console.bytes;
    let frames = console.during(Duration::from_secs(30)).len() as f64;
    let (seconds_after, wakes_after) = console.spent();
    let bytes = (console.bytes - before) as f64;
    [
        at_most(
            0.5,
            names[0],
            "% of a core",
            (seconds_after - seconds) / 0.3,
        ),
        at_most(200.0, names[1], "bytes a second", bytes / 30.0),
        at_most(
            2.0,
            names[2],
            "wake-ups a second",
            (wakes_after - wakes) / 30.0,
        ),
        beside(names[3], "frames a second", frames / 30.0),
    ]
}

pub(crate) fn idle() -> Vec<Goal> {
    let store = empty();
    let mut offline = opened(store.path(), USUAL);
    offline.until("the first frame", |text| text.contains("there is no host"));
    let mut goals = Vec::from(quiet(
        &mut offline,
        [
            "no run under way: processor",
            "no run under way",
            "no run under way",
            "no run under way",
        ],
    ));
    drop(offline);
    let mut demo = Console::start(&["demo", "--fast", "--set", "pace.min_gap=20s"], USUAL);
    demo.until("the run", |text| text.contains("running 00:"));
    demo.press(b"p");
    demo.until("the pause", |text| text.contains("paused: p or"));
    goals.extend(quiet(
        &mut demo,
        [
            "a paused demo: processor",
            "a paused demo",
            "a paused demo",
            "a paused demo",
        ],
    ));
    goals
}
