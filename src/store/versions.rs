//! Reading history: versions, spans, exact bytes, validators, robots sessions.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::intern::{known_target, text_if, text_of};
use super::pack::{digest, host, small, state, time, uncount, unmarks};
use super::{HostId, RobotsFetch, RobotsId, RobotsSession, SpanState, StoreError, Version, blobs};
use crate::fetch::Validators;

/// A stretch of time in which a location was in one state; it lasts until the next one begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Since when.
    pub since: Timestamp,
    /// State.
    pub state: SpanState,
    /// Digest and size where only these are kept (a soft 404, keep mode Digest).
    pub digest: Option<([u8; 32], u64)>,
    /// Status of the answer that showed the state; none if none did, or if it was not kept (before schema 4).
    pub status: Option<u16>,
}

/// Versions of a host, or of one location of it, oldest first.
pub(super) fn list(
    conn: &Connection,
    id: HostId,
    location: Option<&str>,
) -> Result<Vec<Version>, StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT h.name, t.text, v.number, v.first_ms, v.last_ms, b.sha256, b.bytes, v.media_type,
           v.marks, v.coding
         FROM versions v JOIN blobs b ON b.id = v.blob JOIN targets t ON t.id = v.target
           JOIN hosts h ON h.id = v.host
         WHERE v.host = ?1 AND (?2 IS NULL OR t.text = ?2) ORDER BY t.text, v.number",
    )?;
    let mut rows = statement.query(params![id.0, location])?;
    let mut list = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        list.push(Version {
            host: host(&name)?,
            location: row.get(1)?,
            number: row.get(2)?,
            first_seen: time(row.get(3)?),
            last_seen: time(row.get(4)?),
            sha256: digest(row.get(5)?)?,
            bytes: uncount(row.get(6)?),
            media_type: text_if(conn, row.get(7)?)?,
            coding: text_if(conn, row.get(9)?)?,
            marks: unmarks(row.get(8)?),
        });
    }
    Ok(list)
}

/// Spans of one location, oldest first.
pub(super) fn spans(
    conn: &Connection,
    id: HostId,
    location: &str,
) -> Result<Vec<Span>, StoreError> {
    let Some(target) = known_target(conn, location)? else {
        return Ok(Vec::new());
    };
    let mut statement = conn.prepare_cached(
        "SELECT since_ms, state, sha256, bytes, status FROM spans WHERE host = ?1 AND target = ?2
         ORDER BY since_ms, seq",
    )?;
    let mut rows = statement.query([id.0, target])?;
    let mut list = Vec::new();
    while let Some(row) = rows.next()? {
        let sha256 = row.get::<_, Option<Vec<u8>>>(2)?.map(digest).transpose()?;
        let bytes = uncount(row.get::<_, Option<i64>>(3)?.unwrap_or(0));
        list.push(Span {
            since: time(row.get(0)?),
            state: state(row.get(1)?)?,
            digest: sha256.map(|sha256| (sha256, bytes)),
            status: row.get(4)?,
        });
    }
    Ok(list)
}

/// Exact bytes of a version.
pub(super) fn body(
    conn: &Connection,
    id: HostId,
    location: &str,
    number: Option<u32>,
) -> Result<Vec<u8>, StoreError> {
    let blob: Option<i64> = match known_target(conn, location)? {
        None => None,
        Some(target) => conn
            .prepare_cached(
                "SELECT blob FROM versions WHERE host = ?1 AND target = ?2
                   AND (?3 IS NULL OR number = ?3) ORDER BY number DESC LIMIT 1",
            )?
            .query_row(params![id.0, target, number], |row| row.get(0))
            .optional()?,
    };
    let Some(blob) = blob else {
        let which = number.map_or("no version".to_owned(), |n| format!("no version {n}"));
        return Err(StoreError::NotFound(format!(
            "there is {which} of {location} in this store; `lamplighter history` lists them"
        )));
    };
    blobs::read(conn, blob)
}

/// Validators held for each location of a host.
pub(super) fn validators(
    conn: &Connection,
    id: HostId,
) -> Result<Vec<(String, Validators)>, StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT t.text, e.text, m.text FROM validators v JOIN targets t ON t.id = v.target
           LEFT JOIN texts e ON e.id = v.etag LEFT JOIN texts m ON m.id = v.last_modified
         WHERE v.host = ?1 ORDER BY v.target",
    )?;
    let rows = statement.query_map([id.0], |row| {
        let validators = Validators {
            etag: row.get(1)?,
            last_modified: row.get(2)?,
        };
        Ok((row.get(0)?, validators))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Robots fetches as [`robots_fetch`] reads them.
pub(super) const ROBOTS: &str =
    "SELECT id, host, at_ms, status, access, redirects, url, blob, sha256,
  valid_until_ms, delay, delay_line, signals FROM robots ";

/// The newest robots session of a host.
pub(super) fn robots_of(
    conn: &Connection,
    host: HostId,
) -> Result<Option<RobotsSession>, StoreError> {
    session(
        conn,
        &format!("{ROBOTS} WHERE host = ?1 ORDER BY id DESC LIMIT 1"),
        host.0,
    )
}

/// One robots session.
pub(super) fn robots_by_id(
    conn: &Connection,
    id: RobotsId,
) -> Result<Option<RobotsSession>, StoreError> {
    session(conn, &format!("{ROBOTS} WHERE id = ?1"), id.0)
}

fn session(conn: &Connection, sql: &str, key: i64) -> Result<Option<RobotsSession>, StoreError> {
    let mut statement = conn.prepare_cached(sql)?;
    let mut rows = statement.query([key])?;
    rows.next()?.map(|row| robots(conn, row)).transpose()
}

fn robots(conn: &Connection, row: &Row<'_>) -> Result<RobotsSession, StoreError> {
    let (id, fetch, blob) = robots_fetch(conn, row)?;
    Ok(RobotsSession {
        id,
        fetch,
        text: blob.map(|blob| blobs::read(conn, blob)).transpose()?,
    })
}

/// One row of [`ROBOTS`], with the body that holds its text.
pub(super) fn robots_fetch(
    conn: &Connection,
    row: &Row<'_>,
) -> Result<(RobotsId, RobotsFetch, Option<i64>), StoreError> {
    let blob: Option<i64> = row.get(7)?;
    let sha256 = match blob {
        Some(blob) => Some(
            conn.prepare_cached("SELECT sha256 FROM blobs WHERE id = ?1")?
                .query_row([blob], |row| row.get(0))?,
        ),
        None => row.get::<_, Option<Vec<u8>>>(8)?,
    };
    let line: Option<i64> = row.get(11)?;
    let delay = match (row.get::<_, Option<f64>>(10)?, line) {
        (Some(seconds), Some(line)) => Some((seconds, small(line)?)),
        _ => None,
    };
    let fetch = RobotsFetch {
        host: HostId(row.get(1)?),
        at: time(row.get(2)?),
        status: row.get(3)?,
        access: text_of(conn, row.get(4)?)?,
        redirects: row.get(5)?,
        url: text_of(conn, row.get(6)?)?,
        sha256: sha256.map(digest).transpose()?,
        valid_until: time(row.get(9)?),
        delay,
        signals: text_of(conn, row.get(12)?)?,
    };
    Ok((RobotsId(row.get(0)?), fetch, blob))
}
