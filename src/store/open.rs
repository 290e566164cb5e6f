//! Opening a store: the file, migrations, the policy it belongs to, the run lock.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use rusqlite::{Connection, OptionalExtension};

use super::connection::{self, Role};
use super::{Desk, Reader, StoreError, Writer, create, schema};
use crate::failpoint::Failpoints;

/// Name of the store's file in its directory.
const FILE: &str = "lamplighter.db";
/// Held locked by a running engine; says who.
const LOCK: &str = "engine.lock";

/// How often, and after what wait, the run lock is tried again before it counts as held.
const LOCK_TRIES: u32 = 5;
const LOCK_WAIT: std::time::Duration = std::time::Duration::from_millis(20);

/// A store: one directory with `lamplighter.db`. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
    file: PathBuf,
    read_only: bool,
    failpoints: Failpoints,
    page_limit: Option<Arc<AtomicU32>>,
}

/// Held while an engine runs; a second engine is refused and told who holds it.
#[derive(Debug)]
pub struct EngineLock {
    _file: File,
}

/// A command that looks whether an engine runs holds the lock for a moment; that must not keep an
/// engine from starting.
fn patiently(file: &std::fs::File) -> Result<(), TryLockError> {
    for _ in 0..LOCK_TRIES {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_WAIT),
            done => return done,
        }
    }
    file.try_lock()
}

impl Store {
    /// Opens or creates the store of `policy` in `directory` and migrates it.
    pub fn open(directory: &Path, policy: &str) -> Result<Store, StoreError> {
        std::fs::create_dir_all(directory).map_err(|error| StoreError::io(directory, error))?;
        let store = Store::at(directory, false);
        store.checked(|| {
            if !peek(&store.file)? {
                store.create(policy)?;
            }
            let conn = store.migrated()?;
            let found = match stored_policy(&conn)? {
                Some(found) => found,
                None => {
                    create::name_policy(&conn, policy)?;
                    policy_of(&conn)?
                }
            };
            if found != policy {
                return Err(StoreError::OtherPolicy {
                    found,
                    wanted: policy.to_owned(),
                });
            }
            Ok(())
        })?;
        Ok(store)
    }

    /// Opens an existing store of any policy for reading and desk work.
    pub fn existing(directory: &Path) -> Result<Store, StoreError> {
        let store = Store::at(directory, false);
        store.checked(|| {
            if !peek(&store.file)? {
                return Err(store.missing());
            }
            // Being made at this moment, or by a process that died before it could say for whom.
            match stored_policy(&store.migrated()?)? {
                Some(_) => Ok(()),
                None => Err(store.missing()),
            }
        })?;
        Ok(store)
    }

    /// Opens a copy without making side files; refuses one that still has a write-ahead log.
    pub fn read_only(directory: &Path) -> Result<Store, StoreError> {
        let store = Store::at(directory, true);
        store.checked(|| {
            if !peek(&store.file)? {
                return Err(store.missing());
            }
            for side in ["-wal", "-journal"] {
                if connection::side_file_bytes(&store.file, side) > 0 {
                    return Err(StoreError::UncleanCopy {
                        path: store.file.clone(),
                    });
                }
            }
            let conn = store.connect(Role::Reader)?;
            let found = schema::version(&conn)?;
            if found < schema::KNOWN {
                return Err(StoreError::Older {
                    path: store.file.clone(),
                    found,
                    known: schema::KNOWN,
                });
            }
            policy_of(&conn)
        })?;
        Ok(store)
    }

    /// The same store with a failpoint armed (crash tests; `intent.applied`, `commit.applied`).
    pub fn with_failpoints(mut self, failpoints: Failpoints) -> Store {
        self.failpoints = failpoints;
        self
    }

    /// The same store with a ceiling on its pages, read before each commit (0: none): a full disk for tests.
    #[doc(hidden)]
    pub fn with_page_limit(mut self, pages: Arc<AtomicU32>) -> Store {
        self.page_limit = Some(pages);
        self
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Bytes in the write-ahead log now (bounded while readers keep their transactions short).
    pub fn wal_bytes(&self) -> u64 {
        connection::side_file_bytes(&self.file, "-wal")
    }

    /// Name of the policy this store belongs to.
    pub fn policy(&self) -> Result<String, StoreError> {
        self.checked(|| policy_of(&self.connect(Role::Reader)?))
    }

    /// What stands at this store's place now: device and inode of the database, then of the engine's
    /// lock file. Another answer than before says that the store was replaced; [`StoreError::Missing`]
    /// that one of the two is gone (or was never locked). Cheap: nothing is opened.
    pub fn identity(&self) -> Result<(u64, u64, u64, u64), StoreError> {
        let of = |path: &Path| match std::fs::metadata(path) {
            Ok(data) => Ok(place(&data)),
            Err(error) => Err(match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => self.missing(),
                _ => StoreError::io(path, error),
            }),
        };
        let (device, inode) = of(&self.file)?;
        let (lock_device, lock_inode) = of(&self.directory.join(LOCK))?;
        Ok((device, inode, lock_device, lock_inode))
    }

