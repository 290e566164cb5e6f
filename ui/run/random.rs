//! Anything an operator's terminal may send, over a live run on a real store: nothing breaks, and the
//! run keeps its promises.

use std::sync::atomic::{AtomicU32, Ordering};

use engine::crawl::{Clock, Engine};
use engine::failpoint::Failpoints;
use engine::fetch::Web;
use engine::hosts::{Entry as Listed, Host, NameRules};
use engine::miniweb::{MiniWeb, Source};
use engine::policy::{Override, Policy, builtin};
use engine::suppress::SuppressFile;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::state::hosts::Load;
use crate::test_kit::{at, mono};
use crate::view::{self, Hits};

const EVENTS: usize = 100_000;
/// Events between two frames, and between two looks at the engine.
const FRAMES: usize = 50;
const SIZES: [(u16, u16); 10] = [
    (1, 1),
    (3, 120),
    (200, 2),
    (39, 10),
    (40, 10),
    (60, 15),
    (80, 24),
    (120, 36),
    (200, 60),
    (500, 200),
];
const SEQUENCES: [&str; 24] = [
    "\x1b[A",
    "\x1b[B",
    "\x1b[C",
    "\x1b[D",
    "\x1b[H",
    "\x1b[F",
    "\x1b[5~",
    "\x1b[6~",
    "\x1b[3~",
    "\x1b[Z",
    "\x1b[M !!",
    "\x1b[<0;1;1M",
    "\x1b[",
    "\x1b[<",
    "\x1b[200~",
    "\x1b[201~",
    "\x1b",
    "\x1bOP",
    "ä",
    "漢",
    "e\u{301}",
    "\u{202e}",
    "\u{200d}",
    "🦀",
];
const PASTES: [&str; 6] = [
    "g0000",
    "state:held or !status:429",
    "\x1b[2J\x1b]0;x\x07",
    "\u{202e}漢\r\n\t",
    "((((\"",
    "/a/b as X",
];

/// Numbers from a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    fn bytes(&mut self) -> Vec<u8> {
        match self.below(10) {
            0 => {
                let (column, row) = (self.below(130), self.below(40));
                let button = self.one(&[0, 0, 0, 1, 2, 32, 64, 65, 999]);
                let end = self.one(&["M", "M", "m"]);
                format!("\x1b[<{button};{column};{row}{end}").into_bytes()
            }
            1 => format!("\x1b[200~{}\x1b[201~", self.one(&PASTES)).into_bytes(),
            2 => self.one(&SEQUENCES).as_bytes().to_vec(),
            3 => vec![u8::try_from(self.below(256)).unwrap()],
            4 => b"\r".to_vec(),
            5 => b"\x1b\x1b".to_vec(),
            _ => vec![u8::try_from(0x20 + self.below(0x5f)).unwrap()],
        }
    }
}

/// A screen of some size that draws nothing by itself.
#[derive(Clone, Default)]
struct Sized(Arc<AtomicU32>);

impl Sized {
    fn set(&self, (columns, rows): (u16, u16)) {
        self.0
            .store(u32::from(columns) << 16 | u32::from(rows), Ordering::SeqCst);
    }
}

impl Surface for Sized {
    fn draw(&mut self, _: &State) -> std::io::Result<Option<Hits>> {
        Ok(None)
    }

    fn size(&self) -> (u16, u16) {
        let [a, b, c, d] = self.0.load(Ordering::SeqCst).to_be_bytes();
        (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
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
        "mono"
    }
}

/// A run over invented hosts, slow enough to last.
struct Run {
    store: Store,
    engine: Engine,
    _web: MiniWeb,
    _place: tempfile::TempDir,
}

impl Run {
    async fn start() -> Run {
        let place = tempfile::tempdir().unwrap();
        std::fs::create_dir(place.path().join("sites")).unwrap();
        std::fs::write(place.path().join("sites/oak.test.toml"), "").unwrap();
        let source = Source::Folder(place.path().to_path_buf());
        let web = MiniWeb::start(source, 300, None).await.unwrap();
        let policy = ["pace.scale=0.01", "pace.min_gap=60s"].iter().fold(
            builtin("intentroute").unwrap(),
            |policy: Policy, change| {
                let change: Override = change.parse().unwrap();
                policy.with(&change).unwrap()
            },
        );
        let now = at("2026-11-30T06:00:00Z");
        let store = Store::open(&place.path().join("store"), &policy.name).unwrap();
        let source = engine::store::Source {
            kind: "list".to_owned(),
            name: "random".to_owned(),
            date: now,
            imported: now,
        };
        let hosts = web.hosts().into_iter().zip(1..).map(|(name, line)| {
            let host = Host::parse(&name, NameRules::Loopback).unwrap();
            Ok(Listed { line, host })
        });
        store
            .import(
                &source,
                &mut hosts.collect::<Vec<_>>().into_iter(),
                &mut |_| {},
                &mut || Ok(String::new()),
            )
            .unwrap();
        let settings = engine::crawl::Settings {
            web: Web::loopback(&policy, web.address(), None).unwrap(),
            policy,
            loopback: true,
            in_flight: 400,
            store: store.clone(),
            suppress: SuppressFile::in_directory(store.directory()),
            clock: Clock::starting_at(now),
            failpoints: Failpoints::default(),
            events: None,
        };
        Run {
            engine: Engine::start(settings).await.unwrap(),
            store,
            _web: web,
            _place: place,
        }
    }

