//! Validators: the newest one of any 200 or 304 is sent the next time (TR1, known fault 8).

use lamplighter::crawl::Command;
use lamplighter::store::SpanState;

use super::stage::{CARD, LOCATIONS, Stage, WEEKS};

const LLMS: &str = "[[file]]\npath = \"/llms.txt\"\ntext = \"# Tides\\n\"\n";

fn rule(version: usize, what: &str) -> String {
    format!("[[rule]]\npath = \"/llms.txt\"\nversions = [{version}]\n{what}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_validator_is_kept_whatever_brought_it() {
    let script = LLMS.to_owned()
        + &rule(1, "etag = '\"a\"'")
        + &rule(2, "etag = '\"b\"'")
        + &rule(3, "status = 304")
        + &rule(4, "status = 304\netag = '\"c\"'")
        + &rule(5, "etag = '\"c\"'");
    let stage = Stage::new(&[("tags.test", &script)], &[]).await;
    let mut sent = Vec::new();
    let mut told = Vec::new();
    for (week, now) in WEEKS.iter().enumerate().take(5) {
        let ran = stage.week(week + 1, now).await;
        let tag = ran.header("tags.test", "/llms.txt", "if-none-match");
        sent.push(tag.map(str::to_owned));
        told.push(ran.told("tags.test", "/llms.txt"));
    }
    let sent: Vec<_> = sent.iter().map(Option::as_deref).collect();
    assert_eq!(
        sent,
        [
            None,
            Some("\"a\""),
            Some("\"b\""),
            Some("\"b\""),
            Some("\"c\"")
        ]
    );
    let told: Vec<_> = told
        .iter()
        .map(|(outcome, change)| (outcome.as_str(), change.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("present", "new"),
            ("present", "unchanged_by_content"),
            ("not_modified", "unchanged"),
            ("not_modified", "unchanged"),
            ("not_modified", "unchanged"),
        ]
    );
    assert_eq!(stage.versions("tags.test", "/llms.txt"), [b"# Tides\n"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn each_kind_of_validator_is_sent_back_as_it_was_given() {
    let both = "Mon, 01 Jan 2024 06:00:00 GMT";
    let sites = [
        ("both.test", LLMS.to_owned()),
        ("date.test", LLMS.to_owned() + &rule(1, "validators = \"date_only\"")),
        ("weak.test", LLMS.to_owned() + &rule(1, "validators = \"weak\"")),
        ("none.test", LLMS.to_owned() + &rule(1, "validators = \"none\"")),
        // Gone in the second week: the old validator goes with the file.
        (
            "gone.test",
            "[[file]]\npath = \"/llms.txt\"\nversions = [1, 3]\ntext = \"# Tides\\n\"\n[[file]]\npath = \"/agents.md\"\nversions = [2]\ntext = \"# Agents\\n\"\n".to_owned(),
        ),
        // Broken in the second week: what is held stays held.
        ("broken.test", LLMS.to_owned() + &rule(2, "status = 500") + &rule(3, "validators = \"both\"")),
        // A soft 404 gives a validator too, and only a digest is kept of it.
        (
            "soft.test",
            "[[file]]\npath = \"/llms.txt\"\ntext = '<!DOCTYPE html><html><title>Home</title></html>'\n".to_owned(),
        ),
        (
            "rules.test",
            "[[file]]\npath = \"/robots.txt\"\ntext = \"User-agent: *\\nDisallow: /llms.txt\\n\"\n".to_owned() + CARD,
        ),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    let first = stage.week(1, WEEKS[0]).await;
    for seen in &first.seen {
        let conditional = super::stage::header(seen, "if-none-match")
            .or(super::stage::header(seen, "if-modified-since"));
        assert_eq!(conditional, None, "{seen:?}");
    }
    let second = stage.week(2, WEEKS[1]).await;
    let header = |host, name| second.header(host, "/llms.txt", name);
    assert!(
        header("both.test", "if-none-match")
            .unwrap()
            .starts_with('"')
    );
    assert_eq!(header("both.test", "if-modified-since"), Some(both));
    assert_eq!(header("date.test", "if-none-match"), None);
    assert_eq!(header("date.test", "if-modified-since"), Some(both));
    assert!(
        header("weak.test", "if-none-match")
            .unwrap()
            .starts_with("W/\"")
    );
    assert_eq!(header("none.test", "if-none-match"), None);
    assert_eq!(header("none.test", "if-modified-since"), None);
    assert!(header("soft.test", "if-none-match").is_some());
    for host in ["both.test", "date.test", "weak.test", "soft.test"] {
        assert_eq!(second.told(host, "/llms.txt").0, "not_modified", "{host}");
    }
    // robots.txt too: a 304 means that the stored rules stay in force.
    assert!(
        second
            .header("rules.test", "/robots.txt", "if-none-match")
            .is_some()
    );
    assert_eq!(second.told("rules.test", "/robots.txt").0, "not_modified");
    assert!(!second.asked("rules.test").contains(&"/llms.txt"));
    let third = stage.week(3, WEEKS[2]).await;
    let header = |host| third.header(host, "/llms.txt", "if-none-match");
    assert!(
        header("gone.test").is_none(),
        "a validator outlived its file"
    );
    assert!(
        header("broken.test").is_some(),
        "a failure cost the validator"
    );
    assert_eq!(third.told("gone.test", "/llms.txt").1, "back");
    assert_eq!(third.told("broken.test", "/llms.txt").0, "not_modified");
    // A soft 404 confirmed by 304 is still no file.
    assert!(stage.versions("soft.test", "/llms.txt").is_empty());
}

/// A soft 404 on one location, and one page whatever is asked; both with an entity tag.
const SOFT: &str =
    "[[file]]\npath = \"/llms.txt\"\ntext = '<!DOCTYPE html><html><title>Home</title></html>'\n";

fn catch_all() -> String {
    let file =
        |path: &&str| format!("[[file]]\npath = \"{path}\"\ntext = \"the same everywhere\"\n");
    LOCATIONS.iter().map(file).collect()
}

/// States in the record of a host's visit, robots.txt left out.
fn recorded(stage: &Stage, run: &lamplighter::store::Run, name: &str) -> Vec<SpanState> {
    let id = stage.id(name);
    let mut visits = stage.visits(run);
    visits.retain(|visit| visit.host == id);
    assert_eq!(visits.len(), 1, "{name}");
    visits[0].locations[1..].to_vec()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_304_leaves_a_location_in_the_state_its_validators_are_from() {
    let all = catch_all();
    let sites = [("soft.test", SOFT), ("all.test", &all), ("file.test", LLMS)];
    // Slow enough to be left in the middle.
    let stage = Stage::new(&sites, &["pace.min_gap=30ms"]).await;
    let first = stage.week(1, WEEKS[0]).await;
    let names = ["soft.test", "all.test", "file.test"];
    let records = names.map(|name| recorded(&stage, &first.run, name));
    assert_eq!(records[0][0], SpanState::SoftAbsent);
    assert!(
        records[1][..12]
            .iter()
            .all(|state| *state == SpanState::SoftAbsent)
    );
    assert_eq!(records[2][0], SpanState::Present);
    let spans = |name: &str| LOCATIONS.map(|path| stage.states(name, path));
    let spans_before = names.map(spans);

    let second = stage.week(1, WEEKS[1]).await;
    for name in names {
        assert_eq!(second.told(name, "/llms.txt").0, "not_modified", "{name}");
    }
    assert_eq!(second.told("soft.test", "/llms.txt").1, "none");
    assert_eq!(second.told("file.test", "/llms.txt").1, "unchanged");
    assert_eq!(
        names.map(|name| recorded(&stage, &second.run, name)),
        records
    );

    // The third week is left in the middle and taken up by another process.
    let running = stage.start(WEEKS[2]).await;
    running.until_asked("all.test", 28 + 5).await;
    running.handle.command(Command::Stop).await.unwrap();
    let left = running.finished().await;
    assert!(left.asked("all.test").len() < 13, "nothing was left");
    let third = stage.week(1, "2026-12-14T06:05:00Z").await;
    assert_eq!(
        names.map(|name| recorded(&stage, &third.run, name)),
        records
    );
    assert_eq!(names.map(spans), spans_before);
}
