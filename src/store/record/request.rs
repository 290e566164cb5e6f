//! A request: the intent before it, the end after it, the line in the log.

use std::net::SocketAddr;

use super::{
    Change, HostId, Observation, ProcessId, RobotsFetch, RobotsId, RunId, SiteId, SiteWait,
    SpanState, Stamp,
};
use crate::fetch::{Outcome, Validators};
use crate::hosts::Host;
use crate::policy::Method;

/// Why a request was allowed, as evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leave {
    /// It is robots.txt itself, or a hop of it.
    Robots,
    /// No rule of that file matched.
    NoRule(RobotsId),
    /// A rule on this line allowed it.
    Rule(RobotsId, u32),
    /// The host has no restrictions by the answer to robots.txt (4xx).
    Open(RobotsId),
}

/// A request about to be made: committed before its first byte is sent (rule 1).
#[derive(Clone, Debug)]
pub struct Intent {
    /// Run.
    pub run: RunId,
    /// Process.
    pub process: ProcessId,
    /// Site of the host asked.
    pub site: SiteId,
    /// Host asked.
    pub host: HostId,
    /// Host whose visit this is; another one after a visit moved or on a robots hop.
    pub visit_host: HostId,
    /// Turn of that visit in this run, from 1.
    pub turn: u32,
    /// Path and query asked, as sent.
    pub target: String,
    /// Method.
    pub method: Method,
    /// Attempt, from 1, of this (period, host, location).
    pub attempt: u32,
    /// When.
    pub at: Stamp,
    /// Why it is allowed.
    pub leave: Leave,
    /// Validators held for it; they are sent whenever held (TR1).
    pub held: Option<Validators>,
    /// Whether they are sent.
    pub conditional: bool,
    /// The gap in force for the site, milliseconds, scaled.
    pub gap_ms: i64,
}

/// Key of a request: site, intent time, sequence. One range scan gives a site's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RequestKey {
    /// Site.
    pub site: SiteId,
    /// Intent time, UTC milliseconds.
    pub at_ms: i64,
    /// Breaks ties.
    pub seq: i64,
}

/// The end of a request: everything evidence asks for (rule 4), committed in one transaction with
/// what it means for history.
#[derive(Clone, Debug)]
pub struct Finished {
    /// Which.
    pub key: RequestKey,
    /// Host and target again, for history.
    pub host: HostId,
    /// Path and query.
    pub target: String,
    /// Run.
    pub run: RunId,
    /// When the request was handed to the client.
    pub sent: Stamp,
    /// When the answer ended.
    pub ended: Stamp,
    /// How.
    pub outcome: Outcome,
    /// Status.
    pub status: Option<u16>,
    /// Address dialled.
    pub remote: Option<SocketAddr>,
    /// Content-Encoding as sent.
    pub coding: String,
    /// Body bytes on the wire.
    pub wire_bytes: u64,
    /// Decoded bytes.
    pub body_bytes: u64,
    /// Digest of a whole decoded body.
    pub sha256: Option<[u8; 32]>,
    /// Connection within the visit.
    pub connection: u32,
    /// Redirect target as text.
    pub redirect: Option<String>,
    /// Retry-After as understood, milliseconds; -1 for unclear.
    pub retry_after_ms: Option<i64>,
    /// Challenge vendor and marker, marks, failure in plain words.
    pub detail: Option<String>,
    /// For history.
    pub observation: Observation,
    /// A robots.txt fetch that this answer completed.
    pub robots: Option<RobotsFetch>,
    /// A wait for the whole site (PC4).
    pub site_wait: Option<SiteWait>,
}

/// What the commit of a [`Finished`] told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Change of history.
    pub change: Change,
    /// What a 304 confirmed; none for any other answer.
    pub confirmed: Option<Confirmed>,
    /// Id of the robots fetch, if one was given.
    pub robots: Option<RobotsId>,
}

/// What was at a location when its validators were got: a 304 says that it still is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Confirmed {
    /// A file, or a soft 404.
    pub state: SpanState,
    /// Digest of its body; none if the store no longer knows.
    pub sha256: Option<[u8; 32]>,
}

/// One request as the log shows it.
#[derive(Clone, Debug)]
pub struct LogRow {
    /// Key.
    pub key: RequestKey,
    /// Run.
    pub run: RunId,
    /// Process.
    pub process: ProcessId,
    /// Host asked.
    pub host: HostId,
    /// Its name.
    pub host_name: Host,
    /// Host whose visit this was.
    pub visit_host: HostId,
    /// Turn.
    pub turn: u32,
    /// Path and query.
    pub target: String,
    /// Method.
    pub method: Method,
    /// Attempt.
    pub attempt: u32,
    /// Intent.
    pub intent: Stamp,
    /// Handed to the client; none if interrupted or withdrawn.
    pub sent: Option<Stamp>,
    /// Answer ended; none if interrupted.
    pub ended: Option<Stamp>,
    /// Outcome; none if interrupted or still under way.
    pub outcome: Option<Outcome>,
    /// Status.
    pub status: Option<u16>,
    /// Address dialled.
    pub remote: Option<SocketAddr>,
    /// Why it was allowed.
    pub leave: Leave,
    /// Validators held.
    pub held: Option<Validators>,
    /// Whether they were sent.
    pub conditional: bool,
    /// Gap in force, milliseconds.
    pub gap_ms: i64,
    /// Content coding.
    pub coding: String,
    /// Wire bytes.
    pub wire_bytes: u64,
    /// Decoded bytes.
    pub body_bytes: u64,
    /// Digest.
    pub sha256: Option<[u8; 32]>,
    /// Connection within the visit.
    pub connection: u32,
    /// Redirect target.
    pub redirect: Option<String>,
    /// Retry-After, milliseconds; -1 unclear.
    pub retry_after_ms: Option<i64>,
    /// Detail.
    pub detail: Option<String>,
}
