//! Hosts that are due, visits that ended, and what operators did.

use jiff::Timestamp;

use super::{HostId, RobotsId, RunId, SiteId, SpanState};
use crate::hosts::{Host, Site};

/// Why a site must not be asked before a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteWait {
    /// Not before.
    pub until: Timestamp,
    /// Plain words: `429 on /llms.txt, Retry-After 600`.
    pub cause: String,
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
    /// State word: `waiting`, `held`, `done: closed by robots (too_large)`, `resting: 429 on /robots.txt`…
    pub state: String,
    /// Due again; not before the wait that its site was told to keep (PC4).
    pub next_visit: Timestamp,
    /// Whether a run visits it by itself from `next_visit` on; not so for a host that was only met
    /// through a redirect.
    pub is_due: bool,
}

/// What happens in the turn of a host, as far as the store knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flight {
    /// A request is under way.
    Asking,
    /// Between two requests.
    Resting,
}

impl Flight {
    /// The state word.
    pub fn word(self) -> &'static str {
        match self {
            Flight::Asking => "asking",
            Flight::Resting => "resting",
        }
    }
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
    /// How far the clock of `at` was ahead of the system's, milliseconds; not 0 in loopback runs only.
    pub shift_ms: i64,
}
