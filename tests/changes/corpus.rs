//! The history of the corpus, as the store tells it after every version of it was served.

use std::collections::{BTreeMap, BTreeSet};

use lamplighter::hosts::{Host, NameRules};
use lamplighter::store::Store;
use serde_json::Value;

use super::played::{Place, Played, WEEKS, json_lines, lamplighter, played};

fn command(played: &Played, arguments: &[&str]) -> Vec<Value> {
    let mut all = vec!["--store", played.store.to_str().unwrap(), "--json"];
    all.extend(arguments);
    json_lines(&lamplighter(&all))
}

fn host(name: &str) -> Host {
    Host::parse(name, NameRules::Loopback).unwrap()
}

fn place(line: &Value) -> Place {
    let text = |field: &str| line[field].as_str().unwrap().to_owned();
    (text("host"), text("location"))
}

#[test]
fn versions_are_what_was_published_equal_bytes_in_a_row_once() {
    let Some(played) = played() else { return };
    let store = Store::existing(&played.store).unwrap();
    let reader = store.reader().unwrap();
    let mut kept = 0;
    for ((name, path), weeks) in played.published() {
        let mut expected: Vec<&Vec<u8>> = weeks.iter().flatten().collect();
        expected.dedup();
        let id = reader.host(&host(&name)).unwrap().unwrap().0;
        let versions = reader.versions(id, Some(&path)).unwrap();
        assert_eq!(versions.len(), expected.len(), "{name}{path}");
        for (version, bytes) in versions.iter().zip(expected) {
            let held = reader.body(id, &path, Some(version.number)).unwrap();
            assert!(held == *bytes, "{name}{path} version {}", version.number);
            kept += 1;
        }
    }
    assert!(kept > 250, "{kept} versions compared");
}

#[test]
fn changes_of_each_run_are_those_of_the_manifest() {
    let Some(played) = played() else { return };
    let published = played.published();
    let places: BTreeSet<Place> = published.keys().cloned().collect();
    let mut seen = [0; 3];
    for week in 0..WEEKS {
        let expected = played.told(week, &places);
        let lines = command(played, &["changes", "--run", &played.labels[week]]);
        let found = sorted(&lines, &places);
        assert_eq!(found, expected, "week {week}");
        for (count, found) in seen.iter_mut().zip(&found) {
            *count += found.len();
        }
    }
    assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
}

#[test]
fn changes_between_any_two_runs_are_those_of_the_files() {
    let Some(played) = played() else { return };
    let published = played.published();
    let places: BTreeSet<Place> = published.keys().cloned().collect();
    for (since, to) in [(0, 8), (0, 2), (1, 5), (3, 4), (4, 8)] {
        let mut expected = [const { BTreeSet::new() }; 3];
        for (place, weeks) in &published {
            let kind = match (&weeks[since], &weeks[to]) {
                (None, Some(_)) => 0,
                (Some(_), None) => 1,
                (Some(before), Some(now)) if before != now => 2,
                _ => continue,
            };
            expected[kind].insert(place.clone());
        }
        let (older, newer) = (&played.labels[since], &played.labels[to]);
        let lines = command(played, &["changes", "--since", older, "--run", newer]);
        assert_eq!(sorted(&lines, &places), expected, "{older} to {newer}");
    }
}

/// Locations that came, went and changed; nothing else is told of a web that sends validators.
fn sorted(lines: &[Value], places: &BTreeSet<Place>) -> [BTreeSet<Place>; 3] {
    let mut found = [const { BTreeSet::new() }; 3];
    for line in lines {
        let kind = match (line["kind"].as_str().unwrap(), &line["was_gone"]) {
            ("new", _) | ("back", Value::Bool(true)) => 0,
            ("gone", _) => 1,
            ("changed" | "back", _) => 2,
            (other, _) => panic!("{other}: {line}"),
        };
        let place = place(line);
        if places.contains(&place) {
            assert!(found[kind].insert(place), "told twice: {line}");
        }
    }
    found
}

