//! Random files of strange pieces.

use lamplighter::robots::{RobotsFile, SecondOpinion};
use proptest::prelude::*;

use super::{oracle, read};

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
                oracle::allows(&file, &path),
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
}
