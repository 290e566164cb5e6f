//! What an answer means for the history of its (host, location): spans, versions, validators.
//!
//! A failure never ends a version, equal bytes in a row are one version, and the newest validators
//! of any 200 or 304 are the ones held (RFC 9111 section 4.3.4).

use rusqlite::{Connection, OptionalExtension, params};

use super::changes::{self, Content, Known, Shown, Was};
use super::intern::{Interner, known_target};
use super::pack::{count, digest, marks, state, uncount};
use super::totals::{Counts, Kind};
use super::{
    Change, Confirmed, Finished, HostId, Observation, SpanState, StoreError, blobs, disown,
};
use crate::fetch::Validators;
use crate::validate::Mark;

/// Where robots.txt's history is kept, whichever hop answered.
const ROBOTS: &str = "/robots.txt";

/// One location of a host and the time of an observation of it.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) host: i64,
    pub(super) target: i64,
    pub(super) at_ms: i64,
}

/// The span a location is in.
struct Span {
    state: SpanState,
    /// Digest and size, where only these are kept.
    digest: Option<([u8; 32], u64)>,
}

impl Span {
    fn digest(&self) -> Option<(&[u8; 32], u64)> {
        self.digest.as_ref().map(|(sha256, bytes)| (sha256, *bytes))
    }
}

/// Applies the observation of an answer.
pub(super) fn observe(
    conn: &Connection,
    interner: &mut Interner,
    packer: &mut blobs::Packer,
    counts: &mut Counts,
    finished: &Finished,
) -> Result<(Change, Option<Confirmed>), StoreError> {
    if matches!(finished.observation, Observation::Nothing) {
        return Ok((Change::None, None));
    }
    // Validators belong to the URL that sent them, the text to the host that robots.txt speaks for.
    let asked = Place {
        host: finished.host.0,
        target: interner.target(conn, &finished.target)?,
        at_ms: finished.ended.utc.as_millisecond(),
    };
    let place = match &finished.robots {
        Some(robots) => Place {
            host: robots.host.0,
            target: interner.target(conn, ROBOTS)?,
            ..asked
        },
        None => asked,
    };
    let why = finished.status;
    let change = match &finished.observation {
        Observation::Nothing => Change::None,
        Observation::Body { validators, .. } => {
            replace_validators(conn, interner, asked, validators)?;
            let known = Known::read(conn, place)?;
            let (shown, change) = body(conn, interner, packer, place, known, finished)?;
            changes::note(conn, counts, finished.run, place, known, shown)?;
            change
        }
        Observation::NotModified(validators) => {
            refresh_validators(conn, interner, asked, validators)?;
            let (change, confirmed) = not_modified(conn, place)?;
            if change == Change::Unchanged {
                let word = change.word().to_owned();
                counts.add_key(finished.run, Kind::Change, word, 1);
            }
            return Ok((change, Some(confirmed)));
        }
        Observation::Digest {
            sha256,
            bytes,
            validators,
            state,
            marks,
            ..
        } => {
            replace_validators(conn, interner, asked, validators)?;
            let known = Known::read(conn, place)?;
            let (shown, change) = digest_only(conn, place, known, *state, (sha256, *bytes), why)?;
            changes::note(conn, counts, finished.run, place, known, shown)?;
            if marks.contains(&Mark::CatchAll) {
                disown::disown(conn, counts, finished.run, place, (sha256, *bytes))?;
            }
            change
        }
        Observation::State(SpanState::Absent) => {
            replace_validators(conn, interner, asked, &Validators::default())?;
            let known = Known::read(conn, place)?;
            enter(conn, place, SpanState::Absent, None, why)?;
            changes::note(conn, counts, finished.run, place, known, Shown::Absent)?;
            Change::None
        }
        Observation::State(state) => {
            enter(conn, place, *state, None, why)?;
            Change::None
        }
    };
    Ok((change, None))
}

/// What was at a location when its validators were got, if anything ever was.
pub(super) fn confirmed(
    conn: &Connection,
    host: HostId,
    location: &str,
) -> Result<Option<Confirmed>, StoreError> {
    let Some(target) = known_target(conn, location)? else {
        return Ok(None);
    };
    let place = Place {
        host: host.0,
        target,
        at_ms: 0,
    };
    let content = newest_content(conn, place)?;
    content
        .map(|span| confirmed_by(conn, place, &span))
        .transpose()
}

fn confirmed_by(conn: &Connection, place: Place, span: &Span) -> Result<Confirmed, StoreError> {
    let sha256 = match span.digest() {
        Some((sha256, _)) => Some(*sha256),
        None => conn
            .prepare_cached(
                "SELECT b.sha256 FROM versions v JOIN blobs b ON b.id = v.blob
                 WHERE v.host = ?1 AND v.target = ?2 ORDER BY v.number DESC LIMIT 1",
            )?
            .query_row([place.host, place.target], |row| row.get(0))
            .optional()?
            .map(digest)
            .transpose()?,
    };
    Ok(Confirmed {
        state: span.state,
        sha256,
    })
}

