//! Where things stand on the screen, so that the mouse means what it points at.

use engine::store::HostSort;
use ratatui::layout::{Position, Rect};

use crate::action::Action;
use crate::engine;
use crate::state::Pane;
use crate::state::live::Sort;
use crate::state::page::Section;

/// What stands somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hit {
    /// The name of a pane.
    Pane(Pane),
    /// A key of the footer.
    Action(Action),
    /// A host in flight, by its place in the order.
    InFlight(usize),
    /// The head of a column of the hosts in flight.
    LiveHeader(Sort),
    /// The log.
    Log,
    /// A line of the log, so many up from the newest.
    LogLine(usize),
    /// A host of the store, by its place in the order.
    Host(usize),
    /// A run, by its place in the list.
    Run(usize),
    /// A change, by its place in the list.
    Change(usize),
    /// The head of a column of all hosts.
    HostsHeader(HostSort),
    /// The name of a section of a host's page.
    Section(Section),
    /// A row of the section shown.
    PageRow(usize),
    /// A row of a diff.
    DiffRow(usize),
    /// An entry of a list of choices.
    Choice(usize),
}

/// Everything that can be pointed at; what was drawn later lies on top.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hits(Vec<(Rect, Hit)>);

impl Hits {
    /// Something stands here.
    pub(super) fn put(&mut self, area: Rect, hit: Hit) {
        self.0.push((area, hit));
    }

    /// What stands on a cell.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<Hit> {
        let cell = Position::new(column, row);
        let found = self.0.iter().rev().find(|(area, _)| area.contains(cell));
        found.map(|(_, hit)| *hit)
    }
}
