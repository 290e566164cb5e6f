//! A visit folded from what the log of an earlier process holds: what comes next.

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

#[test]
fn a_prefix_of_the_log_tells_what_comes_next() {
    use Outcome::{Absent, Blocked, Challenge, Limited, Present, Timeout, Withdrawn};
    let (a, w) = (apex(), www());
    let to_www = || hop(&a, "/robots.txt", "http://www.apex.test/robots.txt");
    let onward = || hop(&w, "/robots.txt", "http://www.apex.test/real.txt");
    let real = |outcome| row(&w, "/real.txt", Leave::Robots, outcome);
    let with = |first: LogRow, rest: Vec<LogRow>| [vec![first], rest].concat();
    let mut whole = files(&a, &[Absent; 12]);
    let conditional = file(&a, "/.well-known/agent.json", Absent);
    let first = "robots of apex.test: apex.test/robots.txt";
    let second = "robots of www.apex.test: www.apex.test/robots.txt";
    let third = "robots of www.apex.test: www.apex.test/real.txt";
    let table = [
        ("nothing yet", vec![], first),
        // robots.txt: asked again where it was interrupted or never left.
        ("robots interrupted", vec![robots(&a, None)], first),
        ("robots withdrawn", vec![robots(&a, Withdrawn)], first),
        (
            "robots read",
            vec![robots(&a, Present)],
            "apex.test/llms.txt",
        ),
        (
            "robots again",
            vec![robots(&a, None), robots(&a, Present)],
            "apex.test/llms.txt",
        ),
        ("robots limited", vec![robots(&a, Limited)], "end: limited"),
        (
            "robots limited by a challenge page",
            vec![LogRow {
                status: Some(429),
                ..robots(&a, Challenge)
            }],
            "end: limited",
        ),
        (
            "robots challenged",
            vec![robots(&a, Challenge)],
            "end: challenge",
        ),
        // Hops.
        ("a hop", vec![to_www()], second),
        (
            "a hop interrupted",
            vec![to_www(), robots(&w, None)],
            second,
        ),
        (
            "a hop withdrawn",
            vec![to_www(), robots(&w, Withdrawn)],
            second,
        ),
        (
            "moved",
            vec![to_www(), robots(&w, Present)],
            "www.apex.test/llms.txt",
        ),
        ("two hops", vec![to_www(), onward()], third),
        (
            "the second interrupted",
            vec![to_www(), onward(), real(None)],
            third,
        ),
        (
            "moved in two",
            vec![to_www(), onward(), real(Some(Present))],
            "www.apex.test/llms.txt",
        ),
        (
            "moved and going on",
            with(
                to_www(),
                with(robots(&w, Present), files(&w, &[Present, Absent])),
            ),
            "www.apex.test/.well-known/mcp/server-card.json",
        ),
        (
            "another path of the same host",
            vec![
                hop(&a, "/robots.txt", "http://apex.test/r"),
                row(&a, "/r", Leave::Robots, Some(Present)),
            ],
            "apex.test/llms.txt",
        ),
        // Locations: an interrupted one is never asked again, a withdrawn one still may.
        (
            "a file",
            with(robots(&a, Present), files(&a, &[Present])),
            "apex.test/.well-known/agent-card.json",
        ),
        (
            "a file interrupted",
            vec![robots(&a, Present), file(&a, "/llms.txt", None)],
            "apex.test/.well-known/agent-card.json",
        ),
        (
            "a file withdrawn",
            vec![robots(&a, Present), file(&a, "/llms.txt", Withdrawn)],
            "apex.test/llms.txt",
        ),
        (
            "withdrawn and then answered",
            vec![
                robots(&a, Present),
                file(&a, "/llms.txt", Withdrawn),
                file(&a, "/llms.txt", Timeout),
            ],
            "apex.test/.well-known/agent-card.json",
        ),
        // What ends a visit has ended it.
        (
            "limited",
            with(robots(&a, Present), files(&a, &[Present, Limited])),
            "end: limited",
        ),
        (
            "challenged",
            with(robots(&a, Present), files(&a, &[Challenge])),
            "end: challenge",
        ),
        (
            "two blocks",
            with(robots(&a, Present), files(&a, &[Blocked, Blocked])),
            "apex.test/.well-known/mcp/server-card.json",
        ),
        (
            "three blocks",
            with(robots(&a, Present), files(&a, &[Blocked; 3])),
            "end: blocked",
        ),
        (
            "a block, none, two blocks",
            with(
                robots(&a, Present),
                files(&a, &[Blocked, Absent, Blocked, Blocked]),
            ),
            "apex.test/.well-known/ai-catalog.json",
        ),
        (
            "the whole list",
            with(robots(&a, Present), whole.clone()),
            "apex.test/.well-known/agent.json",
        ),
        (
            "and the conditional one",
            with(
                robots(&a, Present),
                [whole.clone(), vec![conditional]].concat(),
            ),
            "end: done",
        ),
        (
            "no budget for it after a hop",
            with(
                to_www(),
                with(robots(&w, Present), files(&w, &[Absent; 12])),
            ),
            "end: budget_spent",
        ),
        (
            "an interrupted card is not absent",
            {
                whole[1].outcome = None;
                with(robots(&a, Present), whole)
            },
            "end: done",
        ),
    ];
    for (case, rows, expected) in table {
        assert_eq!(next(&mut fold(&rows)), expected, "{case}");
    }
}

