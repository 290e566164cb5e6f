//! Everything a historian reads, from a copy and without a trace.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::SystemTime;

use super::played::{lamplighter, played};

/// Name, size and time of change of whatever stands in a folder.
fn traces(folder: &Path) -> BTreeMap<String, (u64, SystemTime)> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let data = entry.metadata().unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, (data.len(), data.modified().unwrap()))
        })
        .collect()
}

#[test]
fn a_copy_tells_all_and_no_command_leaves_a_trace() {
    let Some(played) = played() else { return };
    let place = tempfile::tempdir().unwrap();
    let copy = place.path().join("copy");
    let [from, to] = [&played.store, &copy].map(|path| path.to_str().unwrap());
    let copied = lamplighter(&["--store", from, "store", "copy", to]);
    assert!(copied.status.success());
    let before = traces(&copy);
    assert_eq!(before.len(), 1, "{before:?}");
    let first = &played.labels[0];
    let host = "www.alder.test";
    let commands: [&[&str]; 11] = [
        &["changes", "--json"],
        &["changes"],
        &["changes", "--since", first, "--json"],
        &["runs"],
        &["runs", "--json"],
        &["report", "--run", first],
        &["history", host, "--json"],
        &["show", host, "/robots.txt"],
        &["log", host, "--json"],
        &["hosts", "list"],
        &["store", "check"],
    ];
    for command in commands {
        let told = |store: &str, read_only: &[&str]| {
            let arguments = [&["--store", store], read_only, command].concat();
            let output = lamplighter(&arguments);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(0), "{command:?}: {said}");
            output.stdout
        };
        let offline = told(to, &["--read-only"]);
        assert!(!offline.is_empty(), "{command:?}");
        assert_eq!(traces(&copy), before, "{command:?} left a trace");
        assert!(
            offline == told(from, &[]),
            "{command:?} tells something else"
        );
    }
}

#[test]
fn what_cannot_be_read_says_what_to_do() {
    let Some(played) = played() else { return };
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("lamplighter.db");
    let whole = std::fs::read(played.store.join("lamplighter.db")).unwrap();
    let store = place.path().to_str().unwrap();
    let refused = |bytes: &[u8], commands: &[&[&str]]| {
        std::fs::write(&file, bytes).unwrap();
        for command in commands {
            let arguments = [&["--store", store, "--read-only"], *command].concat();
            let output = lamplighter(&arguments);
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{command:?}: {said}");
            let lines: Vec<_> = said.lines().collect();
            assert_eq!(lines.len(), 1, "{said}");
            assert_eq!(traces(place.path()).len(), 1);
        }
    };
    let all: [&[&str]; 3] = [&["changes"], &["runs"], &["report"]];
    refused(b"no database at all", &all);
    refused(&whole[..whole.len() / 3], &[&["store", "check"]]);
    let mut torn = whole.clone();
    // Every page behind the schema: no table can be read.
    torn[4_096..]
        .iter_mut()
        .step_by(7)
        .for_each(|byte| *byte ^= 0x55);
    refused(&torn, &all);
}
