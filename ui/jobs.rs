//! Reading from the store for the screen, off the screen's own thread: a lane for each kind of
//! question, and in each lane the newest question takes the place of the one before.
//!
//! A lane has one reader of its own. Every call of it is a short transaction, so that a console left
//! open for days holds nothing back.

pub(crate) mod changes;
pub(crate) mod diff;
mod order;
pub(crate) mod page;
mod runs;

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use engine::history::Stop;
use engine::store::{
    ChangeIndex, ChangeLine, HostId, HostLine, HostSort, HostView, Interrupter, LogLine, Reader,
    RequestKey, RunId, RunSummary, Store,
};
use engine::suppress::{List, SuppressFile};
use jiff::Timestamp;
use order::Whole;
use page::{Asked, Explained, PageParts};
use tokio::sync::mpsc;

use crate::cli;
use crate::engine;
use crate::filter::Filter;
use crate::msg::Msg;
use crate::state::alarms::{Around, Audited, Room};
use crate::text::Clean;

/// A question, numbered so that a late answer to an older one is known as such.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Question {
    /// Its number.
    pub(crate) number: u64,
    /// Now, for waits and ages.
    pub(crate) now: Timestamp,
    /// What.
    pub(crate) what: What,
}

/// What the engine told of the hosts in flight: the word of each one's state.
pub(crate) type Flights = Arc<HashMap<HostId, &'static str>>;

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// The order of all hosts that a filter keeps.
    Order {
        filter: Filter,
        sort: HostSort,
        descending: bool,
        flights: Flights,
    },
    /// The rows of these hosts.
    Rows(Vec<HostId>),
    /// What stands around the store: room on the disk, a run of another terminal.
    Around,
    /// The audit of a run by its label.
    Audit(String),
    /// All small parts of the page of a host, as they were known when a run was over; none for now.
    Page(HostId, Option<RunId>),
    /// What a stored robots.txt says of a path.
    Robots(Asked),
    /// Requests of a host before one.
    Requests(HostId, RequestKey),
    /// What changed between two versions.
    Diff(diff::Asked),
    /// What changed in a run, or between two.
    Changes(changes::Asked),
    /// Some rows of it.
    ChangeRows(changes::Window),
    /// All runs as wholes.
    Runs,
}

/// An answer.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The first hosts of an order; more to come.
    First(Vec<HostId>),
    /// The whole order.
    Order(Vec<HostId>),
    /// Rows; hosts that are gone are left out.
    Rows(Vec<HostLine>),
    /// What stands around the store.
    Around(Around),
    /// What the audit of a run found; none if the store knows no such run.
    Audited(Option<Audited>),
    /// The page of a host.
    Page(Box<PageParts>),
    /// What a robots.txt says.
    Robots(Box<Explained>),
    /// Older requests, newest first.
    Requests(Vec<LogLine>),
    /// Two versions, compared as far as that has come.
    Diff(Box<diff::Told>),
    /// The runs, and the first changes.
    ChangesBegun(Box<changes::Begun>),
    /// How many changes there are, and where their windows begin.
    Changes(Arc<ChangeIndex>),
    /// All runs, the newest first.
    Runs(Vec<RunSummary>),
    /// Changes from this place in the list on.
    ChangeRows(usize, Vec<ChangeLine>),
}

/// Kinds of questions that do not wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lane {
    Order,
    Rows,
    Around,
    Audit,
    Page,
    Robots,
    Requests,
    Diff,
    Changes,
    ChangeRows,
    Runs,
}

impl What {
    fn lane(&self) -> Lane {
        match self {
            What::Order { .. } => Lane::Order,
            What::Rows(_) => Lane::Rows,
            What::Around => Lane::Around,
            What::Audit(_) => Lane::Audit,
            What::Page(..) => Lane::Page,
            What::Robots(_) => Lane::Robots,
            What::Requests(..) => Lane::Requests,
            What::Diff(_) => Lane::Diff,
            What::Changes(_) => Lane::Changes,
            What::ChangeRows(_) => Lane::ChangeRows,
            What::Runs => Lane::Runs,
        }
    }
}

