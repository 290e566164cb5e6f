//! What every walk of a run shares.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use super::board::Board;
use super::event::EventSink;
use super::event::instant;
use super::gate::Gate;
use super::plan::FilesPlan;
use super::visit::is_limit;
use super::{Clock, CrawlError, Event};
use crate::failpoint::Failpoints;
use crate::fetch::Web;
use crate::hosts::{Host, NameRules};
use crate::policy::{Ends, Policy, RobotsRetry, next_due};
use crate::store::{
    LogRow, ProcessId, Reader, Run, Store, StoreError, VisitEnd, VisitOutcome, Writer,
};

/// One run in this process: the policy it keeps, where it writes, what stops it.
pub(crate) struct Round {
    pub(crate) policy: Policy,
    pub(crate) plan: FilesPlan,
    pub(crate) rules: NameRules,
    pub(crate) run: Run,
    pub(crate) process: ProcessId,
    /// No new request after this. // AS9
    pub(crate) window_ends: Timestamp,
    pub(crate) writer: Writer,
    pub(crate) readers: Readers,
    pub(crate) web: Web,
    pub(crate) clock: Clock,
    pub(crate) gate: Gate,
    pub(crate) board: Board,
    pub(crate) events: EventSink,
    pub(crate) failpoints: Failpoints,
}

impl Round {
    /// Reads from the store off the async threads.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        query: impl FnOnce(&Reader) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, CrawlError> {
        let round = Arc::clone(self);
        let turn = Arc::clone(&self.readers.turns).acquire_owned().await;
        let turn = turn.map_err(|closed| CrawlError::Fault(closed.to_string()))?;
        // Whoever waits may give up; the thread that hangs keeps its turn, so that threads do not pile up.
        let read = move || {
            let _turn = turn;
            round.readers.with(query)
        };
        tokio::task::spawn_blocking(read)
            .await
            .map_err(|fault| CrawlError::Fault(fault.to_string()))?
            .map_err(CrawlError::Store)
    }

    /// Whether a host of the site answered 429 or 503 in this run, and that stops the site. `rows` are
    /// the site's requests of this run. // PC4
    pub(crate) fn is_limited_by(&self, rows: &[LogRow]) -> bool {
        self.policy.retries.limited_ends == Ends::Site
            && rows.iter().any(|row| {
                row.outcome
                    .is_some_and(|outcome| is_limit(outcome, row.status))
            })
    }

    /// When a site's last answer ended in this process: another pass over the site keeps its gap. If
    /// only earlier processes asked it, the start of this one (rule 1). // PC2
    pub(crate) fn last_heard(&self, rows: &[LogRow]) -> Instant {
        let stamps = rows
            .iter()
            .filter(|row| row.process == self.process)
            .map(|row| row.ended.or(row.sent).unwrap_or(row.intent).mono_ms);
        let last = stamps.max().and_then(|ms| u64::try_from(ms).ok());
        // A stamp is rounded down, a gap must not be.
        let since = last.map_or(Duration::ZERO, |ms| Duration::from_millis(ms + 1));
        self.clock.started() + since
    }

    /// When a host is due again after a visit that ended so. // AS9 PC4 RB9
    pub(crate) fn next_turn(
        &self,
        outcome: &VisitOutcome,
        at: Timestamp,
        not_before: Option<Timestamp>,
    ) -> Timestamp {
        let robots = &self.policy.robots;
        match outcome {
            VisitOutcome::Closed(_) if robots.retry == RobotsRetry::After => {
                let again = at.checked_add(robots.retry_after).unwrap_or(Timestamp::MAX);
                not_before.map_or(again, |wait| again.max(wait))
            }
            _ => next_due(&self.policy.schedule, at, not_before),
        }
    }

    /// Commits the end of a visit and tells board and events.
    pub(crate) async fn end_visit(&self, host: &Host, end: VisitEnd) -> Result<(), CrawlError> {
        self.board.visit_ended(&end);
        self.events.send(|| Event::VisitEnded {
            host: host.to_string(),
            outcome: end.outcome.word(),
            at: instant(end.at),
        });
        self.writer.end_visit(end).await?;
        self.failpoints.hit("visit.end");
        Ok(())
    }
}

/// Connections at most: each has a page cache of its own, and memory must not grow with the store.
const READERS: usize = 4;

/// A few read-only connections, used in turn.
pub(crate) struct Readers {
    store: Store,
    turns: Arc<Semaphore>,
    idle: Mutex<Vec<Reader>>,
}

impl Readers {
    /// Readers of a store.
    pub(crate) fn new(store: Store) -> Readers {
        Readers {
            store,
            turns: Arc::new(Semaphore::new(READERS)),
            idle: Mutex::default(),
        }
    }

    /// Every connection in use, so that the next who wants one waits.
    #[cfg(test)]
    pub(crate) async fn hold_all(&self) -> tokio::sync::SemaphorePermit<'_> {
        let all = u32::try_from(READERS).unwrap();
        self.turns.acquire_many(all).await.unwrap()
    }

    fn with<T>(
        &self,
        query: impl FnOnce(&Reader) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let idle = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let reader = match idle {
            Some(reader) => reader,
            None => self.store.reader()?,
        };
        let answer = query(&reader);
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(reader);
        answer
    }
}
