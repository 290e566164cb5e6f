//! The tables, as a list of migrations; `PRAGMA user_version` counts those applied.

use rusqlite::{Connection, TransactionBehavior};

use super::{StoreError, changes};

/// Marks the file as ours (`PRAGMA application_id`): "Lamp".
pub(super) const APPLICATION_ID: i64 = 0x4c61_6d70;

/// Migration N (from 1) takes a store from schema N - 1 to schema N. A released one never changes.
pub(super) const MIGRATIONS: &[&str] = &[FIRST, NEWEST, CLOCKS, CHANGES];

/// The migration behind which the changes of the runs so far are filled in.
const FILLED: i64 = 4;

/// The schema this version writes.
pub(super) const KNOWN: i64 = MIGRATIONS.len() as i64;

/// The schema of an open file.
pub(super) fn version(conn: &Connection) -> Result<i64, StoreError> {
    Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Takes the file to schema `to`, all steps in one transaction.
pub(super) fn migrate(conn: &mut Connection, to: i64) -> Result<(), StoreError> {
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let from = version(&transaction)?;
    for (number, sql) in (1_i64..).zip(MIGRATIONS) {
        if number > from && number <= to {
            transaction.execute_batch(sql)?;
            if number == FILLED {
                changes::fill(&transaction)?;
            }
            transaction.pragma_update(None, "user_version", number)?;
        }
    }
    if from == 0 {
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    Ok(transaction.commit()?)
}

// Times are UTC milliseconds. References to blobs are counted by triggers, so that nothing that
// deletes a version or a robots fetch can forget its body.
const FIRST: &str = "
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE targets (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

CREATE TABLE sources (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, date_ms INTEGER NOT NULL,
  imported_ms INTEGER NOT NULL, sha256 TEXT NOT NULL);
CREATE TABLE sites (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, wait_until_ms INTEGER, wait_cause TEXT);
-- due_ms: null is never, 0 at once. done_run: newest run in which this host has no turn left.
-- before_ms: end of its visit in the run before the one of visited_run.
CREATE TABLE hosts (
  id INTEGER PRIMARY KEY, site INTEGER NOT NULL, name TEXT NOT NULL UNIQUE,
  source INTEGER, line INTEGER, found_from INTEGER, found_ms INTEGER,
  due_ms INTEGER, done_run INTEGER, alias INTEGER,
  visited_run INTEGER, visited_ms INTEGER, before_ms INTEGER);
CREATE INDEX hosts_due ON hosts (site, id, due_ms, done_run);

CREATE TABLE runs (
  id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, started_ms INTEGER NOT NULL,
  window_ends_ms INTEGER NOT NULL, ended_ms INTEGER, loopback INTEGER NOT NULL,
  scheme TEXT NOT NULL, user_agent INTEGER NOT NULL, source_ip TEXT, policy INTEGER NOT NULL,
  first_ms INTEGER, last_ms INTEGER);
CREATE TABLE processes (
  id INTEGER PRIMARY KEY, run INTEGER NOT NULL, started_ms INTEGER NOT NULL,
  policy INTEGER NOT NULL);
CREATE TABLE totals (
  run INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (run, kind, key)) WITHOUT ROWID;

-- drift, sent_drift, took_drift: monotonic time less (wall time - start of the process).
-- sent_ms counts from at_ms, took_ms from sent. line: null if the host is open, 0 if no rule
-- matched. asked, answered: JSON of what is seldom there. body: null if equal to wire.
CREATE TABLE requests (
  site INTEGER NOT NULL, at_ms INTEGER NOT NULL, seq INTEGER NOT NULL,
  process INTEGER NOT NULL, host INTEGER NOT NULL, target INTEGER NOT NULL,
  drift INTEGER NOT NULL, robots INTEGER, line INTEGER, gap_ms INTEGER NOT NULL, asked TEXT,
  sent_ms INTEGER, sent_drift INTEGER, took_ms INTEGER, took_drift INTEGER,
  outcome INTEGER, status INTEGER, remote BLOB, coding INTEGER, wire INTEGER, body INTEGER,
  sha256 BLOB, connection INTEGER, answered TEXT,
  PRIMARY KEY (site, at_ms, seq)) WITHOUT ROWID;

CREATE TABLE visits (
  run INTEGER NOT NULL, site INTEGER NOT NULL, host INTEGER NOT NULL, turn INTEGER NOT NULL,
  outcome TEXT NOT NULL, about, ended_ms INTEGER NOT NULL, locations BLOB NOT NULL, denied BLOB,
  previous_ms INTEGER,
  PRIMARY KEY (run, site, host, turn)) WITHOUT ROWID;

CREATE TABLE spans (
  host INTEGER NOT NULL, target INTEGER NOT NULL, since_ms INTEGER NOT NULL, seq INTEGER NOT NULL,
  state INTEGER NOT NULL, sha256 BLOB, bytes INTEGER,
  PRIMARY KEY (host, target, since_ms, seq)) WITHOUT ROWID;
CREATE TABLE versions (
  host INTEGER NOT NULL, target INTEGER NOT NULL, number INTEGER NOT NULL,
  blob INTEGER NOT NULL, first_ms INTEGER NOT NULL, last_ms INTEGER NOT NULL,
  media_type INTEGER, coding INTEGER, marks BLOB,
  PRIMARY KEY (host, target, number)) WITHOUT ROWID;
CREATE TABLE validators (
  host INTEGER NOT NULL, target INTEGER NOT NULL, etag INTEGER, last_modified INTEGER,
  PRIMARY KEY (host, target)) WITHOUT ROWID;
CREATE TABLE robots (
  id INTEGER PRIMARY KEY, host INTEGER NOT NULL, at_ms INTEGER NOT NULL, status INTEGER,
  access INTEGER NOT NULL, redirects INTEGER NOT NULL, url INTEGER NOT NULL,
  blob INTEGER, sha256 BLOB, valid_until_ms INTEGER NOT NULL,
  delay REAL, delay_line INTEGER, signals INTEGER NOT NULL);
CREATE INDEX robots_of_host ON robots (host, id);

-- The bytes stand apart, so that counting a reference does not write them again.
CREATE TABLE blobs (
  id INTEGER PRIMARY KEY, sha256 BLOB NOT NULL UNIQUE, refs INTEGER NOT NULL,
  bytes INTEGER NOT NULL);
CREATE TABLE bodies (blob INTEGER PRIMARY KEY, zstd INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TRIGGER versions_added AFTER INSERT ON versions BEGIN
  UPDATE blobs SET refs = refs + 1 WHERE id = NEW.blob; END;
CREATE TRIGGER versions_gone AFTER DELETE ON versions BEGIN
  UPDATE blobs SET refs = refs - 1 WHERE id = OLD.blob;
  DELETE FROM blobs WHERE id = OLD.blob AND refs <= 0; END;
CREATE TRIGGER robots_added AFTER INSERT ON robots WHEN NEW.blob IS NOT NULL BEGIN
  UPDATE blobs SET refs = refs + 1 WHERE id = NEW.blob; END;
CREATE TRIGGER robots_gone AFTER DELETE ON robots WHEN OLD.blob IS NOT NULL BEGIN
  UPDATE blobs SET refs = refs - 1 WHERE id = OLD.blob;
  DELETE FROM blobs WHERE id = OLD.blob AND refs <= 0; END;
CREATE TRIGGER blobs_gone AFTER DELETE ON blobs BEGIN
  DELETE FROM bodies WHERE blob = OLD.id; END;

CREATE TABLE control (
  name TEXT PRIMARY KEY, requested TEXT NOT NULL DEFAULT '', reached TEXT NOT NULL DEFAULT '',
  value INTEGER NOT NULL DEFAULT 0, at_ms INTEGER) WITHOUT ROWID;
INSERT INTO control (name) VALUES ('pause'), ('holds'), ('suppressed');
CREATE TABLE holds (
  scope TEXT PRIMARY KEY, since_ms INTEGER NOT NULL, by TEXT NOT NULL, why TEXT NOT NULL)
  WITHOUT ROWID;
CREATE TABLE journal (
  id INTEGER PRIMARY KEY, at_ms INTEGER NOT NULL, by TEXT NOT NULL, action TEXT NOT NULL,
  why TEXT NOT NULL, inverse TEXT NOT NULL);
";

// The newest visit of a host in numbers (`browse::facts`), for lists of all hosts. Visits that ended
// before stay without: to fill them in would read the whole log while a user waits for the first
// screen, and the next visit of a host, a period later, writes them anyway.
const NEWEST: &str = "
ALTER TABLE hosts ADD COLUMN newest BLOB;
";

// How far the clock of a process, or of a journal entry, was ahead of the system's (loopback runs):
// what stands in one clock can be compared with what stands in another.
const CLOCKS: &str = "
ALTER TABLE processes ADD COLUMN shift_ms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE journal ADD COLUMN shift_ms INTEGER NOT NULL DEFAULT 0;
";

// What each run found different (`changes`), so that no list of changes is ever a comparison of runs.
// kind, old, new: `changes::Code` and numbers of versions. Of runs that ended before, what was sent
// whole and unchanged is not known (`runs.sparse`): the log would have to be read for it.
// spans.status: of the answer that showed the state.
const CHANGES: &str = "
CREATE TABLE changes (
  run INTEGER NOT NULL, site INTEGER NOT NULL, host INTEGER NOT NULL, target INTEGER NOT NULL,
  kind INTEGER NOT NULL, at_ms INTEGER NOT NULL, old INTEGER, new INTEGER,
  old_bytes INTEGER, new_bytes INTEGER,
  PRIMARY KEY (run, site, host, target)) WITHOUT ROWID;
ALTER TABLE runs ADD COLUMN sparse INTEGER NOT NULL DEFAULT 0;
UPDATE runs SET sparse = 1;
ALTER TABLE spans ADD COLUMN status INTEGER;
";

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(conn: &Connection) -> Vec<String> {
        let mut statement = conn
            .prepare("SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1")
            .unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    #[test]
    fn every_older_version_migrates_to_the_same_shape() {
        let mut fresh = Connection::open_in_memory().unwrap();
        migrate(&mut fresh, KNOWN).unwrap();
        assert!(shape(&fresh).len() > 20);
        for older in 0..=KNOWN {
            let mut conn = Connection::open_in_memory().unwrap();
            migrate(&mut conn, older).unwrap();
            assert_eq!(version(&conn).unwrap(), older);
            migrate(&mut conn, KNOWN).unwrap();
            assert_eq!(version(&conn).unwrap(), KNOWN);
            assert_eq!(shape(&conn), shape(&fresh), "from schema {older}");
        }
    }
}
