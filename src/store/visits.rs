//! Ends of visits: the row, the states it leaves, when the host is due again.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::browse::newest;
use super::browse::tallies::Tallies;
use super::history::{self, Place};
use super::intern::{Interner, target_of};
use super::pack::{damaged, denied, host, state, time, undenied};
use super::totals::{Counts, Kind};
use super::{
    HostId, RobotsId, RunId, SpanState, StoreError, VisitEnd, VisitKind, VisitOutcome, VisitRecord,
    hosts, runs,
};

impl VisitOutcome {
    /// The word stored and counted by: `done`, `closed:too_large`, `site_limited`…
    pub fn word(&self) -> String {
        let (word, about) = self.parts();
        match (self, about) {
            (VisitOutcome::Closed(_), Some(reason)) => format!("{word}:{reason}"),
            _ => word.to_owned(),
        }
    }

    /// Word and what it is about, apart.
    fn parts(&self) -> (&'static str, Option<String>) {
        match self {
            VisitOutcome::Done => ("done", None),
            VisitOutcome::Closed(reason) => ("closed", Some(reason.clone())),
            VisitOutcome::Limited => ("limited", None),
            VisitOutcome::SiteLimited => ("site_limited", None),
            VisitOutcome::Challenge => ("challenge", None),
            VisitOutcome::Blocked => ("blocked", None),
            VisitOutcome::Moved(host) => ("moved", Some(host.0.to_string())),
            VisitOutcome::SameAs(host) => ("same_as", Some(host.0.to_string())),
            VisitOutcome::BudgetSpent => ("budget_spent", None),
            VisitOutcome::WindowOver => ("window_over", None),
            VisitOutcome::Suppressed => ("suppressed", None),
            VisitOutcome::Held => ("held", None),
        }
    }

    /// The outcome of its parts; none if no version ever wrote them.
    fn from_parts(word: &str, about: Option<String>) -> Option<VisitOutcome> {
        let host = |about: Option<String>| about?.parse().ok().map(HostId);
        Some(match word {
            "done" => VisitOutcome::Done,
            "closed" => VisitOutcome::Closed(about.unwrap_or_default()),
            "limited" => VisitOutcome::Limited,
            "site_limited" => VisitOutcome::SiteLimited,
            "challenge" => VisitOutcome::Challenge,
            "blocked" => VisitOutcome::Blocked,
            "moved" => VisitOutcome::Moved(host(about)?),
            "same_as" => VisitOutcome::SameAs(host(about)?),
            "budget_spent" => VisitOutcome::BudgetSpent,
            "window_over" => VisitOutcome::WindowOver,
            "suppressed" => VisitOutcome::Suppressed,
            "held" => VisitOutcome::Held,
            _ => return None,
        })
    }
}

/// Commits the end of a visit. A turn that has ended stays as it was first told. Only a host that is
/// closed and due again inside the window has another turn in this run (RB9).
pub(super) fn end(
    conn: &Connection,
    interner: &mut Interner,
    counts: &mut Counts,
    tallies: &mut Tallies,
    end: &VisitEnd,
) -> Result<(), StoreError> {
    let Some(kind) = VisitKind::of(&end.outcome) else {
        // Held: the host stays due, the visit goes on after release.
        return Ok(());
    };
    let window_ends_ms = runs::window_ends(conn, end.run)?;
    let site: i64 = conn
        .prepare_cached("SELECT site FROM hosts WHERE id = ?1")?
        .query_row([end.host.0], |row| row.get(0))
        .optional()?
        .ok_or_else(|| no_host(end.host))?;
    if let VisitOutcome::Moved(to) = end.outcome {
        hosts::by_id(conn, to)?;
    }
    let mut list = Vec::with_capacity(end.denied.len());
    for (path, robots, line) in &end.denied {
        list.push((interner.target(conn, path)?, *robots, *line));
    }
    let states: Vec<u8> = end.locations.iter().map(|state| *state as u8).collect();
    let (word, about) = end.outcome.parts();
    let at_ms = end.at.as_millisecond();
    let new = conn
        .prepare_cached(
            "INSERT OR IGNORE INTO visits (run, site, host, turn, outcome, about, ended_ms,
               locations, denied, previous_ms)
             SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,
               CASE WHEN visited_run IS ?1 THEN before_ms ELSE visited_ms END
             FROM hosts WHERE id = ?3",
        )?
        .execute(params![
            end.run.0,
            site,
            end.host.0,
            end.turn,
            word,
            about,
            at_ms,
            states,
            denied(&list),
        ])?;
    if new == 0 {
        return Ok(());
    }
    counts.add_key(end.run, Kind::Host, end.outcome.word(), 1);
    counts.add(end.run, Kind::Denied, end.denied.len() as u64);
    let not_asked = end
        .locations
        .iter()
        .filter(|state| **state == SpanState::NotAsked);
    let word = end.outcome.word();
    counts.add_key(end.run, Kind::NotAsked, word, not_asked.count() as u64);
    deny(conn, &list, end)?;
    let due_ms = end.due.as_millisecond();
    let again = matches!(end.outcome, VisitOutcome::Closed(_))
        && (at_ms + 1..window_ends_ms).contains(&due_ms);
    let newest = newest::of(conn, tallies, site, end, kind)?;
    visited(conn, end, end.host, &newest.own, !again)?;
    if let VisitOutcome::Moved(to) = end.outcome {
        // The host that took the visit over is claimed for this run; the end of its own part stands.
        visited(conn, end, to, &newest.claimed, true)?;
    }
    if end.alias.is_some() || end.outcome == VisitOutcome::Done {
        conn.prepare_cached("UPDATE hosts SET alias = ?2 WHERE id = ?1 AND alias IS NOT ?2")?
            .execute(params![end.host.0, end.alias.map(|id| id.0)])?;
    }
    Ok(())
}

