//! Hosts into the store, with the source they came from (AS8).

use std::collections::HashSet;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::connection::Role;
use super::{Store, StoreError};
use crate::hosts::{Entry, Host, Reject, Site};

/// Where hosts came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// `list`, `majestic`…
    pub kind: String,
    /// File name as given.
    pub name: String,
    /// Date of the list (its file's modification time, UTC).
    pub date: Timestamp,
    /// When imported.
    pub imported: Timestamp,
}

/// What an import did.
#[derive(Clone, Debug, Default)]
pub struct ImportReport {
    /// New hosts.
    pub added: u64,
    /// Hosts that were there already.
    pub known: u64,
    /// Lines refused.
    pub rejected: u64,
    /// SHA-256 of the file, hex.
    pub sha256: String,
}

/// One host of an import.
struct Line {
    site: Site,
    host: Host,
    line: u64,
}

impl Store {
    /// Imports hosts. New ids are given in (site, host) order within the import; new hosts are due at
    /// once, and so is a host that was only met through a redirect so far. A host listed twice counts
    /// once, with its first line. `digest` is called after the last entry. One transaction: all or nothing.
    pub fn import(
        &self,
        source: &Source,
        entries: &mut dyn Iterator<Item = Result<Entry, Reject>>,
        rejected: &mut dyn FnMut(&Reject),
        digest: &mut dyn FnMut() -> Result<String, std::io::Error>,
    ) -> Result<ImportReport, StoreError> {
        let mut report = ImportReport::default();
        // Everything that takes time and needs no lock comes first: a running engine must not wait.
        let lines = read(entries, rejected, &mut report);
        report.sha256 =
            digest().map_err(|error| StoreError::io(std::path::Path::new(&source.name), error))?;
        self.checked(|| {
            let mut conn = self.for_writing(Role::Import)?;
            let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
            write(&transaction, source, &lines, &mut report)?;
            Ok(transaction.commit()?)
        })?;
        Ok(report)
    }
}

fn read(
    entries: &mut dyn Iterator<Item = Result<Entry, Reject>>,
    rejected: &mut dyn FnMut(&Reject),
    report: &mut ImportReport,
) -> Vec<Line> {
    let mut seen = HashSet::new();
    let mut lines = Vec::new();
    for entry in entries {
        match entry {
            Ok(Entry { line, host }) => {
                if seen.insert(host.clone()) {
                    let site = host.site();
                    lines.push(Line { site, host, line });
                }
            }
            Err(reject) => {
                report.rejected += 1;
                rejected(&reject);
            }
        }
    }
    lines.sort_unstable_by(|a, b| (&a.site, &a.host).cmp(&(&b.site, &b.host)));
    lines
}

fn write(
    conn: &Connection,
    source: &Source,
    lines: &[Line],
    report: &mut ImportReport,
) -> Result<(), StoreError> {
    let source_id = conn
        .prepare_cached(
            "INSERT INTO sources (kind, name, date_ms, imported_ms, sha256)
             VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .insert(params![
            source.kind,
            source.name,
            source.date.as_millisecond(),
            source.imported.as_millisecond(),
            report.sha256,
        ])?;
    let mut find_site = conn.prepare_cached("SELECT id FROM sites WHERE name = ?1")?;
    let mut add_site = conn.prepare_cached("INSERT INTO sites (name) VALUES (?1)")?;
    // A host met through a redirect (source and due time null) is adopted by the list that names it.
    let mut adopt = conn.prepare_cached(
        "UPDATE hosts SET source = ?2, line = ?3, due_ms = 0
         WHERE name = ?1 AND source IS NULL AND due_ms IS NULL",
    )?;
    let mut add_host = conn.prepare_cached(
        "INSERT INTO hosts (site, name, source, line, due_ms) VALUES (?1, ?2, ?3, ?4, 0)
         ON CONFLICT (name) DO NOTHING",
    )?;
    let mut last: Option<(&Site, i64)> = None;
    for Line { site, host, line } in lines {
        let site_id = match last {
            Some((known, id)) if known == site => id,
            _ => match find_site
                .query_row([site.as_str()], |row| row.get(0))
                .optional()?
            {
                Some(id) => id,
                None => add_site.insert([site.as_str()])?,
            },
        };
        last = Some((site, site_id));
        let line = super::pack::count(*line);
        let mut new = add_host.execute(params![site_id, host.as_str(), source_id, line])?;
        if new == 0 {
            new = adopt.execute(params![host.as_str(), source_id, line])?;
        }
        if new == 0 {
            report.known += 1;
        } else {
            report.added += 1;
        }
    }
    Ok(())
}
