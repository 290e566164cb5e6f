//! What the console may see: state that coalesces, log lines that drop and are counted (rule 6).
//!
//! The engine writes here under a short lock and never waits; a console takes what changed.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use super::update::{LogLine, Update, VisitRow};
use crate::fetch::Outcome;
use crate::robots::Access;
use crate::store::{Change, Finished, HostId, Totals, VisitEnd};

/// Shortest time between two updates.
const CADENCE: Duration = Duration::from_millis(50);
/// Log lines kept for a console that is late.
const LOG_LINES: usize = 1_000;

/// Shared by every walk; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Board {
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    state: Mutex<State>,
    /// Rows and log lines are gathered only once somebody looks.
    watched: AtomicBool,
    news: Notify,
}

#[derive(Default)]
struct State {
    fresh: Update,
    rows: HashMap<HostId, VisitRow>,
    changed: HashSet<HostId>,
    shown: HashSet<HostId>,
    gone: HashSet<HostId>,
    log: VecDeque<LogLine>,
    dirty: bool,
    taken: Option<Instant>,
}

impl Board {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.inner
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the scalar part of the next update.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Update)) {
        let mut state = self.lock();
        change(&mut state.fresh);
        state.dirty = true;
        drop(state);
        self.inner.news.notify_one();
    }

    /// A visit's row as it is now.
    pub(crate) fn row(&self, row: impl FnOnce() -> VisitRow) {
        if !self.inner.watched.load(Ordering::Relaxed) {
            return;
        }
        let row = row();
        let mut state = self.lock();
        state.changed.insert(row.id);
        state.gone.remove(&row.id);
        state.rows.insert(row.id, row);
        state.dirty = true;
        drop(state);
        self.inner.news.notify_one();
    }

    /// A visit left the board.
    pub(crate) fn gone(&self, id: HostId) {
        let mut state = self.lock();
        state.rows.remove(&id);
        state.changed.remove(&id);
        if state.shown.remove(&id) {
            state.gone.insert(id);
        }
        state.dirty = true;
    }

    /// A request ended.
    pub(crate) fn request(&self, finished: &Counted, line: impl FnOnce() -> LogLine) {
        let watched = self.inner.watched.load(Ordering::Relaxed);
        let mut state = self.lock();
        count_request(&mut state.fresh.totals, finished);
        if watched {
            if state.log.len() == LOG_LINES {
                state.log.pop_front();
                state.fresh.dropped += 1;
            }
            state.log.push_back(line());
        }
        state.dirty = true;
        drop(state);
        self.inner.news.notify_one();
    }

    /// A robots.txt was decided.
    pub(crate) fn robots(&self, access: Access, is_file: bool) {
        self.change(|update| {
            update.robots[Totals::robots_slot(access, is_file)] += 1;
        });
    }

    /// A visit begins.
    pub(crate) fn begin(&self) {
        self.change(|update| {
            update.in_flight += 1;
            update.waiting = update.waiting.saturating_sub(1);
        });
    }

    /// A visit is no longer in flight; `waits` if it was left to go on later.
    pub(crate) fn leave(&self, waits: bool) {
        self.change(|update| {
            update.in_flight -= 1;
            update.waiting += u64::from(waits);
        });
    }

    /// A visit ended.
    pub(crate) fn visit_ended(&self, end: &VisitEnd) {
        let word = end.outcome.word();
        self.change(|update| {
            update.done += 1;
            update.totals.denied += u64::try_from(end.denied.len()).unwrap_or(u64::MAX);
            *update.totals.hosts.entry(word).or_default() += 1;
        });
    }

    /// The figures alone: nothing is taken, and no rows or lines are gathered for it.
    pub(crate) fn glance(&self) -> Update {
        self.lock().fresh.clone()
    }

    /// Takes what changed since the last call.
    pub(crate) fn take(&self) -> Update {
        self.inner.watched.store(true, Ordering::Relaxed);
        let mut state = self.lock();
        let mut update = state.fresh.clone();
        let changed = std::mem::take(&mut state.changed);
        update.rows = changed
            .iter()
            .filter_map(|id| state.rows.get(id).cloned())
            .collect();
        state.shown.extend(changed);
        update.gone = state.gone.drain().collect();
        update.log = state.log.drain(..).collect();
        state.dirty = false;
        state.taken = Some(Instant::now());
        update
    }

    /// Resolves when there is something to take, at most every 50 ms.
    pub(crate) async fn changed(&self) {
        loop {
            let news = self.inner.news.notified();
            let (dirty, taken) = {
                let state = self.lock();
                (state.dirty, state.taken)
            };
            if dirty {
                if let Some(taken) = taken {
                    tokio::time::sleep_until(taken + CADENCE).await;
                }
                return;
            }
            news.await;
        }
    }
}

/// The part of a finished request that totals count.
pub(crate) struct Counted {
    pub(crate) status: Option<u16>,
    pub(crate) outcome: Outcome,
    pub(crate) wire_bytes: u64,
    pub(crate) body_bytes: u64,
    pub(crate) change: Change,
}

impl Counted {
    /// Of a finished request and what its commit told.
    pub(crate) fn of(finished: &Finished, change: Change) -> Counted {
        Counted {
            status: finished.status,
            outcome: finished.outcome,
            wire_bytes: finished.wire_bytes,
            body_bytes: finished.body_bytes,
            change,
        }
    }
}

fn count_request(totals: &mut Totals, finished: &Counted) {
    totals.requests += 1;
    if let Some(status) = finished.status {
        *totals.statuses.entry(status).or_default() += 1;
    }
    *totals
        .outcomes
        .entry(finished.outcome.word().to_owned())
        .or_default() += 1;
    totals.wire_bytes += finished.wire_bytes;
    totals.body_bytes += finished.body_bytes;
    if matches!(
        finished.change,
        Change::New | Change::Changed | Change::Back
    ) {
        totals.versions_new += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crawl::HostState;
    use crate::hosts::{Host, NameRules};

    fn row(id: i64) -> VisitRow {
        VisitRow {
            id: HostId(id),
            host: Host::parse("docs.alder.test", NameRules::Loopback).unwrap(),
            lamps: Vec::new(),
            gap: Duration::ZERO,
            state: HostState::Ready,
        }
    }

    #[test]
    fn rows_coalesce_and_a_row_never_shown_leaves_no_trace() {
        let board = Board::default();
        board.take();
        board.row(|| row(1));
        board.row(|| row(1));
        board.row(|| row(2));
        board.gone(HostId(2));
        let update = board.take();
        assert_eq!(update.rows.len(), 1);
        assert!(update.gone.is_empty());
        board.gone(HostId(1));
        assert_eq!(board.take().gone, vec![HostId(1)]);
    }

    #[test]
    fn log_lines_drop_and_are_counted() {
        let board = Board::default();
        board.take();
        let counted = Counted {
            status: Some(200),
            outcome: Outcome::Present,
            wire_bytes: 1,
            body_bytes: 1,
            change: Change::New,
        };
        for _ in 0..LOG_LINES + 5 {
            board.request(&counted, || LogLine {
                at: jiff::Timestamp::UNIX_EPOCH,
                id: HostId(1),
                host: Host::parse("alder.test", NameRules::Loopback).unwrap(),
                method: "GET",
                path: "/".to_owned(),
                status: Some(200),
                outcome: "present",
                bytes: 1,
                change: Change::New,
            });
        }
        let update = board.take();
        assert_eq!((update.log.len(), update.dropped), (LOG_LINES, 5));
        assert_eq!(update.totals.requests, 1_005);
    }
}
