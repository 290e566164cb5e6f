//! The file: read whole, changed whole, noticed when it changes.

use std::path::{Path, PathBuf};

use super::{Entry, List};

/// A list file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuppressError {
    /// Reading or writing failed.
    #[error("{}: {source}; nothing is asked until the suppression list can be read", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A line is no entry.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: usize,
        /// What is wrong and what to write.
        problem: String,
    },
}

/// The list file of a data directory.
#[derive(Clone, Debug)]
pub struct SuppressFile {
    path: PathBuf,
}

impl SuppressFile {
    /// The file in `directory`; it need not exist, which is an empty list.
    pub fn in_directory(directory: &Path) -> SuppressFile {
        SuppressFile {
            path: directory.join("suppressed.list"),
        }
    }

    /// Reads the list, with a stamp that changes whenever the file does (mtime, size, inode).
    pub fn read(&self) -> Result<(List, String), SuppressError> {
        let _ = &self.path;
        unimplemented!()
    }

    /// The present stamp, cheap enough to ask for five times a second; an unreadable file is an error.
    pub fn stamp(&self) -> Result<String, SuppressError> {
        unimplemented!()
    }

    /// Adds an entry; false if it stood there already.
    pub fn add(&self, entry: &Entry) -> Result<bool, SuppressError> {
        let _ = entry;
        unimplemented!()
    }

    /// Removes an entry; false if it was not there.
    pub fn remove(&self, entry: &Entry) -> Result<bool, SuppressError> {
        let _ = entry;
        unimplemented!()
    }
}
