//! What each run found different from what was known before it: one row a (run, host, location),
//! written with the answer that showed it, so that a list is a range scan and never a comparison.

mod fill;
mod fold;
pub(super) mod read;
mod write;

pub(super) use fill::fill;
pub(super) use write::{Content, Known, Shown, note};

use rusqlite::{Connection, Row};

use super::{ChangeCounts, ChangeKind, StoreError, Totals, pack::damaged};

/// The counts of a run's changes among its totals.
pub(super) fn counts(totals: &Totals) -> ChangeCounts {
    let mut counts = ChangeCounts::default();
    for kind in ChangeKind::ALL {
        *counts.of_mut(kind) = totals.changes.get(kind.word()).copied().unwrap_or(0);
    }
    counts
}

/// What was known of a location before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Was {
    /// Nothing was ever there.
    Never,
    /// Something was, and was proved gone.
    Gone,
    /// Something is.
    There,
}

/// What a row says, as stored by code. The last two stand for what came and went inside one run:
/// nothing to list, but where the run began is not forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Code {
    New = 1,
    Changed = 2,
    /// Bytes of an older version.
    Back = 3,
    Gone = 4,
    UnchangedByContent = 5,
    /// There again after it was gone.
    Returned = 6,
    NeverPassing = 8,
    GonePassing = 9,
}

impl Code {
    fn of(code: u8) -> Result<Code, StoreError> {
        Ok(match code {
            1 => Code::New,
            2 => Code::Changed,
            3 => Code::Back,
            4 => Code::Gone,
            5 => Code::UnchangedByContent,
            6 => Code::Returned,
            8 => Code::NeverPassing,
            9 => Code::GonePassing,
            _ => return Err(damaged(format!("unknown kind of change {code}"))),
        })
    }

    /// The kind as listed, if it is.
    fn kind(self) -> Option<ChangeKind> {
        Some(match self {
            Code::New => ChangeKind::New,
            Code::Changed => ChangeKind::Changed,
            Code::Back | Code::Returned => ChangeKind::Back,
            Code::Gone => ChangeKind::Gone,
            Code::UnchangedByContent => ChangeKind::UnchangedByContent,
            Code::NeverPassing | Code::GonePassing => return None,
        })
    }

    fn was(self) -> Was {
        match self {
            Code::New | Code::NeverPassing => Was::Never,
            Code::Returned | Code::GonePassing => Was::Gone,
            _ => Was::There,
        }
    }

    fn is_there(self) -> bool {
        !matches!(self, Code::Gone | Code::NeverPassing | Code::GonePassing)
    }
}

/// A row without its key.
#[derive(Clone, Copy, Debug)]
struct Entry {
    code: Code,
    at_ms: i64,
    /// Number of the version before and now.
    old: Option<i64>,
    new: Option<i64>,
    old_bytes: Option<i64>,
    new_bytes: Option<i64>,
}

/// Columns of [`entry`].
const ENTRY: &str = "kind, at_ms, old, new, old_bytes, new_bytes";

/// The columns [`ENTRY`] from `first` on.
fn entry(row: &Row<'_>, first: usize) -> Result<Entry, StoreError> {
    Ok(Entry {
        code: Code::of(row.get(first)?)?,
        at_ms: row.get(first + 1)?,
        old: row.get(first + 2)?,
        new: row.get(first + 3)?,
        old_bytes: row.get(first + 4)?,
        new_bytes: row.get(first + 5)?,
    })
}

/// The oldest version of a location that has the bytes of this one.
fn oldest_like(conn: &Connection, host: i64, target: i64, number: i64) -> Result<i64, StoreError> {
    let found: Option<i64> = conn
        .prepare_cached(
            "SELECT min(number) FROM versions WHERE host = ?1 AND target = ?2 AND blob =
               (SELECT blob FROM versions WHERE host = ?1 AND target = ?2 AND number = ?3)",
        )?
        .query_row([host, target, number], |row| row.get(0))?;
    Ok(found.unwrap_or(number))
}
