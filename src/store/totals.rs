//! Totals of a run: counted as things happen, written once a commit, never scanned for.

use std::collections::HashMap;

use rusqlite::{Connection, params};

use super::pack::{count, small, uncount};
use super::{RunId, StoreError, Totals};

/// What is counted; the second part of a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Requests,
    Status,
    Outcome,
    Host,
    Denied,
    VersionsNew,
    WireBytes,
    BodyBytes,
    ToldToWait,
    /// By place in [`Totals::robots`].
    Robots,
    Change,
    NotAsked,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Requests => "requests",
            Kind::Status => "status",
            Kind::Outcome => "outcome",
            Kind::Host => "host",
            Kind::Denied => "denied",
            Kind::VersionsNew => "versions_new",
            Kind::WireBytes => "wire_bytes",
            Kind::BodyBytes => "body_bytes",
            Kind::ToldToWait => "told_to_wait",
            Kind::Robots => "robots",
            Kind::Change => "change",
            Kind::NotAsked => "not_asked",
        }
    }
}

/// Counts not yet written.
#[derive(Default)]
pub(super) struct Counts {
    counts: HashMap<(RunId, Kind, String), i64>,
    spans: HashMap<RunId, (i64, i64)>,
}

impl Counts {
    /// Adds to a count without a key of its own.
    pub(super) fn add(&mut self, run: RunId, kind: Kind, n: u64) {
        self.add_key(run, kind, String::new(), n);
    }

    /// Adds to a count.
    pub(super) fn add_key(&mut self, run: RunId, kind: Kind, key: String, n: u64) {
        if n > 0 {
            *self.counts.entry((run, kind, key)).or_default() += count(n);
        }
    }

    /// Takes one from a count that was told before.
    pub(super) fn take_key(&mut self, run: RunId, kind: Kind, key: &str) {
        *self.counts.entry((run, kind, key.to_owned())).or_default() -= 1;
    }

    /// Notes that the run has a request at this key time.
    pub(super) fn request_at(&mut self, run: RunId, at_ms: i64) {
        let (first, last) = self.spans.entry(run).or_insert((at_ms, at_ms));
        *first = at_ms.min(*first);
        *last = at_ms.max(*last);
    }

    /// Writes what was counted, inside the transaction it belongs to.
    pub(super) fn write(&mut self, conn: &Connection) -> Result<(), StoreError> {
        let mut statement = conn.prepare_cached(
            "INSERT INTO totals (run, kind, key, n) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT DO UPDATE SET n = n + excluded.n",
        )?;
        for ((run, kind, key), n) in self.counts.drain() {
            statement.execute(params![run.0, kind.word(), key, n])?;
        }
        let mut statement = conn.prepare_cached(
            "UPDATE runs SET first_ms = min(?2, coalesce(first_ms, ?2)),
               last_ms = max(?3, coalesce(last_ms, ?3)) WHERE id = ?1",
        )?;
        for (run, (first, last)) in self.spans.drain() {
            statement.execute(params![run.0, first, last])?;
        }
        Ok(())
    }
}

/// Totals of a run as written.
pub(super) fn read(conn: &Connection, run: RunId) -> Result<Totals, StoreError> {
    let mut totals = Totals::default();
    let mut statement = conn.prepare_cached("SELECT kind, key, n FROM totals WHERE run = ?1")?;
    let mut rows = statement.query([run.0])?;
    while let Some(row) = rows.next()? {
        let (kind, key, n): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let n = uncount(n);
        match kind.as_str() {
            "requests" => totals.requests = n,
            "status" => {
                let status = small(key.parse().unwrap_or(-1))?;
                totals.statuses.insert(status, n);
            }
            "outcome" => {
                totals.outcomes.insert(key, n);
            }
            "host" => {
                totals.hosts.insert(key, n);
            }
            "denied" => totals.denied = n,
            "versions_new" => totals.versions_new = n,
            "wire_bytes" => totals.wire_bytes = n,
            "body_bytes" => totals.body_bytes = n,
            "told_to_wait" => totals.told_to_wait = n,
            "robots" => {
                let slot = key
                    .parse()
                    .ok()
                    .and_then(|at: usize| totals.robots.get_mut(at));
                if let Some(slot) = slot {
                    *slot = n;
                }
            }
            "change" => {
                totals.changes.insert(key, n);
            }
            "not_asked" => {
                totals.not_asked.insert(key, n);
            }
            _ => {}
        }
    }
    Ok(totals)
}
