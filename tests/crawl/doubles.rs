//! Names that are told apart by more than their letters: ports and literals (known faults 5 and 7).

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use lamplighter::crawl::Engine;
use lamplighter::store::Store;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::stage::{CARD, Stage, WEEKS, at, header, host, list, quick, settings_of};

/// Host header and path of each request, in order.
type Asked = Arc<Mutex<Vec<(String, String)>>>;

/// A server whose robots.txt has this rule.
async fn server(at: &str, rule: &'static str) -> (SocketAddr, Asked) {
    let listener = TcpListener::bind(at).await.unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Asked::default();
    let shared = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(talk(stream, rule, Arc::clone(&shared)));
        }
    });
    (address, asked)
}

async fn talk(mut stream: TcpStream, rule: &'static str, asked: Asked) {
    let mut read = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer).await {
        read.extend_from_slice(&buffer[..count]);
        let mut headers = [httparse::EMPTY_HEADER; 32];
        let mut head = httparse::Request::new(&mut headers);
        if !head.parse(&read).is_ok_and(|parsed| parsed.is_complete()) {
            continue;
        }
        let path = head.path.unwrap_or_default().to_owned();
        let named = head
            .headers
            .iter()
            .find(|header| header.name.eq_ignore_ascii_case("host"));
        let name = String::from_utf8(named.unwrap().value.to_vec()).unwrap();
        read.clear();
        let answer = match path.as_str() {
            "/robots.txt" => rules(rule),
            _ => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_owned(),
        };
        asked.lock().unwrap().push((name, path));
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

fn rules(line: &str) -> String {
    let body = format!("User-agent: *\n{line}\n");
    let length = body.len();
    format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{body}")
}

/// One run over a server of our own.
async fn run(address: SocketAddr, hosts: &[&str]) -> (tempfile::TempDir, Store) {
    let place = tempfile::tempdir().unwrap();
    let policy = quick(&[]);
    let store = Store::open(place.path(), &policy.name).unwrap();
    list(&store, hosts);
    let (settings, _events) = settings_of(&policy, &store, address, 400, WEEKS[0]);
    let engine = Engine::start(settings).await.unwrap();
    engine.finished().await.unwrap();
    (place, store)
}

/// Names that a server was asked under, and how often.
fn names(asked: &Asked) -> Vec<(String, usize)> {
    let mut names = std::collections::BTreeMap::new();
    for (name, _) in asked.lock().unwrap().iter() {
        *names.entry(name.clone()).or_default() += 1;
    }
    names.into_iter().collect()
}

// In a loopback run a host without a port is dialled at the port of the run, one with a port at its own.
#[tokio::test(flavor = "multi_thread")]
async fn robots_txt_belongs_to_host_and_port() {
    let (open, asked_open) = server("127.0.0.1:0", "Disallow: /llms.txt").await;
    let (shut, asked_shut) = server("127.0.0.1:0", "Disallow: /").await;
    let other = format!("two.test:{}", shut.port());
    let (_place, store) = run(open, &["two.test", &other]).await;
    assert_eq!(names(&asked_open), [("two.test".to_owned(), 13)]);
    assert_eq!(names(&asked_shut), [(other.clone(), 1)]);
    let asked = asked_open.lock().unwrap();
    assert!(asked.iter().all(|(_, path)| path != "/llms.txt"));
    let reader = store.reader().unwrap();
    for (name, requests) in [("two.test", 13), (&other, 1)] {
        let id = reader.host(&host(name)).unwrap().unwrap().0;
        let log = reader.log(id, None, None).unwrap();
        assert_eq!(log.len(), requests, "{name}");
        assert!(
            log.iter().all(|row| row.host_name.as_str() == name),
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ipv6_literal_keeps_its_brackets_everywhere() {
    let (open, asked_open) = server("[::1]:0", "Disallow: /llms.txt").await;
    let (shut, asked_shut) = server("[::1]:0", "Disallow: /").await;
    let other = format!("[::1]:{}", shut.port());
    let (_place, store) = run(open, &["[::1]", &other]).await;
    assert_eq!(names(&asked_open), [("[::1]".to_owned(), 13)]);
    assert_eq!(names(&asked_shut), [(other.clone(), 1)]);
    let reader = store.reader().unwrap();
    let listed = reader.hosts(None, 10).unwrap();
    let listed: Vec<_> = listed.iter().map(|row| row.host.as_str()).collect();
    assert_eq!(listed, ["[::1]", &other]);
    for name in ["[::1]", &other] {
        let id = reader.host(&host(name)).unwrap().unwrap().0;
        let log = reader.log(id, None, None).unwrap();
        assert_eq!(log[0].host_name.as_str(), name);
    }
}

/// The gap of a site holds across its hosts and ports, and each visit has one connection.
#[tokio::test(flavor = "multi_thread")]
async fn hosts_of_one_site_are_asked_one_after_another() {
    let slow = "[[file]]\npath = \"/robots.txt\"\ntext = \"User-agent: *\\nCrawl-delay: 3\\n\"\n"
        .to_owned()
        + CARD;
    let sites = [
        ("a.one.test", CARD),
        ("b.one.test", slow.as_str()),
        ("c.one.test", CARD),
    ];
    let changes = ["pace.min_gap=2s", "pace.scale=0.01"];
    let stage = Stage::new(&sites, &changes).await;
    let ran = stage.week(1, WEEKS[0]).await;
    assert_eq!(ran.seen.len(), 39);
    let mut shortest = u64::MAX;
    for pair in ran.seen.windows(2) {
        let (before, next) = (&pair[0], &pair[1]);
        // From begin to begin, since an answer ends for its server a little later than for the
        // client that read the last byte. A millisecond may be lost to rounding.
        let gap = next.at_ms - before.at_ms + 1;
        let asked_for = match (
            before.host.as_str(),
            before.path.as_str(),
            next.host.as_str(),
        ) {
            // Once robots.txt is read, and from its last answer on to the next host.
            ("b.one.test", _, _) => 30,
            _ => 20,
        };
        assert!(
            gap >= asked_for,
            "{gap} of {asked_for} ms: {before:?} {next:?}"
        );
        shortest = shortest.min(gap);
    }
    assert!(shortest < 30, "nobody was asked at the pace of the policy");
    for host in ["a.one.test", "b.one.test", "c.one.test"] {
        assert_eq!(ran.connections(host).len(), 1, "{host}");
        assert_eq!(ran.asked(host).len(), 13, "{host}");
    }
    assert!(stage.listed("a.one.test").0 == at(WEEKS[1]));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_request_says_who_asks_and_nothing_else() {
    let stage = Stage::new(&[("plain.test", CARD)], &[]).await;
    for week in WEEKS.iter().take(2) {
        let ran = stage.week(1, week).await;
        assert_eq!(ran.seen.len(), 13);
        for seen in &ran.seen {
            let agent = header(seen, "user-agent");
            assert_eq!(
                agent,
                Some("IntentRouteBot/0.1 (+https://intentroute.net/crawler)")
            );
            assert_eq!(header(seen, "accept-encoding"), Some("gzip, br"));
            let allowed = [
                "host",
                "user-agent",
                "accept",
                "accept-encoding",
                "if-none-match",
                "if-modified-since",
            ];
            for (name, _) in &seen.headers {
                let name = name.to_ascii_lowercase();
                assert!(allowed.contains(&name.as_str()), "{name}: {seen:?}");
            }
            assert_eq!(seen.method, "GET");
        }
    }
}
