//! The writer's jobs. Each looks first and writes then: see `Session::apply`.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::commit::{Session, UnderWay};
use super::totals::{self, Kind};
use super::{
    Change, Finished, HostId, Intent, ProcessId, RequestKey, RobotsFetch, RobotsId, Run, RunId,
    RunStart, SiteWait, StoreError, Stored, Totals, VisitEnd, blobs, history, hosts, requests,
    runs, visits,
};
use crate::fetch::Outcome;
use crate::hosts::Host;
use crate::robots::Access;

pub(super) fn begin_run(session: &mut Session, start: &RunStart) -> Result<Run, StoreError> {
    runs::begin(&session.conn, &mut session.interner, start)
}

pub(super) fn begin_process(
    session: &mut Session,
    run: RunId,
    at: Timestamp,
    policy_toml: &str,
) -> Result<ProcessId, StoreError> {
    let first = runs::processes(&session.conn, run)?.is_empty();
    let id = runs::begin_process(&session.conn, &mut session.interner, run, at, policy_toml)?;
    session.tallies.begin(run, first);
    Ok(id)
}

pub(super) fn shift_clock(
    session: &mut Session,
    process: ProcessId,
    shift_ms: i64,
) -> Result<(), StoreError> {
    runs::shift_clock(&session.conn, process, shift_ms)
}

pub(super) fn end_run(
    session: &mut Session,
    run: RunId,
    at: Timestamp,
) -> Result<Totals, StoreError> {
    runs::end(&session.conn, run, at)?;
    session.write_counts()?;
    totals::read(&session.conn, run)
}

pub(super) fn intent(session: &mut Session, intent: &Intent) -> Result<RequestKey, StoreError> {
    let (run, started_ms) = process(session, intent.process)?;
    if run != intent.run {
        return Err(StoreError::NotFound(format!(
            "process {} works on another run",
            intent.process.0
        )));
    }
    let key = requests::insert(&session.conn, &mut session.interner, intent, started_ms)?;
    session.counts.request_at(run, key.at_ms);
    let under_way = UnderWay {
        process: intent.process,
        host: intent.host,
        turn: intent.turn,
    };
    session.under_way.insert(key, under_way);
    session.tallies.asked(intent);
    session.failpoints.hit("intent.applied");
    Ok(key)
}

pub(super) fn withdraw(
    session: &mut Session,
    run: RunId,
    key: RequestKey,
) -> Result<(), StoreError> {
    requests::withdraw(&session.conn, key)?;
    if let Some(known) = session.under_way.remove(&key) {
        session.tallies.withdrawn(known.host, known.turn);
    }
    let word = Outcome::Withdrawn.word().to_owned();
    session.counts.add_key(run, Kind::Outcome, word, 1);
    Ok(())
}

pub(super) fn finish(session: &mut Session, finished: &Finished) -> Result<Stored, StoreError> {
    let known = session.under_way.remove(&finished.key);
    let process_id = match known {
        Some(known) => known.process,
        None => requests::process(&session.conn, finished.key)?,
    };
    let (_, started_ms) = process(session, process_id)?;
    requests::finish(&session.conn, &mut session.interner, finished, started_ms)?;
    if let Some(known) = known {
        session.tallies.ended(known.turn, finished);
    }
    let (change, confirmed) = history::observe(
        &session.conn,
        &mut session.interner,
        &mut session.packer,
        &mut session.counts,
        finished,
    )?;
    let robots = match &finished.robots {
        Some(fetch) => Some(robots(session, fetch)?),
        None => None,
    };
    if let Some(wait) = &finished.site_wait {
        site_wait(session, finished.key, wait)?;
    }
    count(session, finished, change);
    session.failpoints.hit("commit.applied");
    Ok(Stored {
        change,
        confirmed,
        robots,
    })
}

