//! robots.txt from outside: the handed cases, the known faults, real files, hostile files.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests end the test"
)]

use std::fmt::Write as _;
use std::time::Duration;

use lamplighter::policy;
use lamplighter::robots::{
    Access, Answer, Closed, Delay, Gap, GapReason, GroupKind, NextTry, Reading, RobotsFile,
    SecondOpinion, access, gap,
};
use proptest::prelude::*;
use serde_json::Value;

use crate::support;

const LIMIT: usize = 512_000;

fn read(text: impl AsRef<[u8]>) -> RobotsFile {
    RobotsFile::read(text.as_ref(), "IntentRouteBot", LIMIT)
}

// The handed cases.

fn cases() -> Value {
    serde_json::from_str(&support::case_file("robots.json")).unwrap()
}

fn list<'v>(value: &'v Value, key: &str) -> &'v Vec<Value> {
    value[key].as_array().unwrap()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap()
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut held, mut bits) = (0u32, 0);
    for digit in text.bytes().filter(|b| *b != b'=') {
        let value = DIGITS.iter().position(|d| *d == digit).unwrap();
        held = held << 6 | u32::try_from(value).unwrap();
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xFF) as u8);
        }
    }
    bytes
}

fn robots_of(case: &Value) -> Vec<u8> {
    if let Some(text) = case["robots"].as_str() {
        return text.into();
    }
    if let Some(text) = case["robots_b64"].as_str() {
        return base64(text);
    }
    list(case, "robots_parts")
        .iter()
        .flat_map(|part| {
            let times = usize::try_from(part[1].as_u64().unwrap()).unwrap();
            part[0].as_str().unwrap().repeat(times).into_bytes()
        })
        .collect()
}

