//! How slowly, and what ends a visit or a site.

use lamplighter::fetch::Outcome;
use lamplighter::policy::{Adaptive, Ends};
use lamplighter::store::{ProcessId, SiteId, Stamp, VisitOutcome};

use super::log::{DAY, HOUR, Log, MONDAY, MONO, finding, table, time};

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
fn one_process_asks_at_a_time() {
    table(&[
        ("one after the other", |log| second(log, 2, 2_200), &[]),
        (
            "the second begins as the last answer of the first ends",
            |log| {
                second(log, 2, 2_200);
                ends(log, 1, 4_200);
            },
            &[],
        ),
        (
            "a millisecond before",
            |log| {
                second(log, 2, 2_200);
                ends(log, 1, 4_201);
            },
            &["PC1"],
        ),
        (
            "between two requests of the other",
            |log| {
                let last = log.rows[3].clone();
                second(log, 2, 2_200);
                log.rows[3] = last;
            },
            &["PC1"],
        ),
        (
            "between them on another site",
            |log| {
                log.sibling(2, "oak.test", 4_200);
                log.rows[4].key.site = SiteId(2);
                second(log, 4, 2_200);
            },
            &["PC1"],
        ),
        (
            "after them on another site",
            |log| {
                log.sibling(2, "oak.test", 6_400);
                log.rows[4].key.site = SiteId(2);
                second(log, 4, 6_400);
            },
            &[],
        ),
        (
            "a withdrawn request between them was never asked",
            |log| {
                let mut row = log.rows[1].clone();
                row.process = ProcessId(2);
                (row.sent, row.ended, row.outcome) = (None, None, Some(Outcome::Withdrawn));
                log.rows.insert(1, row);
                log.facts.processes[1].started = time(MONDAY);
            },
            &[],
        ),
        (
            "the clock was an hour ahead while the first one ended",
            |log| {
                second(log, 2, 2_200);
                ends(log, 1, 2_200);
                let ended = log.rows[1].ended.as_mut().expect("an end");
                ended.utc = time(MONDAY + 2_200 + HOUR);
            },
            &[],
        ),
    ]);
}

#[test]
fn slow_sites_are_asked_more_slowly() {
    for (factor, expected) in [(20, 0), (21, 3)] {
        let mut log = Log::good();
        log.policy(|policy| {
            policy.name = "itisyou".to_owned();
            policy.pace.adaptive = Some(Adaptive {
                response_factor: factor,
                max_gap: std::time::Duration::from_secs(3600),
                halve_after: 5,
            });
        });
        let findings = log.audit();
        assert_eq!(finding(&findings, "PC6").breaches, expected, "{factor}");
        assert_eq!(finding(&findings, "PC2").breaches, 0);
    }
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
            "an answer without a readable head last",
            |log| unreadable(log, 3),
            &[],
        ),
        (
            "an answer without a readable head before last",
            |log| unreadable(log, 2),
            &["PC4"],
        ),
        (
            "a robots.txt without a readable head, and files asked",
            |log| {
                log.robots_answer(200, Outcome::Malformed, "closed:unreachable");
                log.rows[0].status = None;
            },
            &["RB6", "PC4"],
        ),
        (
            "a sibling after an answer without a readable head",
            |log| {
                unreadable(log, 3);
                log.sibling(2, "api.alder.test", 9_000);
            },
            &["PC4"],
        ),
        (
            "a sibling after one that ends the visit only",
            |log| {
                unreadable(log, 3);
                log.policy(|policy| policy.retries.limited_ends = Ends::Visit);
                log.sibling(2, "api.alder.test", 9_000);
            },
            &[],
        ),
        (
            "a sibling after a malformed answer with a status",
            |log| {
                unreadable(log, 3);
                log.rows[3].status = Some(199);
                log.sibling(2, "api.alder.test", 9_000);
            },
            &[],
        ),
        (
            "asked again after an answer without a readable head",
            |log| {
                retries(log, 2);
                unreadable(log, 1);
            },
            &["AS3"],
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
        (
            "a challenge with 429 last",
            |log| challenged(log, 3, 429),
            &[],
        ),
        (
            "a challenge with 429 before last",
            |log| challenged(log, 2, 429),
            &["PC4", "PC7"],
        ),
        (
            "a sibling after a challenge with 503",
            |log| {
                challenged(log, 3, 503);
                log.sibling(2, "api.alder.test", 9_000);
            },
            &["PC4"],
        ),
        (
            "a sibling after a challenge with 403",
            |log| {
                challenged(log, 3, 403);
                log.sibling(2, "api.alder.test", 9_000);
            },
            &[],
        ),
        (
            "due when the Retry-After of a challenge passed",
            |log| {
                due(log, 6_400 + 8 * DAY);
                challenged(log, 3, 503);
            },
            &[],
        ),
        (
            "due a millisecond before",
            |log| {
                due(log, 6_399 + 8 * DAY);
                challenged(log, 3, 503);
            },
            &["PC4"],
        ),
        (
            "due a millisecond before, and said to be done",
            |log| {
                due(log, 6_399 + 8 * DAY);
                log.visits[0].outcome = VisitOutcome::Done;
            },
            &["PC4"],
        ),
        (
            "a visit that goes on says nothing of when it is due",
            |log| {
                due(log, 6_399 + 8 * DAY);
                log.visits[0].outcome = VisitOutcome::Held;
            },
            &[],
        ),
        (
            "nor does one that has not ended",
            |log| {
                due(log, 6_399 + 8 * DAY);
                log.visits.clear();
            },
            &[],
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

/// No status of the answer to row `index` is known: its head could not be read.
fn unreadable(log: &mut Log, index: usize) {
    log.rows[index].status = None;
    log.rows[index].outcome = Some(Outcome::Malformed);
    log.visits[0].outcome = VisitOutcome::Limited;
}

fn challenged(log: &mut Log, index: usize, status: u16) {
    log.rows[index].status = Some(status);
    log.rows[index].outcome = Some(Outcome::Challenge);
    log.visits[0].outcome = VisitOutcome::Challenge;
}

/// The second process begins at `started` ms and asks for row `index` and all after it.
fn second(log: &mut Log, index: usize, started: i64) {
    log.facts.processes[1].started = time(MONDAY + started);
    log.restart(index, started);
}

/// The answer to row `index` ends at `at` ms.
fn ends(log: &mut Log, index: usize, at: i64) {
    log.rows[index].ended = Some(Stamp {
        utc: time(MONDAY + at),
        mono_ms: MONO + at,
    });
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
