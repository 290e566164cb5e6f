//! The rows, as the rest of the house sees them.

use std::net::{IpAddr, SocketAddr};

use jiff::Timestamp;

use crate::fetch::{Outcome, Validators};
use crate::hosts::{Host, Site};
use crate::policy::Method;
use crate::validate::Mark;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);
    };
}
id!(/** A host in this store; given in site order at import. */ HostId);
id!(/** A site in this store. */ SiteId);
id!(/** A run. */ RunId);
id!(/** One process of a run, from its start to its end or death. */ ProcessId);
id!(/** One fetch of a robots.txt. */ RobotsId);

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

/// What an answer means for the history of its (host, location).
#[derive(Clone, Debug)]
pub enum Observation {
    /// Nothing: a hop, a withdrawn request.
    Nothing,
    /// A whole body to keep exactly (KP1). The writer compares it with the newest version.
    Body {
        /// The bytes.
        bytes: Vec<u8>,
        /// Their SHA-256.
        sha256: [u8; 32],
        /// Content-Type as sent.
        media_type: Option<String>,
        /// Content-Encoding as sent.
        coding: String,
        /// Validators; they replace those held (known fault 8).
        validators: Validators,
        /// Marks of `validate`.
        marks: Vec<Mark>,
    },
    /// 304: the held version stands; a validator given replaces the held one, a missing one changes nothing.
    NotModified(Validators),
    /// A body of which only the digest is kept: a soft 404, or keep mode Digest.
    Digest {
        /// SHA-256.
        sha256: [u8; 32],
        /// Decoded bytes.
        bytes: u64,
        /// Validators.
        validators: Validators,
        /// Marks of `validate`.
        marks: Vec<Mark>,
        /// `SoftAbsent`, or `Present` for keep mode Digest.
        state: SpanState,
    },
    /// Any other state; a failure never ends a version.
    State(SpanState),
}

/// State of a (host, location) over a span of time. Stored by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SpanState {
    /// A body is there.
    Present = 1,
    /// 404 or 410; held validators are dropped, history stays.
    Absent = 2,
    /// A soft 404.
    SoftAbsent = 3,
    /// A rule of robots.txt denied it.
    Denied = 4,
    /// 401, 402, 403, 451.
    Blocked = 5,
    /// A challenge.
    Challenge = 6,
    /// 429 or 503.
    Limited = 7,
    /// A redirect.
    Redirect = 8,
    /// Over the cap.
    TooLarge = 9,
    /// Any other failure.
    Error = 10,
    /// Not asked: the visit ended before.
    NotAsked = 11,
    /// Committed and never answered: the process died.
    Interrupted = 12,
}

/// How an observation changed history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// First version ever.
    New,
    /// Another version than the newest.
    Changed,
    /// Back to bytes an older version had.
    Back,
    /// 304.
    Unchanged,
    /// Same bytes at full cost.
    UnchangedByContent,
    /// Nothing to compare.
    None,
}

impl Change {
    /// The word in events and listings.
    pub fn word(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Changed => "changed",
            Change::Back => "back",
            Change::Unchanged => "unchanged",
            Change::UnchangedByContent => "unchanged_by_content",
            Change::None => "none",
        }
    }
}

/// One fetch of robots.txt, kept so that a decision can be shown with the exact text in force.
#[derive(Clone, Debug)]
pub struct RobotsFetch {
    /// Host whose robots.txt this is.
    pub host: HostId,
    /// When it ended.
    pub at: Timestamp,
    /// Status, if any.
    pub status: Option<u16>,
    /// Access as a word: `rules`, `open`, `closed:too_large`…
    pub access: String,
    /// Hops before it.
    pub redirects: u32,
    /// Final URL.
    pub url: String,
    /// Digest of the text in force (kept as a version of /robots.txt, or `None`).
    pub sha256: Option<[u8; 32]>,
    /// Until when it may be used.
    pub valid_until: Timestamp,
    /// Declared delay that was read, seconds and line.
    pub delay: Option<(f64, u32)>,
    /// Content signals in force at `/`, as JSON text.
    pub signals: String,
}

/// A robots session as stored.
#[derive(Clone, Debug)]
pub struct RobotsSession {
    /// Its id.
    pub id: RobotsId,
    /// The fetch.
    pub fetch: RobotsFetch,
    /// The text in force, if rules are followed.
    pub text: Option<Vec<u8>>,
}

/// Why a site must not be asked before a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteWait {
    /// Not before.
    pub until: Timestamp,
    /// Plain words: `429 on /llms.txt, Retry-After 600`.
    pub cause: String,
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
    /// Id of the robots fetch, if one was given.
    pub robots: Option<RobotsId>,
}

