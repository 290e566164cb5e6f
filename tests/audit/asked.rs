//! Identity, and what is asked for.

use lamplighter::fetch::Outcome;
use lamplighter::policy::{FileRedirects, Method};
use lamplighter::store::{HostId, Leave, RobotsId, VisitOutcome};

use super::log::{DAY, HOUR, Log, MONDAY, finding, host, table, time};

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
            "taken up after the window by a process with a window of its own",
            |log| {
                log.facts.run.start.window_ends = time(MONDAY - 10_000);
                log.facts.processes[0].started = time(MONDAY - 10_000);
            },
            &[],
        ),
        (
            "after the window of a process that took the run up late",
            |log| {
                log.facts.run.start.window_ends = time(MONDAY - DAY - 10_000);
                log.facts.processes[0].started = time(MONDAY - DAY + 6_299);
            },
            &["AS9"],
        ),
        (
            "in the next period, whatever the window of a late process",
            |log| {
                log.facts.run.start.at = time(MONDAY - 4 * DAY);
                log.facts.run.start.window_ends = time(MONDAY - 3 * DAY);
                log.facts.processes[0].started = time(MONDAY - 6 * HOUR - 1_000);
            },
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