/// Spans of what robots.txt denied, for the host whose robots.txt it was.
fn deny(
    conn: &Connection,
    list: &[(i64, RobotsId, u32)],
    end: &VisitEnd,
) -> Result<(), StoreError> {
    for (target, robots, _) in list {
        let owner: Option<i64> = conn
            .prepare_cached("SELECT host FROM robots WHERE id = ?1")?
            .query_row([robots.0], |row| row.get(0))
            .optional()?;
        let place = Place {
            host: owner.unwrap_or(end.host.0),
            target: *target,
            at_ms: end.at.as_millisecond(),
        };
        history::enter(conn, place, SpanState::Denied, None, None)?;
    }
    Ok(())
}

fn visited(
    conn: &Connection,
    end: &VisitEnd,
    host: HostId,
    newest: &[u8],
    done: bool,
) -> Result<(), StoreError> {
    // A host met through a redirect and never offered by a list (due_ms null) stays so.
    conn.prepare_cached(
        "UPDATE hosts SET
               before_ms = CASE WHEN visited_run IS ?2 THEN before_ms ELSE visited_ms END,
               visited_run = ?2, visited_ms = ?3,
               due_ms = CASE WHEN due_ms IS NULL THEN NULL ELSE ?4 END,
               done_run = CASE WHEN ?5 THEN ?2 ELSE done_run END,
               newest = CASE WHEN ?7 AND visited_run IS ?2 THEN newest ELSE ?6 END
             WHERE id = ?1",
    )?
    .execute(params![
        host.0,
        end.run.0,
        end.at.as_millisecond(),
        end.due.as_millisecond(),
        done,
        newest,
        host != end.host,
    ])?;
    Ok(())
}

fn no_host(host: HostId) -> StoreError {
    StoreError::NotFound(format!("there is no host {} in this store", host.0))
}

/// Columns of a visit as [`record`] reads them, of `visits v` and `hosts h`.
pub(super) const COLUMNS: &str = "
v.run, v.site, v.host, v.turn, v.outcome, v.about, v.ended_ms, v.locations, v.denied, v.previous_ms,
h.name, h.source IS NOT NULL OR h.found_from IS NOT NULL";

/// Visits of a run in (site, host, turn) order after a key; `?2, ?3, ?4` is the key.
pub(super) fn page() -> String {
    format!(
        "SELECT {COLUMNS}
FROM visits v CROSS JOIN hosts h ON h.id = v.host
WHERE v.run = ?1 AND (v.site, v.host, v.turn) > (?2, ?3, ?4)
ORDER BY v.site, v.host, v.turn LIMIT ?5"
    )
}

/// A stored outcome.
pub(super) fn outcome(word: &str, about: Option<String>) -> Result<VisitOutcome, StoreError> {
    VisitOutcome::from_parts(word, about)
        .ok_or_else(|| damaged(format!("unknown visit outcome {word}")))
}

/// Stored states of the locations of a visit.
pub(super) fn locations(states: Vec<u8>) -> Result<Vec<SpanState>, StoreError> {
    states.into_iter().map(state).collect()
}

/// One row of [`COLUMNS`], with its site for the next key.
pub(super) fn record(conn: &Connection, row: &Row<'_>) -> Result<(i64, VisitRecord), StoreError> {
    let word: String = row.get(4)?;
    let outcome = outcome(&word, row.get(5)?)?;
    let locations = locations(row.get(7)?)?;
    let mut denied = Vec::new();
    if let Some(bytes) = row.get::<_, Option<Vec<u8>>>(8)? {
        for (target, robots, line) in undenied(&bytes)? {
            denied.push((target_of(conn, target)?, robots, line));
        }
    }
    let name: String = row.get(10)?;
    let record = VisitRecord {
        run: RunId(row.get(0)?),
        host: HostId(row.get(2)?),
        host_name: host(&name)?,
        turn: row.get(3)?,
        outcome,
        ended: time(row.get(6)?),
        locations,
        denied,
        source_known: row.get(11)?,
        previous: row.get::<_, Option<i64>>(9)?.map(time),
    };
    Ok((row.get(1)?, record))
}
