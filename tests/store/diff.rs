//! `diff`, by the real binary, on the versions of a store.

use std::path::Path;
use std::process::{Command, Output};

use lamplighter::fetch::Outcome;
use lamplighter::history::apply;

use super::fixture::{Work, body, sha};
use crate::console::pty::Session;

const HOST: &str = "docs.alder.test";
const VERSIONS: &[&[u8]] = &[
    b"# Alder\r\n\r\none\r\ntwo",
    b"# Alder\r\n\r\none\r\ntwo\r\n\xff\x1b[2J\r\n",
    b"",
    b"# Alder\n\none\n",
];
const BINARY: &[&[u8]] = &[b"\0\x01", b"\0\x02"];

async fn store() -> tempfile::TempDir {
    let (directory, work) = Work::fresh(&[HOST]).await;
    for bytes in VERSIONS {
        work.ask(HOST, "/llms.txt", Outcome::Present, body(bytes, None))
            .await;
    }
    for bytes in BINARY {
        work.ask(HOST, "/icon", Outcome::Present, body(bytes, None))
            .await;
    }
    work.ask(HOST, "/once.txt", Outcome::Present, body(b"once\n", None))
        .await;
    directory
}

fn diff(store: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .args(["--read-only", "--store"])
        .arg(store)
        .args(["diff", HOST])
        .args(arguments)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[tokio::test]
async fn every_two_versions_make_a_patch_of_the_exact_bytes() {
    let store = store().await;
    let numbers = || (1..).zip(VERSIONS);
    for (from, old) in numbers() {
        for (to, new) in numbers().filter(|(to, _)| *to != from) {
            let (a, b) = (format!("--from={from}"), format!("--to={to}"));
            let output = diff(store.path(), &["/llms.txt", &a, &b]);
            assert!(output.status.success(), "{}", said(&output));
            assert_eq!(apply(old, &output.stdout).unwrap(), *new, "{from} to {to}");
        }
    }
    let output = diff(store.path(), &["/llms.txt"]);
    assert_eq!(
        apply(VERSIONS[2], &output.stdout).unwrap(),
        VERSIONS[3],
        "the last two"
    );
    let output = diff(store.path(), &["/llms.txt", "--to=2"]);
    assert_eq!(
        apply(VERSIONS[0], &output.stdout).unwrap(),
        VERSIONS[1],
        "the one before"
    );
    let output = diff(
        store.path(),
        &["/llms.txt", "--with=/once.txt", "--context=0"],
    );
    assert_eq!(apply(VERSIONS[3], &output.stdout).unwrap(), b"once\n");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("--- a/docs.alder.test/llms.txt\n+++ b/docs.alder.test/once.txt\n"),
        "{text}"
    );
}

#[tokio::test]
async fn what_is_no_text_is_told_in_gits_words_with_both_digests() {
    let store = store().await;
    let output = diff(store.path(), &["/icon"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.ends_with("\nBinary files a/docs.alder.test/icon and b/docs.alder.test/icon differ\n"),
        "{text}"
    );
    for bytes in BINARY {
        let digest: String = sha(bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        assert!(text.contains(&digest), "{text}");
    }
}

#[tokio::test]
async fn what_cannot_be_compared_is_one_sentence() {
    let store = store().await;
    let table: &[(&[&str], i32, &str)] = &[
        (&["/once.txt"], 1, "the first one"),
        (&["/llms.txt", "--to=1"], 1, "the first one"),
        (&["/llms.txt", "--to=9"], 1, "no version 9"),
        (&["/llms.txt", "--from=9"], 1, "no version 9"),
        (&["/nothing"], 1, "lamplighter history"),
        (&["llms.txt"], 2, "slash"),
        (&["/llms.txt", "--with=x"], 2, "slash"),
        (&["/llms.txt", "--from=2", "--to=2"], 0, "the same"),
    ];
    for (arguments, code, word) in table {
        let output = diff(store.path(), arguments);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let said = said(&output);
        assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
        assert!(said.contains(word), "{arguments:?}: {said}");
    }
}

#[tokio::test]
async fn on_a_terminal_a_patch_is_shown_escaped() {
    let store = store().await;
    let path = store.path().to_str().unwrap();
    let arguments = [
        "--read-only",
        "--store",
        path,
        "diff",
        HOST,
        "/llms.txt",
        "--to=2",
    ];
    let session = Session::start(&arguments, 120, 30);
    session.wait_for("+\\xFF^[[2J^M");
    session.wait_for("\\ No newline at end of file");
    session.wait_for("-two");
    session.heard(|heard| assert!(heard.strange.is_empty(), "{:?}", heard.strange));
    assert!(!session.bytes().windows(4).any(|bytes| bytes == b"\x1b[2J"));
}

#[tokio::test]
async fn the_console_shows_what_changed_with_a_version() {
    let store = store().await;
    let path = store.path().to_str().unwrap();
    let mut session = Session::start(&["--read-only", "--store", path], 120, 36);
    session.wait_for("no run under way");
    session.wait_for(HOST);
    session.press("\r");
    session.wait_for("Versions");
    // Back to the last part but one.
    session.press("\x1b[Z\x1b[Z");
    session.wait_for("/llms.txt");
    // By location, the newest first: the icon's two, then this file's four.
    session.press("jjjj\r");
    session.wait_for("+ version 2");
    session.wait_for("ÿ^[[2J^M");
    session.press("e");
    session.wait_for("\\xFF^[[2J^M");
    session.wait_for("<no newline at the end>");
    session.press("[");
    session.wait_for("nothing before it");
    session.press("]]");
    session.wait_for("+ version 3");
    session.wait_for("empty");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("saved.patch");
    session.press("W");
    session.wait_for("save the patch to");
    session.press(&format!("\x15{}\r", file.to_str().unwrap()));
    session.wait_for("saved the patch to");
    let patch = std::fs::read(&file).unwrap();
    assert_eq!(apply(VERSIONS[1], &patch).unwrap(), VERSIONS[2]);
    session.press("y");
    session.wait_for("copied change 1");
    session.heard(|heard| assert_eq!(heard.copied.len(), 1));
    session.press("\x1b");
    session.wait_for("Journal");
    session.press("q");
    session.wait_without("Journal");
    session.press("q");
    session.given_back();
}
