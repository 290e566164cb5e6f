//! One connection a visit, and nothing sent twice.

use std::time::{Duration, Instant};

use lamplighter::fetch::{Outcome, Web};
use tokio::net::TcpListener;

use super::server::*;

#[tokio::test]
async fn a_visit_keeps_one_connection_and_closes_it() {
    let server = Server::start(vec![
        reply("200 OK", "", b"ok"),
        reply("404 Not Found", "", b"no"),
    ])
    .await;
    let mut client = server.web(&patient()).client();
    for path in ["robots.txt", "a", "b", "c", "d"] {
        let answer = ask(&mut client, get(&format!("http://docs.test/{path}"))).await;
        assert_eq!(answer.connection, 1);
    }
    assert_eq!(
        (server.opened(), server.seen.lock().unwrap().closed),
        (1, 0)
    );
    drop(client);
    let end = Instant::now() + Duration::from_secs(2);
    while server.seen.lock().unwrap().closed == 0 {
        assert!(Instant::now() < end, "the connection outlives its visit");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn requests_without_a_pause_still_share_one_connection() {
    let server = Server::start(vec![reply("200 OK", "", b"ok")]).await;
    let mut client = server.web(&patient()).client();
    // A visit is a task of its own, so it must be able to move between threads.
    let visit = tokio::spawn(async move {
        for _ in 0..10 {
            let request = get("http://docs.test/");
            let permit = permit(&request.url);
            assert_eq!(client.send(permit, request).await.outcome, Outcome::Present);
        }
    });
    visit.await.unwrap();
    assert_eq!(server.opened(), 1);
}

#[tokio::test]
async fn a_connection_the_server_closed_is_replaced_and_counted() {
    let mut last = reply("200 OK", "Connection: close\r\n", b"bye");
    last.push(Step::Close);
    let mut idle = reply("200 OK", "", b"ok");
    idle.push(Step::Close);
    let server = Server::start(vec![last, idle, reply("200 OK", "", b"ok")]).await;
    let mut client = server.web(&patient()).client();
    for number in [1, 2, 3, 3] {
        let answer = ask(&mut client, get("http://docs.test/")).await;
        assert_eq!(
            (answer.outcome, answer.connection),
            (Outcome::Present, number)
        );
    }
    assert_eq!(server.seen.lock().unwrap().connections, [1, 2, 3, 3]);
}

#[tokio::test]
async fn surplus_bytes_reach_neither_the_file_nor_the_next_answer() {
    let long = vec![send(
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 200 OK\r\n\r\n",
    )];
    let server = Server::start(vec![long, reply("404 Not Found", "", b"")]).await;
    let mut client = server.web(&patient()).client();
    let first = ask(&mut client, get("http://docs.test/a")).await;
    assert_eq!(
        (first.outcome, body(&first)),
        (Outcome::Present, Some(&b"abc"[..]))
    );
    let second = ask(&mut client, get("http://docs.test/b")).await;
    assert_eq!((second.outcome, second.connection), (Outcome::Absent, 2));
    assert_eq!(server.seen.lock().unwrap().connections, [1, 2]);
}

#[tokio::test]
async fn nothing_is_ever_sent_twice() {
    for script in [
        vec![Step::Close],
        vec![Step::Reset],
        vec![send("HTTP/1."), Step::Close],
    ] {
        let server = Server::start(vec![reply("200 OK", "", b"ok"), script]).await;
        let mut client = server.web(&patient()).client();
        ask(&mut client, get("http://docs.test/a")).await;
        let answer = ask(&mut client, get("http://docs.test/b")).await;
        assert_eq!(answer.outcome, Outcome::Reset, "{answer:?}");
        assert_eq!(answer.connection, 1);
        assert_eq!(answer.remote, Some(server.address));
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(server.heads().len(), 2);
    }
}

#[tokio::test]
async fn a_host_that_hangs_up_on_every_caller_is_a_failure_in_the_end() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { while listener.accept().await.is_ok() {} });
    let mut client = Web::loopback(&patient(), address, None).unwrap().client();
    let mut outcomes = Vec::new();
    for _ in 0..2 {
        outcomes.push(ask(&mut client, get("http://docs.test/")).await.outcome);
    }
    assert!(matches!(outcomes[0], Outcome::Reset | Outcome::Withdrawn));
    assert!(outcomes.contains(&Outcome::Reset), "{outcomes:?}");
}
