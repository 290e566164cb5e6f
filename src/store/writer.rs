//! The writer's handle: jobs in, answers out after the commit that made them durable.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use jiff::Timestamp;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::commit::{self, Job, Session};
use super::{
    Finished, HostId, Intent, ProcessId, RequestKey, Run, RunId, RunStart, StoreError, Stored,
    Totals, VisitEnd, apply,
};
use crate::failpoint::Failpoints;
use crate::hosts::Host;

/// Jobs that may wait; one more makes its caller wait.
const QUEUE: usize = 4096;

/// Handle on the writer thread. Every method returns after its transaction is durable
/// (`synchronous=FULL`); jobs are applied in the order they were given.
#[derive(Clone)]
pub struct Writer {
    thread: Arc<Thread>,
}

struct Thread {
    jobs: Option<mpsc::Sender<Job>>,
    handle: Option<std::thread::JoinHandle<()>>,
}

/// The last clone waits for the thread, so that the log is folded into the file before a process ends.
impl Drop for Thread {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(handle) = self.handle.take() {
            // A writer that died has told its callers so; there is nothing left to do.
            let _ = handle.join();
        }
    }
}

impl Writer {
    pub(super) fn start(
        conn: Connection,
        file: &Path,
        failpoints: Failpoints,
        page_limit: Option<Arc<AtomicU32>>,
    ) -> Result<Writer, StoreError> {
        let (jobs, queue) = mpsc::channel(QUEUE);
        let session = Session::new(conn, file, failpoints, page_limit);
        let handle = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || commit::serve(session, queue))
            .map_err(|error| StoreError::io(file, error))?;
        Ok(Writer {
            thread: Arc::new(Thread {
                jobs: Some(jobs),
                handle: Some(handle),
            }),
        })
    }

    async fn submit<T: Send + 'static>(
        &self,
        apply: impl FnOnce(&mut Session) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        let jobs = self.thread.jobs.as_ref().ok_or(StoreError::Closed)?;
        jobs.send(commit::job(apply, reply))
            .await
            .map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Starts the run of this period, or resumes it if it has not ended. A run that ended in this
    /// period is opened again (hosts added since may still be due); its start stays as first recorded.
    pub async fn begin_run(&self, start: RunStart) -> Result<Run, StoreError> {
        self.submit(move |session| apply::begin_run(session, &start))
            .await
    }

    /// Records that a process works on the run from now on, with its effective policy.
    pub async fn begin_process(
        &self,
        run: RunId,
        at: Timestamp,
        policy_toml: String,
    ) -> Result<ProcessId, StoreError> {
        self.submit(move |session| apply::begin_process(session, run, at, &policy_toml))
            .await
    }

    /// Records how far the clock of a process is ahead of the system's, milliseconds (loopback runs),
    /// so that what other processes write meanwhile can be compared with it.
    pub async fn shift_clock(&self, process: ProcessId, shift_ms: i64) -> Result<(), StoreError> {
        self.submit(move |session| apply::shift_clock(session, process, shift_ms))
            .await
    }

    /// Commits an intent (rule 1). The key's time is the intent's UTC millisecond, or later if the
    /// site's newest row is not older (keys of a site never go back).
    pub async fn intent(&self, intent: Intent) -> Result<RequestKey, StoreError> {
        self.submit(move |session| apply::intent(session, &intent))
            .await
    }

    /// Marks an intent as withdrawn: committed, then stopped before sending.
    pub async fn withdraw(&self, run: RunId, key: RequestKey) -> Result<(), StoreError> {
        self.submit(move |session| apply::withdraw(session, run, key))
            .await
    }

    /// Commits the end of a request: row, span, version, blob, validators, robots fetch, site wait, totals.
    pub async fn finish(&self, finished: Finished) -> Result<Stored, StoreError> {
        self.submit(move |session| apply::finish(session, &finished))
            .await
    }

    /// Commits the end of a visit: row, spans of what was denied, due time, alias, totals. A visit
    /// that ended `Held` is not stored: its host stays due. A host `Closed` with a due time after
    /// the visit's end and inside the run's window has another turn in the same run at that time.
    pub async fn end_visit(&self, end: VisitEnd) -> Result<(), StoreError> {
        self.submit(move |session| apply::end_visit(session, &end))
            .await
    }

    /// The id of a host of the same site met through a redirect; inserted if new, as discovered from `from`
    /// and offered to the operator (never due by itself).
    pub async fn discover(
        &self,
        host: Host,
        from: HostId,
        at: Timestamp,
    ) -> Result<HostId, StoreError> {
        self.submit(move |session| apply::discover(session, &host, from, at))
            .await
    }

    /// Marks the run as ended.
    pub async fn end_run(&self, run: RunId, at: Timestamp) -> Result<Totals, StoreError> {
        self.submit(move |session| apply::end_run(session, run, at))
            .await
    }

    /// Writes what the engine has reached, so that a waiting command can say so.
    /// `name` as in [`super::Control`]; `value` is the request's number or stamp.
    pub async fn reached(
        &self,
        name: &'static str,
        value: String,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.submit(move |session| apply::reached(session, name, &value, at))
            .await
    }
}