/// How a visit ended. Stored by word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum VisitOutcome {
    /// Every step was taken.
    Done,
    /// robots.txt closed the host; the reason's word (`too_large`, `unreachable`…).
    Closed(String),
    /// 429 or 503: the site stops for this run (PC4).
    Limited,
    /// A sibling host of the site was limited (PC4).
    SiteLimited,
    /// A challenge (PC7).
    Challenge,
    /// Three blocks in a row (PC5).
    Blocked,
    /// The visit moved to another host of the site and went on there.
    Moved(HostId),
    /// The visit would have moved to a host already visited in this run.
    SameAs(HostId),
    /// The budget was spent (AS2).
    BudgetSpent,
    /// The window ended first (AS9).
    WindowOver,
    /// Suppressed meanwhile (OO4).
    Suppressed,
    /// Held meanwhile; the visit may go on after release.
    Held,
}

/// The end of a visit.
#[derive(Clone, Debug)]
pub struct VisitEnd {
    /// Run.
    pub run: RunId,
    /// Listed host whose turn it was.
    pub host: HostId,
    /// Turn.
    pub turn: u32,
    /// How it ended.
    pub outcome: VisitOutcome,
    /// When.
    pub at: Timestamp,
    /// State of each location of the plan, robots.txt first, in order.
    pub locations: Vec<SpanState>,
    /// Due again (AS9, PC4).
    pub due: Timestamp,
    /// Host that took the visit over, kept as alias of `host`.
    pub alias: Option<HostId>,
    /// Paths denied by robots.txt, with the line that denied them (0: closed as a whole): the
    /// evidence of requests never made.
    pub denied: Vec<(String, RobotsId, u32)>,
}

/// A site with hosts due.
#[derive(Clone, Debug)]
pub struct DueSite {
    /// Id.
    pub id: SiteId,
    /// Domain.
    pub site: Site,
    /// A wait that stands (PC4).
    pub wait: Option<SiteWait>,
}

/// A host due.
#[derive(Clone, Debug)]
pub struct DueHost {
    /// Id.
    pub id: HostId,
    /// Name.
    pub host: Host,
    /// Turn it would have in this run, from 1.
    pub turn: u32,
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

/// One version of a location.
#[derive(Clone, Debug)]
pub struct Version {
    /// Host.
    pub host: Host,
    /// Path and query.
    pub location: String,
    /// Number, from 1, oldest first.
    pub number: u32,
    /// First seen.
    pub first_seen: Timestamp,
    /// Last confirmed.
    pub last_seen: Timestamp,
    /// Digest.
    pub sha256: [u8; 32],
    /// Decoded bytes.
    pub bytes: u64,
    /// Content-Type as sent.
    pub media_type: Option<String>,
    /// Marks.
    pub marks: Vec<Mark>,
}

/// One host as listings show it.
#[derive(Clone, Debug)]
pub struct HostRow {
    /// Id.
    pub id: HostId,
    /// Name.
    pub host: Host,
    /// Site.
    pub site: Site,
    /// Source: `list hosts.txt 2026-11-30 line 14`, `redirect of example.com`.
    pub source: String,
    /// State word: `waiting`, `held`, `done: closed by robots (too_large)`…
    pub state: String,
    /// Due again.
    pub next_visit: Timestamp,
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
}

/// One ended visit as stored.
#[derive(Clone, Debug)]
pub struct VisitRecord {
    /// Run.
    pub run: RunId,
    /// Host whose turn it was.
    pub host: HostId,
    /// Its name.
    pub host_name: Host,
    /// Turn, from 1.
    pub turn: u32,
    /// How it ended.
    pub outcome: VisitOutcome,
    /// When.
    pub ended: Timestamp,
    /// State of each location, robots.txt first.
    pub locations: Vec<SpanState>,
    /// Paths denied, with the robots fetch and line (0: closed as a whole).
    pub denied: Vec<(String, RobotsId, u32)>,
    /// Whether the host's source is recorded (AS8).
    pub source_known: bool,
    /// End of this host's visit in the run before, if any (AS9).
    pub previous: Option<Timestamp>,
}

/// One action of an operator, with its inverse.
#[derive(Clone, Debug)]
pub struct JournalEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: String,
    /// The command as it would be typed: `suppress add example.com`.
    pub action: String,
    /// Why, as given.
    pub why: String,
    /// The command that undoes it.
    pub inverse: String,
}