/// The lanes of a console.
pub(crate) struct Jobs {
    store: Store,
    answers: mpsc::Sender<Msg>,
    lanes: Vec<(Lane, Arc<Worker>)>,
}

impl Jobs {
    /// No lane is opened before it is asked something.
    pub(crate) fn new(store: Store, answers: mpsc::Sender<Msg>) -> Jobs {
        Jobs {
            store,
            answers,
            lanes: Vec::new(),
        }
    }

    /// Asks; a question of the same lane that is waiting or being answered is dropped.
    pub(crate) fn ask(&mut self, question: Question) {
        let lane = question.what.lane();
        if let Some((_, worker)) = self.lanes.iter().find(|(known, _)| *known == lane) {
            worker.ask(question);
            return;
        }
        let worker = Arc::new(Worker::default());
        worker.ask(question);
        self.lanes.push((lane, Arc::clone(&worker)));
        let (store, answers) = (self.store.clone(), self.answers.clone());
        std::thread::spawn(move || worker.work(&store, &answers));
    }
}

impl Drop for Jobs {
    fn drop(&mut self) {
        for (_, worker) in &self.lanes {
            worker.end();
        }
    }
}

/// One lane: the question that is next, and how to end the one under way.
#[derive(Default)]
struct Worker {
    state: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    next: Option<Question>,
    under_way: Option<(Arc<Interrupter>, Stop)>,
    over: bool,
}

impl Worker {
    fn ask(&self, question: Question) {
        self.change(|waiting| waiting.next = Some(question));
    }

    fn end(&self) {
        self.change(|waiting| waiting.over = true);
    }

    fn change(&self, change: impl FnOnce(&mut Waiting)) {
        let mut waiting = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut waiting);
        if let Some((interrupter, stop)) = &waiting.under_way {
            interrupter.interrupt();
            stop.end();
        }
        self.changed.notify_one();
    }

    fn next(&self, interrupter: &Arc<Interrupter>) -> Option<(Question, Stop)> {
        let mut waiting = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.under_way = None;
        loop {
            if waiting.over {
                return None;
            }
            if let Some(question) = waiting.next.take() {
                let stop = Stop::never();
                waiting.under_way = Some((Arc::clone(interrupter), stop.clone()));
                return Some((question, stop));
            }
            waiting = self
                .changed
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whether an answer would still be read.
    fn wanted(&self) -> bool {
        let waiting = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.next.is_none() && !waiting.over
    }

    fn work(&self, store: &Store, answers: &mpsc::Sender<Msg>) {
        let reader = match store.reader() {
            Ok(reader) => reader,
            Err(error) => {
                let number = self
                    .change_out(|waiting| waiting.next.take())
                    .map_or(0, |question| question.number);
                let problem = Clean::new(error.to_string());
                let _ = answers.blocking_send(Msg::Read(number, Err(problem)));
                return;
            }
        };
        let interrupter = Arc::new(reader.interrupter());
        let list = SuppressFile::in_directory(store.directory());
        let mut whole = Whole::default();
        while let Some((question, stop)) = self.next(&interrupter) {
            let number = question.number;
            let mut tell = |answer| {
                if self.wanted() {
                    // A console that has been left needs no answer.
                    let _ = answers.blocking_send(Msg::Read(number, answer));
                }
            };
            let suppressed = match list.read() {
                Ok((suppressed, _)) => suppressed,
                Err(error) => {
                    tell(Err(Clean::new(error.to_string())));
                    continue;
                }
            };
            let from = From {
                store,
                reader: &reader,
                suppressed: &suppressed,
                stop: &stop,
            };
            answer(&from, &mut whole, &question, &mut tell);
            whole.catch_up(&reader);
        }
    }

    fn change_out<T>(&self, change: impl FnOnce(&mut Waiting) -> T) -> T {
        let mut waiting = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut waiting)
    }
}

/// What an answer is read from.
struct From<'a> {
    store: &'a Store,
    reader: &'a Reader,
    suppressed: &'a List,
    stop: &'a Stop,
}

