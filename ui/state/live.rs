//! The Live pane: what the engine told, and where the operator looks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use engine::crawl::{HostState, Lamp, LogLine, RunState, Update, VisitRow};
use engine::store::{Change, HostId, Totals};
use jiff::Timestamp;

use super::rates::{Rates, Sample};
use crate::engine;
use crate::filter::Written;
use crate::filter::rows::{FlightFacts, LogFacts};
use crate::text::{Clean, fit};

/// Log lines kept for scrolling.
const LOG_KEPT: usize = 1_000;

/// What the table is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Sort {
    /// The next request.
    #[default]
    Next,
    /// The host's name.
    Host,
    /// The gap in force.
    Gap,
    /// Locations asked so far.
    Progress,
    /// Errors so far.
    Errors,
}

impl Sort {
    /// All of them, as the menu lists them.
    pub(crate) const ALL: [Sort; 5] = [
        Sort::Next,
        Sort::Host,
        Sort::Gap,
        Sort::Progress,
        Sort::Errors,
    ];

    /// Its word on the screen.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Sort::Next => "next",
            Sort::Host => "host",
            Sort::Gap => "gap",
            Sort::Progress => "lamps",
            Sort::Errors => "errors",
        }
    }
}

/// What the movement keys move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Focus {
    /// The hosts in flight.
    #[default]
    Table,
    /// The log.
    Log,
}

/// One visit in flight. Its texts are cleaned when they are shown: thousands change for each that is.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) visit: VisitRow,
}

/// One line of the log as it is shown.
#[derive(Clone, Debug)]
pub(crate) struct Logged {
    pub(crate) time: Clean,
    /// The same without milliseconds.
    pub(crate) second: Clean,
    pub(crate) host: Clean,
    pub(crate) what: Clean,
    pub(crate) result: Clean,
    pub(crate) size: Clean,
    pub(crate) change: &'static str,
    pub(crate) good: bool,
}

/// The pane.
#[derive(Clone, Debug, Default)]
pub(crate) struct Live {
    pub(crate) policy: Clean,
    pub(crate) run: Clean,
    pub(crate) loopback: bool,
    pub(crate) overrides: Vec<Clean>,
    pub(crate) started: Option<Timestamp>,
    pub(crate) run_state: Option<RunState>,
    pub(crate) notice: Option<Clean>,
    pub(crate) totals: Totals,
    pub(crate) done: u64,
    pub(crate) in_flight: u64,
    pub(crate) waiting: u64,
    pub(crate) told_to_wait: u64,
    pub(crate) robots: [u64; 3],
    pub(crate) window_ends: Option<Timestamp>,
    pub(crate) rates: Rates,
    pub(crate) rows: BTreeMap<HostId, Row>,
    pub(crate) order: Vec<HostId>,
    pub(crate) sort: Sort,
    /// The order is turned round.
    pub(crate) turned: bool,
    /// Only what matches is shown.
    pub(crate) filter: Written,
    pub(crate) log_filter: Written,
    /// Engine time, as last told.
    pub(crate) now: Timestamp,
    pub(crate) focus: Focus,
    /// The cursor stays on its host however the rows are sorted.
    pub(crate) selected: Option<HostId>,
    pub(crate) log: VecDeque<LogLine>,
    /// Lines scrolled up from the newest.
    pub(crate) log_up: usize,
    pub(crate) dropped: u64,
}

impl Live {
    /// The row under the cursor.
    pub(crate) fn selected_row(&self) -> Option<&Row> {
        self.rows.get(&self.selected?)
    }

    /// Where the cursor stands in the order.
    pub(crate) fn cursor(&self) -> Option<usize> {
        let selected = self.selected?;
        self.order.iter().position(|id| *id == selected)
    }

    /// Moves the cursor or the log by so many rows.
    pub(crate) fn step(&mut self, by: isize) {
        match self.focus {
            Focus::Log => {
                let most = self.log.len().saturating_sub(1);
                self.log_up = self.log_up.saturating_add_signed(-by).min(most);
            }
            Focus::Table => {
                let last = self.order.len().saturating_sub(1);
                let to = match self.cursor() {
                    Some(at) => at.saturating_add_signed(by).min(last),
                    None => 0,
                };
                self.selected = self.order.get(to).copied();
            }
        }
    }

    /// Takes what changed.
    pub(crate) fn apply(&mut self, update: Update) {
        self.policy = Clean::new(&update.policy);
        self.run = Clean::new(&update.run);
        self.loopback = update.loopback;
        self.started = update.started.or(self.started);
        if update.state.is_some() {
            self.run_state = update.state;
            self.notice = None;
        }
        if let Some(notice) = &update.notice {
            self.notice = Some(Clean::new(notice));
        }
        self.totals = update.totals;
        self.done = update.done;
        self.in_flight = update.in_flight;
        self.waiting = update.waiting;
        self.told_to_wait = update.told_to_wait;
        self.robots = update.robots;
        self.window_ends = update.window_ends.or(self.window_ends);
        if let Some(now) = update.now {
            self.now = now;
            let sample = Sample {
                requests: self.totals.requests,
                bytes: self.totals.wire_bytes,
                done: self.done,
            };
            self.rates.see(now, sample);
        }
        self.take_rows(update.rows, &update.gone);
        self.take_log(update.log);
        self.dropped += update.dropped;
    }

    fn take_rows(&mut self, rows: Vec<VisitRow>, gone: &[HostId]) {
        if rows.is_empty() && gone.is_empty() {
            return;
        }
        let at = self.cursor();
        for id in gone {
            self.rows.remove(id);
        }
        for visit in rows {
            self.rows.insert(visit.id, Row { visit });
        }
        self.resort();
        if self.cursor().is_none() {
            // The host is gone: the cursor keeps its place instead.
            let place = at.unwrap_or(0).min(self.order.len().saturating_sub(1));
            self.selected = self.order.get(place).copied();
        }
    }

