//! Reading for the console: all hosts in any order by windows, and the page of one host.
//!
//! Every call is one short read transaction, or a row of them, so that a screen left open never
//! holds the write-ahead log (known fault 16).

mod asked;
mod card;
mod cover;
mod facts;
mod known;
mod names;
pub(super) mod newest;
mod order;
mod past;
#[cfg(test)]
mod plans;
mod scan;
pub(super) mod tallies;
mod window;

pub use facts::{HostFacts, NewestVisit};
pub use names::HostNames;

use jiff::Timestamp;

use super::{
    Horizon, HostCard, HostId, HostLine, HostQuery, HostView, HostVisit, JournalEntry, LogLine,
    Reader, RequestKey, RobotsId, RobotsRow, RunId, StoreError, Version,
};

impl Reader {
    /// The ids of the hosts that `keep` keeps, in order: eight bytes a host.
    ///
    /// `page` is told the first ids, at most 100, exactly once: for the orders that an index gives
    /// (site, name) within some tens of milliseconds unless what is kept is rare, for the others
    /// when all is known. `keep` may be asked twice about a host and runs inside a short read: it
    /// must not wait for anything. Of a store that is written meanwhile each host is told as it is
    /// when its turn comes. Ended by an [`super::Interrupter`].
    pub fn host_order(
        &self,
        query: &HostQuery<'_>,
        keep: &mut dyn FnMut(&HostFacts<'_>) -> bool,
        page: &mut dyn FnMut(&[HostId]),
    ) -> Result<Vec<HostId>, StoreError> {
        let go_on = self.uninterrupted();
        self.on(|conn| order::order(conn, query, &go_on, keep, page))
    }

    /// Of these hosts the first ones that `keep` keeps, at most 100, in the order given: a first page
    /// for whoever knows where to look. None if that is not soon known, within some tens of milliseconds.
    pub fn host_page(
        &self,
        hosts: &mut dyn Iterator<Item = HostId>,
        view: HostView<'_>,
        keep: &mut dyn FnMut(&HostFacts<'_>) -> bool,
    ) -> Result<Option<Vec<HostId>>, StoreError> {
        self.at_once(|conn| order::page_of(conn, hosts, view, keep))
    }

    /// The names of all hosts, to find a few of them by. Ended by an [`super::Interrupter`].
    pub fn host_names(&self) -> Result<HostNames, StoreError> {
        let go_on = self.uninterrupted();
        self.on(|conn| HostNames::read(conn, &go_on))
    }

    /// Fails once this reader has been interrupted.
    fn uninterrupted(&self) -> impl Fn() -> Result<(), StoreError> {
        let before = self.interrupts();
        move || match self.interrupts() == before {
            true => Ok(()),
            false => Err(StoreError::Interrupted),
        }
    }

    /// The rows of these hosts in this order; one that is gone is left out.
    pub fn host_window(
        &self,
        ids: &[HostId],
        view: HostView<'_>,
    ) -> Result<Vec<HostLine>, StoreError> {
        self.at_once(|conn| {
            let window = window::Window::open(conn, view)?;
            let lines = ids.iter().map(|id| window.of(*id));
            lines.filter_map(Result::transpose).collect()
        })
    }

    /// Hosts by id after `after`, at most `limit`: a first screen, before any order is known.
    pub fn host_page_after(
        &self,
        after: Option<HostId>,
        limit: usize,
        view: HostView<'_>,
    ) -> Result<Vec<HostLine>, StoreError> {
        self.at_once(|conn| window::Window::open(conn, view)?.after(after, limit))
    }

    /// One host, its site and what covers it.
    pub fn host_card(&self, host: HostId, view: HostView<'_>) -> Result<HostCard, StoreError> {
        self.at_once(|conn| card::card(conn, host, view))
    }

    /// Visits of a host in runs before `before`, newest first. The turns of a run stay together, so
    /// a page may be a few longer than `limit`; the next one begins before its last run.
    pub fn visits_of(
        &self,
        host: HostId,
        before: Option<RunId>,
        limit: usize,
    ) -> Result<Vec<HostVisit>, StoreError> {
        self.at_once(|conn| past::visits_of(conn, host, before, limit))
    }

    /// Fetches of a host's robots.txt that ended before a time, newest first, at most `limit`.
    pub fn robots_fetches(
        &self,
        host: HostId,
        before: Option<Timestamp>,
        limit: usize,
    ) -> Result<Vec<RobotsRow>, StoreError> {
        self.at_once(|conn| past::robots_fetches(conn, host, before, limit))
    }

    /// Where what was known ends once a run was over; none for the newest run, with which all is known.
    pub fn horizon(&self, run: RunId) -> Result<Option<Horizon>, StoreError> {
        self.on(|conn| known::horizon(conn, run))
    }

    /// Versions of a host as they were known then, oldest first: when each was last seen too.
    pub fn versions_known(
        &self,
        host: HostId,
        horizon: Horizon,
    ) -> Result<Vec<Version>, StoreError> {
        self.at_once(|conn| known::versions_known(conn, host, horizon))
    }

    /// The exact bytes of a fetch, its digest checked; none if no text was kept.
    pub fn robots_bytes(&self, id: RobotsId) -> Result<Option<Vec<u8>>, StoreError> {
        self.at_once(|conn| past::robots_bytes(conn, id))
    }

    /// Requests to a host before `before`, newest first, at most `limit`, each with the gap measured
    /// since the request of its site before it.
    pub fn log_page(
        &self,
        host: HostId,
        before: Option<RequestKey>,
        limit: usize,
    ) -> Result<Vec<LogLine>, StoreError> {
        self.at_once(|conn| asked::log_page(conn, host, before, limit))
    }

    /// What operators did about a host, oldest first: holds and suppressions that cover it, or a page of it.
    pub fn journal_of(&self, host: HostId) -> Result<Vec<JournalEntry>, StoreError> {
        self.at_once(|conn| card::journal(conn, host))
    }
}
