//! Changes: what can be asked of them, and how they answer.

use engine::store::ChangeFacts;
use jiff::Timestamp;

use super::rows::field;
use super::{Fact, Facts, Kind, Schema, Unit};
use crate::engine;

const KINDS: Kind = Kind::Word(&["new", "changed", "back", "gone", "unchanged_by_content"]);

/// Changes of a run, or between two.
pub(crate) static CHANGES: Schema = Schema {
    rows: "changes",
    fields: &[
        field("host", Kind::Text, "name of the host", "host:docs"),
        field("location", Kind::Text, "path and query", "location:llms"),
        field("kind", KINDS, "what became of it", "kind:new,gone"),
        field(
            "size",
            Kind::Number(Unit::Bytes),
            "bytes more or fewer than before",
            "size>10kb",
        ),
        field(
            "bytes",
            Kind::Number(Unit::Bytes),
            "bytes that are there now",
            "bytes<100",
        ),
    ],
};

/// A change as a filter looks at it.
pub(crate) struct ChangeLook<'a> {
    facts: &'a ChangeFacts<'a>,
    now: Timestamp,
}

impl<'a> ChangeLook<'a> {
    pub(crate) fn new(facts: &'a ChangeFacts<'a>, now: Timestamp) -> ChangeLook<'a> {
        ChangeLook { facts, now }
    }
}

impl Facts for ChangeLook<'_> {
    fn text(&self, piece: usize) -> Option<&str> {
        [self.facts.host, self.facts.location, self.facts.kind.word()]
            .get(piece)
            .copied()
    }

    fn fact(&self, field: &str) -> Fact<'_> {
        match field {
            "host" => Fact::Text(self.facts.host),
            "location" => Fact::Text(self.facts.location),
            "kind" => Fact::Word(self.facts.kind.word()),
            "size" => Fact::Number(self.facts.grown().unsigned_abs()),
            "bytes" => self.facts.bytes_now.map_or(Fact::None, Fact::Number),
            _ => Fact::None,
        }
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}
