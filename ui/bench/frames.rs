//! State to bytes, without a terminal.

use std::cell::RefCell;
use std::hint::black_box;
use std::io::Write;
use std::process::Command;
use std::rc::Rc;
use std::time::Instant;

use crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::layout::Rect;
use ratatui::{Terminal, TerminalOptions, Viewport};

use crate::kit;
use crate::state::State;
use crate::state::live::Live;
use crate::term::paint::Paint;
use crate::theme::Theme;
use crate::update::update;
use crate::{Goal, at_most, beside, quantile, view};

const USUAL: (u16, u16) = (120, 40);
const SMALL: (u16, u16) = (80, 24);
const FRAMES: usize = 1_000;
const MILLION: i64 = 1_000_000;

/// Where frames go.
#[derive(Clone, Default)]
pub(crate) struct Bytes(Rc<RefCell<Vec<u8>>>);

impl Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A screen in memory that gets the bytes a terminal would.
pub(crate) struct Screen {
    terminal: Terminal<Paint<Bytes>>,
    bytes: Bytes,
    theme: Theme,
}

impl Screen {
    pub(crate) fn new((width, height): (u16, u16)) -> Screen {
        let bytes = Bytes::default();
        let whole = TerminalOptions {
            viewport: Viewport::Fixed(Rect::new(0, 0, width, height)),
        };
        let backend = Paint::new(bytes.clone());
        Screen {
            terminal: Terminal::with_options(backend, whole).unwrap(),
            bytes,
            theme: kit::theme(),
        }
    }

    /// Draws, and says where things stand and how many bytes went out.
    pub(crate) fn draw(&mut self, state: &State) -> (view::Hits, usize) {
        self.bytes.0.borrow_mut().clear();
        crossterm::queue!(self.bytes, BeginSynchronizedUpdate).unwrap();
        let mut hits = view::Hits::default();
        let theme = &self.theme;
        self.terminal
            .draw(|frame| hits = view::draw(frame, state, theme))
            .unwrap();
        crossterm::queue!(self.bytes, EndSynchronizedUpdate).unwrap();
        (hits, black_box(self.bytes.0.borrow().len()))
    }
}

/// Scrolls a list down, a row a frame; milliseconds and bytes of each frame.
fn scrolled(hosts: i64, size: (u16, u16), count: usize) -> Vec<(f64, usize)> {
    let mut state = kit::listed(hosts, size);
    let mut screen = Screen::new(size);
    screen.draw(&state);
    let mut frames = Vec::new();
    // The first screenful only moves the cursor.
    for n in 0..count + usize::from(size.1) {
        let begun = Instant::now();
        let asked = update(&mut state, kit::key('j'));
        let pressed = begun.elapsed();
        // The store's own work is not the console's.
        kit::answered(&mut state, asked, hosts);
        let begun = Instant::now();
        let (_, bytes) = screen.draw(&state);
        let took = pressed + begun.elapsed();
        if n >= usize::from(size.1) {
            frames.push((took.as_secs_f64() * 1e3, bytes));
        }
    }
    frames
}

/// So many frames and nothing else.
pub(crate) fn draw(hosts: i64, count: usize) {
    black_box(scrolled(hosts, USUAL, count));
}

fn p50(hosts: i64) -> f64 {
    let frames = scrolled(hosts, USUAL, FRAMES);
    let mut times: Vec<f64> = frames.into_iter().map(|(took, _)| took).collect();
    quantile(&mut times, 0.5)
}

/// Instructions of one frame by callgrind: those of many frames less those of few, so that what comes
/// before the first is left out. None where there is no valgrind.
fn instructions() -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let count = |frames: usize| {
        let counted = Command::new("valgrind")
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&program)
            .args(["draw", "1000000", &frames.to_string()])
            .output()
            .ok()?;
        let told = String::from_utf8_lossy(&counted.stderr).into_owned();
        let line = told.lines().find(|line| line.contains("Collected : "))?;
        line.rsplit(' ').next()?.parse::<f64>().ok()
    };
    Some((count(120)? - count(20)?) / 100.0)
}

/// Milliseconds to take news of so many changed rows of 5,000 in flight.
fn applied(changed: i64) -> f64 {
    let mut live = Live::default();
    live.apply(kit::news((1..=5_000).map(|id| kit::visit(id, 0)).collect()));
    let mut times = Vec::new();
    for n in 1..=60 {
        let rows = (0..changed).map(|at| kit::visit(1 + (at * 7 + n * 13) % 5_000, n));
        let news = kit::news(rows.collect());
        let begun = Instant::now();
        live.apply(news);
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    quantile(&mut times, 0.5)
}

/// The same of a frame of the Live pane.
fn live() -> f64 {
    let mut state = State::default();
    update(&mut state, crate::msg::Msg::Size(USUAL.0, USUAL.1));
    update(&mut state, crate::msg::Msg::Started(Vec::new()));
    let rows = (1..=5_000).map(|id| kit::visit(id, 0)).collect();
    update(
        &mut state,
        crate::msg::Msg::Update(Box::new(kit::news(rows))),
    );
    let mut screen = Screen::new(USUAL);
    let mut times = Vec::new();
    for _ in 0..500 {
        let begun = Instant::now();
        update(&mut state, kit::key('j'));
        screen.draw(&state);
        times.push(begun.elapsed().as_secs_f64() * 1e3);
    }
    quantile(&mut times, 0.5)
}

pub(crate) fn goals() -> Vec<Goal> {
    p50(1_000);
    let few = p50(1_000);
    let many = p50(MILLION);
    let small = scrolled(MILLION, SMALL, FRAMES);
    let bytes: usize = small.iter().map(|(_, bytes)| bytes).sum();
    let mut goals = vec![
        at_most(
            1.0,
            "frame of a million hosts, scrolling, 120x40: p50",
            "ms",
            many,
        ),
        at_most(1.2, "the same, to that of 1,000 hosts", "times", many / few),
        at_most(
            2_500.0,
            "scrolling frame at 80x24",
            "bytes",
            bytes as f64 / small.len() as f64,
        ),
        at_most(
            1.0,
            "frame of 5,000 hosts in flight, 120x40: p50",
            "ms",
            live(),
        ),
        at_most(
            5.0,
            "news of 5,000 changed rows of 5,000 in flight: p50",
            "ms",
            applied(5_000),
        ),
        beside(
            "news of 200 changed rows of 5,000 in flight: p50",
            "ms",
            applied(200),
        ),
    ];
    if let Some(count) = instructions() {
        goals.push(at_most(8e6, "instructions of a scrolling frame", "", count));
    }
    goals
}
