//! The writer thread: jobs in, one group commit every few milliseconds, answers out after the commit.

use jiff::Timestamp;

use super::{
    Finished, HostId, Intent, ProcessId, RequestKey, Run, RunId, RunStart, StoreError, Stored,
    Totals, VisitEnd,
};
use crate::hosts::Host;

/// Handle on the writer thread. Every method returns after its transaction is durable
/// (`synchronous=FULL`); jobs are applied in the order they were given.
#[derive(Clone)]
pub struct Writer {}

impl Writer {
    /// Starts the run of this period, or resumes it if it has not ended. A run that ended in this
    /// period is opened again (hosts added since may still be due); its start stays as first recorded.
    pub async fn begin_run(&self, start: RunStart) -> Result<Run, StoreError> {
        let _ = start;
        unimplemented!()
    }

    /// Records that a process works on the run from now on, with its effective policy.
    pub async fn begin_process(
        &self,
        run: RunId,
        at: Timestamp,
        policy_toml: String,
    ) -> Result<ProcessId, StoreError> {
        let _ = (run, at, policy_toml);
        unimplemented!()
    }

    /// Commits an intent (rule 1). The key's time is the intent's UTC millisecond, or later if the
    /// site's newest row is not older (keys of a site never go back).
    pub async fn intent(&self, intent: Intent) -> Result<RequestKey, StoreError> {
        let _ = intent;
        unimplemented!()
    }

    /// Marks an intent as withdrawn: committed, then stopped before sending.
    pub async fn withdraw(&self, run: RunId, key: RequestKey) -> Result<(), StoreError> {
        let _ = (run, key);
        unimplemented!()
    }

    /// Commits the end of a request: row, span, version, blob, validators, robots fetch, site wait, totals.
    pub async fn finish(&self, finished: Finished) -> Result<Stored, StoreError> {
        let _ = finished;
        unimplemented!()
    }

    /// Commits the end of a visit: row, spans of what was not asked, due time, alias, totals.
    pub async fn end_visit(&self, end: VisitEnd) -> Result<(), StoreError> {
        let _ = end;
        unimplemented!()
    }

    /// The id of a host of the same site met through a redirect; inserted if new, as discovered from `from`
    /// and offered to the operator (never due by itself).
    pub async fn discover(
        &self,
        host: Host,
        from: HostId,
        at: Timestamp,
    ) -> Result<HostId, StoreError> {
        let _ = (host, from, at);
        unimplemented!()
    }

    /// Marks the run as ended.
    pub async fn end_run(&self, run: RunId, at: Timestamp) -> Result<Totals, StoreError> {
        let _ = (run, at);
        unimplemented!()
    }

    /// Writes what the engine has reached, so that a waiting command can say so.
    /// `name` as in [`super::Control`]; `value` is the request's number or stamp.
    pub async fn reached(
        &self,
        name: &'static str,
        value: String,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let _ = (name, value, at);
        unimplemented!()
    }
}