#[test]
fn every_handed_case_holds() {
    let cases = cases();
    let mut wrong = String::new();
    for case in list(&cases, "cases") {
        let path = text(case, "url_path");
        let file = RobotsFile::read(&robots_of(case), text(case, "ua_token"), LIMIT);
        let verdict = file.verdict(path);
        let signals = file.signals(path);
        let mut check = |what: &str, found: Value, expected: &Value| {
            if found != *expected {
                let id = text(case, "id");
                writeln!(wrong, "{id} {what}: {found}, expected {expected}").unwrap();
            }
        };
        check("allowed", verdict.allowed.into(), &case["expect_allowed"]);
        check("line", verdict.line.into(), &case["expect_matched_line"]);
        check(
            "delay",
            file.delay().map(|delay| delay.seconds).into(),
            &case["expect_delay"].as_f64().into(),
        );
        check(
            "sitemaps",
            file.sitemaps().to_vec().into(),
            &case["expect_sitemaps"],
        );
        if let Some(expected) = case.get("expect_content_signal") {
            let found = serde_json::to_value(&signals.content_signal).unwrap();
            check("content signal", found, expected);
        }
        if let Some(expected) = case.get("expect_content_usage") {
            let found = serde_json::to_value(&signals.content_usage).unwrap();
            check("content usage", found, expected);
        }
        let differs = matches!(
            verdict.second_opinion,
            SecondOpinion::Differs | SecondOpinion::Failed(_)
        );
        check("second opinion differs", differs.into(), &false.into());
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(list(&cases, "cases").len(), 241);
}

// The three policies, as far as this room needs them.

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

fn pace(name: &str, min_gap: f64) -> policy::Pace {
    let itisyou = name == "itisyou";
    policy::Pace {
        min_gap: Duration::from_secs_f64(min_gap),
        delay_min: Duration::from_secs(if itisyou { 1 } else { 0 }),
        delay_max: itisyou.then(|| Duration::from_secs(60)),
        adaptive: None,
        scale: 1.0,
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

#[test]
fn every_gap_case_holds() {
    let cases = cases();
    for case in list(&cases, "gap_cases") {
        let pace = pace(
            text(case, "profile"),
            case["default_gap_s"].as_f64().unwrap(),
        );
        let declared = case["declared_delay"]
            .as_f64()
            .map(|seconds| Delay { seconds, line: 3 });
        let found = gap(&pace, declared).duration.as_secs_f64();
        let expected = case["expect_min_gap_s"].as_f64().unwrap();
        assert!(
            (found - expected).abs() < 1e-9,
            "{}: {found}",
            text(case, "id")
        );
    }
    assert_eq!(list(&cases, "gap_cases").len(), 11);
}

#[test]
fn a_gap_says_why_and_is_scaled_last() {
    let of = |seconds| Delay { seconds, line: 7 };
    let mut pace = pace("itisyou", 2.0);
    let seconds = |secs| Duration::from_secs(secs);
    let expect = |pace: &policy::Pace, declared, duration, reason| {
        assert_eq!(gap(pace, declared), Gap { duration, reason });
    };
    expect(&pace, None, seconds(2), GapReason::Minimum);
    expect(
        &pace,
        Some(of(30.0)),
        seconds(30),
        GapReason::Declared(of(30.0)),
    );
    expect(
        &pace,
        Some(of(90.0)),
        seconds(60),
        GapReason::Clamped(of(90.0)),
    );
    expect(
        &pace,
        Some(of(0.5)),
        seconds(2),
        GapReason::Clamped(of(0.5)),
    );
    pace.scale = 0.01;
    let cut = Duration::from_millis(600);
    expect(&pace, Some(of(90.0)), cut, GapReason::Clamped(of(90.0)));
    expect(&pace, None, Duration::from_millis(20), GapReason::Minimum);
}

#[test]
fn no_declared_wait_overflows_a_clock() {
    let unbounded = pace("intentroute", 2.0);
    for seconds in [1e20, 1e300, f64::MAX] {
        let gap = gap(&unbounded, Some(Delay { seconds, line: 1 }));
        assert!(gap.duration > Duration::from_secs(86_400 * 365 * 900));
        assert!(
            std::time::Instant::now()
                .checked_add(gap.duration)
                .is_some()
        );
    }
}

// Faults that other crawlers had, by row of tests/data/known-faults.md.

#[test]
fn fault_1_a_byte_order_mark_does_not_hide_the_first_group() {
    let file = read(b"\xEF\xBB\xBFUser-agent: *\nDisallow: /\n");
    let verdict = file.verdict("/llms.txt");
    assert!(!verdict.allowed);
    assert_eq!(verdict.line, Some(2));
    assert_eq!(verdict.reading, Reading::Rfc);
}

#[test]
fn fault_2_a_group_for_another_bot_is_not_ours() {
    let file = read(
        "User-agent: Route\nDisallow: /1\nUser-agent: IntentRoute\nDisallow: /2\n\
         User-agent: IntentRouteBot-Images\nDisallow: /3\nUser-agent: *\nDisallow: /4\n",
    );
    let allowed = ["/1", "/2", "/3", "/4"].map(|path| file.verdict(path).allowed);
    assert_eq!(allowed, [true, true, true, false]);
    assert_eq!(file.verdict("/4").group, GroupKind::Star);

    let file = read("User-agent: IntentRouteBot/0.1\nDisallow: /a\nUser-agent: *\nDisallow: /b\n");
    assert!(!file.verdict("/a").allowed);
    assert!(file.verdict("/b").allowed);
    assert!(
        file.notes().iter().any(|note| note.contains("line 1")),
        "{:?}",
        file.notes()
    );
}

#[test]
fn fault_3_no_crawl_delay_kills_or_misleads() {
    let rows = [
        ("inf", None),
        ("nan", None),
        ("1e300", Some(1e300)),
        ("-5", None),
        ("0", Some(0.0)),
        ("10s", Some(10.0)),
        ("1,5", Some(1.5)),
        ("1,000", None),
        ("86400", Some(86_400.0)),
    ];
    for (value, expected) in rows {
        let file = read(format!(
            "User-agent: *\nCrawl-delay: {value}\nDisallow: /x\n"
        ));
        assert_eq!(file.delay().map(|delay| delay.seconds), expected, "{value}");
        assert_eq!(file.delay().map(|delay| delay.line), expected.map(|_| 2));
        let noted = file
            .notes()
            .iter()
            .any(|note| note.contains("no readable wait"));
        assert_eq!(noted, expected.is_none(), "{value}: {:?}", file.notes());
        assert!(gap(&pace("intentroute", 2.0), file.delay()).duration >= Duration::from_secs(2));
    }
}

#[test]
fn fault_4_up_to_the_limit_every_line_is_obeyed() {
    for size in [511_999, 512_000, 512_001] {
        let head = "User-agent: *\n";
        let rule = "Disallow: /last\n";
        let fill = size - head.len() - rule.len();
        let file = read(format!("{head}{}\n{rule}", "#".repeat(fill - 1)));
        let whole = size <= LIMIT;
        // Over the limit only the rule's own line end is: the line itself is whole.
        assert!(!file.verdict("/last").allowed, "{size}");
        assert_eq!(
            file.notes().iter().any(|n| n.contains("limit")),
            !whole,
            "{size}"
        );
    }
    let over = "User-agent: *\n".to_owned() + &"#".repeat(LIMIT) + "\nDisallow: /last\n";
    let file = read(over);
    assert!(file.verdict("/last").allowed, "beyond the limit");
    assert!(file.notes().iter().any(|note| note.contains("limit")));
}

// Evidence.

#[test]
fn the_verdict_carries_its_evidence() {
    let file = read(
        "# ours\nUser-agent: IntentRouteBot\nDisallow: /a\nDISALLOW : /a/*.json$ # why\n\
         Allow: /a/b\nCrawl-delay: 3\n",
    );
    let verdict = file.verdict("/a/b.json?x#y");
    assert!(verdict.allowed);
    assert_eq!(verdict.path, "/a/b.json?x");
    assert_eq!(verdict.line, Some(5));
    let verdict = file.verdict("https://h.example/a/b.json");
    assert!(!verdict.allowed);
    assert_eq!(verdict.line, Some(4));
    assert_eq!(verdict.rule.as_deref(), Some("DISALLOW : /a/*.json$ # why"));
    assert_eq!(verdict.group, GroupKind::Named);
    assert_eq!(verdict.agent_lines, [2]);
    assert_eq!(verdict.second_opinion, SecondOpinion::Agrees);
    let lines: Vec<u32> = verdict.matching.iter().map(|rule| rule.line).collect();
    assert_eq!(lines, [4, 5, 3]);
    assert_eq!(verdict.matching[0].pattern, "/a/*.json$");
    assert_eq!(verdict.matched, 3);
}

#[test]
fn robots_txt_itself_is_always_allowed() {
    let file = read("User-agent: *\nDisallow: /\n");
    let verdict = file.verdict("/robots.txt");
    assert!(verdict.allowed);
    assert_eq!(verdict.second_opinion, SecondOpinion::NotAsked);
    assert!(!file.verdict("/robots.txt?x=1").allowed);
}

#[test]
fn intent_closes_what_the_owner_meant_and_says_so() {
    let rows = [
        (
            "User-agent: a, IntentRouteBot\nDisallow: /x\n",
            "several names",
        ),
        ("User-agent: *\nDisallow: x\n", "first slash"),
        ("Disallow: /x\n", "without any User-agent"),
        ("User-agent: *\nDisallow: /\u{200B}x\n", "invisible"),
        (
            "User-agent: b\nDisallow: /\n\u{FEFF}User-agent: *\nDisallow: /x\n",
            "invisible",
        ),
    ];
    for (text, note) in rows {
        let file = read(text);
        let verdict = file.verdict("/x");
        assert!(!verdict.allowed, "{text:?}");
        assert_eq!(verdict.reading, Reading::Intent, "{text:?}");
        assert!(
            file.notes().iter().any(|n| n.contains(note)),
            "{text:?}: {:?}",
            file.notes()
        );
        assert!(file.verdict("/y").allowed, "{text:?}");
    }
}

#[test]
fn a_delay_line_between_agents_neither_opens_nor_shortens() {
    let text = "User-agent: *\nCrawl-delay: 5\nUser-agent: BadBot\nDisallow: /\n";
    let file = read(text);
    assert!(!file.verdict("/x").allowed);
    assert_eq!(
        file.delay(),
        Some(Delay {
            seconds: 5.0,
            line: 2
        })
    );
    assert!(
        file.notes().iter().any(|note| note.contains("goes on")),
        "{:?}",
        file.notes()
    );
}

// Signals (reference: formats, content signals).

fn pairs(map: &std::collections::BTreeMap<String, String>) -> String {
    let pairs: Vec<String> = map
        .iter()
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    pairs.join(" ")
}

#[test]
fn signals_lean_towards_refusals() {
    let star = "User-agent: *\nAllow: /\n";
    let rows: &[(&str, &str, &str, &str)] = &[
        (
            "S: search=yes, foo=bar, ai-input=no",
            "/",
            "ai-input=no search=yes",
            "",
        ),
        (
            "S: ai-train=n, search=false, ai-input=disallow",
            "/",
            "ai-input=no ai-train=no search=no",
            "",
        ),
        ("S: ai-train=y, search=true", "/", "", ""),
        ("S: ai-train=yes\nS: ai-train=no", "/", "ai-train=no", ""),
        (
            "S: search=yes ai-train=no ai-input=yes",
            "/",
            "ai-train=no search=yes",
            "",
        ),
        ("S: /shop/ ai-input=no", "/", "", ""),
        ("S: /shop/ ai-input=no", "/shop/a", "ai-input=no", ""),
        ("S: use=full\nS: use=reference", "/", "use=reference", ""),
        ("S: use=reference, use=immediate", "/", "use=immediate", ""),
        ("S: use=nothing", "/", "", ""),
        ("U: Train-AI=n", "/", "", ""),
        ("U: train-ai=n, train-ai=y", "/", "", "train-ai=y"),
        ("U: train-ai=y\nU: train-ai=n", "/", "", "train-ai=n"),
        ("U: /a b=1, search=n # x", "/a", "", "search=n"),
        ("U: /a b=1, search=n # x", "/b", "", ""),
        ("U: train-ai = n", "/", "", ""),
        ("U: train-ai=?0, search=\"n\"", "/", "", ""),
        (
            "U: search=n\nU: /*.html$ search=y",
            "/a.html",
            "",
            "search=y",
        ),
        ("U: bots=n, train-ai=y;x=1", "/", "", "train-ai=y"),
    ];
    for (lines, path, signal, usage) in rows {
        let lines = lines
            .replace("S:", "Content-Signal:")
            .replace("U:", "Content-Usage:");
        let file = read(format!("{star}{lines}\n"));
        let found = file.signals(path);
        assert_eq!(pairs(&found.content_signal), *signal, "{lines:?}");
        assert_eq!(pairs(&found.content_usage), *usage, "{lines:?}");
        assert_eq!(found.lines[0].0, 3);
        assert_eq!(found.lines[0].1, lines.lines().next().unwrap());
    }
}

#[test]
fn signals_belong_to_their_groups() {
    let rows: &[(&str, &str, &str)] = &[
        (
            "a grant before any group is nobody's",
            "Content-Signal: search=yes\nUser-agent: *\nAllow: /",
            "",
        ),
        (
            "a refusal before any group beats our own grant",
            "Content-Signal: search=no\nUser-agent: IntentRouteBot\nContent-Signal: search=yes",
            "search=no",
        ),
        (
            "another bot's",
            "User-agent: GPTBot\nContent-Signal: search=no",
            "",
        ),
        (
            "where our group is silent, a refusal for all counts",
            "User-agent: *\nContent-Signal: search=no,ai-input=yes\nAllow: /\n\
             User-agent: IntentRouteBot\nContent-Signal: ai-train=yes",
            "ai-train=yes search=no",
        ),
        (
            "our group's grant stands against a refusal for all",
            "User-agent: *\nContent-Signal: search=no\nAllow: /\nUser-agent: IntentRouteBot\nContent-Signal: search=yes",
            "search=yes",
        ),
        (
            "a grant in a comma list is no grant, a refusal is one",
            "User-agent: a, IntentRouteBot\nContent-Signal: search=yes, ai-train=no",
            "ai-train=no",
        ),
        (
            "merged groups",
            "User-agent: *\nContent-Signal: search=yes,ai-train=no,use=reference\nAllow: /\n\
             User-agent: *\nContent-Signal: search=no\nDisallow: /lp",
            "ai-train=no search=no use=reference",
        ),
    ];
    for (what, text, expected) in rows {
        assert_eq!(
            pairs(&read(text).signals("/").content_signal),
            *expected,
            "{what}"
        );
    }
}

// Real files.

fn corpus_file(host: &str) -> Option<Vec<u8>> {
    let path = support::corpus()?
        .join("sites")
        .join(host)
        .join("01/robots.txt");
    Some(std::fs::read(path).unwrap())
}

#[test]
fn real_files_with_odd_bytes_are_read() {
    if support::corpus().is_none() {
        return;
    }
    let expect = |host: &str, path: &str, line: Option<u32>| {
        let file = read(corpus_file(host).unwrap());
        let verdict = file.verdict(path);
        assert_eq!(verdict.line, line, "{host} {path}");
        assert_eq!(verdict.allowed, line.is_none(), "{host} {path}");
        file
    };
    // UTF-16 with CRLF.
    let file = expect("robots-b.test", "/store/ajax/x", Some(3));
    assert!(file.notes().iter().any(|note| note.contains("UTF-16")));
    assert!(!file.is_not_robots());
    let file = expect("robots-c.test", "/login", Some(4));
    assert_eq!(file.sitemaps(), ["https://robots-c.test/sitemap.xml"]);
    // An icon sent as robots.txt.
    let file = expect("robots-d.test", "/x", None);
    assert!(file.is_not_robots());
    // CR only.
    expect("robots-e.test", "/a/Search?id=1", Some(8));
    expect("robots-f.test", "/x", None);
    // Byte order mark.
    for host in ["he.robots-a.test", "robots-q.test", "robots-aa.test"] {
        let bytes = corpus_file(host).unwrap();
        assert!(bytes.starts_with(b"\xEF\xBB\xBF"), "{host}");
        let file = read(&bytes);
        let without = read(&bytes[3..]);
        for path in paths_of(&bytes) {
            assert_eq!(file.verdict(&path), without.verdict(&path), "{host} {path}");
        }
    }
    // Latin-1 no-break space after `*`, zero-width spaces in a rule.
    expect(
        "robots-g.test",
        "/destek/Sayfalar/gizlilik-guvenlik.aspx",
        Some(3),
    );
    expect("shop.robots-i.test", "/EmailFriend-Start/", Some(15));
    // Rules before any User-agent.
    let file = expect("robots-x.test", "/intra7net/", Some(1));
    assert_eq!(
        file.delay(),
        Some(Delay {
            seconds: 30.0,
            line: 3
        })
    );
    // Pages in place of a robots.txt.
    for host in ["portal.robots-l.test", "robots-w.test", "robots-ae.test"] {
        assert!(read(corpus_file(host).unwrap()).is_not_robots(), "{host}");
    }
}

/// Paths that a file's own lines suggest.
fn paths_of(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut paths = vec!["/".to_owned(), "/llms.txt".to_owned()];
    for line in text.split(['\r', '\n']).take(400) {
        if let Some((_, path)) = line.split_once(':') {
            let path = path.trim();
            paths.push(path.replace(['*', '$'], ""));
            paths.push(format!("{}x", path.replace('*', "abc")));
        }
    }
    paths
}

#[test]
fn on_every_real_file_both_readers_agree() {
    let Some(corpus) = support::corpus() else {
        return;
    };
    let mut files = Vec::new();
    let mut folders = vec![corpus.join("sites")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "robots.txt") {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 100, "{}", files.len());
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let file = read(&bytes);
        for asked in paths_of(&bytes) {
            let verdict = file.verdict(&asked);
            assert!(
                matches!(
                    verdict.second_opinion,
                    SecondOpinion::Agrees | SecondOpinion::NotAsked
                ),
                "{} {asked}: {:?}",
                path.display(),
                verdict.second_opinion
            );
        }
    }
}

// Hostile files.

fn hostile_path() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "ab", "/", "/", "*", "**", "$", "|", "%", "%2A", "%24", "%7c", "%7C", "%61",
        "%e3", "é", "ツ", "?", "=", "'", " ", "{", "%zz", ".", "~", "x", ";", "\u{200B}", "\u{A0}",
        "%00",
    ]);
    prop::collection::vec(piece, 0..7).prop_map(|pieces| pieces.concat())
}

