//! What can go wrong with a store, one plain sentence each.

use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use crate::remedy;

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
    /// Something is left of a store that was lost; a new one would forget what was asked before.
    #[error("{}: {what}; put the store or a copy of it back, or, if nothing is to be kept, move this file away and run again", path.display())]
    Remains {
        /// What is left.
        path: PathBuf,
        /// What became of the store.
        what: &'static str,
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
    /// Written by an older version, whole, and opened where it may not be changed.
    #[error("{}: this store was written by an older version (schema {found}, this one reads {known}) and is not damaged; open it, or a second copy of it, once without --read-only: that takes it over", path.display())]
    Older {
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
    /// A store is of runs on this machine or of real ones; the two never mix.
    #[error(
        "this store is of {} runs and cannot take a {} one; use another --store", reach(!*loopback), reach(*loopback)
    )]
    OtherReach {
        /// Whether the run refused is a loopback one.
        loopback: bool,
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
    /// A copy goes to a directory of its own.
    #[error("{}: this is no place for a copy: {what}; name a new directory", path.display())]
    Occupied {
        /// The place.
        path: PathBuf,
        /// What stands there.
        what: &'static str,
    },
    /// No such host, run, location or version.
    #[error("{0}")]
    NotFound(String),
    /// File system.
    #[error("{}: {}", path.display(), remedy::told(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Ended by an [`super::Interrupter`].
    #[error("the query was interrupted; ask again")]
    Interrupted,
    /// The system kept SQLite from its files; why is not known more exactly.
    #[error("{}: {what}", path.display())]
    Kept {
        /// The file.
        path: PathBuf,
        /// What happened and what to do.
        what: &'static str,
    },
    /// Anything else SQLite says.
    #[error(
        "the store failed: {0}; run `lamplighter store check`, and go back to a copy if it finds faults"
    )]
    Sqlite(rusqlite::Error),
    /// The writer thread has ended.
    #[error("the store's writer has ended; start again")]
    Closed,
}

impl StoreError {
    /// Whether the whole batch failed with this, not one job of it alone.
    pub(super) fn is_fatal(&self) -> bool {
        !matches!(
            self,
            StoreError::NotFound(_) | StoreError::OtherReach { .. }
        )
    }

    /// The same error for every job of a batch that failed; [`rusqlite::Error`] cannot be cloned.
    pub(super) fn again(&self) -> StoreError {
        match self {
            StoreError::DiskFull => StoreError::DiskFull,
            StoreError::Busy => StoreError::Busy,
            StoreError::ReadOnly => StoreError::ReadOnly,
            StoreError::Closed => StoreError::Closed,
            StoreError::Interrupted => StoreError::Interrupted,
            StoreError::NotFound(what) => StoreError::NotFound(what.clone()),
            StoreError::OtherReach { loopback } => StoreError::OtherReach {
                loopback: *loopback,
            },
            StoreError::Damaged { path, problem } => StoreError::Damaged {
                path: path.clone(),
                problem: problem.clone(),
            },
            StoreError::Kept { path, what } => StoreError::Kept {
                path: path.clone(),
                what,
            },
            StoreError::Io { path, source } => StoreError::Io {
                path: path.clone(),
                source: match source.raw_os_error() {
                    Some(number) => std::io::Error::from_raw_os_error(number),
                    None => std::io::Error::new(source.kind(), source.to_string()),
                },
            },
            StoreError::Sqlite(rusqlite::Error::SqliteFailure(code, text)) => {
                StoreError::Sqlite(rusqlite::Error::SqliteFailure(*code, text.clone()))
            }
            other => StoreError::Sqlite(rusqlite::Error::ToSqlConversionFailure(
                other.to_string().into(),
            )),
        }
    }

    /// Names the file where an error came from below, where only the connection is known.
    pub(super) fn located(self, file: &Path) -> StoreError {
        match self {
            StoreError::Damaged { path, problem } if path.as_os_str().is_empty() => {
                StoreError::Damaged {
                    path: file.to_owned(),
                    problem,
                }
            }
            StoreError::Kept { path, what } if path.as_os_str().is_empty() => reason(file)
                .unwrap_or_else(|| StoreError::Kept {
                    path: file.to_owned(),
                    what,
                }),
            other => other,
        }
    }

    /// A file system error at `path`; a full disk has a sentence of its own.
    pub fn io(path: &Path, source: std::io::Error) -> StoreError {
        if source.kind() == std::io::ErrorKind::StorageFull {
            return StoreError::DiskFull;
        }
        StoreError::Io {
            path: path.to_owned(),
            source,
        }
    }
}

/// Why SQLite cannot use this file, in the system's own terms; it keeps them to itself.
fn reason(file: &Path) -> Option<StoreError> {
    let error = OpenOptions::new().read(true).write(true).open(file).err()?;
    if File::open(file).is_ok() {
        return Some(StoreError::Kept {
            path: file.to_owned(),
            what: "this store can be read and not written to; open it with --read-only, or check its \
                   owner, its permissions and whether its file system is mounted for writing",
        });
    }
    Some(StoreError::io(file, error))
}

fn reach(loopback: bool) -> &'static str {
    if loopback { "loopback" } else { "real" }
}

fn kept(what: &'static str) -> StoreError {
    StoreError::Kept {
        path: PathBuf::new(),
        what,
    }
}

/// The file is not known here; [`StoreError::located`] adds it.
impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => StoreError::DiskFull,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
            Some(ErrorCode::OperationInterrupted) => StoreError::Interrupted,
            Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => kept(
                "this store cannot be written to; check the owner and permissions of the file and of \
                 its directory, or open it with --read-only",
            ),
            Some(ErrorCode::CannotOpen) => kept(
                "the files beside it (-wal, -shm) cannot be opened; check the owner and permissions of \
                 its directory and the limit of open files (ulimit -n), or open it with --read-only",
            ),
            Some(ErrorCode::SystemIoFailure | ErrorCode::FileLockingProtocolFailed) => kept(
                "the disk could not be read or written; check its free space, the limit on the size of \
                 files (ulimit -f) and the system's messages (dmesg), and go back to a copy if it \
                 happens again",
            ),
            Some(ErrorCode::OutOfMemory) => {
                kept("there is no memory left; end other programs and run again")
            }
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged {
                path: PathBuf::new(),
                problem: error.to_string(),
            },
            _ => StoreError::Sqlite(error),
        }
    }
}
