//! What was done on one host: its visits, its robots.txt fetches.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::super::pack::uncount;
use super::super::{
    HostId, HostVisit, RobotsId, RobotsRow, RunId, StoreError, blobs, hosts, versions, visits,
};

/// Visits of a host, newest first: a seek into the visits for each run.
pub(super) fn visits_sql() -> String {
    format!(
        "SELECT {}, r.label FROM runs r
           CROSS JOIN visits v ON v.run = r.id AND v.site = ?1 AND v.host = ?2
           CROSS JOIN hosts h ON h.id = v.host
         WHERE r.id < ?3 ORDER BY r.id DESC, v.turn DESC",
        visits::COLUMNS
    )
}

/// Visits before a run; a run is never cut, so the page may be some turns longer than `limit`.
pub(super) fn visits_of(
    conn: &Connection,
    id: HostId,
    before: Option<RunId>,
    limit: usize,
) -> Result<Vec<HostVisit>, StoreError> {
    let (_, site) = hosts::by_id(conn, id)?;
    let mut statement = conn.prepare_cached(&visits_sql())?;
    let mut rows = statement.query(params![site.0, id.0, before.map_or(i64::MAX, |run| run.0)])?;
    let mut page: Vec<HostVisit> = Vec::new();
    while let Some(row) = rows.next()? {
        let (_, record) = visits::record(conn, row)?;
        let another = page.last().is_none_or(|last| last.record.run != record.run);
        if another && page.len() >= limit {
            break;
        }
        page.push(HostVisit {
            label: row.get(12)?,
            record,
        });
    }
    Ok(page)
}

/// Robots fetches of a host before a time, newest first.
pub(super) fn robots_sql() -> String {
    format!(
        "{} WHERE host = ?1 AND at_ms < ?2 ORDER BY id DESC LIMIT ?3",
        versions::ROBOTS
    )
}

pub(super) fn robots_fetches(
    conn: &Connection,
    id: HostId,
    before: Option<Timestamp>,
    limit: usize,
) -> Result<Vec<RobotsRow>, StoreError> {
    let before_ms = before.map_or(i64::MAX, Timestamp::as_millisecond);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = conn.prepare_cached(&robots_sql())?;
    let mut rows = statement.query(params![id.0, before_ms, limit])?;
    let mut list = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, fetch, blob) = versions::robots_fetch(conn, row)?;
        let bytes: Option<i64> = blob
            .map(|blob| {
                conn.prepare_cached("SELECT bytes FROM blobs WHERE id = ?1")?
                    .query_row([blob], |row| row.get(0))
            })
            .transpose()?;
        list.push(RobotsRow {
            id,
            fetch,
            bytes: bytes.map(uncount),
        });
    }
    Ok(list)
}

/// The exact text of a fetch; none if none was kept.
pub(super) fn robots_bytes(conn: &Connection, id: RobotsId) -> Result<Option<Vec<u8>>, StoreError> {
    let blob: Option<i64> = conn
        .prepare_cached("SELECT blob FROM robots WHERE id = ?1")?
        .query_row([id.0], |row| row.get(0))
        .optional()?
        .ok_or_else(|| {
            StoreError::NotFound(format!(
                "there is no robots.txt fetch {} in this store",
                id.0
            ))
        })?;
    blob.map(|blob| blobs::read(conn, blob)).transpose()
}
