//! What an audit is given beside the rows.

use jiff::Timestamp;

use super::ledger::Promise;
use crate::policy::Policy;
use crate::store::{HostId, JournalEntry, ProcessId, RobotsId, RobotsSession, Run};

/// One process of the run with the effective policy it recorded.
#[derive(Clone, Debug)]
pub struct ProcessFacts {
    /// Which.
    pub id: ProcessId,
    /// When it started.
    pub started: Timestamp,
    /// Its policy.
    pub policy: Policy,
    /// How far its clock was ahead of the system's, milliseconds.
    pub shift_ms: i64,
}

/// What is known of a run before its first row.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The run.
    pub run: Run,
    /// The policy it was started with.
    pub policy: Policy,
    /// Its processes.
    pub processes: Vec<ProcessFacts>,
    /// The journal, oldest first.
    pub journal: Vec<JournalEntry>,
    /// The ledger.
    pub promises: Vec<Promise>,
}

/// Stored evidence that rows refer to.
pub trait Evidence {
    /// A robots fetch with its text.
    fn robots(&mut self, id: RobotsId) -> Option<RobotsSession>;

    /// When a host is due again.
    fn due(&mut self, host: HostId) -> Option<Timestamp>;
}
