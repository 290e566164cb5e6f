//! A sloppy operator: odd paths, odd bytes, outputs that cannot be written, values that are nearly right.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::process::{Command, Output};

use super::{in_store, list_file, out, said};

fn shell(script: &str, arguments: &[&std::ffi::OsStr]) -> Output {
    Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_lamplighter")])
        .args(arguments)
        .env("NO_COLOR", "1")
        .output()
        .unwrap()
}

fn stores(place: &std::path::Path) -> Vec<PathBuf> {
    let odd = OsString::from_vec(b"caf\xe9 \xff".to_vec());
    vec![place.join("with space"), place.join("-x"), place.join(odd)]
}

#[test]
fn paths_may_be_any_bytes() {
    let place = tempfile::tempdir().unwrap();
    let list = list_file(place.path(), "docs.example.com\n");
    for store in stores(place.path()) {
        let copy = store.join("../copy of ").join(store.file_name().unwrap());
        for (path, command) in [
            (&store, &["hosts", "import", "list", &list][..]),
            (&store, &["hosts", "list"]),
            (&store, &["suppress", "add", "example.org"]),
            (&store, &["store", "check"]),
        ] {
            let mut all = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
            let output = all.arg("--store").arg(path).args(command).output().unwrap();
            assert_eq!(
                output.status.code(),
                Some(0),
                "{command:?}: {}",
                said(&output)
            );
        }
        let mut all = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
        let copied = all
            .arg("--store")
            .arg(&store)
            .args(["store", "copy"])
            .arg(&copy);
        let copied = copied.output().unwrap();
        assert_eq!(copied.status.code(), Some(0), "{}", said(&copied));
        let mut all = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
        let read = all
            .arg("--read-only")
            .arg("--store")
            .arg(&copy)
            .args(["hosts", "list"]);
        let read = read.output().unwrap();
        assert!(out(&read).contains("docs.example.com"), "{}", said(&read));
    }
    // Text that is no text is a mistake of the command line.
    let odd = OsString::from_vec(b"ex\xff.com".to_vec());
    for words in [["suppress", "add"], ["hold", "add"]] {
        let mut all = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
        let output = all.args(words).arg(&odd).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_no_success() {
    if !std::path::Path::new("/dev/full").exists() {
        eprintln!("SKIPPED: there is no /dev/full here");
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(place.path(), "docs.example.com\n");
    assert!(
        in_store(&store, &["hosts", "import", "list", &list])
            .status
            .success()
    );
    for command in [
        &["hosts", "list"][..],
        &["--json", "hosts", "list"],
        &["policy", "list"],
        &["policy", "show"],
        &["policy", "check", "intentroute"],
        &["robots", "explain", "/dev/null", "/"],
        &["store", "check"],
        &["completions", "zsh"],
        &["man"],
        &["--help"],
        &["hosts", "--help"],
        &["--version"],
    ] {
        let mut arguments = vec!["--store".as_ref(), store.as_os_str()];
        arguments.extend(command.iter().map(std::ffi::OsStr::new));
        let full = shell("exec \"$0\" \"$@\" >/dev/full", &arguments);
        assert_eq!(full.status.code(), Some(1), "{command:?}: {}", said(&full));
        assert!(
            said(&full).contains("free some space"),
            "{command:?}: {}",
            said(&full)
        );
        // Closed is the reader's own wish.
        for closed in ["exec \"$0\" \"$@\" >&-", "exec \"$0\" \"$@\" <&- >&- 2>&-"] {
            let output = shell(closed, &arguments);
            assert_eq!(
                output.status.code(),
                Some(0),
                "{command:?}: {}",
                said(&output)
            );
        }
    }
    // A complaint stays one, also where it cannot be written.
    let lost = shell("exec \"$0\" \"$@\" 2>/dev/full", &["frobnicate".as_ref()]);
    assert_eq!(lost.status.code(), Some(2));
}

#[test]
fn a_home_that_cannot_be_used_is_named() {
    let place = tempfile::tempdir().unwrap();
    let list = list_file(place.path(), "docs.example.com\n");
    let file = list.as_str();
    for (home, word) in [("/proc/nowhere", "/proc/nowhere"), (file, file)] {
        let output = Command::new(env!("CARGO_BIN_EXE_lamplighter"))
            .args(["hosts", "import", "list", &list])
            .env("HOME", home)
            .env_remove("XDG_DATA_HOME")
            .output()
            .unwrap();
        let told = said(&output);
        assert!(
            matches!(output.status.code(), Some(1 | 2)),
            "{home}: {told}"
        );
        assert_eq!(told.trim_end().lines().count(), 1, "{home}: {told}");
        assert!(
            told.contains(word) && !told.contains("os error"),
            "{home}: {told}"
        );
    }
}

#[test]
fn values_that_are_nearly_right_are_asked_back() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(place.path(), "docs.example.com\n");
    assert!(
        in_store(&store, &["hosts", "import", "list", &list])
            .status
            .success()
    );
    for (command, word) in [
        (
            &["show", "docs.example.com", "llms.txt"][..],
            "begins with a slash",
        ),
        (
            &["history", "docs.example.com", "llms.txt"],
            "begins with a slash",
        ),
        (&["run", "--loopback", "127.0.0.1:0"], "127.0.0.1:8080"),
        (&["log", ""], "empty"),
        (&["suppress", "add", ""], "write example.com"),
        (&["--store", "", "hosts", "list"], "--store"),
    ] {
        let output = match command[0] {
            "--store" => super::lamplighter(command),
            _ => in_store(&store, command),
        };
        assert_eq!(
            output.status.code(),
            Some(2),
            "{command:?}: {}",
            said(&output)
        );
        assert!(
            said(&output).contains(word),
            "{command:?}: {}",
            said(&output)
        );
    }
    // A store of real hosts is none for a loopback run.
    let list = list_file(place.path(), "oak.test\n");
    let own = place.path().join("own");
    in_store(
        &own,
        &["hosts", "import", "list", &list, "--loopback-names"],
    );
    let store = own;
    let ran = in_store(
        &store,
        &[
            "run",
            "--headless",
            "--loopback",
            "127.0.0.1:9",
            "--now",
            "2026-11-30T06:00:00Z",
        ],
    );
    assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
    let wrong = in_store(&store, &["audit", "--run", "W49"]);
    assert!(said(&wrong).contains("\"W49\" in this store; the newest is 2026-W49"));
}
