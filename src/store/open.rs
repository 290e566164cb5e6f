//! Opening a store: pragmas, migrations, the policy it belongs to, the run lock.

use std::path::{Path, PathBuf};

use super::{Desk, Reader, StoreError, Writer};

/// A store: one directory with `lamplighter.db`. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    directory: PathBuf,
}

/// Held while an engine runs; a second engine is refused and told who holds it.
#[derive(Debug)]
pub struct EngineLock {}

impl Store {
    /// Opens or creates the store of `policy` in `directory` and migrates it.
    pub fn open(directory: &Path, policy: &str) -> Result<Store, StoreError> {
        let _ = (directory, policy);
        unimplemented!()
    }

    /// Opens an existing store of any policy for reading and desk work.
    pub fn existing(directory: &Path) -> Result<Store, StoreError> {
        let _ = directory;
        unimplemented!()
    }

    /// Opens a copy without making side files; refuses one that still has a write-ahead log.
    pub fn read_only(directory: &Path) -> Result<Store, StoreError> {
        let _ = directory;
        unimplemented!()
    }

    /// The same store with a failpoint armed (crash tests; `intent.applied`, `commit.applied`).
    pub fn with_failpoints(self, failpoints: crate::failpoint::Failpoints) -> Store {
        let _ = failpoints;
        self
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Name of the policy this store belongs to.
    pub fn policy(&self) -> Result<String, StoreError> {
        unimplemented!()
    }

    /// Takes the run lock.
    pub fn lock_engine(&self) -> Result<EngineLock, StoreError> {
        unimplemented!()
    }

    /// Starts the writer thread. It ends when the last clone of the handle is dropped.
    pub fn writer(&self) -> Result<Writer, StoreError> {
        unimplemented!()
    }

    /// A reader of its own; one per thread.
    pub fn reader(&self) -> Result<Reader, StoreError> {
        unimplemented!()
    }

    /// Desk work from a command: holds, pause, journal.
    pub fn desk(&self) -> Result<Desk, StoreError> {
        unimplemented!()
    }
}
