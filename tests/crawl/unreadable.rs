//! A 429 in an answer that is broken otherwise stops the site all the same (PC4).

use std::time::Duration;

use super::raw::{Piece, RawServer, audited, last, reply, run};
use super::stage::{WEEKS, at, quick};

/// Every way in which an answer that says 429 can be bad, by name.
fn broken() -> Vec<(&'static str, Vec<Piece>)> {
    let head = |lines: &str| format!("HTTP/1.1 429 Too Many Requests\r\n{lines}\r\n\r\n");
    let many = (0..2_000)
        .map(|number| format!("X-{number}: a\r\n"))
        .collect::<String>();
    let some = (0..300)
        .map(|number| format!("X-{number}: a\r\n"))
        .collect::<String>();
    let large = format!("X-Large: {}", "a".repeat(600_000));
    let mut drip = vec![Piece::Bytes(head("Content-Length: 1000").into_bytes())];
    for _ in 0..40 {
        drip.extend([
            Piece::Bytes(b".".to_vec()),
            Piece::Wait(Duration::from_millis(25)),
        ]);
    }
    vec![
        ("nul", last(head("X-Bad: a\0b\r\nContent-Length: 0"))),
        ("return", last(head("X-Bad: a\rb\r\nContent-Length: 0"))),
        ("length", last(head("Content-Length: five"))),
        (
            "lengths",
            last(head("Content-Length: 1\r\nContent-Length: 2") + "ab"),
        ),
        (
            "reason",
            last("HTTP/1.1 429 Too\x01Many\r\nContent-Length: 0\r\n\r\n"),
        ),
        (
            "version",
            last("HTTP/1.9 429 Slow\r\nContent-Length: 0\r\n\r\n"),
        ),
        ("some", last(head(&(some + "Content-Length: 0")))),
        ("many", last(head(&(many + "Content-Length: 0")))),
        ("large", last(head(&large))),
        ("transfer", last(head("Transfer-Encoding: gzip") + "abc")),
        (
            "chunks",
            last(head("Transfer-Encoding: chunked") + "twelve\r\nabc"),
        ),
        (
            "coding",
            reply("429 Slow", "Content-Encoding: zstd\r\n", b"abc"),
        ),
        (
            "corrupt",
            reply("429 Slow", "Content-Encoding: gzip\r\n", b"not gzip"),
        ),
        ("short", last(head("Content-Length: 100") + "abc")),
        (
            "silent",
            vec![
                Piece::Bytes(head("Content-Length: 100").into_bytes()),
                Piece::Wait(Duration::from_millis(900)),
                Piece::Close,
            ],
        ),
        ("drip", drip),
    ]
}

async fn each_stops_its_site(limited: &'static str) {
    let server = RawServer::start(move |host, path| {
        if path != limited || !host.starts_with("a.") {
            return (path == "/robots.txt").then(|| reply("200 OK", "", b"User-agent: *\n"));
        }
        let name = host.split('.').nth(1)?.to_owned();
        broken()
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, pieces)| pieces)
    })
    .await;
    let names: Vec<_> = broken().iter().map(|(name, _)| *name).collect();
    let hosts: Vec<_> = names
        .iter()
        .flat_map(|name| ["a", "b"].map(|first| format!("{first}.{name}.test")))
        .collect();
    let hosts: Vec<_> = hosts.iter().map(String::as_str).collect();
    let policy = quick(&["transfer.read_timeout=300ms", "transfer.min_speed=100000"]);
    let (_place, store) = run(&server, &policy, &hosts).await;
    for name in names {
        let first = server.asked(&format!("a.{name}.test"));
        assert_eq!(
            first.last().map(String::as_str),
            Some(limited),
            "{name}: {first:?}"
        );
        assert_eq!(server.asked(&format!("b.{name}.test")), [""; 0], "{name}");
    }
    let rows = store.reader().unwrap().hosts(None, 100).unwrap();
    assert_eq!(rows.len(), hosts.len());
    for row in rows {
        assert!(
            row.next_visit >= at(WEEKS[1]),
            "{} is due too soon",
            row.host
        );
    }
    audited(&store);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_429_on_a_file_stops_the_site_whatever_else_is_wrong_with_it() {
    each_stops_its_site("/llms.txt").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_429_on_robots_txt_stops_the_site_whatever_else_is_wrong_with_it() {
    each_stops_its_site("/robots.txt").await;
}
