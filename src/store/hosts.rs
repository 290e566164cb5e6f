//! Hosts: by name, by page, and those due.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use super::pack::{host, time};
use super::{DueHost, DueSite, HostId, HostRow, RunId, SiteId, SiteWait, StoreError, control};
use crate::hosts::{Host, Site};
use crate::suppress::List;

/// A host by name.
pub(super) fn find(conn: &Connection, host: &Host) -> Result<Option<(HostId, SiteId)>, StoreError> {
    Ok(conn
        .prepare_cached("SELECT id, site FROM hosts WHERE name = ?1")?
        .query_row([host.as_str()], |row| {
            Ok((HostId(row.get(0)?), SiteId(row.get(1)?)))
        })
        .optional()?)
}

/// A host's name and site by id.
pub(super) fn by_id(conn: &Connection, id: HostId) -> Result<(Host, SiteId), StoreError> {
    let (name, site): (String, i64) = conn
        .prepare_cached("SELECT name, site FROM hosts WHERE id = ?1")?
        .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?
        .ok_or_else(|| StoreError::NotFound(format!("there is no host {} in this store", id.0)))?;
    Ok((host(&name)?, SiteId(site)))
}

/// Sites with a host due, in id order. The index alone is read, in order, up to the page's end.
pub(super) fn due_sites(
    conn: &Connection,
    run: RunId,
    after: Option<SiteId>,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DueSite>, StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT s.id, s.name, s.wait_until_ms, s.wait_cause FROM
           (SELECT DISTINCT site FROM hosts INDEXED BY hosts_due
            WHERE site > ?1 AND due_ms <= ?2 AND done_run IS NOT ?3
            ORDER BY site LIMIT ?4) d
         CROSS JOIN sites s ON s.id = d.site ORDER BY s.id",
    )?;
    let now_ms = now.as_millisecond();
    let after = after.map_or(-1, |site| site.0);
    let rows = statement.query_map(params![after, now_ms, run.0, limit as i64], |row| {
        let name: String = row.get(1)?;
        let until: Option<i64> = row.get(2)?;
        let cause: Option<String> = row.get(3)?;
        Ok(DueSite {
            id: SiteId(row.get(0)?),
            site: Site::from_stored(&name),
            wait: until.filter(|until| *until > now_ms).map(|until| SiteWait {
                until: time(until),
                cause: cause.unwrap_or_default(),
            }),
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Hosts of a site due, in id order.
pub(super) fn due_hosts(
    conn: &Connection,
    run: RunId,
    site: SiteId,
    after: Option<HostId>,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DueHost>, StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT h.id, h.name, (SELECT coalesce(max(v.turn), 0) + 1 FROM visits v
           WHERE v.run = ?4 AND v.site = ?1 AND v.host = h.id)
         FROM hosts h INDEXED BY hosts_due
         WHERE h.site = ?1 AND h.id > ?2 AND h.due_ms <= ?3 AND h.done_run IS NOT ?4
         ORDER BY h.id LIMIT ?5",
    )?;
    let mut rows = statement.query(params![
        site.0,
        after.map_or(-1, |host| host.0),
        now.as_millisecond(),
        run.0,
        limit as i64
    ])?;
    let mut due = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(1)?;
        due.push(DueHost {
            id: HostId(row.get(0)?),
            host: host(&name)?,
            turn: row.get(2)?,
        });
    }
    Ok(due)
}

/// How many hosts are due: one pass over the index, for the start of a run.
pub(super) fn due_count(conn: &Connection, run: RunId, now: Timestamp) -> Result<u64, StoreError> {
    let n: i64 = conn
        .prepare_cached(
            "SELECT count(*) FROM hosts INDEXED BY hosts_due
             WHERE due_ms <= ?1 AND done_run IS NOT ?2",
        )?
        .query_row(params![now.as_millisecond(), run.0], |row| row.get(0))?;
    Ok(super::pack::uncount(n))
}

/// Whether the host's visit ended, or was claimed by a moved one.
pub(super) fn visited(conn: &Connection, run: RunId, host: HostId) -> Result<bool, StoreError> {
    Ok(conn
        .prepare_cached("SELECT 1 FROM hosts WHERE id = ?1 AND visited_run = ?2")?
        .exists(params![host.0, run.0])?)
}

/// One page of hosts by id.
pub(super) fn page(
    conn: &Connection,
    after: Option<HostId>,
    limit: usize,
) -> Result<Vec<HostRow>, StoreError> {
    let scopes = control::holds(conn)?.into_iter().map(|hold| hold.scope);
    let holds = List::new(scopes);
    let mut statement = conn.prepare_cached(
        "SELECT h.id, h.name, s.name, h.source, h.line, f.name, h.due_ms,
           coalesce(c.imported_ms, h.found_ms, 0),
           (SELECT v.outcome FROM visits v WHERE v.run = h.visited_run AND v.site = h.site
              AND v.host = h.id ORDER BY v.turn DESC LIMIT 1),
           (SELECT v.about FROM visits v WHERE v.run = h.visited_run AND v.site = h.site
              AND v.host = h.id ORDER BY v.turn DESC LIMIT 1),
           h.visited_run, s.wait_until_ms, s.wait_cause
         FROM hosts h JOIN sites s ON s.id = h.site LEFT JOIN sources c ON c.id = h.source
           LEFT JOIN hosts f ON f.id = h.found_from
         WHERE h.id > ?1 ORDER BY h.id LIMIT ?2",
    )?;
    let newest: Option<i64> = conn
        .prepare_cached("SELECT max(id) FROM runs")?
        .query_row([], |row| row.get(0))?;
    let now_ms = control::now(conn)?.as_millisecond();
    let mut sources = HashMap::new();
    let mut rows = statement.query(params![after.map_or(-1, |host| host.0), limit as i64])?;
    let mut page = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(1)?;
        let host = host(&name)?;
        let site: String = row.get(2)?;
        let found_from: Option<String> = row.get(5)?;
        let source = match (row.get::<_, Option<i64>>(3)?, found_from) {
            (Some(id), _) => {
                let source = match sources.entry(id) {
                    std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                    std::collections::hash_map::Entry::Vacant(new) => new.insert(source(conn, id)?),
                };
                match row.get::<_, Option<i64>>(4)? {
                    Some(line) => format!("{source} line {line}"),
                    None => source.clone(),
                }
            }
            (None, Some(from)) => format!("redirect of {from}"),
            (None, None) => "unknown".to_owned(),
        };
        let due_ms: Option<i64> = row.get(6)?;
        let known_since: i64 = row.get(7)?;
        let run: Option<i64> = row.get(10)?;
        let wait_ms: Option<i64> = row.get(11)?;
        let next_ms = due_ms.unwrap_or(0).max(known_since);
        let state = if holds.covers(&host).is_some() {
            "held".to_owned()
        } else if run.is_some() && run == newest {
            done(row.get(8)?, row.get(9)?)
        } else if due_ms.is_none() {
            "offered".to_owned()
        } else if wait_ms.is_some_and(|wait| wait > now_ms) {
            match row.get::<_, Option<String>>(12)? {
                Some(cause) => format!("resting: {cause}"), // PC4
                None => "resting".to_owned(),
            }
        } else {
            "waiting".to_owned()
        };
        page.push(HostRow {
            id: HostId(row.get(0)?),
            host,
            site: Site::from_stored(&site),
            source,
            state,
            next_visit: time(wait_ms.map_or(next_ms, |wait| next_ms.max(wait))),
            is_due: due_ms.is_some(),
        });
    }
    Ok(page)
}

fn source(conn: &Connection, id: i64) -> Result<String, StoreError> {
    Ok(conn
        .prepare_cached("SELECT kind, name, date_ms FROM sources WHERE id = ?1")?
        .query_row([id], |row| {
            let (kind, name): (String, String) = (row.get(0)?, row.get(1)?);
            let date = time(row.get(2)?).strftime("%Y-%m-%d").to_string();
            Ok(format!("{kind} {name} {date}"))
        })?)
}

/// The state of a host visited in the newest run, in words.
fn done(outcome: Option<String>, about: Option<String>) -> String {
    let Some(outcome) = outcome else {
        return "done: visited in place of another host of its site".to_owned();
    };
    match (outcome.as_str(), about) {
        ("done", _) => "done".to_owned(),
        ("closed", Some(reason)) => format!("done: closed by robots ({reason})"),
        ("moved", _) => "done: moved to another host of its site".to_owned(),
        ("same_as", _) => "done: same as another host of its site".to_owned(),
        (word, _) => format!("done: {}", word.replace('_', " ")),
    }
}