fn hostile_line() -> impl Strategy<Value = String> {
    let key = prop::sample::select(vec![
        "Disallow: ",
        "Disallow: /",
        "Allow: /",
        "Allow: ",
        "disallow:",
        "ALLOW :",
        "Disallow /",
        "Disalow: /",
        "Disallow; /",
        "Allowed: /",
        "\u{FEFF}Disallow: /",
        "\u{A0}Allow: /",
    ]);
    let agent = prop::sample::select(vec![
        "User-agent: *",
        "User-agent: IntentRouteBot",
        "user-agent:a",
        "User-agent: a, IntentRouteBot",
        "User-agent: a, *",
        "User-agent: IntentRouteBot/2",
        "User-agent:",
        "\u{FEFF}User-agent: *",
        "User-agent:\u{A0}*",
        "User agent *",
        "Useragent: IntentRouteBotX",
    ]);
    let other = prop::sample::select(vec![
        "Crawl-delay: 7",
        "Crawl-delay: 1e999",
        "Content-Signal: search=no",
        "Content-Usage: /a search=n",
        "Sitemap: x",
        "",
        "# Disallow: /",
        "Noindex: /",
        "\0Disallow: /",
        "Disallow",
        "<html>",
    ]);
    prop_oneof![
        5 => (key, hostile_path()).prop_map(|(key, path)| format!("{key}{path}")),
        2 => agent.prop_map(str::to_owned),
        1 => other.prop_map(str::to_owned),
    ]
}

