//! What an answer means for the host, by the three policies as far as this room needs them.

use std::time::Duration;

use lamplighter::policy;
use lamplighter::robots::{Access, Answer, Closed, NextTry, access};
use serde_json::Value;

use super::handed::{cases, list, text};

fn robots_policy(name: &str) -> policy::Robots {
    use policy::{RobotsReading, RobotsRetry, StatusRule, TooLarge};
    let rule = |from, to, means| StatusRule { from, to, means };
    let itisyou = name == "itisyou";
    policy::Robots {
        on_status: vec![
            rule(200, 299, RobotsReading::Rules),
            rule(429, 429, RobotsReading::Closed),
            rule(400, 499, RobotsReading::Open),
        ],
        on_error: RobotsReading::Closed,
        on_not_robots: if itisyou {
            RobotsReading::Closed
        } else {
            RobotsReading::Rules
        },
        max_redirects: 5,
        max_bytes: 512_000,
        on_too_large: if name == "intentroute" {
            TooLarge::Closed
        } else {
            TooLarge::Prefix
        },
        valid: Duration::from_secs(86_400),
        one_visit: !itisyou,
        retry: match name {
            "intentroute" => RobotsRetry::NextRun,
            "itisyou" => RobotsRetry::After,
            _ => RobotsRetry::NextVisit,
        },
        retry_after: Duration::from_secs(if itisyou { 3600 } else { 0 }),
    }
}

fn answer_of(outcome: &Value) -> Answer {
    match outcome["error"].as_str() {
        Some("redirects" | "redirect_off_site") => return Answer::Redirects,
        Some(_) => return Answer::Failed,
        None => {}
    }
    let status = u16::try_from(outcome["status"].as_u64().unwrap()).unwrap();
    if status == 304 {
        let held = outcome["cached"] == true;
        return Answer::NotModified { held };
    }
    Answer::Status {
        status,
        bytes: outcome["bytes"].as_u64().unwrap_or_default(),
        not_robots: outcome["body"] == "html",
        challenge: outcome["challenge"] == true,
    }
}

#[test]
fn every_policy_case_holds() {
    let cases = cases();
    for case in list(&cases, "policy_cases") {
        let robots = robots_policy(text(case, "profile"));
        let decision = access(&robots, &answer_of(&case["outcome"]));
        let id = text(case, "id");
        let expect = &case["expect"];
        let found = match decision.access {
            Access::Rules => "follow_rules",
            Access::Open => "allow_all",
            Access::Closed(_) => "disallow_all",
        };
        assert_eq!(found, text(expect, "access"), "{id}");
        match (expect.get("valid_s"), expect.get("retry")) {
            (Some(valid), None) => {
                assert_eq!(decision.valid.as_secs(), valid.as_u64().unwrap(), "{id}");
            }
            (None, Some(retry)) => {
                let expected = match retry.as_str().unwrap() {
                    "next_weekly_run" => NextTry::NextRun,
                    "next_visit" => NextTry::NextVisit,
                    "after_3600_s" => NextTry::After(Duration::from_secs(3600)),
                    other => panic!("{id}: {other}"),
                };
                assert_eq!(decision.next_try, expected, "{id}");
            }
            other => panic!("{id}: {other:?}"),
        }
    }
    assert_eq!(list(&cases, "policy_cases").len(), 31);
}

#[test]
fn a_closed_answer_says_why() {
    let status = |status, bytes, not_robots, challenge| Answer::Status {
        status,
        bytes,
        not_robots,
        challenge,
    };
    let rows = [
        (
            "sitemapped",
            status(429, 0, false, false),
            Closed::TooManyRequests,
        ),
        ("sitemapped", status(503, 0, false, false), Closed::Status),
        ("sitemapped", status(302, 0, false, false), Closed::Status),
        ("sitemapped", status(206, 9, false, false), Closed::Broken),
        ("sitemapped", status(304, 0, false, false), Closed::Broken),
        ("sitemapped", status(200, 9, true, true), Closed::Challenge),
        ("sitemapped", status(404, 9, true, true), Closed::Challenge),
        ("itisyou", status(200, 9, true, false), Closed::NotRobots),
        (
            "intentroute",
            status(200, 512_001, false, false),
            Closed::TooLarge,
        ),
        (
            "intentroute",
            Answer::NotModified { held: false },
            Closed::Broken,
        ),
        ("intentroute", Answer::Broken, Closed::Broken),
        ("intentroute", Answer::Redirects, Closed::Redirects),
        ("intentroute", Answer::Failed, Closed::Unreachable),
    ];
    for (name, answer, expected) in rows {
        let found = access(&robots_policy(name), &answer).access;
        assert_eq!(found, Access::Closed(expected), "{name} {answer:?}");
    }
    let empty = access(&robots_policy("itisyou"), &status(204, 0, false, false));
    assert_eq!(
        empty.access,
        Access::Rules,
        "an empty answer is a file without rules"
    );
}
