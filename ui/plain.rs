//! A run as lines of text: no cursor is moved, and nothing is said twice.

use std::time::Duration;

use engine::crawl::{RunState, Update};
use engine::store::Store;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior};

use crate::cli::output::say;
use crate::cli::{Ending, Stop};
use crate::engine;
use crate::exit::Failure;
use crate::jobs;
use crate::run::{Live, Note};
use crate::state::alarms::{Beside, alarms};
use crate::state::live::Live as Pane;
use crate::text::{Clean, fit};

mod rows;

use rows::Told;

/// How often progress is told, if it changed.
const EVERY: Duration = Duration::from_secs(3);

/// Progress lines between two looks at the hosts in flight.
const ROWS: u32 = 3;

/// How often it is looked whether the run stands still.
const LOOK: Duration = Duration::from_millis(250);
/// A pause outlives the process that asked for it: nobody may have to guess why nothing happens.
const STANDS: &str = "the run is paused and asks nothing; `lamplighter resume` lets it go on \
  (with the same --store or --policy)";

/// Tells the progress of every run until all are done. With a store to read from, hosts in flight and
/// what the audit of an ended run found are told too.
pub(crate) async fn follow<L: Live>(
    mut notes: mpsc::Receiver<Note<L>>,
    stop: Stop,
    store: Option<Store>,
) -> Result<(), Failure> {
    let mut tick = tokio::time::interval_at(Instant::now() + EVERY, EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut live: Option<L> = None;
    let mut told = Clean::default();
    let mut state = None;
    let mut draining = false;
    let mut looks = tokio::time::interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut paused = false;
    let mut seen = Pane::default();
    let (mut standing, mut rising) = (Vec::new(), Vec::new());
    let mut ticks = 0_u32;
    let mut hosts = Told::default();
    loop {
        tokio::select! {
            note = notes.recv() => match note {
                None | Some(Note::AllDone | Note::Failed(_)) => return Ok(()),
                Some(Note::Offline(_)) => {}
                Some(Note::Started(stage)) => {
                    let mut text = String::from("started");
                    if !stage.overrides.is_empty() {
                        text.push_str(": LOOPBACK with changed promises");
                    }
                    for change in &stage.overrides {
                        text.push_str(", ");
                        text.push_str(change.as_str());
                    }
                    say(&Clean::new(text));
                    if store.is_some() {
                        // From now on the engine gathers what is told of hosts in flight.
                        seen.apply(stage.live.take_update());
                    }
                    live = Some(stage.live);
                    state = None;
                }
                Some(Note::Ended(sentence)) => {
                    say(&sentence);
                    live = None;
                    if let Some(store) = store.clone() {
                        let label = seen.run.as_str().to_owned();
                        let audit = move || jobs::audit_of(&store, &label);
                        if let Ok(Some(sentence)) = tokio::task::spawn_blocking(audit).await {
                            say(&sentence);
                        }
                    }
                    seen = Pane::default();
                }
            },
            _ = looks.tick() => {
                let now = live.as_ref().and_then(|live| live.glance().state);
                let stands = now == Some(RunState::Paused);
                if stands && !paused {
                    say(&Clean::new(STANDS));
                }
                paused = stands;
            }
            _ = tick.tick() => {
                if let Some(live) = &live {
                    let update = match &store {
                        Some(_) => live.take_update(),
                        None => live.glance(),
                    };
                    state = update.state.or(state);
                    seen.apply(update.clone());
                    for alarm in alarms(&seen, &Beside::default(), update.now) {
                        // Said when it begins, and again only after it was over.
                        if !standing.contains(&alarm) {
                            say(&Clean::new(format!("alarm: {}", alarm.as_str())));
                        }
                        rising.push(alarm);
                    }
                    standing = std::mem::take(&mut rising);
                    let line = Clean::new(progress(&update, state));
                    if line != told {
                        say(&line);
                        told = line;
                    }
                    if store.is_some() && ticks.is_multiple_of(ROWS) {
                        seen.resort();
                        hosts.lines(&seen).iter().for_each(say);
                    }
                    ticks += 1;
                }
            }
            () = stop.reached(Ending::Drain), if !draining => {
                draining = true;
                say(&Clean::new("waiting for requests under way; Ctrl-C again quits at once"));
            }
        }
    }
}

/// One line of progress.
fn progress(update: &Update, state: Option<RunState>) -> String {
    let state = match state {
        Some(RunState::Pausing) => "pausing",
        Some(RunState::Paused) => "paused",
        Some(RunState::Stopping) => "stopping",
        Some(RunState::Finished) => "finished",
        Some(RunState::Stopped) => "stopped",
        Some(RunState::Running) | None => "running",
    };
    let mut line = format!(
        "{} {}{} {state}: {} done, {} in flight, {} waiting, {} requests, {} new versions, {} denied, \
         {} told to wait",
        update.policy,
        update.run,
        if update.loopback { " LOOPBACK" } else { "" },
        fit::count(update.done),
        fit::count(update.in_flight),
        fit::count(update.waiting),
        fit::count(update.totals.requests),
        fit::count(update.totals.versions_new),
        fit::count(update.totals.denied),
        fit::count(update.told_to_wait),
    );
    let [read, none, closed] = update.robots;
    let robots = read + none + closed;
    if robots > 0 {
        line.push_str(&format!(
            ", robots {} read {} none {} closed",
            fit::percent(read, robots),
            fit::percent(none, robots),
            fit::percent(closed, robots)
        ));
    }
    if let Some(notice) = &update.notice {
        line.push_str(": ");
        line.push_str(notice);
    }
    line
}
