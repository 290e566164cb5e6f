//! What other terminals and the console ask for, and what was reached (rule 2).
//!
//! There is one path: a wish is written down (the control table, the suppression list), this task
//! sees it within 100 ms, changes the gate, and writes down what was reached. The console's commands
//! write the same wishes, so that they survive a crash like any other.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, oneshot};

use super::event::instant;
use super::round::Round;
use super::{Command, CrawlError, Event, RunState};
use crate::store::{Control, Hold, Store};
use crate::suppress::SuppressFile;

/// How often wishes are looked for.
const POLL: Duration = Duration::from_millis(100);
/// A request handed to a kept connection before the gate changed has left after this long.
const GRACE: Duration = Duration::from_millis(20);
/// A look that takes longer counts as doubt.
const PATIENCE: Duration = Duration::from_secs(1);

/// A command with the place to say that it was reached.
pub(crate) type Order = (Command, oneshot::Sender<Result<(), CrawlError>>);

/// Watches wishes for one run.
pub(crate) struct Watch {
    round: Arc<Round>,
    store: Store,
    suppress: SuppressFile,
    /// The store as it was when the run began.
    identity: (u64, u64, u64, u64),
    stamp: String,
    /// Entries of the list in force.
    entries: usize,
    /// A shorter list that was seen once.
    half_seen: Option<String>,
    seen: Control,
    shown: Option<RunState>,
    /// One look at files at a time: those that hang must not pile up.
    eye: Arc<Semaphore>,
}

impl Watch {
    /// Brings pause, holds and suppression into force before the first request.
    pub(crate) async fn begin(
        round: Arc<Round>,
        store: Store,
        suppress: SuppressFile,
    ) -> Result<Watch, CrawlError> {
        let identity = store.identity()?;
        let mut watch = Watch {
            round,
            store,
            suppress,
            identity,
            stamp: String::new(),
            entries: 0,
            half_seen: None,
            seen: Control::default(),
            shown: None,
            eye: Arc::new(Semaphore::new(1)),
        };
        let file = watch.suppress.clone();
        let (list, stamp) = blocking(&watch.eye, move || {
            file.read().map_err(CrawlError::Suppress)
        })
        .await?;
        let control = watch.round.read(|reader| reader.control()).await?;
        watch
            .suppress
            .refuse_gone(&control.suppressed.reached, &stamp)?;
        watch.entries = list.entries().len();
        watch.round.gate.set_suppressed(list); // OO4
        watch.suppressed_reached(stamp).await?;
        watch.look_at_control().await?;
        Ok(watch)
    }

