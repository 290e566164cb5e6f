//! Silence, speed and the deadline.

use std::time::{Duration, Instant};

use lamplighter::fetch::Outcome;

use super::server::*;

fn drip(head: &str, pause: u64) -> Vec<Step> {
    let mut script = vec![send(head)];
    for _ in 0..60 {
        script.push(Step::Wait(Duration::from_millis(pause)));
        script.push(send("x"));
    }
    script
}

#[tokio::test]
async fn silence_ends_a_request() {
    let policy = policy(&[
        "transfer.read_timeout=300ms",
        "transfer.deadline=10s",
        "transfer.min_speed=1",
    ]);
    for script in [
        vec![Step::Silence],
        vec![send("HTTP/1.1 200 OK\r\n"), Step::Silence],
        vec![
            send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"),
            Step::Silence,
        ],
    ] {
        let start = Instant::now();
        let answer = once(&policy, script).await;
        assert_eq!(
            (answer.outcome, body(&answer)),
            (Outcome::Timeout, None),
            "{answer:?}"
        );
        assert!(answer.detail.unwrap().contains("silent for 300ms"));
        let taken = start.elapsed();
        assert!(
            taken >= Duration::from_millis(300) && taken < Duration::from_secs(4),
            "{taken:?}"
        );
    }
}

#[tokio::test]
async fn a_drip_is_too_slow() {
    let policy = policy(&[
        "transfer.read_timeout=400ms",
        "transfer.deadline=10s",
        "transfer.min_speed=1000",
    ]);
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n";
    let answer = once(&policy, drip(head, 100)).await;
    assert_eq!(
        (answer.outcome, body(&answer)),
        (Outcome::TooSlow, None),
        "{answer:?}"
    );
}

#[tokio::test]
async fn the_deadline_is_for_the_whole_request() {
    let policy = policy(&[
        "transfer.connect_timeout=600ms",
        "transfer.read_timeout=600ms",
        "transfer.deadline=700ms",
        "transfer.min_speed=0",
    ]);
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n";
    let start = Instant::now();
    let answer = once(&policy, drip(head, 100)).await;
    assert_eq!(answer.outcome, Outcome::Timeout);
    assert!(answer.detail.unwrap().contains("not ended within 700ms"));
    assert!(start.elapsed() < Duration::from_secs(4));
    let error = once(
        &policy,
        drip("HTTP/1.1 404 No\r\nContent-Length: 60\r\n\r\n", 100),
    )
    .await;
    assert_eq!(
        error.outcome,
        Outcome::Absent,
        "a status is an answer even if its page drips"
    );
}

#[tokio::test]
async fn a_slow_but_steady_body_is_read_to_its_end() {
    let policy = policy(&[
        "transfer.read_timeout=500ms",
        "transfer.deadline=10s",
        "transfer.min_speed=1",
    ]);
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\n";
    let answer = once(&policy, drip(head, 15)).await;
    assert_eq!(
        (answer.outcome, answer.body_bytes),
        (Outcome::Present, 60),
        "{answer:?}"
    );
}
