//! The list of versions to choose one side from.

use engine::store::Version;

use crate::engine;
use crate::jobs::diff::{Asked, Where, Which};
use crate::text::{Clean, fit};

/// The list and the entry marked.
#[derive(Debug)]
pub(crate) struct Pick {
    /// The side that is chosen.
    pub(crate) side: Where,
    pub(crate) entries: Vec<Entry>,
    pub(crate) marked: usize,
}

/// One choice.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) which: Which,
    pub(crate) text: Clean,
}

impl Pick {
    /// All versions of the host, those of the location shown first. The first entry follows whatever
    /// comes: the newest version, or the one before it.
    pub(crate) fn new(side: Where, wanted: &Asked, versions: &[Version]) -> Pick {
        let (own, follows) = match side {
            Where::Old => (
                &wanted.old,
                "the one before the new side, whichever that is",
            ),
            Where::New => (&wanted.new, "the newest, whichever that is"),
        };
        let here = &wanted.new.location;
        let mut entries = vec![Entry {
            which: Which {
                location: here.clone(),
                number: None,
            },
            text: Clean::new(follows),
        }];
        let (first, rest): (Vec<_>, Vec<_>) = versions
            .iter()
            .partition(|version| version.location == *here);
        entries.extend(first.into_iter().chain(rest).map(|version| Entry {
            which: Which {
                location: version.location.clone(),
                number: Some(version.number),
            },
            text: Clean::new(format!(
                "{:>4}  {}  to {}  {:>9}  {}",
                version.number,
                fit::minute(version.first_seen),
                fit::minute(version.last_seen),
                fit::bytes(version.bytes),
                version.location,
            )),
        }));
        let marked = entries
            .iter()
            .position(|entry| entry.which == *own)
            .unwrap_or(0);
        Pick {
            side,
            entries,
            marked,
        }
    }

    /// Its heading.
    pub(crate) fn title(&self) -> &'static str {
        match self.side {
            Where::Old => "Old side: version, first seen, last seen, size",
            Where::New => "New side: version, first seen, last seen, size",
        }
    }
}
