//! What is true for the console. Changed only by `update`, read only by `view`.

pub(crate) mod live;
pub(crate) mod question;
pub(crate) mod rates;

use jiff::Timestamp;

use crate::text::Clean;
use live::Live;
use question::Question;

/// The whole state.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The Live pane.
    pub(crate) live: Live,
    /// What lies over it.
    pub(crate) overlay: Option<Overlay>,
    /// A short notice and until when it is shown.
    pub(crate) toast: Option<Toast>,
    /// Columns and rows.
    pub(crate) size: (u16, u16),
    /// Engine time.
    pub(crate) now: Option<Timestamp>,
    /// A run has started.
    pub(crate) connected: bool,
    /// There is nothing left to do.
    pub(crate) all_done: bool,
    /// Leave as soon as all is done.
    pub(crate) leaving: bool,
    /// Numbers questions, so that a late answer to an old one is dropped.
    pub(crate) asked: u64,
    /// Something changed since the last frame.
    pub(crate) dirty: bool,
}

/// What lies over the pane.
#[derive(Debug)]
pub(crate) enum Overlay {
    /// The help, scrolled by so many lines.
    Help { top: usize },
    /// A question.
    Question(Question),
}

/// A short notice.
#[derive(Debug)]
pub(crate) struct Toast {
    /// What.
    pub(crate) text: Clean,
    /// Something went wrong.
    pub(crate) bad: bool,
    /// Clock ticks it stays.
    pub(crate) left: u32,
}

impl State {
    /// Shows a notice for a while.
    pub(crate) fn toast(&mut self, text: Clean, bad: bool) {
        let left = if bad { 40 } else { 20 };
        self.toast = Some(Toast { text, bad, left });
    }
}
