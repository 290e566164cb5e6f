//! Readers: short read-only transactions, windowed queries, never a scan that a screen waits for.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;
use rusqlite::Connection;

use super::{
    Confirmed, Control, DueHost, DueSite, Flight, Hold, HostId, HostRow, JournalEntry, LogRow,
    ProcessId, RobotsId, RobotsSession, Run, RunId, RunSummary, SiteId, StoreError, Totals,
    Version, VisitRecord, control, flight, history, hosts, log, runs, totals, versions,
};
use crate::fetch::Validators;
use crate::hosts::Host;

/// A read-only connection. `Send`, not `Sync`.
pub struct Reader {
    conn: Connection,
    file: PathBuf,
    interrupts: Arc<AtomicU64>,
}

/// Ends a query of a [`Reader`] from another thread; the reader stays usable.
pub struct Interrupter(rusqlite::InterruptHandle, Arc<AtomicU64>);

impl Interrupter {
    /// The query under way, if any, fails with [`StoreError::Interrupted`].
    pub fn interrupt(&self) {
        // Some queries are several statements: one that is between two of them looks here.
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.interrupt();
    }
}

impl Reader {
    pub(super) fn new(conn: Connection, file: &Path) -> Reader {
        Reader {
            conn,
            file: file.to_owned(),
            interrupts: Arc::default(),
        }
    }

