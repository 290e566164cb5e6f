//! A run, its clock stamps and its totals.

use std::net::IpAddr;

use jiff::Timestamp;

use super::RunId;
use crate::robots::Access;

/// Wall time and monotonic time since the start of the process, both in milliseconds.
/// The second proves a gap when the first steps (rule 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// UTC.
    pub utc: Timestamp,
    /// Milliseconds since the process started.
    pub mono_ms: i64,
}

/// What a run is started with.
#[derive(Clone, Debug)]
pub struct RunStart {
    /// Period label.
    pub label: String,
    /// Effective policy as TOML.
    pub policy_toml: String,
    /// Whether it is a loopback run, which is shown everywhere.
    pub loopback: bool,
    /// Scheme of every URL: `https` or `http`.
    pub scheme: String,
    /// User-Agent of every request.
    pub user_agent: String,
    /// Source address requests leave from, if bound.
    pub source_ip: Option<IpAddr>,
    /// When.
    pub at: Timestamp,
    /// No new request after this.
    pub window_ends: Timestamp,
}

/// A run as stored.
#[derive(Clone, Debug)]
pub struct Run {
    /// Its id.
    pub id: RunId,
    /// What it was started with (the first time).
    pub start: RunStart,
    /// When it finished; none while it can be resumed.
    pub ended: Option<Timestamp>,
}

/// Totals of a run, kept and never scanned for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Requests answered or failed, robots.txt included.
    pub requests: u64,
    /// By status.
    pub statuses: std::collections::BTreeMap<u16, u64>,
    /// By outcome word.
    pub outcomes: std::collections::BTreeMap<String, u64>,
    /// Visits by outcome word.
    pub hosts: std::collections::BTreeMap<String, u64>,
    /// Locations denied by robots.txt.
    pub denied: u64,
    /// New versions.
    pub versions_new: u64,
    /// Bytes on the wire.
    pub wire_bytes: u64,
    /// Decoded bytes.
    pub body_bytes: u64,
    /// Times a site told us to wait (429, 503, Retry-After). None before this version counted.
    pub told_to_wait: u64,
    /// robots.txt decided: read, none, closed. None before this version counted.
    pub robots: [u64; 3],
    /// Locations by what became of them: the words of [`super::ChangeKind`], and `unchanged` for the
    /// answers 304 to a file.
    pub changes: std::collections::BTreeMap<String, u64>,
    /// Locations that a visit ended without asking, by its outcome word.
    pub not_asked: std::collections::BTreeMap<String, u64>,
}

impl Totals {
    /// The place in [`Totals::robots`] of a robots.txt that decided so; `is_file` if a file came.
    pub(crate) fn robots_slot(access: Access, is_file: bool) -> usize {
        match access {
            Access::Rules if is_file => 0,
            Access::Rules | Access::Open => 1,
            Access::Closed(_) => 2,
        }
    }
}

/// A run with all that is kept of it as a whole.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// The run.
    pub run: Run,
    /// Its totals.
    pub totals: Totals,
    /// What became of the locations it asked.
    pub changes: super::ChangeCounts,
    /// Answers 304 to a file.
    pub confirmed: u64,
    /// It began before changes were written as they happen: `confirmed` and what was unchanged at
    /// full cost are not known and 0.
    pub sparse: bool,
    /// First and last request; none if nothing was asked.
    pub asked: Option<(Timestamp, Timestamp)>,
    /// Processes that worked on it: one more for each time it was resumed.
    pub processes: u64,
}

impl RunSummary {
    /// Files seen, and how many of them were unchanged, by 304 or by their bytes. None where that is
    /// not known.
    pub fn unchanged(&self) -> Option<(u64, u64)> {
        let counts = &self.changes;
        let unchanged = self.confirmed + counts.unchanged_by_content;
        let seen = unchanged + counts.new + counts.changed + counts.back;
        (!self.sparse).then_some((unchanged, seen))
    }
}
