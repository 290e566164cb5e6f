//! Requests counted as they happen, so that the end of a visit need not read them back.

use std::collections::HashMap;

use super::super::{Finished, HostId, Intent, RunId};
use super::facts::Tally;

/// Turns counted at once. More than a run has under way can only be hosts met through redirects of
/// robots.txt, whose own turn may never come.
const MOST: usize = 100_000;

/// What each turn under way has asked its host so far, as long as this writer has seen all of a run.
#[derive(Default)]
pub(in crate::store) struct Tallies {
    /// The run of which every request was seen here. None after a rollback, and in a run that another
    /// process began: then the log is read back.
    whole: Option<RunId>,
    turns: HashMap<(HostId, u32), Tally>,
}

impl Tallies {
    /// A process begins to work on a run; `first` says whether none did before.
    pub(in crate::store) fn begin(&mut self, run: RunId, first: bool) {
        self.whole = first.then_some(run);
        self.turns.clear();
    }

    /// What was counted is void.
    pub(in crate::store) fn forget(&mut self) {
        *self = Tallies::default();
    }

    /// A request was committed: it counts, unless it is withdrawn.
    pub(in crate::store) fn asked(&mut self, intent: &Intent) {
        if self.whole != Some(intent.run) || self.turns.len() >= MOST {
            return self.forget();
        }
        let tally = self.turns.entry((intent.host, intent.turn)).or_default();
        tally.requests += 1;
    }

    /// A request of this turn was withdrawn.
    pub(in crate::store) fn withdrawn(&mut self, host: HostId, turn: u32) {
        if let Some(tally) = self.turns.get_mut(&(host, turn)) {
            tally.requests = tally.requests.saturating_sub(1);
        }
    }

    /// A request of this turn ended.
    pub(in crate::store) fn ended(&mut self, turn: u32, finished: &Finished) {
        if let Some(tally) = self.turns.get_mut(&(finished.host, turn)) {
            let body = super::super::pack::count(finished.body_bytes);
            tally.answer(Some(finished.outcome), finished.status, body);
        }
    }

    /// Takes what a turn that ends has asked its host; none if that is to be read back.
    pub(super) fn take(&mut self, run: RunId, host: HostId, turn: u32) -> Option<Tally> {
        (self.whole == Some(run)).then(|| self.turns.remove(&(host, turn)).unwrap_or_default())
    }
}
