//! The three crawlers' promises as policies, and that a policy written is the policy read.

use std::time::Duration;

use lamplighter::policy::*;
use proptest::prelude::*;

use crate::support::policies::shipped;

const DAY: Duration = Duration::from_secs(86_400);

fn means(policy: &Policy, status: u16) -> RobotsReading {
    policy
        .robots
        .on_status
        .iter()
        .find(|rule| (rule.from..=rule.to).contains(&status))
        .map_or(RobotsReading::Closed, |rule| rule.means)
}

#[test]
fn intentroute_holds_its_promises() {
    let policy = shipped("intentroute");
    let agent = "IntentRouteBot/0.1 (+https://intentroute.net/crawler)";
    assert_eq!(policy.identity.user_agent, agent, "ID1");
    assert_eq!(policy.identity.token, "IntentRouteBot", "ID2");
    assert!(policy.identity.addresses.is_empty() && policy.identity.addresses_required);
    assert_eq!(
        policy.identity.reverse_suffix.as_deref(),
        Some(".intentroute.net")
    );
    assert_eq!(policy.plan.kind, PlanKind::Files);
    assert_eq!(
        (policy.plan.budget, policy.plan.methods.as_slice()),
        (14, &[Method::Get][..])
    );
    assert!(!policy.plan.query_urls);
    let paths: Vec<&str> = policy
        .plan
        .locations
        .iter()
        .map(|l| l.path.as_str())
        .collect();
    let expected = [
        "/llms.txt",
        "/.well-known/agent-card.json",
        "/.well-known/mcp/server-card.json",
        "/.well-known/ard.json",
        "/.well-known/ai-catalog.json",
        "/.well-known/agent-skills/index.json",
        "/.well-known/api-catalog",
        "/.well-known/oauth-protected-resource",
        "/.well-known/ucp",
        "/openapi.json",
        "/agents.md",
        "/llms-full.txt",
        "/.well-known/agent.json",
    ];
    assert_eq!(paths, expected, "AS4");
    assert!(
        policy
            .plan
            .locations
            .iter()
            .all(|l| l.keep == KeepMode::Exact),
        "KP1"
    );
    let conditional: Vec<&str> = policy
        .plan
        .locations
        .iter()
        .filter_map(|l| l.only_if_absent.as_deref())
        .collect();
    assert_eq!(conditional, ["/.well-known/agent-card.json"]);
    assert!(policy.plan.locations[12].only_if_absent.is_some());
    for location in &policy.plan.locations {
        let is_text = location.path.ends_with(".txt") || location.path.ends_with(".md");
        assert_eq!(
            location.expect == Expect::Text,
            is_text,
            "{}",
            location.path
        );
    }
    let hour = DAY / 24;
    assert_eq!(policy.schedule.period, PeriodKind::Week);
    assert_eq!(
        (policy.schedule.starts, policy.schedule.window),
        (6 * hour, DAY),
        "AS9"
    );
    assert_eq!(policy.schedule.revisit_after, 6 * DAY);
    assert_eq!(policy.robots.on_too_large, TooLarge::Closed, "RB8");
    assert!(policy.robots.one_visit, "RB9");
    assert_eq!(policy.robots.retry, RobotsRetry::NextRun);
    assert_eq!(policy.robots.on_not_robots, RobotsReading::Rules, "RB10");
    assert_eq!(policy.pace.min_gap, Duration::from_secs(2), "PC2");
    assert_eq!(policy.pace.delay_max, None, "PC3");
    assert_eq!(policy.pace.adaptive, None, "PC6");
    assert_eq!(policy.retries.limited_ends, Ends::Site, "PC4");
    assert_eq!(
        (
            policy.retries.limited_retries,
            policy.retries.blocks_in_a_row
        ),
        (0, 3)
    );
    assert_eq!(policy.transfer.max_bytes, 10_000_000, "TR3");
    assert_eq!(policy.transfer.redirects, FileRedirects::Record);
    assert_eq!(policy.signals, Signals::Record);
    assert_eq!(policy.desk.acknowledge_business_days, Some(1), "OO2");
    assert_eq!(policy.desk.exclude_business_days, Some(2), "OO2");
    assert_eq!(policy.desk.opt_out_takes_effect, Some(7 * DAY), "OO1");
    for key in [
        "operator",
        "controller",
        "lawful_basis",
        "supervisory_authority",
        "contact",
        "change_log",
        "updated",
        "neutrality",
        "personal_data",
        "training",
    ] {
        assert!(policy.page.contains_key(key), "ID6, KP7: {key}");
    }
}