fn hostile_file() -> impl Strategy<Value = String> {
    let end = prop::sample::select(vec!["\n", "\n", "\r\n", "\r", "\n\n"]);
    prop::collection::vec((hostile_line(), end), 0..24)
        .prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_readers_never_differ(file in hostile_file(), paths in prop::collection::vec(hostile_path(), 4)) {
        let robots = read(&file);
        for path in paths {
            let verdict = robots.verdict(&format!("/{path}"));
            prop_assert!(
                matches!(verdict.second_opinion, SecondOpinion::Agrees | SecondOpinion::NotAsked),
                "{path:?}: {verdict:?}"
            );
            prop_assert_eq!(verdict.line, verdict.matching.first().map(|rule| rule.line));
        }
    }

    /// What is allowed is allowed by RFC 9309 alone, as the plain oracle below reads it.
    #[test]
    fn intent_never_opens_what_rfc_closes(file in hostile_file(), path in hostile_path()) {
        let path = format!("/{path}");
        let verdict = read(&file).verdict(&path);
        if verdict.allowed {
            prop_assert!(
                rfc_oracle::allows(&file, &path),
                "{verdict:?}"
            );
        }
    }

    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..400), max in 0usize..500, path in ".{0,40}") {
        let file = RobotsFile::read(&bytes, "IntentRouteBot", max);
        file.verdict(&path);
        file.signals(&path);
        let mut marked = vec![0xFF, 0xFE];
        marked.extend(&bytes);
        RobotsFile::read(&marked, "IntentRouteBot", max).verdict(&path);
        let mut ruled = b"User-agent: *\nDisallow: /".to_vec();
        ruled.extend(&bytes);
        let verdict = read(&ruled).verdict(&path);
        prop_assert!(!matches!(verdict.second_opinion, SecondOpinion::Differs | SecondOpinion::Failed(_)));
    }

    #[test]
    fn a_gap_is_never_below_the_minimum(seconds in prop::num::f64::POSITIVE, floor in 0.0f64..100.0, name in prop::sample::select(vec!["intentroute", "itisyou", "sitemapped"])) {
        let pace = pace(name, floor);
        let found = gap(&pace, Some(Delay { seconds, line: 1 }));
        prop_assert!(found.duration >= pace.min_gap);
        let upper = if name == "itisyou" { 60.0f64.max(floor) } else { f64::INFINITY };
        prop_assert!(found.duration.as_secs_f64() <= upper + 1e-6);
    }
}

