//! 429 and 503: the whole site stops (PC4, known faults 9 and 10).

use jiff::Timestamp;

use super::stage::{Ran, Stage, WEEKS, at};

/// A rule that limits one path, with a Retry-After as it is written.
fn limit(path: &str, status: u16, retry_after: Option<&str>) -> String {
    let retry = retry_after.map_or(String::new(), |text| format!("retry_after = \"{text}\"\n"));
    // A site has as many versions as its rules speak of: the second one is free of limits.
    let second = "[[rule]]\npath = \"/never\"\nversions = [2]\n";
    format!("[[rule]]\npath = \"{path}\"\nstatus = {status}\n{retry}versions = [1]\n{second}")
}

fn stopped(ran: &Ran, site: &str, first: &[&str]) {
    assert_eq!(ran.asked(&format!("a.{site}")), first, "{site}");
    assert_eq!(ran.outcome(&format!("a.{site}")), "limited", "{site}");
    for sibling in ["b", "c"] {
        let host = format!("{sibling}.{site}");
        assert_eq!(ran.asked(&host), [""; 0], "{host}");
        assert_eq!(ran.outcome(&host), "site_limited", "{host}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_limit_stops_every_host_of_the_site_for_this_run() {
    let first = ["/robots.txt", "/llms.txt", "/.well-known/agent-card.json"];
    let on_robots = [
        ("robots429.test", limit("/robots.txt", 429, None)),
        ("robots503.test", limit("/robots.txt", 503, Some("60"))),
    ];
    let on_file = [
        // A challenge that says 429 is a 429.
        (
            "challenge429.test",
            limit(first[2], 429, Some("60")).replacen(
                "versions",
                "headers = [[\"cf-mitigated\", \"challenge\"]]\nversions",
                1,
            ),
        ),
        ("file429.test", limit(first[2], 429, Some("5"))),
        ("file503.test", limit(first[2], 503, None)),
    ];
    let mut sites = vec![("free.test".to_owned(), String::new())];
    for (site, script) in on_robots.iter().chain(&on_file) {
        sites.push((format!("a.{site}"), script.clone()));
        sites.push((format!("b.{site}"), String::new()));
        sites.push((format!("c.{site}"), String::new()));
    }
    let sites: Vec<_> = sites
        .iter()
        .map(|(host, script)| (host.as_str(), script.as_str()))
        .collect();
    let stage = Stage::new(&sites, &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    for (site, _) in &on_robots {
        stopped(&ran, site, &first[..1]);
    }
    for (site, _) in &on_file {
        stopped(&ran, site, &first);
    }
    assert_eq!(ran.asked("free.test").len(), 14);
    for (host, _) in &sites {
        assert!(
            stage.listed(host).0 >= at(WEEKS[1]),
            "{host} is due too soon"
        );
    }
    // Later in the week a short Retry-After is over, and still nothing leaves.
    let later = stage.week(1, "2026-12-05T12:00:00Z").await;
    assert_eq!(later.seen, []);
    // The next run asks all of them.
    let next = stage.week(2, WEEKS[1]).await;
    for (host, _) in &sites {
        assert_eq!(next.asked(host).len(), 14, "{host}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_retry_after_of_hours_or_weeks_is_waited_for() {
    let (three_hours, nine_days, three_weeks) = ("10800", "777600", "1814400");
    let sites = [
        ("a.hours.test", limit("/llms.txt", 429, Some(three_hours))),
        ("b.hours.test", String::new()),
        ("a.days.test", limit("/llms.txt", 503, Some(nine_days))),
        ("b.days.test", String::new()),
        ("a.weeks.test", limit("/robots.txt", 429, Some(three_weeks))),
        ("b.weeks.test", String::new()),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    stage.week(1, WEEKS[0]).await;
    let due = |host: &str| stage.listed(host).0;
    for host in ["a.hours.test", "b.hours.test"] {
        assert_eq!(due(host), at(WEEKS[1]), "{host}");
    }
    for (site, wait) in [("days", 9 * 24), ("weeks", 21 * 24)] {
        let over: Timestamp = at(WEEKS[0]) + jiff::SignedDuration::from_hours(wait);
        for host in ["a", "b"] {
            let due = due(&format!("{host}.{site}.test"));
            let late = due.duration_since(over);
            assert!(!late.is_negative(), "{host}.{site}: {due} of {over}");
            assert!(late.as_secs() < 60, "{host}.{site}: {due} of {over}");
        }
    }
    let second = stage.week(2, WEEKS[1]).await;
    assert_eq!(second.asked("a.hours.test").len(), 14);
    assert_eq!(second.asked("b.hours.test").len(), 14);
    assert_eq!(second.seen.len(), 28, "somebody was asked before its time");
    // Nine days from Monday are over on Wednesday of the second week.
    let wednesday = stage.week(2, "2026-12-09T06:01:00Z").await;
    assert_eq!(wednesday.asked("a.days.test").len(), 14);
    assert_eq!(wednesday.asked("b.days.test").len(), 14);
    assert_eq!(wednesday.seen.len(), 28);
    let third = stage.week(2, WEEKS[2]).await;
    assert_eq!(third.asked("a.weeks.test"), [""; 0]);
    assert_eq!(third.asked("b.weeks.test"), [""; 0]);
    let fourth = stage.week(2, "2026-12-21T06:01:00Z").await;
    assert_eq!(fourth.asked("a.weeks.test").len(), 14);
    assert_eq!(fourth.asked("b.weeks.test").len(), 14);
}

// Known fault 9: what cannot be read is neither "now" nor "in a year".
#[tokio::test(flavor = "multi_thread")]
async fn an_odd_retry_after_means_next_week() {
    let odd = [
        ("minus.test", "-3"),
        ("half.test", "1.5"),
        ("plus.test", "+3"),
        ("empty.test", ""),
        ("list.test", "120, 60"),
        ("past.test", "Mon, 01 Jan 2001 00:00:00 GMT"),
        ("zero.test", "0"),
        ("word.test", "soon"),
    ];
    let sites = odd.map(|(host, value)| (host, limit("/llms.txt", 429, Some(value))));
    let mut sites = sites.to_vec();
    sites.push(("digits.test", limit("/llms.txt", 429, Some("9999999999"))));
    let sites: Vec<_> = sites
        .iter()
        .map(|(host, script)| (*host, script.as_str()))
        .collect();
    let stage = Stage::new(&sites, &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    for (host, _) in odd {
        assert_eq!(ran.asked(host), ["/robots.txt", "/llms.txt"], "{host}");
        assert_eq!(stage.listed(host).0, at(WEEKS[1]), "{host}");
    }
    // Ten digits are a readable number of seconds: it is honoured, and nothing overflows.
    assert!(stage.listed("digits.test").0 > at("2100-01-01T00:00:00Z"));
    let next = stage.week(2, WEEKS[1]).await;
    assert_eq!(next.seen.len(), 14 * odd.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_told_to_wait_is_listed_as_resting_until_the_wait_is_over() {
    let wait = |days: u32| limit("/robots.txt", 429, Some(&(days * 86_400).to_string()));
    let (long, past) = (wait(15), wait(1));
    let sites = [
        ("long.test", long.as_str()),
        ("past.test", past.as_str()),
        ("free.test", super::stage::CARD),
    ];
    let stage = Stage::new(&sites, &[]).await;
    let first = stage.week(1, WEEKS[0]).await;
    let until = stage.listed("long.test").0;
    assert!(until >= at("2026-12-15T06:00:00Z"), "{until}");
    // A host met later is due at once, its site is not.
    stage.list(&["new.long.test"]);
    assert!(stage.listed("new.long.test").0 >= at("2026-12-15T06:00:00Z"));
    assert!(
        stage
            .listed("new.long.test")
            .1
            .starts_with("resting: 429 on /robots.txt")
    );
    let second = stage.week(2, WEEKS[1]).await;
    assert!(second.asked("long.test").is_empty());
    for host in ["long.test", "new.long.test"] {
        let (next, state) = stage.listed(host);
        assert!(next >= at("2026-12-15T06:00:00Z"), "{host}: {next}");
        assert!(
            state.starts_with("resting: 429 on /robots.txt"),
            "{host}: {state}"
        );
    }
    assert_eq!(second.asked("past.test")[0], "/robots.txt");
    assert_eq!(stage.listed("past.test").1, "done");
    assert_eq!(first.outcome("free.test"), "done");
    assert_eq!(stage.listed("free.test").1, "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resumed_run_counts_on_with_all_its_figures() {
    let limited = limit("/llms.txt", 429, None);
    let closed = "[[rule]]\npath = \"/robots.txt\"\nstatus = 500\n";
    let none = "[[rule]]\npath = \"/robots.txt\"\nstatus = 404\n";
    let sites = [
        ("limited.test", limited.as_str()),
        ("closed.test", closed),
        ("none.test", none),
        ("read.test", ""),
    ];
    let stage = Stage::new(&sites, &[]).await;
    let figures = |update: lamplighter::crawl::Update| {
        (
            update.told_to_wait,
            update.robots,
            update.totals.outcomes,
            update.done,
        )
    };
    let running = stage.start(WEEKS[0]).await;
    let handle = running.handle.clone();
    running.finished().await;
    let first = figures(handle.glance());
    assert_eq!(first.0, 1);
    assert_eq!(first.1.iter().sum::<u64>(), 4, "{:?}", first.1);
    assert_eq!(first.1[2], 1, "{:?}", first.1);
    let again = stage.start("2026-12-02T06:00:00Z").await;
    let resumed = again.handle.glance();
    again.finished().await;
    assert_eq!(figures(resumed), first);
}
