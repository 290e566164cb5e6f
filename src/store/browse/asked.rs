//! The requests of one host in pages, each with the gap its site had before it.

use rusqlite::{Connection, params};

use super::super::requests::{SELECT, log_row};
use super::super::{Gap, HostId, LogLine, LogRow, RequestKey, Stamp, StoreError, hosts};
use crate::fetch::Outcome;

/// Requests of a host before a key, newest first: a range of its site's log.
pub(super) const PAGE: &str = "
WHERE r.site = ?1 AND (r.at_ms, r.seq) < (?2, ?3) AND r.host = ?4
ORDER BY r.at_ms DESC, r.seq DESC LIMIT ?5";

/// The site's request before a key; one that was withdrawn was never sent.
pub(super) const PREVIOUS: &str = "
WHERE r.site = ?1 AND (r.at_ms, r.seq) < (?2, ?3) AND r.outcome IS NOT ?4
ORDER BY r.at_ms DESC, r.seq DESC LIMIT 1";

pub(super) fn log_page(
    conn: &Connection,
    id: HostId,
    before: Option<RequestKey>,
    limit: usize,
) -> Result<Vec<LogLine>, StoreError> {
    let (_, site) = hosts::by_id(conn, id)?;
    let (at_ms, seq) = before.map_or((i64::MAX, i64::MAX), |key| (key.at_ms, key.seq));
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut statement = conn.prepare_cached(&format!("{SELECT}{PAGE}"))?;
    let mut rows = statement.query(params![site.0, at_ms, seq, id.0, limit])?;
    let mut page = Vec::new();
    while let Some(row) = rows.next()? {
        let row = log_row(conn, row)?;
        let gap = gap(conn, &row)?;
        page.push(LogLine { row, gap });
    }
    Ok(page)
}

fn gap(conn: &Connection, row: &LogRow) -> Result<Option<Gap>, StoreError> {
    let withdrawn = Outcome::Withdrawn;
    if row.outcome == Some(withdrawn) {
        return Ok(None);
    }
    let key = row.key;
    let mut statement = conn.prepare_cached(&format!("{SELECT}{PREVIOUS}"))?;
    let mut rows = statement.query(params![key.site.0, key.at_ms, key.seq, withdrawn.code()])?;
    let previous = rows.next()?.map(|row| log_row(conn, row)).transpose()?;
    Ok(previous.map(|previous| between(&previous, row)))
}

/// From the end of one request, or its start where no end is known, to the start of the next.
fn between(previous: &LogRow, row: &LogRow) -> Gap {
    let start = started(row);
    let end = previous.ended.unwrap_or_else(|| started(previous));
    let monotonic = previous.process == row.process;
    let ms = if monotonic {
        start.mono_ms.saturating_sub(end.mono_ms)
    } else {
        start.utc.as_millisecond() - end.utc.as_millisecond()
    };
    Gap {
        ms,
        monotonic,
        previous: previous.key,
    }
}

fn started(row: &LogRow) -> Stamp {
    row.sent.unwrap_or(row.intent)
}
