//! What a person is told in plain words: a store in lines, why a request was allowed, what a copy
//! leaves where it is, and which store a loopback run takes.

use std::path::Path;
use std::process::Output;

use super::web::Web;
use super::{in_store, lamplighter, list_file, out, said};

const ROBOTS: &str = "[[rule]]\npath = \"/robots.txt\"\nstatus = 404\n";

fn run(store: &Path, web: &Web, list: &str, more: &[&str]) -> Output {
    let address = web.address();
    let mut all = vec!["run", "--loopback", &address, "--hosts", list];
    all.extend(["--set", "pace.min_gap=1ms"]);
    all.extend(more);
    in_store(store, &all)
}

#[test]
fn without_a_terminal_the_store_is_told_in_lines() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let web = Web::start(&[("docs.alder.test", ""), ("oak.test", ROBOTS)]);
    let list = web.list(place.path());
    let ran = run(&store, &web, &list, &["--headless"]);
    assert!(ran.status.success(), "{}", said(&ran));
    in_store(&store, &["hold", "add", "oak.test"]);
    in_store(&store, &["suppress", "add", "ash.test"]);
    for arguments in [&["--plain"][..], &[], &["--plain", "--read-only"]] {
        let told = in_store(&store, arguments);
        assert_eq!(told.status.code(), Some(0), "{}", said(&told));
        let told = out(&told);
        for fact in [
            "policy: intentroute",
            "no run under way",
            "loopback run",
            "visits ended: 2 done",
            "hosts: 2 hosts: 1 done, 1 held",
            "held: oak.test since ",
            "suppressed: 1 name, in ",
            "robots.txt: ",
        ] {
            assert!(told.contains(fact), "{arguments:?}: {fact}\n{told}");
        }
        let fields = told.lines().filter(|line| line.contains(": "));
        assert_eq!(fields.count(), told.lines().count(), "{told}");
    }
}

#[test]
fn a_plain_run_tells_its_hosts_and_its_audit() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let slow = "[[rule]]\npath = \"/llms.txt\"\ndelay_ms = 4000\n";
    let web = Web::start(&[("docs.alder.test", slow)]);
    let list = web.list(place.path());
    let told = said(&run(&store, &web, &list, &["--plain"]));
    let rows: Vec<&str> = told
        .lines()
        .filter(|line| line.starts_with("in flight: "))
        .collect();
    assert!(
        rows.iter()
            .any(|row| row.contains("docs.alder.test, lamps ")
                && row.contains("next now, why: asking /llms.txt")),
        "{told}"
    );
    let audit = told
        .lines()
        .find(|line| line.starts_with("audit of "))
        .unwrap_or_default();
    assert!(
        audit.contains("promises checked") && audit.ends_with("none broken"),
        "{told}"
    );
}

#[test]
fn the_log_says_what_allowed_each_request() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let web = Web::start(&[("oak.test", ROBOTS), ("docs.alder.test", "")]);
    let list = web.list(place.path());
    let ran = run(&store, &web, &list, &["--headless"]);
    assert!(ran.status.success(), "{}", said(&ran));
    let log = |host: &str| out(&in_store(&store, &["log", host]));
    let oak = log("oak.test");
    assert!(
        oak.contains("no robots.txt") && oak.contains("is robots.txt"),
        "{oak}"
    );
    let alder = log("docs.alder.test");
    let lines: Vec<&str> = alder.lines().skip(1).collect();
    let allowed = [
        "is robots.txt",
        "no rule matched",
        "no robots.txt",
        "  line ",
    ];
    for line in lines {
        assert!(allowed.iter().any(|words| line.contains(words)), "{line}");
    }
}

#[test]
fn a_copy_says_where_the_suppressed_names_stay() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(place.path(), "docs.example.com\n");
    in_store(&store, &["hosts", "import", "list", &list]);
    let to = place.path().join("copy");
    let copied = in_store(&store, &["store", "copy", to.to_str().unwrap()]);
    let told = said(&copied);
    assert!(
        told.contains("suppressed.list") && told.contains("belong to no copy"),
        "{told}"
    );
    assert!(!to.join("suppressed.list").exists());
}

#[test]
fn a_loopback_run_takes_no_store_of_real_hosts() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let web = Web::start(&[("docs.alder.test", "")]);
    let real = list_file(place.path(), "docs.example.com\nexample.org\n");
    let imported = in_store(&store, &["hosts", "import", "list", &real]);
    assert_eq!(
        out(&imported).trim_end(),
        "2 hosts added, 0 known already, 0 lines refused"
    );
    let address = web.address();
    let plain = ["run", "--headless", "--loopback", &address];
    for more in [&[][..], &["--hosts", &web.list(place.path())]] {
        let all = [&plain[..], more].concat();
        let refused = in_store(&store, &all);
        assert_eq!(refused.status.code(), Some(2), "{}", said(&refused));
        let told = said(&refused);
        assert!(
            told.contains("hosts of the real web") && told.contains("--store"),
            "{told}"
        );
    }
    assert!(web.asked().is_empty());
    // Names of a loopback web, and a store of its own, are what it is for.
    let own = place.path().join("own");
    let list = web.list(place.path());
    in_store(
        &own,
        &["hosts", "import", "list", &list, "--loopback-names"],
    );
    let ran = in_store(&own, &[&plain[..], &["--set", "pace.min_gap=1ms"]].concat());
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
}

#[test]
fn robots_explain_has_no_words_of_a_program_for_people() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("robots.txt");
    std::fs::write(&file, "User-agent: *\nDisallow: /a\n").unwrap();
    let file = file.to_str().unwrap();
    let told = out(&lamplighter(&["robots", "explain", file, "/a"]));
    assert!(
        told.contains("is not named") && !told.contains("star"),
        "{told}"
    );
    let json = out(&lamplighter(&["--json", "robots", "explain", file, "/a"]));
    assert!(json.contains("\"group\":\"star\""), "{json}");
}
