//! One or more runs from start to end, with a face: the console, or lines of text.

use std::cell::Cell;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;

use engine::crawl::{Command, Engine, Event, Handle, Settings, Summary};
use engine::store::Store;
use tokio::sync::{Notify, mpsc};

use super::events::Events;
use super::output::{say, stdout_is_terminal};
use super::place::{Global, Looks};
use super::signals::{self, Ending, Stop};
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::run::{Note, Stage, Wiring};
use crate::screen::Screen;
use crate::text::{Clean, fit};
use crate::{plain, run};

/// What the runs are shown on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Face {
    /// The console.
    Console,
    /// Lines of text on stderr.
    Lines,
    /// The same, with a line for each host in flight and what the audit found.
    Plain,
}

impl Face {
    /// The console if there is a terminal that can show it and nobody asked for less.
    pub(crate) fn of(global: &Global, headless: bool) -> Face {
        let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let terminal = stdout_is_terminal() && std::io::IsTerminal::is_terminal(&std::io::stdin());
        if global.plain && !headless && !global.json {
            Face::Plain
        } else if headless || global.json || dumb || !terminal {
            Face::Lines
        } else {
            Face::Console
        }
    }
}

/// When the first run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Begin {
    /// At once.
    Now,
    /// When the operator asks for it; why that cannot be, if so.
    Asked(Option<&'static str>),
}

/// What there is to do.
pub(crate) struct Job<Rounds> {
    /// The store, for look-ups of the console.
    pub(crate) store: Store,
    /// Settings of each run in turn, made when its turn comes.
    pub(crate) rounds: Rounds,
    /// When the first one begins.
    pub(crate) begin: Begin,
    /// Overridden promises, shown as long as it lasts (rule 8).
    pub(crate) overrides: Vec<String>,
    /// Events as JSON Lines on stdout.
    pub(crate) json: bool,
    /// The face.
    pub(crate) face: Face,
    /// Symbols and colours of the console.
    pub(crate) looks: Looks,
}

/// Runs all of it and waits for the end.
pub(crate) async fn drive<Rounds>(job: Job<Rounds>) -> Result<(Exit, Vec<Summary>), Failure>
where
    Rounds: Iterator<Item = Result<Settings, Failure>>,
{
    let stop = Stop::new();
    let (notes, heard) = mpsc::channel(8);
    let overrides = job.overrides.iter().map(Clean::new).collect::<Vec<_>>();
    let start = Arc::new(Notify::new());
    let begun = Cell::new(job.begin == Begin::Now);
    let mut work = pin!(async {
        if let Begin::Asked(refusal) = job.begin {
            let _ = notes.send(Note::Offline(refusal)).await;
            tokio::select! {
                () = start.notified() => {}
                () = stop.reached(Ending::Drain) => return Ok(Vec::new()),
            }
        }
        begun.set(true);
        work(job.rounds, job.json, overrides, &stop, notes).await
    });
    let mut listening = pin!(signals::listen(stop.clone()));
    let face: std::pin::Pin<Box<dyn Future<Output = Result<(), Failure>>>> = match job.face {
        Face::Lines => Box::pin(plain::follow(heard, stop.clone(), None)),
        Face::Plain => {
            let store = job.store.clone();
            Box::pin(plain::follow(heard, stop.clone(), Some(store)))
        }
        Face::Console => {
            let screen = Screen::of_process(job.looks.ascii, job.looks.theme.as_deref())?;
            let wiring = Wiring {
                store: job.store,
                start: Arc::clone(&start),
                stop: stop.clone(),
            };
            Box::pin(run::console(screen, wiring, heard))
        }
    };
    let mut face = face;
    let mut shown = None;
    let mut worked = None;
    while shown.is_none() || worked.is_none() {
        tokio::select! {
            ended = &mut work, if worked.is_none() => worked = Some(ended),
            ended = &mut face, if shown.is_none() => {
                // Whoever leaves the console ends the run, cleanly.
                stop.drain();
                if job.face == Face::Console && worked.is_none() && begun.get() {
                    say(&Clean::new("waiting for requests under way; Ctrl-C quits at once"));
                }
                shown = Some(ended);
            }
            () = &mut listening => {}
            () = stop.reached(Ending::Now) => {
                drop(face);
                say(&Clean::new("quit at once; run again to resume"));
                return Ok((Exit::Interrupted, Vec::new()));
            }
        }
    }
    let summaries = match (worked, shown) {
        (Some(Ok(summaries)), Some(Ok(()))) => summaries,
        (Some(Err(failure)), _) | (_, Some(Err(failure))) => return Err(failure),
        _ => Vec::new(),
    };
    let complete = summaries.last().is_none_or(|summary| summary.complete);
    let interrupted = stop.wished() != Ending::None && !complete;
    let exit = if interrupted {
        Exit::Interrupted
    } else {
        Exit::Done
    };
    Ok((exit, summaries))
}

