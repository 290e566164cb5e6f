//! One pass over all hosts, in short statements, giving each as [`HostFacts`].

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row, params};

use super::super::pack::{damaged, time};
use super::super::{HostId, HostView, SiteId, StoreError};
use super::cover::Cover;
use super::facts::{HostFacts, NewestVisit};

/// Hosts read in one statement, and so in one read transaction: some twenty milliseconds.
const CHUNK: i64 = 50_000;

/// Columns of a host as [`Scan::facts`] reads them, of `hosts h` and `sites s`.
pub(super) const COLUMNS: &str = "
h.id, h.name, h.site, s.name, s.wait_until_ms, coalesce(h.source, -(h.found_from IS NOT NULL)),
h.due_ms, h.done_run, h.visited_run, h.visited_ms, h.newest";

/// A list hosts came from.
struct List {
    id: i64,
    kind: String,
    name: String,
    imported_ms: i64,
}

/// What every row of a scan is told from.
pub(super) struct Scan {
    cover: Cover,
    lists: Vec<List>,
    newest_run: Option<i64>,
    now_ms: i64,
}

impl Scan {
    pub(super) fn begin(conn: &Connection, view: HostView<'_>) -> Result<Scan, StoreError> {
        let mut statement =
            conn.prepare_cached("SELECT id, kind, name, imported_ms FROM sources ORDER BY id")?;
        let lists = statement.query_map([], |row| {
            Ok(List {
                id: row.get(0)?,
                kind: row.get(1)?,
                name: row.get(2)?,
                imported_ms: row.get(3)?,
            })
        })?;
        Ok(Scan {
            cover: Cover::read(conn, view)?,
            lists: lists.collect::<Result<_, _>>()?,
            newest_run: conn
                .prepare_cached("SELECT max(id) FROM runs")?
                .query_row([], |row| row.get(0))?,
            now_ms: view.now.as_millisecond(),
        })
    }

    /// One row of [`COLUMNS`].
    pub(super) fn facts<'r>(&'r self, row: &'r Row<'_>) -> Result<HostFacts<'r>, StoreError> {
        let text = |column| {
            let value = row.get_ref(column)?;
            value.as_str().map_err(|_| damaged("a host's name"))
        };
        let (source_kind, source_name, imported_ms) = self.source(number(row, 5)?.unwrap_or(0));
        let visited_run = number(row, 8)?;
        let in_newest_run = visited_run.is_some() && visited_run == self.newest_run;
        let newest = match row.get_ref(10)? {
            ValueRef::Blob(bytes) => NewestVisit::unpack(bytes),
            _ => None,
        };
        Ok(HostFacts {
            id: HostId(number(row, 0)?.unwrap_or(0)),
            name: text(1)?,
            site: text(3)?,
            site_id: SiteId(number(row, 2)?.unwrap_or(0)),
            source_kind,
            source_name,
            due: number(row, 6)?.map(|due| time(due.max(imported_ms))),
            resting: number(row, 4)?
                .filter(|until| *until > self.now_ms)
                .map(time),
            visited: number(row, 9)?.map(time),
            in_newest_run,
            again: in_newest_run && number(row, 7)? != visited_run,
            newest,
            cover: &self.cover,
        })
    }

    /// Kind, name and import time of a source; -1 stands for a redirect, 0 for nothing recorded.
    fn source(&self, id: i64) -> (&str, &str, i64) {
        if id == -1 {
            return ("redirect", "", 0);
        }
        match self.lists.binary_search_by_key(&id, |list| list.id) {
            Ok(place) => {
                let list = &self.lists[place];
                (&list.kind, &list.name, list.imported_ms)
            }
            Err(_) => ("unknown", "", 0),
        }
    }

    /// Every host in id order, a statement at a time; between two, `go_on` is asked.
    pub(super) fn each(
        &self,
        conn: &Connection,
        go_on: &dyn Fn() -> Result<(), StoreError>,
        each: &mut dyn FnMut(&HostFacts<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM hosts h CROSS JOIN sites s ON s.id = h.site
             WHERE h.id > ?1 ORDER BY h.id LIMIT ?2"
        );
        let mut after = -1;
        loop {
            go_on()?;
            let before = after;
            let mut statement = conn.prepare_cached(&sql)?;
            let mut rows = statement.query(params![after, CHUNK])?;
            while let Some(row) = rows.next()? {
                let facts = self.facts(row)?;
                after = facts.id.0;
                each(&facts)?;
            }
            if after == before {
                return Ok(());
            }
        }
    }
}

/// An integer column, without the checks of a conversion: a million rows pass here.
fn number(row: &Row<'_>, column: usize) -> Result<Option<i64>, StoreError> {
    Ok(match row.get_ref(column)? {
        ValueRef::Integer(value) => Some(value),
        _ => None,
    })
}
