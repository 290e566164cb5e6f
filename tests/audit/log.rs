//! A synthetic run, to be changed by each case, and the table of cases.

use std::collections::BTreeMap;

use jiff::Timestamp;
use lamplighter::audit::{Auditor, Evidence, Facts, Finding, ProcessFacts, ledger};
use lamplighter::fetch::Outcome;
use lamplighter::hosts::{Host, NameRules};
use lamplighter::policy::{Method, Policy, builtin};
use lamplighter::store::{
    HostId, JournalEntry, Leave, LogRow, ProcessId, RequestKey, RobotsFetch, RobotsId,
    RobotsSession, Run, RunId, RunStart, SiteId, SpanState, Stamp, VisitOutcome, VisitRecord,
};

/// The built-in policy with a short plan, published addresses and a small budget.
pub(super) fn policy() -> Policy {
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
pub(super) const MONDAY: i64 = 1_796_018_400_000;
pub(super) const HOUR: i64 = 3_600_000;
pub(super) const DAY: i64 = 24 * HOUR;
/// Monotonic time at MONDAY.
pub(super) const MONO: i64 = 5_000;

pub(super) fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).expect("a time")
}

pub(super) fn host(name: &str) -> Host {
    Host::parse(name, NameRules::Loopback).expect("a host")
}

/// A run as the audit reads it, to be changed by each case.
pub(super) struct Log {
    pub(super) facts: Facts,
    pub(super) visits: Vec<VisitRecord>,
    pub(super) rows: Vec<LogRow>,
    pub(super) robots: BTreeMap<i64, RobotsSession>,
    pub(super) due: BTreeMap<i64, Timestamp>,
}

pub(super) struct Shelf {
    pub(super) robots: BTreeMap<i64, RobotsSession>,
    pub(super) due: BTreeMap<i64, Timestamp>,
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
    pub(super) fn good() -> Log {
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
            shift_ms: 0,
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
    pub(super) fn ask(&mut self, at: i64, target: &str, status: u16) -> &mut LogRow {
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
    pub(super) fn sibling(&mut self, id: i64, name: &str, at: i64) {
        self.session(id, id, MONDAY + at + 100, "rules");
        let row = self.ask(at, "/robots.txt", 200);
        row.leave = Leave::Robots;
        row.host = HostId(id);
        row.visit_host = HostId(id);
        row.host_name = host(name);
    }

    pub(super) fn session(&mut self, id: i64, of: i64, at: i64, access: &str) {
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
                sha256: Some([0; 32]),
                valid_until: time(at + DAY),
                delay: None,
                signals: "{}".to_owned(),
            },
            text: Some(text.as_bytes().to_vec()),
        };
        self.robots.insert(id, session);
    }

    pub(super) fn robots_text(&mut self, text: &str) {
        self.robots.get_mut(&1).expect("a session").text = Some(text.as_bytes().to_vec());
    }

    /// The robots.txt of the visit was answered so, and taken as `access`.
    pub(super) fn robots_answer(&mut self, status: u16, outcome: Outcome, access: &str) {
        self.rows[0].status = Some(status);
        self.rows[0].outcome = Some(outcome);
        self.session(1, 1, MONDAY + 100, access);
    }

    /// Moves row `index` and all after it by `ms`.
    pub(super) fn shift(&mut self, index: usize, ms: i64) {
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
    pub(super) fn interrupt(&mut self, index: usize) {
        let row = &mut self.rows[index];
        (row.sent, row.ended, row.outcome, row.status, row.sha256) = (None, None, None, None, None);
    }

    /// Row `index` and all after it are of the second process, which started at `started` ms.
    pub(super) fn restart(&mut self, index: usize, started: i64) {
        for row in &mut self.rows[index..] {
            row.process = ProcessId(2);
            let from_start = |stamp: &mut Stamp| stamp.mono_ms -= MONO + started;
            from_start(&mut row.intent);
            row.sent.iter_mut().for_each(from_start);
            row.ended.iter_mut().for_each(from_start);
        }
    }

    /// The same change to the policy of the run and of each of its processes.
    pub(super) fn policy(&mut self, change: impl Fn(&mut Policy)) {
        change(&mut self.facts.policy);
        for process in &mut self.facts.processes {
            change(&mut process.policy);
        }
    }

    pub(super) fn journal(&mut self, at: i64, action: &str) {
        self.facts.journal.push(JournalEntry {
            at: time(MONDAY + at),
            by: "watcher".to_owned(),
            action: action.to_owned(),
            why: "asked to".to_owned(),
            inverse: String::new(),
            shift_ms: 0,
        });
    }

    /// The clocks of the processes, or that of the newest journal entry, are this much ahead of the
    /// system's; what they wrote down stays as it is.
    pub(super) fn set_clocks(&mut self, processes: i64, entry: i64) {
        for process in &mut self.facts.processes {
            process.shift_ms = processes;
        }
        if let Some(last) = self.facts.journal.last_mut() {
            last.shift_ms = entry;
        }
    }

    pub(super) fn audit(self) -> Vec<Finding> {
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

pub(super) fn visit(id: i64) -> VisitRecord {
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

pub(super) fn finding<'a>(findings: &'a [Finding], id: &str) -> &'a Finding {
    let found = findings.iter().find(|finding| finding.promise == id);
    found.unwrap_or_else(|| panic!("{id} has no finding"))
}

/// The promises breached.
pub(super) fn breached(findings: &[Finding]) -> Vec<&str> {
    findings
        .iter()
        .filter(|finding| finding.breaches > 0)
        .map(|finding| finding.promise.as_str())
        .collect()
}

/// Name, change to the good log, promises breached.
pub(super) type Case<'a> = (&'a str, fn(&mut Log), &'a [&'a str]);

/// Each change to the good log, and exactly the promises it breaches.
pub(super) fn table(cases: &[Case<'_>]) {
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
