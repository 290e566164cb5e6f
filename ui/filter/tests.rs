use std::time::Duration;

use engine::crawl::HostState;
use engine::fetch::Outcome;
use jiff::Timestamp;

use super::complete::complete;
use super::rows::{self, FlightFacts, IN_FLIGHT, LOG, LogFacts};
use super::sample::HOSTS;
use super::*;
use crate::engine;
use crate::test_kit::{at, resting, row, running};

/// As a row of the store borrows it.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) host: String,
    pub(super) site: String,
    pub(super) state: &'static str,
    pub(super) source: Option<String>,
    pub(super) statuses: Vec<u16>,
    pub(super) requests: u64,
    pub(super) size: u64,
    pub(super) gap: Duration,
    pub(super) visited: Option<Timestamp>,
    pub(super) due: Option<Timestamp>,
    pub(super) now: Timestamp,
}

impl Facts for Row {
    fn text(&self, piece: usize) -> Option<&str> {
        [self.host.as_str(), &self.site, self.state]
            .get(piece)
            .copied()
    }

    fn fact(&self, field: &str) -> Fact<'_> {
        match field {
            "host" => Fact::Text(&self.host),
            "site" => Fact::Text(&self.site),
            "state" => Fact::Word(self.state),
            "source" => Fact::text(self.source.as_deref()),
            "status" => Fact::Statuses(&self.statuses),
            "requests" => Fact::Number(self.requests),
            "size" => Fact::Number(self.size),
            "gap" => Fact::Duration(self.gap),
            "visited" => Fact::time(self.visited),
            "due" => Fact::time(self.due),
            _ => Fact::None,
        }
    }

    fn now(&self) -> Timestamp {
        self.now
    }
}

fn sample() -> Row {
    Row {
        host: "docs.Alder.test".to_owned(),
        site: "alder.test".to_owned(),
        state: "held",
        source: None,
        statuses: vec![200, 404, 429],
        requests: 12,
        size: 1_500_000,
        gap: Duration::from_secs(60),
        visited: Some(at("2026-11-29T08:00:00Z")),
        due: Some(at("2026-11-30T08:30:00Z")),
        now: at("2026-11-30T08:00:00Z"),
    }
}

pub(super) fn shown(text: &str, row: &Row) -> bool {
    let filter = Filter::parse(text, &HOSTS);
    filter
        .unwrap_or_else(|error| panic!("{text}: {error:?}"))
        .matches(row)
}

#[test]
fn shows_what_is_asked_for() {
    let row = sample();
    let yes = [
        "",
        "  ",
        "DOCS",
        "alder held",
        "\"docs.alder\"",
        "state:held",
        "State:HELD,resting",
        "state=held",
        "state!=resting",
        "site:alder",
        "site=alder.test",
        "site!=alder",
        "status:429",
        "status:4xx",
        "status:5xx,200",
        "status>=404",
        "status!=500",
        "requests>=10",
        "requests=12",
        "requests<0.1k",
        "size>1mb",
        "size>1.4mib",
        "size<=1500kb",
        "gap>30s",
        "gap:1min",
        "gap>=60000ms",
        "gap>0",
        "visited<2d",
        "visited>=24h",
        "due<1h",
        "due>29min",
        "source:none",
        "due:any",
        "end:none",
        "!oak",
        "not oak",
        "! ! docs",
        "oak or docs",
        "oak | docs",
        "docs and alder and state:held",
        "(oak or docs) (held or ready)",
        "oak birch or docs",
        "!(oak or birch)",
    ];
    for text in yes {
        assert!(shown(text, &row), "{text}");
    }
    let no = [
        "oak",
        "docs oak",
        "\"alder docs\"",
        "state:resting",
        "state!=held",
        "site=alder",
        "site!=alder.test",
        "status:500",
        "status!=200",
        "status:1xx,3xx",
        "status>429",
        "requests<10",
        "size>2mb",
        "gap<1min",
        "visited<1d",
        "due>1h",
        "source:any",
        "source:majestic",
        "due:none",
        "end:any",
        "!docs",
        "!(oak or docs)",
        "oak (docs or birch)",
    ];
    for text in no {
        assert!(!shown(text, &row), "{text}");
    }
    let overdue = Row {
        due: Some(at("2026-11-01T00:00:00Z")),
        ..sample()
    };
    assert!(shown("due<1h", &overdue));
    assert!(Filter::default().matches(&row) && Filter::default().is_all());
    assert!(Filter::parse(" ", &HOSTS).unwrap().is_all());
}

