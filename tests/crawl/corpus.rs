//! Three weeks over the corpus with the real binary: 109 real sites, judged by what their servers saw.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::process::{Command, Output};

use lamplighter::miniweb::Seen;
use lamplighter::policy;
use lamplighter::robots::{RobotsFile, SecondOpinion, gap};
use lamplighter::store::{Reader, Store};
use serde_json::Value;

use super::stage::{CONDITIONAL, LOCATIONS, header, host};
use crate::support;

const WEEKS: usize = 3;
/// Its robots.txt has 852,928 bytes, over the 500 KiB that RB8 allows.
const OVERSIZED: &str = "docs.robots-o.test";
/// What a scheduler may take from a gap as the server tells it: its answer ends for it a little later
/// than for the client that read the last byte.
const SLACK_MS: u64 = 12;

/// The three weeks once played.
struct Played {
    corpus: PathBuf,
    store: PathBuf,
    events: Vec<Value>,
    /// Requests by host and week, in order.
    weeks: BTreeMap<String, Vec<Vec<Seen>>>,
    all: Vec<Seen>,
    _place: tempfile::TempDir,
}

fn lamplighter(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
    command.args(arguments).output().unwrap()
}

fn json_lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let read =
        |line: &str| serde_json::from_str(line).unwrap_or_else(|why| panic!("{line}: {why}"));
    text.lines().map(read).collect()
}

impl Played {
    fn play(corpus: PathBuf) -> Played {
        let place = tempfile::tempdir().unwrap();
        let (store, log) = (place.path().join("store"), place.path().join("web.jsonl"));
        let [web, at, file] = [&corpus, &store, &log].map(|path| path.to_str().unwrap());
        let mut arguments = vec!["demo", "--headless", "--fast", "--json", "--weeks", "3"];
        arguments.extend(["--web", web, "--store", at, "--web-log", file]);
        let output = lamplighter(&arguments);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        let text = std::fs::read_to_string(&log).unwrap();
        let mut all: Vec<Seen> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        all.sort_by_key(|seen| seen.at_ms);
        let mut weeks: BTreeMap<String, Vec<Vec<Seen>>> = BTreeMap::new();
        for seen in &all {
            let of_host = weeks.entry(seen.host.clone()).or_default();
            // No robots.txt of the corpus redirects, so each one begins a visit.
            if seen.path == "/robots.txt" {
                of_host.push(Vec::new());
            }
            let visit = of_host.last_mut();
            visit
                .unwrap_or_else(|| panic!("asked before robots.txt: {seen:?}"))
                .push(seen.clone());
        }
        Played {
            corpus,
            store,
            events: json_lines(&output),
            weeks,
            all,
            _place: place,
        }
    }

    /// Bytes the host published at a path in a week (from 0), if it did.
    fn file(&self, host: &str, week: usize, path: &str) -> Option<Vec<u8>> {
        let site = self.corpus.join("sites").join(host);
        let mut versions: Vec<_> = std::fs::read_dir(site)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.is_dir())
            .collect();
        versions.sort();
        let version = &versions[week.min(versions.len() - 1)];
        std::fs::read(version.join(path.trim_start_matches('/'))).ok()
    }

    /// The host's rules in a week; none where it has no robots.txt.
    fn rules(&self, host: &str, week: usize) -> Option<RobotsFile> {
        let text = self.file(host, week, "/robots.txt")?;
        Some(RobotsFile::read(&text, "IntentRouteBot", 512_000))
    }

    fn visits(&self) -> impl Iterator<Item = (&str, usize, &[Seen])> {
        self.weeks.iter().flat_map(|(host, weeks)| {
            let weeks = weeks.iter().enumerate();
            weeks.map(|(week, seen)| (host.as_str(), week, seen.as_slice()))
        })
    }

    fn events(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.events
            .iter()
            .filter(move |event| event["event"] == kind)
    }
}

