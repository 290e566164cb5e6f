//! What several themes share: the corpus, the handed cases, temporary stores.
#![allow(dead_code, reason = "each theme uses its own part")]

pub(crate) mod changes;
pub(crate) mod dice;
pub(crate) mod policies;
pub(crate) mod shot;

use std::path::{Path, PathBuf};

/// The corpus of real sites, which is not part of this repository. Says aloud when it is absent.
pub(crate) fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if path.is_dir() {
        return Some(path);
    }
    eprintln!(
        "SKIPPED: the corpus ({}) is absent on this machine",
        path.display()
    );
    None
}

/// A handed case file, copied into `tests/data`.
pub(crate) fn case_file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
