//! Making a new store: whole, beside its place, and only then under its name. Whoever dies in the
//! middle leaves no store, and running again makes one.

#[cfg(unix)]
use std::fs::File;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::connection::{self, Role};
use super::{Store, StoreError, schema};

/// Files that SQLite keeps beside a database.
const SIDES: [&str; 3] = ["-wal", "-shm", "-journal"];

impl Store {
    /// Makes the file of a new store, unless another process does so first.
    pub(super) fn create(&self, policy: &str) -> Result<(), StoreError> {
        let _alone = alone(self.directory())?;
        if self.file().exists() {
            return Ok(());
        }
        refuse_remains(self.file())?;
        let new = beside(self.file(), ".new");
        clear(&new)?;
        build(&new, policy).map_err(|error| error.located(&new))?;
        std::fs::rename(&new, self.file()).map_err(|error| StoreError::io(self.file(), error))?;
        sync_directory(self.directory())
    }
}

/// One process at a time makes a store here. The directory itself is locked: nothing is left behind.
#[cfg(unix)]
fn alone(directory: &Path) -> Result<File, StoreError> {
    let open = File::open(directory).map_err(|error| StoreError::io(directory, error))?;
    // A file system without such locks is no reason to make no store.
    let _ = open.lock();
    Ok(open)
}

#[cfg(not(unix))]
fn alone(_: &Path) -> Result<(), StoreError> {
    Ok(())
}

/// A database that is gone while its log or a link to it still stands was lost by accident: a new one
/// in its place would forget what was asked already.
fn refuse_remains(file: &Path) -> Result<(), StoreError> {
    let remains = |path: PathBuf, what| Err(StoreError::Remains { path, what });
    if std::fs::symlink_metadata(file).is_ok() {
        return remains(file.to_owned(), "this link leads nowhere");
    }
    for side in ["-wal", "-journal"] {
        if connection::side_file_bytes(file, side) > 0 {
            let what = "the store of this log is not here any more";
            return remains(beside(file, side), what);
        }
    }
    Ok(())
}

/// Removes what a process that died while making a store has left.
fn clear(new: &Path) -> Result<(), StoreError> {
    let sides = SIDES.iter().map(|side| beside(new, side));
    for path in sides.chain([new.to_owned()]) {
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(StoreError::io(&path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// A whole store without a write-ahead log; whoever opens it turns that on.
fn build(new: &Path, policy: &str) -> Result<(), StoreError> {
    let mut conn = connection::open(new, Role::Creator)?;
    schema::migrate(&mut conn, schema::KNOWN)?;
    name_policy(&conn, policy)?;
    conn.close().map_err(|(_, error)| StoreError::from(error))
}

/// Writes for whom the store is, if it does not say so yet.
pub(super) fn name_policy(conn: &Connection, policy: &str) -> Result<(), StoreError> {
    conn.execute(
        "INSERT OR IGNORE INTO meta (key, value) VALUES ('policy', ?1)",
        [policy],
    )?;
    Ok(())
}

/// `lamplighter.db-wal` and the like.
fn beside(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Makes names in a directory durable.
pub(super) fn sync_directory(directory: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    File::open(directory)
        .and_then(|open| open.sync_all())
        .map_err(|error| StoreError::io(directory, error))?;
    Ok(())
}
