//! The audit over synthetic logs: for each promise a log that keeps it and one that breaches it by
//! the smallest amount.
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests may end the test"
)]

use std::collections::BTreeMap;

use jiff::Timestamp;
use lamplighter::audit::{
    AuditKind, Auditor, Evidence, Facts, Finding, ProcessFacts, Promise, ledger,
};
use lamplighter::fetch::{Outcome, Validators};
use lamplighter::hosts::{Host, NameRules};
use lamplighter::policy::{
    Ends, FileRedirects, Method, Policy, RobotsReading, StatusRule, TooLarge, builtin,
};
use lamplighter::store::{
    HostId, JournalEntry, Leave, LogRow, ProcessId, RequestKey, RobotsFetch, RobotsId,
    RobotsSession, Run, RunId, RunStart, SiteId, SpanState, Stamp, VisitOutcome, VisitRecord,
};

/// The built-in policy with a short plan, published addresses and a small budget.
fn policy() -> Policy {
    let mut policy = builtin("intentroute").expect("the built-in policy");
    policy.identity.addresses = vec!["192.0.2.0/28".to_owned()];
    policy.plan.budget = 4;
    policy.plan.locations.truncate(4);
    let plan = [
        ("/llms.txt", None),
        ("/agents.json", None),
        ("/agent.json", Some("/agents.json".to_owned())),
        ("/mcp.json", None),
    ];
    for (location, (path, only_if_absent)) in policy.plan.locations.iter_mut().zip(plan) {
        location.path = path.to_owned();
        location.only_if_absent = only_if_absent;
    }
    policy
}

/// Monday 2026-11-30 06:00 UTC, when the run begins.
const MONDAY: i64 = 1_796_018_400_000;
const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;
/// Monotonic time at MONDAY.
const MONO: i64 = 5_000;

fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).expect("a time")
}

fn host(name: &str) -> Host {
    Host::parse(name, NameRules::Loopback).expect("a host")
}

/// A run as the audit reads it, to be changed by each case.
struct Log {
    facts: Facts,
    visits: Vec<VisitRecord>,
    rows: Vec<LogRow>,
    robots: BTreeMap<i64, RobotsSession>,
    due: BTreeMap<i64, Timestamp>,
}

struct Shelf {
    robots: BTreeMap<i64, RobotsSession>,
    due: BTreeMap<i64, Timestamp>,
}

impl Evidence for Shelf {
    fn robots(&mut self, id: RobotsId) -> Option<RobotsSession> {
        self.robots.get(&id.0).cloned()
    }

    fn due(&mut self, host: HostId) -> Option<Timestamp> {
        self.due.get(&host.0).copied()
    }
}

impl Log {
    /// One visit to docs.alder.test (host 1 of site 1): robots.txt, then the three locations that apply.
    fn good() -> Log {
        let policy = policy();
        let run = Run {
            id: RunId(1),
            start: RunStart {
                label: "2026-W49".to_owned(),
                policy_toml: String::new(),
                loopback: false,
                scheme: "https".to_owned(),
                user_agent: policy.identity.user_agent.clone(),
                source_ip: Some("192.0.2.7".parse().expect("an address")),
                at: time(MONDAY),
                window_ends: time(MONDAY + DAY),
            },
            ended: Some(time(MONDAY + HOUR)),
        };
        let process = |id, started| ProcessFacts {
            id: ProcessId(id),
            started: time(started),
            policy: policy.clone(),
        };
        let mut log = Log {
            facts: Facts {
                run,
                processes: vec![process(1, MONDAY - MONO), process(2, MONDAY + HOUR)],
                policy: policy.clone(),
                journal: Vec::new(),
                promises: ledger().expect("the ledger"),
            },
            visits: Vec::new(),
            rows: Vec::new(),
            robots: BTreeMap::new(),
            due: BTreeMap::new(),
        };
        log.session(1, 1, MONDAY + 100, "rules");
        log.visits.push(visit(1));
        log.ask(0, "/robots.txt", 200).leave = Leave::Robots;
        log.ask(2_100, "/llms.txt", 200);
        log.ask(4_200, "/agents.json", 200);
        log.ask(6_300, "/mcp.json", 200);
        log
    }

    /// A request `at` ms into the run, answered after 100 ms.
    fn ask(&mut self, at: i64, target: &str, status: u16) -> &mut LogRow {
        let stamp = |at: i64| Stamp {
            utc: time(MONDAY + at),
            mono_ms: MONO + at,
        };
        let outcome = match status {
            200 => Outcome::Present,
            304 => Outcome::NotModified,
            301 => Outcome::Redirect,
            404 => Outcome::Absent,
            401 | 403 => Outcome::Blocked,
            429 | 503 => Outcome::Limited,
            400..=499 => Outcome::ClientError,
            _ => Outcome::ServerError,
        };
        let seq = i64::try_from(self.rows.len()).expect("few rows");
        self.rows.push(LogRow {
            key: RequestKey {
                site: SiteId(1),
                at_ms: MONDAY + at,
                seq,
            },
            run: RunId(1),
            process: ProcessId(1),
            host: HostId(1),
            host_name: host("docs.alder.test"),
            visit_host: HostId(1),
            turn: 1,
            target: target.to_owned(),
            method: Method::Get,
            attempt: 1,
            intent: stamp(at),
            sent: Some(stamp(at)),
            ended: Some(stamp(at + 100)),
            outcome: Some(outcome),
            status: Some(status),
            remote: None,
            leave: Leave::NoRule(RobotsId(1)),
            held: None,
            conditional: false,
            gap_ms: 2_000,
            coding: String::new(),
            wire_bytes: 10,
            body_bytes: 10,
            sha256: (status == 200).then_some([0; 32]),
            connection: 1,
            redirect: None,
            retry_after_ms: None,
            detail: None,
        });
        self.rows.last_mut().expect("just pushed")
    }

