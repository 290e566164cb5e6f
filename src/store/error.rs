//! What can go wrong with a store, one plain sentence each.

use std::path::PathBuf;

/// A store that cannot do what was asked; nothing committed before is lost.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Disk full.
    #[error("the disk is full; free some space and run again: everything committed is kept")]
    DiskFull,
    /// Another engine holds the run lock.
    #[error("another engine runs on this store ({holder}); stop it first, or use another --store")]
    Locked {
        /// Who holds it: process id and since when.
        holder: String,
    },
    /// Busy for too long.
    #[error("the store is busy; another command is writing to it: try again")]
    Busy,
    /// Not a store, or damaged.
    #[error("{}: the store is damaged ({problem}); run `lamplighter store check`, or go back to a copy", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite or a digest said.
        problem: String,
    },
    /// Written by a newer version.
    #[error("{}: this store was written by a newer version (schema {found}, this one knows {known}); use that version", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// Belongs to another policy.
    #[error(
        "this store belongs to the policy {found}, not {wanted}; use --policy {found} or another --store"
    )]
    OtherPolicy {
        /// The store's.
        found: String,
        /// The one asked for.
        wanted: String,
    },
    /// No store there.
    #[error("{}: there is no store here; give --store DIR, or start with `lamplighter run` or `hosts import`", path.display())]
    Missing {
        /// The directory.
        path: PathBuf,
    },
    /// Opened read-only.
    #[error("this store is open read-only; nothing can be changed")]
    ReadOnly,
    /// A copy that still has a write-ahead log.
    #[error("{}: this copy still has a write-ahead log; make one with `lamplighter store copy DEST`", path.display())]
    UncleanCopy {
        /// The file.
        path: PathBuf,
    },
    /// No such host, run, location or version.
    #[error("{0}")]
    NotFound(String),
    /// File system.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Anything else SQLite says.
    #[error("the store failed: {0}")]
    Sqlite(rusqlite::Error),
    /// The writer thread has ended.
    #[error("the store's writer has ended; start again")]
    Closed,
}
