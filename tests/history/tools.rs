//! The readers of patches that operators have.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// A file that changed.
pub(super) struct Changed {
    pub(super) path: String,
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
}

/// A program that takes patches in.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tool {
    Git,
    Patch,
}

impl Tool {
    fn command(self) -> Command {
        match self {
            Tool::Git => {
                let mut command = Command::new("git");
                command.args(["-c", "core.autocrlf=false", "apply", "--whitespace=nowarn"]);
                // Not a part of whatever repository stands above the folder.
                command.env("GIT_CEILING_DIRECTORIES", std::env::temp_dir());
                command
            }
            Tool::Patch => {
                let mut command = Command::new("patch");
                command.args(["--strip=1", "--batch", "--silent", "--fuzz=0"]);
                command
            }
        }
    }

    /// Whether it is on this machine; says aloud if not.
    pub(super) fn is_here(self) -> bool {
        let name = match self {
            Tool::Git => "git",
            Tool::Patch => "patch",
        };
        let asked = Command::new(name)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let here = asked.is_ok_and(|status| status.success());
        if !here {
            eprintln!("SKIPPED: {name} is absent on this machine");
        }
        here
    }

    /// Lays the old files into a folder, lets the tool take in all patches at once, and compares every
    /// file with its new bytes.
    pub(super) fn rebuilds(self, files: &[Changed], patches: &[u8]) {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(&file.path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &file.old).unwrap();
        }
        let patch = folder.path().join("all.patch");
        fs::write(&patch, patches).unwrap();
        let output = self
            .command()
            .current_dir(folder.path())
            .stdin(fs::File::open(&patch).unwrap())
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{self:?}: {}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        for file in files {
            let got = read(&folder.path().join(&file.path));
            assert!(
                got == file.new,
                "{self:?}, {}: {:?} became {:?}, not {:?}",
                file.path,
                String::from_utf8_lossy(&file.old),
                String::from_utf8_lossy(&got),
                String::from_utf8_lossy(&file.new)
            );
        }
    }
}

fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