/// RFC 9309 written a second time, in the plainest way, to hold the reader against.
mod rfc_oracle {
    /// Whether it allows, and its path.
    type Rule = (bool, String);

    pub(super) fn allows(file: &str, path: &str) -> bool {
        let mut groups: Vec<(Vec<String>, Vec<Rule>)> = Vec::new();
        let mut listing = false;
        let text = file.strip_prefix('\u{FEFF}').unwrap_or(file);
        for line in text.split(['\r', '\n']) {
            let line = line.split(['#', '\0']).next().unwrap_or_default();
            let blank = [' ', '\t'];
            let words: Vec<&str> = line.split(blank).filter(|word| !word.is_empty()).collect();
            let (key, value) = match (line.split_once(':'), words.as_slice()) {
                (Some(divided), _) => divided,
                (None, [key, value]) => (*key, *value),
                _ => continue,
            };
            let (key, value) = (
                key.trim_matches(blank).to_lowercase(),
                value.trim_matches(blank),
            );
            match key.as_str() {
                "user-agent" | "useragent" => {
                    if !listing {
                        groups.push((Vec::new(), Vec::new()));
                    }
                    listing = true;
                    let end = value.find(|c: char| !(c.is_ascii_alphabetic() || "-_*".contains(c)));
                    let name = value[..end.unwrap_or(value.len())].to_lowercase();
                    groups.last_mut().unwrap().0.push(name);
                }
                "allow" | "disallow" | "disalow" | "disallow;" => {
                    listing = false;
                    if let Some(group) = groups.last_mut().filter(|_| !value.is_empty()) {
                        group.1.push((key == "allow", value.to_owned()));
                    }
                }
                _ => {}
            }
        }
        let of = |name: &str| -> Vec<&Rule> {
            let named = groups
                .iter()
                .filter(|group| group.0.iter().any(|n| n == name));
            named.flat_map(|group| &group.1).collect()
        };
        let named = groups
            .iter()
            .any(|group| group.0.iter().any(|n| n == "intentroutebot"));
        let rules = of(if named { "intentroutebot" } else { "*" });
        let path = canonical(path, false);
        rules
            .into_iter()
            .map(|(allow, rule)| (*allow, canonical(rule, true)))
            .filter(|(_, rule)| matches(rule.as_bytes(), path.as_bytes()))
            .max_by_key(|(allow, rule)| (rule.len(), *allow))
            .is_none_or(|(allow, _)| allow)
    }