async fn work<Rounds>(
    rounds: Rounds,
    json: bool,
    overrides: Vec<Clean>,
    stop: &Stop,
    notes: mpsc::Sender<Note<Handle>>,
) -> Result<Vec<Summary>, Failure>
where
    Rounds: Iterator<Item = Result<Settings, Failure>>,
{
    let mut summaries = Vec::new();
    for settings in rounds {
        let ended = match settings {
            Ok(settings) => round(settings, json, &overrides, stop, &notes).await,
            Err(failure) => Err(failure),
        };
        match ended {
            Ok(summary) => summaries.push(summary),
            Err(failure) => {
                if let Failure::Failed(sentence) | Failure::Usage(sentence) = &failure {
                    let _ = notes.send(Note::Failed(Clean::new(sentence))).await;
                }
                return Err(failure);
            }
        }
        if stop.wished() != Ending::None {
            break;
        }
    }
    let _ = notes.send(Note::AllDone).await;
    Ok(summaries)
}

async fn round(
    mut settings: Settings,
    json: bool,
    overrides: &[Clean],
    stop: &Stop,
    notes: &mpsc::Sender<Note<Handle>>,
) -> Result<Summary, Failure> {
    raise_files(settings.in_flight);
    let events = json.then(|| {
        let (sender, events) = Events::start();
        settings.events = Some(sender);
        events
    });
    let engine = Engine::start(settings).await?;
    let handle = engine.handle();
    let due = handle.glance().due;
    let stage = Stage {
        live: handle.clone(),
        overrides: overrides.to_vec(),
    };
    let _ = notes.send(Note::Started(stage)).await;
    let mut finished = pin!(engine.finished());
    let summary = tokio::select! {
        ended = &mut finished => ended,
        () = stop.reached(Ending::Drain) => {
            // Polled beside the end: both come when the last answer is in.
            let (asked, ended) = tokio::join!(handle.command(Command::Stop), &mut finished);
            // A stop that finds the engine ended already has nothing left to stop.
            drop(asked);
            ended
        }
    }?;
    if let Some(events) = events {
        events.finish(&summary.finished).await?;
    }
    let _ = notes
        .send(Note::Ended(Clean::new(sentence(&summary, due))))
        .await;
    Ok(summary)
}

/// Each site in flight may need a socket and a file; says so if the system allows fewer.
fn raise_files(in_flight: usize) {
    let wanted = 2 * in_flight as u64 + 200;
    let allowed = match rlimit::getrlimit(rlimit::Resource::NOFILE) {
        Ok((soft, _)) if soft >= wanted => soft,
        _ => rlimit::increase_nofile_limit(wanted).unwrap_or(0),
    };
    if allowed < wanted {
        say(&Clean::new(format!(
            "the system allows {allowed} open files and this run may need {wanted}; \
             raise the limit (ulimit -n) or lower --in-flight"
        )));
    }
}

/// The end of a run in one sentence; `due` is the number of hosts that were due when it started.
fn sentence(summary: &Summary, due: u64) -> String {
    let Event::RunFinished {
        run,
        hosts,
        requests,
        denied,
        versions_new,
        seconds,
        ..
    } = &summary.finished
    else {
        return "the run ended".to_owned();
    };
    if summary.complete && due == 0 {
        return format!(
            "{run}: no host of this store is due now; `lamplighter hosts list` says when each is"
        );
    }
    let visits: u64 = hosts.values().sum();
    format!(
        "{run} {}: {}, {}, {} denied, {}, {seconds:.1} s",
        if summary.complete {
            "finished"
        } else {
            "stopped before its end; run again to resume"
        },
        fit::counted(visits, "visit"),
        fit::counted(*requests, "request"),
        fit::counted(*denied, "location"),
        fit::counted(*versions_new, "new version"),
    )
}
