//! Starting, steering and ending a run.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::board::Board;
use super::control::{Order, Watch};
use super::event::EventSink;
use super::event::instant;
use super::frontier::{Drained, walk_all};
use super::gate::Gate;
use super::plan::FilesPlan;
use super::round::{Readers, Round};
use super::{Clock, Command, Event, RunState, Update};
use crate::failpoint::Failpoints;
use crate::fetch::{Scheme, Web};
use crate::hosts::NameRules;
use crate::policy::{PlanKind, Policy};
use crate::store::{EngineLock, RunStart, Store, StoreError, Totals};
use crate::suppress::{SuppressError, SuppressFile};

/// What a run needs.
pub struct Settings {
    /// Effective policy, overrides applied.
    pub policy: Policy,
    /// Loopback run: labelled so everywhere.
    pub loopback: bool,
    /// Sites in flight at most.
    pub in_flight: usize,
    /// The store.
    pub store: Store,
    /// The suppression list.
    pub suppress: SuppressFile,
    /// Where connections go.
    pub web: Web,
    /// Time.
    pub clock: Clock,
    /// Armed in crash tests only.
    pub failpoints: Failpoints,
    /// Where events go; full means dropped and counted. None if nobody wants them.
    pub events: Option<mpsc::Sender<Event>>,
}

/// Why a run could not start or had to end. Nothing committed is lost.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The suppression list.
    #[error(transparent)]
    Suppress(#[from] SuppressError),
    /// Plan kind this version cannot run.
    #[error(
        "the policy {policy} has a plan of kind {kind}, which this version cannot run yet; it runs plans of kind files"
    )]
    Plan {
        /// Policy.
        policy: String,
        /// Kind.
        kind: String,
    },
    /// A task of the engine died.
    #[error("the engine stopped because of a fault of its own ({0}); run again to resume")]
    Fault(String),
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The last event.
    pub finished: Event,
    /// Whether everything due was done; false after a stop.
    pub complete: bool,
}

/// Steers a running engine; cheap to clone.
#[derive(Clone)]
pub struct Handle {
    orders: mpsc::Sender<Order>,
    board: Board,
    clock: Clock,
    gate: Gate,
}

impl Handle {
    /// Asks for something and returns when it is reached.
    pub async fn command(&self, command: Command) -> Result<(), CrawlError> {
        if matches!(command, Command::Stop) {
            return self.stop().await;
        }
        let (reached, told) = oneshot::channel();
        // A run that has ended asks nothing any more, which is all that any command wants.
        if self.orders.send((command, reached)).await.is_err() {
            return Ok(());
        }
        told.await.unwrap_or(Ok(()))
    }

    /// Stop closes the gate at once: it must hold even while a look at the store or the list hangs.
    async fn stop(&self) -> Result<(), CrawlError> {
        self.gate.stop();
        let (reached, _) = oneshot::channel();
        // Only for the screen: whoever is too busy to take it sees the gate closed.
        let _ = self.orders.try_send((Command::Stop, reached));
        self.gate.quiet().await;
        Ok(())
    }

    /// Takes what changed since the last call; never waits for the engine, nor it for us.
    pub fn take_update(&self) -> Update {
        Update {
            now: Some(self.clock.now()),
            ..self.board.take()
        }
    }

    /// The figures alone, for a line of progress: cheaper than an update, and it takes nothing.
    pub fn glance(&self) -> Update {
        Update {
            now: Some(self.clock.now()),
            ..self.board.glance()
        }
    }

    /// Resolves when there is something new to take (at most every 50 ms).
    pub async fn changed(&self) {
        self.board.changed().await;
    }
}

/// A running engine.
pub struct Engine {
    handle: Handle,
    run: JoinHandle<Result<Summary, CrawlError>>,
}

impl Engine {
    /// Starts (or resumes) the run of the present period. Must be called inside a tokio runtime.
    pub async fn start(settings: Settings) -> Result<Engine, CrawlError> {
        if settings.policy.plan.kind != PlanKind::Files {
            return Err(CrawlError::Plan {
                policy: settings.policy.name.clone(),
                kind: settings.policy.plan.kind.word().to_owned(),
            });
        }
        let lock = settings.store.lock_engine()?;
        let store = settings
            .store
            .clone()
            .with_failpoints(settings.failpoints.clone());
        let suppress = settings.suppress.clone();
        let in_flight = settings.in_flight;
        let (round, resumed) = open_round(settings, &store).await?;
        let watch = Watch::begin(Arc::clone(&round), store, suppress).await?;
        tell_start(&round, resumed).await?;
        let (orders, inbox) = mpsc::channel(16);
        let handle = Handle {
            orders,
            board: round.board.clone(),
            clock: round.clock.clone(),
            gate: round.gate.clone(),
        };
        let watcher = tokio::spawn(watch.serve(inbox));
        let run = tokio::spawn(run(round, in_flight, watcher, lock));
        Ok(Engine { handle, run })
    }

    /// A handle.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Waits for the end of the run.
    pub async fn finished(self) -> Result<Summary, CrawlError> {
        match self.run.await {
            Ok(ended) => ended,
            Err(fault) => Err(CrawlError::Fault(fault.to_string())),
        }
    }
}