    /// Filters and sorts anew; ties by id, so that nothing jumps.
    pub(crate) fn resort(&mut self) {
        let now = self.now;
        let filter = &self.filter.filter;
        let kept = self.rows.iter().filter(|(_, row)| {
            let row = &row.visit;
            filter.is_all() || filter.matches(&FlightFacts { row, now })
        });
        let turned = self.turned;
        self.order = match self.sort {
            Sort::Next => sorted(kept, turned, |row| turn(&row.state)),
            Sort::Host => sorted(kept, turned, |row| row.host.as_str()),
            Sort::Gap => sorted(kept, turned, |row| Reverse(row.gap)),
            Sort::Progress => sorted(kept, turned, |row| {
                let asked = row.lamps.iter().filter(|lamp| **lamp != Lamp::NotYet);
                Reverse(asked.count())
            }),
            Sort::Errors => sorted(kept, turned, |row| Reverse(errors(row))),
        };
    }

    /// Lines of the log that the filter keeps, newest first.
    pub(crate) fn log_kept(&self) -> impl Iterator<Item = &LogLine> {
        let now = self.now;
        let filter = &self.log_filter.filter;
        self.log
            .iter()
            .rev()
            .filter(move |line| filter.is_all() || filter.matches(&LogFacts { line, now }))
    }

    /// The cursor goes to a row that is shown, if the one it stood on is not.
    pub(crate) fn keep_cursor(&mut self) {
        if self.cursor().is_none() {
            self.selected = self.order.first().copied();
        }
    }

    fn take_log(&mut self, lines: Vec<LogLine>) {
        // A reader who has scrolled up keeps what is being read.
        if self.log_up > 0 {
            self.log_up = (self.log_up + lines.len()).min(LOG_KEPT - 1);
        }
        for line in lines {
            if self.log.len() == LOG_KEPT {
                self.log.pop_front();
            }
            self.log.push_back(line);
        }
    }
}

/// Ids by a key that is looked at once; ties by id.
fn sorted<'a, K: Ord>(
    rows: impl Iterator<Item = (&'a HostId, &'a Row)>,
    turned: bool,
    key: impl Fn(&'a VisitRow) -> K,
) -> Vec<HostId> {
    let mut keys: Vec<(K, HostId)> = rows.map(|(id, row)| (key(&row.visit), *id)).collect();
    keys.sort_unstable_by(|(a, id), (b, other)| {
        let by = if turned { b.cmp(a) } else { a.cmp(b) };
        by.then(id.cmp(other))
    });
    keys.into_iter().map(|(_, id)| id).collect()
}

/// Errors among the lamps of a visit.
pub(super) fn errors(visit: &VisitRow) -> usize {
    let lamps = visit.lamps.iter();
    lamps.filter(|lamp| **lamp == Lamp::Error).count()
}

/// The order of turns: asking now, ready, resting by time, then what is not asked.
fn turn(state: &HostState) -> (u8, Option<Timestamp>) {
    match state {
        HostState::Asking { .. } => (0, None),
        HostState::Ready => (1, None),
        HostState::Resting { until, .. } => (2, Some(*until)),
        HostState::Waiting | HostState::Paused { .. } => (3, None),
        HostState::Held => (4, None),
        HostState::Suppressed => (5, None),
        HostState::Done { .. } => (6, None),
    }
}

impl Row {
    /// The host's name.
    pub(crate) fn host(&self) -> Clean {
        Clean::new(self.visit.host.as_str())
    }

    /// Why it is where it is, in a few words.
    pub(crate) fn why(&self) -> Clean {
        match &self.visit.state {
            HostState::Waiting => Clean::new("its turn has not come"),
            HostState::Ready => Clean::new("may be asked now"),
            HostState::Asking { path } => Clean::new(format!("asking {path}")),
            HostState::Resting { why, .. } => Clean::new(why),
            HostState::Paused { why } => {
                Clean::new(format!("{why}; asked again once it is resumed"))
            }
            HostState::Held => Clean::new("held by the operator until released"),
            HostState::Suppressed => Clean::new("suppressed: never asked again"),
            HostState::Done { outcome } => Clean::new(outcome),
        }
    }

    /// The whole sentence, with the end of a wait.
    pub(crate) fn sentence(&self) -> Clean {
        match &self.visit.state {
            HostState::Resting { until, why } => Clean::new(format!(
                "resting until {}: {why}",
                until.strftime("%H:%M:%SZ")
            )),
            _ => self.why(),
        }
    }
}

impl Logged {
    pub(crate) fn new(line: &LogLine) -> Logged {
        let result = match line.status {
            Some(status) => format!("{status} {}", line.outcome),
            None => line.outcome.to_owned(),
        };
        Logged {
            time: Clean::new(fit::time_milli(line.at)),
            second: Clean::new(line.at.strftime("%H:%M:%SZ").to_string()),
            host: Clean::new(line.host.as_str()),
            what: Clean::new(format!("{} {}", line.method, line.path)),
            result: Clean::new(result),
            size: Clean::new(fit::bytes(line.bytes)),
            change: change(line.change),
            good: line
                .status
                .is_some_and(|status| status < 400 || status == 404 || status == 410),
        }
    }
}

fn change(change: Change) -> &'static str {
    match change {
        Change::New => "new",
        Change::Changed => "changed",
        Change::Back => "back",
        Change::Unchanged => "unchanged",
        Change::UnchangedByContent => "same bytes",
        Change::None => "",
    }
}
