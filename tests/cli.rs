//! The real binary: usage errors, exit codes, and commands that need no run.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail as tests do"
)]

mod clock;
mod copies;
mod missing;
mod mistakes;
mod running;
mod shells;
mod sloppy;
mod suppress;
mod told;
mod trouble;
mod web;

use std::path::Path;
use std::process::{Command, Output};

use crate::support::case_file;

fn lamplighter(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn json(output: &Output) -> Vec<serde_json::Value> {
    out(output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}")))
        .collect()
}

fn in_store(store: &Path, arguments: &[&str]) -> Output {
    let store = store.to_str().unwrap();
    let mut all = vec!["--store", store];
    all.extend(arguments);
    lamplighter(&all)
}

#[test]
fn usage_errors_are_two_and_one_sentence() {
    let table: &[(&[&str], &str)] = &[
        (&["run", "--set", "pace.min_gap=1ms"], "loopback"),
        (&["run", "--fast"], "loopback"),
        (&["run", "--now", "2026-11-30T06:00:00Z"], "loopback"),
        (&["run", "--failpoint", "send.before"], "loopback"),
        (&["run", "--read-only"], "--read-only"),
        (&["robots", "explain", "/dev/null", "llms.txt"], "slash"),
        (&["hosts", "import", "tranco", "/dev/null"], "list"),
    ];
    for (arguments, word) in table {
        let output = lamplighter(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(out(&output), "", "{arguments:?}: data on stdout");
        let said = said(&output);
        assert_eq!(said.trim_end().lines().count(), 1, "{arguments:?}: {said}");
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
}

#[test]
fn unknown_words_are_usage_errors_too() {
    for arguments in [
        &["frobnicate"][..],
        &["log"],
        &["run", "--in-flight", "0"],
        &["log", "a.test", "--at", "yesterday"],
    ] {
        assert_eq!(
            lamplighter(arguments).status.code(),
            Some(2),
            "{arguments:?}"
        );
    }
}

#[test]
fn help_and_version_are_data() {
    for arguments in [["--help"], ["--version"]] {
        let output = lamplighter(&arguments);
        assert_eq!(output.status.code(), Some(0));
        assert!(out(&output).contains("lamplighter"));
    }
}

#[test]
fn a_missing_store_is_one_plain_sentence() {
    let store = tempfile::tempdir().unwrap();
    for arguments in [
        &["log", "a.test"][..],
        &["hosts", "list"],
        &["audit"],
        &["store", "check"],
        &["pause"],
        &["hold", "list"],
    ] {
        let output = in_store(&store.path().join("none"), arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        let said = said(&output);
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        assert!(said.contains("no store"), "{said}");
    }
}

fn list_file(directory: &Path, text: &str) -> String {
    let path = directory.join("hosts.txt");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn hosts_are_imported_and_listed_with_each_refusal() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(
        place.path(),
        "# hosts\ndocs.example.com\nexample.com\n\n..bad..\ndocs.example.com\n",
    );
    let output = in_store(&store, &["hosts", "import", "list", &list]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("line 5"), "{}", said(&output));
    assert!(out(&output).contains("2 hosts added"), "{}", out(&output));
    let listed = in_store(&store, &["hosts", "list", "--json"]);
    let hosts: Vec<_> = json(&listed)
        .iter()
        .map(|host| host["host"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(hosts, ["docs.example.com", "example.com"]);
    for host in json(&listed) {
        for field in ["site", "source", "state", "next_visit"] {
            assert!(host[field].is_string(), "{field}: {host}");
        }
    }
    assert!(out(&in_store(&store, &["hosts", "list"])).starts_with("host"));
}

#[test]
fn json_imports_end_with_the_count() {
    let place = tempfile::tempdir().unwrap();
    let list = list_file(place.path(), "example.com\n..bad..\n");
    let store = place.path().join("store");
    let output = in_store(&store, &["--json", "hosts", "import", "list", &list]);
    let lines = json(&output);
    assert_eq!(lines[0]["line"], 2);
    assert_eq!(lines[1]["added"], 1);
    assert_eq!(lines[1]["rejected"], 1);
    assert_eq!(lines[1]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::io::Read;
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let many: String = (0..20_000)
        .map(|n| format!("host{n}.example.com\n"))
        .collect();
    let list = list_file(place.path(), &many);
    assert!(
        in_store(&store, &["hosts", "import", "list", &list])
            .status
            .success()
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .args(["--store", store.to_str().unwrap(), "hosts", "list"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(said(&ended), "");
}

#[test]
fn names_are_suppressed_with_and_without_a_store() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let output = in_store(&store, &["suppress", "add", "example.com"]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(said(&output).contains("first run"), "{}", said(&output));
    let list = list_file(place.path(), "docs.example.com\nexample.com\nother.org\n");
    in_store(&store, &["hosts", "import", "list", &list]);
    let output = in_store(&store, &["suppress", "add", "=other.org", "--why", "asked"]);
    let said = said(&output);
    assert!(said.contains("1 host of this store"), "{said}");
    assert!(said.contains("from the next run on"), "{said}");
    let listed = out(&in_store(&store, &["suppress", "list"]));
    assert_eq!(listed, "example.com\n=other.org\n");
    let removed = in_store(&store, &["suppress", "remove", "example.com"]);
    assert_eq!(removed.status.code(), Some(0));
    let again = in_store(&store, &["suppress", "remove", "example.com"]);
    assert_eq!(again.status.code(), Some(1));
    let wrong = in_store(&store, &["suppress", "add", "not a name"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn a_host_that_is_not_visited_has_no_next_visit() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(place.path(), "docs.example.com\nexample.org\n");
    in_store(&store, &["hosts", "import", "list", &list]);
    let listed = |at: usize| json(&in_store(&store, &["hosts", "list", "--json"]))[at].clone();
    for (add, remove, state) in [
        (["suppress", "add"], ["suppress", "remove"], "suppressed"),
        (["hold", "add"], ["hold", "remove"], "held"),
    ] {
        in_store(&store, &[add[0], add[1], "example.com"]);
        assert_eq!(listed(0)["state"], state);
        assert!(listed(0)["next_visit"].is_null(), "{state}");
        assert_eq!(listed(1)["state"], "waiting");
        in_store(&store, &[remove[0], remove[1], "example.com"]);
        assert_eq!(listed(0)["state"], "waiting");
        assert!(listed(0)["next_visit"].is_string());
    }
}

#[test]
fn errors_say_what_to_do() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(place.path(), "example.com\n");
    in_store(&store, &["hosts", "import", "list", &list]);
    let directory = place.path().to_str().unwrap();
    let table: &[(&[&str], i32, &str)] = &[
        (&["run", "--loopback", "localhost:1"], 2, "127.0.0.1:8080"),
        (&["run", "--loopback", "127.0.0.1"], 2, "127.0.0.1:8080"),
        (&["run", "--source", "foo"], 2, "IP address"),
        (
            &["hosts", "import", "list", directory],
            2,
            "one host a line",
        ),
        (&["hold", "add", "not a name"], 2, "cannot be held"),
        (&["resume"], 1, "lamplighter run"),
        (&["history", "example.com", "/no"], 1, "/no"),
    ];
    for (arguments, code, word) in table {
        let output = in_store(&store, arguments);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {said}");
        assert!(said.contains(word), "{arguments:?}: {said}");
        assert!(!said.contains("suppress"), "{arguments:?}: {said}");
    }
    let file = in_store(Path::new(&list), &["hosts", "list"]);
    assert_eq!(file.status.code(), Some(2));
    assert!(said(&file).contains("directory"), "{}", said(&file));
    let paused = in_store(&store, &["pause"]);
    assert!(said(&paused).contains("lamplighter resume"));
    assert_eq!(in_store(&store, &["resume"]).status.code(), Some(0));
    let checked = lamplighter(&["policy", "check", "sitemapped"]);
    assert!(out(&checked).contains("survey"), "{}", out(&checked));
    let help = out(&lamplighter(&["hosts", "import", "--help"]));
    assert!(!help.to_lowercase().contains("tranco"), "{help}");
    let help = out(&lamplighter(&["demo", "--help"]));
    assert!(help.contains("removed at the end"), "{help}");
}

#[test]
fn holds_come_and_go() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(place.path(), "docs.example.com\nexample.com\n");
    in_store(&store, &["hosts", "import", "list", &list]);
    let added = in_store(&store, &["hold", "add", "example.com", "--why", "slow"]);
    assert_eq!(added.status.code(), Some(0), "{}", said(&added));
    assert!(said(&added).contains("2 hosts of this store"));
    let listed = json(&in_store(&store, &["hold", "list", "--json"]));
    assert_eq!(listed[0]["scope"], "example.com");
    assert_eq!(listed[0]["why"], "slow");
    let page = in_store(&store, &["hold", "add", "https://example.com/a"]);
    assert_eq!(page.status.code(), Some(2));
    let gone = in_store(&store, &["hold", "remove", "example.com"]);
    assert_eq!(gone.status.code(), Some(0));
    assert_eq!(out(&in_store(&store, &["hold", "list"])), "");
}

#[test]
fn policies_are_listed_shown_and_checked() {
    let listed = json(&lamplighter(&["policy", "list", "--json"]));
    let names: Vec<_> = listed.iter().map(|policy| &policy["name"]).collect();
    assert_eq!(names, ["intentroute", "itisyou", "sitemapped"]);
    let shown = lamplighter(&["policy", "show", "intentroute"]);
    assert_eq!(shown.status.code(), Some(0));
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("mine.toml");
    std::fs::write(&file, out(&shown)).unwrap();
    let checked = lamplighter(&["policy", "check", file.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(0), "{}", said(&checked));
    std::fs::write(&file, "name = 1\n").unwrap();
    let checked = lamplighter(&["policy", "check", file.to_str().unwrap()]);
    assert_eq!(checked.status.code(), Some(1));
    assert!(said(&checked).contains("mine.toml:"), "{}", said(&checked));
    let unknown = lamplighter(&["policy", "show", "nobody"]);
    assert!(said(&unknown).contains("intentroute"), "{}", said(&unknown));
}

/// A policy file like the built-in one, with one line changed.
fn policy_file(directory: &Path, from: &str, to: &str) -> String {
    let shown = out(&lamplighter(&["policy", "show", "intentroute"]));
    assert!(shown.contains(from), "{shown}");
    let path = directory.join("intentroute.toml");
    std::fs::write(&path, shown.replacen(from, to, 1)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_file_that_promises_less_than_the_name_it_bears_is_told_so() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let file = policy_file(place.path(), "min_gap = \"2s\"", "min_gap = \"40ms\"");
    let checked = lamplighter(&["policy", "check", &file]);
    assert_eq!(checked.status.code(), Some(0));
    assert!(said(&checked).contains("pace.min_gap is 40ms, promised is 2s"));
    assert!(
        out(&checked).contains("1 of its values"),
        "{}",
        out(&checked)
    );
    let shown = &json(&lamplighter(&["--json", "policy", "check", &file]))[0];
    assert_eq!(shown["weakened"][0], "pace.min_gap is 40ms, promised is 2s");
    // A loopback run says so before it asks anything, in its label, and in its events; the audit does.
    let list = list_file(place.path(), "docs.alder.test\n");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = closed.local_addr().unwrap().to_string();
    drop(closed);
    let run = [
        "run",
        "--json",
        "--policy",
        &file,
        "--hosts",
        &list,
        "--loopback",
        &port,
    ];
    let output = in_store(&store, &run);
    let told = said(&output);
    assert!(
        told.contains("warning: this policy speaks as the built-in intentroute"),
        "{told}"
    );
    assert!(
        told.contains("pace.min_gap is 40ms, promised is 2s"),
        "{told}"
    );
    assert!(
        told.contains("started: LOOPBACK with changed promises, weaker pace.min_gap=40ms"),
        "{told}"
    );
    let events = json(&output);
    assert_eq!(events[0]["event"], "run_started");
    assert_eq!(
        events[0]["weakened"][0],
        "pace.min_gap is 40ms, promised is 2s"
    );
    let audited = out(&in_store(&store, &["audit"]));
    assert!(
        audited.contains("pace.min_gap is 40ms, promised is 2s"),
        "{audited}"
    );
    // A real one says it before anything else, too.
    let real = in_store(&place.path().join("other"), &["run", "--policy", &file]);
    assert!(
        said(&real).starts_with("warning: this policy speaks as"),
        "{}",
        said(&real)
    );
    let plain = lamplighter(&["policy", "check", "intentroute"]);
    assert_eq!(said(&plain), "");
}

#[test]
fn a_plan_of_another_kind_is_refused_by_name() {
    let store = tempfile::tempdir().unwrap();
    let output = in_store(
        store.path(),
        &["run", "--policy", "sitemapped", "--loopback", "127.0.0.1:9"],
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("survey"), "{}", said(&output));
}

#[test]
fn a_run_without_hosts_or_with_none_due_says_so() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let empty = list_file(place.path(), "# nobody\n");
    let run = ["run", "--headless", "--loopback", "127.0.0.1:9"];
    for more in [&[][..], &["--hosts", &empty]] {
        let output = in_store(&store, &[&run[..], more].concat());
        assert_eq!(output.status.code(), Some(1), "{}", said(&output));
        let said = said(&output);
        assert!(said.contains("hosts import list FILE"), "{said}");
    }
    let list = list_file(place.path(), "docs.alder.test\n");
    in_store(
        &store,
        &["hosts", "import", "list", &list, "--loopback-names"],
    );
    // A host never visited is due from the first moment that this store can count.
    let early = [&run[..], &["--now", "1969-12-01T06:00:00Z"]].concat();
    let output = in_store(&store, &early);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    let said = said(&output);
    assert!(said.contains("no host of this store is due"), "{said}");
}

#[test]
fn robots_are_explained_as_the_handed_cases_say() {
    let cases: serde_json::Value = serde_json::from_str(&case_file("robots.json")).unwrap();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("robots.txt");
    // One process a case: enough of them to see the fields, the rest is the robots room's own test.
    let cases = cases["cases"].as_array().unwrap().iter().step_by(9);
    for case in cases.filter(|case| case["robots"].is_string()) {
        std::fs::write(&file, case["robots"].as_str().unwrap()).unwrap();
        let path = case["url_path"].as_str().unwrap();
        let output = lamplighter(&[
            "robots",
            "explain",
            "--json",
            "--token",
            case["ua_token"].as_str().unwrap(),
            file.to_str().unwrap(),
            path,
        ]);
        let shown = &json(&output)[0];
        let id = &case["id"];
        assert_eq!(shown["allowed"], case["expect_allowed"], "{id}: {shown}");
        assert_eq!(shown["line"], case["expect_matched_line"], "{id}: {shown}");
        assert_eq!(shown["sitemaps"], case["expect_sitemaps"], "{id}: {shown}");
        assert_eq!(
            shown["crawl_delay"].as_f64(),
            case["expect_delay"].as_f64(),
            "{id}: {shown}"
        );
        for field in ["rule", "group", "gap", "signals", "second_opinion", "notes"] {
            assert!(shown.get(field).is_some(), "{id}: {field} is missing");
        }
    }
}

/// A demo in this store, interrupted once it has told this many events; the times it told.
fn demo_of(store: &Path, events: usize) -> Vec<String> {
    use std::io::{BufRead, BufReader};
    let mut child = Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .args(["demo", "--headless", "--json", "--fast", "--store"])
        .arg(store)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut times = Vec::new();
    for (told, line) in lines.enumerate() {
        let event: serde_json::Value = match serde_json::from_str(&line.unwrap()) {
            Ok(event) => event,
            Err(_) => continue,
        };
        times.extend(event["at"].as_str().map(str::to_owned));
        if told == events {
            let id = child.id().to_string();
            Command::new("kill")
                .args(["-s", "INT", &id])
                .status()
                .unwrap();
        }
    }
    assert_eq!(child.wait().unwrap().code(), Some(130));
    times
}

#[test]
fn a_resumed_demo_goes_on_in_its_own_time() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let first = demo_of(&store, 60);
    let second = demo_of(&store, 1);
    assert!(first[0].ends_with("T06:00:00Z") || first[0].contains("T06:00:00."));
    let last = first.iter().max().unwrap();
    assert!(second[0] > *last, "{} after {last}", second[0]);
    let audited = in_store(&store, &["audit"]);
    assert_eq!(audited.status.code(), Some(0), "{}", out(&audited));
}

#[test]
fn a_demo_refuses_a_store_that_holds_other_hosts() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(place.path(), "docs.example.com\n");
    in_store(&store, &["hosts", "import", "list", &list]);
    let before = out(&in_store(&store, &["hosts", "list"]));
    let output = in_store(&store, &["demo", "--headless", "--fast"]);
    assert_eq!(output.status.code(), Some(2));
    let said = said(&output);
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    assert!(said.contains("docs.example.com"), "{said}");
    assert_eq!(out(&in_store(&store, &["hosts", "list"])), before);
}