#[test]
fn text_is_found_whatever_its_case_and_script() {
    let named = |host: &str| Row {
        host: host.to_owned(),
        ..sample()
    };
    for (text, host) in [
        ("ÖLBAUM", "ölbaum.test"),
        ("ölb", "ÖLBAUM.TEST"),
        ("kelvin", "\u{212a}elvin"),
        ("straße", "STRAßE.test"),
        ("\u{130}x", "a\u{130}X"),
        ("\"a b\"", "xA By"),
        ("\"\\\"q\\\\\"", "a\"Q\\"),
        ("08:14:06", "at 08:14:06Z"),
        ("docs.alder.test:8080", "docs.alder.test:8080"),
        ("a!b", "a!b"),
    ] {
        assert!(shown(text, &named(host)), "{text} in {host}");
    }
    assert!(!shown("alderx", &named("alder")));
    assert!(!shown("host:x", &named("")));
}

#[test]
fn a_mistake_says_where_it_is_and_what_to_write() {
    let cases: [(&str, (usize, usize), &str); 24] = [
        (
            "docs sate:held",
            (6, 4),
            "No field is called sate: write state, or put the text in quotes to look for it.",
        ),
        (
            "zebra:1",
            (1, 5),
            "No field is called zebra: use one of host, site, state, source, end, outcome, status, requests …, or put the text in quotes to look for it.",
        ),
        (
            "state:hled",
            (7, 4),
            "No state is called `hled`: write held.",
        ),
        (
            "state:held,xx",
            (12, 2),
            "No state is called `xx`: use one of waiting, ready, asking, resting, paused, held, suppressed, done.",
        ),
        (
            "state:",
            (7, 0),
            "Write a value right behind `:`: state:held",
        ),
        (
            "state: held",
            (7, 0),
            "Write a value right behind `:`: state:held",
        ),
        (
            "state>held",
            (6, 1),
            "Words cannot be compared with `>`: write state:held",
        ),
        (
            "status:42",
            (8, 2),
            "Write statuses from 100 to 599, or classes: status:429 or status:4xx,503",
        ),
        (
            "status>=x",
            (9, 1),
            "Write a status from 100 to 599: status>=500",
        ),
        ("size>many", (6, 4), "Write a number here: size>1mb"),
        (
            "size>1mm",
            (6, 3),
            "Write one of these units behind the number: b kb mb gb tb kib mib gib.",
        ),
        (
            "size>1.5b",
            (6, 4),
            "Write a whole number, or a larger unit.",
        ),
        ("size>99999999999tb", (6, 13), "Write a smaller number."),
        (
            "gap>30",
            (5, 2),
            "Write one of these units behind the number: ms s min m h d w.",
        ),
        (
            "visited:2d",
            (8, 1),
            "Compare visited with < or >, or ask for none: visited<2d",
        ),
        ("due<99999999999999w", (5, 15), "Write a smaller number."),
        ("(docs", (1, 1), "Close this `(` with a `)`."),
        ("docs)", (5, 1), "Remove this `)`, or open one before it."),
        ("()", (2, 1), "Write something between the parentheses."),
        ("docs or", (8, 0), "Write what else may match after `or`."),
        ("| docs", (1, 1), "Write something to look for before this."),
        (
            "docs and or",
            (10, 2),
            "Write what else must match after `and`.",
        ),
        ("ö \"open", (3, 5), "Close the quote with a second `\"`."),
        ("!", (2, 0), "Write what must not match after `!`."),
    ];
    for (text, (column, length), message) in cases {
        let error = Filter::parse(text, &HOSTS).expect_err(text);
        assert_eq!(
            (error.column, error.length),
            (column, length),
            "{text}: {error}"
        );
        assert_eq!(error.message, message, "{text}");
    }
    let deep = "(".repeat(100_000);
    assert!(Filter::parse(&deep, &HOSTS).is_err());
    assert!(Filter::parse(&"!".repeat(100_001), &HOSTS).is_err());
    assert!(Filter::parse(&"a|".repeat(10_000), &HOSTS).is_err());
}

#[test]
fn prints_plainly() {
    for (text, printed) in [
        ("Docs  AND  alder", "docs alder"),
        ("a | (b | c)", "a or b or c"),
        ("!(a b) !!c", "!(a b) c"),
        ("(a or b) c", "(a or b) c"),
        ("size>1500000", "size>1500kb"),
        ("gap>=90min", "gap>=90min"),
        ("visited<48h", "visited<2d"),
        ("site:example.com", "site:\"example.com\""),
        ("status!=4xx,503", "!status:4xx,503"),
        ("due:any", "!due:none"),
        ("\"or\" \"a b\"", "\"or\" \"a b\""),
        ("gap>0", "gap>0"),
    ] {
        assert_eq!(
            Filter::parse(text, &HOSTS).unwrap().to_string(),
            printed,
            "{text}"
        );
    }
}

