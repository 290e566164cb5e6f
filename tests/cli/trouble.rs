//! What the system refuses: one sentence that says what happened and what to do.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{in_store, list_file, said};

/// A small file system of its own; taken down when dropped. None, said aloud, where none can be mounted.
struct Mount(PathBuf);

impl Mount {
    fn new(at: &Path) -> Option<Mount> {
        std::fs::create_dir(at).unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(at)
            .output();
        if !mounted.is_ok_and(|output| output.status.success()) {
            eprintln!("SKIPPED: no tmpfs can be mounted here");
            return None;
        }
        Some(Mount(at.to_owned()))
    }

    fn read_only(&self) {
        let status = Command::new("mount")
            .args(["-o", "remount,ro"])
            .arg(&self.0)
            .status();
        assert!(status.unwrap().success());
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

fn one_sentence(output: &Output, words: &[&str], what: &str) {
    let told = said(output);
    assert_eq!(output.status.code(), Some(1), "{what}: {told}");
    assert_eq!(told.trim_end().lines().count(), 1, "{what}: {told}");
    for word in words {
        assert!(told.contains(word), "{what}: {told}");
    }
    assert!(!told.contains("os error"), "{what}: {told}");
}

fn store_in(place: &Path) -> PathBuf {
    let store = place.join("store");
    let list = list_file(place, "docs.example.com\n");
    let imported = in_store(&store, &["hosts", "import", "list", &list]);
    assert!(imported.status.success(), "{}", said(&imported));
    store
}

const READING: [&[&str]; 4] = [
    &["hosts", "list"],
    &["log", "docs.example.com"],
    &["store", "check"],
    &["hold", "list"],
];

#[test]
fn a_read_only_file_system_is_named_and_can_still_be_read() {
    let place = tempfile::tempdir().unwrap();
    let Some(mount) = Mount::new(&place.path().join("disk")) else {
        return;
    };
    let store = store_in(&mount.0);
    mount.read_only();
    let writing: [&[&str]; 3] = [&["pause"], &["hold", "add", "example.com"], &["run"]];
    for command in READING.into_iter().chain(writing) {
        let output = in_store(&store, command);
        if command == ["run"] {
            // A real run of this policy is refused before the store is looked at.
            continue;
        }
        one_sentence(&output, &["--read-only", "mounted"], &command.join(" "));
    }
    let added = in_store(&store, &["suppress", "add", "example.com"]);
    one_sentence(&added, &["suppressed.list", "mounted read-only"], "add");
    for command in READING {
        let read = in_store(&store, &[&["--read-only"][..], command].concat());
        assert_eq!(read.status.code(), Some(0), "{command:?}: {}", said(&read));
    }
    let list = list_file(place.path(), "docs.example.com\n");
    let other = in_store(&mount.0.join("other"), &["hosts", "import", "list", &list]);
    one_sentence(&other, &["mounted read-only"], "a new store");
}

/// As another user where the tests run as root, for whom no permission counts.
#[test]
fn a_refused_permission_is_named() {
    let place = tempfile::tempdir().unwrap();
    let store = store_in(place.path());
    let run = |mode: &str, path: &Path, command: &[&str]| {
        let set = |mode: &str| {
            let done = Command::new("chmod").arg(mode).arg(path).status();
            assert!(done.unwrap().success());
        };
        let before = std::fs::metadata(path).unwrap().permissions();
        set(mode);
        let binary = env!("CARGO_BIN_EXE_lamplighter");
        let output = Command::new("sh")
            .args(["-c", "if [ \"$(id -u)\" = 0 ]; then exec setpriv --reuid 65534 --clear-groups \"$@\"; fi; exec \"$@\""])
            .args(["sh", binary, "--store"])
            .arg(&store)
            .args(command)
            .output()
            .unwrap();
        std::fs::set_permissions(path, before).unwrap();
        output
    };
    // The way to the store is open to everybody; the binary must be, too.
    let reachable = Command::new("chmod").arg("755").arg(place.path()).status();
    assert!(reachable.unwrap().success());
    let probe = run("755", &store, &["--version"]);
    if probe.status.code() != Some(0) {
        eprintln!("SKIPPED: the binary cannot be run as another user here");
        return;
    }
    let file = store.join("lamplighter.db");
    for command in READING {
        let what = command.join(" ");
        let closed = run("000", &file, command);
        one_sentence(&closed, &["permission is denied", "lamplighter.db"], &what);
        let locked = run("000", &store, command);
        one_sentence(&locked, &["permission is denied"], &what);
    }
    let added = run("555", &store, &["suppress", "add", "example.com"]);
    one_sentence(&added, &["permission is denied", "suppressed.list"], "add");
}

#[test]
fn too_many_open_files_and_disk_errors_are_named() {
    let place = tempfile::tempdir().unwrap();
    let store = store_in(place.path());
    let binary = env!("CARGO_BIN_EXE_lamplighter");
    let mut told = 0;
    for limit in 3..12 {
        let output = Command::new("sh")
            .args(["-c", "ulimit -n \"$0\"; exec \"$@\""])
            .args([&limit.to_string(), binary, "--store"])
            .arg(&store)
            .args(["hosts", "list"])
            .output()
            .unwrap();
        // Below some number not even the program can be started.
        if output.status.code() == Some(1) && said(&output).contains("lamplighter.db") {
            one_sentence(&output, &["ulimit -n"], &format!("{limit} files"));
            told += 1;
        }
    }
    assert!(told > 0, "no limit was met");
    // Reading the first bytes of one's own memory is a disk error, to whoever looks at it as a file.
    if Path::new("/proc/self/mem").exists() {
        let fresh = place.path().join("fresh");
        let output = in_store(&fresh, &["hosts", "import", "list", "/proc/self/mem"]);
        one_sentence(&output, &["dmesg"], "a disk error");
    }
}
