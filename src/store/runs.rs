//! Runs and the processes that work on them.

use std::collections::HashMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::intern::{Interner, text_of};
use super::pack::{damaged, time, uncount};
use super::{ProcessId, Run, RunId, RunStart, RunSummary, StoreError, changes, totals};

/// Starts or resumes the run of a period. Loopback runs and real ones never share a store: what is
/// due, waited for or held after the one would be taken for the other's.
pub(super) fn begin(
    conn: &Connection,
    interner: &mut Interner,
    start: &RunStart,
) -> Result<Run, StoreError> {
    if has_runs(conn, !start.loopback)? {
        return Err(StoreError::OtherReach {
            loopback: start.loopback,
        });
    }
    let user_agent = interner.text(conn, &start.user_agent)?;
    let policy = interner.text(conn, &start.policy_toml)?;
    conn.prepare_cached(
        "INSERT INTO runs (label, started_ms, window_ends_ms, loopback, scheme, user_agent,
           source_ip, policy)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (label) DO UPDATE SET ended_ms = NULL",
    )?
    .execute(params![
        start.label,
        start.at.as_millisecond(),
        start.window_ends.as_millisecond(),
        start.loopback,
        start.scheme,
        user_agent,
        start.source_ip.map(|ip| ip.to_string()),
        policy,
    ])?;
    by_label(conn, &start.label)?.ok_or_else(|| damaged("a run that was just begun is not there"))
}

fn has_runs(conn: &Connection, loopback: bool) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM runs WHERE loopback = ?1)";
    Ok(conn
        .prepare_cached(sql)?
        .query_row([loopback], |row| row.get(0))?)
}

/// A process begins to work on a run.
pub(super) fn begin_process(
    conn: &Connection,
    interner: &mut Interner,
    run: RunId,
    at: Timestamp,
    policy_toml: &str,
) -> Result<ProcessId, StoreError> {
    window_ends(conn, run)?;
    let policy = interner.text(conn, policy_toml)?;
    let id = conn
        .prepare_cached("INSERT INTO processes (run, started_ms, policy) VALUES (?1, ?2, ?3)")?
        .insert(params![run.0, at.as_millisecond(), policy])?;
    Ok(ProcessId(id))
}

/// Marks a run as ended.
pub(super) fn end(conn: &Connection, run: RunId, at: Timestamp) -> Result<(), StoreError> {
    let changed = conn
        .prepare_cached("UPDATE runs SET ended_ms = ?2 WHERE id = ?1")?
        .execute(params![run.0, at.as_millisecond()])?;
    if changed == 0 {
        return Err(no_run(run));
    }
    Ok(())
}

/// When a run may ask no more, UTC milliseconds.
pub(super) fn window_ends(conn: &Connection, run: RunId) -> Result<i64, StoreError> {
    conn.prepare_cached("SELECT window_ends_ms FROM runs WHERE id = ?1")?
        .query_row([run.0], |row| row.get(0))
        .optional()?
        .ok_or_else(|| no_run(run))
}

fn no_run(run: RunId) -> StoreError {
    StoreError::NotFound(format!("there is no run {} in this store", run.0))
}

const SELECT: &str = "SELECT id, label, started_ms, window_ends_ms, ended_ms, loopback, scheme,
  user_agent, source_ip, policy FROM runs ";

fn run(conn: &Connection, row: &Row<'_>) -> Result<Run, StoreError> {
    Ok(Run {
        id: RunId(row.get(0)?),
        start: RunStart {
            label: row.get(1)?,
            at: time(row.get(2)?),
            window_ends: time(row.get(3)?),
            loopback: row.get(5)?,
            scheme: row.get(6)?,
            user_agent: text_of(conn, row.get(7)?)?,
            source_ip: row
                .get::<_, Option<String>>(8)?
                .and_then(|text| text.parse().ok()),
            policy_toml: text_of(conn, row.get(9)?)?,
        },
        ended: row.get::<_, Option<i64>>(4)?.map(time),
    })
}

/// The run of a period label.
pub(super) fn by_label(conn: &Connection, label: &str) -> Result<Option<Run>, StoreError> {
    let sql = format!("{SELECT} WHERE label = ?1");
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query([label])?;
    rows.next()?.map(|row| run(conn, row)).transpose()
}

