//! Written at the end of a visit: what was counted of it, or else what the site's log says.

use rusqlite::{Connection, OptionalExtension};

use super::super::requests::Asked;
use super::super::{HostId, RunId, StoreError, VisitEnd, VisitKind, VisitOutcome};
use super::facts::{Tally, pack};
use super::tallies::Tallies;
use crate::fetch::Outcome;

/// Requests to other hosts in a row after which the host's own are taken to be all seen. They stand
/// together, but for a hold in between and for robots.txt hops of other visits; without a bound each
/// visit of a site with thousands of hosts would read the log of all of them.
const FOREIGN: u32 = 256;

/// `hosts.newest` of the host whose visit ended, and of the host that took it over if that has none yet.
pub(in crate::store) struct Newest {
    pub(in crate::store) own: Vec<u8>,
    pub(in crate::store) claimed: Vec<u8>,
}

/// What is to be written of a visit that ended.
pub(in crate::store) fn of(
    conn: &Connection,
    tallies: &mut Tallies,
    site: i64,
    end: &VisitEnd,
    kind: VisitKind,
) -> Result<Newest, StoreError> {
    let moved_to = match end.outcome {
        VisitOutcome::Moved(to) => Some(to),
        _ => None,
    };
    let (own, claimed) = match tallies.take(end.run, end.host, end.turn) {
        Some(own) => {
            let claimed = moved_to.and_then(|to| tallies.take(end.run, to, end.turn));
            (own, claimed.unwrap_or_default())
        }
        None => read_back(conn, site, end, moved_to)?,
    };
    let reason = match &end.outcome {
        VisitOutcome::Closed(reason) => reason,
        _ => "",
    };
    Ok(Newest {
        own: pack(&own.facts(kind, reason, end.denied.len())),
        claimed: pack(&claimed.facts(VisitKind::Claimed, "", 0)),
    })
}

/// Reads the requests of this turn, newest first, from the end of the site's log.
fn read_back(
    conn: &Connection,
    site: i64,
    end: &VisitEnd,
    moved_to: Option<HostId>,
) -> Result<(Tally, Tally), StoreError> {
    let (mut own, mut claimed) = (Tally::default(), Tally::default());
    let mut statement = conn.prepare_cached(BACKWARDS)?;
    let mut rows = statement.query([site])?;
    let (mut foreign, mut process) = (0, None);
    while let Some(row) = rows.next()? {
        let of: i64 = row.get(0)?;
        if process != Some(of) {
            if run_of(conn, of)? != Some(end.run) {
                break;
            }
            process = Some(of);
        }
        let host = HostId(row.get(1)?);
        let tally = if host == end.host {
            &mut own
        } else if moved_to == Some(host) {
            &mut claimed
        } else {
            foreign += 1;
            if foreign == FOREIGN {
                break;
            }
            continue;
        };
        foreign = 0;
        let asked = row.get_ref(2)?.as_str_or_null().ok().flatten();
        let outcome: Option<u8> = row.get(3)?;
        let outcome = outcome.and_then(Outcome::from_code);
        if Asked::turn_of(asked)? == end.turn && outcome != Some(Outcome::Withdrawn) {
            tally.requests += 1;
            tally.answer(outcome, row.get(4)?, row.get(5)?);
        }
    }
    Ok((own, claimed))
}

pub(super) const BACKWARDS: &str = "
SELECT process, host, asked, outcome, status, coalesce(body, wire, 0) FROM requests
WHERE site = ?1 ORDER BY at_ms DESC, seq DESC";

fn run_of(conn: &Connection, process: i64) -> Result<Option<RunId>, StoreError> {
    Ok(conn
        .prepare_cached("SELECT run FROM processes WHERE id = ?1")?
        .query_row([process], |row| Ok(RunId(row.get(0)?)))
        .optional()?)
}
