//! The lists of the console: what can be asked of each, and how rows of a live run answer.

use engine::crawl::{HostState, LogLine, VisitRow};
use jiff::Timestamp;

use super::{Fact, Facts, Field, Kind, Schema, Unit};
use crate::engine;

const STATES: Kind = Kind::Word(&[
    "waiting",
    "ready",
    "asking",
    "resting",
    "paused",
    "held",
    "suppressed",
    "done",
]);

const OUTCOMES: Kind = Kind::Word(&[
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
    "held",
]);

const CHANGES: Kind = Kind::Word(&[
    "new",
    "changed",
    "back",
    "unchanged",
    "unchanged_by_content",
    "none",
]);

const fn field(name: &'static str, kind: Kind, help: &'static str, example: &'static str) -> Field {
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
        field("state", STATES, "what the host is doing now", "state:held"),
        field(
            "source",
            Kind::Text,
            "where the name came from",
            "source:majestic",
        ),
        field("end", ENDS, "how its last visit ended", "end:moved,same_as"),
        field(
            "outcome",
            OUTCOMES,
            "an outcome of its last visit",
            "outcome:timeout",
        ),
        field(
            "status",
            Kind::Status,
            "a status of its last visit",
            "status:429",
        ),
        field(
            "requests",
            Kind::Number(Unit::Count),
            "requests ever sent to it",
            "requests>=10",
        ),
        field(
            "versions",
            Kind::Number(Unit::Count),
            "versions kept of its files",
            "versions>3",
        ),
        field(
            "size",
            Kind::Number(Unit::Bytes),
            "bytes kept of its files",
            "size>1mb",
        ),
        field("gap", Kind::Duration, "gap between two requests", "gap>30s"),
        field(
            "visited",
            Kind::Past,
            "how long ago its last visit was",
            "visited<2d",
        ),
        field(
            "changed",
            Kind::Past,
            "how long ago a file of it changed",
            "changed<7d",
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

/// A look at a host in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlightFacts<'a> {
    pub(crate) row: &'a VisitRow,
    pub(crate) now: Timestamp,
}

impl FlightFacts<'_> {
    /// State word, cause, and until when.
    fn state(&self) -> (&'static str, Option<&str>, Option<Timestamp>) {
        match &self.row.state {
            HostState::Waiting => ("waiting", None, None),
            HostState::Ready => ("ready", None, Some(self.now)),
            HostState::Asking { path } => ("asking", Some(path), Some(self.now)),
            HostState::Resting { until, why } => ("resting", Some(why), Some(*until)),
            HostState::Paused { why } => ("paused", Some(why), None),
            HostState::Held => ("held", None, None),
            HostState::Suppressed => ("suppressed", None, None),
            HostState::Done { outcome } => ("done", Some(outcome), None),
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
