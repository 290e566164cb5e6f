//! The request log: one row before the first byte is sent, the same row filled in when the answer ended.

use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

use super::intern::{Interner, text_if};
use super::pack::{address, count, damaged, digest, host, small, time, unaddress, uncount};
use super::{
    Finished, HostId, Intent, Leave, LogRow, ProcessId, RequestKey, RobotsId, RunId, SiteId, Stamp,
    StoreError,
};
use crate::fetch::{Outcome, Validators};
use crate::policy::Method;

/// What is seldom there when a request is made, as JSON; texts by id.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Asked {
    /// Host whose visit it is, if another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    visit: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<u32>,
    #[serde(skip_serializing_if = "is_false")]
    head: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    etag: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modified: Option<i64>,
    /// Validators are held, both texts possibly absent.
    #[serde(skip_serializing_if = "is_false")]
    held: bool,
    #[serde(skip_serializing_if = "is_false")]
    conditional: bool,
    /// How far the key's time lies after the intent's, milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    later: Option<i64>,
}

impl Asked {
    /// The turn a stored text names; it is read only if it names one.
    pub(super) fn turn_of(text: Option<&str>) -> Result<u32, StoreError> {
        match text.filter(|text| text.contains("\"turn\"")) {
            None => Ok(1),
            text => Ok(unjson::<Asked>(text)?.turn.unwrap_or(1)),
        }
    }
}

/// What is seldom there when an answer ends, as JSON; texts by id.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct Answered {
    #[serde(skip_serializing_if = "Option::is_none")]
    redirect: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retry: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<i64>,
}

fn is_false(value: &bool) -> bool {
    !value
}

fn json<T: Serialize + Default + PartialEq>(value: &T) -> Result<Option<String>, StoreError> {
    if *value == T::default() {
        return Ok(None);
    }
    serde_json::to_string(value)
        .map(Some)
        .map_err(|error| damaged(error.to_string()))
}

fn unjson<T: for<'a> Deserialize<'a> + Default>(text: Option<&str>) -> Result<T, StoreError> {
    text.map_or_else(
        || Ok(T::default()),
        |text| {
            serde_json::from_str(text)
                .map_err(|error| damaged(format!("a request's evidence: {error}")))
        },
    )
}

/// Monotonic less wall time since the start of the process: constant unless the clock steps.
fn drift(stamp: Stamp, started_ms: i64) -> i64 {
    stamp.mono_ms - (stamp.utc.as_millisecond() - started_ms)
}

fn stamp(utc_ms: i64, drift: i64, started_ms: i64) -> Stamp {
    Stamp {
        utc: time(utc_ms),
        mono_ms: drift + (utc_ms - started_ms),
    }
}

