//! A clean copy for the historian, and the check of a store's integrity.

use std::path::Path;

use rusqlite::Connection;
use rusqlite::backup::Backup;

use super::connection::Role;
use super::pack::hex;
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
    /// Copies the store with the backup API to `destination` (a new directory), without a write-ahead log.
    pub fn copy(&self, destination: &Path) -> Result<(), StoreError> {
        let failed = |error| StoreError::io(destination, error);
        std::fs::create_dir_all(destination).map_err(failed)?;
        if std::fs::read_dir(destination)
            .map_err(failed)?
            .next()
            .is_some()
        {
            return Err(failed(std::io::Error::new(
                std::io::ErrorKind::AlreadyExists,
                "this directory is not empty; name a new one",
            )));
        }
        let name = self.file().file_name().unwrap_or_default();
        let file = destination.join(name);
        let copied = self
            .checked(|| self.connect(Role::Reader))
            .and_then(|from| backup(&from, &file).map_err(|error| error.located(&file)));
        if copied.is_err() {
            // Half a copy must not pass for one; the error that stopped it is the one to tell.
            let _ = std::fs::remove_file(&file);
        }
        copied?;
        create::sync_directory(destination)
    }

    /// Checks integrity, every digest, every reference.
    pub fn check(&self) -> Result<CheckReport, StoreError> {
        self.checked(|| {
            let conn = self.connect(Role::Reader)?;
            let mut report = CheckReport::default();
            integrity(&conn, &mut report)?;
            bodies(&conn, &mut report)?;
            references(&conn, &mut report)?;
            Ok(report)
        })
    }
}

/// In one step: a copy made in many starts over each time a running engine commits.
fn backup(from: &Connection, file: &Path) -> Result<(), StoreError> {
    let mut to = Connection::open(file)?;
    Backup::new(from, &mut to)?.step(-1)?;
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
    const DANGLING: [(&str, &str); 8] = [
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