#[test]
fn itisyou_holds_its_promises() {
    let policy = shipped("itisyou");
    let agent = "SearchITISYOUBot/1.0 (+https://search.itisyou.app/crawler)";
    assert_eq!(policy.identity.user_agent, agent, "ID1");
    assert_eq!(policy.identity.token, "SearchITISYOUBot", "ID2");
    assert!(!policy.identity.addresses_required);
    assert_eq!(policy.plan.kind, PlanKind::Pages);
    assert_eq!(policy.plan.methods, [Method::Get], "AS1");
    assert!(policy.plan.locations.is_empty() && policy.plan.budget > 0);
    assert_eq!(policy.robots.on_too_large, TooLarge::Prefix, "RB8");
    assert_eq!(policy.robots.on_not_robots, RobotsReading::Closed, "RB10");
    assert!(!policy.robots.one_visit);
    assert_eq!(policy.robots.valid, DAY, "RB9");
    assert_eq!(policy.robots.retry, RobotsRetry::After);
    assert_eq!(policy.robots.retry_after, DAY / 24, "RB9");
    assert_eq!(policy.pace.min_gap, Duration::from_secs(2), "PC2");
    assert_eq!(policy.pace.delay_min, Duration::from_secs(1), "PC3");
    assert_eq!(policy.pace.delay_max, Some(Duration::from_secs(60)), "PC3");
    let adaptive = policy.pace.adaptive.unwrap();
    assert_eq!(
        (adaptive.response_factor, adaptive.halve_after),
        (5, 5),
        "PC6"
    );
    assert_eq!(adaptive.max_gap, DAY / 24, "PC6");
    assert_eq!(policy.retries.limited_ends, Ends::Visit, "PC4");
    assert_eq!(policy.transfer.redirects, FileRedirects::SameSite);
    assert_eq!(policy.desk.opt_out_takes_effect, Some(DAY), "OO1");
}

#[test]
fn sitemapped_holds_its_promises() {
    let policy = shipped("sitemapped");
    let agent = "SitemappedBot/0.1 (+https://sitemapped.app/bot)";
    assert_eq!(policy.identity.user_agent, agent, "ID1");
    assert_eq!(policy.identity.token, "SitemappedBot", "ID2");
    assert!(policy.identity.addresses_required);
    assert_eq!(
        policy.identity.reverse_suffix.as_deref(),
        Some(".sitemapped.app")
    );
    assert_eq!(
        (policy.plan.kind, policy.plan.budget),
        (PlanKind::Survey, 12),
        "AS2"
    );
    assert_eq!(policy.plan.methods, [Method::Get, Method::Head], "AS1");
    assert!(!policy.plan.query_urls, "AS6");
    assert_eq!(policy.robots.on_too_large, TooLarge::Prefix, "RB8");
    assert_eq!(policy.robots.retry, RobotsRetry::NextVisit);
    assert!(policy.robots.one_visit, "RB9");
    assert_eq!(policy.pace.min_gap, Duration::from_secs(1), "PC2");
    assert_eq!(policy.pace.delay_max, None, "PC3");
    assert_eq!(policy.retries.limited_ends, Ends::Nothing, "PC4");
    assert_eq!(policy.retries.limited_retries, 2, "PC4");
    assert_eq!(policy.signals, Signals::Decide, "CS1 to CS3");
    assert!(policy.retention.redact, "KP3");
    assert_ne!(policy.retention.bodies, KeepMode::Exact, "KP1");
}