    pub(super) fn on<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        read(&self.conn).map_err(|error| error.located(&self.file))
    }

    /// Several statements of one moment: one read transaction that ends with the call.
    pub(super) fn at_once<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.on(|conn| {
            let transaction = conn.unchecked_transaction()?;
            let value = read(&transaction)?;
            transaction.finish()?;
            Ok(value)
        })
    }

    /// A handle that ends a long query.
    pub fn interrupter(&self) -> Interrupter {
        let interrupts = Arc::clone(&self.interrupts);
        Interrupter(self.conn.get_interrupt_handle(), interrupts)
    }

    /// How often this reader was interrupted: a query of several statements ends when it changes.
    pub(super) fn interrupts(&self) -> u64 {
        self.interrupts.load(Ordering::SeqCst)
    }

    /// The run of a period label.
    pub fn run(&self, label: &str) -> Result<Option<Run>, StoreError> {
        self.on(|conn| runs::by_label(conn, label))
    }

    /// All runs, newest first.
    pub fn runs(&self) -> Result<Vec<Run>, StoreError> {
        self.on(runs::all)
    }

    /// All runs with what is kept of each as a whole, newest first: nothing is scanned for.
    pub fn run_summaries(&self) -> Result<Vec<RunSummary>, StoreError> {
        self.at_once(runs::summaries)
    }

    /// Totals of a run.
    pub fn totals(&self, run: RunId) -> Result<Totals, StoreError> {
        self.on(|conn| totals::read(conn, run))
    }

    /// Sites after `after` that have a host due at `now` in this run, in id order, at most `limit`.
    pub fn due_sites(
        &self,
        run: RunId,
        after: Option<SiteId>,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<DueSite>, StoreError> {
        self.on(|conn| hosts::due_sites(conn, run, after, now, limit))
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
        self.on(|conn| hosts::due_hosts(conn, run, site, after, now, limit))
    }

    /// Number of hosts due at `now` whose visit has not ended in this run. One pass over an index
    /// (about a tenth of a second for a million hosts): for the start of a run, not for every frame.
    pub fn due_count(&self, run: RunId, now: Timestamp) -> Result<u64, StoreError> {
        self.on(|conn| hosts::due_count(conn, run, now))
    }

    /// Whether the visit of `host` ended (or was claimed by a moved visit) in this run.
    pub fn visited(&self, run: RunId, host: HostId) -> Result<bool, StoreError> {
        self.on(|conn| hosts::visited(conn, run, host))
    }

    /// A host by name.
    pub fn host(&self, host: &Host) -> Result<Option<(HostId, SiteId)>, StoreError> {
        self.on(|conn| hosts::find(conn, host))
    }

    /// A host's name by id.
    pub fn host_name(&self, id: HostId) -> Result<Host, StoreError> {
        self.on(|conn| Ok(hosts::by_id(conn, id)?.0))
    }

    /// Requests of a site in a run, oldest first: what a resumed visit folds over.
    pub fn site_requests(&self, site: SiteId, run: RunId) -> Result<Vec<LogRow>, StoreError> {
        self.on(|conn| log::of_site(conn, site, run))
    }

    /// Last gap in force for a site (scaled, milliseconds), from its newest row of any run.
    pub fn site_gap(&self, site: SiteId) -> Result<Option<i64>, StoreError> {
        self.on(|conn| log::gap(conn, site))
    }

    /// Validators held for each location of a host.
    pub fn validators(&self, host: HostId) -> Result<Vec<(String, Validators)>, StoreError> {
        self.on(|conn| versions::validators(conn, host))
    }

    /// What a 304 of a location confirms: what was there when its validators were got. None if nothing
    /// ever was.
    pub fn confirmed(&self, host: HostId, location: &str) -> Result<Option<Confirmed>, StoreError> {
        self.on(|conn| history::confirmed(conn, host, location))
    }

    /// The newest robots session of a host.
    pub fn robots(&self, host: HostId) -> Result<Option<RobotsSession>, StoreError> {
        self.on(|conn| versions::robots_of(conn, host))
    }

    /// One robots session by id.
    pub fn robots_by_id(&self, id: RobotsId) -> Result<Option<RobotsSession>, StoreError> {
        self.on(|conn| versions::robots_by_id(conn, id))
    }

    /// Every ended visit of a run in (site, host, turn) order, streamed. `each` returns false to stop.
    pub fn each_visit(
        &self,
        run: RunId,
        each: &mut dyn FnMut(VisitRecord) -> bool,
    ) -> Result<(), StoreError> {
        self.on(|conn| log::each_visit(conn, run, each))
    }

    /// Processes of a run with their start and the effective policy each recorded.
    pub fn processes(&self, run: RunId) -> Result<Vec<(ProcessId, Timestamp, String)>, StoreError> {
        self.on(|conn| runs::processes(conn, run))
    }

    /// How far the clock of each process of a run was ahead of the system's, milliseconds: not 0 only
    /// in loopback runs that began at a time of their own.
    pub fn clock_shifts(
        &self,
        run: RunId,
    ) -> Result<std::collections::HashMap<ProcessId, i64>, StoreError> {
        self.on(|conn| runs::clock_shifts(conn, run))
    }

    /// The last time this store knows of a run: of its processes, requests, visits, or of the journal
    /// while it ran. One pass over the request log: for a clock that goes on where a demo stopped.
    pub fn last_seen(&self, run: RunId) -> Result<Timestamp, StoreError> {
        self.on(|conn| runs::last_seen(conn, run))
    }

    /// The journal, oldest first.
    pub fn journal(&self) -> Result<Vec<JournalEntry>, StoreError> {
        self.on(control::journal)
    }

    /// One page of hosts by id after `after`.
    pub fn hosts(&self, after: Option<HostId>, limit: usize) -> Result<Vec<HostRow>, StoreError> {
        self.on(|conn| hosts::page(conn, after, limit))
    }

    /// Hosts whose turn it is, among the sites of the page of hosts after `after`. Where no engine
    /// holds the store, these are what a process that died has left.
    pub fn in_flight(
        &self,
        after: Option<HostId>,
        limit: usize,
    ) -> Result<std::collections::HashMap<HostId, Flight>, StoreError> {
        self.on(|conn| flight::in_flight(conn, after, limit))
    }

    /// Now by the clock of the process that works on this store, or of the last one that did.
    pub fn now(&self) -> Result<Timestamp, StoreError> {
        self.on(control::now)
    }

    /// The request log of a host, newest first, within `from..=to` if given.
    pub fn log(
        &self,
        host: HostId,
        from: Option<Timestamp>,
        to: Option<Timestamp>,
    ) -> Result<Vec<LogRow>, StoreError> {
        self.on(|conn| log::of_host(conn, host, from, to))
    }

    /// Every request of a run (or of all runs), in (site, time) order, streamed with bounded memory.
    /// `each` returns false to stop.
    pub fn each_request(
        &self,
        run: Option<RunId>,
        each: &mut dyn FnMut(LogRow) -> bool,
    ) -> Result<(), StoreError> {
        self.on(|conn| log::each_request(conn, run, each))
    }

    /// Versions of a host, or of one location of it, oldest first.
    pub fn versions(
        &self,
        host: HostId,
        location: Option<&str>,
    ) -> Result<Vec<Version>, StoreError> {
        self.on(|conn| versions::list(conn, host, location))
    }

    /// States of one location of a host since when, oldest first.
    pub fn spans(&self, host: HostId, location: &str) -> Result<Vec<super::Span>, StoreError> {
        self.on(|conn| versions::spans(conn, host, location))
    }

    /// Exact bytes of a version; the newest if none is named. The digest is checked while reading.
    pub fn body(
        &self,
        host: HostId,
        location: &str,
        version: Option<u32>,
    ) -> Result<Vec<u8>, StoreError> {
        self.on(|conn| versions::body(conn, host, location, version))
    }

    /// What other processes have asked for and what was reached.
    pub fn control(&self) -> Result<Control, StoreError> {
        self.on(control::read)
    }

    /// Holds in force.
    pub fn holds(&self) -> Result<Vec<Hold>, StoreError> {
        self.on(control::holds)
    }
}
