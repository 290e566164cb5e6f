//! The changes of runs that ended before changes were written, told from spans and versions.

use rusqlite::Connection;

use super::write::put;
use super::{Code, Entry, Was, oldest_like};
use crate::store::history::Place;
use crate::store::totals::Counts;
use crate::store::{RunId, SpanState, StoreError};

/// Writes them all. Bytes sent whole and unchanged left no trace in spans and versions: none are made up.
pub(in crate::store) fn fill(conn: &Connection) -> Result<(), StoreError> {
    let starts = starts(conn)?;
    if starts.is_empty() {
        return Ok(());
    }
    let mut counts = Counts::default();
    let mut statement = conn.prepare(
        "SELECT v.host, v.target, v.number, v.first_ms, b.bytes
         FROM versions v JOIN blobs b ON b.id = v.blob ORDER BY v.host, v.target, v.number",
    )?;
    let mut rows = statement.query([])?;
    let mut location: Option<Location> = None;
    while let Some(row) = rows.next()? {
        let (host, target) = (row.get(0)?, row.get(1)?);
        let version = Event::Version {
            at_ms: row.get(3)?,
            number: row.get(2)?,
            bytes: row.get(4)?,
        };
        match &mut location {
            Some(open) if (open.host, open.target) == (host, target) => open.events.push(version),
            _ => {
                if let Some(whole) = location.take() {
                    whole.replay(conn, &mut counts, &starts)?;
                }
                location = Some(Location {
                    host,
                    target,
                    events: vec![version],
                });
            }
        }
    }
    if let Some(whole) = location {
        whole.replay(conn, &mut counts, &starts)?;
    }
    counts.write(conn)
}

/// Start of each process with its run, oldest first.
fn starts(conn: &Connection) -> Result<Vec<(i64, RunId)>, StoreError> {
    let mut statement =
        conn.prepare("SELECT started_ms, run FROM processes ORDER BY started_ms, id")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, RunId(row.get(1)?))))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The run that was under way at a time: one engine works on a store at a time.
fn run_at(starts: &[(i64, RunId)], at_ms: i64) -> Option<RunId> {
    let after = starts.partition_point(|(started, _)| *started <= at_ms);
    starts.get(after.saturating_sub(1)).map(|(_, run)| *run)
}

/// Something that is known to have happened at a location.
enum Event {
    Version {
        at_ms: i64,
        number: i64,
        bytes: i64,
    },
    /// A span of state present, absent or soft absent began.
    Span {
        at_ms: i64,
        there: bool,
    },
}

impl Event {
    fn at_ms(&self) -> i64 {
        match self {
            Event::Version { at_ms, .. } | Event::Span { at_ms, .. } => *at_ms,
        }
    }
}

struct Location {
    host: i64,
    target: i64,
    events: Vec<Event>,
}

impl Location {
    fn replay(
        mut self,
        conn: &Connection,
        counts: &mut Counts,
        starts: &[(i64, RunId)],
    ) -> Result<(), StoreError> {
        self.add_spans(conn)?;
        // The sort is stable: a version stands before the span that began with it.
        self.events.sort_by_key(Event::at_ms);
        let (mut was, mut held) = (Was::Never, None);
        for event in &self.events {
            let now = match event {
                Event::Version { number, bytes, .. } => Some((*number, *bytes)),
                Event::Span { there: true, .. } => held,
                Event::Span { there: false, .. } => None,
            };
            if let Some(code) = self.code(conn, was, held, now)?
                && let Some(run) = run_at(starts, event.at_ms())
            {
                let place = Place {
                    host: self.host,
                    target: self.target,
                    at_ms: event.at_ms(),
                };
                let there = was == Was::There;
                let entry = Entry {
                    code,
                    at_ms: event.at_ms(),
                    old: held.map(|(number, _)| number),
                    old_bytes: held.filter(|_| there).map(|(_, bytes)| bytes),
                    new: now.map(|(number, _)| number),
                    new_bytes: now.map(|(_, bytes)| bytes),
                };
                put(conn, counts, run, place, entry)?;
            }
            was = match (now, was) {
                (Some(_), _) => Was::There,
                (None, Was::Never) => Was::Never,
                (None, _) => Was::Gone,
            };
            held = now.or(held);
        }
        Ok(())
    }

    fn add_spans(&mut self, conn: &Connection) -> Result<(), StoreError> {
        let mut statement = conn.prepare_cached(
            "SELECT since_ms, state FROM spans WHERE host = ?1 AND target = ?2
             AND state IN (1, 2, 3) ORDER BY since_ms, seq",
        )?;
        let mut rows = statement.query([self.host, self.target])?;
        while let Some(row) = rows.next()? {
            self.events.push(Event::Span {
                at_ms: row.get(0)?,
                there: row.get::<_, u8>(1)? == SpanState::Present as u8,
            });
        }
        Ok(())
    }

    fn code(
        &self,
        conn: &Connection,
        was: Was,
        held: Option<(i64, i64)>,
        now: Option<(i64, i64)>,
    ) -> Result<Option<Code>, StoreError> {
        let Some((number, _)) = now else {
            return Ok((was == Was::There).then_some(Code::Gone));
        };
        Ok(match was {
            Was::Never => Some(Code::New),
            Was::Gone => Some(Code::Returned),
            // A span that goes on after a failure.
            Was::There if held.is_some_and(|(held, _)| held == number) => None,
            Was::There => {
                let older = oldest_like(conn, self.host, self.target, number)? < number;
                Some(if older { Code::Back } else { Code::Changed })
            }
        })
    }
}
