//! A short list to choose from.

use super::live::Sort;

/// The list and the entry marked.
#[derive(Debug)]
pub(crate) struct Menu {
    /// What is chosen.
    pub(crate) about: About,
    /// The entry marked.
    pub(crate) marked: usize,
}

/// What is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The order of the hosts in flight.
    SortLive,
}

impl Menu {
    /// Its heading.
    pub(crate) fn title(&self) -> &'static str {
        match self.about {
            About::SortLive => "Sort hosts in flight by",
        }
    }

    /// Its entries.
    pub(crate) fn entries(&self) -> Vec<&'static str> {
        match self.about {
            About::SortLive => Sort::ALL.iter().map(|sort| sort.word()).collect(),
        }
    }
}
