//! A clean copy for the historian, and the check of a store's integrity.

use std::io::ErrorKind;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::backup::{Backup, StepResult};

use super::connection::Role;
use super::pack::{damaged, hex};
use super::{Store, StoreError, blobs, create};

/// What a check found.
#[derive(Clone, Debug, Default)]
pub struct CheckReport {
    /// What SQLite's integrity check said, if not ok.
    pub integrity: Vec<String>,
    /// Bodies whose bytes are not those of their digest.
    pub bad_blobs: Vec<String>,
    /// References without a blob, blobs without reference, counts that differ.
    pub bad_references: Vec<String>,
    /// Bodies read back.
    pub blobs: u64,
}

impl Store {
    /// Copies the store with the backup API to `destination` (a new directory), without a write-ahead
    /// log. A copy that could not be finished leaves nothing behind.
    pub fn copy(&self, destination: &Path) -> Result<(), StoreError> {
        let place = Place::new(self.directory(), destination)?;
        let name = self.file().file_name().unwrap_or_default();
        let file = destination.join(name);
        let copied = self.copy_to(&file);
        if copied.is_err() {
            place.clear(&name.to_string_lossy());
        }
        copied
    }

    fn copy_to(&self, file: &Path) -> Result<(), StoreError> {
        let from = self.checked(|| self.connect(Role::Reader))?;
        // Under another name until it is whole: half a copy must not pass for one.
        let mut new = file.as_os_str().to_owned();
        new.push(".new");
        let new = Path::new(&new);
        backup(&from, new).map_err(|error| match error {
            // A page that makes no sense was read, not written.
            StoreError::Damaged { .. } => error.located(self.file()),
            error => error.located(new),
        })?;
        std::fs::rename(new, file).map_err(|error| StoreError::io(file, error))?;
        create::sync_directory(file.parent().unwrap_or(Path::new(".")))
    }

    /// Checks integrity, every digest, every reference.
    pub fn check(&self) -> Result<CheckReport, StoreError> {
        self.checked(|| {
            let conn = self.connect(Role::Reader)?;
            let mut report = CheckReport::default();
            for look in [integrity, bodies, references] {
                match look(&conn, &mut report) {
                    // Where the damage ends a look, the others may still find something.
                    Err(StoreError::Damaged { problem, .. }) => report.integrity.push(problem),
                    looked => looked?,
                }
            }
            Ok(report)
        })
    }
}

/// A new directory for a copy.
struct Place<'a> {
    directory: &'a Path,
    /// Whether it was there before, empty.
    was_there: bool,
}

impl<'a> Place<'a> {
    /// Makes it; refuses what is no directory, one that holds something, or one inside the store's own.
    fn new(store: &Path, directory: &'a Path) -> Result<Place<'a>, StoreError> {
        let occupied = |what| {
            Err(StoreError::Occupied {
                path: directory.to_owned(),
                what,
            })
        };
        let failed = |error| StoreError::io(directory, error);
        let was_there = match std::fs::read_dir(directory) {
            Ok(mut entries) => match entries.next() {
                Some(_) => return occupied("it is a directory that is not empty"),
                None => true,
            },
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                return occupied("it is a file, or below one");
            }
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(failed(error)),
        };
        if is_inside(directory, store) {
            return occupied("it lies inside the store's own directory");
        }
        std::fs::create_dir_all(directory).map_err(failed)?;
        Ok(Place {
            directory,
            was_there,
        })
    }

    /// Removes what a copy that failed has left; the error that stopped it is the one to tell.
    fn clear(&self, name: &str) {
        let entries = std::fs::read_dir(self.directory).into_iter().flatten();
        for entry in entries.filter_map(Result::ok) {
            if entry.file_name().to_string_lossy().starts_with(name) {
                let _ = std::fs::remove_file(entry.path());
            }
        }
        if !self.was_there {
            let _ = std::fs::remove_dir(self.directory);
        }
    }
}

/// Whether a path, which need not be there, lies below a directory; links are followed as far as they go.
fn is_inside(path: &Path, directory: &Path) -> bool {
    let Ok(directory) = std::fs::canonicalize(directory) else {
        return false;
    };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let known = path
        .ancestors()
        .find_map(|path| std::fs::canonicalize(path).ok());
    known.is_some_and(|known| known.starts_with(directory))
}

