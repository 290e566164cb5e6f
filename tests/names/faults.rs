//! Faults of a policy with line and remedy, files, and overrides.

use std::path::Path;
use std::time::Duration;

use lamplighter::policy::*;

use crate::support::policies::shipped;

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("assets/policies/{name}.toml"));
    std::fs::read_to_string(path).unwrap()
}

/// The fault in `intentroute` with one text replaced by another.
fn fault(old: &str, new: &str) -> (usize, String) {
    let good = text("intentroute");
    assert!(good.contains(old), "the policy no longer says {old}");
    let bad = good.replacen(old, new, 1);
    match Policy::parse(&bad, "mine.toml") {
        Err(PolicyError::Invalid {
            file,
            line,
            problem,
            remedy,
        }) => {
            assert_eq!(file, "mine.toml");
            assert!(!remedy.is_empty());
            (line, format!("{problem}; {remedy}"))
        }
        other => panic!("{old} -> {new}: {other:?}"),
    }
}

/// 1-based line of the first line that holds `part`.
fn line_with(part: &str) -> usize {
    1 + text("intentroute")
        .lines()
        .position(|line| line.contains(part))
        .unwrap()
}

/// The fault in `intentroute` with `old` replaced by `new`; it must say `says`, on the line of `at`.
fn check_fault(old: &str, new: &str, at: &str, says: &str) {
    let (line, message) = fault(old, new);
    assert!(message.contains(says), "{old} -> {new}: {message}");
    assert_eq!(line, line_with(at), "{old} -> {new}: {message}");
}

#[test]
fn each_fault_names_its_line_and_a_remedy() {
    for (old, new, says) in [
        ("budget = 14", "budget = ", "not TOML"),
        ("budget = 14", "bugdet = 14", "no value \"bugdet\""),
        ("budget = 14", "budget = \"14\"", "invalid type"),
        ("budget = 14", "budget = 12", "set it to 13 or more"),
        ("budget = 14", "budget = 0", "out of range"),
        ("budget = 14", "budget = -1", "u32"),
        ("min_gap = \"2s\"", "min_gap = \"two\"", "not a duration"),
        ("min_gap = \"2s\"", "min_gap = 2", "invalid type"),
        ("kind = \"files\"", "kind = \"file\"", "write one of"),
        ("period = \"week\"", "period = \"month\"", "number of days"),
        ("period = \"week\"", "period = 0", "number of days"),
        (
            "starts = \"6h\"",
            "starts = \"7d\"",
            "after its period has ended",
        ),
        (
            "window = \"24h\"",
            "window = \"8d\"",
            "no longer than the period",
        ),
        (
            "token = \"IntentRouteBot\"",
            "token = \"Intent Route\"",
            "letters, _ and - only",
        ),
        (
            "token = \"IntentRouteBot\"",
            "token = \"Bot2\"",
            "letters, _ and - only",
        ),
        ("/0.1 (+https", "/0.1\\n(+https", "visible ASCII"),
        (
            "addresses = []",
            "addresses = [\"192.0.2.0/33\"]",
            "not an address range",
        ),
        (
            "addresses = []",
            "addresses = [\"192.0.2.1/24\"]",
            "write 192.0.2.0/24",
        ),
        (
            "\".intentroute.net\"",
            "\"intentroute.net\"",
            ".example.com",
        ),
        ("[\"GET\"]", "[\"HEAD\"]", "must hold GET"),
        ("[\"GET\"]", "[\"GET\", \"GET\"]", "each method once"),
        ("[\"GET\"]", "[\"POST\"]", "\"POST\" is not a value"),
        (
            "path = \"/openapi.json\"",
            "path = \"openapi.json\"",
            "start with /",
        ),
        (
            "path = \"/openapi.json\"",
            "path = \"/openapi.json?v=3\"",
            "query string",
        ),
        (
            "path = \"/openapi.json\"",
            "path = \"/a/../b\"",
            "another path",
        ),
        ("path = \"/openapi.json\"", "path = \"/a#b\"", "fragment"),
        (
            "path = \"/openapi.json\"",
            "path = \"//evil.test/x\"another path",
            "",
        ),
        (
            "path = \"/openapi.json\"",
            "path = \"/robots.txt\"",
            "always read first",
        ),
        (
            "only_if_absent = \"/.well-known/agent-card.json\"",
            "only_if_absent = \"/card.json\"",
            "earlier location",
        ),
        ("from = 400, to = 499", "from = 499, to = 400", "no range"),
        ("max_redirects = 5", "max_redirects = 21", "out of range"),
        ("retry_after = \"0s\"", "retry_after = \"1h\"", "contradict"),
        (
            "delay_min = \"0s\"",
            "delay_min = \"9s\"\ndelay_max = \"8s\"",
            "longer than delay_max",
        ),
        (
            "limited_retries = 0",
            "limited_retries = 1",
            "nothing can be retried",
        ),
        ("blocks_in_a_row = 3", "blocks_in_a_row = 0", "out of range"),
        (
            "max_bytes_other = 65_536",
            "max_bytes_other = 65_537",
            "out of range",
        ),
        (
            "read_timeout = \"30s\"",
            "read_timeout = \"0s\"",
            "may not be zero",
        ),
        (
            "name = \"intentroute\"",
            "name = \"Intent Route\"",
            "lower-case",
        ),
        ("[page]", "[pages]", "no value \"pages\""),
    ] {
        check_fault(old, new, old, says);
    }
}

