//! The Live pane: what the engine told, and where the operator looks.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use engine::crawl::{HostState, Lamp, LogLine, RunState, Update, VisitRow};
use engine::hosts::Host;
use engine::store::{Change, HostId, Totals};
use jiff::Timestamp;

use super::rates::{Rates, Sample};
use crate::engine;
use crate::filter::Written;
use crate::filter::rows::{FlightFacts, LogFacts};
use crate::text::{Clean, fit, words};

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

/// One line of the log as it was told. Its texts are cleaned when they are shown.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    /// Counts the lines of the run, so that one is known again.
    number: u64,
    pub(crate) line: LogLine,
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
    pub(crate) log: VecDeque<Told>,
    /// Lines from the newest up to the cursor of the log.
    pub(crate) log_up: usize,
    /// The line under that cursor while the log has the keys: what is done is done to its host, also
    /// once it is too old to be shown.
    pub(crate) picked: Option<Box<Told>>,
    /// Lines of the log so far.
    pub(crate) numbered: u64,
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

    /// The line of the log under the cursor, while the log has the keys.
    pub(crate) fn picked(&self) -> Option<&Told> {
        self.picked.as_deref().filter(|_| self.focus == Focus::Log)
    }

    /// Whether this is that line.
    pub(crate) fn is_picked(&self, line: &Told) -> bool {
        self.picked()
            .is_some_and(|picked| picked.number == line.number)
    }

    /// The host under the cursor.
    pub(crate) fn target(&self) -> Option<(HostId, &Host)> {
        match self.focus {
            Focus::Log => self
                .picked()
                .map(|picked| (picked.line.id, &picked.line.host)),
            Focus::Table => self
                .selected_row()
                .map(|row| (row.visit.id, &row.visit.host)),
        }
    }

    /// Looks where `stood` does.
    pub(crate) fn look_as(&mut self, stood: Live) {
        (self.focus, self.selected) = (stood.focus, stood.selected);
        let newer = self.numbered.saturating_sub(stood.numbered);
        self.log_up = usize::try_from(newer).unwrap_or(LOG_KEPT) + stood.log_up;
        self.picked = stood.picked;
        if self.focus == Focus::Table {
            self.log_up = 0;
        }
        self.log_up = self.log_up.min(self.log_kept().count().saturating_sub(1));
    }

    /// Gives the keys to a part. The log stands still under its cursor while it has them, and follows
    /// the run again when it gives them up.
    pub(crate) fn focus_on(&mut self, focus: Focus) {
        self.focus = focus;
        match focus {
            Focus::Table => (self.log_up, self.picked) = (0, None),
            Focus::Log if self.picked.is_none() => self.pick(0),
            Focus::Log => {}
        }
    }

    /// Puts the cursor of the log on a line, so many up from the newest one.
    pub(crate) fn pick(&mut self, up: usize) {
        self.log_up = up.min(self.log_kept().count().saturating_sub(1));
        let line = self.log_kept().nth(self.log_up).cloned();
        self.picked = line.map(Box::new);
    }

    /// Moves the cursor of the part that has the keys by so many rows.
    pub(crate) fn step(&mut self, by: isize) {
        match self.focus {
            Focus::Log => self.pick(self.log_up.saturating_add_signed(by.saturating_neg())),
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
    pub(crate) fn log_kept(&self) -> impl Iterator<Item = &Told> {
        let now = self.now;
        let filter = &self.log_filter.filter;
        self.log.iter().rev().filter(move |told| {
            let line = &told.line;
            filter.is_all() || filter.matches(&LogFacts { line, now })
        })
    }

    /// The cursor goes to a row that is shown, if the one it stood on is not.
    pub(crate) fn keep_cursor(&mut self) {
        if self.cursor().is_none() {
            self.selected = self.order.first().copied();
        }
    }

    fn take_log(&mut self, lines: Vec<LogLine>) {
        let new = lines.len();
        for line in lines {
            if self.log.len() == LOG_KEPT {
                self.log.pop_front();
            }
            self.numbered += 1;
            self.log.push_back(Told {
                number: self.numbered,
                line,
            });
        }
        if self.focus == Focus::Log && new > 0 {
            // What is being read stays where it is.
            let kept = |at: &Told| {
                self.picked
                    .as_ref()
                    .is_some_and(|picked| picked.number == at.number)
            };
            let at = self.log_kept().position(kept);
            match at {
                Some(at) => self.log_up = at,
                None if self.picked.is_none() => self.pick(0),
                None => self.log_up = self.log_kept().count().saturating_sub(1),
            }
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
    /// Of a visit as told.
    #[cfg(test)]
    pub(crate) fn told(visit: VisitRow) -> Row {
        Row { visit }
    }

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

impl Told {
    /// The line as it is shown.
    pub(crate) fn shown(&self) -> Logged {
        let line = &self.line;
        let word = match (line.outcome, change(line.change)) {
            // How history changed says that a file is there.
            ("present", change) if !change.is_empty() => change.to_owned(),
            (outcome, _) => words::outcome(outcome),
        };
        let result = match line.status {
            Some(status) => format!("{status} {word}"),
            None => word,
        };
        Logged {
            time: Clean::new(fit::time_milli(line.at)),
            second: Clean::new(line.at.strftime("%H:%M:%SZ").to_string()),
            host: Clean::new(line.host.as_str()),
            what: Clean::new(format!("{} {}", line.method, line.path)),
            result: Clean::new(result),
            size: Clean::new(fit::bytes(line.bytes)),
            good: line
                .status
                .is_some_and(|status| status < 400 || status == 404 || status == 410),
        }
    }
}

impl Logged {
    /// All of it.
    pub(crate) fn sentence(&self) -> Clean {
        Clean::new(format!(
            "{}, {}, {}, {}",
            self.what, self.result, self.size, self.time
        ))
    }
}

fn change(change: Change) -> &'static str {
    match change {
        Change::New => "new",
        Change::Changed => "changed",
        Change::Back | Change::Returned => "back",
        Change::Unchanged => "unchanged",
        Change::UnchangedByContent => "same bytes",
        Change::None => "",
    }
}
