//! Where there is no store, one sentence says so, and nothing is made.

use std::path::Path;

use super::{in_store, list_file, said};

fn names(directory: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return vec!["absent".to_owned()];
    };
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Commands that make no store, their exit code, and a word of what they say.
const COMMANDS: [(&[&str], i32, &str); 23] = [
    (&["log", "a.test"], 1, "no store"),
    (&["history", "a.test"], 1, "no store"),
    (&["show", "a.test", "/llms.txt"], 1, "no store"),
    (&["diff", "a.test", "/llms.txt"], 1, "no store"),
    (&["audit"], 1, "no store"),
    (&["hosts", "list"], 1, "no store"),
    (&["store", "check"], 1, "no store"),
    (&["store", "copy", "DEST"], 1, "no store"),
    (&["pause"], 1, "no store"),
    (&["resume"], 1, "no store"),
    (&["hold", "list"], 1, "no store"),
    (&["hold", "add", "example.com"], 1, "no store"),
    (&["hold", "remove", "example.com"], 1, "no store"),
    (&["suppress", "list"], 0, "nothing is suppressed"),
    (&["suppress", "remove", "example.com"], 1, "not on the list"),
    (&["--read-only", "hosts", "list"], 1, "no store"),
    (&["--read-only", "audit"], 1, "no store"),
    (
        &["run", "--headless", "--loopback", "127.0.0.1:9"],
        1,
        "hosts import list FILE",
    ),
    (
        &[
            "run",
            "--headless",
            "--loopback",
            "127.0.0.1:9",
            "--hosts",
            "NOWHERE",
        ],
        1,
        "check the path",
    ),
    (
        &[
            "run",
            "--headless",
            "--loopback",
            "127.0.0.1:9",
            "--hosts",
            "EMPTY",
        ],
        1,
        "hosts import list FILE",
    ),
    (&["hosts", "import", "list", "NOWHERE"], 1, "check the path"),
    (&["hosts", "import", "list", "EMPTY"], 0, "..bad.."),
    (&["demo", "--headless", "--web", "NOWHERE"], 1, "sites/HOST"),
];

#[test]
fn nothing_is_made_where_there_is_no_store() {
    let place = tempfile::tempdir().unwrap();
    let empty = list_file(place.path(), "# nobody\n..bad..\n");
    let nowhere = place.path().join("nowhere.txt");
    let copy = place.path().join("copy");
    let there = place.path().join("there");
    std::fs::create_dir(&there).unwrap();
    for store in [there, place.path().join("absent/below")] {
        for (command, code, word) in COMMANDS {
            let before = (names(&store), names(place.path()));
            let command: Vec<&str> = command
                .iter()
                .map(|word| match *word {
                    "EMPTY" => empty.as_str(),
                    "NOWHERE" => nowhere.to_str().unwrap(),
                    "DEST" => copy.to_str().unwrap(),
                    word => word,
                })
                .collect();
            let output = in_store(&store, &command);
            let told = said(&output);
            assert_eq!(output.status.code(), Some(code), "{command:?}: {told}");
            assert!(told.contains(word), "{command:?}: {told}");
            assert_eq!((names(&store), names(place.path())), before, "{command:?}");
        }
    }
}

/// A list may come through a pipe, which can be read once only.
#[test]
fn a_list_through_a_pipe_is_read_once_and_whole() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .args(["--json", "hosts", "import", "list", "/dev/stdin", "--store"])
        .arg(&store)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let text = "..bad..\n# a comment\ndocs.example.com\n..worse..\nexample.com\n";
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, text.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let lines = super::json(&output);
    assert_eq!(
        (&lines[0]["line"], &lines[1]["line"]),
        (&1.into(), &4.into())
    );
    assert_eq!(lines[2]["added"], 2);
    assert_eq!(lines[2]["rejected"], 2);
    let listed = list_file(place.path(), text);
    let again = in_store(&store, &["--json", "hosts", "import", "list", &listed]);
    let lines = super::json(&again);
    assert_eq!(lines[2]["known"], 2);
    let digest = |text: &str| {
        use sha2::Digest as _;
        let hash = sha2::Sha256::digest(text.as_bytes());
        hash.iter()
            .map(|byte| format!("{byte:02x}"))
            .collect::<String>()
    };
    assert_eq!(lines[2]["sha256"], digest(text));
}
