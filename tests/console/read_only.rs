//! The console on a clean copy: everything can be looked at, nothing can be changed.

use std::path::Path;

use super::pty::Session;
use super::{command, folder};

fn files(directory: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[test]
fn a_copy_is_looked_at_and_never_changed() {
    let place = tempfile::tempdir().unwrap();
    let [store, copy] = ["store", "copy"].map(|name| place.path().join(name));
    let (from, to) = (store.to_str().unwrap(), copy.to_str().unwrap());
    let rules = "User-agent: *\\nDisallow: /.well-known/\\n";
    let robots = format!("[[file]]\npath = \"/robots.txt\"\ntext = \"{rules}\"\n");
    let sites = ["fern.test", "oak.test"].map(|host| (host, robots.clone()));
    let web = folder(place.path(), &sites);
    let played = command(&[
        "demo",
        "--fast",
        "--headless",
        "--web",
        &web,
        "--store",
        from,
    ]);
    assert_eq!(played.status.code(), Some(0));
    let copied = command(&["--store", from, "store", "copy", to]);
    assert_eq!(copied.status.code(), Some(0), "{copied:?}");
    let before = files(&copy);

    let mut session = Session::start(&["--read-only", "--store", to], 120, 36);
    session.wait_for("READ ONLY");
    session.wait_for("no run under way");
    session.wait_for("fern.test");
    let refusal = "the store was opened with --read-only";
    let unchanged = |session: &mut Session, key: &str| {
        // Another notice between two equal ones, so that each is seen to come.
        session.press("y");
        session.wait_for("copied ");
        session.press(key);
        session.wait_for(refusal);
    };
    for key in ["h", "x", "r"] {
        unchanged(&mut session, key);
    }
    session.press("/fern\r");
    session.wait_for("that match fern");
    session.press("\r");
    session.wait_for("Hosts > fern.test");
    session.wait_for("its rules are followed");
    for key in ["h", "x", "r"] {
        unchanged(&mut session, key);
    }
    session.press("\t");
    session.wait_for("Disallow: /.well-known/");
    session.press("\t\t");
    session.wait_for("GET /robots.txt");
    session.press("\x1b");
    session.wait_for("that match fern");
    session.press("q");
    assert_eq!(session.ended(), 0);
    session.given_back();
    assert!(before == files(&copy), "the copy was changed");
}
