//! A line being written at the foot of the screen, and what it is for.

use engine::store::HostId;

use super::line::Line;
use crate::engine;
use crate::filter::{Schema, changes, rows};
use crate::text::Clean;

/// What the line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Words to look for in the help.
    Search,
    /// The filter of a list.
    Filter(Filtered),
    /// A path to ask a stored robots.txt about.
    TryPath,
    /// Words to look for in a diff.
    Find,
    /// The file a patch is saved to.
    Save,
}

/// A list that can be filtered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filtered {
    /// The hosts in flight.
    InFlight,
    /// The log.
    Log,
    /// All hosts of the store.
    Hosts,
    /// What changed.
    Changes,
}

impl Filtered {
    /// What can be asked of its rows.
    pub(crate) fn schema(self) -> &'static Schema {
        match self {
            Filtered::InFlight => &rows::IN_FLIGHT,
            Filtered::Log => &rows::LOG,
            Filtered::Hosts => &rows::HOSTS,
            Filtered::Changes => &changes::CHANGES,
        }
    }
}

/// The line.
#[derive(Clone, Debug)]
pub(crate) struct Prompt {
    /// The path tried before, offered while nothing is written.
    pub(crate) offered: Option<String>,
    /// What for.
    pub(crate) purpose: Purpose,
    /// What is written.
    pub(crate) line: Line,
    /// What stood there before, to go back to.
    pub(crate) before: String,
    /// The hosts under the cursors of Live and Hosts before anything was written, to go back to.
    pub(crate) stood: (Option<HostId>, Option<HostId>),
    /// What is wrong with it, and from which column.
    pub(crate) wrong: Option<(usize, Clean)>,
    /// Ways to go on.
    pub(crate) hint: Option<Clean>,
}

impl Prompt {
    /// A line that begins with what is in force.
    pub(crate) fn new(purpose: Purpose, text: &str) -> Prompt {
        Prompt {
            offered: None,
            purpose,
            line: Line::new(text),
            before: text.to_owned(),
            stood: (None, None),
            wrong: None,
            hint: None,
        }
    }

    /// Shows the offer while nothing is written.
    pub(crate) fn offer(&mut self) {
        let offered = self
            .offered
            .as_ref()
            .filter(|_| self.line.text().is_empty());
        self.hint =
            offered.map(|path| Clean::new(format!("PATH, or PATH as TOKEN; Tab takes {path}")));
    }

    /// What is asked for, before the line.
    pub(crate) fn label(&self) -> &'static str {
        match self.purpose {
            Purpose::Search => "search",
            Purpose::TryPath => "try a path",
            Purpose::Find => "look for",
            Purpose::Save => "save the patch to",
            Purpose::Filter(Filtered::InFlight) => "filter hosts in flight",
            Purpose::Filter(Filtered::Log) => "filter the log",
            Purpose::Filter(Filtered::Hosts) => "filter hosts",
            Purpose::Filter(Filtered::Changes) => "filter changes",
        }
    }
}
