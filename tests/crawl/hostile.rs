//! Servers that answer in odd ways on purpose: no promise breaks, and no other host pays for it.

use std::collections::BTreeSet;
use std::time::Duration;

use lamplighter::fetch::Outcome;

use super::raw::{Piece, RawServer, audited, last, reply, run};
use super::stage::{host, quick, whole_list};

fn bytes(text: impl AsRef<[u8]>) -> Piece {
    Piece::Bytes(text.as_ref().to_vec())
}

const OK: &str = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc";

/// What the answer to /llms.txt is, by the name of the host.
fn odd(name: &str) -> Vec<Piece> {
    match name {
        "early" => vec![
            bytes("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
            bytes(OK),
        ],
        "continue" => vec![bytes("HTTP/1.1 100 Continue\r\n\r\n".repeat(50) + OK)],
        // Interim answers without end, quickly and slowly.
        "flood" => {
            let some = bytes("HTTP/1.1 102 Processing\r\n\r\n".repeat(500));
            let wait = Piece::Wait(Duration::from_millis(20));
            std::iter::repeat_n([some, wait], 100).flatten().collect()
        }
        "switch" => {
            last("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc")
        }
        "interim429" => vec![
            bytes("HTTP/1.1 103 Early Hints\r\nRetry-After: 60\r\n\r\n"),
            bytes(OK),
        ],
        "zero" => last("HTTP/1.1 000 No\r\nContent-Length: 0\r\n\r\n"),
        "high" => reply("999 Denied", "", b""),
        "old" => last("HTTP/1.0 200 OK\r\n\r\nabc"),
        "bare" => last("HTTP/1.1 200\r\n\r\nabc"),
        "newlines" => last("HTTP/1.1 200 OK\nContent-Length: 3\n\nabc"),
        // Both framings: the chunked one counts, or neither does (RFC 9112 section 6.3).
        "both" => last(
            "HTTP/1.1 200 OK\r\nContent-Length: 30\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        ),
        "twice" => last("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc"),
        // A second answer that nobody asked for, to be taken for the next one.
        "smuggle" => vec![bytes(
            OK.to_owned() + "HTTP/1.1 429 Slow\r\nContent-Length: 0\r\n\r\n",
        )],
        "surplus" => vec![bytes(OK.to_owned() + "more than was announced")],
        "negative" => last("HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\nabc"),
        "vast" => last("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551615\r\n\r\nabc"),
        "past" => reply(
            "429 Slow",
            "Retry-After: Mon, 01 Jan 2001 00:00:00 GMT\r\n",
            b"",
        ),
        "huge" => reply("503 No", "Retry-After: 99999999999999999999999999\r\n", b""),
        "waits" => reply("429 Slow", "Retry-After: 5\r\nRetry-After: 777600\r\n", b""),
        "dates" => reply("200 OK", "Date: x\r\nDate: y\r\nRetry-After: 1\r\n", b"abc"),
        "closes" => last("HTTP/1.1 404 No\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
        // Says it stays and goes.
        "liar" => last("HTTP/1.1 404 No\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n"),
        "nothing" => vec![Piece::Close],
        "garbage" => last(b"\x00\x01\x02\x03\xff\xfe\r\n\r\n"),
        "h2" => last(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        _ => reply("404 Not Found", "", b""),
    }
}

/// How the request ends by the log, and whether the visit goes on after it.
const CASES: &[(&str, Outcome, bool)] = &[
    ("early", Outcome::Present, true),
    ("continue", Outcome::Present, true),
    ("flood", Outcome::Timeout, true),
    ("switch", Outcome::Malformed, true),
    // A wait named in an interim answer is not the answer's.
    ("interim429", Outcome::Present, true),
    ("zero", Outcome::Malformed, false),
    ("high", Outcome::ServerError, true),
    ("old", Outcome::Present, true),
    ("bare", Outcome::Present, true),
    ("newlines", Outcome::Present, true),
    ("both", Outcome::Present, true),
    ("twice", Outcome::Present, true),
    ("smuggle", Outcome::Present, true),
    ("surplus", Outcome::Present, true),
    ("negative", Outcome::Malformed, false),
    ("vast", Outcome::Malformed, false),
    ("past", Outcome::Limited, false),
    ("huge", Outcome::Limited, false),
    ("waits", Outcome::Limited, false),
    ("dates", Outcome::Present, true),
    ("closes", Outcome::Absent, true),
    ("liar", Outcome::Absent, true),
    ("nothing", Outcome::Reset, true),
    ("garbage", Outcome::Malformed, false),
    ("h2", Outcome::Malformed, false),
    ("plain", Outcome::Absent, true),
];
const GAP: Duration = Duration::from_millis(30);

#[tokio::test(flavor = "multi_thread")]
async fn odd_answers_break_no_promise_and_touch_no_other_host() {
    let server = RawServer::start(|host, path| {
        (path == "/llms.txt").then(|| odd(host.split('.').next().unwrap_or_default()))
    })
    .await;
    let hosts: Vec<_> = CASES
        .iter()
        .map(|case| format!("{}.test", case.0))
        .collect();
    let hosts: Vec<_> = hosts.iter().map(String::as_str).collect();
    let policy = quick(&[
        "transfer.connect_timeout=300ms",
        "transfer.read_timeout=400ms",
        "transfer.deadline=900ms",
        "pace.min_gap=30ms",
    ]);
    let (_place, store) = run(&server, &policy, &hosts).await;
    audited(&store);
    let (reader, came) = (store.reader().unwrap(), server.came());
    for (name, outcome, goes_on) in CASES {
        let name = format!("{name}.test");
        let (id, _) = reader.host(&host(&name)).unwrap().unwrap();
        let log = reader.log(id, None, None).unwrap();
        let row = log.iter().find(|row| row.target == "/llms.txt").unwrap();
        assert_eq!(row.outcome, Some(*outcome), "{name}: {row:?}");
        let asked = server.asked(&name);
        let expected = if *goes_on {
            &whole_list()[..]
        } else {
            &whole_list()[..2]
        };
        assert_eq!(asked, expected, "{name}");
        let of_host: Vec<_> = came.iter().filter(|came| came.host == name).collect();
        for pair in of_host.windows(2) {
            let gap = pair[1].at - pair[0].at;
            assert!(gap >= GAP, "{name}: {gap:?}");
        }
        let connections: BTreeSet<_> = of_host.iter().map(|came| came.connection).collect();
        assert!(connections.len() <= 2, "{name}: {connections:?}");
    }
}

// The same as robots.txt: whatever cannot be read closes the host, and nothing else is asked of it.
#[tokio::test(flavor = "multi_thread")]
async fn odd_answers_to_robots_txt_close_the_host_or_are_read_as_they_should() {
    let server = RawServer::start(|host, path| {
        (path == "/robots.txt").then(|| odd(host.split('.').next().unwrap_or_default()))
    })
    .await;
    let closed = [
        "flood", "switch", "zero", "high", "negative", "vast", "past", "huge", "waits", "nothing",
        "garbage", "h2",
    ];
    let open = [
        "early",
        "continue",
        "interim429",
        "old",
        "bare",
        "newlines",
        "both",
        "twice",
        "smuggle",
        "surplus",
        "dates",
        "closes",
        "liar",
    ];
    let hosts: Vec<_> = [&closed[..], &open[..]].concat();
    let hosts: Vec<_> = hosts.iter().map(|name| format!("{name}.test")).collect();
    let hosts: Vec<_> = hosts.iter().map(String::as_str).collect();
    let policy = quick(&[
        "transfer.connect_timeout=300ms",
        "transfer.read_timeout=400ms",
    ]);
    let (_place, store) = run(&server, &policy, &hosts).await;
    audited(&store);
    for name in closed {
        assert_eq!(
            server.asked(&format!("{name}.test")),
            ["/robots.txt"],
            "{name}"
        );
    }
    for name in open {
        assert_eq!(
            server.asked(&format!("{name}.test")),
            whole_list(),
            "{name}"
        );
    }
}

// Redirects of robots.txt over hosts that declare their own delays: each hop keeps the site's gap, and
// the delay of the file that governs in the end is kept for all that follows.
#[tokio::test(flavor = "multi_thread")]
async fn hops_over_hosts_with_delays_of_their_own_keep_the_longest_gap_known() {
    let server = RawServer::start(|host, path| {
        let rules = |delay: &str| {
            let text = format!("User-agent: *\nDisallow: /x\nCrawl-delay: {delay}\n");
            reply("200 OK", "", text.as_bytes())
        };
        let to = |url: &str| reply("302 Found", &format!("Location: {url}\r\n"), b"");
        (path == "/robots.txt").then(|| match host {
            "a.gaps.test" => rules("0.3"),
            "b.gaps.test" => to("http://c.gaps.test/robots.txt"),
            "c.gaps.test" => to("http://d.gaps.test/robots.txt"),
            _ => rules("0.2"),
        })
    })
    .await;
    let policy = quick(&["pace.min_gap=50ms"]);
    let (_place, store) = run(&server, &policy, &["a.gaps.test", "b.gaps.test"]).await;
    audited(&store);
    let came = server.came();
    assert_eq!(server.asked("a.gaps.test"), whole_list());
    assert_eq!(server.asked("d.gaps.test").len(), 12);
    for pair in came.windows(2) {
        let least = match (pair[1].host.as_str(), pair[1].path.as_str()) {
            ("d.gaps.test", path) if path != "/robots.txt" => 200,
            // a's delay holds for the site until another file governs.
            _ => 300,
        };
        let gap = (pair[1].at - pair[0].at).as_millis();
        assert!(gap >= least, "{gap} of {least} ms: {pair:?}");
    }
}
