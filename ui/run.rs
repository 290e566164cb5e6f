//! The loop of the console: everything that comes in, one frame clock, everything that goes out.
//!
//! It only takes from the engine; the engine never waits for it.

use std::sync::Arc;
use std::time::Duration;

use engine::crawl::{Command, Handle, Update};
use engine::store::Store;
use engine::suppress::Entry;
use jiff::{SignedDuration, Timestamp};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{Notify, mpsc};
use tokio::time::{Instant, sleep_until};

use crate::cli::{self, Ending, Stop};
use crate::engine;
use crate::exit::Failure;
use crate::input::Decoder;
use crate::jobs::Jobs;
use crate::msg::Msg;
use crate::osc::Osc;
use crate::screen::{Kept, Screen};
use crate::state::State;
use crate::term::{Input, Surface, Term};
use crate::text::Clean;
use crate::update::update;

mod perform;

/// Frames of news are this far apart at least.
const FRAME: Duration = Duration::from_millis(34);
/// Frames that answer keys: the first key after a while is answered at once, and a burst of them so often.
const KEY_FRAME: Duration = Duration::from_millis(17);
/// How long an unfinished key sequence is waited for.
const SEQUENCE: Duration = Duration::from_millis(50);
/// The clock while hosts are in flight, and otherwise.
const TICK: Duration = Duration::from_millis(250);
const IDLE_TICK: Duration = Duration::from_secs(1);
/// Inputs taken in one go.
const BATCH: usize = 256;

/// A running engine, as far as a screen needs it.
pub(crate) trait Live: Clone + Send + Sync + 'static {
    /// Takes what changed.
    fn take_update(&self) -> Update;
    /// The figures alone.
    fn glance(&self) -> Update;
    /// Resolves when there is something to take.
    fn changed(&self) -> impl Future<Output = ()> + Send;
    /// Asks for something; returns when it is reached.
    fn command(&self, command: Command) -> impl Future<Output = Result<(), String>> + Send;
}

impl Live for Handle {
    fn take_update(&self) -> Update {
        Handle::take_update(self)
    }

    fn glance(&self) -> Update {
        Handle::glance(self)
    }

    fn changed(&self) -> impl Future<Output = ()> + Send {
        Handle::changed(self)
    }

    async fn command(&self, command: Command) -> Result<(), String> {
        let asked = Handle::command(self, command).await;
        asked.map_err(|error| error.to_string())
    }
}

