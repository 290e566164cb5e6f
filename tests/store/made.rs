//! Making a store: what is left of one is never taken for nothing, and a maker that died is no obstacle.

use std::path::Path;

use lamplighter::store::{Store, StoreError};

const FILE: &str = "lamplighter.db";

fn refused(directory: &Path) -> Vec<StoreError> {
    [
        Store::open(directory, "intentroute").map(drop),
        Store::existing(directory).map(drop),
        Store::read_only(directory).map(drop),
    ]
    .into_iter()
    .filter_map(Result::err)
    .collect()
}

/// Alone, or beside any other trace of a store.
#[test]
fn an_empty_file_is_a_store_that_was_lost() {
    for trace in ["", "suppressed.list", "engine.lock", "lamplighter.db-wal"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        std::fs::write(path.join(FILE), "").unwrap();
        if !trace.is_empty() {
            std::fs::write(path.join(trace), "example.com\n").unwrap();
        }
        let errors = refused(path);
        assert_eq!(errors.len(), 3, "{trace}: {errors:?}");
        for error in errors {
            assert!(matches!(error, StoreError::Remains { .. }), "{error:?}");
            let said = error.to_string();
            assert!(
                said.contains(FILE) && said.contains("run again"),
                "{trace}: {said}"
            );
        }
        assert_eq!(std::fs::read(path.join(FILE)).unwrap(), b"", "untouched");
        if !trace.is_empty() {
            let kept = std::fs::read(path.join(trace)).unwrap();
            assert_eq!(kept, b"example.com\n", "{trace} is untouched");
        }
        std::fs::remove_file(path.join(FILE)).unwrap();
        // What the sentence says to do. A log alone is still the log of a lost store.
        let made = Store::open(path, "intentroute");
        assert_eq!(made.is_ok(), trace != "lamplighter.db-wal", "{made:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_no_place_for_a_new_store() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    std::os::unix::fs::symlink("/nowhere/at/all.db", path.join(FILE)).unwrap();
    let made = Store::open(path, "intentroute");
    assert!(matches!(made, Err(StoreError::Remains { .. })), "{made:?}");
    let link = std::fs::symlink_metadata(path.join(FILE)).unwrap();
    assert!(link.is_symlink(), "untouched");
}

#[test]
fn what_a_dead_maker_left_is_no_obstacle() {
    for left in [&b""[..], b"SQLite format 3\0 and half a page"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        for name in ["lamplighter.db.new", "lamplighter.db.new-journal"] {
            std::fs::write(path.join(name), left).unwrap();
        }
        assert!(matches!(
            Store::existing(path),
            Err(StoreError::Missing { .. })
        ));
        let store = Store::open(path, "intentroute").unwrap();
        assert_eq!(store.policy().unwrap(), "intentroute");
        let mut names: Vec<_> = std::fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.contains("new"))
            .collect();
        names.sort();
        assert!(names.is_empty(), "{names:?}");
    }
}

#[test]
fn many_makers_make_one_store() {
    let directory = tempfile::tempdir().unwrap();
    let made: Vec<_> = std::thread::scope(|scope| {
        let makers: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| Store::open(directory.path(), "intentroute").map(drop)))
            .collect();
        makers.into_iter().map(|maker| maker.join()).collect()
    });
    for result in made {
        result.unwrap().unwrap();
    }
}

/// Killed after any time at all, running again makes the store.
#[cfg(unix)]
#[test]
fn a_maker_killed_at_any_moment_is_made_up_for() {
    let place = tempfile::tempdir().unwrap();
    let list = place.path().join("hosts.txt");
    std::fs::write(&list, "docs.example.com\n").unwrap();
    for micros in (0..24).map(|step| 2_000 + 1_500 * step) {
        let store = place.path().join(format!("store{micros}"));
        let import = || {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lamplighter"));
            command.args(["hosts", "import", "list"]).arg(&list);
            command.arg("--store").arg(&store);
            command.stdout(std::process::Stdio::null());
            command.stderr(std::process::Stdio::piped());
            command
        };
        let mut first = import().spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_micros(micros));
        first.kill().unwrap();
        first.wait().unwrap();
        let again = import().output().unwrap();
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert_eq!(again.status.code(), Some(0), "after {micros} us: {said}");
        let hosts = Store::existing(&store).unwrap().reader().unwrap();
        assert_eq!(hosts.hosts(None, 9).unwrap().len(), 1);
    }
}
