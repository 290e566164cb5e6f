//! All hosts in an order: ids alone, eight bytes a host.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::super::pack::{damaged, uncount};
use super::super::{HostId, HostQuery, HostSort, HostView, StoreError};
use super::facts::HostFacts;
use super::scan::{COLUMNS, Scan};

/// Ids told early.
pub(super) const PAGE: usize = 100;
/// How long an index is walked for a first page before the whole pass begins: a rare word is found by that.
const PATIENCE: Duration = Duration::from_millis(30);
/// Stands after every value, whichever way it goes.
const UNKNOWN: u64 = u64::MAX;
/// Ids are given one after another: one far beyond cannot be what this store wrote.
const MOST: i64 = 1 << 27;

/// Chooses hosts.
pub(super) type Keep<'k> = dyn FnMut(&HostFacts<'_>) -> bool + 'k;

/// The ids that `keep` keeps, in order; `page` is told the first ones once.
pub(super) fn order(
    conn: &Connection,
    query: &HostQuery<'_>,
    go_on: &dyn Fn() -> Result<(), StoreError>,
    keep: &mut Keep<'_>,
    page: &mut dyn FnMut(&[HostId]),
) -> Result<Vec<HostId>, StoreError> {
    let scan = Scan::begin(conn, query.view)?;
    let mut told = false;
    if let Some(first) = first_page(conn, &scan, query, keep)? {
        told = true;
        page(&first);
    }
    let mut kept = Vec::new();
    scan.each(conn, go_on, &mut |facts| {
        if keep(facts) {
            kept.push((key(query, facts), facts.id.0));
        }
        Ok(())
    })?;
    go_on()?;
    let ids = match query.sort {
        HostSort::Name => by_name(conn, query.descending, &kept)?,
        HostSort::Site => {
            by_site(conn, query.descending, &mut kept)?;
            ids(&kept)
        }
        _ => {
            kept.sort_unstable();
            ids(&kept)
        }
    };
    go_on()?;
    if !told {
        page(&ids[..ids.len().min(PAGE)]);
    }
    Ok(ids)
}

fn ids(kept: &[(u64, i64)]) -> Vec<HostId> {
    kept.iter().map(|(_, id)| HostId(*id)).collect()
}

/// What a host is sorted by; for [`HostSort::Site`] its site's id, for [`HostSort::Name`] nothing.
fn key(query: &HostQuery<'_>, facts: &HostFacts<'_>) -> u64 {
    let newest = facts.newest.as_ref();
    let value = match query.sort {
        HostSort::Name => return 0,
        HostSort::Site => return uncount(facts.site_id.0),
        HostSort::State => Some(state_rank(facts)),
        HostSort::Due => facts.due.map(|due| unsigned(due.as_millisecond())),
        HostSort::Visited => facts.visited.map(|at| unsigned(at.as_millisecond())),
        HostSort::Outcome => newest.map(|newest| {
            // Kinds apart, and the reasons of one kind by their first letters.
            let mut letters = [0; 7];
            for (letter, byte) in letters.iter_mut().zip(newest.reason.bytes()) {
                *letter = byte;
            }
            let [a, b, c, d, e, f, g] = letters;
            u64::from_be_bytes([newest.kind as u8, a, b, c, d, e, f, g])
        }),
        HostSort::Size => newest.map(|newest| newest.largest),
        HostSort::Requests => newest.map(|newest| u64::from(newest.requests)),
    };
    match value {
        None => UNKNOWN,
        Some(value) if query.descending => UNKNOWN - 1 - value.min(UNKNOWN - 1),
        Some(value) => value.min(UNKNOWN - 1),
    }
}

fn state_rank(facts: &HostFacts<'_>) -> u64 {
    use super::super::HostState as State;
    let (rank, kind) = match facts.state() {
        State::Waiting => (0, None),
        State::Resting => (1, None),
        State::Offered => (2, None),
        State::Done(kind) => (3, kind),
        State::Held => (4, None),
        State::Suppressed => (5, None),
    };
    rank << 8 | kind.map_or(0xff, |kind| kind as u64)
}

/// In the order of the signed numbers.
fn unsigned(value: i64) -> u64 {
    value.cast_unsigned() ^ 1 << 63
}

/// SQL of the orders an index gives.
pub(super) fn indexed(sort: HostSort, descending: bool) -> Option<String> {
    let way = if descending { "DESC" } else { "ASC" };
    match sort {
        HostSort::Name => Some(format!(
            "SELECT {COLUMNS} FROM hosts h INDEXED BY sqlite_autoindex_hosts_1
               CROSS JOIN sites s ON s.id = h.site ORDER BY h.name {way}"
        )),
        HostSort::Site => Some(format!(
            "SELECT {COLUMNS} FROM sites s INDEXED BY sqlite_autoindex_sites_1
               CROSS JOIN hosts h INDEXED BY hosts_due ON h.site = s.id
             ORDER BY s.name {way}, h.id"
        )),
        _ => None,
    }
}