    /// A console on it, as if it had just been opened.
    fn console(&self, screen: &Sized) -> Console<Handle, Sized> {
        let counted = self.store.clone();
        let reach: Reach =
            Arc::new(move |entry| cli::covered(&counted, entry).map_err(|error| error.to_string()));
        let mut console = Console::new(screen.clone(), Stop::new(), reach);
        console.store = Some(self.store.clone());
        console.reading = Some(Jobs::new(self.store.clone(), console.jobs.clone()));
        console.note(Note::Started(Stage {
            live: self.engine.handle(),
            overrides: vec![Clean::new("pace.scale=0.01")],
        }));
        console
    }
}

impl Console<Handle, Sized> {
    /// Takes what came in since, and draws.
    fn catch_up(&mut self, theme: &crate::theme::Theme) {
        self.news();
        while let Ok(msg) = self.done.try_recv() {
            self.take(msg);
        }
        self.tick();
        let (columns, rows) = self.surface.size();
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let mut hits = Hits::default();
        terminal
            .draw(|frame| hits = view::draw(frame, &self.state, theme))
            .unwrap();
        self.state.hits = hits;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_events_break_nothing() {
    let run = Run::start().await;
    let (theme, screen) = (mono(), Sized::default());
    screen.set((120, 36));
    let mut console = run.console(&screen);
    let mut dice = Dice(11);
    let mut left = 0;
    for event in 0..EVENTS {
        if dice.below(400) == 0 {
            screen.set(dice.one(&SIZES));
            console.input(Some(Input::Resize));
        }
        console.input(Some(Input::Bytes(dice.bytes())));
        if event % FRAMES == 0 {
            for key in console.decoder.flush() {
                console.take(Msg::Gesture(key));
            }
            console.catch_up(&theme);
            tokio::task::yield_now().await;
        }
        if console.over || console.stop.wished() != Ending::None {
            left += 1;
            console = run.console(&screen);
        }
    }
    assert!(left > 0, "none of the ways out was found");
    reads_again(&run, &screen, &theme).await;
    let handle = run.engine.handle();
    handle.command(Command::Stop).await.unwrap();
    let summary = run.engine.finished().await.unwrap();
    let engine::crawl::Event::RunFinished {
        run: label,
        requests,
        ..
    } = &summary.finished
    else {
        panic!("{summary:?}");
    };
    assert!(*requests > 0);
    let reader = run.store.reader().unwrap();
    let id = reader.run(label).unwrap().unwrap().id;
    // The keys reached the engine.
    let journal = reader.journal().unwrap();
    for done in ["hold add", "hold remove", "suppress add", "pause", "resume"] {
        let found = journal.iter().any(|entry| entry.action.starts_with(done));
        assert!(found, "{done}");
    }
    for finding in engine::audit::audit(&reader, id).unwrap() {
        assert_eq!(finding.breaches, 0, "{finding:?}");
    }
}

/// What reads from the store and what commands the engine is alive.
async fn reads_again(run: &Run, screen: &Sized, theme: &crate::theme::Theme) {
    screen.set((120, 36));
    let mut console = run.console(screen);
    console.catch_up(theme);
    console.input(Some(Input::Bytes(b"2".to_vec())));
    let begun = Instant::now();
    while !matches!(console.state.hosts.load, Load::Ready(_)) {
        assert!(begun.elapsed() < Duration::from_secs(60), "no answer came");
        tokio::time::sleep(Duration::from_millis(10)).await;
        console.catch_up(theme);
    }
    assert!(!console.state.hosts.order.is_empty());
}