/// Enters a state if the location is not in it; `status` is that of the answer which showed it.
pub(super) fn enter(
    conn: &Connection,
    place: Place,
    state: SpanState,
    digest: Option<(&[u8; 32], u64)>,
    status: Option<u16>,
) -> Result<(), StoreError> {
    if newest_span(conn, place)?.is_some_and(|span| span.state == state) {
        return Ok(());
    }
    begin_span(conn, place, state, digest, status)
}

fn begin_span(
    conn: &Connection,
    place: Place,
    state: SpanState,
    digest: Option<(&[u8; 32], u64)>,
    status: Option<u16>,
) -> Result<(), StoreError> {
    // As with requests, a clock that stepped back does not change the order.
    let newest: Option<(i64, i64)> = conn
        .prepare_cached(
            "SELECT since_ms, seq FROM spans WHERE host = ?1 AND target = ?2
             ORDER BY since_ms DESC, seq DESC LIMIT 1",
        )?
        .query_row([place.host, place.target], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    let (since_ms, seq) = match newest {
        Some((since_ms, seq)) => (place.at_ms.max(since_ms), seq + 1),
        None => (place.at_ms, 0),
    };
    conn.prepare_cached(
        "INSERT INTO spans (host, target, since_ms, seq, state, sha256, bytes, status)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        place.host,
        place.target,
        since_ms,
        seq,
        state as u8,
        digest.map(|(sha256, _)| sha256),
        digest.map(|(_, bytes)| count(bytes)),
        status,
    ])?;
    Ok(())
}

fn newest_span(conn: &Connection, place: Place) -> Result<Option<Span>, StoreError> {
    span(
        conn,
        place,
        "SELECT state, sha256, bytes FROM spans WHERE host = ?1 AND target = ?2
         ORDER BY since_ms DESC, seq DESC LIMIT 1",
    )
}

/// The newest span in which something was there: a file, or a soft 404.
fn newest_content(conn: &Connection, place: Place) -> Result<Option<Span>, StoreError> {
    span(
        conn,
        place,
        "SELECT state, sha256, bytes FROM spans WHERE host = ?1 AND target = ?2 AND state IN (1, 3)
         ORDER BY since_ms DESC, seq DESC LIMIT 1",
    )
}

fn span(conn: &Connection, place: Place, sql: &str) -> Result<Option<Span>, StoreError> {
    let row: Option<(u8, Option<Vec<u8>>, i64)> = conn
        .prepare_cached(sql)?
        .query_row([place.host, place.target], |row| {
            let bytes: Option<i64> = row.get(2)?;
            Ok((row.get(0)?, row.get(1)?, bytes.unwrap_or(0)))
        })
        .optional()?;
    row.map(|(code, sha256, bytes)| {
        let sha256 = sha256.map(digest).transpose()?;
        Ok(Span {
            state: state(code)?,
            digest: sha256.map(|sha256| (sha256, uncount(bytes))),
        })
    })
    .transpose()
}

fn body(
    conn: &Connection,
    interner: &mut Interner,
    packer: &mut blobs::Packer,
    place: Place,
    known: Known,
    finished: &Finished,
) -> Result<(Shown, Change), StoreError> {
    let Observation::Body {
        bytes,
        sha256,
        media_type,
        coding,
        marks: found,
        ..
    } = &finished.observation
    else {
        return Ok((Shown::Same(known.content), Change::None));
    };
    let size = Some(count(bytes.len() as u64));
    let media_type = interner.optional(conn, media_type.as_deref())?;
    let coding = match coding.as_str() {
        "" => None,
        coding => Some(interner.text(conn, coding)?),
    };
    let present = |span: Span| span.state == SpanState::Present && span.digest.is_none();
    if !newest_span(conn, place)?.is_some_and(present) {
        begin_span(conn, place, SpanState::Present, None, finished.status)?;
    }
    let blob = blobs::keep(conn, packer, bytes, sha256)?;
    let newest: Option<(i64, i64)> = conn
        .prepare_cached(
            "SELECT number, blob FROM versions WHERE host = ?1 AND target = ?2
             ORDER BY number DESC LIMIT 1",
        )?
        .query_row([place.host, place.target], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    if let Some((number, held)) = newest
        && held == blob
    {
        // Another Content-Type on the same bytes is no change of content; the newest one is shown.
        conn.prepare_cached(
            "UPDATE versions SET last_ms = max(last_ms, ?4), media_type = ?5, coding = ?6, marks = ?7
             WHERE host = ?1 AND target = ?2 AND number = ?3",
        )?
        .execute(params![
            place.host,
            place.target,
            number,
            place.at_ms,
            media_type,
            coding,
            marks(found)
        ])?;
        let now = Content {
            version: Some(number),
            bytes: size,
        };
        let change = match known.was {
            Was::There => Change::UnchangedByContent,
            Was::Never | Was::Gone => Change::Returned,
        };
        return Ok((Shown::Same(now), change));
    }
    let older = conn
        .prepare_cached("SELECT 1 FROM versions WHERE host = ?1 AND target = ?2 AND blob = ?3")?
        .exists(params![place.host, place.target, blob])?;
    let number = newest.map_or(1, |(number, _)| number + 1);
    conn.prepare_cached(
        "INSERT INTO versions (host, target, number, blob, first_ms, last_ms, media_type, coding, marks)
         VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        place.host,
        place.target,
        number,
        blob,
        place.at_ms,
        media_type,
        coding,
        marks(found)
    ])?;
    let now = Content {
        version: Some(number),
        bytes: size,
    };
    let change = match (known.was, older) {
        (Was::Never, _) => Change::New,
        (Was::Gone, _) | (Was::There, true) => Change::Back,
        (Was::There, false) => Change::Changed,
    };
    Ok((Shown::Other { now, older }, change))
}