/// The first page by walking an index: none if there is no such index or the page is not soon full.
fn first_page(
    conn: &Connection,
    scan: &Scan,
    query: &HostQuery<'_>,
    keep: &mut Keep<'_>,
) -> Result<Option<Vec<HostId>>, StoreError> {
    let Some(sql) = indexed(query.sort, query.descending) else {
        return Ok(None);
    };
    let started = Instant::now();
    let mut first = Vec::with_capacity(PAGE);
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    let mut seen = 0_u32;
    while let Some(row) = rows.next()? {
        let facts = scan.facts(row)?;
        if keep(&facts) {
            first.push(facts.id);
            if first.len() == PAGE {
                return Ok(Some(first));
            }
        }
        seen += 1;
        if seen.is_multiple_of(64) && started.elapsed() > PATIENCE {
            return Ok(None);
        }
    }
    Ok(Some(first))
}

/// SQL of one host.
pub(super) fn one() -> String {
    format!("SELECT {COLUMNS} FROM hosts h CROSS JOIN sites s ON s.id = h.site WHERE h.id = ?1")
}

/// The first page of these hosts; none if it is not soon full nor all of them looked at.
pub(super) fn page_of(
    conn: &Connection,
    hosts: &mut dyn Iterator<Item = HostId>,
    view: HostView<'_>,
    keep: &mut Keep<'_>,
) -> Result<Option<Vec<HostId>>, StoreError> {
    let started = Instant::now();
    let scan = Scan::begin(conn, view)?;
    let mut statement = conn.prepare_cached(&one())?;
    let mut first = Vec::new();
    for (seen, id) in hosts.enumerate() {
        if seen % 64 == 63 && started.elapsed() > PATIENCE {
            return Ok(None);
        }
        let mut rows = statement.query([id.0])?;
        // One that is gone is left out.
        let Some(row) = rows.next()? else { continue };
        if keep(&scan.facts(row)?) {
            first.push(id);
            if first.len() == PAGE {
                break;
            }
        }
    }
    Ok(Some(first))
}

/// `kept` is in id order; the name index, which holds ids too, gives the order.
fn by_name(
    conn: &Connection,
    descending: bool,
    kept: &[(u64, i64)],
) -> Result<Vec<HostId>, StoreError> {
    let mut wanted = vec![0_u64; place(kept.last().map_or(0, |(_, id)| *id))? / 64 + 1];
    for (_, id) in kept {
        let at = place(*id)?;
        wanted[at / 64] |= 1 << (at % 64);
    }
    let way = if descending { "DESC" } else { "ASC" };
    let mut statement =
        conn.prepare_cached(&format!("SELECT id FROM hosts ORDER BY name {way}"))?;
    let mut rows = statement.query([])?;
    let mut ordered = Vec::with_capacity(kept.len());
    while let Some(row) = rows.next()? {
        let id: i64 = row.get(0)?;
        let at = place(id)?;
        if wanted
            .get(at / 64)
            .is_some_and(|bits| bits >> (at % 64) & 1 == 1)
        {
            ordered.push(HostId(id));
        }
    }
    Ok(ordered)
}

/// Gives each site of `kept` the rank of its name, and sorts by it.
fn by_site(conn: &Connection, descending: bool, kept: &mut [(u64, i64)]) -> Result<(), StoreError> {
    let last: Option<i64> = conn
        .prepare_cached("SELECT max(id) FROM sites")?
        .query_row([], |row| row.get(0))?;
    let mut ranks = vec![u32::MAX; place(last.unwrap_or(0))? + 1];
    let way = if descending { "DESC" } else { "ASC" };
    let mut statement =
        conn.prepare_cached(&format!("SELECT id FROM sites ORDER BY name {way}"))?;
    let mut rows = statement.query([])?;
    let mut rank = 0_u32;
    while let Some(row) = rows.next()? {
        // A site that came after `last` was asked for has no host here, or ranks last.
        if let Some(slot) = ranks.get_mut(place(row.get(0)?)?) {
            *slot = rank;
        }
        rank += 1;
    }
    for (key, _) in kept.iter_mut() {
        let site = usize::try_from(*key).unwrap_or(usize::MAX);
        *key = u64::from(ranks.get(site).copied().unwrap_or(u32::MAX));
    }
    kept.sort_unstable();
    Ok(())
}

fn place(id: i64) -> Result<usize, StoreError> {
    if (0..MOST).contains(&id) {
        return Ok(usize::try_from(id).unwrap_or(0));
    }
    Err(damaged(format!("an id is out of range: {id}")))
}