/// What the driver of the runs tells its face.
pub(crate) enum Note<L> {
    /// No run is under way until one is asked for; why that cannot be, if so.
    Offline(Option<&'static str>),
    /// A run began.
    Started(Stage<L>),
    /// It ended, in one sentence.
    Ended(Clean),
    /// It could not go on.
    Failed(Clean),
    /// No other run will come.
    AllDone,
}

/// A run on the stage.
pub(crate) struct Stage<L> {
    /// The engine.
    pub(crate) live: L,
    /// Promises changed for this loopback run.
    pub(crate) overrides: Vec<Clean>,
}

/// Counts the hosts an entry covers; may take a while.
pub(crate) type Reach = Arc<dyn Fn(&Entry) -> Result<u64, String> + Send + Sync>;

/// What the console is wired to beside the terminal and the runs.
pub(crate) struct Wiring {
    /// Read from.
    pub(crate) store: Store,
    /// Told when a run is asked for.
    pub(crate) start: Arc<Notify>,
    /// Told when the end is asked for.
    pub(crate) stop: Stop,
}

/// The console on the real terminal, until it is left or lost.
pub(crate) async fn console<L: Live>(
    screen: Screen,
    Wiring { store, start, stop }: Wiring,
    notes: mpsc::Receiver<Note<L>>,
) -> Result<(), Failure> {
    let no_terminal = |error: std::io::Error| {
        Failure::Failed(format!(
            "the terminal cannot show the console ({error}); use --headless"
        ))
    };
    let (sender, inputs) = mpsc::channel(64);
    let term = Term::enter(screen.themes, sender.clone()).map_err(no_terminal)?;
    let mut resized = signal(SignalKind::window_change()).map_err(no_terminal)?;
    let watch = tokio::spawn(async move {
        while resized.recv().await.is_some() {
            if sender.send(Input::Resize).await.is_err() {
                return;
            }
        }
    });
    let counted = store.clone();
    let reach: Reach =
        Arc::new(move |entry| cli::covered(&counted, entry).map_err(|error| error.to_string()));
    let mut console = Console::new(term, stop, reach);
    console.start = start;
    console.store = Some(store.clone());
    console.reading = Some(Jobs::new(store, console.jobs.clone()));
    console.state.keymap = screen.keymap;
    screen.settings.apply(&mut console.state);
    console.surface.mouse(console.state.mouse);
    console.kept = screen.kept_in.map(|file| Kept {
        file,
        chosen: screen.settings,
    });
    if let Some(told) = screen.told {
        console.state.tell(told, true);
    }
    console.run(notes, inputs).await;
    watch.abort();
    Ok(())
}

/// The loop's own belongings.
pub(crate) struct Console<L, S> {
    surface: S,
    stop: Stop,
    reach: Reach,
    pub(crate) state: State,
    decoder: Decoder,
    live: Option<L>,
    jobs: mpsc::Sender<Msg>,
    done: mpsc::Receiver<Msg>,
    start: Arc<Notify>,
    store: Option<Store>,
    /// What the operator chose, as last written.
    kept: Option<Kept>,
    /// What the terminal understands beside text.
    osc: Osc,
    /// What reads from the store; none where there is no store to read from.
    reading: Option<Jobs>,
    /// Engine time at a moment of ours.
    clock: Option<(Timestamp, Instant)>,
    drawn: Instant,
    /// When the last frame that answered a key was drawn.
    answered: Instant,
    /// A key has come since the last frame.
    pressed: bool,
    frame_due: Instant,
    over: bool,
}

impl<L: Live, S: Surface> Console<L, S> {
    pub(crate) fn new(surface: S, stop: Stop, reach: Reach) -> Console<L, S> {
        let (jobs, done) = mpsc::channel(16);
        let now = Instant::now();
        let osc = Osc::of(|name| std::env::var(name).ok());
        let state = State {
            size: surface.size(),
            osc: Some(osc),
            mouse: true,
            dirty: true,
            ..State::default()
        };
        Console {
            surface,
            stop,
            reach,
            state,
            decoder: Decoder::default(),
            live: None,
            jobs,
            done,
            start: Arc::default(),
            store: None,
            kept: None,
            osc,
            reading: None,
            clock: None,
            drawn: now,
            answered: now,
            pressed: false,
            frame_due: now,
            over: false,
        }
    }

    /// Runs until the console is left, or the terminal is lost.
    pub(crate) async fn run(
        &mut self,
        mut notes: mpsc::Receiver<Note<L>>,
        mut inputs: mpsc::Receiver<Input>,
    ) {
        let mut notes_open = true;
        let mut told = false;
        let mut tick = Instant::now() + TICK;
        let mut sequence = Instant::now();
        let stop = self.stop.clone();
        while !self.over {
            self.frame();
            let live = self.live.clone();
            tokio::select! {
                biased;
                input = inputs.recv() => {
                    self.input(input);
                    for _ in 0..BATCH {
                        match inputs.try_recv() {
                            Ok(input) => self.input(Some(input)),
                            Err(_) => break,
                        }
                    }
                    sequence = Instant::now() + SEQUENCE;
                    self.answer();
                }
                () = stop.reached(Ending::DrainUnseen) => self.over = true,
                () = stop.reached(Ending::Drain), if !told => {
                    told = true;
                    self.take(Msg::Draining);
                }
                () = sleep_until(sequence), if self.decoder.waits() => {
                    for key in self.decoder.flush() {
                        self.take(Msg::Gesture(key));
                    }
                    self.answer();
                }
                note = notes.recv(), if notes_open => match note {
                    Some(note) => self.note(note),
                    None => {
                        notes_open = false;
                        self.take(Msg::AllDone);
                    }
                },
                Some(msg) = self.done.recv() => {
                    self.take(msg);
                    self.due(FRAME);
                }
                () = changed(live.as_ref()), if live.is_some() => self.news(),
                () = sleep_until(tick) => {
                    let busy = self.state.live.in_flight > 0;
                    tick = Instant::now() + if busy { TICK } else { IDLE_TICK };
                    self.tick();
                }
                () = sleep_until(self.frame_due), if self.state.dirty => {}
            }
        }
    }

