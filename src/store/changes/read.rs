//! Listing changes: of one run a range, of several runs the ranges merged. A pass over all of them is
//! made of short statements, so that it never holds the write-ahead log (known fault 16).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use rusqlite::{Connection, OptionalExtension, Rows, params};

use super::{ENTRY, Entry, Was, entry, fold, oldest_like};
use crate::hosts::Site;
use crate::store::intern::target_of;
use crate::store::pack::{host, small, time, uncount};
use crate::store::{
    ChangeCounts, ChangeFacts, ChangeIndex, ChangeKey, ChangeKind, ChangeLine, ChangeSpan, HostId,
    Reader, RunId, SiteId, StoreError, runs, totals,
};

/// Rows read in one read transaction: some ten milliseconds.
const CHUNK: usize = 10_000;

/// What keeps a change in a list.
pub(super) type Keep<'a> = &'a mut dyn FnMut(&ChangeFacts<'_>) -> bool;

const BEFORE_ALL: ChangeKey = ChangeKey {
    site: SiteId(i64::MIN),
    host: HostId(0),
    target: 0,
};

impl Reader {
    /// Counts of a single run's changes, as kept. Of an older run (see [`Reader::is_sparse`]) those
    /// unchanged at full cost are not known and 0.
    pub fn change_counts(&self, run: RunId) -> Result<ChangeCounts, StoreError> {
        self.on(|conn| Ok(super::counts(&totals::read(conn, run)?)))
    }

    /// Whether a run began before changes were written as they happen: what was unchanged at full
    /// cost, and what was confirmed by 304, is then not known.
    pub fn is_sparse(&self, run: RunId) -> Result<bool, StoreError> {
        self.on(|conn| runs::is_sparse(conn, run))
    }

    /// One pass over the changes that `keep` keeps: their counts, and where the windows of the list
    /// begin (24 bytes for every 256 of them). Ended by an [`crate::store::Interrupter`].
    pub fn change_index(
        &self,
        span: ChangeSpan,
        keep: Keep<'_>,
    ) -> Result<ChangeIndex, StoreError> {
        let mut index = ChangeIndex::default();
        let (mut count, mut last) = (0, BEFORE_ALL);
        self.each_kept(span, BEFORE_ALL, keep, &mut |_, key, _, kind| {
            if count % ChangeIndex::STRIDE == 0 {
                index.marks.push(last);
            }
            *index.counts.of_mut(kind) += 1;
            (count, last) = (count + 1, key);
            Ok(true)
        })?;
        Ok(index)
    }

    /// Changes `first..first + limit` of the list that [`Reader::change_index`] has passed with the
    /// same `keep`. If the store was written meanwhile, they are those that stand there now.
    pub fn change_window(
        &self,
        span: ChangeSpan,
        index: &ChangeIndex,
        first: usize,
        limit: usize,
        keep: Keep<'_>,
    ) -> Result<Vec<ChangeLine>, StoreError> {
        let Some(mark) = index.marks.get(first / ChangeIndex::STRIDE) else {
            return Ok(Vec::new());
        };
        self.lines(span, *mark, first % ChangeIndex::STRIDE, limit, keep)
    }

    /// The first `limit` changes after `after`: a first screen before the list is known, or the next
    /// page of a listing.
    pub fn changes_after(
        &self,
        span: ChangeSpan,
        after: Option<ChangeKey>,
        limit: usize,
        keep: Keep<'_>,
    ) -> Result<Vec<ChangeLine>, StoreError> {
        self.lines(span, after.unwrap_or(BEFORE_ALL), 0, limit, keep)
    }

    fn lines(
        &self,
        span: ChangeSpan,
        after: ChangeKey,
        mut skip: usize,
        limit: usize,
        keep: Keep<'_>,
    ) -> Result<Vec<ChangeLine>, StoreError> {
        let mut lines = Vec::new();
        if limit == 0 {
            return Ok(lines);
        }
        self.each_kept(span, after, keep, &mut |conn, key, entry, kind| {
            if skip > 0 {
                skip -= 1;
                return Ok(true);
            }
            lines.push(line(conn, key, &entry, kind)?);
            Ok(lines.len() < limit)
        })?;
        Ok(lines)
    }

    /// Every change after `after` that `keep` keeps, until `each` returns false.
    fn each_kept(
        &self,
        span: ChangeSpan,
        mut after: ChangeKey,
        keep: Keep<'_>,
        each: &mut Each<'_>,
    ) -> Result<(), StoreError> {
        let before = self.interrupts();
        let mut names = Names::default();
        loop {
            if self.interrupts() != before {
                return Err(StoreError::Interrupted);
            }
            let next = self.at_once(|conn| {
                let ids = run_ids(conn, span)?;
                names.chunk(conn, &ids, after, keep, each)
            })?;
            match next {
                Some(key) => after = key,
                None => return Ok(()),
            }
        }
    }
}

type Each<'a> =
    dyn FnMut(&Connection, ChangeKey, Entry, ChangeKind) -> Result<bool, StoreError> + 'a;

/// Ids of the runs whose changes are joined, oldest first.
fn run_ids(conn: &Connection, span: ChangeSpan) -> Result<Vec<i64>, StoreError> {
    let Some(since) = span.since else {
        return Ok(vec![span.to.0]);
    };
    let mut statement =
        conn.prepare_cached("SELECT id FROM runs WHERE id > ?1 AND id <= ?2 ORDER BY id")?;
    let rows = statement.query_map([since.0, span.to.0], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Names looked up last: a pass meets the same ones in a row.
#[derive(Default)]
struct Names {
    host: Option<(i64, String)>,
    targets: HashMap<i64, String>,
}

/// Locations remembered; plans with fixed lists have a handful.
const REMEMBERED: usize = 10_000;

impl Names {
    fn of(&mut self, conn: &Connection, key: ChangeKey) -> Result<(&str, &str), StoreError> {
        if self.host.as_ref().is_none_or(|(id, _)| *id != key.host.0) {
            let name = conn
                .prepare_cached("SELECT name FROM hosts WHERE id = ?1")?
                .query_row([key.host.0], |row| row.get(0))?;
            self.host = Some((key.host.0, name));
        }
        if !self.targets.contains_key(&key.target) {
            if self.targets.len() >= REMEMBERED {
                self.targets.clear();
            }
            self.targets
                .insert(key.target, target_of(conn, key.target)?);
        }
        let host = self.host.as_ref().map_or("", |(_, name)| name.as_str());
        let target = self.targets.get(&key.target).map_or("", String::as_str);
        Ok((host, target))
    }

    /// Some changes after a key, in one transaction. The key to go on after; none at the end.
    fn chunk(
        &mut self,
        conn: &Connection,
        runs: &[i64],
        after: ChangeKey,
        keep: Keep<'_>,
        each: &mut Each<'_>,
    ) -> Result<Option<ChangeKey>, StoreError> {
        let (mut last, mut left) = (None, CHUNK);
        let whole = merge(conn, runs, after, &mut |key, entry| {
            (last, left) = (Some(key), left - 1);
            if let Some(kind) = entry.code.kind() {
                let (host, location) = self.of(conn, key)?;
                let facts = ChangeFacts {
                    key,
                    kind,
                    was_gone: entry.code.was() == Was::Gone,
                    host,
                    location,
                    bytes_before: entry.old_bytes.map(uncount),
                    bytes_now: entry.new_bytes.map(uncount),
                };
                if keep(&facts) && !each(conn, key, entry, kind)? {
                    last = None;
                    return Ok(false);
                }
            }
            Ok(left > 0)
        })?;
        Ok(last.filter(|_| !whole))
    }
}

/// Changes of one run after a key.
pub(in crate::store) fn range() -> String {
    format!(
        "SELECT site, host, target, {ENTRY} FROM changes
         WHERE run = ?1 AND (site, host, target) > (?2, ?3, ?4) ORDER BY site, host, target"
    )
}

/// The changes of several runs after a key, in the order of their places, those of one place as one.
/// Whether the end was reached; `each` returns false to stop before.
fn merge(
    conn: &Connection,
    runs: &[i64],
    after: ChangeKey,
    each: &mut dyn FnMut(ChangeKey, Entry) -> Result<bool, StoreError>,
) -> Result<bool, StoreError> {
    let sql = range();
    let mut statements = Vec::with_capacity(runs.len());
    for _ in runs {
        statements.push(conn.prepare_cached(&sql)?);
    }
    let mut cursors = Vec::with_capacity(runs.len());
    // The next place of each cursor; at one place the older run comes first.
    let mut heap = BinaryHeap::with_capacity(runs.len());
    for (number, (statement, run)) in statements.iter_mut().zip(runs).enumerate() {
        let from = params![run, after.site.0, after.host.0, after.target];
        let mut cursor = Cursor {
            rows: statement.query(from)?,
            next: None,
        };
        heap.extend(cursor.step()?.map(|key| Reverse((key, number))));
        cursors.push(cursor);
    }
    let mut open: Option<(ChangeKey, Entry)> = None;
    while let Some(Reverse((key, number))) = heap.pop() {
        let cursor = &mut cursors[number];
        let Some(then) = cursor.next.take() else {
            continue;
        };
        heap.extend(cursor.step()?.map(|key| Reverse((key, number))));
        open = match open {
            Some((place, first)) if place == key => {
                let joined = fold::join(conn, (key.host.0, key.target), first, then)?;
                Some((key, joined))
            }
            Some((place, whole)) => {
                if !each(place, whole)? {
                    return Ok(false);
                }
                Some((key, then))
            }
            None => Some((key, then)),
        };
    }
    if let Some((place, whole)) = open {
        each(place, whole)?;
    }
    Ok(true)
}

/// The changes of one run.
struct Cursor<'s> {
    rows: Rows<'s>,
    next: Option<Entry>,
}

impl Cursor<'_> {
    /// Reads the next row; its place.
    fn step(&mut self) -> Result<Option<ChangeKey>, StoreError> {
        let Some(row) = self.rows.next()? else {
            return Ok(None);
        };
        self.next = Some(entry(row, 3)?);
        Ok(Some(ChangeKey {
            site: SiteId(row.get(0)?),
            host: HostId(row.get(1)?),
            target: row.get(2)?,
        }))
    }
}

/// A change with all that a listing says of it.
fn line(
    conn: &Connection,
    key: ChangeKey,
    entry: &Entry,
    kind: ChangeKind,
) -> Result<ChangeLine, StoreError> {
    let (host_name, site): (String, String) = conn
        .prepare_cached(
            "SELECT h.name, s.name FROM hosts h JOIN sites s ON s.id = h.site WHERE h.id = ?1",
        )?
        .query_row([key.host.0], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let location = target_of(conn, key.target)?;
    let mut same_as = None;
    if let Some(number) = entry.new {
        let oldest = oldest_like(conn, key.host.0, key.target, number)?;
        same_as = (oldest < number).then_some(oldest);
    }
    Ok(ChangeLine {
        key,
        site: Site::from_stored(&site),
        host: host(&host_name)?,
        kind,
        was_gone: entry.code.was() == Was::Gone,
        at: time(entry.at_ms),
        before: entry.old.map(small).transpose()?,
        now: entry.new.map(small).transpose()?,
        bytes_before: entry.old_bytes.map(uncount),
        bytes_now: entry.new_bytes.map(uncount),
        same_as: same_as.map(small).transpose()?,
        shared: shared(conn, key, entry.new, &location)?,
        location,
    })
}

/// How many other references there are to the body of a version; robots.txt has one for each fetch.
fn shared(
    conn: &Connection,
    key: ChangeKey,
    number: Option<i64>,
    location: &str,
) -> Result<Option<u64>, StoreError> {
    let (Some(number), false) = (number, location == "/robots.txt") else {
        return Ok(None);
    };
    let refs: Option<(i64, i64)> = conn
        .prepare_cached(
            "SELECT b.refs, (SELECT count(*) FROM versions o WHERE o.host = v.host AND o.blob = v.blob)
             FROM versions v JOIN blobs b ON b.id = v.blob
             WHERE v.host = ?1 AND v.target = ?2 AND v.number = ?3",
        )?
        .query_row([key.host.0, key.target, number], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })
        .optional()?;
    Ok(refs.map(|(all, own)| uncount(all - own)))
}
