use std::time::Duration;

use proptest::prelude::*;

use super::complete::complete;
use super::sample::HOSTS;
use super::tests::{Row, shown};
use super::*;
use crate::test_kit::at;

/// Filters that parse, of every kind of test.
fn valid() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-zäÖ.]{1,3}".prop_filter("a keyword", |word| !["or", "not", "and"]
            .contains(&word.as_str())),
        "\"[a-c \\(\\)|!:]{1,4}\"",
        "(state|STATE)(:|=|!=)(held|ready|Done)(,resting)?",
        "(host|site|source)(:|=|!=)(none|any|[a-c.]{1,3}|\"[a-c \\(]{1,3}\")",
        "status(:|=|!=)(none|any|200|429|4xx|5xx)(,404)?"
            .prop_filter("a list of none", |text| !text.contains("none,")
                && !text.contains("any,")),
        "status(>|<|>=|<=)(200|404|500)",
        "requests(>|<|>=|<=|:|!=)[0-9]{1,2}(k|m)?",
        "size(>|<|>=|<=|:|!=)[1-9](\\.5)?(kb|mb|mib|gb)",
        "gap(>|<|>=|<=|:|!=)[0-9]{1,3}(ms|s|min|m|h|d|w)",
        "(visited|due)(>|<|>=|<=)[0-9]{1,3}(s|min|h|d|w)",
        "(visited|due)(:|=|!=)(none|any)",
    ];
    leaf.prop_recursive(5, 24, 3, |inner| {
        let more = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|one| format!("!({one})")),
            more.clone()
                .prop_map(|(one, other)| format!("({one}) {other}")),
            more.clone()
                .prop_map(|(one, other)| format!("{one} and {other}")),
            more.clone()
                .prop_map(|(one, other)| format!("({one} | {other})")),
            more.prop_map(|(one, other)| format!("not {one} or {other}")),
        ]
    })
}

fn any_row() -> impl Strategy<Value = Row> {
    let times = || prop::option::of(-3_000_000i64..3_000_000);
    let states = prop::sample::select(vec!["held", "ready", "done", "resting"]);
    let statuses = prop::collection::vec(prop::sample::select(vec![200u16, 404, 429, 500]), 0..3);
    let text = (
        "[a-cäÖ.]{0,6}",
        "[a-cA .]{0,4}",
        prop::option::of("[a-c(]{0,4}"),
    );
    let numbers = (0u64..100, 0u64..10_000_000, 0u64..200_000);
    (text, states, statuses, numbers, (times(), times())).prop_map(
        |((host, site, source), state, statuses, (requests, size, gap), (visited, due))| {
            let now = at("2026-11-30T08:00:00Z");
            let away = |seconds: i64| now + jiff::SignedDuration::from_secs(seconds);
            Row {
                host,
                site,
                state,
                source,
                statuses,
                requests,
                size,
                gap: Duration::from_millis(gap),
                visited: visited.map(away),
                due: due.map(away),
                now,
            }
        },
    )
}

/// Texts that are nearly filters, and texts that are nothing.
fn anything() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "(", ")", "!", "|", "\"", "\\", " ", ":", "=", ">", "<", ">=", "!=", ",", ".", "or",
            "and ", "not ", "state", "status", "size", "gap", "due", "held", "4xx", "none", "1.5",
            "mb", "18446744073709551616", "ms", "\u{301}", "👩\u{200d}👧", "é", "\u{130}", "\u{202e}",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
        2 => valid(),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_text_panics(text in anything(), row in any_row(), cursor in 0usize..80) {
        let length = text.chars().count();
        match Filter::parse(&text, &HOSTS) {
            Ok(filter) => {
                filter.matches(&row);
                let printed = filter.to_string();
                prop_assert_eq!(Filter::parse(&printed, &HOSTS), Ok(filter), "{}", printed);
            }
            Err(error) => {
                prop_assert!((1..=length + 1).contains(&error.column));
                prop_assert!(error.column + error.length <= length + 1);
                prop_assert!(!error.message.is_empty());
            }
        }
        for completion in complete(&text, cursor, &HOSTS) {
            prop_assert!(completion.from <= cursor.min(length));
        }
    }

    #[test]
    fn printed_and_parsed_again_it_means_the_same(text in valid(), row in any_row()) {
        let filter = Filter::parse(&text, &HOSTS).map_err(|error| TestCaseError::fail(format!("{text}: {error:?}")))?;
        let printed = filter.to_string();
        let again = Filter::parse(&printed, &HOSTS);
        prop_assert_eq!(again.as_ref(), Ok(&filter), "{} -> {}", text, printed);
        prop_assert_eq!(shown(&printed, &row), filter.matches(&row));
    }

    #[test]
    fn negation_swaps_and_with_or(left in valid(), right in valid(), row in any_row()) {
        let (is_left, is_right) = (shown(&format!("({left})"), &row), shown(&format!("({right})"), &row));
        let both = shown(&format!("({left}) ({right})"), &row);
        let either = shown(&format!("({left}) | ({right})"), &row);
        prop_assert_eq!(both, is_left && is_right);
        prop_assert_eq!(either, is_left || is_right);
        prop_assert_eq!(shown(&format!("!(({left}) ({right}))"), &row), shown(&format!("!({left}) or !({right})"), &row));
        prop_assert_eq!(shown(&format!("!(({left}) or ({right}))"), &row), shown(&format!("!({left}) !({right})"), &row));
        prop_assert_eq!(shown(&format!("!({left})"), &row), !is_left);
    }
}