    /// Another host of the site: its visit, its robots.txt `at` ms into the run, its robots fetch.
    fn sibling(&mut self, id: i64, name: &str, at: i64) {
        self.session(id, id, MONDAY + at + 100, "rules");
        let row = self.ask(at, "/robots.txt", 200);
        row.leave = Leave::Robots;
        row.host = HostId(id);
        row.visit_host = HostId(id);
        row.host_name = host(name);
    }

    fn session(&mut self, id: i64, of: i64, at: i64, access: &str) {
        let text = "User-agent: *\nAllow: /llms.txt\nDisallow: /secret\n";
        let session = RobotsSession {
            id: RobotsId(id),
            fetch: RobotsFetch {
                host: HostId(of),
                at: time(at),
                status: Some(200),
                access: access.to_owned(),
                redirects: 0,
                url: "https://docs.alder.test/robots.txt".to_owned(),
                sha256: None,
                valid_until: time(at + DAY),
                delay: None,
                signals: "{}".to_owned(),
            },
            text: Some(text.as_bytes().to_vec()),
        };
        self.robots.insert(id, session);
    }

    fn robots_text(&mut self, text: &str) {
        self.robots.get_mut(&1).expect("a session").text = Some(text.as_bytes().to_vec());
    }

    /// The robots.txt of the visit was answered so, and taken as `access`.
    fn robots_answer(&mut self, status: u16, outcome: Outcome, access: &str) {
        self.rows[0].status = Some(status);
        self.rows[0].outcome = Some(outcome);
        self.session(1, 1, MONDAY + 100, access);
    }

    /// Moves row `index` and all after it by `ms`.
    fn shift(&mut self, index: usize, ms: i64) {
        for row in &mut self.rows[index..] {
            let shift = |stamp: &mut Stamp| {
                stamp.utc = time(stamp.utc.as_millisecond() + ms);
                stamp.mono_ms += ms;
            };
            shift(&mut row.intent);
            row.sent.iter_mut().for_each(shift);
            row.ended.iter_mut().for_each(shift);
        }
    }

    /// The answer to row `index` never came.
    fn interrupt(&mut self, index: usize) {
        let row = &mut self.rows[index];
        (row.sent, row.ended, row.outcome, row.status, row.sha256) = (None, None, None, None, None);
    }

    /// Row `index` and all after it are of the second process, which started at `started` ms.
    fn restart(&mut self, index: usize, started: i64) {
        for row in &mut self.rows[index..] {
            row.process = ProcessId(2);
            let from_start = |stamp: &mut Stamp| stamp.mono_ms -= MONO + started;
            from_start(&mut row.intent);
            row.sent.iter_mut().for_each(from_start);
            row.ended.iter_mut().for_each(from_start);
        }
    }

    /// The same change to the policy of the run and of each of its processes.
    fn policy(&mut self, change: impl Fn(&mut Policy)) {
        change(&mut self.facts.policy);
        for process in &mut self.facts.processes {
            change(&mut process.policy);
        }
    }

    fn journal(&mut self, at: i64, action: &str) {
        self.facts.journal.push(JournalEntry {
            at: time(MONDAY + at),
            by: "watcher".to_owned(),
            action: action.to_owned(),
            why: "asked to".to_owned(),
            inverse: String::new(),
        });
    }

    fn audit(self) -> Vec<Finding> {
        let shelf = Shelf {
            robots: self.robots,
            due: self.due,
        };
        let mut auditor = Auditor::new(self.facts, shelf);
        self.visits.iter().for_each(|visit| auditor.visit(visit));
        self.rows.iter().for_each(|row| auditor.request(row));
        auditor.finish()
    }
}

fn visit(id: i64) -> VisitRecord {
    VisitRecord {
        run: RunId(1),
        host: HostId(id),
        host_name: host("docs.alder.test"),
        turn: 1,
        outcome: VisitOutcome::Done,
        ended: time(MONDAY + 6_400),
        locations: vec![SpanState::Present; 4],
        denied: Vec::new(),
        source_known: true,
        previous: Some(time(MONDAY - 7 * DAY)),
    }
}

fn finding<'a>(findings: &'a [Finding], id: &str) -> &'a Finding {
    let found = findings.iter().find(|finding| finding.promise == id);
    found.unwrap_or_else(|| panic!("{id} has no finding"))
}

/// The promises breached.
fn breached(findings: &[Finding]) -> Vec<&str> {
    findings
        .iter()
        .filter(|finding| finding.breaches > 0)
        .map(|finding| finding.promise.as_str())
        .collect()
}

