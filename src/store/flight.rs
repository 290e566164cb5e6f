//! Which hosts have their turn at this moment, as far as the rows of the newest process tell.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension, params};

use super::{Flight, HostId, StoreError};

/// Hosts in flight among the sites of one page of hosts. One look at the newest row of each site: of a
/// site only one host is asked at a time. // PC1
pub(super) fn in_flight(
    conn: &Connection,
    after: Option<HostId>,
    limit: usize,
) -> Result<HashMap<HostId, Flight>, StoreError> {
    let mut flights = HashMap::new();
    let Some(process) = at_work(conn)? else {
        return Ok(flights);
    };
    let mut sites = conn.prepare_cached(
        "SELECT DISTINCT site FROM (SELECT site FROM hosts WHERE id > ?1 ORDER BY id LIMIT ?2)",
    )?;
    let mut newest = conn.prepare_cached(
        "SELECT process, host, asked, outcome FROM requests
         WHERE site = ?1 ORDER BY site DESC, at_ms DESC, seq DESC LIMIT 1",
    )?;
    let mut rows = sites.query(params![after.map_or(-1, |host| host.0), limit as i64])?;
    while let Some(row) = rows.next()? {
        let site: i64 = row.get(0)?;
        let found = newest
            .query_row([site], |row| {
                let (of, host): (i64, i64) = (row.get(0)?, row.get(1)?);
                let (asked, outcome): (Option<String>, Option<i64>) = (row.get(2)?, row.get(3)?);
                Ok((of, host, asked, outcome))
            })
            .optional()?;
        let Some((_, host, asked, outcome)) = found.filter(|(of, ..)| *of == process) else {
            continue;
        };
        let flight = match outcome {
            None => Flight::Asking,
            Some(_) => Flight::Resting,
        };
        // The host asked may be another one than that whose turn it is: a hop, or after a move.
        for host in std::iter::once(host).chain(visit_of(asked.as_deref())) {
            flights.insert(HostId(host), flight);
        }
    }
    Ok(flights)
}

/// The newest process, if its run has not ended.
fn at_work(conn: &Connection) -> Result<Option<i64>, StoreError> {
    let process = conn
        .prepare_cached(
            "SELECT p.id FROM processes p JOIN runs r ON r.id = p.run
             WHERE p.id = (SELECT max(id) FROM processes) AND r.ended_ms IS NULL",
        )?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(process)
}

/// The host whose visit a request belongs to, where that is not the host asked.
fn visit_of(asked: Option<&str>) -> Option<i64> {
    let asked: serde_json::Value = serde_json::from_str(asked?).ok()?;
    asked.get("visit")?.as_i64()
}
