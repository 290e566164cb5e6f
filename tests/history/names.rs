//! File names of every kind survive the way through a patch.

use lamplighter::history::patch_path;

use super::tools::{Changed, Tool};
use super::{patch, patch_of};

const LOCATIONS: &[&str] = &[
    "/",
    "/llms.txt",
    "/.well-known/agent-card.json",
    "/a b.txt",
    "/a  ",
    "/\"quoted\"",
    "/back\\slash",
    "/ünïcode/日本.txt",
    "/tab\tand\u{1}control",
    "/../../etc/passwd",
    "/.git/config",
    "/x//y",
    "/dir/",
    "/b/a/b/x?q=1&r=%20#f",
    "/dev/null",
    "/new file",
    "/x\u{202e}y",
];

fn rebuilt_by(tool: Tool) {
    if !tool.is_here() {
        return;
    }
    let (mut files, mut patches) = (Vec::new(), Vec::new());
    for location in LOCATIONS {
        let file = Changed {
            path: patch_path("[::1]:8080", location),
            old: b"one\ntwo\n".to_vec(),
            new: b"one\nthree".to_vec(),
        };
        patches.extend(b"# a line that belongs to no patch\n");
        patches.extend(patch(&file.path, &file.old, &file.new, 3));
        files.push(file);
    }
    tool.rebuilds(&files, &patches);
}

#[test]
fn git_finds_every_name() {
    rebuilt_by(Tool::Git);
}

#[test]
fn patch_finds_every_name() {
    rebuilt_by(Tool::Patch);
}

#[test]
fn git_takes_two_locations() {
    if !Tool::Git.is_here() {
        return;
    }
    let (old, new) = (b"one\n".to_vec(), b"two\n".to_vec());
    let patch = patch_of("h.test/a.txt", "h.test/b.txt", &old, &new, 3);
    let folder = tempfile::tempdir().unwrap();
    let (a, b) = (
        folder.path().join("h.test/a.txt"),
        folder.path().join("h.test/b.txt"),
    );
    std::fs::create_dir(folder.path().join("h.test")).unwrap();
    std::fs::write(&a, &old).unwrap();
    std::fs::write(folder.path().join("p"), patch).unwrap();
    let status = std::process::Command::new("git")
        .args(["apply", "p"])
        .env("GIT_CEILING_DIRECTORIES", std::env::temp_dir())
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read(b).unwrap(), new);
}
