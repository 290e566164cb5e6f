//! robots.txt first, kept to, and read anew.

use lamplighter::fetch::Outcome;
use lamplighter::policy::{RobotsReading, StatusRule, TooLarge};
use lamplighter::store::{HostId, Leave, ProcessId, RobotsId, Stamp};

use super::log::{DAY, HOUR, Log, MONDAY, host, table, time};

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
        (
            "read by another visit, which had moved there",
            |log| {
                moved(log);
                log.rows[4].visit_host = HostId(2);
            },
            &[],
        ),
        (
            "read by no visit",
            |log| {
                moved(log);
                log.rows[4].visit_host = HostId(2);
                drop(log.rows.drain(1..4));
            },
            &["RB1"],
        ),
        (
            "closed to another visit",
            |log| {
                moved(log);
                log.rows[4].visit_host = HostId(2);
                log.rows[1].status = Some(500);
                log.rows[1].outcome = Some(Outcome::ServerError);
                drop(log.rows.drain(2..4));
            },
            &["RB6"],
        ),
        (
            "read in another turn of the host",
            |log| log.rows[3].turn = 2,
            &["RB1"],
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
        (
            "one byte of rules without a digest",
            |log| undigested(log, 1),
            &["RB3"],
        ),
        ("no byte of rules, no digest", |log| undigested(log, 0), &[]),
        (
            "rules by a 203 without a digest",
            |log| {
                log.robots_answer(203, Outcome::NoContent, "rules");
                undigested(log, 1);
            },
            &["RB3"],
        ),
        (
            "a body without restrictions needs no digest",
            |log| {
                opened(log, 404);
                undigested(log, 1);
            },
            &[],
        ),
        (
            "a digest of a text no longer kept",
            |log| log.robots.get_mut(&1).expect("a session").text = None,
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
        (
            "read in an earlier visit, where the policy lets it serve",
            earlier,
            &[],
        ),
        (
            "closed in an earlier visit",
            |log| {
                earlier(log);
                log.session(1, 1, MONDAY - HOUR, "closed:status");
            },
            &["RB3"],
        ),
        (
            "read too long before",
            |log| {
                earlier(log);
                log.session(1, 1, MONDAY + 6_299 - DAY, "rules");
            },
            &["RB9"],
        ),
    ]);
}

/// robots.txt came with so many bytes, and no digest of them is kept.
fn undigested(log: &mut Log, bytes: u64) {
    log.rows[0].body_bytes = bytes;
    let session = log.robots.get_mut(&1).expect("a session");
    session.fetch.sha256 = None;
}

/// A policy under which a fetched file serves later visits too, and a visit that uses one.
fn earlier(log: &mut Log) {
    log.policy(|policy| policy.robots.one_visit = false);
    log.rows.remove(0);
    log.session(1, 1, MONDAY - HOUR, "rules");
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
            "again from the hop that was interrupted",
            |log| hop_again(log, "/robots-1.txt"),
            &[],
        ),
        (
            "the hop's answer was there, and it is asked again",
            |log| {
                hops(log, 1);
                let answered = log.rows[1].clone();
                again(log, 1);
                log.rows[1] = answered;
            },
            &["AS3", "AS4"],
        ),
        (
            "another page than the hop that was interrupted",
            |log| hop_again(log, "/robots-2.txt"),
            &["AS4", "RB1"],
        ),
        (
            "five hops, one of them interrupted",
            |log| {
                hops(log, 5);
                again(log, 3);
            },
            &[],
        ),
        (
            "six hops, one of them interrupted",
            |log| {
                hops(log, 6);
                again(log, 3);
            },
            &["RB7"],
        ),
        (
            "an interrupted move, and the host moved to again",
            |log| {
                moved(log);
                again(log, 1);
            },
            &[],
        ),
        (
            "the interrupted hop was answered to another visit meanwhile",
            |log| {
                hop_again(log, "/robots-1.txt");
                log.rows[2].visit_host = HostId(2);
                let mut first = log.rows[0].clone();
                first.target = "/robots.txt".to_owned();
                first.host = HostId(2);
                first.visit_host = HostId(2);
                first.host_name = host("www.alder.test");
                first.redirect = Some("https://docs.alder.test/robots-1.txt".to_owned());
                let at = |ms| Stamp {
                    utc: time(MONDAY + ms),
                    mono_ms: ms,
                };
                first.process = ProcessId(2);
                first.intent = at(7_000);
                (first.sent, first.ended) = (Some(at(7_000)), Some(at(7_100)));
                log.rows.insert(2, first);
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

/// robots.txt is redirected, its hop interrupted, and `target` asked in its place after a restart.
fn hop_again(log: &mut Log, target: &str) {
    hops(log, 1);
    again(log, 1);
    log.rows[2].target = target.to_owned();
}

/// Row `index` was interrupted; a second process asks the same and all after it.
fn again(log: &mut Log, index: usize) {
    log.policy(|policy| policy.plan.budget = 20);
    let mut again = log.rows[index].clone();
    again.attempt += 1;
    log.interrupt(index);
    log.rows.insert(index + 1, again);
    let rest = log.rows[index + 1..].iter_mut();
    for (row, at) in rest.zip((10_000..).step_by(3_000)) {
        let stamp = |at| Stamp {
            utc: time(MONDAY + at),
            mono_ms: at,
        };
        row.process = ProcessId(2);
        row.intent = stamp(at);
        (row.sent, row.ended) = (Some(stamp(at)), Some(stamp(at + 100)));
    }
    for session in log.robots.values_mut() {
        session.fetch.at = time(MONDAY + 10_100);
    }
}

fn reread(log: &mut Log, age: i64) {
    log.facts.run.start.window_ends = time(MONDAY + 2 * DAY);
    log.rows.truncate(3);
    log.ask(100 + age, "/robots.txt", 200).leave = Leave::Robots;
}
