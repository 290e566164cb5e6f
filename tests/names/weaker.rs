//! A policy that speaks in the name of a built-in crawler and promises less than it is told so.

use lamplighter::policy::{Policy, builtin, builtin_names};

fn changed(name: &str, changes: &[&str]) -> Policy {
    let policy = builtin(name).unwrap();
    changes.iter().fold(policy, |policy, change| {
        policy.with(&change.parse().unwrap()).unwrap()
    })
}

fn weak_keys(policy: &Policy) -> Vec<String> {
    let found = policy.weaknesses();
    found.into_iter().map(|weakness| weakness.key).collect()
}

#[test]
fn the_built_in_policies_promise_what_they_promise() {
    for name in builtin_names() {
        assert_eq!(weak_keys(&builtin(name).unwrap()), [""; 0], "{name}");
    }
}

#[test]
fn each_value_that_promises_less_is_named() {
    for (name, change, key) in [
        ("intentroute", "pace.min_gap=1s", "pace.min_gap"),
        ("intentroute", "pace.scale=0.5", "pace.scale"),
        ("intentroute", "pace.delay_max=60s", "pace.delay_max"),
        ("itisyou", "pace.delay_min=0s", "pace.delay_min"),
        ("itisyou", "pace.delay_max=59s", "pace.delay_max"),
        (
            "itisyou",
            "pace.adaptive.response_factor=4",
            "pace.adaptive.response_factor",
        ),
        (
            "itisyou",
            "pace.adaptive.max_gap=59m",
            "pace.adaptive.max_gap",
        ),
        ("intentroute", "plan.budget=15", "plan.budget"),
        (
            "intentroute",
            "plan.methods=[\"GET\", \"HEAD\"]",
            "plan.methods",
        ),
        ("intentroute", "plan.query_urls=true", "plan.query_urls"),
        (
            "intentroute",
            "plan.locations.0.path=/admin.txt",
            "plan.locations.0.path",
        ),
        (
            "intentroute",
            "plan.locations.0.keep=digest",
            "plan.locations.0.keep",
        ),
        ("intentroute", "schedule.period=day", "schedule.period"),
        (
            "intentroute",
            "schedule.revisit_after=5d",
            "schedule.revisit_after",
        ),
        ("intentroute", "schedule.window=25h", "schedule.window"),
        ("intentroute", "robots.on_error=open", "robots.on_error"),
        (
            "intentroute",
            "robots.on_status.1.means=open",
            "robots.on_status (429)",
        ),
        (
            "intentroute",
            "robots.on_status.3.means=open",
            "robots.on_status (500 to 599)",
        ),
        (
            "intentroute",
            "robots.on_status.0.means=open",
            "robots.on_status (200 to 299)",
        ),
        (
            "itisyou",
            "robots.on_not_robots=rules",
            "robots.on_not_robots",
        ),
        (
            "intentroute",
            "robots.max_redirects=6",
            "robots.max_redirects",
        ),
        ("intentroute", "robots.max_bytes=600000", "robots.max_bytes"),
        ("itisyou", "robots.max_bytes=512", "robots.max_bytes"),
        (
            "intentroute",
            "robots.on_too_large=prefix",
            "robots.on_too_large",
        ),
        ("intentroute", "robots.valid=25h", "robots.valid"),
        ("intentroute", "robots.one_visit=false", "robots.one_visit"),
        ("intentroute", "robots.retry=next_visit", "robots.retry"),
        ("itisyou", "robots.retry_after=59m", "robots.retry_after"),
        (
            "intentroute",
            "retries.limited_ends=visit",
            "retries.limited_ends",
        ),
        (
            "sitemapped",
            "retries.limited_retries=3",
            "retries.limited_retries",
        ),
        (
            "intentroute",
            "retries.blocks_in_a_row=4",
            "retries.blocks_in_a_row",
        ),
        (
            "intentroute",
            "transfer.max_bytes=10000001",
            "transfer.max_bytes",
        ),
        (
            "intentroute",
            "transfer.redirects=same_site",
            "transfer.redirects",
        ),
        ("sitemapped", "signals=record", "signals"),
        ("intentroute", "retention.bodies=digest", "retention.bodies"),
        (
            "intentroute",
            "identity.user_agent=Mozilla/5.0 (IntentRouteBot)",
            "identity.user_agent",
        ),
        (
            "intentroute",
            "identity.addresses_required=false",
            "identity.addresses_required",
        ),
        (
            "intentroute",
            "identity.reverse_suffix=.example.com",
            "identity.reverse_suffix",
        ),
        (
            "intentroute",
            "desk.opt_out_takes_effect=8d",
            "desk.opt_out_takes_effect",
        ),
        ("intentroute", "desk.erase_months=2", "desk.erase_months"),
        ("intentroute", "page.contact= ", "page.contact"),
    ] {
        let policy = match change.split_once("= ") {
            Some(("page.contact", _)) => {
                let mut policy = builtin(name).unwrap();
                policy.page.remove("contact");
                policy
            }
            _ => changed(name, &[change]),
        };
        assert_eq!(weak_keys(&policy), [key], "{name} {change}");
    }
}

#[test]
fn more_than_promised_is_no_weakness() {
    for (name, changes) in [
        (
            "intentroute",
            &[
                "pace.min_gap=5s",
                "pace.delay_min=10s",
                "plan.budget=13",
                "schedule.period=30",
                "schedule.revisit_after=20d",
                "robots.on_status.2.means=closed",
                "robots.max_bytes=100000",
                "robots.valid=1h",
                "retries.blocks_in_a_row=1",
                "transfer.max_bytes=1000",
                "transfer.deadline=1h",
                "identity.addresses=[\"192.0.2.0/28\"]",
                "desk.erase_months=0",
                "page.contact=someone@intentroute.net",
            ][..],
        ),
        ("itisyou", &["pace.delay_max=2h", "robots.retry_after=2h"]),
        ("sitemapped", &["retries.limited_retries=0"]),
    ] {
        assert_eq!(weak_keys(&changed(name, changes)), [""; 0], "{name}");
    }
}

#[test]
fn whoever_bears_the_name_token_or_agent_is_measured_by_it() {
    for (name, token, agent, stands_for) in [
        (true, false, false, Some("intentroute")),
        (false, true, false, Some("intentroute")),
        (false, false, true, Some("intentroute")),
        (false, false, false, None),
    ] {
        let mut policy = changed("intentroute", &["pace.min_gap=1s"]);
        if !name {
            policy.name = "mine".to_owned();
        }
        policy.identity.token = if token { "intentroutebot" } else { "MineBot" }.to_owned();
        if !agent {
            policy.identity.user_agent = "MineBot/1.0 (+https://mine.example/bot)".to_owned();
        }
        assert_eq!(policy.stands_for(), stands_for);
        let named = weak_keys(&policy).contains(&"pace.min_gap".to_owned());
        assert_eq!(named, stands_for.is_some(), "{name} {token} {agent}");
    }
}