fn answer(
    from: &From<'_>,
    whole: &mut Whole,
    question: &Question,
    tell: &mut dyn FnMut(Result<Answer, Clean>),
) {
    let (now, store, reader) = (question.now, from.store, from.reader);
    let view = HostView {
        now,
        suppressed: from.suppressed,
    };
    let answered = match &question.what {
        What::Order {
            filter,
            sort,
            descending,
            flights,
        } => {
            let by = (*sort, *descending);
            let mut first = |page| tell(Ok(page));
            whole
                .order(reader, (filter, flights), by, view, &mut first)
                .map(Answer::Order)
        }
        What::Rows(ids) => reader.host_window(ids, view).map(Answer::Rows),
        What::Around => return tell(around(store, reader)),
        What::Audit(label) => return tell(audited(reader, label)),
        What::Page(host, run) => {
            let parts = page::parts((store, reader), (*host, *run), view);
            return tell(Ok(Answer::Page(Box::new(parts))));
        }
        What::Robots(asked) => {
            let explained = page::explain(store, reader, asked);
            return tell(explained.map(|said| Answer::Robots(Box::new(said))));
        }
        What::Diff(asked) => {
            let mut tell = |told: page::Read<diff::Told>| {
                tell(told.map(|told| Answer::Diff(Box::new(told))));
            };
            return diff::answer(store, reader, asked, from.stop, &mut tell);
        }
        What::Requests(host, before) => reader
            .log_page(*host, Some(*before), page::REQUESTS)
            .map(Answer::Requests),
        What::Changes(asked) => changes::answer(reader, asked, now, &mut |part| tell(Ok(part))),
        What::Runs => runs::answer(reader),
        What::ChangeRows(window) => changes::window(reader, window, now),
    };
    tell(answered.map_err(|error| Clean::new(error.to_string())));
}

fn around(store: &Store, reader: &Reader) -> Result<Answer, Clean> {
    let disk = rustix::fs::statvfs(store.directory())
        .map_err(|error| Clean::new(format!("the disk tells nothing of its room ({error})")))?;
    let problem = |error: engine::store::StoreError| Clean::new(error.to_string());
    let newest = reader.runs().map_err(problem)?.into_iter().next();
    Ok(Answer::Around(Around {
        room: Room {
            free: disk.f_bavail.saturating_mul(disk.f_frsize),
            whole: disk.f_blocks.saturating_mul(disk.f_frsize),
        },
        // A copy that may not be written to is locked by nobody.
        engine: cli::reach::engine_runs(store).unwrap_or(false),
        paused: reader.control().map_err(problem)?.paused,
        loopback: newest.is_some_and(|run| run.start.loopback),
    }))
}

/// What the audit of a run found, in one sentence; none if the store knows no such run.
pub(crate) fn audit_of(store: &Store, label: &str) -> Option<Clean> {
    let reader = store
        .reader()
        .map_err(|error| Clean::new(error.to_string()));
    match reader.and_then(|reader| audited(&reader, label)) {
        Ok(Answer::Audited(audited)) => audited.map(|audited| Clean::new(audited.sentence())),
        Ok(_) => None,
        Err(problem) => Some(problem),
    }
}

fn audited(reader: &Reader, label: &str) -> Result<Answer, Clean> {
    let failed = |error: String| Clean::new(format!("the audit of {label} failed: {error}"));
    let run = reader
        .run(label)
        .map_err(|error| failed(error.to_string()))?;
    let Some(run) = run else {
        return Ok(Answer::Audited(None));
    };
    let findings =
        engine::audit::audit(reader, run.id).map_err(|error| failed(error.to_string()))?;
    let broken = findings.iter().filter(|finding| finding.breaches > 0);
    let broken = broken.map(|finding| (finding.promise.clone(), finding.breaches));
    let checked = findings.iter().filter(|finding| finding.checked > 0);
    Ok(Answer::Audited(Some(Audited {
        run: label.to_owned(),
        promises: checked.count() as u64,
        checks: findings.iter().map(|finding| finding.checked).sum(),
        breaches: broken.collect(),
    })))
}

#[cfg(test)]
#[path = "jobs/lane_tests.rs"]
mod tests;
