//! Whose Crawl-delay is kept for a robots.txt and its hops.

use std::time::Duration;

use lamplighter::fetch::Outcome;
use lamplighter::store::{HostId, Leave, RobotsId};

use super::log::{DAY, HOUR, Log, MONDAY, host, table, time};

/// docs.alder.test declares a delay of 2 s where 1 s is the least, and keeps it until 6.4 s into the run.
fn declared(log: &mut Log) {
    log.policy(|policy| {
        policy.pace.min_gap = Duration::from_secs(1);
        policy.plan.budget = 20;
    });
    log.robots_text("User-agent: *\nCrawl-delay: 2\n");
}

/// A page of robots.txt asked for the visit to host `id`, at `at` ms: a redirect to `to`, or no rules.
fn page(log: &mut Log, id: i64, asked: (i64, &str, &str), at: i64, to: Option<&str>) {
    let (of, name, target) = asked;
    let row = log.ask(at, target, if to.is_some() { 301 } else { 404 });
    row.leave = Leave::Robots;
    row.redirect = to.map(str::to_owned);
    (row.host, row.visit_host, row.host_name) = (HostId(of), HostId(id), host(name));
}

/// robots.txt of another host, redirected to nowhere that is followed.
fn closed(log: &mut Log, at: i64, to: &str) {
    page(log, 2, (2, "b.alder.test", "/robots.txt"), at, Some(to));
}

/// robots.txt of a third host that moves to a fourth, a gap of 1 s before each.
fn moves(log: &mut Log, at: i64) {
    let to = Some("https://d.alder.test/robots.txt");
    page(log, 3, (3, "c.alder.test", "/robots.txt"), at, to);
    page(log, 3, (4, "d.alder.test", "/robots.txt"), at + 1_100, None);
}

/// robots.txt of a third host, whose two hops are on the host that declared a delay, the last one `gap`
/// ms after the first.
fn leads_back(log: &mut Log, gap: i64) {
    page(log, 2, (2, "b.alder.test", "/robots.txt"), 8_400, None);
    let to = |page| Some(["https://docs.alder.test/r1", "https://docs.alder.test/r2"][page]);
    page(log, 3, (3, "c.alder.test", "/robots.txt"), 9_500, to(0));
    page(log, 3, (1, "docs.alder.test", "/r1"), 11_600, to(1));
    page(log, 3, (1, "docs.alder.test", "/r2"), 11_700 + gap, None);
}

#[test]
fn a_delay_binds_the_host_that_declared_it_and_the_request_after_it() {
    table(&[
        (
            "kept before the next host",
            |log| {
                declared(log);
                log.sibling(2, "b.alder.test", 8_400);
            },
            &[],
        ),
        (
            "a millisecond short before the next host",
            |log| {
                declared(log);
                log.sibling(2, "b.alder.test", 8_399);
            },
            &["PC3"],
        ),
        (
            "kept before the next host, after a restart",
            |log| {
                declared(log);
                log.sibling(2, "b.alder.test", 8_400);
                log.restart(4, 6_400);
            },
            &[],
        ),
        (
            "a millisecond short after a restart",
            |log| {
                declared(log);
                log.sibling(2, "b.alder.test", 8_400);
                log.restart(4, 6_401);
            },
            &["PC3"],
        ),
        (
            "a host closed by a redirect in a circle in between",
            |log| {
                declared(log);
                closed(log, 8_400, "https://b.alder.test/robots.txt");
                moves(log, 9_500);
            },
            &[],
        ),
        (
            "a host closed by a redirect off the site in between",
            |log| {
                declared(log);
                closed(log, 8_400, "https://oak.test/robots.txt");
                moves(log, 9_500);
            },
            &[],
        ),
        (
            "a host closed by a redirect to nowhere in between",
            |log| {
                declared(log);
                closed(log, 8_400, "javascript:1");
                moves(log, 9_500);
            },
            &[],
        ),
        (
            "a hop after a restart",
            |log| {
                declared(log);
                moves(log, 8_400);
                log.restart(5, 8_500);
            },
            &[],
        ),
        (
            "a hop to another host after a robots.txt that was interrupted",
            |log| {
                declared(log);
                moves(log, 9_600);
                let again = log.rows[4].clone();
                log.rows.insert(4, again);
                log.interrupt(4);
                log.restart(5, 7_500);
            },
            &[],
        ),
    ]);
}

