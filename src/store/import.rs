//! Hosts into the store, with the source they came from (AS8).

use jiff::Timestamp;

use super::{Store, StoreError};
use crate::hosts::{Entry, Reject};

/// Where hosts came from.
#[derive(Clone, Debug)]
pub struct Source {
    /// `list`, `majestic`…
    pub kind: String,
    /// File name as given.
    pub name: String,
    /// Date of the list (its file's modification time, UTC).
    pub date: Timestamp,
    /// When imported.
    pub imported: Timestamp,
}

/// What an import did.
#[derive(Clone, Debug, Default)]
pub struct ImportReport {
    /// New hosts.
    pub added: u64,
    /// Hosts that were there already.
    pub known: u64,
    /// Lines refused.
    pub rejected: u64,
    /// SHA-256 of the file, hex.
    pub sha256: String,
}

impl Store {
    /// Imports hosts. New ids are given in (site, host) order within the import; new hosts are due at
    /// once. `digest` is called after the last entry. One transaction: all or nothing.
    pub fn import(
        &self,
        source: &Source,
        entries: &mut dyn Iterator<Item = Result<Entry, Reject>>,
        rejected: &mut dyn FnMut(&Reject),
        digest: &mut dyn FnMut() -> Result<String, std::io::Error>,
    ) -> Result<ImportReport, StoreError> {
        let _ = (source, entries, rejected, digest);
        unimplemented!()
    }
}