/// Writes the row of an intent. `started_ms` is the start of its process.
pub(super) fn insert(
    conn: &Connection,
    interner: &mut Interner,
    intent: &Intent,
    started_ms: i64,
) -> Result<RequestKey, StoreError> {
    let utc_ms = intent.at.utc.as_millisecond();
    let newest: Option<(i64, i64)> = conn
        .prepare_cached(
            "SELECT at_ms, seq FROM requests WHERE site = ?1 ORDER BY at_ms DESC, seq DESC LIMIT 1",
        )?
        .query_row([intent.site.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    // Keys of a site never go back, whatever the clock does: its log stays one range in true order.
    let (at_ms, seq) = match newest {
        Some((newest, seq)) if newest >= utc_ms => (newest, seq + 1),
        _ => (utc_ms, 0),
    };
    let held = intent.held.as_ref();
    let asked = Asked {
        visit: (intent.visit_host != intent.host).then_some(intent.visit_host.0),
        turn: (intent.turn != 1).then_some(intent.turn),
        attempt: (intent.attempt != 1).then_some(intent.attempt),
        head: intent.method == Method::Head,
        etag: interner.optional(conn, held.and_then(|held| held.etag.as_deref()))?,
        modified: interner.optional(conn, held.and_then(|held| held.last_modified.as_deref()))?,
        held: held.is_some(),
        conditional: intent.conditional,
        later: (at_ms != utc_ms).then_some(at_ms - utc_ms),
    };
    let (robots, line) = match intent.leave {
        Leave::Robots => (None, None),
        Leave::NoRule(id) => (Some(id.0), Some(0)),
        Leave::Rule(id, line) => (Some(id.0), Some(line)),
        Leave::Open(id) => (Some(id.0), None),
    };
    let target = interner.target(conn, &intent.target)?;
    conn.prepare_cached(
        "INSERT INTO requests (site, at_ms, seq, process, host, target, drift, robots, line,
           gap_ms, asked)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?
    .execute(params![
        intent.site.0,
        at_ms,
        seq,
        intent.process.0,
        intent.host.0,
        target,
        drift(intent.at, started_ms),
        robots,
        line,
        intent.gap_ms,
        json(&asked)?,
    ])?;
    Ok(RequestKey {
        site: intent.site,
        at_ms,
        seq,
    })
}

/// Fills in the row of an intent whose answer ended. `started_ms` is the start of its process.
pub(super) fn finish(
    conn: &Connection,
    interner: &mut Interner,
    finished: &Finished,
    started_ms: i64,
) -> Result<(), StoreError> {
    let answered = Answered {
        redirect: interner.optional(conn, finished.redirect.as_deref())?,
        retry: finished.retry_after_ms,
        detail: interner.optional(conn, finished.detail.as_deref())?,
    };
    let coding = match finished.coding.as_str() {
        "" => None,
        coding => Some(interner.text(conn, coding)?),
    };
    let sent_ms = finished.sent.utc.as_millisecond();
    let same = finished.body_bytes == finished.wire_bytes;
    let changed = conn
        .prepare_cached(
            "UPDATE requests SET sent_ms = ?4, sent_drift = ?5, took_ms = ?6, took_drift = ?7,
               outcome = ?8, status = ?9, remote = ?10, coding = ?11, wire = ?12, body = ?13,
               sha256 = ?14, connection = ?15, answered = ?16
             WHERE site = ?1 AND at_ms = ?2 AND seq = ?3 AND outcome IS NULL",
        )?
        .execute(params![
            finished.key.site.0,
            finished.key.at_ms,
            finished.key.seq,
            sent_ms - finished.key.at_ms,
            drift(finished.sent, started_ms),
            finished.ended.utc.as_millisecond() - sent_ms,
            drift(finished.ended, started_ms),
            finished.outcome.code(),
            finished.status,
            finished.remote.map(address),
            coding,
            count(finished.wire_bytes),
            (!same).then_some(count(finished.body_bytes)),
            finished.sha256,
            finished.connection,
            json(&answered)?,
        ])?;
    under_way(changed, finished.key)
}

/// Marks a row as withdrawn: nothing was sent.
pub(super) fn withdraw(conn: &Connection, key: RequestKey) -> Result<(), StoreError> {
    let changed = conn
        .prepare_cached(
            "UPDATE requests SET outcome = ?4
             WHERE site = ?1 AND at_ms = ?2 AND seq = ?3 AND outcome IS NULL",
        )?
        .execute(params![
            key.site.0,
            key.at_ms,
            key.seq,
            Outcome::Withdrawn.code()
        ])?;
    under_way(changed, key)
}

fn under_way(changed: usize, key: RequestKey) -> Result<(), StoreError> {
    if changed == 1 {
        return Ok(());
    }
    Err(StoreError::NotFound(format!(
        "no request of site {} at {} is under way",
        key.site.0,
        time(key.at_ms)
    )))
}

/// The process that made a request.
pub(super) fn process(conn: &Connection, key: RequestKey) -> Result<ProcessId, StoreError> {
    conn.prepare_cached("SELECT process FROM requests WHERE site = ?1 AND at_ms = ?2 AND seq = ?3")?
        .query_row([key.site.0, key.at_ms, key.seq], |row| {
            Ok(ProcessId(row.get(0)?))
        })
        .optional()?
        .map_or_else(|| under_way(0, key).map(|()| ProcessId(0)), Ok)
}

/// Rows of the log as [`log_row`] reads them; a WHERE and an ORDER BY on `r` follow.
pub(super) const SELECT: &str = "
SELECT r.site, r.at_ms, r.seq, r.process, r.host, r.drift, r.robots, r.line, r.gap_ms, r.asked,
  r.sent_ms, r.sent_drift, r.took_ms, r.took_drift, r.outcome, r.status, r.remote, r.coding,
  r.wire, r.body, r.sha256, r.connection, r.answered, t.text, h.name, p.run, p.started_ms
FROM requests r CROSS JOIN targets t ON t.id = r.target CROSS JOIN hosts h ON h.id = r.host
  CROSS JOIN processes p ON p.id = r.process ";

/// One row of [`SELECT`].
pub(super) fn log_row(conn: &Connection, row: &Row<'_>) -> Result<LogRow, StoreError> {
    let asked: Asked = unjson(row.get::<_, Option<String>>(9)?.as_deref())?;
    let answered: Answered = unjson(row.get::<_, Option<String>>(22)?.as_deref())?;
    let key = RequestKey {
        site: SiteId(row.get(0)?),
        at_ms: row.get(1)?,
        seq: row.get(2)?,
    };
    let started_ms: i64 = row.get(26)?;
    let asked_host: i64 = row.get(4)?;
    let intent_ms = key.at_ms - asked.later.unwrap_or(0);
    let sent_ms = row.get::<_, Option<i64>>(10)?.map(|ms| ms + key.at_ms);
    let sent = match (sent_ms, row.get(11)?) {
        (Some(ms), Some(drift)) => Some(stamp(ms, drift, started_ms)),
        _ => None,
    };
    let ended = match (sent_ms, row.get::<_, Option<i64>>(12)?, row.get(13)?) {
        (Some(sent), Some(took), Some(drift)) => Some(stamp(sent + took, drift, started_ms)),
        _ => None,
    };
    let robots = row.get::<_, Option<i64>>(6)?.map(RobotsId);
    let leave = match (robots, row.get::<_, Option<i64>>(7)?) {
        (None, _) => Leave::Robots,
        (Some(id), None) => Leave::Open(id),
        (Some(id), Some(0)) => Leave::NoRule(id),
        (Some(id), Some(line)) => Leave::Rule(id, small(line)?),
    };
    let held = asked.held.then_some(()).map(|()| {
        Ok::<_, StoreError>(Validators {
            etag: text_if(conn, asked.etag)?,
            last_modified: text_if(conn, asked.modified)?,
        })
    });
    let wire = row.get::<_, Option<i64>>(18)?.unwrap_or(0);
    Ok(LogRow {
        key,
        run: RunId(row.get(25)?),
        process: ProcessId(row.get(3)?),
        host: HostId(asked_host),
        host_name: host(
            row.get_ref(24)?
                .as_str()
                .map_err(|_| damaged("a host's name"))?,
        )?,
        visit_host: HostId(asked.visit.unwrap_or(asked_host)),
        turn: asked.turn.unwrap_or(1),
        target: row.get(23)?,
        method: if asked.head {
            Method::Head
        } else {
            Method::Get
        },
        attempt: asked.attempt.unwrap_or(1),
        intent: stamp(intent_ms, row.get(5)?, started_ms),
        sent,
        ended,
        outcome: outcome(row.get(14)?)?,
        status: row.get(15)?,
        remote: row
            .get::<_, Option<Vec<u8>>>(16)?
            .map(|bytes| unaddress(&bytes))
            .transpose()?,
        leave,
        held: held.transpose()?,
        conditional: asked.conditional,
        gap_ms: row.get(8)?,
        coding: text_if(conn, row.get(17)?)?.unwrap_or_default(),
        wire_bytes: uncount(wire),
        body_bytes: uncount(row.get::<_, Option<i64>>(19)?.unwrap_or(wire)),
        sha256: row.get::<_, Option<Vec<u8>>>(20)?.map(digest).transpose()?,
        connection: row.get::<_, Option<u32>>(21)?.unwrap_or(0),
        redirect: text_if(conn, answered.redirect)?,
        retry_after_ms: answered.retry,
        detail: text_if(conn, answered.detail)?,
    })
}

fn outcome(code: Option<u8>) -> Result<Option<Outcome>, StoreError> {
    code.map(|code| {
        Outcome::from_code(code).ok_or_else(|| damaged(format!("unknown outcome {code}")))
    })
    .transpose()
}