#[test]
fn a_session_that_is_not_stored_or_closed_decides_too() {
    let read = [robots(&apex(), Outcome::Present)];
    let mut lost = fold_turn(1, &read, &|_| None);
    assert_eq!(next(&mut lost), "robots of apex.test: apex.test/robots.txt");
    let closed = |_| Some(in_force(Access::Closed(Closed::Status), ""));
    let mut closed = fold_turn(1, &[robots(&apex(), Outcome::ServerError)], &closed);
    assert_eq!(next(&mut closed), "end: closed:status");
    let shut = |_| {
        let rules = "User-agent: *\nDisallow: /\nAllow: /agents.md\n";
        Some(in_force(Access::Rules, rules))
    };
    let mut shut = fold_turn(1, &read, &shut);
    assert_eq!(next(&mut shut), "apex.test/agents.md");
    // Denials are found anew, with the line that denied.
    assert_eq!(shut.denied[0], ("/llms.txt".to_owned(), RobotsId(1), 2));
    assert_eq!(shut.denied.len(), 10);
}

// RB9: a file that ran out is asked for again before anything else, on the host the visit moved to.
#[test]
fn an_expired_robots_txt_is_read_anew_and_the_visit_goes_on() {
    let rows = [
        hop(&apex(), "/robots.txt", "http://www.apex.test/robots.txt"),
        robots(&www(), Outcome::Present),
        file(&www(), "/llms.txt", Outcome::Present),
    ];
    let late = at(86_400);
    let again = "robots of www.apex.test: www.apex.test/robots.txt";
    let mut visit = fold(&rows);
    assert_eq!(next_at(&mut visit, late), again);
    let interrupted = [&rows[..], &[robots(&www(), None)]].concat();
    assert_eq!(next(&mut fold(&interrupted)), again);
    let answered = [&interrupted[..], &[robots(&www(), Outcome::NotModified)]].concat();
    let mut visit = fold(&answered);
    assert_eq!(next(&mut visit), format!("www.apex.test{CARD}"));
    assert_eq!(visit.listed, apex());
}

#[test]
fn states_budget_and_attempts_are_those_of_the_log() {
    let (a, w) = (apex(), www());
    let rows = [
        robots(&a, None),
        robots(&a, Outcome::Withdrawn),
        robots(&a, Outcome::Present),
        file(&a, "/llms.txt", Outcome::Withdrawn),
        file(&a, "/llms.txt", None),
        file(&a, CARD, Outcome::SoftAbsent),
    ];
    let mut visit = fold(&rows);
    let states = visit.location_states();
    assert_eq!(
        states[..4],
        [
            SpanState::Present,
            SpanState::Interrupted,
            SpanState::SoftAbsent,
            SpanState::NotAsked
        ]
    );
    // Interrupted requests may have been seen by the server and count; withdrawn ones do not.
    assert_eq!(visit.spent, 4);
    for (host, target, attempt) in [
        (&a, "/robots.txt", 4),
        (&a, "/llms.txt", 3),
        (&a, CARD, 2),
        (&a, "/agents.md", 1),
        (&w, "/robots.txt", 1),
    ] {
        assert_eq!(visit.attempt(host.id, target), attempt, "{target}");
    }
}