    /// Takes the run lock.
    pub fn lock_engine(&self) -> Result<EngineLock, StoreError> {
        self.writable()?;
        let path = self.directory.join(LOCK);
        let failed = |error| StoreError::io(&path, error);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        match patiently(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Who holds it is a courtesy; that it is held is known.
                let _ = file.read_to_string(&mut holder);
                let holder = match holder.trim() {
                    "" => "a process that has just started".to_owned(),
                    text => text.to_owned(),
                };
                return Err(StoreError::Locked { holder });
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let who = format!(
            "process {} since {:.0}\n",
            std::process::id(),
            jiff::Timestamp::now()
        );
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(who.as_bytes()))
            .map_err(failed)?;
        Ok(EngineLock { _file: file })
    }

    /// Starts the writer thread. It ends when the last clone of the handle is dropped.
    pub fn writer(&self) -> Result<Writer, StoreError> {
        self.writable()?;
        let conn = self.checked(|| self.connect(Role::Writer))?;
        Writer::start(
            conn,
            &self.file,
            self.failpoints.clone(),
            self.page_limit.clone(),
        )
    }

    /// A reader of its own; one per thread.
    pub fn reader(&self) -> Result<Reader, StoreError> {
        let conn = self.checked(|| self.connect(Role::Reader))?;
        Ok(Reader::new(conn, &self.file))
    }

    /// Desk work from a command: holds, pause, journal.
    pub fn desk(&self) -> Result<Desk, StoreError> {
        self.writable()?;
        let conn = self.checked(|| self.connect(Role::Desk))?;
        Ok(Desk::new(conn, &self.file))
    }

    fn at(directory: &Path, read_only: bool) -> Store {
        Store {
            directory: directory.to_owned(),
            file: directory.join(FILE),
            read_only,
            failpoints: Failpoints::default(),
            page_limit: None,
        }
    }

    fn missing(&self) -> StoreError {
        StoreError::Missing {
            path: self.directory.clone(),
        }
    }

    fn writable(&self) -> Result<(), StoreError> {
        if self.read_only {
            return Err(StoreError::ReadOnly);
        }
        Ok(())
    }

    fn migrated(&self) -> Result<Connection, StoreError> {
        let mut conn = connection::open(&self.file, Role::Desk)?;
        let found = schema::version(&conn)?;
        // A newer schema may still stand in the write-ahead log only, where `peek` does not look.
        if found > schema::KNOWN {
            return Err(newer(&self.file, found));
        }
        connection::use_wal(&conn)?;
        if found < schema::KNOWN {
            schema::migrate(&mut conn, schema::KNOWN)?;
        }
        Ok(conn)
    }

    /// A connection for `role`; an immutable one where the store is open read-only.
    pub(super) fn connect(&self, role: Role) -> Result<Connection, StoreError> {
        if self.read_only {
            connection::open_immutable(&self.file)
        } else {
            connection::open(&self.file, role)
        }
    }

    /// Runs `work` and names our file in its errors.
    pub(super) fn checked<T>(
        &self,
        work: impl FnOnce() -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        work().map_err(|error| error.located(&self.file))
    }

    /// The file.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    pub(super) fn for_writing(&self, role: Role) -> Result<Connection, StoreError> {
        self.writable()?;
        self.connect(role)
    }
}

#[cfg(unix)]
fn place(data: &std::fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (data.dev(), data.ino())
}

/// Only whether the file is there is known here.
#[cfg(not(unix))]
fn place(_: &std::fs::Metadata) -> (u64, u64) {
    (0, 0)
}

fn stored_policy(conn: &Connection) -> Result<Option<String>, StoreError> {
    let sql = "SELECT value FROM meta WHERE key = 'policy'";
    Ok(conn.query_row(sql, [], |row| row.get(0)).optional()?)
}

fn policy_of(conn: &Connection) -> Result<String, StoreError> {
    stored_policy(conn)?.ok_or_else(|| StoreError::Damaged {
        path: PathBuf::new(),
        problem: "it does not say which policy it belongs to".to_owned(),
    })
}

fn newer(file: &Path, found: i64) -> StoreError {
    StoreError::Newer {
        path: file.to_owned(),
        found,
        known: schema::KNOWN,
    }
}

/// Reads the file's head without SQLite, so that a foreign or newer file stays untouched to the byte.
/// False if there is no store yet.
fn peek(file: &Path) -> Result<bool, StoreError> {
    let mut head = Vec::new();
    match File::open(file) {
        Ok(open) => open.take(100).read_to_end(&mut head),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => Err(error),
    }
    .map_err(|error| StoreError::io(file, error))?;
    if head.is_empty() {
        return Err(StoreError::Remains {
            path: file.to_owned(),
            what: "this file is empty: the store was cut short, or never finished",
        });
    }
    let damaged = |problem: &str| StoreError::Damaged {
        path: file.to_owned(),
        problem: problem.to_owned(),
    };
    if head.len() < 100 || !head.starts_with(b"SQLite format 3\0") {
        return Err(damaged("it is not a database"));
    }
    let number = |at: usize| {
        let bytes = head.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
        i64::from(bytes.map_or(0, i32::from_be_bytes))
    };
    let (found, owner) = (number(60), number(68));
    if owner != schema::APPLICATION_ID && (owner != 0 || found != 0) {
        return Err(damaged("it is a database of another program"));
    }
    if found > schema::KNOWN {
        return Err(newer(file, found));
    }
    Ok(true)
}
