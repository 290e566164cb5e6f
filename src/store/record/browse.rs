//! What listings of hosts and the page of one host show.

use std::fmt;

use jiff::Timestamp;

use super::{
    HostId, LogRow, RequestKey, RobotsFetch, RobotsId, RunId, SiteId, SiteWait, SpanState,
    VisitOutcome, VisitRecord,
};
use crate::hosts::{Host, Site};
use crate::store::Hold;
use crate::suppress::List;

/// What states are told from, beside the store: the store never reads the suppression list.
#[derive(Clone, Copy, Debug)]
pub struct HostView<'a> {
    /// Now: a wait of a site stands until its time.
    pub now: Timestamp,
    /// Names never to be asked.
    pub suppressed: &'a List,
}

/// What all hosts are ordered by. Whatever has no such value stands last, both ways; equals stand by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HostSort {
    /// Name of the site, then id.
    Site,
    /// Name.
    Name,
    /// [`HostState`], and how the visit ended.
    State,
    /// When due again.
    Due,
    /// When the newest visit ended.
    Visited,
    /// How the newest visit ended.
    Outcome,
    /// Largest body of the newest visit.
    Size,
    /// Requests of the newest visit.
    Requests,
}

/// An order of all hosts.
#[derive(Clone, Copy, Debug)]
pub struct HostQuery<'a> {
    /// By what.
    pub sort: HostSort,
    /// Largest, latest, last first.
    pub descending: bool,
    /// What states are told from.
    pub view: HostView<'a>,
}

/// Where a host stands, as far as the store knows; what is being asked at this moment the engine knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostState {
    /// Has a due time.
    Waiting,
    /// Has a due time, and its site must not be asked before a later one (PC4).
    Resting,
    /// Met through a redirect and offered to the operator; never due by itself.
    Offered,
    /// Its visit ended in the newest run. None: how is not known.
    Done(Option<VisitKind>),
    /// Held by an operator.
    Held,
    /// On the suppression list (OO4).
    Suppressed,
}

impl HostState {
    /// `waiting`, `resting`, `offered`, `done`, `held`, `suppressed`.
    pub fn word(self) -> &'static str {
        match self {
            HostState::Waiting => "waiting",
            HostState::Resting => "resting",
            HostState::Offered => "offered",
            HostState::Done(_) => "done",
            HostState::Held => "held",
            HostState::Suppressed => "suppressed",
        }
    }
}

/// How a host's newest visit ended, without what it is about. Stored by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum VisitKind {
    /// [`VisitOutcome::Done`].
    Done = 1,
    /// [`VisitOutcome::Closed`].
    Closed = 2,
    /// [`VisitOutcome::Limited`].
    Limited = 3,
    /// [`VisitOutcome::SiteLimited`].
    SiteLimited = 4,
    /// [`VisitOutcome::Challenge`].
    Challenge = 5,
    /// [`VisitOutcome::Blocked`].
    Blocked = 6,
    /// [`VisitOutcome::Moved`].
    Moved = 7,
    /// [`VisitOutcome::SameAs`].
    SameAs = 8,
    /// [`VisitOutcome::BudgetSpent`].
    BudgetSpent = 9,
    /// [`VisitOutcome::WindowOver`].
    WindowOver = 10,
    /// [`VisitOutcome::Suppressed`].
    Suppressed = 11,
    /// The visit of another host of its site moved here: this host had no visit of its own.
    Claimed = 12,
}

impl VisitKind {
    pub(crate) const ALL: [VisitKind; 12] = [
        VisitKind::Done,
        VisitKind::Closed,
        VisitKind::Limited,
        VisitKind::SiteLimited,
        VisitKind::Challenge,
        VisitKind::Blocked,
        VisitKind::Moved,
        VisitKind::SameAs,
        VisitKind::BudgetSpent,
        VisitKind::WindowOver,
        VisitKind::Suppressed,
        VisitKind::Claimed,
    ];

    /// The first part of [`VisitOutcome::word`], or `claimed`.
    pub fn word(self) -> &'static str {
        match self {
            VisitKind::Done => "done",
            VisitKind::Closed => "closed",
            VisitKind::Limited => "limited",
            VisitKind::SiteLimited => "site_limited",
            VisitKind::Challenge => "challenge",
            VisitKind::Blocked => "blocked",
            VisitKind::Moved => "moved",
            VisitKind::SameAs => "same_as",
            VisitKind::BudgetSpent => "budget_spent",
            VisitKind::WindowOver => "window_over",
            VisitKind::Suppressed => "suppressed",
            VisitKind::Claimed => "claimed",
        }
    }
}

