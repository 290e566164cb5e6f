//! One request as the checks look at it: when it started and ended, in both times.

use jiff::Timestamp;

use super::words;
use crate::fetch::Outcome;
use crate::policy::Policy;
use crate::store::{HostId, Leave, LogRow, ProcessId, Stamp};

/// A point in time of one process: wall time, and monotonic time since that process started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) process: ProcessId,
    pub(super) stamp: Stamp,
}

impl Moment {
    /// Milliseconds from `earlier` to here: by monotonic time within a process, by wall time across two.
    pub(super) fn since(&self, earlier: &Moment) -> i64 {
        if self.process == earlier.process {
            self.stamp.mono_ms.saturating_sub(earlier.stamp.mono_ms)
        } else {
            self.utc_ms() - earlier.utc_ms()
        }
    }

    /// UTC milliseconds.
    pub(super) fn utc_ms(&self) -> i64 {
        self.stamp.utc.as_millisecond()
    }
}

/// Which visit: the host whose turn it is, and the turn.
pub(super) type VisitKey = (HostId, u32);

/// A request that may have left this machine, with the policy of its process.
pub(super) struct Asked<'a> {
    pub(super) row: &'a LogRow,
    pub(super) policy: &'a Policy,
    /// When it was handed to the client; if that is not known (interrupted), its intent.
    pub(super) start: Moment,
    /// When its answer ended; none if interrupted.
    pub(super) end: Option<Moment>,
    /// How far the clock of its process was ahead of the system's, milliseconds.
    shift_ms: i64,
}

impl<'a> Asked<'a> {
    pub(super) fn new(row: &'a LogRow, policy: &'a Policy, shift_ms: i64) -> Asked<'a> {
        let moment = |stamp| Moment {
            process: row.process,
            stamp,
        };
        Asked {
            row,
            policy,
            start: moment(row.sent.unwrap_or(row.intent)),
            end: row.ended.filter(|_| row.outcome.is_some()).map(moment),
            shift_ms,
        }
    }

    pub(super) fn visit(&self) -> VisitKey {
        (self.row.visit_host, self.row.turn)
    }

    /// robots.txt itself or a hop of it.
    pub(super) fn is_robots(&self) -> bool {
        matches!(self.row.leave, Leave::Robots)
    }

    /// A 429 or 503, whatever else was made of the answer, or one that cannot be told from them:
    /// its head could not be read (PC4).
    pub(super) fn is_limited(&self) -> bool {
        let said = matches!(self.row.status, Some(429 | 503));
        said || self.row.outcome == Some(Outcome::Limited) || self.is_unreadable()
    }

    /// An answer whose head could not be read, so that its status is not known.
    pub(super) fn is_unreadable(&self) -> bool {
        self.row.outcome == Some(Outcome::Malformed) && self.row.status.is_none()
    }

    /// End of the answer, or the intent of an interrupted request: it may have been sent.
    pub(super) fn end_or_start(&self) -> Moment {
        self.end.unwrap_or(self.start)
    }

    /// The start in the system's time, UTC milliseconds: for comparison with what other processes wrote.
    pub(super) fn system_ms(&self) -> i64 {
        self.start.utc_ms().saturating_sub(self.shift_ms)
    }

    /// Wall time of the start.
    pub(super) fn at(&self) -> Timestamp {
        self.start.stamp.utc
    }

    /// `docs.alder.test 2026-11-30 08:14:06.412Z`, for a finding.
    pub(super) fn place(&self) -> String {
        format!("{} {}", self.row.host_name, words::utc(self.at()))
    }

    /// `docs.alder.test/llms.txt 2026-11-30 08:14:06.412Z`, for a breach.
    pub(super) fn page(&self) -> String {
        let LogRow {
            host_name, target, ..
        } = self.row;
        format!("{host_name}{target} {}", words::utc(self.at()))
    }
}