    fn canonical(text: &str, rule: bool) -> String {
        let bytes = text.as_bytes();
        let mut out = String::new();
        let mut at = 0;
        while at < bytes.len() {
            let b = bytes[at];
            let digits = bytes
                .get(at + 1..at + 3)
                .and_then(|d| std::str::from_utf8(d).ok());
            let escape = digits
                .filter(|d| b == b'%' && d.chars().all(|c| c.is_ascii_hexdigit()))
                .and_then(|d| u8::from_str_radix(d, 16).ok());
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
            let special = rule && (b == b'*' || b == b'$' && at + 1 == bytes.len());
            match escape {
                Some(octet) if plain(octet) => out.push(char::from(octet)),
                Some(octet) => out += &format!("%{octet:02X}"),
                None if plain(b) || special || b"%:/?#[]@!&()+,;=".contains(&b) => {
                    out.push(char::from(b));
                }
                None => out += &format!("%{b:02X}"),
            }
            at += if escape.is_some() { 3 } else { 1 };
        }
        out
    }

    /// By recursion over the pattern, with no cleverness.
    fn matches(pattern: &[u8], path: &[u8]) -> bool {
        match pattern {
            [] => true,
            [b'$'] => path.is_empty(),
            [b'*', rest @ ..] => (0..=path.len()).any(|from| matches(rest, &path[from..])),
            [first, rest @ ..] => path.first() == Some(first) && matches(rest, &path[1..]),
        }
    }
}