#[test]
fn a_hop_keeps_the_delay_of_the_host_it_lands_on() {
    table(&[
        (
            "kept",
            |log| {
                declared(log);
                leads_back(log, 2_000);
            },
            &[],
        ),
        (
            "a millisecond short",
            |log| {
                declared(log);
                leads_back(log, 1_999);
            },
            &["PC3"],
        ),
        (
            "a millisecond short before the first hop",
            |log| {
                declared(log);
                leads_back(log, 2_000);
                log.shift(6, -1);
            },
            &["PC3"],
        ),
        (
            "kept after a restart",
            |log| {
                declared(log);
                leads_back(log, 2_000);
                log.restart(7, 11_700);
            },
            &[],
        ),
        (
            "a millisecond short after a restart",
            |log| {
                declared(log);
                leads_back(log, 2_000);
                log.restart(7, 11_701);
            },
            &["PC3"],
        ),
        (
            "a millisecond short, and the policy's bound is less",
            |log| {
                declared(log);
                log.policy(|policy| policy.pace.delay_max = Some(Duration::from_secs(1)));
                leads_back(log, 1_999);
            },
            &[],
        ),
        (
            "scaled and a millisecond short",
            |log| {
                declared(log);
                log.robots_text("User-agent: *\nCrawl-delay: 200\n");
                log.policy(|policy| policy.pace.scale = 0.01);
                leads_back(log, 1_999);
            },
            &["PC3"],
        ),
        (
            "declared by a host of which all was denied, and a millisecond short",
            |log| {
                declared(log);
                log.visits[0]
                    .denied
                    .push(("/llms.txt".to_owned(), RobotsId(1), 3));
                leads_back(log, 1_999);
                log.rows.drain(1..4);
            },
            &["PC3"],
        ),
        (
            "declared, and asked anew since without a delay",
            |log| {
                declared(log);
                page(
                    log,
                    1,
                    (1, "docs.alder.test", "/robots.txt"),
                    DAY + 100,
                    None,
                );
                leads_back(log, 1_999);
                log.shift(5, DAY);
                log.facts.run.start.window_ends = time(MONDAY + 2 * DAY);
            },
            &[],
        ),
        (
            "declared, and what was asked anew was a hop",
            |log| {
                declared(log);
                let to = "https://docs.alder.test/r0";
                page(
                    log,
                    1,
                    (1, "docs.alder.test", "/robots.txt"),
                    DAY + 100,
                    Some(to),
                );
                page(log, 1, (1, "docs.alder.test", "/r0"), DAY + 2_200, None);
                leads_back(log, 1_999);
                log.shift(6, DAY);
                log.facts.run.start.window_ends = time(MONDAY + 2 * DAY);
            },
            &[],
        ),
        (
            "declared in an earlier run",
            |log| {
                declared(log);
                log.policy(|policy| policy.robots.one_visit = false);
                log.rows.remove(0);
                log.session(1, 1, MONDAY - HOUR, "rules");
                log.robots_text("User-agent: *\nCrawl-delay: 2\n");
                leads_back(log, 1_999);
            },
            &[],
        ),
        (
            "declared, but the file was not followed",
            |log| {
                declared(log);
                log.robots_answer(200, Outcome::Present, "closed:not_robots");
                log.robots_text("User-agent: *\nCrawl-delay: 2\n");
                log.visits[0]
                    .denied
                    .push(("/llms.txt".to_owned(), RobotsId(1), 3));
                log.rows.truncate(1);
                leads_back(log, 1_999);
            },
            &[],
        ),
    ]);
}
