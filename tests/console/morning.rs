//! A working morning at the console, judged by what the store and the servers say of it.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use lamplighter::store::Store;
use portable_pty::CommandBuilder;

use super::pty::{BINARY, Home, Modes, Session};
use super::{command, facts, seen};

/// Time enough to act between two requests of a host.
const GAP: &str = "pace.min_gap=3s";
const GAP_MS: u64 = 3_000;

fn now_ms() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(now.as_millis()).unwrap()
}

/// The binary as a job of a shell, which takes the terminal when the job stops, waits for a line,
/// and gives it back.
fn job(arguments: &[&str]) -> CommandBuilder {
    let mut shell = CommandBuilder::new("sh");
    shell.arg("-c");
    shell.arg(
        "set -m; \"$0\" \"$@\"; printf 'stopped with %s\\n' $?; read line; \
         fg >/dev/null; printf 'ended with %s\\n' $?",
    );
    shell.arg(BINARY);
    shell.args(arguments);
    shell
}

/// Requests of a host in a span of time, by the servers' log.
fn asked(log: &Path, host: &str, from: u64, to: u64) -> usize {
    let all = seen(log);
    let fits = all
        .iter()
        .filter(|seen| seen.host == host && (from..to).contains(&seen.at_ms));
    fits.count()
}

#[test]
fn a_working_morning_ends_as_the_store_and_the_servers_say() {
    let place = tempfile::tempdir().unwrap();
    let (store, log) = (place.path().join("store"), place.path().join("web.jsonl"));
    let directory = store.to_str().unwrap();
    let arguments = [
        "demo",
        "--hosts",
        "60",
        "--store",
        directory,
        "--web-log",
        log.to_str().unwrap(),
        "--set",
        GAP,
    ];
    let mut session = Session::of(job(&arguments), &Home::new(), 120, 36);
    session.wait_for("In flight");
    session.wait_for("running");
    assert_eq!(session.modes(), Modes::CONSOLE);

    session.press("2");
    session.wait_for("next visit");
    session.press("/fern\r");
    session.wait_for("that match fern");
    session.press("\r");
    session.wait_for("Hosts > fern.test");
    // Before its robots.txt has been read there is nothing to try a path on.
    session.press("\t");
    session.wait_for("verdict");
    session.press("t\x15/llms.txt as SomeBot");
    session.wait_for("SomeBot is not named");
    session.press("\r\t\t");
    session.wait_for("GET /robots.txt");
    session.press("h");
    session.wait_for("hold fern.test: reached");
    let held = now_ms();
    session.press("\x1b");
    session.wait_for("that match fern");
    session.wait_for("held");

    session.press("/\x15g000007\r");
    session.wait_for("that match g000007");
    session.wait_without("fern.test");
    session.press("x");
    session.wait_for("This host alone");
    session.wait_for("1 host");
    session.press("j\r");
    session.wait_for("suppress =g000007.test: reached");
    let suppressed = now_ms();
    session.wait_for("never asked again");
    session.wait("requests of others for longer than the gap", |_| {
        asked(&log, "g000008.test", suppressed, u64::MAX) >= 2
    });

    session.press("1p");
    session.wait_for("paused");
    let paused = now_ms();
    session.resize(60, 15);
    session.wait_for("In flight");
    session.wait_for("paused");
    session.resize(120, 36);
    session.wait_for("why");
    session.press("\x1a");
    session.wait_for("stopped with");
    session.given_back();
    session.press("\n");
    session.wait_for("went on after a suspension");
    session.wait_for("In flight");
    assert_eq!(session.modes(), Modes::CONSOLE);
    session.wait("a pause longer than the gap", |_| {
        now_ms() > paused + GAP_MS + 500
    });
    let resumed = now_ms();
    session.press("p");
    session.wait_for("running");
    session.wait("requests after the pause", |_| {
        asked(&log, "g000008.test", resumed, u64::MAX) >= 1
    });

    session.press("q");
    session.wait_for("Quit?");
    session.press("j\r");
    session.wait_for("ended with 130");
    session.given_back();
    session.ended();

    // What the servers saw.
    let end = u64::MAX;
    assert!(asked(&log, "fern.test", 0, held) > 0);
    assert_eq!(asked(&log, "fern.test", held, end), 0, "held");
    assert_eq!(
        asked(&log, "g000007.test", suppressed, end),
        0,
        "suppressed"
    );
    let meanwhile = seen(&log)
        .into_iter()
        .filter(|seen| (paused..resumed).contains(&seen.at_ms));
    assert_eq!(meanwhile.count(), 0, "requests during the pause");

    // What the store says.
    let held = facts(&["--store", directory, "--json", "hold", "list"]);
    assert_eq!(held.len(), 1, "{held:?}");
    assert_eq!(held[0]["scope"], "fern.test");
    let listed = facts(&["--store", directory, "--json", "suppress", "list"]);
    assert_eq!(listed.len(), 1, "{listed:?}");
    assert_eq!(listed[0]["entry"], "=g000007.test");
    let kept = Store::existing(&store).unwrap().reader().unwrap();
    let journal = kept.journal().unwrap();
    let actions: Vec<&str> = journal.iter().map(|entry| entry.action.as_str()).collect();
    let expected = [
        "hold add fern.test",
        "suppress add =g000007.test",
        "pause",
        "resume",
    ];
    assert_eq!(actions, expected);
    for host in ["fern.test", "g000007.test", "g000008.test", "oak.test"] {
        let told = facts(&["--store", directory, "--json", "log", host]);
        assert_eq!(told.len(), asked(&log, host, 0, end), "{host}");
    }
    let audited = command(&["--store", directory, "audit"]);
    let said = String::from_utf8_lossy(&audited.stdout).into_owned();
    assert_eq!(audited.status.code(), Some(0), "{said}");
}
