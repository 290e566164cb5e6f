//! What can be taken back: filters, orders, and holds; the last fifty.

use std::collections::VecDeque;

use engine::store::HostSort;
use engine::suppress::Entry;

use super::hosts::Column;
use super::live::Sort;
use super::prompt::Filtered;
use crate::engine;

/// Steps kept.
const KEPT: usize = 50;

/// One step, as the way back.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// The filter that stood before.
    Filter(Filtered, String),
    /// The order that stood before.
    SortLive(Sort, bool),
    /// The order of all hosts that stood before.
    SortHosts(HostSort, bool),
    /// The columns that were shown.
    Columns(Vec<Column>),
    /// A hold to release again.
    Held(Entry),
    /// A hold to set again.
    Released(Entry),
    /// A suppression, which no key takes back.
    Suppressed(Entry),
}

/// The steps, newest last.
#[derive(Debug, Default)]
pub(crate) struct Undo {
    steps: VecDeque<Step>,
}

impl Undo {
    /// Remembers a way back.
    pub(crate) fn keep(&mut self, step: Step) {
        if self.steps.len() == KEPT {
            self.steps.pop_front();
        }
        self.steps.push_back(step);
    }

    /// The newest way back, taken.
    pub(crate) fn take(&mut self) -> Option<Step> {
        self.steps.pop_back()
    }

    /// Nothing to take back.
    pub(crate) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}
