//! A visit folded from the log: what comes next, and what it has cost.

use super::*;

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
