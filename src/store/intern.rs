//! Texts that repeat, stored once: paths in `targets`, everything else in `texts`.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

use super::StoreError;

/// Entries remembered before the memory starts over; a crawl meets most texts again soon or never.
const REMEMBERED: usize = 20_000;

/// Ids of texts given out lately.
#[derive(Default)]
pub(super) struct Interner {
    targets: HashMap<String, i64>,
    texts: HashMap<String, i64>,
}

impl Interner {
    /// The id of a path, given now if it is new.
    pub(super) fn target(&mut self, conn: &Connection, text: &str) -> Result<i64, StoreError> {
        remembered(&mut self.targets, text, || {
            insert(
                conn,
                text,
                "SELECT id FROM targets WHERE text = ?1",
                "INSERT INTO targets (text) VALUES (?1)",
            )
        })
    }

    /// The id of any other text, given now if it is new.
    pub(super) fn text(&mut self, conn: &Connection, text: &str) -> Result<i64, StoreError> {
        remembered(&mut self.texts, text, || {
            insert(
                conn,
                text,
                "SELECT id FROM texts WHERE text = ?1",
                "INSERT INTO texts (text) VALUES (?1)",
            )
        })
    }

    /// [`Interner::text`] of what may be absent.
    pub(super) fn optional(
        &mut self,
        conn: &Connection,
        text: Option<&str>,
    ) -> Result<Option<i64>, StoreError> {
        text.map(|text| self.text(conn, text)).transpose()
    }

    /// Forgets everything: ids given in a transaction that was rolled back are void.
    pub(super) fn forget(&mut self) {
        self.targets.clear();
        self.texts.clear();
    }
}

fn remembered(
    memory: &mut HashMap<String, i64>,
    text: &str,
    look_up: impl FnOnce() -> Result<i64, StoreError>,
) -> Result<i64, StoreError> {
    if let Some(id) = memory.get(text) {
        return Ok(*id);
    }
    let id = look_up()?;
    if memory.len() >= REMEMBERED {
        memory.clear();
    }
    memory.insert(text.to_owned(), id);
    Ok(id)
}

fn insert(conn: &Connection, text: &str, find: &str, add: &str) -> Result<i64, StoreError> {
    let found = conn
        .prepare_cached(find)?
        .query_row([text], |row| row.get(0))
        .optional()?;
    match found {
        Some(id) => Ok(id),
        None => Ok(conn.prepare_cached(add)?.insert([text])?),
    }
}

/// The id of a path that may never have been asked.
pub(super) fn known_target(conn: &Connection, text: &str) -> Result<Option<i64>, StoreError> {
    Ok(conn
        .prepare_cached("SELECT id FROM targets WHERE text = ?1")?
        .query_row([text], |row| row.get(0))
        .optional()?)
}

/// The text of an id in `texts`.
pub(super) fn text_of(conn: &Connection, id: i64) -> Result<String, StoreError> {
    Ok(conn
        .prepare_cached("SELECT text FROM texts WHERE id = ?1")?
        .query_row([id], |row| row.get(0))?)
}

/// The text of an id that may be absent.
pub(super) fn text_if(conn: &Connection, id: Option<i64>) -> Result<Option<String>, StoreError> {
    id.map(|id| text_of(conn, id)).transpose()
}

/// The path of an id in `targets`.
pub(super) fn target_of(conn: &Connection, id: i64) -> Result<String, StoreError> {
    Ok(conn
        .prepare_cached("SELECT text FROM targets WHERE id = ?1")?
        .query_row([id], |row| row.get(0))?)
}
