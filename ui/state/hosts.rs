//! The Hosts pane: an order of all hosts, the rows of it that are seen, and where the operator looks.
//!
//! Of a million hosts it holds their ids in order and the rows of a screen or two, nothing else.

use std::collections::HashMap;

use engine::store::{HostId, HostLine, HostSort};
use jiff::Timestamp;

use super::host_row::HostRow;
use crate::engine;
use crate::filter::Written;
use crate::text::Clean;

/// Rows kept beyond those seen, before older ones are let go.
const KEPT: usize = 1_000;
/// Rows read beyond the screen, above and below it.
const MARGIN: usize = 20;

/// Lines about the selected host on a screen of this width.
pub(crate) fn detail_lines(width: u16) -> usize {
    if width < 100 { 2 } else { 1 }
}

/// Rows of the list on a screen of this size: the rest is header, names of the panes, heading, head,
/// the lines about the selected host, and footer.
pub(crate) fn room(size: (u16, u16)) -> usize {
    usize::from(size.1.saturating_sub(5)).saturating_sub(detail_lines(size.0))
}

/// What there is to show.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Load {
    /// Nothing was asked yet.
    #[default]
    Not,
    /// Asked, and not answered yet.
    Loading,
    /// The first rows are there; the rest is being sorted out.
    Partly,
    /// All is there; the rows seen are as of then.
    Ready(Timestamp),
    /// It could not be read.
    Failed(Clean),
}

/// A column of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Column {
    State,
    Lamps,
    Due,
    Visited,
    Requests,
    Size,
    Statuses,
    Source,
}

impl Column {
    /// All of them, in the order they are shown, and in which they go when there is no room: the
    /// last ones first.
    pub(crate) const ALL: [Column; 8] = [
        Column::State,
        Column::Lamps,
        Column::Due,
        Column::Statuses,
        Column::Visited,
        Column::Requests,
        Column::Size,
        Column::Source,
    ];

    /// Its head.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Column::State => "state",
            Column::Lamps => "lamps",
            Column::Due => "next visit",
            Column::Visited => "visited",
            Column::Requests => "requests",
            Column::Size => "largest",
            Column::Statuses => "statuses",
            Column::Source => "source",
        }
    }

    /// What a click on its head sorts by.
    pub(crate) fn sort(self) -> Option<HostSort> {
        match self {
            Column::State => Some(HostSort::State),
            Column::Lamps => Some(HostSort::Outcome),
            Column::Due => Some(HostSort::Due),
            Column::Visited => Some(HostSort::Visited),
            Column::Requests => Some(HostSort::Requests),
            Column::Size => Some(HostSort::Size),
            Column::Statuses | Column::Source => None,
        }
    }
}

/// Orders as the menu lists them.
pub(crate) const SORTS: [(HostSort, &str); 8] = [
    (HostSort::Site, "site"),
    (HostSort::Name, "host"),
    (HostSort::State, "state"),
    (HostSort::Due, "next visit"),
    (HostSort::Visited, "visited"),
    (HostSort::Outcome, "outcome"),
    (HostSort::Size, "largest"),
    (HostSort::Requests, "requests"),
];

/// The pane.
#[derive(Debug)]
pub(crate) struct Hosts {
    /// Only what matches is shown.
    pub(crate) filter: Written,
    /// The order shown is not yet of this filter.
    pub(crate) refiltered: bool,
    pub(crate) sort: HostSort,
    pub(crate) descending: bool,
    /// Columns shown beside the host's name.
    pub(crate) columns: Vec<Column>,
    pub(crate) load: Load,
    /// Hosts in order, as far as known.
    pub(crate) order: Vec<HostId>,
    /// Number of the question about the order, and of the one about rows.
    pub(crate) order_asked: u64,
    pub(crate) rows_asked: u64,
    rows: HashMap<HostId, HostRow>,
    /// The cursor stays on its host; where that is in the order.
    pub(crate) selected: Option<HostId>,
    pub(crate) at: usize,
    /// First row on the screen.
    pub(crate) top: usize,
}

impl Default for Hosts {
    fn default() -> Hosts {
        Hosts {
            filter: Written::default(),
            refiltered: false,
            sort: HostSort::Site,
            descending: false,
            columns: Column::ALL.to_vec(),
            load: Load::Not,
            order: Vec::new(),
            order_asked: 0,
            rows_asked: 0,
            rows: HashMap::new(),
            selected: None,
            at: 0,
            top: 0,
        }
    }
}

impl Hosts {
    /// The row of a host, if it has been read.
    pub(crate) fn row(&self, id: HostId) -> Option<&HostRow> {
        self.rows.get(&id)
    }

    /// The row under the cursor.
    pub(crate) fn selected_row(&self) -> Option<&HostRow> {
        self.row(self.selected?)
    }

    /// Moves the cursor by so many rows.
    pub(crate) fn step(&mut self, by: isize, room: usize) {
        let last = self.order.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
        self.selected = self.order.get(self.at).copied();
        self.scroll(room);
    }

    /// Puts the cursor on a row.
    pub(crate) fn put(&mut self, at: usize, room: usize) {
        if at < self.order.len() {
            self.at = at;
            self.selected = self.order.get(at).copied();
            self.scroll(room);
        }
    }

    /// Keeps the cursor on the screen, and the screen inside the list.
    pub(crate) fn scroll(&mut self, room: usize) {
        let room = room.max(1);
        let last_top = self.order.len().saturating_sub(room);
        self.top = self
            .top
            .min(self.at)
            .max((self.at + 1).saturating_sub(room))
            .min(last_top);
    }

    /// Takes an order; the cursor stays on its host if that is in it, else in its place.
    pub(crate) fn take_order(&mut self, order: Vec<HostId>, room: usize) {
        self.order = order;
        let below = self.at.saturating_sub(self.top);
        let stands = self.order.get(self.at).copied() == self.selected;
        if !stands
            && let Some(selected) = self.selected
            && let Some(at) = self.order.iter().position(|id| *id == selected)
        {
            self.at = at;
        }
        self.at = self.at.min(self.order.len().saturating_sub(1));
        // The row stays where it is on the screen too.
        self.top = self.at.saturating_sub(below);
        self.selected = self.order.get(self.at).copied();
        self.scroll(room);
    }

    /// Takes rows that were read.
    pub(crate) fn take_rows(&mut self, lines: Vec<HostLine>) {
        if self.rows.len() > KEPT {
            self.rows.clear();
        }
        for line in lines {
            self.rows.insert(line.id, HostRow::new(line));
        }
    }

    /// The hosts whose rows are worth reading: those seen, and some on either side.
    pub(crate) fn window(&self, room: usize) -> Vec<HostId> {
        let from = self.top.saturating_sub(MARGIN);
        let to = (self.top + room + MARGIN).min(self.order.len());
        self.order.get(from..to).unwrap_or_default().to_vec()
    }

    /// Whether a row that is seen has not been read.
    pub(crate) fn lacks_rows(&self, room: usize) -> bool {
        let seen = self.order.iter().skip(self.top).take(room);
        seen.into_iter().any(|id| !self.rows.contains_key(id))
    }
}
