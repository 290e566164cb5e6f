//! A short list to choose from.

use super::State;
use super::hosts::{self, Column};
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
    /// The order of all hosts.
    SortHosts,
    /// The columns of all hosts that are shown.
    Columns,
}

impl Menu {
    /// Its heading.
    pub(crate) fn title(&self) -> &'static str {
        match self.about {
            About::SortLive => "Sort hosts in flight by",
            About::SortHosts => "Sort hosts by",
            About::Columns => "Columns; Enter shows or hides one, Esc is done",
        }
    }

    /// Whether an entry is in force.
    pub(crate) fn is_on(&self, at: usize, state: &State) -> bool {
        match self.about {
            About::SortLive => Sort::ALL.get(at) == Some(&state.live.sort),
            About::SortHosts => {
                let sort = hosts::SORTS.get(at).map(|(sort, _)| *sort);
                sort == Some(state.hosts.sort)
            }
            About::Columns => {
                let column = Column::ALL.get(at);
                column.is_some_and(|column| state.hosts.columns.contains(column))
            }
        }
    }

    /// Its entries.
    pub(crate) fn entries(&self) -> Vec<&'static str> {
        match self.about {
            About::SortLive => Sort::ALL.iter().map(|sort| sort.word()).collect(),
            About::SortHosts => hosts::SORTS.iter().map(|(_, word)| *word).collect(),
            About::Columns => Column::ALL.iter().map(|column| column.word()).collect(),
        }
    }
}
