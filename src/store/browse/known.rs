//! What was known of a host once a past run was over.

use rusqlite::{Connection, OptionalExtension, params};

use super::super::pack::time;
use super::super::{Horizon, HostId, RunId, StoreError, Version, hosts, intern, versions};
use crate::fetch::Outcome;

/// The end of what was known with a run: the start of the next one; none for the newest.
pub(super) fn horizon(conn: &Connection, run: RunId) -> Result<Option<Horizon>, StoreError> {
    let next: Option<(i64, i64)> = conn
        .prepare_cached("SELECT id, started_ms FROM runs WHERE id > ?1 ORDER BY id LIMIT 1")?
        .query_row([run.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    Ok(next.map(|(id, started_ms)| Horizon {
        next: RunId(id),
        before: time(started_ms),
    }))
}

/// The newest answer before a time that confirmed what a location holds: a range of its site's log.
pub(super) const CONFIRMED: &str = "
SELECT at_ms + sent_ms + took_ms FROM requests
WHERE site = ?1 AND at_ms < ?2 AND host = ?3 AND target = ?4 AND outcome IN (?5, ?6)
  AND took_ms IS NOT NULL
ORDER BY at_ms DESC, seq DESC LIMIT 1";

pub(super) fn versions_known(
    conn: &Connection,
    id: HostId,
    horizon: Horizon,
) -> Result<Vec<Version>, StoreError> {
    let (_, site) = hosts::by_id(conn, id)?;
    let before_ms = horizon.before.as_millisecond();
    let mut known = versions::list(conn, id, None)?;
    known.retain(|version| version.first_seen < horizon.before);
    for version in &mut known {
        if version.last_seen < horizon.before {
            continue;
        }
        // It was seen again since: what was known then, the log tells.
        let target = intern::known_target(conn, &version.location)?;
        let seen: Option<i64> = conn
            .prepare_cached(CONFIRMED)?
            .query_row(
                params![
                    site.0,
                    before_ms,
                    id.0,
                    target,
                    Outcome::Present.code(),
                    Outcome::NotModified.code()
                ],
                |row| row.get(0),
            )
            .optional()?;
        let seen = seen.map_or(version.first_seen, time);
        version.last_seen = seen.max(version.first_seen);
    }
    Ok(known)
}
