//! The judge of a store after its last run: its log against the server's, its bytes against the
//! bytes served, and what the program says of itself.

use std::collections::BTreeMap;

use lamplighter::fetch::Outcome;
use lamplighter::hosts::{Host, NameRules};
use lamplighter::miniweb::Seen;
use lamplighter::store::{LogRow, Store};
use sha2::{Digest as _, Sha256};

use super::lab::Lab;
use super::town::Town;
use crate::support::changes;

/// What the store shows of a run, for the caller to see that something was tested.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) interrupted: usize,
    pub(super) bodies: usize,
    pub(super) changes: usize,
}

/// Checks all of it; panics with what is wrong.
pub(super) fn judge(lab: &Lab, town: &Town, version_at: &dyn Fn(u64) -> usize) -> Shown {
    let store = Store::existing(lab.store()).unwrap();
    let rows = rows(&store);
    let seen = lab.seen();
    let wrong = differences(&rows, &seen);
    assert_eq!(wrong, Vec::<String>::new());
    let bodies = bodies(lab, &store, town, &rows, &seen, version_at);
    visits(&store, town);
    let changes = changes::agree(&store);
    let interrupted = shown_as_interrupted(lab, &rows);
    spoken(lab);
    Shown {
        interrupted,
        bodies,
        changes,
    }
}

pub(super) fn rows(store: &Store) -> Vec<LogRow> {
    let mut rows = Vec::new();
    let mut keep = |row| {
        rows.push(row);
        true
    };
    store
        .reader()
        .unwrap()
        .each_request(None, &mut keep)
        .unwrap();
    rows
}

/// Rows by (host, location): those that may have left, and those that were answered.
fn counts(rows: &[LogRow]) -> BTreeMap<(String, String), (usize, usize)> {
    let mut counts: BTreeMap<_, (usize, usize)> = BTreeMap::new();
    for row in rows
        .iter()
        .filter(|row| row.outcome != Some(Outcome::Withdrawn))
    {
        let key = (row.host_name.to_string(), row.target.clone());
        let count = counts.entry(key).or_default();
        count.0 += 1;
        count.1 += usize::from(row.outcome.is_some());
    }
    counts
}

/// A request without a row, or an answer that no server gave.
pub(super) fn differences(rows: &[LogRow], seen: &[Seen]) -> Vec<String> {
    let mut asked: BTreeMap<(String, String), usize> = BTreeMap::new();
    for request in seen {
        *asked
            .entry((request.host.clone(), request.path.clone()))
            .or_default() += 1;
    }
    let rows = counts(rows);
    let mut wrong = Vec::new();
    for (key, times) in &asked {
        let (left, _) = rows.get(key).copied().unwrap_or_default();
        if *times > left {
            wrong.push(format!(
                "{key:?}: the server saw {times}, the log has {left}"
            ));
        }
    }
    for (key, (_, answered)) in &rows {
        let times = asked.get(key).copied().unwrap_or_default();
        if *answered > times {
            wrong.push(format!(
                "{key:?}: {answered} answers in the log, the server saw {times}"
            ));
        }
    }
    wrong
}

/// Every body the store took as present is what the server served then, and reads back so.
fn bodies(
    lab: &Lab,
    store: &Store,
    town: &Town,
    rows: &[LogRow],
    seen: &[Seen],
    version_at: &dyn Fn(u64) -> usize,
) -> usize {
    let reader = store.reader().unwrap();
    let mut checked = 0;
    let mut by_binary = 0;
    for row in rows
        .iter()
        .filter(|row| row.outcome == Some(Outcome::Present))
    {
        let (host, path) = (row.host_name.to_string(), row.target.as_str());
        // The last of them: only robots.txt has more than one.
        let last = seen
            .iter()
            .rfind(|seen| seen.host == host && seen.path == path)
            .unwrap();
        let sent_ms = u64::try_from(row.sent.unwrap().utc.as_millisecond()).unwrap();
        if sent_ms + 1_000 < last.at_ms {
            continue;
        }
        let text = town.bytes(&host, path, version_at(last.at_ms));
        let text = text.unwrap_or_else(|| panic!("{host}{path} serves nothing"));
        let digest: [u8; 32] = Sha256::digest(text).into();
        assert_eq!(row.sha256, Some(digest), "{host}{path}");
        let body = reader.body(row.host, path, None).unwrap();
        assert_eq!(body, text.as_bytes(), "{host}{path}");
        checked += 1;
        if checked % 9 == 1 && by_binary < 2 {
            by_binary += 1;
            let shown = lab.must(&["show", &host, path]);
            assert_eq!(shown, text, "{host}{path}");
        }
    }
    checked
}

