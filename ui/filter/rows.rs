//! The lists of the console: what can be asked of each, and how rows of a live run answer.

use engine::crawl::{HostState, LogLine, VisitRow};
use engine::store::{HostFacts, NewestVisit};
use jiff::Timestamp;

use super::{Fact, Facts, Field, Kind, Schema, Unit};
use crate::engine;

pub(super) const STATES: Kind = Kind::Word(&[
    "waiting",
    "ready",
    "asking",
    "resting",
    "paused",
    "held",
    "suppressed",
    "done",
]);

pub(super) const OUTCOMES: Kind = Kind::Word(&[
    "present",
    "not_modified",
    "unexpected_304",
    "absent",
    "soft_absent",
    "blocked",
    "limited",
    "challenge",
    "redirect",
    "no_content",
    "partial",
    "client_error",
    "server_error",
    "too_large",
    "too_slow",
    "timeout",
    "dns",
    "address_refused",
    "connect",
    "tls",
    "reset",
    "malformed",
    "truncated",
    "coding",
    "withdrawn",
    "interrupted",
]);

const STANDS: Kind = Kind::Word(&[
    "waiting",
    "ready",
    "asking",
    "resting",
    "paused",
    "offered",
    "done",
    "held",
    "suppressed",
]);

const ENDS: Kind = Kind::Word(&[
    "done",
    "closed",
    "limited",
    "site_limited",
    "challenge",
    "blocked",
    "moved",
    "same_as",
    "budget_spent",
    "window_over",
    "suppressed",
    "claimed",
]);

const CHANGES: Kind = Kind::Word(&[
    "new",
    "changed",
    "back",
    "unchanged",
    "unchanged_by_content",
    "none",
]);

pub(super) const fn field(
    name: &'static str,
    kind: Kind,
    help: &'static str,
    example: &'static str,
) -> Field {
    Field {
        name,
        kind,
        help,
        example,
    }
}

/// Hosts of the store.
pub(crate) static HOSTS: Schema = Schema {
    rows: "hosts",
    fields: &[
        field("host", Kind::Text, "name of the host", "host:docs"),
        field("site", Kind::Text, "registrable domain", "site:example.com"),
        field("state", STANDS, "where the host stands", "state:held"),
        field(
            "source",
            Kind::Text,
            "where the name came from",
            "source:majestic",
        ),
        field("end", ENDS, "how its last visit ended", "end:moved,same_as"),
        field(
            "status",
            Kind::Status,
            "a status of its last visit",
            "status:429",
        ),
        field(
            "requests",
            Kind::Number(Unit::Count),
            "requests of its last visit",
            "requests>=10",
        ),
        field(
            "errors",
            Kind::Number(Unit::Count),
            "errors of its last visit",
            "errors>0",
        ),
        field(
            "denied",
            Kind::Number(Unit::Count),
            "locations denied by robots.txt in its last visit",
            "denied>0",
        ),
        field(
            "size",
            Kind::Number(Unit::Bytes),
            "largest body of its last visit",
            "size>1mb",
        ),
        field(
            "visited",
            Kind::Past,
            "how long ago its last visit ended",
            "visited<2d",
        ),
        field("due", Kind::Future, "how soon it is due again", "due<1h"),
    ],
};

/// Hosts in flight.
pub(crate) static IN_FLIGHT: Schema = Schema {
    rows: "hosts in flight",
    fields: &[
        field("host", Kind::Text, "name of the host", "host:docs"),
        field(
            "state",
            STATES,
            "what the host is doing now",
            "state:resting",
        ),
        field("why", Kind::Text, "cause of its state", "why:crawl-delay"),
        field("gap", Kind::Duration, "gap between two requests", "gap>30s"),
        field(
            "next",
            Kind::Future,
            "how soon it may be asked again",
            "next<10s",
        ),
        field(
            "locations",
            Kind::Number(Unit::Count),
            "locations of its visit",
            "locations>10",
        ),
    ],
};

/// The log of a run.
pub(crate) static LOG: Schema = Schema {
    rows: "requests",
    fields: &[
        field("host", Kind::Text, "name of the host", "host:docs"),
        field("method", Kind::Text, "method of the request", "method=head"),
        field("path", Kind::Text, "path asked for", "path:llms.txt"),
        field("status", Kind::Status, "status of the answer", "status:4xx"),
        field("outcome", OUTCOMES, "what came of it", "outcome:timeout"),
        field(
            "change",
            CHANGES,
            "how history changed",
            "change:new,changed",
        ),
        field(
            "size",
            Kind::Number(Unit::Bytes),
            "bytes of the body",
            "size>1mb",
        ),
        field("age", Kind::Past, "how long ago it ended", "age<5min"),
    ],
};

/// Statuses of one visit looked at; more than a visit's requests are not to be had.
const STATUSES: usize = 24;

/// A look at a host of the store.
#[derive(Clone, Copy)]
pub(crate) struct HostLook<'a> {
    facts: &'a HostFacts<'a>,
    statuses: [u16; STATUSES],
    count: usize,
    now: Timestamp,
}

