//! Reading the request log and the visits: key ranges, pages, short transactions.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, params};

use super::requests::{SELECT, log_row};
use super::{HostId, LogRow, RequestKey, RunId, SiteId, StoreError, VisitRecord, hosts, visits};

/// Rows read in one transaction while streaming.
const PAGE: usize = 2_000;

fn rows(
    conn: &Connection,
    condition: &str,
    params: impl Params,
) -> Result<Vec<LogRow>, StoreError> {
    let mut statement = conn.prepare_cached(&format!("{SELECT}{condition}"))?;
    let mut rows = statement.query(params)?;
    let mut log = Vec::new();
    while let Some(row) = rows.next()? {
        log.push(log_row(conn, row)?);
    }
    Ok(log)
}

/// Key times of a run's first and last request.
fn span(conn: &Connection, run: RunId) -> Result<Option<(i64, i64)>, StoreError> {
    let span: Option<(Option<i64>, Option<i64>)> = conn
        .prepare_cached("SELECT first_ms, last_ms FROM runs WHERE id = ?1")?
        .query_row([run.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(span.and_then(|(first, last)| first.zip(last)))
}

/// Requests of a site in a run, oldest first.
pub(super) fn of_site(
    conn: &Connection,
    site: SiteId,
    run: RunId,
) -> Result<Vec<LogRow>, StoreError> {
    let Some((first, last)) = span(conn, run)? else {
        return Ok(Vec::new());
    };
    rows(
        conn,
        "WHERE r.site = ?1 AND r.at_ms BETWEEN ?2 AND ?3 AND p.run = ?4
         ORDER BY r.site, r.at_ms, r.seq",
        params![site.0, first, last, run.0],
    )
}

/// The gap of a site's newest row.
pub(super) fn gap(conn: &Connection, site: SiteId) -> Result<Option<i64>, StoreError> {
    Ok(conn
        .prepare_cached(
            "SELECT gap_ms FROM requests WHERE site = ?1 ORDER BY at_ms DESC, seq DESC LIMIT 1",
        )?
        .query_row([site.0], |row| row.get(0))
        .optional()?)
}

/// The log of a host, newest first.
pub(super) fn of_host(
    conn: &Connection,
    host: HostId,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
) -> Result<Vec<LogRow>, StoreError> {
    let (_, site) = hosts::by_id(conn, host)?;
    rows(
        conn,
        "WHERE r.site = ?1 AND r.at_ms BETWEEN ?2 AND ?3 AND r.host = ?4
         ORDER BY r.site DESC, r.at_ms DESC, r.seq DESC",
        params![
            site.0,
            from.map_or(i64::MIN, Timestamp::as_millisecond),
            to.map_or(i64::MAX, Timestamp::as_millisecond),
            host.0
        ],
    )
}

/// Streams requests in key order; each page is a transaction of its own, closed before `each` sees it.
pub(super) fn each_request(
    conn: &Connection,
    run: Option<RunId>,
    each: &mut dyn FnMut(LogRow) -> bool,
) -> Result<(), StoreError> {
    let bounds = match run {
        None => (i64::MIN, i64::MAX),
        Some(run) => match span(conn, run)? {
            Some(span) => span,
            None => return Ok(()),
        },
    };
    let run = run.map(|run| run.0);
    let mut after = RequestKey {
        site: SiteId(-1),
        at_ms: i64::MAX,
        seq: i64::MAX,
    };
    loop {
        // First the rest of the site in hand, then the sites after it: each a seek into the key.
        let mut page = rows(
            conn,
            "WHERE r.site = ?1 AND (r.at_ms, r.seq) > (?2, ?3) AND r.at_ms <= ?4
               AND (?5 IS NULL OR p.run = ?5)
             ORDER BY r.site, r.at_ms, r.seq LIMIT ?6",
            params![
                after.site.0,
                after.at_ms,
                after.seq,
                bounds.1,
                run,
                PAGE as i64
            ],
        )?;
        if page.is_empty() {
            page = next_sites(conn, after.site, bounds, run)?;
        }
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = last.key;
        for row in page {
            if !each(row) {
                return Ok(());
            }
        }
    }
}

fn next_sites(
    conn: &Connection,
    after: SiteId,
    (first, last): (i64, i64),
    run: Option<i64>,
) -> Result<Vec<LogRow>, StoreError> {
    let select = SELECT.replace(
        "FROM requests r ",
        "FROM sites s CROSS JOIN requests r ON r.site = s.id ",
    );
    let sql = format!(
        "{select} WHERE s.id > ?1 AND r.at_ms BETWEEN ?2 AND ?3 AND (?4 IS NULL OR p.run = ?4)
         ORDER BY s.id, r.at_ms, r.seq LIMIT ?5"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query(params![after.0, first, last, run, PAGE as i64])?;
    let mut page = Vec::new();
    while let Some(row) = rows.next()? {
        page.push(log_row(conn, row)?);
    }
    Ok(page)
}

/// Streams the visits of a run in key order, in pages.
pub(super) fn each_visit(
    conn: &Connection,
    run: RunId,
    each: &mut dyn FnMut(VisitRecord) -> bool,
) -> Result<(), StoreError> {
    let mut after = (-1_i64, -1_i64, 0_u32);
    loop {
        let mut page = Vec::new();
        {
            let mut statement = conn.prepare_cached(&visits::page())?;
            let mut rows =
                statement.query(params![run.0, after.0, after.1, after.2, PAGE as i64])?;
            while let Some(row) = rows.next()? {
                page.push(visits::record(conn, row)?);
            }
        }
        let Some((site, last)) = page.last() else {
            return Ok(());
        };
        after = (*site, last.host.0, last.turn);
        for (_, record) in page {
            if !each(record) {
                return Ok(());
            }
        }
    }
}
