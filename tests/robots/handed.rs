//! The handed cases.

use std::fmt::Write as _;

use lamplighter::robots::{RobotsFile, SecondOpinion};
use serde_json::Value;

use super::LIMIT;
use crate::support;

pub(super) fn cases() -> Value {
    serde_json::from_str(&support::case_file("robots.json")).unwrap()
}

pub(super) fn list<'v>(value: &'v Value, key: &str) -> &'v Vec<Value> {
    value[key].as_array().unwrap()
}

pub(super) fn text<'v>(value: &'v Value, key: &str) -> &'v str {
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