/// A 304 confirms what was there last: the newest version, or the digest of a soft 404. The latter is
/// no file, so nothing of a file is unchanged.
fn not_modified(conn: &Connection, place: Place) -> Result<(Change, Confirmed), StoreError> {
    let content = newest_content(conn, place)?.unwrap_or(Span {
        state: SpanState::Present,
        digest: None,
    });
    enter(conn, place, content.state, content.digest(), Some(304))?;
    if content.digest.is_none() {
        conn.prepare_cached(
            "UPDATE versions SET last_ms = max(last_ms, ?3) WHERE host = ?1 AND target = ?2
             AND number = (SELECT max(number) FROM versions WHERE host = ?1 AND target = ?2)",
        )?
        .execute(params![place.host, place.target, place.at_ms])?;
    }
    let change = match content.state {
        SpanState::Present => Change::Unchanged,
        _ => Change::None,
    };
    Ok((change, confirmed_by(conn, place, &content)?))
}

fn digest_only(
    conn: &Connection,
    place: Place,
    known: Known,
    state: SpanState,
    (sha256, bytes): (&[u8; 32], u64),
    status: Option<u16>,
) -> Result<(Shown, Change), StoreError> {
    let held = newest_content(conn, place)?.filter(|span| span.state == state);
    let same = held
        .as_ref()
        .and_then(Span::digest)
        .is_some_and(|(held, _)| held == sha256);
    let digest = Some((sha256, bytes));
    if state != SpanState::Present {
        // The shell of a soft 404 changes with every answer: that is no event, only the digest moves.
        if !newest_span(conn, place)?.is_some_and(|span| span.state == state) {
            begin_span(conn, place, state, digest, status)?;
        } else if !same {
            conn.prepare_cached(
                "UPDATE spans SET sha256 = ?3, bytes = ?4 WHERE host = ?1 AND target = ?2
                 AND seq = (SELECT max(seq) FROM spans WHERE host = ?1 AND target = ?2)",
            )?
            .execute(params![place.host, place.target, sha256, count(bytes)])?;
        }
        return Ok((Shown::Absent, Change::None));
    }
    let now = Content {
        version: None,
        bytes: Some(count(bytes)),
    };
    if same {
        enter(conn, place, state, digest, status)?;
        let change = match known.was {
            Was::There => Change::UnchangedByContent,
            Was::Never | Was::Gone => Change::Returned,
        };
        return Ok((Shown::Same(now), change));
    }
    begin_span(conn, place, state, digest, status)?;
    let change = match known.was {
        Was::Never => Change::New,
        Was::Gone => Change::Back,
        Was::There => Change::Changed,
    };
    Ok((Shown::Other { now, older: false }, change))
}

/// A 200 replaces both validators, absent ones included.
fn replace_validators(
    conn: &Connection,
    interner: &mut Interner,
    place: Place,
    validators: &Validators,
) -> Result<(), StoreError> {
    let etag = interner.optional(conn, validators.etag.as_deref())?;
    let modified = interner.optional(conn, validators.last_modified.as_deref())?;
    if etag.is_none() && modified.is_none() {
        conn.prepare_cached("DELETE FROM validators WHERE host = ?1 AND target = ?2")?
            .execute([place.host, place.target])?;
        return Ok(());
    }
    conn.prepare_cached(
        "INSERT INTO validators (host, target, etag, last_modified) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET etag = excluded.etag, last_modified = excluded.last_modified",
    )?
    .execute(params![place.host, place.target, etag, modified])?;
    Ok(())
}

/// A 304 replaces the validators it names; a missing one changes nothing.
fn refresh_validators(
    conn: &Connection,
    interner: &mut Interner,
    place: Place,
    validators: &Validators,
) -> Result<(), StoreError> {
    let etag = interner.optional(conn, validators.etag.as_deref())?;
    let modified = interner.optional(conn, validators.last_modified.as_deref())?;
    if etag.is_none() && modified.is_none() {
        return Ok(());
    }
    conn.prepare_cached(
        "INSERT INTO validators (host, target, etag, last_modified) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET etag = coalesce(excluded.etag, etag),
           last_modified = coalesce(excluded.last_modified, last_modified)",
    )?
    .execute(params![place.host, place.target, etag, modified])?;
    Ok(())
}
