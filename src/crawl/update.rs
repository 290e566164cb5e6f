//! What the console is told, and what it may ask. Plain owned data.

use std::time::Duration;

use jiff::Timestamp;

use crate::hosts::Host;
use crate::store::{Change, HostId, SpanState, Totals};
use crate::suppress::Entry;

/// What a caller may ask of a running engine.
#[derive(Clone, Debug)]
pub enum Command {
    /// The whole run stands still.
    Pause,
    /// It goes on.
    Resume,
    /// Not now.
    Hold(Entry),
    /// Go on with it.
    Release(Entry),
    /// Never again.
    Suppress(Entry),
    /// Finish what is under way, ask nothing new, end.
    Stop,
}

/// State of the run. Requested and reached are two states (rule 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Asking.
    Running,
    /// Pause requested; answers are still coming in.
    Pausing,
    /// Pause reached: no request is under way.
    Paused,
    /// Stop requested; draining.
    Stopping,
    /// Every host due was visited, or the window ended.
    Finished,
    /// Stopped before the end; resumes when run again.
    Stopped,
}

/// One lamp: the state of one location in this visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lamp {
    /// Not yet.
    NotYet,
    /// Being asked.
    Asking,
    /// Present, new or changed.
    Present,
    /// Unchanged.
    Unchanged,
    /// Absent, soft or plain.
    Absent,
    /// Denied by robots.txt.
    Denied,
    /// Any error, block, challenge, limit.
    Error,
}

impl Lamp {
    /// The lamp of a location in this state, after this change.
    pub fn of(state: SpanState, change: Change) -> Lamp {
        match (state, change) {
            (SpanState::Present, Change::Unchanged | Change::UnchangedByContent) => Lamp::Unchanged,
            (SpanState::Present, _) => Lamp::Present,
            (SpanState::Absent | SpanState::SoftAbsent, _) => Lamp::Absent,
            (SpanState::Denied, _) => Lamp::Denied,
            (SpanState::NotAsked, _) => Lamp::NotYet,
            _ => Lamp::Error,
        }
    }
}

/// State of a host, in words that say why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostState {
    /// Its turn has not come.
    Waiting,
    /// It may be asked now.
    Ready,
    /// A request is under way.
    Asking {
        /// Path.
        path: String,
    },
    /// Waiting on purpose.
    Resting {
        /// Until when, UTC.
        until: Timestamp,
        /// Cause and source: `Crawl-delay 60, robots.txt line 14`.
        why: String,
    },
    /// Standing still with the whole run, until resumed.
    Paused {
        /// Why: the run is paused, or what is doubted.
        why: String,
    },
    /// Held by the operator.
    Held,
    /// Suppressed.
    Suppressed,
    /// Its visit ended.
    Done {
        /// Outcome and cause in one sentence.
        outcome: String,
    },
}

/// One visit in flight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitRow {
    /// Host id; rows are kept by it.
    pub id: HostId,
    /// Host being asked.
    pub host: Host,
    /// One lamp a location, robots.txt first.
    pub lamps: Vec<Lamp>,
    /// Gap in force.
    pub gap: Duration,
    /// State.
    pub state: HostState,
}

/// One line of the live log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// When the answer ended.
    pub at: Timestamp,
    /// Id of the host asked.
    pub id: HostId,
    /// Host.
    pub host: Host,
    /// Method.
    pub method: &'static str,
    /// Path.
    pub path: String,
    /// Status, if any.
    pub status: Option<u16>,
    /// Outcome word.
    pub outcome: &'static str,
    /// Decoded bytes.
    pub bytes: u64,
    /// How history changed.
    pub change: Change,
}

/// What changed since the last update taken; merged, never queued.
#[derive(Clone, Debug, Default)]
pub struct Update {
    /// Policy name; `intentroute, weakened` in a real run that keeps less than that crawler promises.
    pub policy: String,
    /// Period label.
    pub run: String,
    /// Whether this is a loopback run, or one with overridden promises.
    pub loopback: bool,
    /// Engine time.
    pub now: Option<Timestamp>,
    /// When the run (this process) started.
    pub started: Option<Timestamp>,
    /// State.
    pub state: Option<RunState>,
    /// Why it stands still or ends, if it does.
    pub notice: Option<String>,
    /// Totals of the run.
    pub totals: Totals,
    /// Hosts that were due when this process began to work on the run.
    pub due: u64,
    /// Visits ended in this run, those of earlier processes included, as in the totals.
    pub done: u64,
    /// Visits under way.
    pub in_flight: u64,
    /// Hosts due and not yet drawn.
    pub waiting: u64,
    /// Sites told to wait (429, 503, Retry-After) in this run.
    pub told_to_wait: u64,
    /// robots.txt answers so far: read, none, closed.
    pub robots: [u64; 3],
    /// No new request after this.
    pub window_ends: Option<Timestamp>,
    /// Rows that changed.
    pub rows: Vec<VisitRow>,
    /// Rows that are gone.
    pub gone: Vec<HostId>,
    /// New log lines, oldest first.
    pub log: Vec<LogLine>,
    /// Log lines dropped because nobody took them.
    pub dropped: u64,
}