/// The newest visit of a host in numbers: of what this host itself was asked in that turn, as its log
/// shows it; what was withdrawn does not count. A visit that was held for long, while many others of
/// its site ended, shows what came after the hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VisitFacts {
    /// How it ended.
    pub kind: VisitKind,
    /// Why robots.txt closed the host (`too_large`…), else empty.
    pub reason: String,
    /// Requests, those interrupted included.
    pub requests: u32,
    /// Requests that brought neither a file, nor its plain absence, nor a redirect.
    pub errors: u32,
    /// Locations denied by robots.txt.
    pub denied: u32,
    /// Largest decoded body, bytes.
    pub largest: u64,
    /// Statuses seen, ascending, each once.
    pub statuses: Vec<u16>,
}

/// Where a host came from (AS8).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostSource {
    /// A list that was imported.
    List {
        /// `list`, `majestic`…
        kind: String,
        /// File name as given.
        name: String,
        /// Date of the list.
        date: Timestamp,
        /// Line, from 1.
        line: Option<u64>,
    },
    /// A redirect of this host of the same site.
    Redirect(Host),
    /// Not recorded.
    Unknown,
}

/// `list hosts.txt 2026-11-30 line 14`, `redirect of example.com`, `unknown`.
impl fmt::Display for HostSource {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostSource::List {
                kind,
                name,
                date,
                line,
            } => {
                write!(out, "{kind} {name} {}", date.strftime("%Y-%m-%d"))?;
                line.map_or(Ok(()), |line| write!(out, " line {line}"))
            }
            HostSource::Redirect(from) => write!(out, "redirect of {from}"),
            HostSource::Unknown => out.write_str("unknown"),
        }
    }
}

/// One host as the list of all hosts shows it.
#[derive(Clone, Debug)]
pub struct HostLine {
    /// Id.
    pub id: HostId,
    /// Name.
    pub host: Host,
    /// Site.
    pub site: Site,
    /// Its id.
    pub site_id: SiteId,
    /// Where it stands.
    pub state: HostState,
    /// Done for now, with another turn to come in this run when due (RB9).
    pub again: bool,
    /// The wait of its site, if it stands.
    pub resting: Option<SiteWait>,
    /// Where it came from.
    pub source: HostSource,
    /// Due again; never if none. A host due at once is due since it was imported.
    pub due: Option<Timestamp>,
    /// End of its newest visit.
    pub visited: Option<Timestamp>,
    /// How that ended; none without a visit of its own.
    pub outcome: Option<VisitOutcome>,
    /// State of each location in it, robots.txt first.
    pub locations: Vec<SpanState>,
    /// That visit in numbers; none too if it ended before such numbers were kept (schema 1).
    pub newest: Option<VisitFacts>,
}

/// All the store knows of one host that is no list of its own.
#[derive(Clone, Debug)]
pub struct HostCard {
    /// What the list of all hosts shows of it.
    pub line: HostLine,
    /// SHA-256 of the imported file, hex, and when it was imported.
    pub imported: Option<(String, Timestamp)>,
    /// Host whose redirect led here first, and when.
    pub found_from: Option<(HostId, Host, Timestamp)>,
    /// Host of the site that its visits go to.
    pub alias: Option<(HostId, Host)>,
    /// The first other hosts of its site by id, at most [`HostCard::SIBLINGS`].
    pub siblings: Vec<(HostId, Host)>,
    /// How many there are.
    pub sibling_count: u64,
    /// Holds that cover it.
    pub holds: Vec<Hold>,
}

impl HostCard {
    /// Other hosts of the site that a card names.
    pub const SIBLINGS: usize = 100;
}

/// One visit of a host, with the label of its run.
#[derive(Clone, Debug)]
pub struct HostVisit {
    /// Period label of the run.
    pub label: String,
    /// The visit.
    pub record: VisitRecord,
}

/// Where what was known with a past run ends: the run after it, and when that began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// The run after it.
    pub next: RunId,
    /// Its start: nothing of that time or later was known.
    pub before: Timestamp,
}

impl Horizon {
    /// The key that all requests known then come before; [`super::Reader::log_page`] finds the site
    /// by the host.
    pub fn requests(self) -> RequestKey {
        RequestKey {
            site: SiteId(0),
            at_ms: self.before.as_millisecond(),
            seq: i64::MIN,
        }
    }
}

/// One fetch of a host's robots.txt.
#[derive(Clone, Debug)]
pub struct RobotsRow {
    /// Id; a request's [`super::Leave`] names it.
    pub id: RobotsId,
    /// The fetch.
    pub fetch: RobotsFetch,
    /// Size of the text kept, bytes; none if there is none.
    pub bytes: Option<u64>,
}

/// One request of a host's log, with the gap that was kept before it.
#[derive(Clone, Debug)]
pub struct LogLine {
    /// The request.
    pub row: LogRow,
    /// None for the first of its site, and for one that was withdrawn.
    pub gap: Option<Gap>,
}

/// Time from the end of the site's request before (its start, if it was never answered) to the
/// start of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Milliseconds; below zero if the two overlap or the wall clock stepped back between processes.
    pub ms: i64,
    /// Measured by monotonic time, both being of one process; else by wall time (rule 7).
    pub monotonic: bool,
    /// The request before.
    pub previous: RequestKey,
}