#[test]
fn all_three_read_robots_statuses_alike() {
    for name in builtin_names() {
        let policy = shipped(name);
        assert_eq!(policy.name, *name);
        for (status, reading) in [
            (200, RobotsReading::Rules),
            (204, RobotsReading::Rules),
            (400, RobotsReading::Open),
            (401, RobotsReading::Open),
            (403, RobotsReading::Open),
            (404, RobotsReading::Open),
            (428, RobotsReading::Open),
            (429, RobotsReading::Closed),
            (430, RobotsReading::Open),
            (451, RobotsReading::Open),
            (499, RobotsReading::Open),
            (500, RobotsReading::Closed),
            (503, RobotsReading::Closed),
            (530, RobotsReading::Closed),
            (999, RobotsReading::Closed),
            (304, RobotsReading::Closed),
        ] {
            assert_eq!(means(&policy, status), reading, "{name} {status}");
        }
        assert_eq!(policy.robots.on_error, RobotsReading::Closed, "RB6");
        assert_eq!(policy.robots.max_redirects, 5, "RB7");
        assert_eq!(policy.robots.max_bytes, 512_000, "RB8");
        assert_eq!(policy.transfer.max_bytes_other, 65_536);
        assert!((policy.pace.scale - 1.0).abs() < f64::EPSILON);
    }
}

#[test]
fn builtin_policies_round_trip() {
    for name in builtin_names() {
        let policy = shipped(name);
        assert_eq!(Policy::parse(&policy.to_toml(), "again").unwrap(), policy);
    }
}

fn duration(most_ms: u64) -> impl Strategy<Value = Duration> {
    (0..=most_ms).prop_map(Duration::from_millis)
}

prop_compose! {
    /// Policies far from the three we ship.
    fn any_policy()(
        base in prop::sample::select(builtin_names()),
        addresses in prop::collection::vec(any::<[u8; 4]>().prop_map(|a| format!("{}.{}.{}.{}", a[0], a[1], a[2], a[3])), 0..3),
        suffix in prop::option::of("[.][a-z]{1,8}[.][a-z]{2,5}"),
        period in prop_oneof![Just(PeriodKind::Week), Just(PeriodKind::Day), (1_u32..=366).prop_map(PeriodKind::Days)],
        starts in duration(86_399_999),
        revisit in duration(100 * 86_400_000),
        min_gap in duration(600_000),
        delay_min in duration(600_000),
        over in prop::option::of(duration(600_000)),
        scale in 0.000_1_f64..1_000.0,
        max_bytes in 1_u64..=1_000_000_000,
        page in prop::collection::btree_map("[a-z_ .]{1,9}", any::<String>(), 0..4),
        months in prop::option::of(0_u32..20),
    ) -> Policy {
        let mut policy = builtin(base).unwrap();
        policy.identity.addresses = addresses;
        policy.identity.reverse_suffix = suffix;
        policy.schedule.period = period;
        policy.schedule.starts = starts;
        policy.schedule.revisit_after = revisit;
        policy.pace.min_gap = min_gap;
        policy.pace.delay_min = delay_min;
        policy.pace.delay_max = over.map(|over| delay_min + over);
        policy.pace.scale = scale;
        policy.transfer.max_bytes = max_bytes;
        policy.desk.erase_months = months;
        policy.page = page;
        policy
    }
}

proptest! {
    #[test]
    fn a_policy_written_is_the_policy_read(policy in any_policy()) {
        let again = Policy::parse(&policy.to_toml(), "again");
        prop_assert!(again.is_ok(), "{:?}\n{}", again, policy.to_toml());
        prop_assert_eq!(again.unwrap(), policy);
    }

    #[test]
    fn any_text_is_a_policy_or_a_fault(text in any::<String>()) {
        prop_assert!(Policy::parse(&text, "x").is_err());
    }

    #[test]
    fn any_override_is_applied_or_refused(key in "[a-z_.0-9]{1,20}", value in any::<String>()) {
        let change = Override { key, value };
        let _ = builtin("intentroute").unwrap().with(&change);
    }
}