fn count(session: &mut Session, finished: &Finished, change: Change) {
    let (run, counts) = (finished.run, &mut session.counts);
    let word = finished.outcome.word().to_owned();
    counts.add_key(run, Kind::Outcome, word, 1);
    if finished.outcome == Outcome::Withdrawn {
        return;
    }
    counts.add(run, Kind::Requests, 1);
    if let Some(status) = finished.status {
        counts.add_key(run, Kind::Status, status.to_string(), 1);
    }
    counts.add(run, Kind::WireBytes, finished.wire_bytes);
    counts.add(run, Kind::BodyBytes, finished.body_bytes);
    if matches!(change, Change::New | Change::Changed | Change::Back) {
        counts.add(run, Kind::VersionsNew, 1);
    }
    counts.add(
        run,
        Kind::ToldToWait,
        u64::from(finished.site_wait.is_some()),
    );
    let access = finished.robots.as_ref();
    if let Some(access) = access.and_then(|fetch| Access::from_word(&fetch.access)) {
        let is_file = matches!(finished.outcome, Outcome::Present | Outcome::NotModified);
        let slot = Totals::robots_slot(access, is_file);
        counts.add_key(run, Kind::Robots, slot.to_string(), 1);
    }
}

fn process(session: &mut Session, id: ProcessId) -> Result<(RunId, i64), StoreError> {
    if let Some(known) = session.processes.get(&id) {
        return Ok(*known);
    }
    let found = runs::process(&session.conn, id)?;
    session.processes.insert(id, found);
    Ok(found)
}

fn robots(session: &mut Session, fetch: &RobotsFetch) -> Result<RobotsId, StoreError> {
    let (conn, interner) = (&session.conn, &mut session.interner);
    let blob = match &fetch.sha256 {
        Some(sha256) => blobs::find(conn, sha256)?,
        None => None,
    };
    // Without a body the digest alone stays as evidence.
    let digest_alone = fetch.sha256.filter(|_| blob.is_none());
    let access = interner.text(conn, &fetch.access)?;
    let url = interner.text(conn, &fetch.url)?;
    let signals = interner.text(conn, &fetch.signals)?;
    let id = conn
        .prepare_cached(
            "INSERT INTO robots (host, at_ms, status, access, redirects, url, blob, sha256,
               valid_until_ms, delay, delay_line, signals)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
        )?
        .insert(params![
            fetch.host.0,
            fetch.at.as_millisecond(),
            fetch.status,
            access,
            fetch.redirects,
            url,
            blob,
            digest_alone,
            fetch.valid_until.as_millisecond(),
            fetch.delay.map(|(seconds, _)| seconds),
            fetch.delay.map(|(_, line)| line),
            signals,
        ])?;
    Ok(RobotsId(id))
}

/// A wait never shortens one that stands (PC4).
fn site_wait(session: &Session, key: RequestKey, wait: &SiteWait) -> Result<(), StoreError> {
    session
        .conn
        .prepare_cached(
            "UPDATE sites SET wait_until_ms = ?2, wait_cause = ?3
             WHERE id = ?1 AND coalesce(wait_until_ms, ?2) <= ?2",
        )?
        .execute(params![key.site.0, wait.until.as_millisecond(), wait.cause])?;
    Ok(())
}

pub(super) fn end_visit(session: &mut Session, end: &VisitEnd) -> Result<(), StoreError> {
    visits::end(
        &session.conn,
        &mut session.interner,
        &mut session.counts,
        &mut session.tallies,
        end,
    )
}

pub(super) fn discover(
    session: &mut Session,
    host: &Host,
    from: HostId,
    at: Timestamp,
) -> Result<HostId, StoreError> {
    if let Some((id, _)) = hosts::find(&session.conn, host)? {
        return Ok(id);
    }
    let site: i64 = session
        .conn
        .prepare_cached("SELECT site FROM hosts WHERE id = ?1")?
        .query_row([from.0], |row| row.get(0))
        .optional()?
        .ok_or_else(|| {
            StoreError::NotFound(format!("there is no host {} in this store", from.0))
        })?;
    let id = session
        .conn
        .prepare_cached(
            "INSERT INTO hosts (site, name, found_from, found_ms) VALUES (?1, ?2, ?3, ?4)",
        )?
        .insert(params![site, host.as_str(), from.0, at.as_millisecond()])?;
    Ok(HostId(id))
}

pub(super) fn reached(
    session: &mut Session,
    name: &str,
    value: &str,
    at: Timestamp,
) -> Result<(), StoreError> {
    let changed = session
        .conn
        .prepare_cached("UPDATE control SET reached = ?2, at_ms = ?3 WHERE name = ?1")?
        .execute(params![name, value, at.as_millisecond()])?;
    if changed == 0 {
        return Err(StoreError::NotFound(format!(
            "there is no control named {name}"
        )));
    }
    Ok(())
}