/// All runs, newest first.
pub(super) fn all(conn: &Connection) -> Result<Vec<Run>, StoreError> {
    let sql = format!("{SELECT} ORDER BY started_ms DESC, id DESC");
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query([])?;
    let mut runs = Vec::new();
    while let Some(row) = rows.next()? {
        runs.push(run(conn, row)?);
    }
    Ok(runs)
}

/// Whether a run began before changes were written as they happen.
pub(super) fn is_sparse(conn: &Connection, run: RunId) -> Result<bool, StoreError> {
    conn.prepare_cached("SELECT sparse FROM runs WHERE id = ?1")?
        .query_row([run.0], |row| row.get(0))
        .optional()?
        .ok_or_else(|| no_run(run))
}

/// All runs as wholes, newest first.
pub(super) fn summaries(conn: &Connection) -> Result<Vec<RunSummary>, StoreError> {
    let each = |run: Run| {
        let id = run.id;
        let totals = totals::read(conn, id)?;
        let (first, last, sparse): (Option<i64>, Option<i64>, bool) = conn
            .prepare_cached("SELECT first_ms, last_ms, sparse FROM runs WHERE id = ?1")?
            .query_row([id.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(RunSummary {
            run,
            changes: changes::counts(&totals),
            confirmed: totals.changes.get("unchanged").copied().unwrap_or(0),
            totals,
            sparse,
            asked: first.map(time).zip(last.map(time)),
            processes: uncount(
                conn.prepare_cached("SELECT count(*) FROM processes WHERE run = ?1")?
                    .query_row([id.0], |row| row.get(0))?,
            ),
        })
    };
    all(conn)?.into_iter().map(each).collect()
}

/// Processes of a run in the order they began.
pub(super) fn processes(
    conn: &Connection,
    run: RunId,
) -> Result<Vec<(ProcessId, Timestamp, String)>, StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT p.id, p.started_ms, t.text FROM processes p JOIN texts t ON t.id = p.policy
         WHERE p.run = ?1 ORDER BY p.id",
    )?;
    let rows = statement.query_map([run.0], |row| {
        Ok((ProcessId(row.get(0)?), time(row.get(1)?), row.get(2)?))
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Notes how far the clock of a process is ahead of the system's.
pub(super) fn shift_clock(
    conn: &Connection,
    process: ProcessId,
    shift_ms: i64,
) -> Result<(), StoreError> {
    conn.prepare_cached("UPDATE processes SET shift_ms = ?2 WHERE id = ?1")?
        .execute([process.0, shift_ms])?;
    Ok(())
}

/// How far the clock of each process of a run was ahead of the system's, milliseconds.
pub(super) fn clock_shifts(
    conn: &Connection,
    run: RunId,
) -> Result<HashMap<ProcessId, i64>, StoreError> {
    let mut statement = conn.prepare_cached("SELECT id, shift_ms FROM processes WHERE run = ?1")?;
    let rows = statement.query_map([run.0], |row| Ok((ProcessId(row.get(0)?), row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The last time known of a run: its processes, requests, visits, and what was journalled in it.
pub(super) fn last_seen(conn: &Connection, run: RunId) -> Result<Timestamp, StoreError> {
    let last = conn
        .prepare_cached(
            "SELECT max(coalesce(last_ms, started_ms), started_ms, coalesce(ended_ms, 0),
               (SELECT coalesce(max(p.started_ms), 0) FROM processes p WHERE p.run = runs.id),
               (SELECT coalesce(max(q.at_ms + coalesce(q.sent_ms, 0) + coalesce(q.took_ms, 0)), 0)
                FROM requests q JOIN processes p ON p.id = q.process WHERE p.run = runs.id),
               (SELECT coalesce(max(v.ended_ms), 0) FROM visits v WHERE v.run = runs.id),
               (SELECT coalesce(max(j.at_ms), 0) FROM journal j
                WHERE j.at_ms BETWEEN runs.started_ms AND runs.window_ends_ms - 1))
             FROM runs WHERE id = ?1",
        )?
        .query_row([run.0], |row| row.get(0))
        .optional()?;
    last.map(time).ok_or_else(|| no_run(run))
}

/// Start of a process and the run it works on.
pub(super) fn process(conn: &Connection, id: ProcessId) -> Result<(RunId, i64), StoreError> {
    conn.prepare_cached("SELECT run, started_ms FROM processes WHERE id = ?1")?
        .query_row([id.0], |row| Ok((RunId(row.get(0)?), row.get(1)?)))
        .optional()?
        .ok_or_else(|| StoreError::NotFound(format!("there is no process {} in this store", id.0)))
}
