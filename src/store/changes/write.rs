//! Writing what an answer changed.

use rusqlite::{Connection, OptionalExtension, params};

use super::{Code, ENTRY, Entry, Was, entry, fold};
use crate::store::history::Place;
use crate::store::totals::{Counts, Kind};
use crate::store::{RunId, SpanState, StoreError};

/// What is at a location: the number of its version, if bytes are kept, and its size.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::store) struct Content {
    pub(in crate::store) version: Option<i64>,
    pub(in crate::store) bytes: Option<i64>,
}

/// What is known of a location, read before an answer changes it.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Known {
    pub(in crate::store) was: Was,
    /// What is there, or was there last.
    pub(in crate::store) content: Content,
}

impl Known {
    /// Failures, refusals and denials tell nothing of what is there: they are passed over.
    pub(in crate::store) fn read(conn: &Connection, place: Place) -> Result<Known, StoreError> {
        let newest: Option<(u8, Option<i64>)> = conn
            .prepare_cached(
                "SELECT state, bytes FROM spans WHERE host = ?1 AND target = ?2
                 AND state IN (1, 2, 3) ORDER BY since_ms DESC, seq DESC LIMIT 1",
            )?
            .query_row([place.host, place.target], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        let there = newest.filter(|(state, _)| *state == SpanState::Present as u8);
        // A file known by its digest has its size in the span.
        if let Some((_, Some(bytes))) = there {
            let content = Content {
                version: None,
                bytes: Some(bytes),
            };
            let was = Was::There;
            return Ok(Known { was, content });
        }
        let content = newest_version(conn, place)?;
        let was = match (there, content) {
            (Some(_), _) => Was::There,
            (None, Some(_)) => Was::Gone,
            (None, None) => match was_ever(conn, place)? {
                true => Was::Gone,
                false => Was::Never,
            },
        };
        let content = content.unwrap_or_default();
        Ok(Known { was, content })
    }
}

fn newest_version(conn: &Connection, place: Place) -> Result<Option<Content>, StoreError> {
    Ok(conn
        .prepare_cached(
            "SELECT v.number, b.bytes FROM versions v JOIN blobs b ON b.id = v.blob
             WHERE v.host = ?1 AND v.target = ?2 ORDER BY v.number DESC LIMIT 1",
        )?
        .query_row([place.host, place.target], |row| {
            Ok(Content {
                version: row.get(0)?,
                bytes: row.get(1)?,
            })
        })
        .optional()?)
}

fn was_ever(conn: &Connection, place: Place) -> Result<bool, StoreError> {
    Ok(conn
        .prepare_cached("SELECT 1 FROM spans WHERE host = ?1 AND target = ?2 AND state = 1")?
        .exists([place.host, place.target])?)
}

/// What an answer showed.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) enum Shown {
    /// Content that is not the one known. `older`: an earlier version has the same bytes.
    Other { now: Content, older: bool },
    /// The content known, sent whole.
    Same(Content),
    /// Nothing is there.
    Absent,
}

/// Notes in the run's changes what an answer showed, and counts it.
pub(in crate::store) fn note(
    conn: &Connection,
    counts: &mut Counts,
    run: RunId,
    place: Place,
    known: Known,
    shown: Shown,
) -> Result<(), StoreError> {
    let code = match (known.was, shown) {
        (Was::Never | Was::Gone, Shown::Absent) => return Ok(()),
        (Was::There, Shown::Absent) => Code::Gone,
        (Was::Never, _) => Code::New,
        (Was::Gone, _) => Code::Returned,
        (Was::There, Shown::Other { older: true, .. }) => Code::Back,
        (Was::There, Shown::Other { older: false, .. }) => Code::Changed,
        (Was::There, Shown::Same(_)) => Code::UnchangedByContent,
    };
    let now = match shown {
        Shown::Other { now, .. } | Shown::Same(now) => now,
        Shown::Absent => Content::default(),
    };
    let then = Entry {
        code,
        at_ms: place.at_ms,
        old: known.content.version,
        old_bytes: known.content.bytes.filter(|_| known.was == Was::There),
        new: now.version,
        new_bytes: now.bytes,
    };
    put(conn, counts, run, place, then)
}

/// Adds an entry to what the run has already told of the location.
pub(super) fn put(
    conn: &Connection,
    counts: &mut Counts,
    run: RunId,
    place: Place,
    then: Entry,
) -> Result<(), StoreError> {
    let site: i64 = conn
        .prepare_cached("SELECT site FROM hosts WHERE id = ?1")?
        .query_row([place.host], |row| row.get(0))?;
    let key = [run.0, site, place.host, place.target];
    let sql = format!(
        "SELECT {ENTRY} FROM changes WHERE run = ?1 AND site = ?2 AND host = ?3 AND target = ?4"
    );
    let mut statement = conn.prepare_cached(&sql)?;
    let mut rows = statement.query(key)?;
    let first = rows.next()?.map(|row| entry(row, 0)).transpose()?;
    let now = match first {
        Some(first) => fold::join(conn, (place.host, place.target), first, then)?,
        None => then,
    };
    conn.prepare_cached(
        "INSERT OR REPLACE INTO changes (run, site, host, target, kind, at_ms, old, new,
           old_bytes, new_bytes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )?
    .execute(params![
        key[0],
        key[1],
        key[2],
        key[3],
        now.code as u8,
        now.at_ms,
        now.old,
        now.new,
        now.old_bytes,
        now.new_bytes,
    ])?;
    if let Some(kind) = first.and_then(|first| first.code.kind()) {
        counts.take_key(run, Kind::Change, kind.word());
    }
    if let Some(kind) = now.code.kind() {
        counts.add_key(run, Kind::Change, kind.word().to_owned(), 1);
    }
    Ok(())
}
