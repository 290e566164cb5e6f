//! Names: the Public Suffix List's own vectors, and what holds for any text at all; policies.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "helpers of tests fail as tests do"
)]

mod faults;
mod policy;
mod weaker;

use lamplighter::hosts::{Host, ListReader, NameRules};
use proptest::prelude::*;
use serde::Deserialize;

use crate::support::case_file;

#[derive(Deserialize)]
struct Suffixes {
    cases: Vec<SuffixCase>,
}

#[derive(Deserialize)]
struct SuffixCase {
    name: String,
    site: Option<String>,
}

/// Rows of the handed file that differ from the vectors it names as its source: name, its answer,
/// and the published one. The list's rule is `!city.kobe.jp`, an exception to `*.kobe.jp`, so the
/// suffix is `kobe.jp` and the registrable domain is one label longer, as with `www.ck`.
const MISPRINTS: [(&str, &str, &str); 2] = [
    ("city.kobe.jp", "kobe.jp", "city.kobe.jp"),
    ("www.city.kobe.jp", "kobe.jp", "city.kobe.jp"),
];

/// The site of a name as the engine sees it; under loopback rules, because the vectors use `.example`.
fn site(name: &str) -> Option<String> {
    Host::parse(name, NameRules::Loopback)
        .ok()
        .map(|host| host.site().to_string())
}

#[test]
fn sites_are_those_of_the_public_suffix_list() {
    let suffixes: Suffixes = serde_json::from_str(&case_file("public-suffix.json")).unwrap();
    assert!(suffixes.cases.len() > 70, "the vectors are all there");
    for SuffixCase {
        name,
        site: expected,
    } in suffixes.cases
    {
        // The vectors give international names in either form; ours are ASCII.
        let expected = expected.map(|site| idna::domain_to_ascii(&site).unwrap());
        let expected = MISPRINTS
            .iter()
            .find(|(misprint, handed, _)| *misprint == name && expected.as_deref() == Some(*handed))
            .map_or(expected, |(_, _, published)| Some((*published).to_owned()));
        assert_eq!(site(&name), expected, "{name}");
    }
}

/// Texts near enough to names to get past the first step.
fn near_names() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        "[a-z0-9-]{0,12}",
        "[a-zA-Zßüé。．*_{}%@:\\[\\]/#?\u{ad}\u{feff} ]{0,6}",
        Just("xn--".to_owned()),
        Just("127.0.0.1".to_owned()),
        Just("[::1]".to_owned()),
    ];
    let end = prop_oneof![
        Just(""),
        Just(".com"),
        Just(".test"),
        Just(".co.uk"),
        Just(".example:80"),
        Just(":443"),
        Just(":8080"),
        Just("."),
    ];
    let start = prop_oneof![
        Just(""),
        Just("http://"),
        Just("https://"),
        Just("HTTP://u:p@")
    ];
    (start, prop::collection::vec(part, 1..4), end)
        .prop_map(|(start, parts, end)| format!("{start}{}{end}", parts.join(".")))
}

fn check_stable(text: &str) -> Result<(), TestCaseError> {
    for rules in [NameRules::Public, NameRules::Loopback] {
        let Ok(host) = Host::parse(text, rules) else {
            continue;
        };
        let again = Host::parse(host.as_str(), rules);
        prop_assert_eq!(again.as_ref(), Ok(&host), "{}", text);
        prop_assert!(host.as_str().is_ascii());
        prop_assert!(host.as_str().starts_with(host.name()));
        let shown = host.port().map_or(host.name().to_owned(), |port| {
            format!("{}:{port}", host.name())
        });
        prop_assert_eq!(host.as_str(), shown);
        let site = host.site();
        let name = host.name();
        let below = format!(".{site}");
        prop_assert!(name == site.as_str() || name.ends_with(&below));
        if rules == NameRules::Public {
            prop_assert!(host.port().is_none());
            prop_assert!(name.contains('.') && !name.ends_with('.'));
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_host_is_its_own_normal_form(text in near_names()) {
        check_stable(&text)?;
    }

    #[test]
    fn any_text_is_a_host_or_a_reason(text in any::<String>()) {
        check_stable(&text)?;
    }

    #[test]
    fn any_bytes_are_a_list(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let lines = bytes.split(|byte| *byte == b'\n').count() as u64;
        for item in ListReader::new(&bytes[..], NameRules::Public) {
            let line = item.map_or_else(|reject| reject.line, |entry| entry.line);
            prop_assert!((1..=lines).contains(&line));
        }
    }
}