#[test]
fn completes_what_is_begun() {
    let inserts = |text: &str| -> Vec<(usize, String)> {
        complete(text, text.chars().count(), &HOSTS)
            .into_iter()
            .map(|completion| (completion.from, completion.insert))
            .collect()
    };
    let one = |from: usize, text: &str| vec![(from, text.to_owned())];
    assert_eq!(inserts("").len(), HOSTS.fields.len());
    assert_eq!(inserts("ö (vis"), one(3, "visited<"));
    assert_eq!(inserts("!req"), one(1, "requests>"));
    assert_eq!(inserts("sttaus"), one(0, "status:"));
    assert_eq!(inserts("state:he"), one(6, "held"));
    assert_eq!(inserts("state!=res"), one(7, "resting"));
    assert_eq!(inserts("state:held,don"), one(11, "done"));
    assert_eq!(inserts("state:hled"), one(6, "held"));
    assert_eq!(
        inserts("gap>30m"),
        [(4, "30ms"), (4, "30min"), (4, "30m")].map(|(from, text)| (from, text.to_owned()))
    );
    assert_eq!(inserts("size>"), one(5, "1mb"));
    assert_eq!(inserts("size>x"), []);
    assert_eq!(inserts("\"sta"), []);
    assert_eq!(inserts("zebra:"), []);
    assert_eq!(inserts("\"a\" sta").len(), 2);
}

#[test]
fn every_field_has_an_example_that_parses_and_help() {
    for schema in [&HOSTS, &rows::HOSTS, &IN_FLIGHT, &LOG] {
        for field in schema.fields {
            let example = Filter::parse(field.example, schema);
            assert!(example.is_ok(), "{}: {example:?}", field.example);
            assert!(field.example.starts_with(field.name) && !field.help.is_empty());
            assert!(field.name.bytes().all(|byte| byte.is_ascii_lowercase()));
            assert!(!["or", "and", "not"].contains(&field.name));
            let begun = format!("{}{}", field.name, field.usual());
            let value = &complete(&begun, begun.len(), schema)[0].insert;
            let text = format!("{begun}{value}");
            assert!(Filter::parse(&text, schema).is_ok(), "{text}");
        }
    }
}

#[test]
fn every_outcome_can_be_asked_for() {
    for outcome in Outcome::ALL {
        let text = format!("outcome:{}", outcome.word());
        assert!(Filter::parse(&text, &LOG).is_ok(), "{text}");
    }
}

#[test]
fn rows_of_a_live_run_answer() {
    let now = at("2026-11-30T08:14:07Z");
    let flight = row(
        1,
        "api.cedar.test",
        "@!..",
        60,
        resting("2026-11-30T08:15:00Z", "Crawl-delay 60, robots.txt line 14"),
    );
    let held = row(2, "oak.test", "@", 2, HostState::Held);
    let yes = |text: &str, row| {
        let facts = FlightFacts { row, now };
        Filter::parse(text, &IN_FLIGHT).unwrap().matches(&facts)
    };
    for text in [
        "cedar",
        "state:resting",
        "next<1min",
        "gap=1min",
        "why:\"line 14\"",
        "locations:4",
    ] {
        assert!(yes(text, &flight), "{text}");
        assert!(!yes(text, &held), "{text}");
    }
    assert!(yes("next:none state:held why:none", &held));
    let log = running().log;
    let count = |text: &str| {
        let filter = Filter::parse(text, &LOG).unwrap();
        log.iter()
            .filter(|line| filter.matches(&LogFacts { line, now }))
            .count()
    };
    assert!(!log.is_empty());
    for field in LOG.fields {
        let all = count(&format!("{}:any or {}:none", field.name, field.name));
        let expected = if field.name == "change" {
            count("change:none")
        } else {
            log.len()
        };
        assert!(all >= expected, "{}", field.name);
        assert!(
            field.name == "change" || count(&format!("{}:any", field.name)) > 0,
            "{}",
            field.name
        );
    }
}

#[test]
fn a_name_is_asked_for_only_where_every_host_shown_has_it() {
    for (text, expected) in [
        ("Docs", Some("docs")),
        ("host:docs", Some("docs")),
        ("a docs", Some("docs")),
        ("docs state:held", Some("docs")),
        ("docs (a or b)", Some("docs")),
        ("docs or state:held", None),
        ("!docs", None),
        ("site:docs", None),
        ("source:docs", None),
        ("status:429", None),
        ("", None),
    ] {
        let filter = Filter::parse(text, &rows::HOSTS).unwrap();
        assert_eq!(filter.named(), expected, "{text}");
    }
}