// T11: the earlier location is told in the record of the visit, also after a crash in between.
#[test]
fn one_body_at_two_kinds_is_no_file_at_either() {
    let with_body = |path: &str, body: u8, outcome| LogRow {
        sha256: Some([body; 32]),
        ..file(&apex(), path, outcome)
    };
    let rows = [
        robots(&apex(), Outcome::Present),
        with_body("/llms.txt", 1, Outcome::Present),
        with_body(CARD, 2, Outcome::Present),
        with_body("/openapi.json", 2, Outcome::SoftAbsent),
        with_body("/llms-full.txt", 1, Outcome::Present),
    ];
    let states = |count: usize| fold(&rows[..count]).location_states();
    assert_eq!(states(3)[2], SpanState::Present);
    let soft: Vec<_> = states(5).into_iter().enumerate().collect();
    for (index, state) in soft {
        let expected = match index {
            0 | 1 | 12 => SpanState::Present,
            2 | 10 => SpanState::SoftAbsent,
            _ => SpanState::NotAsked,
        };
        assert_eq!(state, expected, "{index}");
    }
}

#[test]
fn rows_of_other_visits_and_turns_cost_nothing_and_are_not_repeated() {
    let (a, w) = (apex(), www());
    let by = |visit_host: i64, turn: u32, row: LogRow| LogRow {
        visit_host: HostId(visit_host),
        turn,
        ..row
    };
    let rows = [
        // A sibling's own visit.
        by(2, 1, robots(&w, Outcome::Present)),
        by(2, 1, file(&w, "/llms.txt", Outcome::Limited)),
        // An earlier turn of this host, closed then.
        by(1, 1, robots(&a, Outcome::ServerError)),
        by(1, 2, robots(&a, Outcome::Present)),
        // This host, asked in a visit that moved to it.
        by(2, 1, file(&a, "/llms.txt", Outcome::Present)),
    ];
    let mut visit = fold_turn(2, &rows, &|_| Some(in_force(Access::Rules, "")));
    assert_eq!(next(&mut visit), format!("apex.test{CARD}"));
    assert_eq!(visit.spent, 1);
    assert_eq!(visit.attempt(a.id, "/robots.txt"), 3);
    assert_eq!(visit.attempt(w.id, "/robots.txt"), 2);
}

#[test]
fn hops_are_judged_one_by_one() {
    let follow = |hop: &Hop, to: &str| {
        let redirect = Redirect::To(to.parse().unwrap());
        match next_hop(&policy(), NameRules::Loopback, hop, &redirect) {
            NextHop::Follow(next) => Ok(next),
            NextHop::Closed(why) => Err(why),
        }
    };
    let first = Hop::first(&apex().host);
    for (to, why) in [
        ("http://elsewhere.test/robots.txt", "off the site"),
        ("http://apex.test/robots.txt", "circle"),
        ("http://apex.test/robots.txt?a=1", "query"),
        ("http://192.0.2.7/robots.txt", "no host we ask"),
        ("http://www.apex.test/llms.txt", "location of the plan"),
        ("http://apex.test/%6clms.txt", "location of the plan"),
    ] {
        let said = follow(&first, to).unwrap_err();
        assert!(said.contains(why), "{to}: {said}");
    }
    let mut hop = first;
    for number in 1..=5 {
        hop = follow(&hop, &format!("http://n{number}.apex.test/r")).unwrap();
        assert_eq!(hop.redirects, number);
        assert_eq!(hop.speaks_for, apex().host);
    }
    let said = follow(&hop, "http://apex.test/last").unwrap_err();
    assert!(said.contains("more than 5"), "{said}");
    let moved = follow(&Hop::first(&apex().host), "http://www.apex.test/robots.txt").unwrap();
    assert_eq!(moved.speaks_for, www().host);
    let real = follow(&moved, "http://apex.test/real.txt").unwrap();
    assert_eq!(real.speaks_for, www().host);
}

#[test]
fn a_new_visit_asks_robots_txt_before_anything_else() {
    let mut visit = Visit::new(apex(), 1, 13);
    assert!(matches!(visit.robots, Robots::Ask(_)));
    assert_eq!(
        next(&mut visit),
        "robots of apex.test: apex.test/robots.txt"
    );
}
