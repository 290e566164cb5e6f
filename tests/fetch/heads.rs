//! What the head of an answer says, and challenges.

use std::time::Duration;

use lamplighter::fetch::{Outcome, Redirect, RetryAfter};
use url::Url;

use super::server::*;

#[tokio::test]
async fn one_bad_header_line_does_not_lose_a_site() {
    for bad in [
        "Bad Header: x\r\n",
        "no colon at all\r\n",
        "X-Folded: a\r\n  b\r\n",
        "X-Space : a\r\n",
        "X-Bytes: \u{e9}\r\n",
        "b\u{e4}d: x\r\n",
    ] {
        let answer = answered("200 OK", bad, b"ok").await;
        assert_eq!(body(&answer), Some(&b"ok"[..]), "{bad:?}: {answer:?}");
    }
}

#[tokio::test]
async fn what_is_not_http_is_malformed() {
    for text in [
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
        "HTTP/1.1 200 OK\r\nContent-Length: five\r\n\r\nabcde",
    ] {
        let answer = once(&patient(), vec![send(text), Step::Close]).await;
        assert_eq!(answer.outcome, Outcome::Malformed, "{text:?}: {answer:?}");
    }
}

#[tokio::test]
async fn the_record_of_an_answer_is_complete() {
    let headers = "Content-Type: text/plain; charset=utf-8\r\nETag: W/\"1\"\r\n\
                   Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT\r\n\
                   Content-Usage: train-ai=n\r\nContent-Signal: search=yes\r\n";
    let answer = answered("200 OK", headers, b"hello").await;
    assert_eq!(answer.status, Some(200));
    assert_eq!(
        answer.content_type.as_deref(),
        Some("text/plain; charset=utf-8")
    );
    assert_eq!(answer.validators.etag.as_deref(), Some("W/\"1\""));
    let modified = answer.validators.last_modified.as_deref();
    assert_eq!(modified, Some("Mon, 01 Jan 2024 00:00:00 GMT"));
    let signals = [
        ("Content-Usage", "train-ai=n"),
        ("Content-Signal", "search=yes"),
    ];
    assert_eq!(
        answer.signals,
        signals.map(|(name, value)| (name.to_owned(), value.to_owned()))
    );
    assert_eq!((answer.wire_bytes, answer.body_bytes), (5, 5));
    let hash = answer.body.unwrap().sha256;
    assert_eq!(&hash[..4], [0x2c, 0xf2, 0x4d, 0xba]);
}

#[tokio::test]
async fn a_wait_is_read_on_every_status() {
    let minute = RetryAfter::Wait(Duration::from_secs(60));
    for (status, value, wait, outcome) in [
        ("429 Too Many Requests", "60", minute, Outcome::Limited),
        (
            "503 Service Unavailable",
            "-3",
            RetryAfter::Unclear,
            Outcome::Limited,
        ),
        ("301 Moved", "60", minute, Outcome::Redirect),
        ("200 OK", "60", minute, Outcome::Present),
    ] {
        let header = format!("Retry-After: {value}\r\nLocation: /x\r\n");
        let answer = answered(status, &header, b"").await;
        assert_eq!((answer.outcome, answer.retry_after), (outcome, Some(wait)));
    }
}

#[tokio::test]
async fn a_redirect_is_recorded_with_its_target() {
    for status in [301, 302, 303, 307, 308] {
        let script = reply(
            &format!("{status} Moved"),
            "Location: /new#part\r\n",
            b"<html>",
        );
        let answer = once(&patient(), script).await;
        let target = Url::parse("http://docs.test/new").unwrap();
        assert_eq!(answer.outcome, Outcome::Redirect);
        assert_eq!(answer.redirect, Some(Redirect::To(target)));
        assert_eq!(answer.body, None);
    }
    let choices = answered("300 Multiple Choices", "Location: /new\r\n", b"").await;
    assert_eq!(
        (choices.outcome, choices.redirect),
        (Outcome::NoContent, None)
    );
    let lost = answered("301 Moved", "", b"").await;
    assert_eq!(lost.redirect, Some(Redirect::Nowhere(String::new())));
}

#[tokio::test]
async fn a_challenge_is_seen_before_its_status() {
    let page = b"<!DOCTYPE html><script src=\"/.within.website/x/cmd/anubis/static\">";
    let coded = gzip(b"<html><script>window._cf_chl_opt={}</script>");
    for (script, vendor) in [
        (
            reply("202 Accepted", "x-amzn-waf-action: challenge\r\n", b""),
            "AWS WAF",
        ),
        (
            reply("403 Forbidden", "CF-Mitigated: challenge\r\n", b"no"),
            "Cloudflare",
        ),
        (
            reply("200 OK", "Content-Type: text/html\r\n", page),
            "Anubis",
        ),
        (
            reply("503 Busy", "Content-Encoding: gzip\r\n", &coded),
            "Cloudflare",
        ),
    ] {
        let answer = once(&patient(), script).await;
        assert_eq!((answer.outcome, body(&answer)), (Outcome::Challenge, None));
        assert_eq!(answer.challenge.unwrap().vendor, vendor);
    }
    let plain = answered("403 Forbidden", "cf-ray: 1\r\n", b"no").await;
    assert_eq!((plain.outcome, plain.challenge), (Outcome::Blocked, None));
}
