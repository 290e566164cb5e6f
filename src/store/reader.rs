//! Readers: short read-only transactions, windowed queries, never a scan that a screen waits for.

use jiff::Timestamp;

use super::{
    Control, DueHost, DueSite, Hold, HostId, HostRow, LogRow, RobotsSession, Run, RunId, SiteId,
    StoreError, Totals, Version,
};
use crate::fetch::Validators;
use crate::hosts::Host;

/// A read-only connection. `Send`, not `Sync`.
pub struct Reader {}

impl Reader {
    /// The run of a period label.
    pub fn run(&self, label: &str) -> Result<Option<Run>, StoreError> {
        let _ = label;
        unimplemented!()
    }

    /// All runs, newest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        unimplemented!()
    }

    /// Totals of a run.
    pub fn totals(&self, run: RunId) -> Result<Totals, StoreError> {
        let _ = run;
        unimplemented!()
    }

    /// Sites after `after` that have a host due at `now` in this run, in id order, at most `limit`.
    pub fn due_sites(
        &self,
        run: RunId,
        after: Option<SiteId>,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueSite>, StoreError> {
        let _ = (run, after, now, limit);
        unimplemented!()
    }

    /// Hosts of a site due at `now` whose visit has not ended in this run, in id order, after `after`.
    pub fn due_hosts(
        &self,
        run: RunId,
        site: SiteId,
        after: Option<HostId>,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueHost>, StoreError> {
        let _ = (run, site, after, now, limit);
        unimplemented!()
    }

    /// Number of hosts due at `now` whose visit has not ended in this run.
    pub fn due_count(&self, run: RunId, now: Timestamp) -> Result<u64, StoreError> {
        let _ = (run, now);
        unimplemented!()
    }

    /// Whether the visit of `host` ended (or was claimed by a moved visit) in this run.
    pub fn visited(&self, run: RunId, host: HostId) -> Result<bool, StoreError> {
        let _ = (run, host);
        unimplemented!()
    }

    /// A host by name.
    pub fn host(&self, host: &Host) -> Result<Option<(HostId, SiteId)>, StoreError> {
        let _ = host;
        unimplemented!()
    }

    /// A host's name by id.
    pub fn host_name(&self, id: HostId) -> Result<Host, StoreError> {
        let _ = id;
        unimplemented!()
    }

    /// Requests of a site in a run, oldest first: what a resumed visit folds over.
    pub fn site_requests(&self, site: SiteId, run: RunId) -> Result<Vec<LogRow>, StoreError> {
        let _ = (site, run);
        unimplemented!()
    }

    /// Last gap in force for a site (scaled, milliseconds), from its newest row of any run.
    pub fn site_gap(&self, site: SiteId) -> Result<Option<i64>, StoreError> {
        let _ = site;
        unimplemented!()
    }

    /// Validators held for each location of a host.
    pub fn validators(&self, host: HostId) -> Result<Vec<(String, Validators)>, StoreError> {
        let _ = host;
        unimplemented!()
    }

    /// The newest robots session of a host.
    pub fn robots(&self, host: HostId) -> Result<Option<RobotsSession>, StoreError> {
        let _ = host;
        unimplemented!()
    }

    /// One robots session by id.
    pub fn robots_by_id(&self, id: super::RobotsId) -> Result<Option<RobotsSession>, StoreError> {
        let _ = id;
        unimplemented!()
    }

    /// Every ended visit of a run in (site, host, turn) order, streamed. `each` returns false to stop.
    pub fn each_visit(
        &self,
        run: RunId,
        each: &mut dyn FnMut(super::VisitRecord) -> bool,
    ) -> Result<(), StoreError> {
        let _ = (run, each);
        unimplemented!()
    }

    /// Processes of a run with their start and the effective policy each recorded.
    pub fn processes(
        &self,
        run: RunId,
    ) -> Result<Vec<(super::ProcessId, Timestamp, String)>, StoreError> {
        let _ = run;
        unimplemented!()
    }

    /// The journal, oldest first.
    pub fn journal(&self) -> Result<Vec<super::JournalEntry>, StoreError> {
        unimplemented!()
    }

    /// One page of hosts by id after `after`.
    pub fn hosts(&self, after: Option<HostId>, limit: usize) -> Result<Vec<HostRow>, StoreError> {
        let _ = (after, limit);
        unimplemented!()
    }

    /// The request log of a host, newest first, within `from..=to` if given.
    pub fn log(
        &self,
        host: HostId,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<Vec<LogRow>, StoreError> {
        let _ = (host, from, to);
        unimplemented!()
    }

    /// Every request of a run (or of all runs), in (site, time) order, streamed with bounded memory.
    /// `each` returns false to stop.
    pub fn each_request(
        &self,
        run: Option<RunId>,
        each: &mut dyn FnMut(LogRow) -> bool,
    ) -> Result<(), StoreError> {
        let _ = (run, each);
        unimplemented!()
    }

    /// Versions of a host, or of one location of it, oldest first.
    pub fn versions(
        &self,
        host: HostId,
        location: Option<&str>,
    ) -> Result<Vec<Version>, StoreError> {
        let _ = (host, location);
        unimplemented!()
    }

    /// Exact bytes of a version; the newest if none is named. The digest is checked while reading.
    pub fn body(
        &self,
        host: HostId,
        location: &str,
        version: Option<u32>,
    ) -> Result<Vec<u8>, StoreError> {
        let _ = (host, location, version);
        unimplemented!()
    }

    /// What other processes have asked for and what was reached.
    pub fn control(&self) -> Result<Control, StoreError> {
        unimplemented!()
    }

    /// Holds in force.
    pub fn holds(&self) -> Result<Vec<Hold>, StoreError> {
        unimplemented!()
    }
}
