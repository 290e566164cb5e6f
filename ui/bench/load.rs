//! The loop itself, with an engine that changes 100,000 rows a second and a screen in memory.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, mpsc};

use crate::cli::Stop;
use crate::engine::crawl::{Command, Update, VisitRow};
use crate::engine::store::HostId;
use crate::frames::Screen;
use crate::run::{Console, Live, Note, Stage};
use crate::state::State;
use crate::term::{Input, Surface};
use crate::view::Hits;
use crate::{Goal, at_most, beside, kit, quantile};

const SIZE: (u16, u16) = (120, 40);
const IN_FLIGHT: i64 = 5_000;
/// As the engine's own board: news at most this often.
const CADENCE: Duration = Duration::from_millis(50);
const KEYS: usize = 300;

#[derive(Clone, Default)]
struct Flood(Arc<Inner>);

#[derive(Default)]
struct Inner {
    rows: Mutex<HashMap<HostId, VisitRow>>,
    changed: Notify,
    over: AtomicBool,
    events: AtomicU64,
}

impl Flood {
    /// Changes so many rows a second until it is over.
    fn run(&self, rate: f64) {
        let begun = Instant::now();
        let (mut told, mut n) = (Instant::now(), 0);
        while !self.0.over.load(Ordering::SeqCst) {
            let due = (begun.elapsed().as_secs_f64() * rate) as i64;
            let mut rows = self.0.rows.lock().unwrap();
            while n < due {
                let row = kit::visit(1 + (n * 7) % IN_FLIGHT, n / IN_FLIGHT);
                rows.insert(row.id, row);
                n += 1;
            }
            drop(rows);
            self.0.events.store(n.unsigned_abs(), Ordering::SeqCst);
            if told.elapsed() >= CADENCE {
                told = Instant::now();
                self.0.changed.notify_one();
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Live for Flood {
    fn take_update(&self) -> Update {
        let rows = std::mem::take(&mut *self.0.rows.lock().unwrap());
        kit::news(rows.into_values().collect())
    }

    fn glance(&self) -> Update {
        kit::news(Vec::new())
    }

    async fn changed(&self) {
        self.0.changed.notified().await;
    }

    async fn command(&self, _: Command) -> Result<(), String> {
        Ok(())
    }
}

/// A screen that tells which host is selected on each frame, and when it was whole.
struct Watched {
    screen: Screen,
    frames: std::sync::mpsc::Sender<(Instant, Option<HostId>)>,
}

impl Surface for Watched {
    fn draw(&mut self, state: &State) -> std::io::Result<Option<Hits>> {
        let (hits, _) = self.screen.draw(state);
        let _ = self.frames.send((Instant::now(), state.live.selected));
        Ok(Some(hits))
    }

    fn size(&self) -> (u16, u16) {
        SIZE
    }

    fn suspend(&mut self) -> std::io::Result<()> {
        Ok(())
    }

    fn mouse(&mut self, _: bool) {}

    fn send(&mut self, _: &[u8]) {}

    fn redraw(&mut self) -> std::io::Result<()> {
        Ok(())
    }

    fn next_theme(&mut self) -> &'static str {
        "dark"
    }
}

/// Milliseconds from each key to the end of the first frame that shows what it did.
fn pressed(
    inputs: &mpsc::Sender<Input>,
    frames: &std::sync::mpsc::Receiver<(Instant, Option<HostId>)>,
) -> Vec<f64> {
    let patience = Duration::from_secs(5);
    let mut at = frames.recv_timeout(patience).unwrap().1;
    (0..KEYS)
        .filter_map(|n| {
            std::thread::sleep(Duration::from_millis(20));
            while let Ok((_, selected)) = frames.try_recv() {
                at = selected;
            }
            let begun = Instant::now();
            // Up and down again, so that there is always a row to go to.
            let key = if n % 2 == 0 { b"j" } else { b"k" };
            inputs.blocking_send(Input::Bytes(key.to_vec())).unwrap();
            // The row that is selected may just have become the last one: then there is nowhere to go.
            while begun.elapsed() < Duration::from_secs(1) {
                let (seen, selected) = frames.recv_timeout(patience).unwrap();
                if selected != at {
                    at = selected;
                    return Some((seen - begun).as_secs_f64() * 1e3);
                }
            }
            None
        })
        .collect()
}

/// The loop, and the engine that floods it.
struct Rig {
    flood: Flood,
    frames: std::sync::mpsc::Receiver<(Instant, Option<HostId>)>,
    inputs: mpsc::Sender<Input>,
    console: std::thread::JoinHandle<f64>,
    producer: std::thread::JoinHandle<()>,
    begun: Instant,
}

impl Rig {
    fn start(rate: f64) -> Rig {
        let flood = Flood::default();
        let rows = (1..=IN_FLIGHT).map(|id| kit::visit(id, 0));
        *flood.0.rows.lock().unwrap() = rows.map(|row| (row.id, row)).collect();
        let (sender, frames) = std::sync::mpsc::channel();
        let (inputs, typed) = mpsc::channel(600);
        let (notes, heard) = mpsc::channel(8);
        let stage = Stage {
            live: flood.clone(),
            overrides: Vec::new(),
        };
        assert!(notes.blocking_send(Note::Started(stage)).is_ok());
        let console = std::thread::spawn(move || {
            let screen = Screen::new(SIZE);
            let watched = Watched {
                screen,
                frames: sender,
            };
            let mut console = Console::new(watched, Stop::new(), Arc::new(|_| Ok(0)));
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            let begun = cpu();
            runtime.block_on(console.run(heard, typed));
            drop(notes);
            cpu() - begun
        });
        let producer = std::thread::spawn({
            let flood = flood.clone();
            move || flood.run(rate)
        });
        Rig {
            flood,
            frames,
            inputs,
            console,
            producer,
            begun: Instant::now(),
        }
    }

    /// Ends it; changes a second, and the console's own part of a core.
    fn end(self) -> (f64, f64) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let events = self.flood.0.events.load(Ordering::SeqCst) as f64;
        self.flood.0.over.store(true, Ordering::SeqCst);
        self.producer.join().unwrap();
        drop(self.inputs);
        let busy = self.console.join().unwrap();
        (events / seconds, busy / seconds)
    }
}

/// Goal 2.
pub(crate) fn goals() -> Vec<Goal> {
    let rig = Rig::start(100_000.0);
    std::thread::sleep(Duration::from_millis(500));
    let mut times = pressed(&rig.inputs, &rig.frames);
    let (events, busy) = rig.end();
    vec![
        at_most(
            5.0,
            "key to frame under load: p50",
            "ms",
            quantile(&mut times, 0.5),
        ),
        at_most(
            50.0,
            "key to frame under load: p99",
            "ms",
            quantile(&mut times, 0.99),
        ),
        beside("changes of rows applied", "a second", events),
        beside(
            "the console's own time under load",
            "% of a core",
            busy * 100.0,
        ),
    ]
}

/// Goal 7: memory at 10,000 changes a second, as it is after a third of the time and at the end.
pub(crate) fn memory(seconds: u64) -> Vec<Goal> {
    let rig = Rig::start(10_000.0);
    let rest = |part| {
        std::thread::sleep(Duration::from_secs(seconds) * part / 3);
        while rig.frames.try_recv().is_ok() {}
        crate::pty::memory(std::process::id())
    };
    let (early, late) = (rest(1), rest(2));
    rig.end();
    vec![
        beside("seconds of 10,000 changes a second", "s", seconds as f64),
        at_most(
            1.0,
            "growth in the last two thirds of them",
            "%",
            (late / early - 1.0) * 100.0,
        ),
    ]
}

/// Seconds of processor time of this thread.
fn cpu() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/stat").unwrap_or_default();
    let fields: Vec<&str> = told
        .rsplit(')')
        .next()
        .unwrap_or("")
        .split_whitespace()
        .collect();
    let ticks = |at: usize| fields.get(at).and_then(|word| word.parse::<f64>().ok());
    (ticks(11).unwrap_or(0.0) + ticks(12).unwrap_or(0.0)) / 100.0
}