/// Records the run and this process in the store; answers whether the run had begun before.
async fn open_round(settings: Settings, store: &Store) -> Result<(Arc<Round>, bool), CrawlError> {
    let policy = settings.policy;
    let clock = settings.clock;
    let web = settings.web.with_failpoints(settings.failpoints.clone());
    let now = clock.now();
    let period = policy.schedule.period.containing(now);
    // A run never asks in the next period under the name of this one.
    let window_of = |from: jiff::Timestamp| {
        from.checked_add(policy.schedule.window)
            .unwrap_or(period.end)
            .min(period.end)
    };
    let writer = store.writer()?;
    let policy_toml = policy.to_toml();
    let start = RunStart {
        label: period.label.clone(),
        policy_toml: policy_toml.clone(),
        loopback: settings.loopback,
        scheme: match web.scheme() {
            Scheme::Http => "http".to_owned(),
            Scheme::Https => "https".to_owned(),
        },
        user_agent: policy.identity.user_agent.clone(),
        source_ip: web.source(),
        at: now,
        window_ends: window_of(now),
    };
    let run = writer.begin_run(start).await?;
    let resumed = run.start.at != now;
    let process = writer.begin_process(run.id, now, policy_toml).await?;
    if clock.set_ahead_ms() != 0 {
        writer.shift_clock(process, clock.set_ahead_ms()).await?;
    }
    // A run resumed after its window gets a new one; it is reported as late (AS9).
    let window_ends = if run.start.window_ends > now {
        run.start.window_ends
    } else {
        window_of(now)
    };
    let readers = Readers::new(store.clone());
    let round = Arc::new(Round {
        plan: FilesPlan::new(&policy.plan),
        rules: if settings.loopback {
            NameRules::Loopback
        } else {
            NameRules::Public
        },
        policy,
        run,
        process,
        window_ends,
        writer,
        readers,
        web,
        clock,
        gate: Gate::new(),
        board: Board::default(),
        events: EventSink::new(settings.events),
        failpoints: settings.failpoints,
    });
    Ok((round, resumed))
}

/// Tells board and events that the run begins.
async fn tell_start(round: &Arc<Round>, resumed: bool) -> Result<(), CrawlError> {
    let (run, now) = (round.run.id, round.clock.now());
    let (due, totals) = round
        .read(move |reader| Ok((reader.due_count(run, now)?, reader.totals(run)?)))
        .await?;
    let weakened = round.policy.weaknesses();
    let done = totals.hosts.values().sum();
    round.events.send(|| Event::RunStarted {
        run: round.run.start.label.clone(),
        policy: round.policy.name.clone(),
        loopback: round.run.start.loopback,
        weakened: weakened.iter().map(ToString::to_string).collect(),
        resumed,
        due,
        done,
        at: instant(now),
    });
    round.board.change(|update| {
        update.policy.clone_from(&round.policy.name);
        // A loopback run bears a label of its own.
        if !round.run.start.loopback && !weakened.is_empty() {
            update.policy.push_str(", weakened");
        }
        update.run.clone_from(&round.run.start.label);
        update.loopback = round.run.start.loopback;
        update.started = Some(now);
        update.window_ends = Some(round.window_ends);
        update.state = Some(RunState::Running);
        update.waiting = due;
        update.due = due;
        update.done = done;
        update.told_to_wait = totals.told_to_wait;
        update.robots = totals.robots;
        update.totals = totals;
    });
    Ok(())
}

/// The run from its first site to its last event.
async fn run(
    round: Arc<Round>,
    in_flight: usize,
    watcher: JoinHandle<()>,
    lock: EngineLock,
) -> Result<Summary, CrawlError> {
    let began = tokio::time::Instant::now();
    let drained = walk_all(&round, in_flight).await;
    let drained = match round.gate.fault() {
        Some(fault) => Err(CrawlError::Fault(fault)),
        None => drained,
    };
    if drained.is_err() {
        // Whatever failed, nothing new leaves and what is under way may end.
        round.gate.stop();
        let _ = tokio::time::timeout(Duration::from_secs(60), round.gate.quiet()).await;
    }
    watcher.abort();
    let ended = close(&round, &drained, began.elapsed()).await;
    drop(lock);
    drained?;
    ended
}

async fn close(
    round: &Arc<Round>,
    drained: &Result<Drained, CrawlError>,
    took: Duration,
) -> Result<Summary, CrawlError> {
    let complete = matches!(drained, Ok(Drained::Complete));
    let (run, now) = (round.run.id, round.clock.now());
    let totals = if complete {
        round.writer.end_run(run, now).await?
    } else {
        round.read(move |reader| reader.totals(run)).await?
    };
    let finished = last_event(round, totals.clone(), took, complete);
    round.board.change(|update| {
        update.totals = totals;
        update.state = Some(if complete {
            RunState::Finished
        } else {
            RunState::Stopped
        });
        if let Err(error) = drained {
            update.notice = Some(error.to_string());
        }
    });
    round.events.finish(finished.clone()).await;
    Ok(Summary { finished, complete })
}

fn last_event(round: &Round, totals: Totals, took: Duration, complete: bool) -> Event {
    Event::RunFinished {
        run: round.run.start.label.clone(),
        hosts: totals.hosts,
        requests: totals.requests,
        statuses: totals.statuses,
        denied: totals.denied,
        versions_new: totals.versions_new,
        seconds: took.as_secs_f64(),
        complete,
    }
}
