//! A list for the tests of the language.

use super::rows::{OUTCOMES, STATES, field};
use super::{Kind, Schema, Unit};

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

/// A list with a field of every kind.
pub(super) static HOSTS: Schema = Schema {
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