/// In one step: a copy made in many starts over each time a running engine commits.
fn backup(from: &Connection, file: &Path) -> Result<(), StoreError> {
    let mut to = Connection::open(file)?;
    match Backup::new(from, &mut to)?.step(-1)? {
        StepResult::Done => {}
        _ => return Err(StoreError::Busy),
    }
    // Pages are copied as they are: a copy of damage must not be gone back to.
    let found: String = to.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        return Err(damaged(found));
    }
    let _: String = to.query_row("PRAGMA journal_mode = DELETE", [], |row| row.get(0))?;
    to.close().map_err(|(_, error)| StoreError::from(error))
}

fn integrity(conn: &Connection, report: &mut CheckReport) -> Result<(), StoreError> {
    let mut statement = conn.prepare("PRAGMA integrity_check")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let line: String = row.get(0)?;
        if line != "ok" {
            report.integrity.push(line);
        }
    }
    Ok(())
}

fn bodies(conn: &Connection, report: &mut CheckReport) -> Result<(), StoreError> {
    let mut after = i64::MIN;
    loop {
        let page: Vec<i64> = conn
            .prepare_cached("SELECT id FROM blobs WHERE id > ?1 ORDER BY id LIMIT 200")?
            .query_map([after], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = *last;
        for id in page {
            report.blobs += 1;
            match blobs::read(conn, id) {
                Ok(_) => {}
                Err(StoreError::Damaged { problem, .. }) => report.bad_blobs.push(problem),
                Err(error) => return Err(error),
            }
        }
    }
}

fn references(conn: &Connection, report: &mut CheckReport) -> Result<(), StoreError> {
    const DANGLING: [(&str, &str); 9] = [
        (
            "version without a body",
            "versions r LEFT JOIN blobs x ON x.id = r.blob",
        ),
        (
            "version of no host",
            "versions r LEFT JOIN hosts x ON x.id = r.host",
        ),
        (
            "version of no location",
            "versions r LEFT JOIN targets x ON x.id = r.target",
        ),
        (
            "bytes without a body",
            "bodies r LEFT JOIN blobs x ON x.id = r.blob",
        ),
        (
            "request of no host",
            "requests r LEFT JOIN hosts x ON x.id = r.host",
        ),
        (
            "request of no process",
            "requests r LEFT JOIN processes x ON x.id = r.process",
        ),
        (
            "request of no location",
            "requests r LEFT JOIN targets x ON x.id = r.target",
        ),
        (
            "change of no host",
            "changes r LEFT JOIN hosts x ON x.id = r.host",
        ),
        (
            "host of no site",
            "hosts r LEFT JOIN sites x ON x.id = r.site",
        ),
    ];
    for (what, join) in DANGLING {
        let n: i64 = conn.query_row(
            &format!("SELECT count(*) FROM {join} WHERE x.id IS NULL"),
            [],
            |row| row.get(0),
        )?;
        if n > 0 {
            report.bad_references.push(format!("{n} times: {what}"));
        }
    }
    let n: i64 = conn.query_row(
        "SELECT count(*) FROM robots r LEFT JOIN blobs b ON b.id = r.blob
         WHERE r.blob IS NOT NULL AND b.id IS NULL",
        [],
        |row| row.get(0),
    )?;
    if n > 0 {
        report
            .bad_references
            .push(format!("{n} times: robots.txt without a body"));
    }
    counts(conn, report)
}

fn counts(conn: &Connection, report: &mut CheckReport) -> Result<(), StoreError> {
    let mut statement = conn.prepare(
        "SELECT b.sha256, b.refs, coalesce(u.n, 0) FROM blobs b LEFT JOIN
           (SELECT blob, count(*) AS n FROM
              (SELECT blob FROM versions UNION ALL SELECT blob FROM robots WHERE blob IS NOT NULL)
            GROUP BY blob) u ON u.blob = b.id
         WHERE b.refs <> coalesce(u.n, 0) OR b.refs = 0",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let sha256: Vec<u8> = row.get(0)?;
        let (kept, found): (i64, i64) = (row.get(1)?, row.get(2)?);
        report.bad_references.push(format!(
            "body with SHA-256 {}: {kept} references counted, {found} found",
            hex(&sha256)
        ));
    }
    Ok(())
}
