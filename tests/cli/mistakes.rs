//! The same kind of mistake has the same exit code, whichever command it is made with: 2 where the
//! command line must be another one, 1 where it is right and fails.

use super::{in_store, list_file, out, said};

#[test]
fn mistakes_of_one_kind_end_alike() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let list = list_file(place.path(), "docs.example.com\n");
    assert!(
        in_store(&store, &["hosts", "import", "list", &list])
            .status
            .success()
    );
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (directory, nowhere, full) = (path(""), path("nowhere"), path("full"));
    std::fs::create_dir(&full).unwrap();
    std::fs::write(path("full/file"), "").unwrap();
    let broken = path("broken.toml");
    std::fs::write(&broken, "name = 1\n").unwrap();
    let below_file = format!("{list}/below");
    let loopback = ["run", "--headless", "--loopback", "127.0.0.1:9"];
    let run = |more: &[&str]| -> Vec<String> {
        let all = loopback.iter().chain(more);
        all.map(|word| (*word).to_owned()).collect()
    };
    let words = |line: &[&str]| -> Vec<String> { line.iter().map(|w| (*w).to_owned()).collect() };
    let table: Vec<(&str, i32, Vec<Vec<String>>)> = vec![
        (
            "a word that means nothing",
            2,
            vec![
                words(&["frobnicate"]),
                words(&["hosts", "import", "tranco", &list]),
                words(&["hosts", "import", "frob", &list]),
                words(&["--policy", "nobody", "run"]),
                words(&["policy", "show", "nobody"]),
                words(&["policy", "check", "nobody"]),
                run(&["--set", "pace.nothing=1"]),
                run(&["--set", "pace"]),
                run(&["--failpoint", "nowhere"]),
                words(&["log", "docs.example.com", "--at", "noon"]),
                words(&["log", "docs.example.com", "--within", "15m"]),
                words(&["show", "docs.example.com", "/a", "--version", "x"]),
                words(&["run", "--loopback", "192.0.2.1:80", "--headless"]),
                words(&["run", "--headless"]),
            ],
        ),
        (
            "no name of a host",
            2,
            vec![
                words(&["log", "not a name"]),
                words(&["history", "not a name"]),
                words(&["show", "not a name", "/a"]),
                words(&["suppress", "add", "not a name"]),
                words(&["suppress", "remove", "not a name"]),
                words(&["hold", "add", "not a name"]),
                words(&["hold", "remove", "not a name"]),
            ],
        ),
        (
            "a thing of the wrong kind",
            2,
            vec![
                words(&["hosts", "import", "list", &directory]),
                run(&["--hosts", &directory]),
                words(&["robots", "explain", &directory, "/"]),
                words(&["policy", "check", &directory]),
                words(&["--policy", &directory, "run"]),
                words(&["store", "copy", &full]),
                words(&["store", "copy", &list]),
                words(&["store", "copy", &below_file]),
                words(&["demo", "--headless"]),
                words(&[
                    "--policy",
                    "itisyou",
                    "run",
                    "--headless",
                    "--loopback",
                    "127.0.0.1:9",
                ]),
                words(&["--policy", "itisyou", "hosts", "import", "list", &list]),
                words(&["--read-only", "hold", "add", "example.com"]),
                words(&["--read-only", "suppress", "add", "example.com"]),
            ],
        ),
        (
            "not there",
            1,
            vec![
                words(&["hosts", "import", "list", &nowhere]),
                run(&["--hosts", &nowhere]),
                words(&["robots", "explain", &nowhere, "/"]),
                words(&["policy", "check", &nowhere]),
                words(&["log", "www.example.org"]),
                words(&["history", "www.example.org"]),
                words(&["history", "docs.example.com", "/a"]),
                words(&["show", "www.example.org", "/a"]),
                words(&["show", "docs.example.com", "/a"]),
                words(&["audit"]),
                words(&["audit", "--run", "2026-W49"]),
                words(&["suppress", "remove", "example.org"]),
                words(&["hold", "remove", "example.org"]),
                words(&["resume"]),
            ],
        ),
        ("damaged", 1, vec![words(&["policy", "check", &broken])]),
    ];
    for (kind, code, lines) in table {
        for line in lines {
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            let output = in_store(&store, &line);
            let told = said(&output);
            assert_eq!(output.status.code(), Some(code), "{kind}: {line:?}: {told}");
            assert_eq!(out(&output), "", "{kind}: {line:?}");
            assert!(!told.trim().is_empty(), "{kind}: {line:?}");
            assert!(!told.contains("os error"), "{kind}: {line:?}: {told}");
        }
    }
    for file in [list, below_file] {
        let output = in_store(std::path::Path::new(&file), &["hosts", "list"]);
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    }
}