#[test]
fn a_fault_may_stand_elsewhere_than_the_change() {
    for (old, new, at, says) in [
        ("budget = 14", "", "[plan]", "\"budget\" is missing"),
        (
            "kind = \"files\"",
            "kind = \"pages\"",
            "[[plan.locations]]",
            "only a plan of the kind",
        ),
        (
            "token = \"IntentRouteBot\"",
            "token = \"OtherBot\"",
            "user_agent =",
            "does not contain the token",
        ),
        (
            "path = \"/openapi.json\"",
            "path = \"/agents.md\"",
            "/agents.md",
            "listed twice",
        ),
        (
            "from = 200, to = 299",
            "from = 100, to = 599",
            "from = 429",
            "never reached",
        ),
        (
            "retry = \"next_run\"",
            "retry = \"after\"",
            "retry_after",
            "contradict",
        ),
        (
            "deadline = \"5m\"",
            "deadline = \"20s\"",
            "read_timeout",
            "longer than the deadline",
        ),
        (
            "redact = false",
            "redact = true",
            "robots = \"exact\"",
            "exact bytes",
        ),
    ] {
        check_fault(old, new, at, says);
    }
}

#[test]
fn the_conditional_location_need_not_fit_the_budget() {
    let thirteen = text("intentroute").replacen("budget = 14", "budget = 13", 1);
    assert_eq!(Policy::parse(&thirteen, "x").unwrap().plan.budget, 13);
}

#[test]
fn an_unknown_policy_and_an_unreadable_file_say_what_to_do() {
    let error = load(Path::new("intentroot")).unwrap_err().to_string();
    assert!(
        error.contains("intentroute, itisyou, sitemapped"),
        "{error}"
    );
    let error = load(Path::new("./nowhere/mine.toml"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("check the path"), "{error}");
    assert!(builtin("mine").is_err());
}

#[test]
fn a_file_is_loaded_by_its_path() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mine.toml");
    std::fs::write(
        &path,
        text("itisyou").replace("budget = 200", "budget = 50"),
    )
    .unwrap();
    assert_eq!(load(&path).unwrap().plan.budget, 50);
    std::fs::write(
        &path,
        text("itisyou").replace("budget = 200", "budget = no"),
    )
    .unwrap();
    let error = load(&path).unwrap_err().to_string();
    assert!(
        error.starts_with(&format!("{}:", path.display())),
        "{error}"
    );
    assert_eq!(load(Path::new("itisyou")).unwrap(), shipped("itisyou"));
}

fn set(policy: &Policy, change: &str) -> Result<Policy, OverrideError> {
    policy.with(&change.parse()?)
}