    /// Draws if something changed and a frame is due.
    fn frame(&mut self) {
        let now = Instant::now();
        if !self.state.dirty || now < self.frame_due {
            return;
        }
        match self.surface.draw(&self.state) {
            Ok(Some(hits)) => {
                self.state.hits = hits;
                self.state.dirty = false;
                self.drawn = now;
                if std::mem::take(&mut self.pressed) {
                    self.answered = now;
                }
                self.frame_due = now + FRAME;
            }
            // The terminal has not taken the last frame: later.
            Ok(None) => self.frame_due = now + FRAME,
            Err(_) => self.lost(),
        }
    }

    /// A frame is wanted, this long after the last one at the earliest.
    fn due(&mut self, apart: Duration) {
        self.frame_due = self.frame_due.min(self.drawn + apart);
    }

    /// A key was pressed, and is answered by a frame.
    fn answer(&mut self) {
        self.pressed = true;
        self.frame_due = self.frame_due.min(self.answered + KEY_FRAME);
    }

    fn input(&mut self, input: Option<Input>) {
        match input {
            Some(Input::Bytes(bytes)) => {
                for key in self.decoder.push(&bytes) {
                    self.take(Msg::Gesture(key));
                }
            }
            Some(Input::Resize) => {
                let (columns, rows) = self.surface.size();
                self.take(Msg::Size(columns, rows));
            }
            Some(Input::Lost) | None => self.lost(),
        }
    }

    /// Nobody sees us any more: the run is drained, the console ends.
    fn lost(&mut self) {
        self.stop.unseen();
        self.over = true;
    }

    fn note(&mut self, note: Note<L>) {
        match note {
            Note::Offline(refusal) => {
                self.clock = Some((Timestamp::now(), Instant::now()));
                self.tick();
                self.take(Msg::Offline(refusal));
            }
            Note::Started(stage) => {
                self.live = Some(stage.live);
                self.take(Msg::Started(stage.overrides));
                self.news();
            }
            Note::Ended(sentence) => {
                self.news();
                self.live = None;
                self.take(Msg::Ended(sentence));
            }
            Note::Failed(sentence) => {
                self.live = None;
                self.take(Msg::Failed(sentence));
            }
            Note::AllDone => self.take(Msg::AllDone),
        }
    }

    fn news(&mut self) {
        let Some(live) = &self.live else { return };
        let news = live.take_update();
        if let Some(now) = news.now {
            self.clock = Some((now, Instant::now()));
        }
        self.take(Msg::Update(Box::new(news)));
        self.due(FRAME);
    }

    fn tick(&mut self) {
        // A demo's weeks have a time of their own: what the engine has not told is not guessed.
        let now = self.clock.and_then(|(at, seen)| {
            let passed = SignedDuration::try_from(seen.elapsed()).ok()?;
            at.checked_add(passed).ok()
        });
        self.take(Msg::Clock(now));
        self.due(FRAME);
    }

    fn take(&mut self, msg: Msg) {
        let choosing = matches!(msg, Msg::Gesture(_) | Msg::Themed(_));
        for effect in update(&mut self.state, msg) {
            self.perform(effect);
        }
        if choosing {
            self.keep();
        }
    }
}

async fn changed<L: Live>(live: Option<&L>) {
    match live {
        Some(live) => live.changed().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod random;
#[cfg(test)]
mod tests;
