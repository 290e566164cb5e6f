//! What is told while a run goes on, and after it was resumed.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::web::Web;
use super::{in_store, json, list_file, out, said};

/// A run in the background; interrupted when dropped.
struct Going(Child);

impl Going {
    fn start(store: &Path, arguments: &[&str]) -> Going {
        let child = Command::new(env!("CARGO_BIN_EXE_lamplighter"))
            .args(arguments)
            .arg("--store")
            .arg(store)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Going(child)
    }

    fn interrupt(&mut self) {
        let id = self.0.id().to_string();
        let _ = Command::new("kill").args(["-s", "INT", &id]).status();
    }
}

impl Drop for Going {
    fn drop(&mut self) {
        if self.0.try_wait().is_ok_and(|ended| ended.is_none()) {
            self.interrupt();
            let _ = self.0.wait();
        }
    }
}

fn states(store: &Path) -> Vec<(String, String)> {
    let word = |value: &serde_json::Value| value.as_str().unwrap_or("null").to_owned();
    json(&in_store(store, &["--json", "hosts", "list"]))
        .iter()
        .map(|host| (word(&host["host"]), word(&host["state"])))
        .collect()
}

#[test]
fn hosts_in_flight_are_told_from_those_that_wait() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let slow = "[[rule]]\npath = \"/robots.txt\"\ndelay_ms = 60000\n";
    let web = Web::start(&[
        ("docs.alder.test", slow),
        ("bramble.test", ""),
        ("oak.test", ""),
    ]);
    let address = web.address();
    let list = list_file(
        place.path(),
        "docs.alder.test\nwww.alder.test\nbramble.test\n",
    );
    let arguments = [
        "run",
        "--headless",
        "--loopback",
        &address,
        "--hosts",
        &list,
        "--set",
        "pace.min_gap=50s",
    ];
    let mut going = Going::start(&store, &arguments);
    let wanted = [
        ("docs.alder.test", "asking"),
        ("www.alder.test", "waiting"),
        ("bramble.test", "resting"),
    ];
    let begun = std::time::Instant::now();
    loop {
        // Until the store is made there is nothing to list.
        let seen = if store.join("lamplighter.db").exists() {
            states(&store)
        } else {
            Vec::new()
        };
        let found = |host: &str, state: &str| {
            let pair = (host.to_owned(), state.to_owned());
            seen.contains(&pair)
        };
        if wanted.iter().all(|(host, state)| found(host, state)) {
            break;
        }
        assert!(begun.elapsed().as_secs() < 20, "{seen:?}");
        std::thread::sleep(std::time::Duration::from_millis(30));
    }
    // Killed, nothing is in flight any more, whatever the rows look like.
    going.0.kill().unwrap();
    going.0.wait().unwrap();
    assert!(
        states(&store).iter().all(|(_, state)| state == "waiting"),
        "{:?}",
        states(&store)
    );
}

#[test]
fn a_resumed_run_counts_on() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let demo = ["demo", "--headless", "--json", "--fast"];
    let done_of = |text: &str| -> Option<u64> {
        let (before, _) = text.split_once(" done, ")?;
        before.rsplit(' ').next()?.replace(',', "").parse().ok()
    };
    let mut ended = 0;
    for pass in 0..2 {
        let mut going = Going::start(&store, &demo);
        let events = BufReader::new(going.0.stdout.take().unwrap()).lines();
        let talk = BufReader::new(going.0.stderr.take().unwrap()).lines();
        let id = going.0.id().to_string();
        let telling = std::thread::spawn(move || {
            let told = talk.map_while(Result::ok).find_map(|line| done_of(&line));
            if pass == 1 && told.is_some() {
                let _ = Command::new("kill").args(["-s", "INT", &id]).status();
            }
            told
        });
        let mut first = None;
        let mut visits = 0;
        let mut last = serde_json::Value::Null;
        for line in events {
            last = serde_json::from_str(&line.unwrap()).unwrap();
            first.get_or_insert_with(|| last.clone());
            let is_end = last["event"] == "visit_ended";
            visits += u64::from(is_end);
            if pass == 0 && is_end && visits == 5 {
                going.interrupt();
            }
        }
        let told = telling.join().unwrap();
        let first = first.unwrap();
        assert_eq!(first["done"], ended, "pass {pass}: {first}");
        let all: u64 = last["hosts"]
            .as_object()
            .unwrap()
            .values()
            .filter_map(|n| n.as_u64())
            .sum();
        assert_eq!(all, ended + visits, "pass {pass}: {last}");
        if pass == 1 {
            let told = told.expect("a line of progress");
            assert!((ended..=all).contains(&told), "{told} of {ended} and {all}");
        }
        ended = all;
    }
    assert!(ended > 5);
}

#[test]
fn the_next_visit_is_never_in_the_past() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let moved =
        "[[rule]]\npath = \"/robots.txt\"\nredirect = \"http://www.alder.test/robots.txt\"\n";
    let web = Web::start(&[
        ("alder.test", moved),
        ("www.alder.test", ""),
        ("oak.test", ""),
    ]);
    let list = list_file(place.path(), "alder.test\noak.test\n");
    let before = in_store(
        &store,
        &["hosts", "import", "list", &list, "--loopback-names"],
    );
    assert!(before.status.success(), "{}", said(&before));
    let listed = out(&in_store(&store, &["hosts", "list"]));
    assert_eq!(listed.matches("  now  ").count(), 2, "{listed}");
    let address = web.address();
    let run = ["run", "--headless", "--fast", "--loopback", &address];
    let ran = in_store(&store, &run);
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
    let now = jiff::Timestamp::now();
    let hosts = json(&in_store(&store, &["--json", "hosts", "list"]));
    assert_eq!(hosts.len(), 3, "{hosts:?}");
    for host in &hosts {
        match host["next_visit"].as_str() {
            Some(next) => assert!(next.parse::<jiff::Timestamp>().unwrap() > now, "{host}"),
            None => assert_eq!(
                host["host"], "www.alder.test",
                "only met through a redirect"
            ),
        }
    }
}

#[test]
fn the_audit_says_each_promise_in_words() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let web = Web::start(&[("oak.test", "")]);
    let list = web.list(place.path());
    let address = web.address();
    let run = [
        "run",
        "--headless",
        "--fast",
        "--loopback",
        &address,
        "--hosts",
        &list,
    ];
    assert!(in_store(&store, &run).status.success());
    let audited = out(&in_store(&store, &["audit"]));
    assert!(
        audited.contains("exact User-Agent on every request"),
        "{audited}"
    );
    assert!(
        audited.contains("shortest gap, from the end of one answer"),
        "{audited}"
    );
    // Scripts read what they read before.
    for finding in json(&in_store(&store, &["--json", "audit"])) {
        let mut fields: Vec<_> = finding.as_object().unwrap().keys().cloned().collect();
        fields.sort();
        assert_eq!(fields, ["breaches", "checked", "promise", "worst"]);
    }
}
