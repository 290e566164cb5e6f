//! One host: where it came from, whom it stands beside, what was done about it.

use rusqlite::{Connection, params};

use super::super::pack::{host, time, uncount};
use super::super::{Hold, HostCard, HostId, HostView, JournalEntry, StoreError, control, hosts};
use super::window::Window;
use crate::hosts::Host;
use crate::suppress::{Entry, List};

pub(super) fn card(
    conn: &Connection,
    id: HostId,
    view: HostView<'_>,
) -> Result<HostCard, StoreError> {
    let line = Window::open(conn, view)?
        .of(id)?
        .ok_or_else(|| StoreError::NotFound(format!("there is no host {} in this store", id.0)))?;
    let (imported, found, alias) = conn
        .prepare_cached(
            "SELECT c.sha256, c.imported_ms, h.found_from, h.found_ms, h.alias
             FROM hosts h LEFT JOIN sources c ON c.id = h.source WHERE h.id = ?1",
        )?
        .query_row([id.0], |row| {
            let imported: Option<(String, i64)> = row
                .get::<_, Option<String>>(0)?
                .map(|sha256| Ok::<_, rusqlite::Error>((sha256, row.get(1)?)))
                .transpose()?;
            let found: (Option<i64>, Option<i64>) = (row.get(2)?, row.get(3)?);
            Ok((imported, found, row.get::<_, Option<i64>>(4)?))
        })?;
    let found_from = found.0.map(|from| named(conn, from)).transpose()?.flatten();
    let (siblings, sibling_count) = siblings(conn, line.site_id.0, id)?;
    Ok(HostCard {
        imported: imported.map(|(sha256, at)| (sha256, time(at))),
        found_from: found_from.map(|(from, name)| (from, name, time(found.1.unwrap_or(0)))),
        alias: alias.map(|to| named(conn, to)).transpose()?.flatten(),
        siblings,
        sibling_count,
        holds: holds(conn, &line.host)?,
        line,
    })
}

/// None for a host that is no longer there.
fn named(conn: &Connection, id: i64) -> Result<Option<(HostId, Host)>, StoreError> {
    match hosts::by_id(conn, HostId(id)) {
        Ok((name, _)) => Ok(Some((HostId(id), name))),
        Err(StoreError::NotFound(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The other hosts of a site by id, a range of the index.
pub(super) const SIBLINGS: &str = "
SELECT id, name FROM hosts INDEXED BY hosts_due WHERE site = ?1 AND id <> ?2 ORDER BY id LIMIT ?3";

/// How many a site has, from the index alone.
pub(super) const OF_SITE: &str = "SELECT count(*) FROM hosts INDEXED BY hosts_due WHERE site = ?1";

fn siblings(
    conn: &Connection,
    site: i64,
    id: HostId,
) -> Result<(Vec<(HostId, Host)>, u64), StoreError> {
    let mut statement = conn.prepare_cached(SIBLINGS)?;
    let mut rows = statement.query(params![site, id.0, HostCard::SIBLINGS as i64])?;
    let mut list = Vec::new();
    while let Some(row) = rows.next()? {
        let name: String = row.get(1)?;
        list.push((HostId(row.get(0)?), host(&name)?));
    }
    let all: i64 = conn
        .prepare_cached(OF_SITE)?
        .query_row([site], |row| row.get(0))?;
    Ok((list, uncount(all).saturating_sub(1)))
}

fn holds(conn: &Connection, host: &Host) -> Result<Vec<Hold>, StoreError> {
    let mut holds = control::holds(conn)?;
    holds.retain(|hold| List::new([hold.scope.clone()]).covers(host).is_some());
    Ok(holds)
}

/// What operators did about a host, oldest first: every entry whose command names something that
/// covers it, or a page of it.
pub(super) fn journal(conn: &Connection, id: HostId) -> Result<Vec<JournalEntry>, StoreError> {
    let (host, _) = hosts::by_id(conn, id)?;
    let mut journal = control::journal(conn)?;
    journal.retain(|entry| concerns(&entry.action, &host));
    Ok(journal)
}

/// Whether a command as it would be typed is about `host`.
fn concerns(action: &str, host: &Host) -> bool {
    let names = action.split_whitespace().skip(1);
    names
        .filter_map(|word| word.parse().ok())
        .any(|entry| match entry {
            Entry::Page(of, _) => of == *host,
            entry => List::new([entry]).covers(host).is_some(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::NameRules;

    #[test]
    fn a_command_concerns_the_hosts_it_names() {
        let host = Host::parse("docs.alder.test", NameRules::Loopback).unwrap();
        for (action, expected) in [
            ("suppress add alder.test", true),
            ("hold remove =docs.alder.test", true),
            ("hold add =alder.test", false),
            ("suppress add https://docs.alder.test/a", true),
            ("suppress add https://alder.test/a", false),
            ("erase alder.test", true),
            ("hold add der.test", false),
            ("pause", false),
            ("", false),
        ] {
            assert_eq!(concerns(action, &host), expected, "{action}");
        }
    }
}
