//! `store copy` and `store check`: beside a live run, of damaged files, on a full disk, to odd places.

use std::path::Path;
use std::process::{Command, Stdio};

use super::web::Web;
use super::{in_store, json, list_file, out, said};

fn store_of(place: &Path, hosts: usize) -> std::path::PathBuf {
    let store = place.join("store");
    let names: String = (0..hosts)
        .map(|n| format!("host{n}.example.com\n"))
        .collect();
    let list = list_file(place, &names);
    let imported = in_store(&store, &["hosts", "import", "list", &list]);
    assert!(imported.status.success(), "{}", said(&imported));
    store
}

fn copy(store: &Path, to: &Path) -> std::process::Output {
    in_store(store, &["store", "copy", to.to_str().unwrap()])
}

#[test]
fn a_copy_beside_a_live_run_is_whole_and_clean() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let web = Web::start(&[("docs.alder.test", ""), ("oak.test", "")]);
    let list = web.list(place.path());
    let mut run = Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .args([
            "run",
            "--headless",
            "--loopback",
            &web.address(),
            "--hosts",
            &list,
        ])
        .args(["--set", "pace.min_gap=150ms", "--store"])
        .arg(&store)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while web.asked().len() < 4 {
        assert!(run.try_wait().unwrap().is_none(), "the run has ended");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let to = place.path().join("copy of it");
    let copied = copy(&store, &to);
    assert_eq!(copied.status.code(), Some(0), "{}", said(&copied));
    assert!(run.try_wait().unwrap().is_none(), "the run goes on");
    let checked = in_store(&to, &["--read-only", "store", "check"]);
    assert_eq!(checked.status.code(), Some(0), "{}", out(&checked));
    let live = in_store(&store, &["store", "check"]);
    assert_eq!(live.status.code(), Some(0), "{}", out(&live));
    let names: Vec<_> = std::fs::read_dir(&to).unwrap().collect();
    assert_eq!(names.len(), 1, "{names:?}");
    run.kill().unwrap();
    run.wait().unwrap();
}

#[test]
fn a_copy_goes_to_a_new_directory_of_its_own() {
    let place = tempfile::tempdir().unwrap();
    let store = store_of(place.path(), 1);
    let full = place.path().join("full");
    std::fs::create_dir(&full).unwrap();
    std::fs::write(full.join("lamplighter.db"), "mine").unwrap();
    let inside = store.join("copies/first");
    let link = place.path().join("link");
    std::os::unix::fs::symlink(&store, &link).unwrap();
    let file = place.path().join("hosts.txt");
    for (to, word) in [
        (full.as_path(), "not empty"),
        (&store, "not empty"),
        (&inside, "inside the store's own"),
        (&link.join("copy"), "inside the store's own"),
        (&file, "a file"),
        (&file.join("below"), "a file"),
    ] {
        let refused = copy(&store, to);
        assert_eq!(
            refused.status.code(),
            Some(2),
            "{}: {}",
            to.display(),
            said(&refused)
        );
        assert!(said(&refused).contains(word), "{}", said(&refused));
        assert_eq!(said(&refused).trim_end().lines().count(), 1);
    }
    assert_eq!(std::fs::read(full.join("lamplighter.db")).unwrap(), b"mine");
    assert!(!store.join("copies").exists() && !store.join("copy").exists());
    let empty = place.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    assert_eq!(copy(&store, &empty).status.code(), Some(0));
    let below = place.path().join("a/b c/ü");
    assert_eq!(copy(&store, &below).status.code(), Some(0));
    let listed = in_store(&below, &["--read-only", "hosts", "list"]);
    assert!(out(&listed).contains("host0.example.com"));
}

/// By a limit on the size of a file, which stands for a disk that is too small.
#[test]
fn a_copy_that_cannot_be_finished_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let store = store_of(place.path(), 5_000);
    let to = place.path().join("copy");
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 64; exec \"$@\"", "sh"])
        .args([env!("CARGO_BIN_EXE_lamplighter"), "--store"])
        .arg(&store)
        .args(["store", "copy"])
        .arg(&to)
        .output()
        .unwrap();
    let told = said(&limited);
    assert_eq!(limited.status.code(), Some(1), "{told}");
    assert_eq!(told.trim_end().lines().count(), 1, "{told}");
    assert!(
        told.contains(to.to_str().unwrap()) || told.contains("disk"),
        "{told}"
    );
    assert!(!to.exists(), "{:?}", std::fs::read_dir(&to));
    assert_eq!(
        copy(&store, &to).status.code(),
        Some(0),
        "the same command again"
    );
}

/// A check says what it found and never to run a check; a copy of damaged pages is none.
#[test]
fn damage_is_a_finding_of_the_check() {
    type Damage = fn(&mut Vec<u8>);
    let table: [(&str, Damage); 5] = [
        ("a page of the middle", |bytes| {
            bytes[8_192..12_288].fill(0xa5)
        }),
        ("the schema", |bytes| bytes[100..4_096].fill(0xff)),
        ("the end cut off", |bytes| bytes.truncate(bytes.len() / 2)),
        ("the head", |bytes| bytes[..16].fill(b'x')),
        ("all but the head", |bytes| bytes.truncate(60)),
    ];
    for (what, damage) in table {
        let place = tempfile::tempdir().unwrap();
        let store = store_of(place.path(), 300);
        let file = store.join("lamplighter.db");
        let mut bytes = std::fs::read(&file).unwrap();
        damage(&mut bytes);
        std::fs::write(&file, &bytes).unwrap();
        let checked = in_store(&store, &["--json", "store", "check"]);
        let told = said(&checked);
        assert_eq!(checked.status.code(), Some(1), "{what}: {told}");
        let report = &json(&checked)[0];
        assert!(
            !report["integrity"].as_array().unwrap().is_empty(),
            "{what}: {report}"
        );
        assert!(
            told.contains("go back to a copy") && !told.contains("store check"),
            "{told}"
        );
        let text = out(&in_store(&store, &["store", "check"]));
        assert!(text.contains("damaged"), "{what}: {text}");
        let to = place.path().join("copy");
        let copied = copy(&store, &to);
        if copied.status.code() == Some(0) {
            assert!(
                said(&copied).contains("damaged"),
                "{what}: {}",
                said(&copied)
            );
        } else {
            assert!(!to.exists(), "{what}");
        }
        assert!(
            said(&copied).contains(file.to_str().unwrap()),
            "{what}: {}",
            said(&copied)
        );
    }
}

#[test]
fn a_store_of_an_older_version_is_not_called_damaged() {
    let place = tempfile::tempdir().unwrap();
    let packed = include_bytes!("../data/schema-1.db.zst");
    let file = place.path().join("lamplighter.db");
    let bytes = zstd::decode_all(&packed[..]).unwrap();
    std::fs::write(&file, &bytes).unwrap();
    for command in [&["store", "check"][..], &["hosts", "list"], &["audit"]] {
        let refused = in_store(place.path(), &[&["--read-only"], command].concat());
        let told = said(&refused) + &out(&refused);
        assert_ne!(refused.status.code(), Some(0), "{told}");
        assert!(told.contains("older version (schema 1"), "{told}");
        assert!(told.contains("without --read-only"), "{told}");
        assert!(told.contains("not damaged"), "{told}");
        assert!(
            !told.contains("import") && !told.contains("back to a copy"),
            "{told}"
        );
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
    }
    // What it advises helps.
    for arguments in [&["store", "check"][..], &["--read-only", "store", "check"]] {
        let opened = in_store(place.path(), arguments);
        assert_eq!(opened.status.code(), Some(0), "{}", said(&opened));
    }
}
