//! The console as people meet it: the real binary in a pty.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "helpers of tests fail as tests do, and serve tests to come"
)]

mod ending;
mod files;
mod hostile;
mod morning;
mod random;
mod read_only;
mod runs;
mod unread;

#[path = "support/pty.rs"]
pub(crate) mod pty;

use std::path::Path;
use std::process::{Command, Output};

use lamplighter::miniweb::Seen;
use pty::Session;

/// The binary without a terminal.
fn command(arguments: &[&str]) -> Output {
    Command::new(pty::BINARY).args(arguments).output().unwrap()
}

/// What a command says as JSON Lines.
fn facts(arguments: &[&str]) -> Vec<serde_json::Value> {
    let output = command(arguments);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What the servers saw so far, by their log.
fn seen(log: &Path) -> Vec<Seen> {
    let text = std::fs::read_to_string(log).unwrap_or_default();
    // The last line may be half written.
    let lines = text.lines().map(serde_json::from_str);
    lines.filter_map(Result::ok).collect()
}

/// A folder for `demo --web`: sites as (host, script of a one-file site).
fn folder(place: &Path, sites: &[(&str, String)]) -> String {
    let folder = place.join("web");
    std::fs::create_dir_all(folder.join("sites")).unwrap();
    for (host, script) in sites {
        std::fs::write(folder.join(format!("sites/{host}.toml")), script).unwrap();
    }
    folder.to_str().unwrap().to_owned()
}

#[test]
fn a_demo_is_watched_paused_helped_and_quit() {
    let mut session = Session::start(&["demo", "--fast", "--set", "pace.min_gap=20s"], 80, 24);
    session.wait_for("In flight");
    session.wait_for("LOOPBACK");
    session.wait_for("pace.scale=0.01");
    assert!(session.alternate() && session.cursor_hidden());
    session.press("p");
    session.wait_for("paused");
    session.press("p");
    session.wait_for("running");
    session.press("?");
    session.wait_for("Esc closes");
    session.press("\x1b");
    session.resize(120, 40);
    session.wait_for("why");
    session.press("q");
    session.wait_for("Quit?");
    session.press("j\r");
    let code = session.ended();
    assert!(code == 130 || code == 0, "{code}");
    session.wait("the terminal given back", |session| {
        !session.alternate() && !session.cursor_hidden()
    });
}

#[test]
fn a_suspended_run_goes_on_and_is_drawn_whole() {
    // A program without a shell above it is not stopped: it comes back at once.
    let mut session = Session::start(&["demo", "--fast", "--set", "pace.min_gap=20s"], 80, 24);
    session.wait_for("In flight");
    session.press("\x1a");
    session.wait_for("went on after a suspension");
    session.wait_for("In flight");
    session.wait_for("LOOPBACK");
    assert!(session.alternate() && session.cursor_hidden());
    session.press("p");
    session.wait_for("paused");
    session.signal("TERM");
    assert_eq!(session.ended(), 130);
}

#[test]
fn the_page_of_a_host_shows_its_evidence_and_is_left_for_the_list() {
    let mut session = Session::start(&["demo", "--fast", "--set", "pace.min_gap=100s"], 80, 24);
    session.wait_for("In flight");
    session.wait_for("running");
    session.press("2");
    session.wait_for("next visit");
    session.press("/fern\r");
    session.wait_for("that match fern");
    session.press("\r");
    session.wait_for("Hosts > fern.test");
    session.wait_for("its rules are followed");
    session.press("\t");
    session.wait_for("decides   2  Disallow: /.well-known/");
    session.press("t\x15/llms.txt as SomeBot");
    session.wait_for("SomeBot is not named");
    session.press("\r\t\t");
    session.wait_for("GET /robots.txt");
    session.press("h");
    session.wait_for("hold fern.test: reached");
    session.press("\t\t");
    session.wait_for("hold add fern.test");
    session.press("\x1b");
    session.wait_for("that match fern");
    session.press("q");
    session.press("j\r");
    session.ended();
}

#[test]
fn a_lost_terminal_ends_the_run_cleanly() {
    let mut session = Session::start(&["demo", "--fast", "--set", "pace.min_gap=20s"], 80, 24);
    session.wait_for("In flight");
    session.hang_up();
    assert_eq!(session.ended(), 130);
}

#[test]
fn a_signal_drains_and_restores() {
    for name in ["TERM", "INT"] {
        let mut session = Session::start(&["demo", "--fast", "--set", "pace.min_gap=20s"], 80, 24);
        session.wait_for("In flight");
        session.wait_for("running");
        session.signal(name);
        assert_eq!(session.ended(), 130, "{name}");
        session.wait("the terminal given back", |session| !session.alternate());
    }
}

#[test]
fn the_audit_is_wrapped_to_the_terminal() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let store = store.to_str().unwrap();
    let list = place.path().join("hosts.txt");
    std::fs::write(&list, "docs.alder.test\n").unwrap();
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .args([
            "run",
            "--headless",
            "--loopback",
            "127.0.0.1:9",
            "--store",
            store,
        ])
        .arg("--hosts")
        .arg(&list)
        .output()
        .unwrap();
    assert!(ran.status.success());
    let mut session = Session::start(&["--store", store, "audit"], 60, 120);
    session.wait_for("every promise that the log can prove was kept");
    let text = session.text();
    // Cut between words, and each line begins below the one before.
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let cut = "exact User-Agent on every";
    let first = lines.iter().position(|line| line.ends_with(cut));
    let first = first.unwrap_or_else(|| panic!("{text}"));
    let indent = " ".repeat(lines[first].len() - cut.len());
    let next = format!("{indent}request, robots.txt included");
    assert_eq!(lines[first + 1], next, "{text}");
    assert_eq!(session.ended(), 0);
}