#[test]
fn three_weeks_over_the_corpus_keep_every_promise() {
    let Some(corpus) = support::corpus() else {
        return;
    };
    let played = Played::play(corpus.canonicalize().unwrap());
    the_events_tell_it_all(&played);
    every_host_is_asked_the_list_less_what_its_rules_deny(&played);
    the_oversized_robots_txt_closes_its_host(&played);
    one_request_at_a_time_and_no_faster_than_promised(&played);
    validators_are_sent_whenever_held(&played);
    every_request_says_who_asks(&played);
    the_store_holds_the_exact_bytes(&played);
    odd_encodings_are_read(&played);
    the_audit_agrees(&played);
}

fn the_events_tell_it_all(played: &Played) {
    let finished: Vec<_> = played.events("run_finished").collect();
    assert_eq!(finished.len(), WEEKS);
    assert_eq!(played.events.last(), finished.last().copied());
    assert_eq!(played.events("dropped").count(), 0);
    assert_eq!(played.events("request").count(), played.all.len());
    let requests: u64 = finished
        .iter()
        .map(|run| run["requests"].as_u64().unwrap())
        .sum();
    assert_eq!(requests, played.all.len() as u64);
    let mut statuses: BTreeMap<String, u64> = BTreeMap::new();
    for run in &finished {
        assert_eq!(run["complete"], true);
        assert_eq!(run["hosts"]["done"], 108, "{run}");
        for (status, count) in run["statuses"].as_object().unwrap() {
            *statuses.entry(status.clone()).or_default() += count.as_u64().unwrap();
        }
    }
    let mut served: BTreeMap<String, u64> = BTreeMap::new();
    for seen in &played.all {
        *served.entry(seen.status.unwrap().to_string()).or_default() += 1;
    }
    assert_eq!(statuses, served);
}

/// Order of the plan, each once, nothing denied, and nothing left out.
fn every_host_is_asked_the_list_less_what_its_rules_deny(played: &Played) {
    assert_eq!(played.weeks.len(), 109);
    let mut denied = 0;
    for (host, week, seen) in played.visits().filter(|(host, ..)| *host != OVERSIZED) {
        let rules = played.rules(host, week);
        let leave = |path: &&str| {
            let verdict = rules.as_ref().map(|rules| rules.verdict(path));
            verdict.is_none_or(|verdict| {
                assert!(!matches!(verdict.second_opinion, SecondOpinion::Failed(_)));
                verdict.allowed
            })
        };
        let mut expected = vec!["/robots.txt"];
        expected.extend(LOCATIONS.iter().filter(|path| leave(path)));
        let card = LOCATIONS[1];
        let absent = leave(&card) && played.file(host, week, card).is_none();
        if absent && leave(&CONDITIONAL) {
            expected.push(CONDITIONAL);
        }
        denied += LOCATIONS.iter().filter(|path| !leave(path)).count();
        let asked: Vec<_> = seen.iter().map(|seen| seen.path.as_str()).collect();
        assert_eq!(asked, expected, "{host}, week {week}");
    }
    let told: u64 = played
        .events("run_finished")
        .map(|run| run["denied"].as_u64().unwrap())
        .sum();
    assert!(denied > 0, "nothing in the corpus denies anything");
    assert_eq!(told, denied as u64);
    for (host, weeks) in &played.weeks {
        assert_eq!(weeks.len(), WEEKS, "{host}");
    }
}

fn the_oversized_robots_txt_closes_its_host(played: &Played) {
    let size = played.file(OVERSIZED, 0, "/robots.txt").unwrap().len();
    assert_eq!(size, 852_928);
    for seen in &played.weeks[OVERSIZED] {
        assert_eq!(seen.len(), 1, "{seen:?}");
    }
    let ended: Vec<_> = played
        .events("visit_ended")
        .filter(|event| event["host"] == OVERSIZED)
        .map(|event| &event["outcome"])
        .collect();
    assert_eq!(ended, ["closed:too_large"; WEEKS]);
}

/// The registrable domain: all of them are directly under `.test`.
fn site(host: &str) -> &str {
    let label = host.strip_suffix(".test").unwrap();
    &host[label.rfind('.').map_or(0, |dot| dot + 1)..]
}

