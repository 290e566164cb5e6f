//! Connections and their settings; every one of them is opened here.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::StoreError;

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Makes a new store.
    Creator,
    /// The writer thread.
    Writer,
    /// An import: large, in order, alone.
    Import,
    /// Short write transactions of a command, migrations.
    Desk,
    /// Reads only.
    Reader,
}

impl Role {
    /// An import holds the file for some seconds; the writer outlasts that, a command need not.
    pub(super) fn patience(self) -> Duration {
        match self {
            Role::Writer | Role::Import => Duration::from_secs(30),
            Role::Creator | Role::Desk | Role::Reader => Duration::from_secs(5),
        }
    }

    fn cache_kib(self) -> i64 {
        match self {
            Role::Import => 128 * 1024,
            Role::Writer => 16 * 1024,
            Role::Creator | Role::Desk | Role::Reader => 8 * 1024,
        }
    }
}

/// Opens the file with the settings every connection has.
pub(super) fn open(file: &Path, role: Role) -> Result<Connection, StoreError> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    if role == Role::Creator {
        flags |= OpenFlags::SQLITE_OPEN_CREATE;
    }
    let conn = Connection::open_with_flags(file, flags)?;
    conn.busy_timeout(role.patience())?;
    steady_plans(&conn)?;
    conn.pragma_update(None, "cache_size", -role.cache_kib())?;
    conn.pragma_update(None, "synchronous", "FULL")?;
    // What is erased leaves no bytes in the file; SQLite's default is off.
    conn.query_row("PRAGMA secure_delete = ON", [], |_| Ok(()))?;
    conn.pragma_update(None, "foreign_keys", false)?;
    conn.pragma_update(None, "trusted_schema", false)?;
    // A log that once grew is cut back when it starts over.
    conn.query_row("PRAGMA journal_size_limit = 8388608", [], |_| Ok(()))?;
    if role == Role::Reader {
        conn.pragma_update(None, "query_only", true)?;
    }
    Ok(conn)
}

/// Opens a file that nobody writes, leaving nothing beside it.
pub(super) fn open_immutable(file: &Path) -> Result<Connection, StoreError> {
    let absolute = std::path::absolute(file).map_err(|error| StoreError::io(file, error))?;
    let mut uri = String::from("file:");
    for byte in absolute.as_os_str().as_encoded_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b':' => {
                uri.push(char::from(*byte));
            }
            b'\\' => uri.push('/'),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(uri, flags)?;
    steady_plans(&conn)?;
    Ok(conn)
}

/// Statements are prepared once: without the planner's stability guarantee each new value bound to a
/// range makes SQLite plan again, which costs more than running most of ours.
fn steady_plans(conn: &Connection) -> Result<(), StoreError> {
    conn.set_prepared_statement_cache_capacity(128);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(())
}

/// Turns the write-ahead log on; it stays on for the file.
pub(super) fn use_wal(conn: &Connection) -> Result<(), StoreError> {
    let mode: String = conn.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode.eq_ignore_ascii_case("wal") {
        return Ok(());
    }
    Err(StoreError::Damaged {
        path: Default::default(),
        problem: format!("its file system allows only journal mode {mode}, not WAL"),
    })
}

/// Size of `lamplighter.db-wal` or another side file; 0 if there is none.
pub(super) fn side_file_bytes(file: &Path, suffix: &str) -> u64 {
    let mut name = OsString::from(file);
    name.push(suffix);
    std::fs::metadata(name).map_or(0, |data| data.len())
}
