//! The list in memory and how names are matched.

use super::Entry;
use crate::hosts::Host;

/// An immutable list; matching costs one hash look-up a label.
#[derive(Clone, Debug, Default)]
pub struct List {}

impl List {
    /// A list of these entries.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> List {
        let _ = entries.into_iter();
        unimplemented!()
    }

    /// Entries in file order.
    pub fn entries(&self) -> &[Entry] {
        unimplemented!()
    }

    /// The entry that forbids every request to `host`, if any.
    pub fn covers(&self, host: &Host) -> Option<&Entry> {
        let _ = host;
        unimplemented!()
    }

    /// The entry that forbids this page (or its host), if any. `path` is path and query.
    pub fn covers_page(&self, host: &Host, path: &str) -> Option<&Entry> {
        let _ = (host, path);
        unimplemented!()
    }
}