/// Promised gap after robots.txt of a host was read, in ms at a hundredth of the time.
fn promised(played: &Played, host: &str, week: usize) -> u64 {
    let policy = policy::builtin("intentroute").unwrap();
    let delay = played.rules(host, week).and_then(|rules| rules.delay());
    let promised = gap(&policy.pace, delay).duration.as_millis() as u64 / 100;
    // Read by eye, whatever our own reader says.
    let known = match host {
        "robots-ab.test" | "robots-ad.test" => 100,
        "robots-n.test" => 45,
        "robots-x.test" => 300,
        _ => 20,
    };
    assert_eq!(promised, known, "{host}, week {week}");
    promised
}

fn one_request_at_a_time_and_no_faster_than_promised(played: &Played) {
    let mut sites: BTreeMap<&str, Vec<(&Seen, u64)>> = BTreeMap::new();
    for (host, week, seen) in played.visits() {
        let gap = match host {
            OVERSIZED => 20,
            host => promised(played, host, week),
        };
        // A delay counts from the answer on that declared it; it holds for the gap behind it.
        let requests = seen.iter().map(|seen| (seen, gap));
        sites.entry(site(host)).or_default().extend(requests);
    }
    let mut pairs = 0;
    for (site, mut requests) in sites {
        requests.sort_by_key(|(seen, _)| seen.at_ms);
        for pair in requests.windows(2) {
            let ((before, gap), (next, _)) = (pair[0], pair[1]);
            pairs += 1;
            // From begin to begin it holds to the rounding of a millisecond; from the end of an
            // answer as its server saw it, less what the scheduler took.
            let begins = next.at_ms - before.at_ms;
            assert!(
                begins + 1 >= gap,
                "{site}: {begins} of {gap} ms: {before:?} {next:?}"
            );
            let rest = (next.at_ms + SLACK_MS).checked_sub(before.end_ms);
            let rest = rest.unwrap_or_else(|| panic!("{site}: two at once: {before:?} {next:?}"));
            assert!(
                rest + 1 >= gap,
                "{site}: {rest} of {gap} ms: {before:?} {next:?}"
            );
        }
    }
    assert!(pairs > 4_000, "{pairs} pairs");
    for (host, week, seen) in played.visits() {
        let connections: BTreeSet<_> = seen.iter().map(|seen| seen.connection).collect();
        assert_eq!(connections.len(), 1, "{host}, week {week}: {seen:?}");
    }
}

fn validators_are_sent_whenever_held(played: &Played) {
    let mut confirmed = 0;
    for (host, week, seen) in played.visits().filter(|(host, ..)| *host != OVERSIZED) {
        for seen in seen {
            let before = week
                .checked_sub(1)
                .and_then(|week| played.file(host, week, &seen.path));
            let now = played.file(host, week, &seen.path);
            let place = format!("{host}{} in week {week}", seen.path);
            let both = ["if-none-match", "if-modified-since"].map(|name| header(seen, name));
            // The week before gave an ETag and a date with each file it had, and nothing else did.
            let was_asked = week > 0
                && played.weeks[host][week - 1]
                    .iter()
                    .any(|earlier| earlier.path == seen.path);
            let held = before.is_some() && was_asked;
            assert_eq!(both.map(|sent| sent.is_some()), [held; 2], "{place}");
            let status = match (&before, &now) {
                (_, None) => 404,
                (Some(before), Some(now)) if held && before == now => 304,
                _ => 200,
            };
            assert_eq!(seen.status, Some(status), "{place}");
            confirmed += usize::from(status == 304);
        }
    }
    for week in 1..WEEKS {
        let of_week = played.visits().filter(|(_, at, _)| *at == week);
        let unchanged = of_week
            .flat_map(|(.., seen)| seen)
            .filter(|seen| seen.status == Some(304));
        assert!(unchanged.count() > 40, "week {week}");
    }
    assert!(confirmed > 100, "{confirmed}");
}

fn every_request_says_who_asks(played: &Played) {
    let agent = "IntentRouteBot/0.1 (+https://intentroute.net/crawler)";
    for seen in &played.all {
        assert_eq!(seen.method, "GET", "{seen:?}");
        assert_eq!(header(seen, "user-agent"), Some(agent), "{seen:?}");
        assert_eq!(
            header(seen, "accept-encoding"),
            Some("gzip, br"),
            "{seen:?}"
        );
        for forbidden in ["cookie", "referer", "from", "authorization", "range"] {
            assert_eq!(header(seen, forbidden), None, "{seen:?}");
        }
    }
}

