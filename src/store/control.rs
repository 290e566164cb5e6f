//! The small table through which other terminals act on a running engine: requested, reached.

use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Transaction, TransactionBehavior, params};

use super::pack::{damaged, time};
use super::{JournalEntry, StoreError};
use crate::suppress::Entry;

/// One thing that can be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// What is asked: a number that grows with each request, or a stamp; empty if never.
    pub requested: String,
    /// What the engine reached last.
    pub reached: String,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Whether the run shall stand still.
    pub paused: bool,
    /// Pause and resume.
    pub pause: Wish,
    /// Holds: grows with each hold and release.
    pub holds: Wish,
    /// Suppression list stamp reached; `requested` is not used, the file is the request.
    pub suppressed: Wish,
}

/// A host or domain that must not be asked now (durable until released).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// In the notation of the suppression list: `example.com`, `=host.example.com`.
    pub scope: Entry,
    /// Since when.
    pub since: Timestamp,
    /// Who.
    pub by: String,
    /// Why.
    pub why: String,
}

/// Desk work: changes asked for by a command, each with a journal entry (who, when, why, inverse).
/// Every `at` is in the time of [`Desk::now`].
pub struct Desk {
    conn: Connection,
    file: PathBuf,
}

impl Desk {
    pub(super) fn new(conn: Connection, file: &Path) -> Desk {
        Desk {
            conn,
            file: file.to_owned(),
        }
    }

    /// Now by the clock of the process that works on this store, or of the last one that did: a
    /// loopback run may keep a time of its own, and what is asked of it is written down in that time.
    pub fn now(&self) -> Result<Timestamp, StoreError> {
        now(&self.conn).map_err(|error| error.located(&self.file))
    }

    /// Asks for pause or resume; returns the request's number.
    pub fn request_pause(
        &self,
        paused: bool,
        by: &str,
        at: Timestamp,
    ) -> Result<String, StoreError> {
        self.change(|conn| {
            conn.execute(
                "UPDATE control SET value = ?1 WHERE name = 'pause'",
                [paused],
            )?;
            let (action, inverse) = if paused {
                ("pause", "resume")
            } else {
                ("resume", "pause")
            };
            write_journal(conn, by, at, action, "", inverse)?;
            request(conn, "pause", at)
        })
    }

    /// Adds a hold; returns the request's number, or none if it stood already.
    pub fn hold(&self, hold: &Hold) -> Result<Option<String>, StoreError> {
        self.change(|conn| {
            let scope = hold.scope.to_string();
            let since_ms = hold.since.as_millisecond();
            let new = conn.execute(
                "INSERT OR IGNORE INTO holds (scope, since_ms, by, why) VALUES (?1, ?2, ?3, ?4)",
                params![scope, since_ms, hold.by, hold.why],
            )?;
            if new == 0 {
                return Ok(None);
            }
            write_journal(
                conn,
                &hold.by,
                hold.since,
                &format!("hold add {scope}"),
                &hold.why,
                &format!("hold remove {scope}"),
            )?;
            request(conn, "holds", hold.since).map(Some)
        })
    }

    /// Releases a hold; none if there was no such hold.
    pub fn release(
        &self,
        scope: &Entry,
        by: &str,
        at: Timestamp,
    ) -> Result<Option<String>, StoreError> {
        self.change(|conn| {
            let scope = scope.to_string();
            if conn.execute("DELETE FROM holds WHERE scope = ?1", [&scope])? == 0 {
                return Ok(None);
            }
            write_journal(
                conn,
                by,
                at,
                &format!("hold remove {scope}"),
                "",
                &format!("hold add {scope}"),
            )?;
            request(conn, "holds", at).map(Some)
        })
    }

    /// Records an action in the journal.
    pub fn journal(
        &self,
        by: &str,
        at: Timestamp,
        action: &str,
        why: &str,
        inverse: &str,
    ) -> Result<(), StoreError> {
        self.change(|conn| write_journal(conn, by, at, action, why, inverse))
    }

    fn change<T>(
        &self,
        change: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let changed = || {
            let immediate = TransactionBehavior::Immediate;
            let transaction = Transaction::new_unchecked(&self.conn, immediate)?;
            let value = change(&transaction)?;
            transaction.commit()?;
            Ok(value)
        };
        changed().map_err(|error: StoreError| error.located(&self.file))
    }
}

/// Numbers the next request of `name`; a waiting command knows its own by it.
fn request(conn: &Connection, name: &str, at: Timestamp) -> Result<String, StoreError> {
    Ok(conn.query_row(
        "UPDATE control SET requested = CAST(CAST(requested AS INTEGER) + 1 AS TEXT), at_ms = ?2
         WHERE name = ?1 RETURNING requested",
        params![name, at.as_millisecond()],
        |row| row.get(0),
    )?)
}

fn write_journal(
    conn: &Connection,
    by: &str,
    at: Timestamp,
    action: &str,
    why: &str,
    inverse: &str,
) -> Result<(), StoreError> {
    conn.execute(
        "INSERT INTO journal (at_ms, by, action, why, inverse, shift_ms)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            at.as_millisecond(),
            by,
            action,
            why,
            inverse,
            newest_shift(conn)?
        ],
    )?;
    Ok(())
}

/// Now by the clock of the newest process.
pub(super) fn now(conn: &Connection) -> Result<Timestamp, StoreError> {
    let system = Timestamp::now();
    let ahead = SignedDuration::from_millis(newest_shift(conn)?);
    Ok(system.checked_add(ahead).unwrap_or(system))
}

/// How far the clock of the newest process is ahead of the system's, milliseconds.
fn newest_shift(conn: &Connection) -> Result<i64, StoreError> {
    let newest = conn
        .prepare_cached("SELECT shift_ms FROM processes ORDER BY id DESC LIMIT 1")?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(newest.unwrap_or(0))
}

/// What was asked for and what was reached, in one statement and so of one moment.
pub(super) fn read(conn: &Connection) -> Result<Control, StoreError> {
    let mut control = Control::default();
    let mut statement =
        conn.prepare_cached("SELECT name, requested, reached, value FROM control")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let name: String = row.get(0)?;
        let wish = Wish {
            requested: row.get(1)?,
            reached: row.get(2)?,
        };
        match name.as_str() {
            "pause" => {
                control.pause = wish;
                control.paused = row.get(3)?;
            }
            "holds" => control.holds = wish,
            "suppressed" => control.suppressed = wish,
            _ => {}
        }
    }
    Ok(control)
}

/// Holds in force, by scope.
pub(super) fn holds(conn: &Connection) -> Result<Vec<Hold>, StoreError> {
    let mut statement =
        conn.prepare_cached("SELECT scope, since_ms, by, why FROM holds ORDER BY scope")?;
    let mut rows = statement.query([])?;
    let mut holds = Vec::new();
    while let Some(row) = rows.next()? {
        let scope: String = row.get(0)?;
        holds.push(Hold {
            scope: scope
                .parse()
                .map_err(|error| damaged(format!("a hold: {error}")))?,
            since: time(row.get(1)?),
            by: row.get(2)?,
            why: row.get(3)?,
        });
    }
    Ok(holds)
}

/// The journal, oldest first.
pub(super) fn journal(conn: &Connection) -> Result<Vec<JournalEntry>, StoreError> {
    let mut statement = conn.prepare_cached(
        "SELECT at_ms, by, action, why, inverse, shift_ms FROM journal ORDER BY id",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(JournalEntry {
            at: time(row.get(0)?),
            by: row.get(1)?,
            action: row.get(2)?,
            why: row.get(3)?,
            inverse: row.get(4)?,
            shift_ms: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
