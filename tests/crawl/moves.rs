//! A visit that moves to another host of its site, its aliases, and its budget (AS2).

use std::time::{Duration, Instant};

use lamplighter::crawl::Command;
use lamplighter::store::VisitOutcome;
use lamplighter::suppress::Entry;

use super::stage::{CARD, CONDITIONAL, LOCATIONS, Stage, WEEKS, at, whole_list};

fn to(target: &str) -> String {
    format!("[[rule]]\npath = \"/robots.txt\"\nredirect = \"{target}\"\n")
}

const CLOSES_LLMS: &str = r#"
[[file]]
path = "/robots.txt"
text = "User-agent: *\nDisallow: /llms.txt\n"
"#;
const UNLISTED: &str = "listed = false\n";

#[tokio::test(flavor = "multi_thread")]
async fn a_visit_moves_to_www_whose_file_governs_and_who_owns_the_history() {
    let www = format!(
        "{UNLISTED}{CLOSES_LLMS}[[file]]\npath = \"/agents.md\"\ntext = \"# Agents\\n\"\n[[file]]\npath = \"/llms.txt\"\ntext = \"# Never\\n\"\n"
    );
    let apex = to("http://www.apex.test/robots.txt");
    let stage = Stage::new(&[("apex.test", &apex), ("www.apex.test", &www)], &[]).await;
    let first = stage.week(1, WEEKS[0]).await;
    assert_eq!(first.asked("apex.test"), ["/robots.txt"]);
    // robots.txt, eleven of the list (one is denied), and the conditional one: 1 + 13 = 14.
    let mut expected = vec!["/robots.txt"];
    expected.extend(&LOCATIONS[1..]);
    expected.push(CONDITIONAL);
    assert_eq!(first.asked("www.apex.test"), expected);
    assert_eq!(first.seen.len(), 14);
    assert_eq!(first.outcome("www.apex.test"), "done");
    assert_eq!(first.outcome("apex.test"), "moved");
    assert_eq!(
        stage.versions("www.apex.test", "/agents.md"),
        [b"# Agents\n"]
    );
    assert!(stage.versions("apex.test", "/agents.md").is_empty());
    let visits = stage.visits(&first.run);
    let moved = VisitOutcome::Moved(stage.id("www.apex.test"));
    assert!(visits.iter().any(|visit| visit.outcome == moved));
    // The old connection is closed before the other host is asked: never two at once, and two in all.
    assert_eq!(first.connections("apex.test").len(), 1);
    assert_eq!(first.connections("www.apex.test").len(), 1);
    // The next week again asks each host once, whoever's turn comes first.
    let second = stage.week(1, WEEKS[1]).await;
    assert_eq!(second.asked("apex.test"), ["/robots.txt"]);
    assert_eq!(second.asked("www.apex.test"), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visit_that_would_move_to_a_host_already_visited_ends_as_the_same() {
    // In the order of a site's hosts, a.twin.test comes before www.twin.test.
    let twin = to("http://a.twin.test/robots.txt");
    let stage = Stage::new(&[("a.twin.test", CARD), ("www.twin.test", &twin)], &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    assert_eq!(ran.asked("a.twin.test").len(), 13);
    assert_eq!(ran.asked("www.twin.test"), ["/robots.txt"]);
    assert_eq!(ran.outcome("www.twin.test"), "same_as");
    let same = VisitOutcome::SameAs(stage.id("a.twin.test"));
    let visits = stage.visits(&ran.run);
    assert!(visits.iter().any(|visit| visit.outcome == same));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_budget_drops_the_conditional_location_first_and_then_the_last() {
    let sites = [
        ("one.test", to("http://www.one.test/robots.txt")),
        ("www.one.test", UNLISTED.to_owned()),
        ("two.test", to("http://www.two.test/robots.txt")),
        (
            "www.two.test",
            UNLISTED.to_owned() + &to("http://m.two.test/robots.txt"),
        ),
        ("m.two.test", UNLISTED.to_owned()),
        ("plain.test", String::new()),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    assert_eq!(ran.asked("plain.test"), whole_list());
    // One hop: 1 + 1 + 12 = 14, without the conditional one.
    assert_eq!(ran.asked("www.one.test")[1..], LOCATIONS);
    // Two hops: the last of the twelve is dropped as well.
    assert_eq!(ran.asked("www.two.test"), ["/robots.txt"]);
    assert_eq!(ran.asked("m.two.test")[1..], LOCATIONS[..11]);
    assert_eq!(ran.outcome("m.two.test"), "budget_spent");
    for site in ["one.test", "two.test", "plain.test"] {
        let all = ran.seen.iter().filter(|seen| seen.host.ends_with(site));
        assert_eq!(all.count(), 14, "{site}");
    }
}

// robots.md §8 row 6: what another path answers is applied to this host alone.
#[tokio::test(flavor = "multi_thread")]
async fn robots_txt_by_another_path_governs_this_host_only() {
    let sites = [
        ("path.test", to("/robots-v2.txt") + "[[file]]\npath = \"/robots-v2.txt\"\ntext = \"User-agent: *\\nDisallow: /llms\\n\"\n" + CARD),
        ("b.path.test", CARD.to_owned()),
        ("far.test", to("http://z.far.test/rules/for-far.txt") + CARD),
        (
            "z.far.test",
            "[[file]]\npath = \"/rules/for-far.txt\"\ntext = \"User-agent: *\\nDisallow: /agents.md\\n\"\n".to_owned() + CARD,
        ),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    for week in WEEKS.iter().take(2) {
        let ran = stage.week(1, week).await;
        let path = ran.asked("path.test");
        assert_eq!(path[..2], ["/robots.txt", "/robots-v2.txt"]);
        assert!(
            !path.iter().any(|path| path.starts_with("/llms")),
            "{path:?}"
        );
        assert!(ran.asked("b.path.test").contains(&"/llms.txt"));
        // The visit stays where it was: far.test is asked for its files, less the denied one.
        let far = ran.asked("far.test");
        assert_eq!(far[0], "/robots.txt");
        assert!(
            far.contains(&"/llms.txt") && !far.contains(&"/agents.md"),
            "{far:?}"
        );
        // The other host has its own turn, by its own robots.txt.
        let z = ran.asked("z.far.test");
        assert_eq!(z.iter().filter(|path| **path == "/robots.txt").count(), 1);
        assert!(z.contains(&"/agents.md"), "{z:?}");
        assert_eq!(stage.access("z.far.test"), "open");
    }
    // The text in force is the host's own robots.txt history, whichever path answered.
    assert_eq!(stage.versions("far.test", "/robots.txt").len(), 1);
    assert!(stage.versions("z.far.test", "/robots.txt").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_conditional_location_needs_a_card_that_is_plainly_absent() {
    let card = |rule: &str| format!("[[rule]]\npath = \"/.well-known/agent-card.json\"\n{rule}\n");
    let sites = [
        ("s404.test", card("status = 404")),
        ("s410.test", card("status = 410")),
        ("s500.test", card("status = 500")),
        ("s403.test", card("status = 403")),
        ("soft.test", card("status = 200\nbody = '<!DOCTYPE html><html><title>Home</title></html>'")),
        ("moved.test", card("redirect = \"/elsewhere.json\"")),
        (
            "denied.test",
            "[[file]]\npath = \"/robots.txt\"\ntext = \"User-agent: *\\nDisallow: /.well-known/agent-card.json\\n\"\n".to_owned(),
        ),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    for (host, asked) in [
        ("s404.test", true),
        ("s410.test", true),
        ("s500.test", false),
        ("s403.test", false),
        ("soft.test", false),
        ("moved.test", false),
        ("denied.test", false),
    ] {
        assert_eq!(ran.asked(host).contains(&CONDITIONAL), asked, "{host}");
        assert_eq!(ran.outcome(host), "done", "{host}");
    }
}

// Known fault 6, and the offer of a new host.
#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_of_a_file_is_recorded_and_not_followed() {
    let redirect = |path: &str, target: &str| {
        format!("[[rule]]\npath = \"{path}\"\nredirect = \"{target}\"\n")
    };
    let script =
        "[[file]]\npath = \"/robots.txt\"\ntext = \"User-agent: *\\nDisallow: /private/\\n\"\n"
            .to_owned()
            + &redirect("/llms.txt", "/private/x")
            + &redirect("/agents.md", "http://docs.leads.test/agents.md")
            + &redirect("/openapi.json", "http://other.test/openapi.json")
            + &redirect("/llms-full.txt", "/llms-other.txt");
    let sites = [
        ("leads.test", script.as_str()),
        ("docs.leads.test", UNLISTED),
        ("other.test", UNLISTED),
    ];
    let stage = Stage::new(&sites, &[]).await;
    for week in WEEKS.iter().take(2) {
        let ran = stage.week(1, week).await;
        assert_eq!(ran.asked("leads.test"), whole_list());
        assert_eq!(ran.seen.len(), 14, "something else was asked");
        assert_eq!(ran.told("leads.test", "/llms.txt").0, "redirect");
    }
    let log = stage.log("leads.test");
    let llms = log.iter().find(|row| row.target == "/llms.txt").unwrap();
    assert_eq!(
        llms.redirect.as_deref(),
        Some("http://leads.test/private/x")
    );
    // A host of the same site is offered, and not due; one of another site is not.
    assert_eq!(stage.listed("docs.leads.test").1, "offered");
    let other = stage
        .reader()
        .host(&super::stage::host("other.test"))
        .unwrap();
    assert_eq!(other, None);
}

// A host held half-way, and released while the visit of another host of its site moves to it.
#[tokio::test(flavor = "multi_thread")]
async fn a_visit_that_moves_to_a_host_left_half_way_asks_only_what_is_left() {
    let slow = "[[rule]]\npath = \"/robots.txt\"\nredirect = \"http://a.half.test/robots.txt\"\ndelay_ms = 700\n";
    let sites = [("a.half.test", ""), ("b.half.test", slow)];
    let stage = Stage::new(&sites, &["pace.min_gap=40ms"]).await;
    let scope: Entry = "=a.half.test".parse().unwrap();
    let running = stage.start(WEEKS[0]).await;
    running.until_asked("a.half.test", 4).await;
    let hold = Command::Hold(scope.clone());
    running.handle.command(hold).await.unwrap();
    let begun = Instant::now();
    while stage.web.requests() == stage.web.seen().len() as u64 {
        assert!(begun.elapsed() < Duration::from_secs(10), "b is not asked");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let release = Command::Release(scope);
    running.handle.command(release).await.unwrap();
    let ran = running.finished().await;
    stage.audited(&ran);
    assert_eq!(ran.asked("a.half.test"), whole_list());
    assert_eq!(ran.asked("b.half.test"), ["/robots.txt"]);
    assert_eq!(ran.outcome("b.half.test"), "same_as");
    assert_eq!(ran.outcome("a.half.test"), "done");
    assert_eq!(stage.week(1, "2026-12-02T06:00:00Z").await.seen, []);
}

// example.test → www.example.test/robots.txt → www.example.test/real.txt: the visit has moved before
// the last hop, and www is not asked again in a turn of its own.
#[tokio::test(flavor = "multi_thread")]
async fn a_visit_moves_also_where_the_other_host_redirects_further() {
    let real = "[[file]]\npath = \"/real.txt\"\ntext = \"User-agent: *\\nDisallow: /llms\\n\"\n";
    let onward = to("/real.txt") + real;
    let sites = [
        ("a.chain.test", to("http://b.chain.test/robots.txt")),
        ("b.chain.test", onward.clone()),
        ("new.test", to("http://www.new.test/robots.txt")),
        ("www.new.test", UNLISTED.to_owned() + &onward),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    for week in WEEKS.iter().take(2) {
        let ran = stage.week(1, week).await;
        let mut expected = vec!["/robots.txt", "/real.txt"];
        expected.extend(LOCATIONS.iter().filter(|path| !path.starts_with("/llms")));
        expected.push(CONDITIONAL);
        for (from, to) in [
            ("a.chain.test", "b.chain.test"),
            ("new.test", "www.new.test"),
        ] {
            assert_eq!(ran.asked(from), ["/robots.txt"]);
            assert_eq!(ran.asked(to), expected);
            assert_eq!(ran.connections(to).len(), 1, "{to}");
            assert_eq!(ran.outcome(to), "done");
            assert_eq!(ran.outcome(from), "moved");
        }
    }
    assert_eq!(stage.access("b.chain.test"), "rules");
    assert_eq!(stage.versions("b.chain.test", "/robots.txt").len(), 1);
    assert!(stage.versions("a.chain.test", "/robots.txt").is_empty());
}

// Rule 1: a robots.txt that another visit of the run asked for, as a hop or for itself, is not asked again.
#[tokio::test(flavor = "multi_thread")]
async fn a_robots_txt_on_the_way_of_another_visit_is_not_asked_again() {
    let shared = to("http://z.shared.test/common.txt") + CARD;
    let common =
        "[[file]]\npath = \"/common.txt\"\ntext = \"User-agent: *\\nDisallow: /llms\\n\"\n";
    let sites = [
        // A hop of a's visit: b's own visit goes on from there, and c had its turn.
        ("a.three.test", to("http://b.three.test/robots.txt")),
        ("b.three.test", to("http://c.three.test/robots.txt")),
        ("c.three.test", CARD.to_owned()),
        // d leads into a chain that a has walked.
        ("a.late.test", to("http://b.late.test/robots.txt")),
        ("b.late.test", to("http://c.late.test/robots.txt")),
        ("c.late.test", CARD.to_owned()),
        ("d.late.test", to("http://b.late.test/robots.txt")),
        // A circle is a circle for each of them.
        ("a.round.test", to("http://b.round.test/robots.txt")),
        ("b.round.test", to("http://a.round.test/robots.txt")),
        // What another path says is said for one host alone.
        ("a.shared.test", shared.clone()),
        ("b.shared.test", shared),
        ("z.shared.test", "listed = false\n".to_owned() + common),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    for week in WEEKS.iter().take(2) {
        let ran = stage.week(1, week).await;
        for host in [
            "a.three", "b.three", "a.late", "b.late", "d.late", "a.round", "b.round",
        ] {
            assert_eq!(
                ran.asked(&format!("{host}.test")),
                ["/robots.txt"],
                "{host}"
            );
        }
        for (host, outcome) in [
            ("a.three.test", "moved"),
            ("b.three.test", "same_as"),
            ("d.late.test", "same_as"),
            ("a.round.test", "moved"),
            ("b.round.test", "closed:redirects"),
            ("a.shared.test", "done"),
            ("b.shared.test", "closed:redirects"),
        ] {
            assert_eq!(ran.outcome(host), outcome, "{host}");
        }
        // Two hops of the budget are spent on the way.
        assert_eq!(ran.asked("c.three.test").len(), 12);
        assert_eq!(ran.asked("c.late.test").len(), 12);
        assert_eq!(ran.asked("z.shared.test"), ["/common.txt"]);
        assert_eq!(ran.asked("b.shared.test"), ["/robots.txt"]);
    }
}

// z's visit moves to b and is held there; then b's own turn comes first.
#[tokio::test(flavor = "multi_thread")]
async fn a_host_left_half_way_by_a_visit_that_moved_there_is_not_asked_twice() {
    let onward = "[[rule]]\npath = \"/robots.txt\"\nredirect = \"/real.txt\"\n[[file]]\npath = \"/real.txt\"\ntext = \"User-agent: *\\nDisallow: /x\\n\"\n";
    let away = to("http://b.half.test/robots.txt") + "delay_ms = 700\n";
    for script in ["", onward] {
        let sites = [("b.half.test", script), ("z.half.test", &away)];
        let stage = Stage::new(&sites, &["pace.min_gap=60ms"]).await;
        let scope: Entry = "=b.half.test".parse().unwrap();
        stage.hold(&scope);
        let running = stage.start(WEEKS[0]).await;
        running.until_begun(1).await;
        let release = Command::Release(scope.clone());
        running.handle.command(release).await.unwrap();
        running.until_asked("b.half.test", 5).await;
        let hold = Command::Hold(scope.clone());
        running.handle.command(hold).await.unwrap();
        running.handle.command(Command::Stop).await.unwrap();
        let first = running.finished().await;
        let desk = stage.store.desk().unwrap();
        desk.release(&scope, "test", at(WEEKS[0])).unwrap();
        let second = stage.week(1, "2026-11-30T07:00:00Z").await;
        let third = stage.week(1, "2026-11-30T08:00:00Z").await;
        stage.audited(&first);
        let mut asked = first.asked("b.half.test");
        asked.extend(second.asked("b.half.test"));
        asked.extend(third.asked("b.half.test"));
        let once: std::collections::BTreeSet<_> = asked.iter().collect();
        assert_eq!(once.len(), asked.len(), "{asked:?}");
        assert!(asked.len() >= 14, "{asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visit_has_one_connection_open_at_a_time_wherever_its_robots_txt_lies() {
    let far = to("http://z.far.test/rules.txt") + CARD;
    let rules = "listed = false\n[[file]]\npath = \"/rules.txt\"\ntext = \"User-agent: *\\nDisallow: /x\\n\"\n";
    let sites = [("far.test", far.as_str()), ("z.far.test", rules)];
    let stage = Stage::new(&sites, &["pace.min_gap=40ms"]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    assert_eq!(ran.asked("far.test").len(), 13);
    assert_eq!(ran.asked("z.far.test"), ["/rules.txt"]);
    assert_eq!(stage.web.most_connections(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn hops_keep_the_delay_that_the_host_they_land_on_declares() {
    let hop = |from: &str, target: &str| {
        format!("[[rule]]\npath = \"{from}\"\nredirect = \"{target}\"\n")
    };
    let slow = "[[file]]\npath = \"/robots.txt\"\ntext = \"User-agent: *\\nCrawl-delay: 0.12\\n\"\n\
                [[file]]\npath = \"/r3\"\ntext = \"User-agent: *\\nDisallow: /\\n\"\n"
        .to_owned()
        + &hop("/r1", "/r2") + &hop("/r2", "/r3");
    let through = to("http://a.slow.test/r1");
    let sites = [
        ("a.slow.test", slow.as_str()),
        ("b.slow.test", CARD),
        ("c.slow.test", &through),
    ];
    let stage = Stage::new(&sites, &[]).await;
    // Left between two hops, and taken up by another process.
    let running = stage.start(WEEKS[0]).await;
    running.until_asked("a.slow.test", 15).await;
    running.handle.command(Command::Stop).await.unwrap();
    let first = running.finished().await;
    assert_eq!(first.asked("a.slow.test").last(), Some(&"/r1"));
    let second = stage.week(1, "2026-11-30T06:05:00Z").await;
    assert_eq!(second.asked("a.slow.test"), ["/r2", "/r3"]);
    for pair in [&first.seen[..], &second.seen[..]]
        .iter()
        .flat_map(|seen| seen.windows(2))
    {
        let gap = pair[1].at_ms - pair[0].at_ms;
        assert!(pair[1].host != "a.slow.test" || gap + 1 >= 120, "{pair:?}");
    }
    let kept = |run: lamplighter::store::RunId| {
        let mut rows = stage.log("a.slow.test");
        rows.retain(|row| row.run == run);
        let kept: Vec<_> = rows.iter().map(|row| row.gap_ms).collect();
        assert!(kept[1..].iter().all(|gap| *gap >= 120), "{kept:?}");
    };
    kept(second.run.id);
    // And in the next week, by the file of that week.
    let third = stage.week(1, WEEKS[1]).await;
    assert_eq!(third.asked("a.slow.test")[14..], ["/r1", "/r2", "/r3"]);
    kept(third.run.id);
    let b = stage.log("b.slow.test");
    assert_eq!(b.last().unwrap().gap_ms, 4, "a delay outlived its host");
}
