//! Notices: the newest is shown for a while, all are kept with their time.

use std::collections::VecDeque;

use jiff::Timestamp;

use crate::text::Clean;

/// Notices kept.
const KEPT: usize = 500;
/// Quarters of a second a notice is shown: five seconds, ten if something went wrong.
const SHOWN: u32 = 20;
const SHOWN_BAD: u32 = 40;

/// One notice.
#[derive(Clone, Debug)]
pub(crate) struct Notice {
    /// When, if the time is known.
    pub(crate) at: Option<Timestamp>,
    /// What.
    pub(crate) text: Clean,
    /// Something went wrong.
    pub(crate) bad: bool,
}

/// All of them, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    all: VecDeque<Notice>,
    left: u32,
}

impl Notices {
    /// Tells something.
    pub(crate) fn tell(&mut self, at: Option<Timestamp>, text: Clean, bad: bool) {
        if self.all.len() == KEPT {
            self.all.pop_front();
        }
        self.left = if bad { SHOWN_BAD } else { SHOWN };
        self.all.push_back(Notice { at, text, bad });
    }

    /// The one shown now.
    pub(crate) fn shown(&self) -> Option<&Notice> {
        self.all.back().filter(|_| self.left > 0)
    }

    /// So many quarters of a second have passed.
    pub(crate) fn pass(&mut self, quarters: u32) {
        self.left = self.left.saturating_sub(quarters);
    }

    /// Number kept.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// All, newest first.
    pub(crate) fn newest(&self) -> impl Iterator<Item = &Notice> {
        self.all.iter().rev()
    }
}