/// Name, change to the good log, promises breached.
type Case<'a> = (&'a str, fn(&mut Log), &'a [&'a str]);

/// Each change to the good log, and exactly the promises it breaches.
fn table(cases: &[Case<'_>]) {
    let mut wrong = Vec::new();
    for (name, change, expected) in cases {
        let mut log = Log::good();
        change(&mut log);
        let findings = log.audit();
        let found = breached(&findings);
        if found != *expected {
            wrong.push(format!("{name}: expected {expected:?}, found {found:?}"));
        }
        for finding in &findings {
            assert!(
                !finding.worst.is_empty(),
                "{name}: {} says nothing",
                finding.promise
            );
            let listed = u64::try_from(finding.first.len()).expect("few");
            assert_eq!(finding.breaches.min(20), listed, "{name}");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_good_log_keeps_every_promise_and_says_so() {
    let findings = Log::good().audit();
    assert_eq!(breached(&findings), Vec::<&str>::new());
    for (id, checked, worst) in [
        (
            "ID1",
            4,
            "every request as IntentRouteBot/0.1 (+https://intentroute.net/crawler)",
        ),
        ("ID3", 4, "every request from 192.0.2.7"),
        ("AS1", 4, "4 requests, all as promised"),
        (
            "AS2",
            1,
            "most requests in a visit 4 of 4 (docs.alder.test 2026-11-30 06:00:06.300Z)",
        ),
        ("AS5", 0, "nothing to check"),
        (
            "RB3",
            4,
            "4 answers and the requests that refer to them, all as promised",
        ),
        (
            "RB9",
            3,
            "oldest robots.txt in use 6.200 s of 1 d 00 h (docs.alder.test 2026-11-30 06:00:06.300Z)",
        ),
        (
            "PC2",
            3,
            "smallest gap 2,000 ms of 2,000 ms (docs.alder.test 2026-11-30 06:00:02.100Z)",
        ),
        ("PC3", 0, "nothing to check"),
        ("OO4", 0, "nothing to check"),
    ] {
        let finding = finding(&findings, id);
        assert_eq!(
            (finding.checked, finding.worst.as_str()),
            (checked, worst),
            "{id}"
        );
    }
    assert!(
        finding(&findings, "AS9")
            .worst
            .contains("2026-11-30 06:00:00.000Z, as promised")
    );
}

#[test]
fn findings_are_the_log_promises_of_the_policy_in_ledger_order() {
    let findings = Log::good().audit();
    let found: Vec<&str> = findings
        .iter()
        .map(|finding| finding.promise.as_str())
        .collect();
    let promises = ledger().expect("the ledger");
    let expected: Vec<&str> = promises
        .iter()
        .filter(|promise| promise.has(AuditKind::Log) && promise.kept_by("intentroute"))
        .map(|promise| promise.id.as_str())
        .collect();
    assert_eq!(found, expected);
    assert!(!found.contains(&"AS6") && found.contains(&"PC1"));
}

#[test]
fn identity_and_what_is_asked() {
    table(&[
        (
            "another agent",
            |log| log.facts.run.start.user_agent.push('x'),
            &["ID1"],
        ),
        (
            "one process with another agent",
            |log| log.facts.processes[1].policy.identity.user_agent.push('x'),
            &["ID1"],
        ),
        (
            "last published address",
            |log| log.facts.run.start.source_ip = "192.0.2.15".parse().ok(),
            &[],
        ),
        (
            "first address not published",
            |log| log.facts.run.start.source_ip = "192.0.2.16".parse().ok(),
            &["ID3"],
        ),
        (
            "no source address",
            |log| log.facts.run.start.source_ip = None,
            &["ID3"],
        ),
        ("HEAD", |log| log.rows[1].method = Method::Head, &["AS1"]),
        (
            "one request over the budget",
            |log| {
                log.rows[2].outcome = Some(Outcome::Absent);
                log.ask(8_400, "/mcp.json", 404);
                log.rows[3].target = "/agent.json".to_owned();
            },
            &["AS2"],
        ),
        (
            "the same location again",
            |log| log.rows[3].target = "/agents.json".to_owned(),
            &["AS3"],
        ),
        (
            "the same location in another visit of the run",
            |log| {
                log.policy(|policy| policy.plan.budget = 9);
                log.sibling(2, "api.alder.test", 8_400);
                log.ask(10_500, "/llms.txt", 200).visit_host = HostId(2);
            },
            &["AS3", "AS4", "OO1"],
        ),
        (
            "the same location of a sibling",
            |log| {
                log.sibling(2, "api.alder.test", 8_400);
                let row = log.ask(10_500, "/llms.txt", 200);
                row.leave = Leave::NoRule(RobotsId(2));
                (row.visit_host, row.host) = (HostId(2), HostId(2));
                row.host_name = host("api.alder.test");
            },
            &[],
        ),
        (
            "withdrawn, then asked",
            |log| {
                let mut row = log.rows[1].clone();
                (row.sent, row.ended, row.outcome) = (None, None, Some(Outcome::Withdrawn));
                log.rows.insert(1, row);
                log.rows[2].attempt = 2;
            },
            &[],
        ),
        (
            "no location of the plan",
            |log| log.rows[1].target = "/".to_owned(),
            &["AS4"],
        ),
        (
            "not in order",
            |log| {
                log.rows[1].target = "/mcp.json".to_owned();
                log.rows[3].target = "/llms.txt".to_owned();
            },
            &["AS4"],
        ),
        (
            "conditional location where the other is there",
            |log| log.rows[3].target = "/agent.json".to_owned(),
            &["AS4"],
        ),
        (
            "conditional location where the other is absent",
            |log| {
                log.rows[2].outcome = Some(Outcome::Absent);
                log.rows[3].target = "/agent.json".to_owned();
            },
            &[],
        ),
        (
            "a redirect of a file recorded",
            |log| {
                log.rows[1].outcome = Some(Outcome::Redirect);
                log.rows[1].redirect = Some("https://docs.alder.test/docs/llms.txt".to_owned());
            },
            &[],
        ),
        (
            "a redirect of a file followed",
            |log| {
                log.rows[1].outcome = Some(Outcome::Redirect);
                log.rows[1].redirect = Some("https://docs.alder.test/docs/llms.txt".to_owned());
                log.rows[2].target = "/docs/llms.txt".to_owned();
            },
            &["AS4", "AS5"],
        ),
        (
            "a redirect of a file followed where the policy does",
            |log| {
                log.policy(|policy| policy.transfer.redirects = FileRedirects::SameSite);
                log.rows[1].outcome = Some(Outcome::Redirect);
                log.rows[1].redirect = Some("https://docs.alder.test/docs/llms.txt".to_owned());
                log.rows[2].target = "/docs/llms.txt".to_owned();
            },
            &[],
        ),
        (
            "no source",
            |log| log.visits[0].source_known = false,
            &["AS8"],
        ),
    ]);
}

#[test]
fn query_strings_where_the_policy_says_so() {
    for (target, expected) in [("/llms.txt", 0), ("/llms.txt?", 1)] {
        let mut log = Log::good();
        log.policy(|policy| policy.name = "sitemapped".to_owned());
        log.rows[1].target = target.to_owned();
        assert_eq!(finding(&log.audit(), "AS6").breaches, expected, "{target}");
    }
}

#[test]
fn when_hosts_are_visited() {
    table(&[
        (
            "six days to the millisecond",
            |log| {
                log.visits[0].previous = Some(time(MONDAY + 1_000 - 6 * DAY));
                log.shift(0, 1_000);
                log.session(1, 1, MONDAY + 1_100, "rules");
            },
            &[],
        ),
        (
            "a millisecond short of six days",
            |log| {
                log.visits[0].previous = Some(time(MONDAY + 1_001 - 6 * DAY));
                log.shift(0, 1_000);
                log.session(1, 1, MONDAY + 1_100, "rules");
            },
            &["AS9"],
        ),
        (
            "two turns of one host",
            |log| {
                let mut again = log.visits[0].clone();
                again.turn = 2;
                log.visits.push(again);
            },
            &["AS9"],
        ),
        (
            "a turn after a hold",
            |log| {
                let mut again = log.visits[0].clone();
                again.turn = 2;
                log.visits[0].outcome = VisitOutcome::Held;
                log.visits.push(again);
            },
            &[],
        ),
        (
            "the last moment of the window",
            |log| log.facts.run.start.window_ends = time(MONDAY + 6_300),
            &[],
        ),
        (
            "a millisecond after the window",
            |log| log.facts.run.start.window_ends = time(MONDAY + 6_299),
            &["AS9"],
        ),
        (
            "a late start is no breach",
            |log| log.facts.run.start.at = time(MONDAY + 1),
            &[],
        ),
        (
            "running over is no breach",
            |log| log.facts.run.ended = Some(time(MONDAY + DAY + 1)),
            &[],
        ),
    ]);
    let mut log = Log::good();
    log.facts.run.start.at = time(MONDAY + 3 * HOUR);
    log.facts.run.ended = Some(time(MONDAY + DAY + HOUR));
    let worst = finding(&log.audit(), "AS9").worst.clone();
    assert!(
        worst.contains("3 h 00 min after the promised start"),
        "{worst}"
    );
    assert!(worst.contains("1 h 00 min after its window"), "{worst}");
}

/// robots.txt redirected `hops` times on the host before it was read.
fn hops(log: &mut Log, hops: usize) {
    log.policy(|policy| policy.plan.budget = 20);
    let files = log.rows.split_off(1);
    log.rows.clear();
    for hop in 0..=hops {
        let target = match hop {
            0 => "/robots.txt".to_owned(),
            _ => format!("/robots-{hop}.txt"),
        };
        let at =
            i64::try_from(hop).expect("few") * 2_100 - 2_100 * i64::try_from(hops).expect("few");
        let row = log.ask(at, &target, if hop == hops { 200 } else { 301 });
        row.leave = Leave::Robots;
        row.redirect = Some(format!("https://docs.alder.test/robots-{}.txt", hop + 1));
    }
    log.rows.extend(files);
}

/// The visit moves to www.alder.test (host 2) by a redirect of robots.txt.
fn moved(log: &mut Log) {
    hops(log, 1);
    log.session(2, 2, MONDAY + 100, "rules");
    log.rows[0].redirect = Some("https://www.alder.test/robots.txt".to_owned());
    log.rows[1].target = "/robots.txt".to_owned();
    for row in &mut log.rows[1..] {
        row.host = HostId(2);
        row.host_name = host("www.alder.test");
        if row.leave != Leave::Robots {
            row.leave = Leave::NoRule(RobotsId(2));
        }
    }
}

#[test]
fn robots_first_and_kept_to() {
    table(&[
        ("no robots.txt", |log| drop(log.rows.remove(0)), &["RB1"]),
        (
            "robots.txt second",
            |log| {
                log.rows[0].target = "/llms.txt".to_owned();
                log.rows[0].leave = Leave::NoRule(RobotsId(1));
                log.rows[1].target = "/robots.txt".to_owned();
                log.rows[1].leave = Leave::Robots;
                log.session(1, 1, MONDAY + 2_200, "rules");
            },
            &["RB1"],
        ),
        (
            "robots.txt without an answer",
            |log| log.interrupt(0),
            &["RB1", "PC1"],
        ),
        ("five hops", |log| hops(log, 5), &[]),
        ("six hops", |log| hops(log, 6), &["RB7"]),
        (
            "a sixth redirect not followed, and files asked",
            |log| {
                hops(log, 6);
                log.rows.remove(6);
            },
            &["RB7"],
        ),
        (
            "a redirect of robots.txt not followed",
            |log| {
                log.rows[0].outcome = Some(Outcome::Redirect);
                log.rows[0].redirect = Some("https://elsewhere.test/robots.txt".to_owned());
            },
            &["RB1"],
        ),
        ("the visit moves", moved, &[]),
        (
            "a file of the host left behind",
            |log| {
                moved(log);
                log.rows[3].host = HostId(1);
            },
            &["AS4", "RB3"],
        ),
        ("404", |log| opened(log, 404), &[]),
        ("403", |log| opened(log, 403), &[]),
        (
            "404, and said to be allowed by rules",
            |log| log.robots_answer(404, Outcome::Absent, "open"),
            &["RB4"],
        ),
        (
            "200, and said to be open",
            |log| log.rows[2].leave = Leave::Open(RobotsId(1)),
            &["RB3"],
        ),
        (
            "4xx closes where the policy says so",
            |log| {
                opened(log, 403);
                log.policy(|policy| {
                    let rule = StatusRule {
                        from: 403,
                        to: 403,
                        means: RobotsReading::Closed,
                    };
                    policy.robots.on_status.insert(0, rule);
                });
            },
            &["RB4"],
        ),
        (
            "429",
            |log| log.robots_answer(429, Outcome::Limited, "closed:too_many"),
            &["RB5", "PC4"],
        ),
        (
            "500",
            |log| log.robots_answer(500, Outcome::ServerError, "closed:status"),
            &["RB6"],
        ),
        (
            "timeout",
            |log| {
                log.robots_answer(200, Outcome::Timeout, "closed:unreachable");
                log.rows[0].status = None;
            },
            &["RB6"],
        ),
        (
            "the largest file",
            |log| log.rows[0].body_bytes = 512_000,
            &[],
        ),
        (
            "one byte over",
            |log| log.rows[0].body_bytes = 512_001,
            &["RB8"],
        ),
        (
            "one byte over where a prefix is read",
            |log| {
                log.policy(|policy| policy.robots.on_too_large = TooLarge::Prefix);
                log.rows[0].body_bytes = 512_001;
            },
            &[],
        ),
        (
            "challenge",
            |log| log.robots_answer(200, Outcome::Challenge, "closed:challenge"),
            &["RB1", "PC7"],
        ),
        (
            "206",
            |log| log.robots_answer(206, Outcome::Partial, "closed:broken"),
            &["RB1"],
        ),
        (
            "cut short",
            |log| log.robots_answer(200, Outcome::Truncated, "closed:broken"),
            &["RB1"],
        ),
        (
            "304 nobody asked for",
            |log| log.robots_answer(304, Outcome::UnexpectedNotModified, "closed:broken"),
            &["RB1"],
        ),
        (
            "304",
            |log| log.robots_answer(304, Outcome::NotModified, "rules"),
            &[],
        ),
    ]);
}

/// robots.txt was answered by a 4xx, and the files asked with no restrictions.
fn opened(log: &mut Log, status: u16) {
    let outcome = if status == 404 {
        Outcome::Absent
    } else {
        Outcome::Blocked
    };
    log.robots_answer(status, outcome, "open");
    for row in &mut log.rows[1..] {
        row.leave = Leave::Open(RobotsId(1));
    }
}

#[test]
fn evidence_of_leave_and_its_age() {
    table(&[
        (
            "no such fetch",
            |log| log.rows[1].leave = Leave::NoRule(RobotsId(9)),
            &["RB3"],
        ),
        (
            "a fetch of another host",
            |log| log.session(1, 9, MONDAY + 100, "rules"),
            &["RB3"],
        ),
        (
            "an Allow line",
            |log| log.rows[1].leave = Leave::Rule(RobotsId(1), 2),
            &[],
        ),
        (
            "a Disallow line",
            |log| log.rows[1].leave = Leave::Rule(RobotsId(1), 3),
            &["RB3"],
        ),
        (
            "a denied path asked",
            |log| {
                log.visits[0]
                    .denied
                    .push(("/mcp.json".to_owned(), RobotsId(1), 3))
            },
            &["RB3"],
        ),
        (
            "a denied path not asked",
            |log| {
                log.visits[0]
                    .denied
                    .push(("/agent.json".to_owned(), RobotsId(1), 3))
            },
            &[],
        ),
        ("as old as it may be", |log| age(log, DAY), &[]),
        ("a millisecond older", |log| age(log, DAY + 1), &["RB9"]),
        (
            "read when this visit began",
            |log| log.session(1, 1, MONDAY, "rules"),
            &[],
        ),
        (
            "read a millisecond before",
            |log| log.session(1, 1, MONDAY - 1, "rules"),
            &["OO1"],
        ),
    ]);
}

/// The last file is asked when robots.txt is so old.
fn age(log: &mut Log, ms: i64) {
    log.facts.run.start.window_ends = time(MONDAY + 2 * DAY);
    log.shift(3, ms - 6_200);
}

#[test]
fn robots_may_be_asked_again_only_when_it_ran_out_or_was_interrupted() {
    table(&[
        (
            "again at once",
            |log| {
                log.rows.truncate(3);
                log.ask(6_300, "/robots.txt", 200).leave = Leave::Robots;
            },
            &["AS3"],
        ),
        (
            "a millisecond too soon",
            |log| reread(log, DAY - 1),
            &["AS3"],
        ),
        ("when it ran out", |log| reread(log, DAY), &[]),
        (
            "after an interruption",
            |log| {
                log.rows.truncate(2);
                log.interrupt(0);
                log.rows[1].target = "/robots.txt".to_owned();
                log.rows[1].leave = Leave::Robots;
                log.restart(1, 0);
                log.rows[1].attempt = 2;
            },
            &[],
        ),
        (
            "again from its first hop after an interruption",
            |log| {
                hops(log, 2);
                log.interrupt(2);
                let mut again = log.rows[..3].to_vec();
                log.rows.truncate(3);
                again[2].outcome = Some(Outcome::Present);
                log.rows.append(&mut again);
                for (row, at) in log.rows[3..].iter_mut().zip([10_000, 13_000, 16_000]) {
                    let stamp = |at| Stamp {
                        utc: time(MONDAY + at),
                        mono_ms: at,
                    };
                    row.process = ProcessId(2);
                    (row.sent, row.ended) = (Some(stamp(at)), Some(stamp(at + 100)));
                }
            },
            &[],
        ),
        (
            "a file after an interruption",
            |log| {
                log.interrupt(1);
                log.rows[2].target = "/llms.txt".to_owned();
                log.restart(2, 0);
            },
            &["AS3"],
        ),
    ]);
}

fn reread(log: &mut Log, age: i64) {
    log.facts.run.start.window_ends = time(MONDAY + 2 * DAY);
    log.rows.truncate(3);
    log.ask(100 + age, "/robots.txt", 200).leave = Leave::Robots;
}

#[test]
fn gaps() {
    table(&[
        ("a millisecond early", |log| log.shift(2, -1), &["PC2"]),
        (
            "begun before the answer ended",
            |log| log.shift(2, -2_001),
            &["PC1", "PC2"],
        ),
        (
            "begun as the answer ended",
            |log| log.shift(2, -2_000),
            &["PC2"],
        ),
        (
            "wall time steps back, monotonic time proves the gap",
            |log| {
                for row in &mut log.rows[2..] {
                    for stamp in [&mut row.intent]
                        .into_iter()
                        .chain(&mut row.sent)
                        .chain(&mut row.ended)
                    {
                        stamp.utc = time(stamp.utc.as_millisecond() - HOUR);
                    }
                }
            },
            &[],
        ),
        (
            "wall time steps forward and hides nothing",
            |log| {
                log.shift(2, -1);
                for row in &mut log.rows[2..] {
                    for stamp in [&mut row.intent]
                        .into_iter()
                        .chain(&mut row.sent)
                        .chain(&mut row.ended)
                    {
                        stamp.utc = time(stamp.utc.as_millisecond() + HOUR);
                    }
                }
            },
            &["PC2"],
        ),
        (
            "restart, gap from process start",
            |log| log.restart(2, 4_200 - 2_000),
            &[],
        ),
        (
            "restart, a millisecond early",
            |log| log.restart(2, 4_200 - 1_999),
            &["PC2"],
        ),
        (
            "interrupted, gap from process start",
            |log| {
                log.interrupt(1);
                log.restart(2, 4_200 - 2_000);
            },
            &[],
        ),
        (
            "unanswered in the same process",
            |log| log.interrupt(1),
            &["PC1"],
        ),
        (
            "across hosts of the site",
            |log| log.sibling(2, "api.alder.test", 6_400 + 2_000),
            &[],
        ),
        (
            "across hosts of the site, a millisecond early",
            |log| log.sibling(2, "api.alder.test", 6_400 + 1_999),
            &["PC2"],
        ),
        (
            "declared delay kept",
            |log| log.robots_text("User-agent: *\nCrawl-delay: 2\n"),
            &[],
        ),
        (
            "declared delay a millisecond short",
            |log| log.robots_text("User-agent: intentroutebot\nCrawl-delay: 2.001\n"),
            &["PC3"],
        ),
        (
            "recorded delay where no text is kept",
            |log| {
                let session = log.robots.get_mut(&1).expect("a session");
                session.text = None;
                session.fetch.delay = Some((2.001, 2));
            },
            &["PC3"],
        ),
        (
            "a small delay never makes us faster",
            |log| {
                log.robots_text("User-agent: *\nCrawl-delay: 0\n");
                log.shift(2, -1);
            },
            &["PC2"],
        ),
        (
            "delay in force for a sibling's robots.txt",
            |log| {
                log.robots_text("User-agent: *\nCrawl-delay: 2\n");
                log.sibling(2, "api.alder.test", 6_400 + 1_999);
            },
            &["PC2", "PC3"],
        ),
        (
            "scaled",
            |log| {
                log.robots_text("User-agent: *\nCrawl-delay: 200\n");
                log.policy(|policy| policy.pace.scale = 0.01);
            },
            &[],
        ),
        (
            "scaled, a millisecond early",
            |log| {
                log.robots_text("User-agent: *\nCrawl-delay: 200\n");
                log.policy(|policy| policy.pace.scale = 0.01);
                log.shift(3, -1);
            },
            &["PC3"],
        ),
    ]);
}

#[test]
fn what_ends_a_visit_or_a_site() {
    table(&[
        ("429 last", |log| limited(log, 3, 429), &[]),
        ("429 before last", |log| limited(log, 2, 429), &["PC4"]),
        ("503 before last", |log| limited(log, 2, 503), &["PC4"]),
        (
            "a sibling after a 429",
            |log| {
                limited(log, 3, 429);
                log.sibling(2, "api.alder.test", 9_000);
            },
            &["PC4"],
        ),
        (
            "a sibling after a 429 that ends the visit only",
            |log| {
                limited(log, 3, 429);
                log.policy(|policy| policy.retries.limited_ends = Ends::Visit);
                log.sibling(2, "api.alder.test", 9_000);
            },
            &[],
        ),
        (
            "due when Retry-After passed",
            |log| due(log, 6_400 + 8 * DAY),
            &[],
        ),
        (
            "due a millisecond before",
            |log| due(log, 6_399 + 8 * DAY),
            &["PC4"],
        ),
        ("retries the policy allows", |log| retries(log, 2), &[]),
        ("one retry more", |log| retries(log, 1), &["AS3"]),
        (
            "a retry a millisecond before Retry-After",
            |log| {
                retries(log, 2);
                log.rows[2].retry_after_ms = Some(2_001);
            },
            &["PC4"],
        ),
        (
            "a block asked again",
            |log| {
                block(log, 2);
                log.rows[3].target = "/agents.json".to_owned();
            },
            &["AS3", "PC5"],
        ),
        (
            "three blocks end the visit",
            |log| (1..4).for_each(|index| block(log, index)),
            &[],
        ),
        (
            "asked after as many blocks as end it",
            |log| {
                log.policy(|policy| policy.retries.blocks_in_a_row = 2);
                (1..3).for_each(|index| block(log, index));
            },
            &["PC5"],
        ),
        (
            "blocks not in a row",
            |log| {
                log.policy(|policy| policy.retries.blocks_in_a_row = 2);
                block(log, 1);
                block(log, 3);
            },
            &[],
        ),
        (
            "a challenge last",
            |log| log.rows[3].outcome = Some(Outcome::Challenge),
            &[],
        ),
        (
            "a challenge before last",
            |log| log.rows[2].outcome = Some(Outcome::Challenge),
            &["PC7"],
        ),
    ]);
}

fn limited(log: &mut Log, index: usize, status: u16) {
    log.rows[index].status = Some(status);
    log.rows[index].outcome = Some(Outcome::Limited);
    log.visits[0].outcome = VisitOutcome::Limited;
}

fn due(log: &mut Log, at: i64) {
    limited(log, 3, 429);
    log.rows[3].retry_after_ms = Some(8 * DAY);
    log.due.insert(1, time(MONDAY + at));
}

/// Two retries of one location, under a policy that allows so many.
fn retries(log: &mut Log, allowed: u32) {
    log.policy(|policy| {
        policy.retries.limited_ends = Ends::Nothing;
        policy.retries.limited_retries = allowed;
    });
    for index in 1..4 {
        limited(log, index, 503);
        log.rows[index].target = "/llms.txt".to_owned();
        log.rows[index].attempt = u32::try_from(index).expect("few");
    }
}

fn block(log: &mut Log, index: usize) {
    log.rows[index].outcome = Some(Outcome::Blocked);
    log.rows[index].status = Some(403);
}

#[test]
fn transfer_and_opting_out() {
    table(&[
        (
            "a validator sent",
            |log| {
                held(log);
                log.rows[1].conditional = true;
            },
            &[],
        ),
        ("a validator held and not sent", held, &["TR1"]),
        (
            "the largest body",
            |log| log.rows[1].body_bytes = 10_000_000,
            &[],
        ),
        (
            "one byte over",
            |log| log.rows[1].body_bytes = 10_000_001,
            &["TR3"],
        ),
        (
            "over the cap and discarded",
            |log| {
                log.rows[1].outcome = Some(Outcome::TooLarge);
                (log.rows[1].body_bytes, log.rows[1].sha256) = (10_000_001, None);
            },
            &[],
        ),
        (
            "over the cap and kept",
            |log| log.rows[1].outcome = Some(Outcome::TooLarge),
            &["TR3"],
        ),
        (
            "one second after",
            |log| log.journal(5_300, "suppress add alder.test"),
            &[],
        ),
        (
            "a millisecond later",
            |log| log.journal(5_299, "suppress add alder.test"),
            &["OO4"],
        ),
        (
            "another name",
            |log| log.journal(0, "suppress add lder.test"),
            &[],
        ),
        (
            "removed before",
            |log| {
                log.journal(-9_000, "suppress add =docs.alder.test");
                log.journal(0, "suppress remove =docs.alder.test");
            },
            &[],
        ),
        (
            "one page",
            |log| log.journal(-9_000, "suppress add https://docs.alder.test/mcp.json"),
            &["OO4"],
        ),
    ]);
}

fn held(log: &mut Log) {
    log.rows[1].held = Some(Validators {
        etag: Some("\"a\"".to_owned()),
        last_modified: None,
    });
}

#[test]
fn a_loopback_run_has_no_published_source() {
    let mut log = Log::good();
    log.facts.run.start.loopback = true;
    log.facts.run.start.source_ip = None;
    let findings = log.audit();
    let source = finding(&findings, "ID3");
    assert_eq!((source.checked, source.breaches), (0, 0));
    assert_eq!(source.worst, "loopback run: not applicable");
}

#[test]
fn interrupted_and_withdrawn_requests_are_counted() {
    let mut log = Log::good();
    log.interrupt(3);
    let mut withdrawn = log.rows[3].clone();
    withdrawn.outcome = Some(Outcome::Withdrawn);
    log.rows.push(withdrawn);
    let findings = log.audit();
    assert_eq!(breached(&findings), Vec::<&str>::new());
    let worst = &finding(&findings, "AS3").worst;
    assert!(
        worst.contains("1 without an outcome (interrupted)"),
        "{worst}"
    );
    assert!(worst.contains("1 withdrawn before sending"), "{worst}");
}

#[test]
fn an_empty_run_has_nothing_to_check() {
    let mut log = Log::good();
    log.rows.clear();
    log.visits.clear();
    let findings = log.audit();
    assert_eq!(breached(&findings), Vec::<&str>::new());
    for id in ["AS1", "AS8", "RB1", "PC1", "PC2", "TR3", "OO1"] {
        assert_eq!(finding(&findings, id).worst, "nothing to check", "{id}");
    }
}

#[test]
fn a_breach_names_the_request_the_host_and_the_time() {
    let mut log = Log::good();
    log.shift(2, -1);
    let key = log.rows[2].key;
    let findings = log.audit();
    let gap = finding(&findings, "PC2");
    assert_eq!(gap.first[0].request, Some(key));
    assert_eq!(
        gap.first[0].what,
        "a gap of 2,000 ms was promised, 1,999 ms were kept (docs.alder.test/agents.json 2026-11-30 06:00:04.199Z)"
    );
    assert!(
        gap.worst.starts_with("smallest gap 1,999 ms of 2,000 ms"),
        "{}",
        gap.worst
    );
}

/// The ledger as people read it, which is not part of this repository.
#[test]
fn the_ledger_is_the_one_people_read() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/PROMISES.md");
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED: {} is absent on this machine", path.display());
        return;
    };
    let mut section = String::new();
    let mut read = Vec::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = name.to_owned();
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if line.starts_with('|')
            && cells.len() == 6
            && cells[0] != "id"
            && !cells[0].starts_with('-')
        {
            let cells = cells.into_iter().map(str::to_owned).collect::<Vec<_>>();
            read.push((section.clone(), cells));
        }
    }
    let ours = ledger().expect("the ledger");
    assert_eq!(ours.len(), read.len());
    for (promise, (section, cells)) in ours.iter().zip(&read) {
        let policies = ["intentroute", "itisyou", "sitemapped"].map(|name| &promise.policies[name]);
        assert_eq!((&promise.id, &promise.section), (&cells[0], section));
        assert_eq!(promise.words, cells[1], "{}", promise.id);
        assert_eq!(
            policies,
            [&cells[2], &cells[3], &cells[4]],
            "{}",
            promise.id
        );
        assert_eq!(written(promise), cells[5], "{}", promise.id);
    }
}

fn written(promise: &Promise) -> String {
    let proofs = promise.audit.iter().map(|proof| {
        let word = match proof.kind {
            AuditKind::Log => "log",
            AuditKind::Build => "build",
            AuditKind::Desk => "desk",
            AuditKind::Page => "page",
        };
        match &proof.part {
            Some(part) => format!("{word} ({part})"),
            None => word.to_owned(),
        }
    });
    proofs.collect::<Vec<_>>().join(", ")
}