#[test]
fn counts_of_a_run_are_those_of_its_list_in_every_command() {
    let Some(played) = played() else { return };
    let runs = command(played, &["runs"]);
    assert_eq!(runs.len(), WEEKS);
    for (run, label) in runs.iter().rev().zip(&played.labels) {
        assert_eq!(run["run"], label.as_str());
        let lines = command(played, &["changes", "--run", label]);
        let mut listed: BTreeMap<&str, u64> = BTreeMap::new();
        for line in &lines {
            *listed.entry(line["kind"].as_str().unwrap()).or_default() += 1;
        }
        for kind in ["new", "changed", "back", "gone", "unchanged_by_content"] {
            let count = listed.get(kind).copied().unwrap_or(0);
            assert_eq!(run[kind], count, "{label} {kind}");
            let of_kind = command(played, &["changes", "--run", label, "--kind", kind]);
            assert_eq!(of_kind.len() as u64, count, "{label} {kind}");
        }
        let not_modified = run["outcomes"]["not_modified"].as_u64().unwrap_or(0);
        assert_eq!(run["unchanged"], not_modified, "{label}");
        let versions = ["new", "changed", "back"]
            .iter()
            .map(|kind| run[*kind].as_u64().unwrap());
        assert!(versions.sum::<u64>() >= run["versions_new"].as_u64().unwrap());
        let asked: u64 = run["outcomes"]
            .as_object()
            .unwrap()
            .values()
            .map(|n| n.as_u64().unwrap())
            .sum();
        assert_eq!(run["requests"], asked, "{label}");
    }
    let newest = played.labels.last().unwrap();
    let robots = command(
        played,
        &[
            "changes",
            "--location",
            "/robots.txt",
            "--since",
            &played.labels[0],
        ],
    );
    assert!(robots.len() > 5 && robots.iter().all(|line| line["location"] == "/robots.txt"));
    let alder = command(
        played,
        &["changes", "--host", "ALDER", "--since", &played.labels[0]],
    );
    assert!(alder.len() > 2 && alder.iter().all(|line| line["site"] == "alder.test"));
    let large = command(
        played,
        &["changes", "--size", "10000", "--since", &played.labels[0]],
    );
    let size = |line: &Value, field: &str| line[field].as_i64().unwrap_or(0);
    assert!(large.len() > 2);
    assert!(
        large
            .iter()
            .all(|line| (size(line, "to_bytes") - size(line, "from_bytes")).abs() >= 10_000)
    );
    let wrong = lamplighter(&[
        "--store",
        played.store.to_str().unwrap(),
        "changes",
        "--since",
        newest,
    ]);
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert_eq!(wrong.status.code(), Some(2), "{said}");
    assert!(said.contains("is not older than"), "{said}");
}

#[test]
fn states_follow_what_was_there_with_the_status_that_showed_it() {
    let Some(played) = played() else { return };
    let (mut shown, mut lines) = (0, 0);
    for ((name, path), weeks) in played.published() {
        let mut expected: Vec<(&str, u64)> = weeks
            .iter()
            .map(|file| match file {
                Some(_) => ("present", 200),
                None => ("absent", 404),
            })
            .collect();
        expected.dedup();
        // Most are what they are from the beginning to the end.
        shown += 1;
        if expected.len() == 1 && shown % 50 != 0 {
            continue;
        }
        let spans = command(played, &["history", &name, &path, "--states"]);
        let word = |span: &Value| span["state"].as_str().unwrap().to_owned();
        let found: Vec<(String, u64)> = spans
            .iter()
            .map(|span| (word(span), span["status"].as_u64().unwrap()))
            .collect();
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(word, status)| (word.to_owned(), status))
            .collect();
        assert_eq!(found, expected, "{name}{path}");
        for pair in spans.windows(2) {
            assert_eq!(pair[0]["until"], pair[1]["since"], "{name}{path}");
        }
        assert_eq!(spans.last().unwrap()["until"], Value::Null);
        lines += spans.len();
    }
    assert!(lines > 100, "{lines}");
}
