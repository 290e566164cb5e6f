//! What forbids hosts, whoever forbade it: holds of this store, and the list the caller gives.

use rusqlite::Connection;

use super::super::{HostView, StoreError, control};
use crate::suppress::{Entry, List};

/// Holds and suppressed names of one call.
pub(super) struct Cover {
    pub(super) holds: Covered,
    pub(super) suppressed: Covered,
}

impl Cover {
    pub(super) fn read(conn: &Connection, view: HostView<'_>) -> Result<Cover, StoreError> {
        let scopes = control::holds(conn)?.into_iter().map(|hold| hold.scope);
        Ok(Cover {
            holds: Covered::new(List::new(scopes)),
            suppressed: Covered::new(view.suppressed.clone()),
        })
    }
}

/// A list, and a quick look whether a name can be on it: of a million hosts hardly one is.
pub(super) struct Covered {
    list: List,
    /// One bit for each way an entry can begin, of 65,536; empty if nothing covers whole hosts.
    begins: Vec<u64>,
}

impl Covered {
    fn new(list: List) -> Covered {
        let mut begins = Vec::new();
        for entry in list.entries() {
            let name = match entry {
                Entry::Domain(name) => name.as_str(),
                Entry::Host(host) => host.as_str(),
                Entry::Page(..) => continue,
            };
            begins.resize(1 << 10, 0);
            let bit = begin(name);
            if let Some(bits) = begins.get_mut(bit / 64) {
                *bits |= 1 << (bit % 64);
            }
        }
        Covered { list, begins }
    }

    /// Whether the list covers a host, spelt as [`crate::hosts::Host::as_str`].
    pub(super) fn covers(&self, host: &str) -> bool {
        !self.begins.is_empty() && self.may_cover(host) && self.list.covers_text(host).is_some()
    }

    fn may_cover(&self, host: &str) -> bool {
        let mut part = host;
        loop {
            let bit = begin(part);
            if self
                .begins
                .get(bit / 64)
                .is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
            {
                return true;
            }
            match part.split_once('.') {
                Some((_, parent)) => part = parent,
                None => return false,
            }
        }
    }
}

/// How a name begins, its port left out, in 16 bits.
fn begin(name: &str) -> usize {
    let bytes = name.bytes().take(8).take_while(|byte| *byte != b':');
    let letters = bytes.fold(0_u64, |letters, byte| letters << 8 | u64::from(byte));
    usize::try_from(letters.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hosts::{Host, NameRules};

    proptest! {
        #[test]
        fn the_quick_look_never_misses(
            entries in prop::collection::vec("=?[ab]{1,2}(\\.[ab]){0,2}\\.test(:80|:81)?", 0..6),
            host in "[ab]{1,2}(\\.[ab]){0,3}\\.test(:80|:81)?",
        ) {
            let list = List::new(entries.iter().map(|entry| entry.parse().unwrap()));
            let host = Host::parse(&host, NameRules::Loopback).unwrap();
            let expected = list.covers(&host).is_some();
            prop_assert_eq!(list.covers_text(host.as_str()).is_some(), expected);
            prop_assert_eq!(Covered::new(list).covers(host.as_str()), expected);
        }
    }

    #[test]
    fn addresses_and_ports_are_covered_too() {
        for (entry, host, expected) in [
            ("=[::1]", "[::1]:8080", true),
            ("=[::1]:8080", "[::1]:8080", true),
            ("=[::1]:8081", "[::1]:8080", false),
            ("=127.0.0.1", "127.0.0.1:9", true),
            ("https://a.test/x", "a.test", false),
        ] {
            let entry: Entry = entry.parse().unwrap();
            let covered = Covered::new(List::new([entry]));
            assert_eq!(covered.covers(host), expected, "{host}");
        }
    }
}