#[test]
fn overrides_take_the_type_of_the_value_they_replace() {
    let base = shipped("intentroute");
    let pace = set(&base, "pace.min_gap=20ms").unwrap().pace;
    assert_eq!(pace.min_gap, Duration::from_millis(20));
    assert_eq!(pace.delay_min, base.pace.delay_min, "nothing else changes");
    let with = |change: &str| set(&base, change).unwrap_or_else(|error| panic!("{error}"));
    assert!((with("pace.scale=0.01").pace.scale - 0.01).abs() < f64::EPSILON);
    assert!((with("pace.scale=2").pace.scale - 2.0).abs() < f64::EPSILON);
    assert_eq!(
        with(" pace.min_gap = \"3s\" ").pace.min_gap,
        Duration::from_secs(3)
    );
    assert_eq!(
        with("pace.delay_max=60s").pace.delay_max,
        Some(Duration::from_secs(60))
    );
    assert_eq!(with("plan.budget=13").plan.budget, 13);
    assert!(with("plan.query_urls=true").plan.query_urls);
    assert_eq!(
        with("plan.locations.0.keep=digest").plan.locations[0].keep,
        KeepMode::Digest
    );
    assert_eq!(
        with("robots.on_error=open").robots.on_error,
        RobotsReading::Open
    );
    assert_eq!(
        with("schedule.period=3").schedule.period,
        PeriodKind::Days(3)
    );
    let three = with("schedule.period=3");
    assert_eq!(
        set(&three, "schedule.period=day").unwrap().schedule.period,
        PeriodKind::Day
    );
    let agent = "identity.user_agent=IntentRouteBot/0.2 (a=b)";
    assert_eq!(with(agent).identity.user_agent, "IntentRouteBot/0.2 (a=b)");
    let open = with("identity.addresses=[\"127.0.0.1/32\"]");
    assert!(open.published("127.0.0.1".parse().unwrap()));
    assert!(!open.published("127.0.0.2".parse().unwrap()));
    assert!(!base.published("127.0.0.1".parse().unwrap()));
    let adaptive = "pace.adaptive={ response_factor = 5, max_gap = \"1h\", halve_after = 5 }";
    assert!(with(adaptive).pace.adaptive.is_some());
}

#[test]
fn overrides_that_do_not_fit_are_refused() {
    let base = shipped("intentroute");
    for change in ["pace.min_gap", "=2s", "pace.min_gap=", "pace..min_gap=2s"] {
        let error = set(&base, change).unwrap_err();
        assert!(
            matches!(error, OverrideError::Shape(_)),
            "{change}: {error}"
        );
    }
    for change in [
        "pace.mingap=2s",
        "space.min_gap=2s",
        "name.x=1",
        "plan.locations.99.keep=exact",
        "plan.locations.0.kept=exact",
        "min_gap=2s",
    ] {
        let error = set(&base, change).unwrap_err();
        assert!(
            matches!(error, OverrideError::Unknown { .. }),
            "{change}: {error}"
        );
    }
    for (change, says) in [
        ("pace.min_gap=soon", "not a duration"),
        ("plan.budget=lots", "a whole number"),
        ("plan.budget=12", "set it to 13 or more"),
        ("plan.budget=1.5", "a whole number"),
        ("plan.budget=-1", "u32"),
        ("plan.query_urls=maybe", "true or false"),
        ("identity.addresses=127.0.0.1", "a list"),
        (
            "identity.addresses=[\"127.0.0.1/99\"]",
            "not an address range",
        ),
        ("identity.token=Other", "does not contain the token"),
        ("robots.on_error=perhaps", "perhaps"),
        ("pace.scale=0", "no factor"),
        ("pace.scale=nan", "no factor"),
        ("plan.budget=13\nname = \"x\"", "a whole number"),
        ("pace=fast", "a table"),
    ] {
        let error = set(&base, change).unwrap_err();
        assert!(
            matches!(error, OverrideError::Value { .. }),
            "{change}: {error}"
        );
        assert!(error.to_string().contains(says), "{change}: {error}");
    }
}