fn the_store_holds_the_exact_bytes(played: &Played) {
    let store = Store::existing(&played.store).unwrap();
    let reader = store.reader().unwrap();
    let mut compared = 0;
    for (name, weeks) in &played.weeks {
        let id = reader.host(&host(name)).unwrap().unwrap().0;
        let mut versions: BTreeMap<&str, u32> = BTreeMap::new();
        for (week, seen) in weeks.iter().enumerate() {
            for seen in seen.iter().filter(|seen| seen.status == Some(200)) {
                if name == OVERSIZED {
                    assert!(
                        reader.body(id, &seen.path, None).is_err(),
                        "{name}: a part was kept"
                    );
                    continue;
                }
                // Each 200 of the corpus brings bytes that the week before did not have.
                let version = versions.entry(&seen.path).or_default();
                *version += 1;
                let file = played.file(name, week, &seen.path).unwrap();
                let kept = reader.body(id, &seen.path, Some(*version)).unwrap();
                assert!(kept == file, "{name}{}, version {version}", seen.path);
                if compared % 40 == 0 {
                    shown(played, name, &seen.path, *version, &file);
                }
                compared += 1;
            }
        }
        for (path, count) in versions {
            let kept = reader.versions(id, Some(path)).unwrap();
            assert_eq!(kept.len(), count as usize, "{name}{path}");
        }
    }
    assert!(compared > 200, "{compared}");
}

fn shown(played: &Played, host: &str, path: &str, version: u32, file: &[u8]) {
    let (store, number) = (played.store.to_str().unwrap(), version.to_string());
    let newest = ["--store", store, "show", host, path, "--version", &number];
    let output = lamplighter(&newest);
    assert_eq!(output.status.code(), Some(0), "{newest:?}");
    assert!(
        output.stdout == file,
        "{host}{path}, version {version}, as shown"
    );
}

/// robots.md §6: UTF-16 is read where its mark says so, the rest of a line behind a NUL is dropped.
fn odd_encodings_are_read(played: &Played) {
    let store = Store::existing(&played.store).unwrap();
    let reader = store.reader().unwrap();
    let read = |name: &str, reader: &Reader| {
        let id = reader.host(&host(name)).unwrap().unwrap().0;
        let session = reader.robots(id).unwrap().unwrap();
        assert_eq!(session.fetch.access, "rules", "{name}");
        let text = session.text.unwrap();
        assert_eq!(
            Some(&text),
            played.file(name, 2, "/robots.txt").as_ref(),
            "{name}"
        );
        RobotsFile::read(&text, "IntentRouteBot", 512_000)
    };
    for (name, denied, line) in [
        ("robots-b.test", "/store/ajax/cart", 3),
        ("robots-c.test", "/login?next=1", 4),
    ] {
        let verdict = read(name, &reader).verdict(denied);
        assert!(!verdict.allowed, "{name}{denied}");
        assert_eq!(verdict.line, Some(line), "{name}");
        assert_eq!(
            played.weeks[name][0].len(),
            14,
            "{name}: rules for others only"
        );
    }
    let binary = read("robots-d.test", &reader);
    assert!(binary.is_not_robots());
    assert_eq!(played.weeks["robots-d.test"][0].len(), 14);
}

fn the_audit_agrees(played: &Played) {
    let store = played.store.to_str().unwrap();
    for run in played.events("run_finished") {
        let label = run["run"].as_str().unwrap();
        let output = lamplighter(&["--store", store, "audit", "--run", label, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{label}");
        let findings = json_lines(&output);
        assert!(findings.len() >= 24, "{label}: {} promises", findings.len());
        for finding in &findings {
            assert_eq!(finding["breaches"], 0, "{label}: {finding}");
        }
        let checked = |promise: &str| {
            let found = findings
                .iter()
                .find(|finding| finding["promise"] == promise);
            found.unwrap()["checked"].as_u64().unwrap()
        };
        assert_eq!(checked("ID1"), run["requests"].as_u64().unwrap(), "{label}");
    }
}