impl<'a> HostLook<'a> {
    /// At these facts, at this time.
    pub(crate) fn new(facts: &'a HostFacts<'a>, now: Timestamp) -> HostLook<'a> {
        let mut statuses = [0; STATUSES];
        let mut count = 0;
        if let Some(newest) = &facts.newest {
            for (slot, status) in statuses.iter_mut().zip(newest.statuses()) {
                *slot = status;
                count += 1;
            }
        }
        HostLook {
            facts,
            statuses,
            count,
            now,
        }
    }

    fn number(&self, number: impl Fn(&NewestVisit<'_>) -> u64) -> Fact<'_> {
        let newest = self.facts.newest.as_ref();
        newest.map_or(Fact::None, |newest| Fact::Number(number(newest)))
    }
}

impl Facts for HostLook<'_> {
    fn text(&self, piece: usize) -> Option<&str> {
        [self.facts.name, self.facts.source_name]
            .get(piece)
            .copied()
    }

    fn fact(&self, field: &str) -> Fact<'_> {
        let facts = self.facts;
        match field {
            "host" => Fact::Text(facts.name),
            "site" => Fact::Text(facts.site),
            "state" => Fact::Word(facts.state().word()),
            "source" if facts.source_name.is_empty() => Fact::Text(facts.source_kind),
            "source" => Fact::Text(facts.source_name),
            "end" => facts
                .newest
                .map_or(Fact::None, |newest| Fact::Word(newest.kind.word())),
            "status" => Fact::Statuses(&self.statuses[..self.count]),
            "requests" => self.number(|newest| u64::from(newest.requests)),
            "errors" => self.number(|newest| u64::from(newest.errors)),
            "denied" => self.number(|newest| u64::from(newest.denied)),
            "size" => self.number(|newest| newest.largest),
            "visited" => Fact::time(facts.visited),
            "due" => Fact::time(facts.due),
            _ => Fact::None,
        }
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}

/// A host of the store as the screen shows it: what the run under way knows of it counts more.
pub(crate) struct HostNow<'a> {
    /// By what the store says.
    pub(crate) look: HostLook<'a>,
    /// Word of the state that the engine told, of a host in flight.
    pub(crate) state: Option<&'static str>,
}

impl Facts for HostNow<'_> {
    fn text(&self, piece: usize) -> Option<&str> {
        self.look.text(piece)
    }

    fn fact(&self, field: &str) -> Fact<'_> {
        match self.state {
            // An operator's word counts at once, wherever it was given.
            Some(state) if field == "state" && !self.look.facts.suppressed() => Fact::Word(state),
            _ => self.look.fact(field),
        }
    }

    fn now(&self) -> Timestamp {
        self.look.now
    }
}

/// Word of the state of a host in flight.
pub(crate) fn state_word(state: &HostState) -> &'static str {
    match state {
        HostState::Waiting => "waiting",
        HostState::Ready => "ready",
        HostState::Asking { .. } => "asking",
        HostState::Resting { .. } => "resting",
        HostState::Paused { .. } => "paused",
        HostState::Held => "held",
        HostState::Suppressed => "suppressed",
        HostState::Done { .. } => "done",
    }
}

/// A look at a host in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlightFacts<'a> {
    pub(crate) row: &'a VisitRow,
    pub(crate) now: Timestamp,
}

impl FlightFacts<'_> {
    /// State word, cause, and until when.
    fn state(&self) -> (&'static str, Option<&str>, Option<Timestamp>) {
        let word = state_word(&self.row.state);
        match &self.row.state {
            HostState::Ready => (word, None, Some(self.now)),
            HostState::Asking { path } => (word, Some(path), Some(self.now)),
            HostState::Resting { until, why } => (word, Some(why), Some(*until)),
            HostState::Paused { why } | HostState::Done { outcome: why } => (word, Some(why), None),
            HostState::Waiting | HostState::Held | HostState::Suppressed => (word, None, None),
        }
    }
}

impl Facts for FlightFacts<'_> {
    fn text(&self, piece: usize) -> Option<&str> {
        let (word, why, _) = self.state();
        [self.row.host.as_str(), word, why.unwrap_or_default()]
            .get(piece)
            .copied()
    }

    fn fact(&self, field: &str) -> Fact<'_> {
        let (word, why, until) = self.state();
        match field {
            "host" => Fact::Text(self.row.host.as_str()),
            "state" => Fact::Word(word),
            "why" => Fact::text(why),
            "gap" => Fact::Duration(self.row.gap),
            "next" => Fact::time(until),
            "locations" => Fact::Number(self.row.lamps.len() as u64),
            _ => Fact::None,
        }
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}

/// A look at a line of the live log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LogFacts<'a> {
    pub(crate) line: &'a LogLine,
    pub(crate) now: Timestamp,
}

impl Facts for LogFacts<'_> {
    fn text(&self, piece: usize) -> Option<&str> {
        let line = self.line;
        [
            line.host.as_str(),
            line.method,
            &line.path,
            line.outcome,
            line.change.word(),
        ]
        .get(piece)
        .copied()
    }

    fn fact(&self, field: &str) -> Fact<'_> {
        let line = self.line;
        match field {
            "host" => Fact::Text(line.host.as_str()),
            "method" => Fact::Text(line.method),
            "path" => Fact::Text(&line.path),
            "status" => Fact::status(line.status),
            "outcome" => Fact::Word(line.outcome),
            "change" => Fact::Word(line.change.word()),
            "size" => Fact::Number(line.bytes),
            "age" => Fact::time(line.at),
            _ => Fact::None,
        }
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}
