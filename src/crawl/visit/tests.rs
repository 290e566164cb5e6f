//! A visit folded from what the log of an earlier process holds: what comes next.

mod resumed;
mod robots;

use jiff::Timestamp;

use super::{Hop, InForce, Known, Next, NextHop, Robots, Visit, next_hop, resume};
use crate::crawl::plan::{FilesPlan, Plan as _};
use crate::fetch::{Outcome, Redirect};
use crate::hosts::{Host, NameRules};
use crate::policy::{self, Method, Policy};
use crate::robots::{Access, Closed, RobotsFile};
use crate::store::{
    HostId, Leave, LogRow, ProcessId, RequestKey, RobotsId, RunId, SiteId, SpanState, Stamp,
};

const CARD: &str = "/.well-known/agent-card.json";

fn known(id: i64, name: &str) -> Known {
    Known {
        id: HostId(id),
        host: Host::parse(name, NameRules::Loopback).unwrap(),
    }
}

fn apex() -> Known {
    known(1, "apex.test")
}

fn www() -> Known {
    known(2, "www.apex.test")
}

fn policy() -> Policy {
    policy::builtin("intentroute").unwrap()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(1_796_018_400 + second).unwrap()
}

/// A row of the apex's visit.
fn row(host: &Known, target: &str, leave: Leave, outcome: Option<Outcome>) -> LogRow {
    let stamp = Stamp {
        utc: at(0),
        mono_ms: 0,
    };
    LogRow {
        key: RequestKey {
            site: SiteId(1),
            at_ms: 0,
            seq: 0,
        },
        run: RunId(1),
        process: ProcessId(1),
        host: host.id,
        host_name: host.host.clone(),
        visit_host: HostId(1),
        turn: 1,
        target: target.to_owned(),
        method: Method::Get,
        attempt: 1,
        intent: stamp,
        sent: outcome.map(|_| stamp),
        ended: outcome.map(|_| stamp),
        outcome,
        status: (outcome == Some(Outcome::Limited)).then_some(429),
        remote: None,
        leave,
        held: None,
        conditional: false,
        gap_ms: 2_000,
        coding: String::new(),
        wire_bytes: 0,
        body_bytes: 0,
        sha256: None,
        connection: 1,
        redirect: None,
        retry_after_ms: None,
        detail: None,
    }
}

fn robots(host: &Known, outcome: impl Into<Option<Outcome>>) -> LogRow {
    row(host, "/robots.txt", Leave::Robots, outcome.into())
}

/// A hop of robots.txt that leads on to `target`.
fn hop(host: &Known, path: &str, target: &str) -> LogRow {
    LogRow {
        redirect: Some(target.to_owned()),
        ..row(host, path, Leave::Robots, Some(Outcome::Redirect))
    }
}

fn file(host: &Known, path: &str, outcome: impl Into<Option<Outcome>>) -> LogRow {
    row(host, path, Leave::NoRule(RobotsId(1)), outcome.into())
}

/// Files from the start of the list, answered so.
fn files(host: &Known, outcomes: &[Outcome]) -> Vec<LogRow> {
    let plan = FilesPlan::new(&policy().plan);
    let answered = plan.locations().iter().zip(outcomes);
    answered
        .map(|(location, outcome)| file(host, &location.path, *outcome))
        .collect()
}

fn in_force(access: Access, text: &str) -> InForce {
    let file = (access == Access::Rules)
        .then(|| RobotsFile::read(text.as_bytes(), "IntentRouteBot", 512_000));
    InForce {
        id: RobotsId(1),
        access,
        file,
        valid_until: at(86_400),
    }
}

fn fold_turn(turn: u32, rows: &[LogRow], sessions: &dyn Fn(HostId) -> Option<InForce>) -> Visit {
    let policy = policy();
    let plan = FilesPlan::new(&policy.plan);
    let visit = Visit::new(apex(), turn, plan.locations().len());
    let mut session = |owner: HostId, _: &LogRow| sessions(owner);
    resume(
        visit,
        &policy,
        &plan,
        NameRules::Loopback,
        rows,
        &mut session,
        &mut |_| None,
    )
}

fn fold(rows: &[LogRow]) -> Visit {
    fold_turn(1, rows, &|_| Some(in_force(Access::Rules, "")))
}

fn next_at(visit: &mut Visit, now: Timestamp) -> String {
    let policy = policy();
    let plan = FilesPlan::new(&policy.plan);
    match visit.next(&policy, &plan, now) {
        Next::Robots(hop) => format!("robots of {}: {}{}", hop.speaks_for, hop.host, hop.path),
        Next::Location { index, .. } => {
            format!("{}{}", visit.asked.host, plan.locations()[index].path)
        }
        Next::ReadersDisagree { index } => format!("disagree on {index}"),
        Next::End(outcome) => format!("end: {}", outcome.word()),
    }
}

fn next(visit: &mut Visit) -> String {
    next_at(visit, at(60))
}
