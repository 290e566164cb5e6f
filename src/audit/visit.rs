//! What is remembered of the site being read and of its visits; dropped when the next site begins.

use std::collections::HashMap;

use super::asked::{Asked, Moment, VisitKey};
use super::delays::Delays;
use super::finding::Check;
use super::told::Told;
use crate::fetch::Outcome;
use crate::store::{HostId, ProcessId, RobotsId, SiteId};

/// What the record of an ended visit tells of requests that must not be found.
#[derive(Clone, Debug, Default)]
pub(super) struct Expected {
    /// Paths denied, by the robots fetch that denied them.
    pub(super) denied: Vec<Denied>,
    /// UTC milliseconds before which the visit must not begin (AS9); only if that lies inside the run.
    pub(super) not_before: Option<i64>,
    /// It ended because of a 429 or 503.
    pub(super) limited: bool,
}

/// Paths denied under one robots fetch. Locations of the plan are bits, for a run of a million hosts.
#[derive(Clone, Debug)]
pub(super) struct Denied {
    pub(super) robots: RobotsId,
    pub(super) locations: u64,
    pub(super) others: Vec<String>,
}

/// What an answer to robots.txt means, derived here from the log and the policy's data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Follow the rules.
    Rules,
    /// No restrictions.
    Open,
    /// Nothing may be asked: by which promise, and why.
    Closed(Check, String),
}

/// Where the robots.txt of a visit stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// Not asked.
    NotAsked,
    /// Asked for this host and target, no answer known (interrupted): a hop may be asked again.
    NoAnswer((String, String)),
    /// A redirect to this host and target, not followed yet; none if its target cannot be read.
    Redirected(Option<(String, String)>),
    /// Answered.
    Answered(Standing),
}

/// robots.txt of a visit with its hops: a new one begins each time it is fetched anew.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) progress: Progress,
    /// Start of its first request.
    pub(super) began: Option<Moment>,
    /// End of its last answer.
    pub(super) ended: Option<Moment>,
    /// Body bytes of its last answer.
    pub(super) body_bytes: u64,
    pub(super) hops: u32,
    /// Host whose /robots.txt was asked last: the visit is there now.
    pub(super) host: HostId,
    /// The last hop went to another path than /robots.txt; then the file is for the visit's own host too.
    pub(super) elsewhere: bool,
    /// A request of it was withdrawn or never answered: it may be begun again.
    pub(super) broken: bool,
    pub(super) process: Option<ProcessId>,
    /// It is not the first of its visit: hops of the one before may be asked again.
    pub(super) again: bool,
}

/// One visit.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    pub(super) expected: Expected,
    pub(super) requests: u32,
    /// What ended it: by which promise, and why.
    pub(super) over: Option<(Check, String)>,
    pub(super) chain: Chain,
    /// Index of the last location asked.
    pub(super) position: Option<usize>,
    /// Blocks in a row.
    pub(super) blocks: u32,
    /// Targets of redirects of files: host and path.
    pub(super) redirects: Vec<(String, String)>,
}

impl Visit {
    pub(super) fn new(host: HostId, expected: Expected) -> Visit {
        Visit {
            expected,
            requests: 0,
            over: None,
            chain: Chain {
                progress: Progress::NotAsked,
                began: None,
                ended: None,
                body_bytes: 0,
                hops: 0,
                host,
                elsewhere: false,
                broken: false,
                process: None,
                again: false,
            },
            position: None,
            blocks: 0,
            redirects: Vec::new(),
        }
    }
}

/// How a (host, location) was asked before in this run.
#[derive(Clone, Debug)]
pub(super) struct Before {
    pub(super) visit: VisitKey,
    pub(super) outcome: Option<Outcome>,
    pub(super) limited: bool,
    pub(super) times: u32,
    pub(super) ended: Moment,
}

/// The last request of the site, for its gaps.
#[derive(Clone, Debug)]
pub(super) struct Last {
    /// End of its answer, or its start if it was interrupted; the latest within its process.
    pub(super) quiet: Moment,
    /// It has no answer.
    pub(super) unanswered: bool,
    /// How long its answer took.
    pub(super) response_ms: i64,
}

/// A 429 or 503, or an answer that may be one.
#[derive(Clone, Debug)]
pub(super) struct Limit {
    pub(super) at: Moment,
    pub(super) visit: VisitKey,
    pub(super) robots: bool,
    /// Milliseconds; zero if none was given or it is unclear.
    pub(super) retry_after_ms: i64,
    /// What it was, in words.
    pub(super) what: &'static str,
    pub(super) page: String,
}

/// The site being read.
#[derive(Debug, Default)]
pub(super) struct SiteState {
    pub(super) id: Option<SiteId>,
    pub(super) visits: HashMap<VisitKey, Visit>,
    pub(super) before: HashMap<(HostId, String), Before>,
    /// What its visits were told of robots.txt.
    pub(super) told: Told,
    pub(super) last: Option<Last>,
    pub(super) limits: Vec<Limit>,
    /// Its declared delays.
    pub(super) delays: Delays,
}

impl SiteState {
    pub(super) fn new(id: SiteId) -> SiteState {
        SiteState {
            id: Some(id),
            ..SiteState::default()
        }
    }

    /// A withdrawn request never left: all that remains is that robots.txt may be begun again.
    pub(super) fn withdrawn(&mut self, asked: &Asked<'_>) {
        if asked.is_robots()
            && let Some(visit) = self.visits.get_mut(&asked.visit())
        {
            visit.chain.broken = true;
        }
    }
}