/// Every listed host had its turn, and its turn ended.
fn visits(store: &Store, town: &Town) {
    let reader = store.reader().unwrap();
    let run = reader.runs().unwrap().remove(0);
    assert!(run.ended.is_some(), "{run:?}");
    let mut ended = std::collections::BTreeSet::new();
    reader
        .each_visit(run.id, &mut |visit| {
            ended.insert(visit.host_name.to_string());
            true
        })
        .unwrap();
    let missing: Vec<_> = town
        .list
        .lines()
        .filter(|host| !ended.contains(*host))
        .filter(|host| {
            // Claimed by a visit that moved there.
            let host = Host::parse(host, NameRules::Loopback).unwrap();
            let (id, _) = reader.host(&host).unwrap().unwrap();
            !reader.visited(run.id, id).unwrap()
        })
        .collect();
    assert_eq!(missing, Vec::<&str>::new(), "of {} hosts", town.listed());
}

/// `log` shows a row without an outcome as interrupted, and nothing else.
fn shown_as_interrupted(lab: &Lab, rows: &[LogRow]) -> usize {
    let open: Vec<_> = rows.iter().filter(|row| row.outcome.is_none()).collect();
    if let Some(row) = open.first() {
        let host = row.host_name.to_string();
        let shown = lab.must(&["log", "--json", &host]);
        let interrupted = shown
            .lines()
            .filter(|line| line.contains("\"interrupted\""))
            .count();
        let expected = open.iter().filter(|other| other.host == row.host).count();
        assert_eq!(interrupted, expected, "{host}: {shown}");
    }
    open.len()
}

/// `audit` finds no breach and has looked at something; `store check` finds the store sound.
pub(super) fn spoken(lab: &Lab) {
    let output = lab.command(&["audit", "--json"]);
    if output.status.code() == Some(3) {
        let told = lab.command(&["audit"]);
        panic!("{}", String::from_utf8_lossy(&told.stdout));
    }
    let audit = lab.must(&["audit", "--json"]);
    let mut checked = 0;
    for line in audit.lines() {
        let finding: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(finding["breaches"], 0, "{finding}");
        checked += finding["checked"].as_u64().unwrap();
    }
    assert!(checked > 0, "{audit}");
    lab.must(&["store", "check"]);
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::super::town::SET;
    use super::*;

    /// Whether a judge is content.
    fn content(judge: impl FnOnce()) -> bool {
        catch_unwind(AssertUnwindSafe(judge)).is_ok()
    }

    #[test]
    fn a_doctored_store_is_found_out() {
        let town = Town::new();
        let mut lab = Lab::new(&town.sites, 0, &town.list);
        lab.run_to_end(&SET);
        let shown = judge(&lab, &town, &|_| 1);
        assert!(shown.changes > 10, "{shown:?}");
        assert!(!content(|| {
            judge(&lab, &town, &|_| 2);
        }));

        let store = Store::existing(lab.store()).unwrap();
        let (mut rows, mut seen) = (rows(&store), lab.seen());
        assert_eq!(differences(&rows, &seen), Vec::<String>::new());
        let first = seen.remove(0);
        assert_eq!(differences(&rows, &seen).len(), 1, "an answer nobody gave");
        seen.extend([first.clone(), first]);
        assert_eq!(differences(&rows, &seen).len(), 1, "a request too many");
        seen.pop();
        let asked = rows.remove(0);
        assert_eq!(differences(&rows, &seen).len(), 1, "a row is missing");
        drop((rows, asked));

        let unnoticed = content(|| {
            let mut more = Town::new();
            more.list += "never.asked.test\n";
            visits(&store, &more);
        });
        assert!(!unnoticed, "a host without its turn");

        let doctor = rusqlite::Connection::open(lab.store().join("lamplighter.db")).unwrap();
        doctor
            .execute_batch(
                "CREATE TEMP TABLE lost AS SELECT * FROM changes LIMIT 1;
                 DELETE FROM changes WHERE (run, site, host, target) IN
                   (SELECT run, site, host, target FROM lost);",
            )
            .unwrap();
        assert!(
            !content(|| {
                changes::agree(&store);
            }),
            "a change is lost"
        );
        doctor
            .execute_batch("INSERT INTO changes SELECT * FROM lost;")
            .unwrap();
        changes::agree(&store);
        let again = "CREATE TEMP TABLE again AS SELECT * FROM requests WHERE status = 200 LIMIT 1;
             UPDATE again SET at_ms = at_ms + 1;
             INSERT INTO requests SELECT * FROM again;";
        doctor.execute_batch(again).unwrap();
        let audit = lab.command(&["audit", "--json"]);
        assert_eq!(audit.status.code(), Some(3), "a request made twice");
        assert!(!content(|| spoken(&lab)));
        let undo = "DELETE FROM requests WHERE (site, at_ms, seq) IN
             (SELECT site, at_ms, seq FROM again);";
        doctor.execute_batch(undo).unwrap();
        spoken(&lab);
        let torn = "UPDATE bodies SET data = substr(data, 2) WHERE blob = 1;";
        doctor.execute_batch(torn).unwrap();
        let check = lab.command(&["store", "check"]);
        assert_eq!(check.status.code(), Some(1), "a torn body");
        assert!(!content(|| spoken(&lab)));
    }
}
