//! A robots.txt that runs out inside a visit (RB9): nothing is asked on the strength of the old one,
//! wherever the new one leads.

use lamplighter::crawl::Command;
use lamplighter::store::Store;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::raw::{Piece, RawServer, audited, reply, run, run_on};
use super::stage::{LOCATIONS, Stage, WEEKS, at, hold, list, quick};

/// Good for half a second, so that a gap can outlast it.
const SHORT: &str = "robots.valid=500ms";

fn rules(text: &str) -> Vec<Piece> {
    reply("200 OK", "Content-Type: text/plain\r\n", text.as_bytes())
}

fn to(url: &str) -> Vec<Piece> {
    reply("302 Found", &format!("Location: {url}\r\n"), b"")
}

/// A server whose hosts answer each asking of /robots.txt with the next of their answers; the last serves on.
async fn server(answers: &'static [(&'static str, &'static [&'static str])]) -> RawServer {
    let counts: Vec<_> = answers.iter().map(|_| AtomicUsize::new(0)).collect();
    RawServer::start(move |host, path| {
        let index = answers.iter().position(|(name, _)| *name == host)?;
        if path != "/robots.txt" {
            return None;
        }
        let texts = answers[index].1;
        let count = counts[index].fetch_add(1, Ordering::SeqCst);
        let text = texts[count.min(texts.len() - 1)];
        Some(match text.strip_prefix("to ") {
            Some(url) => to(url),
            None => rules(text),
        })
    })
    .await
}

const OPEN: &str = "User-agent: *\nDisallow: /none\n";
const SHUT: &str = "User-agent: *\nDisallow: /\n";

#[tokio::test(flavor = "multi_thread")]
async fn what_ran_out_during_the_gap_allows_nothing() {
    // Asked at 0, 0.4, then due at 0.8: the file ran out while that gap was kept.
    let server = server(&[("gap.test", &[OPEN, SHUT])]).await;
    let policy = quick(&[SHORT, "pace.min_gap=400ms"]);
    let (_place, store) = run(&server, &policy, &["gap.test"]).await;
    let asked = server.asked("gap.test");
    assert_eq!(asked, ["/robots.txt", LOCATIONS[0], "/robots.txt"]);
    audited(&store);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visit_follows_the_file_read_anew_to_another_host_and_back() {
    let server = server(&[
        // Off to another host in the middle of the visit, whose own file closes it.
        ("away.test", &[OPEN, "to http://www.away.test/robots.txt"]),
        ("www.away.test", &[SHUT]),
        // There, and back again: the files that are left are asked where the rules are.
        ("back.test", &["to http://www.back.test/robots.txt", OPEN]),
        ("www.back.test", &[OPEN, "to http://back.test/robots.txt"]),
        // Off the site: closed.
        ("off.test", &[OPEN, "to http://away.test/robots.txt"]),
    ])
    .await;
    let policy = quick(&[SHORT, "pace.min_gap=150ms"]);
    let hosts = ["away.test", "back.test", "off.test"];
    let (_place, store) = run(&server, &policy, &hosts).await;
    for host in ["away.test", "off.test"] {
        let asked = server.asked(host);
        let again = asked.iter().rposition(|path| path == "/robots.txt");
        assert!(asked.len() > 3, "{host}: {asked:?}");
        assert_eq!(again, Some(asked.len() - 1), "{host}: {asked:?}");
    }
    assert_eq!(server.asked("www.away.test"), ["/robots.txt"]);
    let www = server.asked("www.back.test");
    assert!(www.len() > 3, "{www:?}");
    assert_eq!(www.last().map(String::as_str), Some("/robots.txt"));
    let back = server.asked("back.test");
    assert!(back.len() > 3, "{back:?}");
    assert_eq!(back[..2], ["/robots.txt", "/robots.txt"]);
    assert!(
        back[2..]
            .iter()
            .all(|path| !www.contains(path) || path == "/robots.txt")
    );
    audited(&store);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_read_anew_leads_to_no_host_that_is_suppressed_or_held() {
    let server = server(&[
        ("one.test", &[OPEN, "to http://www.one.test/robots.txt"]),
        ("www.one.test", &[OPEN]),
        ("two.test", &[OPEN, "to http://www.two.test/robots.txt"]),
        ("www.two.test", &[OPEN]),
    ])
    .await;
    let policy = quick(&[SHORT, "pace.min_gap=150ms"]);
    let place = tempfile::tempdir().unwrap();
    let store = Store::open(place.path(), &policy.name).unwrap();
    std::fs::write(place.path().join("suppressed.list"), "www.one.test\n").unwrap();
    list(&store, &["one.test", "two.test"]);
    hold(&store, &"=www.two.test".parse().unwrap());
    run_on(&server, &policy, &store, WEEKS[0]).await;
    for host in ["one.test", "two.test"] {
        let asked = server.asked(host);
        let again = asked.iter().rposition(|path| path == "/robots.txt");
        assert!(asked.len() > 3, "{host}: {asked:?}");
        assert_eq!(again, Some(asked.len() - 1), "{host}: {asked:?}");
        assert_eq!(server.asked(&format!("www.{host}")), [""; 0], "{host}");
    }
    // Released, the visit that waited goes on there.
    let desk = store.desk().unwrap();
    let scope = "=www.two.test".parse().unwrap();
    desk.release(&scope, "test", at(WEEKS[0])).unwrap();
    run_on(&server, &policy, &store, "2026-11-30T07:00:00Z").await;
    assert_eq!(server.asked("www.one.test"), [""; 0]);
    audited(&store);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_another_process_read_in_the_future_is_read_anew() {
    let to = |target: &str| format!("[[rule]]\npath = \"/robots.txt\"\nredirect = \"{target}\"\n");
    let (moved, hop) = (to("http://www.moved.test/robots.txt"), to("/rules"));
    let unlisted = "listed = false\n";
    let rules =
        hop + "[[file]]\npath = \"/rules\"\ntext = \"User-agent: *\\nDisallow: /none\\n\"\n";
    let sites = [
        ("plain.test", ""),
        ("moved.test", moved.as_str()),
        ("www.moved.test", unlisted),
        ("hop.test", rules.as_str()),
    ];
    let stage = Stage::new(&sites, &["pace.min_gap=40ms"]).await;
    // Each clock is behind the one before it.
    let mut asked = Vec::new();
    for now in ["2026-12-03T06:00:00Z", "2026-12-02T06:00:00Z"] {
        let already = stage.web.seen().len();
        let running = stage.start(now).await;
        running.until_begun(already as u64 + 12).await;
        running.handle.command(Command::Stop).await.unwrap();
        asked.push(running.finished().await);
    }
    asked.push(stage.week(1, "2026-12-01T06:00:00Z").await);
    for later in &asked[1..] {
        for (host, expected) in [
            ("plain.test", &["/robots.txt"][..]),
            ("www.moved.test", &["/robots.txt"]),
            ("hop.test", &["/robots.txt", "/rules"]),
        ] {
            let paths = later.asked(host);
            assert_eq!(paths[..expected.len()], *expected, "{host}");
        }
    }
    // Nothing else is asked twice; what was read anew counts towards the budget.
    for host in ["plain.test", "www.moved.test", "hop.test"] {
        let all = asked.iter().flat_map(|ran| ran.asked(host));
        let mut files: Vec<_> = all.filter(|path| !path.starts_with("/r")).collect();
        let count = files.len();
        files.sort_unstable();
        files.dedup();
        assert_eq!(files.len(), count, "{host}");
        assert!(count > 5, "{host}: {count}");
    }
}
