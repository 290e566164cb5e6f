//! The gap that a declared wait leads to.

use std::time::Duration;

use lamplighter::policy;
use lamplighter::robots::{Delay, Gap, GapReason, gap};
use proptest::prelude::*;

use super::handed::{cases, list, text};

pub(super) fn pace(name: &str, min_gap: f64) -> policy::Pace {
    let itisyou = name == "itisyou";
    policy::Pace {
        min_gap: Duration::from_secs_f64(min_gap),
        delay_min: Duration::from_secs(if itisyou { 1 } else { 0 }),
        delay_max: itisyou.then(|| Duration::from_secs(60)),
        adaptive: None,
        scale: 1.0,
    }
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 6000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_gap_is_never_below_the_minimum(seconds in prop::num::f64::POSITIVE, floor in 0.0f64..100.0, name in prop::sample::select(vec!["intentroute", "itisyou", "sitemapped"])) {
        let pace = pace(name, floor);
        let found = gap(&pace, Some(Delay { seconds, line: 1 }));
        prop_assert!(found.duration >= pace.min_gap);
        let upper = if name == "itisyou" { 60.0f64.max(floor) } else { f64::INFINITY };
        prop_assert!(found.duration.as_secs_f64() <= upper + 1e-6);
    }
}
