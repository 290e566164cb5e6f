//! Group commit: take what is queued, apply it in order, commit once, then answer everyone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::blobs::Packer;
use super::browse::tallies::Tallies;
use super::intern::Interner;
use super::totals::Counts;
use super::{HostId, ProcessId, RequestKey, RunId, StoreError, connection};
use crate::failpoint::Failpoints;

/// A commit takes at most this many jobs,
const BATCH: usize = 1_000;
/// and starts at most this long after its first one.
const LINGER: Duration = Duration::from_millis(10);
/// Write-ahead log at which it is folded back and cut, bytes (promised bound: 64 MB).
const WAL_FULL: u64 = 16 << 20;
/// Commits between two looks at the size of the log.
const LOOK_EVERY: u32 = 16;

/// A job applies itself and tells how to answer once the batch's fate is known.
pub(super) type Job = Box<dyn FnOnce(&mut Session) -> Applied + Send>;

/// Tells a caller what its job came to, or the error that failed its batch.
type Answer = Box<dyn FnOnce(Option<&StoreError>)>;

/// What one job came to.
pub(super) struct Applied {
    /// The error of this job that fails the whole batch.
    fatal: Option<StoreError>,
    answer: Answer,
}

/// What the writer thread owns.
pub(super) struct Session {
    pub(super) conn: Connection,
    pub(super) interner: Interner,
    pub(super) packer: Packer,
    /// Counts of the batch.
    pub(super) counts: Counts,
    pub(super) failpoints: Failpoints,
    /// Run and start of each process that was asked for.
    pub(super) processes: HashMap<ProcessId, (RunId, i64)>,
    /// Each request under way.
    pub(super) under_way: HashMap<RequestKey, UnderWay>,
    pub(super) tallies: Tallies,
    file: PathBuf,
    page_limit: Option<Arc<AtomicU32>>,
    commits: u32,
}

/// A request that was committed and has not ended.
#[derive(Clone, Copy)]
pub(super) struct UnderWay {
    pub(super) process: ProcessId,
    pub(super) host: HostId,
    pub(super) turn: u32,
}

impl Session {
    pub(super) fn new(
        conn: Connection,
        file: &Path,
        failpoints: Failpoints,
        page_limit: Option<Arc<AtomicU32>>,
    ) -> Session {
        Session {
            conn,
            interner: Interner::default(),
            packer: Packer::default(),
            counts: Counts::default(),
            failpoints,
            processes: HashMap::new(),
            under_way: HashMap::new(),
            tallies: Tallies::default(),
            file: file.to_owned(),
            page_limit,
            commits: 0,
        }
    }

    /// Runs one job. It fails by its own fault ([`StoreError::NotFound`]) before it writes anything
    /// that counts, so that the others stand; any other error fails the batch and rolls all of it
    /// back. A savepoint for each job would cost as much as the job.
    fn apply<T>(
        &mut self,
        work: impl FnOnce(&mut Session) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        // Outside the batch's transaction (BEGIN failed, or SQLite rolled it back) a statement
        // would commit by itself.
        if self.conn.is_autocommit() {
            return Err(StoreError::Closed);
        }
        work(self).map_err(|error| error.located(&self.file))
    }

    /// Writes what the batch has counted so far.
    pub(super) fn write_counts(&mut self) -> Result<(), StoreError> {
        self.counts.write(&self.conn)
    }

    fn begin(&mut self) -> Result<(), StoreError> {
        if let Some(limit) = &self.page_limit {
            let pages = match limit.load(Ordering::SeqCst) {
                0 => u32::MAX - 1,
                pages => pages,
            };
            self.conn
                .query_row(&format!("PRAGMA max_page_count = {pages}"), [], |_| Ok(()))?;
        }
        Ok(self
            .conn
            .prepare_cached("BEGIN IMMEDIATE")?
            .execute([])
            .map(|_| ())?)
    }

    fn commit(&mut self) -> Result<(), StoreError> {
        self.write_counts()?;
        self.conn.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }

    fn roll_back(&mut self) {
        self.forget();
        self.counts = Counts::default();
        if !self.conn.is_autocommit() {
            // Nothing of the batch was committed; if even this fails, the next BEGIN says so.
            let _ = self.conn.execute_batch("ROLLBACK");
        }
    }

    /// Ids handed out in what is rolled back are void.
    fn forget(&mut self) {
        self.interner.forget();
        self.processes.clear();
        self.under_way.clear();
        self.tallies.forget();
    }

    /// Keeps the log bounded: SQLite's own checkpoints never shorten it, and a passive one gives
    /// way to any reader.
    fn checkpoint(&mut self) {
        self.commits += 1;
        if self.commits < LOOK_EVERY {
            return;
        }
        self.commits = 0;
        if connection::side_file_bytes(&self.file, "-wal") < WAL_FULL {
            return;
        }
        // A reader in our way only delays this to the next look.
        let _ = self.conn.busy_timeout(Duration::from_millis(50));
        let _ = self
            .conn
            .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        let _ = self.conn.busy_timeout(connection::Role::Writer.patience());
    }
}

/// Makes a job of some work and the place its answer goes to.
pub(super) fn job<T: Send + 'static>(
    work: impl FnOnce(&mut Session) -> Result<T, StoreError> + Send + 'static,
    reply: oneshot::Sender<Result<T, StoreError>>,
) -> Job {
    Box::new(move |session| {
        let result = session.apply(work);
        let fatal = match &result {
            Err(error) if error.is_fatal() => Some(error.again()),
            _ => None,
        };
        Applied {
            fatal,
            answer: Box::new(move |failed| {
                // A caller that no longer listens has been dropped with its visit.
                let _ = reply.send(match failed {
                    Some(error) => Err(error.again()),
                    None => result,
                });
            }),
        }
    })
}

/// The writer thread: until the last handle is gone.
pub(super) fn serve(mut session: Session, mut queue: mpsc::Receiver<Job>) {
    let mut applied = Vec::with_capacity(BATCH);
    while let Some(first) = queue.blocking_recv() {
        let failed = batch(&mut session, first, &mut queue, &mut applied)
            .map(|error| error.located(&session.file));
        if failed.is_some() {
            session.roll_back();
        }
        for Applied { answer, .. } in applied.drain(..) {
            answer(failed.as_ref());
        }
        if failed.is_none() {
            session.checkpoint();
        }
    }
}

/// One transaction. Its error fails every job of it.
fn batch(
    session: &mut Session,
    first: Job,
    queue: &mut mpsc::Receiver<Job>,
    applied: &mut Vec<Applied>,
) -> Option<StoreError> {
    let begun = session.begin();
    let started = Instant::now();
    let mut next = Some(first);
    let mut failed = begun.err();
    while let Some(job) = next {
        // After a failure the rest is still taken, so that each gets its answer; it does no harm,
        // for nothing is committed.
        let one = job(session);
        if failed.is_none()
            && let Some(error) = &one.fatal
        {
            failed = Some(error.again());
        }
        applied.push(one);
        let go_on = failed.is_none() && applied.len() < BATCH && started.elapsed() < LINGER;
        next = if go_on { queue.try_recv().ok() } else { None };
    }
    failed.or_else(|| session.commit().err())
}
