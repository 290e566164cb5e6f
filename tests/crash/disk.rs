//! A disk that fills up in the middle of a run: a clear sentence, a clean end, nothing lost, nothing
//! asked without a row; and with space again the run goes on to its end.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use lamplighter::store::Store;

use super::judge::breaches;
use super::lab::{Ended, Lab};
use super::stored;
use super::town::{SET, Town};

/// A file system in memory, of a size that can be changed; taken down when dropped.
struct Disk(PathBuf);

impl Disk {
    /// None, said aloud, where this machine does not let us mount.
    fn mount(at: &Path, size: &str) -> Option<Disk> {
        std::fs::create_dir(at).unwrap();
        let options = format!("size={size}");
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &options, "tmpfs"])
            .arg(at)
            .stderr(Stdio::null())
            .status();
        if !mounted.is_ok_and(|status| status.success()) {
            eprintln!("SKIPPED: no tmpfs can be mounted here");
            return None;
        }
        Some(Disk(at.to_owned()))
    }

    fn grow(&self) {
        let status = Command::new("mount")
            .args(["-o", "remount,size=64m"])
            .arg(&self.0)
            .status()
            .unwrap();
        assert!(status.success());
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

/// The run ended by itself, with one plain sentence.
fn assert_clean_end(ended: &Ended, words: &[&str]) {
    assert_eq!(ended.status.code(), Some(1), "{}", ended.err);
    let said = ended.err.trim_end().lines().last().unwrap_or_default();
    assert!(
        words.iter().any(|word| said.contains(word)),
        "{}",
        ended.err
    );
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
}

/// What was asked has its row, also while the disk is still full.
fn assert_rows(lab: &Lab) {
    let rows = stored::rows(&Store::existing(lab.store()).unwrap());
    let wrong = stored::differences(&rows, &lab.seen());
    assert_eq!(wrong, Vec::<String>::new());
}

fn finish(mut lab: Lab, town: &Town) {
    lab.run_to_end(&SET);
    assert_eq!(breaches(&lab.seen(), &lab.lives), Vec::<String>::new());
    stored::judge(&lab, town, &|_| 1);
}

#[test]
fn a_full_disk_ends_the_run_and_loses_nothing() {
    let town = Town::new();
    let place = tempfile::tempdir().unwrap();
    let mut asked = Vec::new();
    for size in ["448k", "512k", "640k", "768k"] {
        let mount = place.path().join(size);
        let Some(disk) = Disk::mount(&mount, size) else {
            return;
        };
        let mut lab = Lab::new(&town.sites, 0, &town.list).with_store(mount.join("store"));
        let ended = lab.start(&SET).ended();
        eprintln!(
            "{size}: {} requests; {}",
            lab.requests(),
            ended.err.trim_end()
        );
        assert_clean_end(&ended, &["the disk is full"]);
        asked.push(lab.requests());
        lab.lives.push(ended.life);
        disk.grow();
        assert_rows(&lab);
        finish(lab, &town);
    }
    assert!(
        asked.iter().any(|requests| (10..100).contains(requests)),
        "{asked:?}"
    );
}

#[test]
fn a_file_that_may_not_grow_ends_the_run_and_loses_nothing() {
    let town = Town::new();
    let mut asked = Vec::new();
    for blocks in [400, 500, 700] {
        let mut lab = Lab::new(&town.sites, 0, &town.list);
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\""])
            .arg(blocks.to_string())
            .arg(env!("CARGO_BIN_EXE_lamplighter"))
            .args(lab.run_arguments(&SET));
        let ended = lab.spawn(shell).ended();
        eprintln!(
            "{blocks}: {} requests; {}",
            lab.requests(),
            ended.err.trim_end()
        );
        assert_clean_end(
            &ended,
            &[
                "lamplighter.db: the disk could not be read or written",
                "the disk is full",
            ],
        );
        asked.push(lab.requests());
        lab.lives.push(ended.life);
        assert_rows(&lab);
        finish(lab, &town);
    }
    assert!(
        asked.iter().any(|requests| (10..100).contains(requests)),
        "{asked:?}"
    );
}