    /// Serves until the orders' senders are gone.
    pub(crate) async fn serve(mut self, mut orders: mpsc::Receiver<Order>) {
        let mut tick = tokio::time::interval(POLL);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => self.look().await,
                order = orders.recv() => match order {
                    Some((command, reached)) => {
                        let done = self.obey(command).await;
                        // The asker may have gone; what it asked for stands all the same.
                        let _ = reached.send(done);
                    }
                    None => return,
                },
            }
        }
    }

    /// Looks at everything once; what cannot be read, or not in time, closes the gate.
    async fn look(&mut self) {
        let doubt = match tokio::time::timeout(PATIENCE, self.look_everywhere()).await {
            Ok(looked) => looked.err().map(|error| error.to_string()),
            Err(_) => Some("the store or the suppression list does not answer".to_owned()),
        };
        if doubt != self.round.gate.doubt() {
            self.round.gate.set_doubt(doubt.clone()); // Doubt means no.
            self.round.board.change(|update| update.notice = doubt);
        }
        self.show_state();
    }

    async fn look_everywhere(&mut self) -> Result<(), CrawlError> {
        self.look_at_store().await?;
        self.look_at_list().await?;
        self.look_at_control().await
    }

    /// A store that was deleted or replaced under a run can keep no evidence and no lock: the run ends.
    async fn look_at_store(&mut self) -> Result<(), CrawlError> {
        let store = self.store.clone();
        let found = blocking(&self.eye, move || store.identity()).await;
        if found.as_ref().ok() == Some(&self.identity) {
            return Ok(());
        }
        let fault = "its store was deleted or replaced while it ran";
        self.round.gate.fail(fault.to_owned());
        found.map(|_| ())
    }

    async fn look_at_list(&mut self) -> Result<(), CrawlError> {
        let (file, known) = (self.suppress.clone(), self.stamp.clone());
        let fresh = blocking(&self.eye, move || {
            if file.stamp()? == known {
                Ok(None)
            } else {
                file.read().map(Some)
            }
        })
        .await;
        if let Some((list, stamp)) = fresh? {
            self.suppress.refuse_gone(&self.stamp, &stamp)?;
            let entries = list.entries().len();
            // A list that shrinks may be half written: it counts once it stands still.
            if entries < self.entries && self.half_seen.as_ref() != Some(&stamp) {
                self.half_seen = Some(stamp);
                return Ok(());
            }
            self.entries = entries;
            self.half_seen = None;
            self.round.gate.set_suppressed(list); // OO4
            tokio::time::sleep(GRACE).await;
            self.suppressed_reached(stamp).await?;
        }
        Ok(())
    }

    async fn suppressed_reached(&mut self, stamp: String) -> Result<(), CrawlError> {
        self.stamp.clone_from(&stamp);
        let at = self.round.clock.now();
        self.round.writer.reached("suppressed", stamp, at).await?;
        Ok(())
    }

    async fn look_at_control(&mut self) -> Result<(), CrawlError> {
        let control = self.round.read(|reader| reader.control()).await?;
        let at = self.round.clock.now();
        if control.holds.requested != self.seen.holds.requested || self.seen == Control::default() {
            let holds = self.round.read(|reader| reader.holds()).await?;
            self.round
                .gate
                .set_holds(holds.into_iter().map(|hold| hold.scope));
            tokio::time::sleep(GRACE).await;
            let number = control.holds.requested.clone();
            self.round.writer.reached("holds", number, at).await?;
        }
        if control.pause.requested != self.seen.pause.requested
            || control.paused != self.seen.paused
        {
            self.round.gate.set_paused(control.paused);
            tokio::time::sleep(GRACE).await;
            let number = control.pause.requested.clone();
            self.round.writer.reached("pause", number, at).await?;
            let state = if control.paused { "paused" } else { "running" };
            self.round.events.send(|| Event::State {
                state,
                why: None,
                at: instant(at),
            });
        }
        self.seen = control;
        Ok(())
    }

    /// Requested and reached are two states: pausing until the last answer is in.
    fn show_state(&mut self) {
        let gate = &self.round.gate;
        let state = match (gate.is_stopping(), gate.is_paused(), gate.under_way()) {
            (true, _, _) => RunState::Stopping,
            (_, true, 0) => RunState::Paused,
            (_, true, _) => RunState::Pausing,
            _ => RunState::Running,
        };
        if self.shown != Some(state) {
            self.shown = Some(state);
            self.round.board.change(|update| update.state = Some(state));
        }
    }

    async fn obey(&mut self, command: Command) -> Result<(), CrawlError> {
        if matches!(command, Command::Stop) {
            self.show_state();
            let at = instant(self.round.clock.now());
            self.round.events.send(|| Event::State {
                state: "stopping",
                why: None,
                at,
            });
            return Ok(());
        }
        let (store, file, at) = (
            self.store.clone(),
            self.suppress.clone(),
            self.round.clock.now(),
        );
        let written = blocking(&self.eye, move || write_wish(&store, &file, command, at)).await;
        // What was written before something failed holds all the same.
        self.look_at_list().await?;
        written?;
        self.look_at_control().await?;
        self.show_state();
        Ok(())
    }
}

/// Who acts when the console does.
const CONSOLE: &str = "console";

fn write_wish(
    store: &Store,
    file: &SuppressFile,
    command: Command,
    at: jiff::Timestamp,
) -> Result<(), CrawlError> {
    match command {
        Command::Pause => {
            store.desk()?.request_pause(true, CONSOLE, at)?;
        }
        Command::Resume => {
            store.desk()?.request_pause(false, CONSOLE, at)?;
        }
        Command::Hold(scope) => {
            store.desk()?.hold(&Hold {
                scope,
                since: at,
                by: CONSOLE.to_owned(),
                why: String::new(),
            })?;
        }
        Command::Release(scope) => {
            store.desk()?.release(&scope, CONSOLE, at)?;
        }
        Command::Suppress(entry) => {
            // OO4: the list first; a store that cannot be written to must not keep a name off it.
            if file.add(&entry)? {
                let action = format!("suppress add {entry}");
                store.desk()?.journal(
                    CONSOLE,
                    at,
                    &action,
                    "",
                    &format!("suppress remove {entry}"),
                )?;
            }
        }
        Command::Stop => {}
    }
    Ok(())
}

async fn blocking<T: Send + 'static, E: Send + 'static>(
    eye: &Arc<Semaphore>,
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, CrawlError>
where
    CrawlError: From<E>,
{
    let turn = Arc::clone(eye).acquire_owned().await;
    let turn = turn.map_err(|closed| CrawlError::Fault(closed.to_string()))?;
    let look = move || {
        let _turn = turn;
        work()
    };
    match tokio::task::spawn_blocking(look).await {
        Ok(done) => done.map_err(CrawlError::from),
        Err(fault) => Err(CrawlError::Fault(fault.to_string())),
    }
}
