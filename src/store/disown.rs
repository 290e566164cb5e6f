//! One body at locations of different kinds is no file at any of them (T11): what was kept as a file
//! before the second one came is taken back.

use rusqlite::{Connection, params};

use super::changes::{self, Known, Shown};
use super::history::{self, Place};
use super::totals::{Counts, Kind};
use super::{RunId, SpanState, StoreError, blobs};

/// robots.txt is never judged as a soft 404 (RB10).
const HELD: &str = "
SELECT v.target, v.number, v.first_ms >= r.started_ms
FROM versions v JOIN targets t ON t.id = v.target JOIN runs r ON r.id = ?3
WHERE v.host = ?1 AND v.blob = ?2 AND t.text <> '/robots.txt' AND v.last_ms >= r.started_ms
  AND v.number = (SELECT max(n.number) FROM versions n WHERE n.host = v.host AND n.target = v.target)";

/// Takes back what this run saw of `found` at other locations of the host: from now on they are soft
/// 404s, and a version that began in this run is none.
pub(super) fn disown(
    conn: &Connection,
    counts: &mut Counts,
    run: RunId,
    at: Place,
    found: (&[u8; 32], u64),
) -> Result<(), StoreError> {
    let Some(blob) = blobs::find(conn, found.0)? else {
        return Ok(());
    };
    let mut statement = conn.prepare_cached(HELD)?;
    let rows = statement.query_map(params![at.host, blob, run.0], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?))
    })?;
    let held: Vec<(i64, i64, bool)> = rows.collect::<Result<_, _>>()?;
    for (target, number, began) in held {
        let place = Place { target, ..at };
        let known = Known::read(conn, place)?;
        history::enter(conn, place, SpanState::SoftAbsent, Some(found), Some(200))?;
        changes::note(conn, counts, run, place, known, Shown::Absent)?;
        if began {
            conn.prepare_cached(
                "DELETE FROM versions WHERE host = ?1 AND target = ?2 AND number = ?3",
            )?
            .execute([place.host, target, number])?;
            counts.take_key(run, Kind::VersionsNew, "");
        }
    }
    Ok(())
}
