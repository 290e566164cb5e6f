//! The rows a screen shows of the list of all hosts.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::super::pack::{host, time, uncount};
use super::super::{
    HostId, HostLine, HostSource, HostState, HostView, SiteId, SiteWait, SpanState, StoreError,
    VisitKind, VisitOutcome, visits,
};
use super::cover::Cover;
use super::facts::{NewestVisit, allowed};
use crate::hosts::Site;

/// Hosts as [`Window::line`] reads them; a WHERE on `h` follows.
pub(super) const SELECT: &str = "
SELECT h.id, h.name, h.site, s.name, s.wait_until_ms, s.wait_cause, c.kind, c.name, c.date_ms,
  h.line, f.name, h.due_ms, coalesce(c.imported_ms, h.found_ms, 0), h.done_run, h.visited_run,
  h.visited_ms, h.newest
FROM hosts h CROSS JOIN sites s ON s.id = h.site LEFT JOIN sources c ON c.id = h.source
  LEFT JOIN hosts f ON f.id = h.found_from ";

/// What the rows of one call are told from.
pub(super) struct Window<'a> {
    conn: &'a Connection,
    cover: Cover,
    newest_run: Option<i64>,
    now_ms: i64,
}

impl<'a> Window<'a> {
    pub(super) fn open(conn: &'a Connection, view: HostView<'_>) -> Result<Window<'a>, StoreError> {
        Ok(Window {
            conn,
            cover: Cover::read(conn, view)?,
            newest_run: conn
                .prepare_cached("SELECT max(id) FROM runs")?
                .query_row([], |row| row.get(0))?,
            now_ms: view.now.as_millisecond(),
        })
    }

    /// One host; none if it is gone.
    pub(super) fn of(&self, id: HostId) -> Result<Option<HostLine>, StoreError> {
        let mut statement = self
            .conn
            .prepare_cached(&format!("{SELECT} WHERE h.id = ?1"))?;
        let mut rows = statement.query([id.0])?;
        rows.next()?.map(|row| self.line(row)).transpose()
    }

    /// Hosts by id after `after`.
    pub(super) fn after(
        &self,
        after: Option<HostId>,
        limit: usize,
    ) -> Result<Vec<HostLine>, StoreError> {
        let sql = format!("{SELECT} WHERE h.id > ?1 ORDER BY h.id LIMIT ?2");
        let mut statement = self.conn.prepare_cached(&sql)?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = statement.query(params![after.map_or(-1, |host| host.0), limit])?;
        let mut lines = Vec::new();
        while let Some(row) = rows.next()? {
            lines.push(self.line(row)?);
        }
        Ok(lines)
    }

    fn line(&self, row: &Row<'_>) -> Result<HostLine, StoreError> {
        let id: i64 = row.get(0)?;
        let name: String = row.get(1)?;
        let (site_id, site): (i64, String) = (row.get(2)?, row.get(3)?);
        let run: Option<i64> = row.get(14)?;
        let due: Option<i64> = row.get(11)?;
        let known_since: i64 = row.get(12)?;
        let resting = self.wait(row.get(4)?, row.get(5)?);
        let newest: Option<Vec<u8>> = row.get(16)?;
        let newest = newest.as_deref().and_then(NewestVisit::unpack);
        let newest = newest.map(|newest| newest.to_facts());
        let visit = run
            .map(|run| visit(self.conn, run, site_id, id))
            .transpose()?
            .flatten();
        let (outcome, locations) = visit.map_or((None, Vec::new()), |(outcome, locations)| {
            (Some(outcome), locations)
        });
        // What the visit itself says of its end is known of every age of store.
        let kind = newest.as_ref().map(|newest| newest.kind);
        let kind = kind.or_else(|| VisitKind::of(outcome.as_ref()?));
        let in_newest_run = run.is_some() && run == self.newest_run;
        let host = host(&name)?;
        let state = if self.cover.suppressed.covers(&name) {
            HostState::Suppressed
        } else if self.cover.holds.covers(&name) {
            HostState::Held
        } else {
            allowed(
                in_newest_run.then_some(kind),
                due.is_some(),
                resting.is_some(),
            )
        };
        Ok(HostLine {
            id: HostId(id),
            host,
            site: Site::from_stored(&site),
            site_id: SiteId(site_id),
            state,
            again: in_newest_run && row.get::<_, Option<i64>>(13)? != run,
            resting,
            source: source(row)?,
            due: due.map(|due| time(due.max(known_since))),
            visited: row.get::<_, Option<i64>>(15)?.map(time),
            outcome,
            locations,
            newest,
        })
    }

    fn wait(&self, until: Option<i64>, cause: Option<String>) -> Option<SiteWait> {
        let until = until.filter(|until| *until > self.now_ms)?;
        Some(SiteWait {
            until: time(until),
            cause: cause.unwrap_or_default(),
        })
    }
}

fn source(row: &Row<'_>) -> Result<HostSource, StoreError> {
    let kind: Option<String> = row.get(6)?;
    let from: Option<String> = row.get(10)?;
    Ok(match (kind, from) {
        (Some(kind), _) => HostSource::List {
            kind,
            name: row.get(7)?,
            date: time(row.get(8)?),
            line: row.get::<_, Option<i64>>(9)?.map(uncount),
        },
        (None, Some(from)) => HostSource::Redirect(host(&from)?),
        (None, None) => HostSource::Unknown,
    })
}

/// How the last turn of a host in a run ended, and the states of its locations.
fn visit(
    conn: &Connection,
    run: i64,
    site: i64,
    host: i64,
) -> Result<Option<(VisitOutcome, Vec<SpanState>)>, StoreError> {
    let row: Option<(String, Option<String>, Vec<u8>)> = conn
        .prepare_cached(
            "SELECT outcome, about, locations FROM visits
             WHERE run = ?1 AND site = ?2 AND host = ?3 ORDER BY turn DESC LIMIT 1",
        )?
        .query_row([run, site, host], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?;
    row.map(|(word, about, locations)| {
        Ok((
            visits::outcome(&word, about)?,
            visits::locations(locations)?,
        ))
    })
    .transpose()
}
