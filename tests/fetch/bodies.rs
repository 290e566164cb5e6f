//! Bodies: decoded by us, capped, whole or not at all.

use std::time::Duration;

use lamplighter::fetch::{Limits, Outcome, Validators};
use lamplighter::policy::Method;

use super::server::*;

#[tokio::test]
async fn every_gzip_member_is_in_the_file() {
    let wire = [gzip(b"first\n"), gzip(b"second\n")].concat();
    let answer = answered("200 OK", "Content-Encoding: gzip\r\n", &wire).await;
    assert_eq!(answer.outcome, Outcome::Present);
    assert_eq!(body(&answer), Some(&b"first\nsecond\n"[..]));
    assert_eq!(answer.coding, "gzip");
    assert_eq!(answer.wire_bytes, wire.len() as u64);
    assert_eq!(answer.body_bytes, 13);
}

#[tokio::test]
async fn codings_are_undone_and_junk_after_them_is_told() {
    let text = b"User-agent: *\nDisallow:\n";
    for (coding, wire) in [
        ("X-GZip", gzip(text)),
        ("BR", brotli(text)),
        ("gzip, br", brotli(&gzip(text))),
    ] {
        let header = format!("Content-Encoding: {coding}\r\n");
        let answer = answered("200 OK", &header, &wire).await;
        assert_eq!(body(&answer), Some(&text[..]), "{coding}: {answer:?}");
        assert_eq!(answer.detail, None);
    }
    let padded = [&gzip(text)[..], &[0; 9]].concat();
    let answer = answered("200 OK", "Content-Encoding: gzip\r\n", &padded).await;
    assert_eq!(
        (answer.outcome, body(&answer)),
        (Outcome::Present, Some(&text[..]))
    );
    assert!(
        answer
            .detail
            .unwrap()
            .contains("9 bytes after the gzip data")
    );
}

#[tokio::test]
async fn a_coding_that_cannot_be_undone_is_no_file() {
    for (coding, wire, outcome) in [
        ("zstd", b"x".to_vec(), Outcome::Coding),
        ("deflate", b"x".to_vec(), Outcome::Coding),
        (
            "gzip, gzip, gzip",
            gzip(&gzip(&gzip(b"x"))),
            Outcome::Coding,
        ),
        ("gzip", b"not gzip at all".to_vec(), Outcome::Coding),
        (
            "gzip",
            gzip(b"cut short")[..20].to_vec(),
            Outcome::Truncated,
        ),
    ] {
        let header = format!("Content-Encoding: {coding}\r\n");
        let answer = answered("200 OK", &header, &wire).await;
        assert_eq!((answer.outcome, body(&answer)), (outcome, None), "{coding}");
    }
}

#[tokio::test]
async fn bombs_stop_at_the_cap() {
    let zeros = vec![0; 20_000_000];
    let packed = brotli(&zeros);
    assert!(packed.len() < 200, "{}", packed.len());
    for (coding, wire) in [("gzip", gzip(&zeros)), ("br", packed)] {
        let header = format!("Content-Encoding: {coding}\r\n");
        let answer = answered("200 OK", &header, &wire).await;
        assert_eq!((answer.outcome, body(&answer)), (Outcome::TooLarge, None));
        assert!(answer.body_bytes <= 10_000_001, "{}", answer.body_bytes);
    }
}

#[tokio::test]
async fn ten_million_bytes_fit_and_one_more_does_not() {
    let fits = vec![b'a'; 10_000_000];
    let answer = answered("200 OK", "", &fits).await;
    assert_eq!(
        (answer.outcome, answer.body_bytes),
        (Outcome::Present, 10_000_000)
    );
    let over = vec![b'a'; 10_000_001];
    let announced = answered("200 OK", "", &over).await;
    assert_eq!(
        (announced.outcome, announced.wire_bytes),
        (Outcome::TooLarge, 0)
    );
    let until_close = vec![send("HTTP/1.1 200 OK\r\n\r\n"), send(&over), Step::Close];
    let unannounced = once(&patient(), until_close).await;
    assert_eq!(
        (unannounced.outcome, body(&unannounced)),
        (Outcome::TooLarge, None)
    );
}

#[tokio::test]
async fn a_robots_file_over_its_cap_yields_its_prefix_where_asked() {
    for (length, outcome, kept) in [
        (511_999, Outcome::Present, 511_999),
        (512_000, Outcome::Present, 512_000),
        (512_001, Outcome::TooLarge, 512_001),
        (600_000, Outcome::TooLarge, 512_001),
    ] {
        let text: Vec<u8> = b"Disallow: /a\n"
            .iter()
            .copied()
            .cycle()
            .take(length)
            .collect();
        for (header, wire) in [
            ("", text.clone()),
            ("Content-Encoding: gzip\r\n", gzip(&text)),
            ("Content-Encoding: br\r\n", brotli(&text)),
        ] {
            for keep_prefix in [true, false] {
                let server = Server::start(vec![reply("200 OK", header, &wire)]).await;
                let mut request = get("http://docs.test/robots.txt");
                request.limits = Limits {
                    max_bytes: 512_000,
                    keep_prefix,
                };
                let answer = ask(&mut server.web(&patient()).client(), request).await;
                assert_eq!(answer.outcome, outcome, "{length} {header}");
                let whole = outcome == Outcome::Present;
                let expected = (whole || keep_prefix).then(|| &text[..kept]);
                assert_eq!(body(&answer), expected, "{length} {header} {keep_prefix}");
            }
        }
    }
}

#[tokio::test]
async fn a_body_cut_short_is_no_file() {
    let short = |head: &str, body: &str| {
        vec![
            send(format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n{body}")),
            Step::Close,
        ]
    };
    for (script, outcome) in [
        (short("Content-Length: 20", "five!"), Outcome::Truncated),
        (
            short("Transfer-Encoding: chunked", "5\r\nfive!\r\n"),
            Outcome::Truncated,
        ),
        (
            short("Transfer-Encoding: chunked", "9\r\nfive!"),
            Outcome::Truncated,
        ),
        (
            short("Transfer-Encoding: chunked", "5\r\nfive!\r\nxyz\r\n"),
            Outcome::Malformed,
        ),
        (
            vec![
                send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nfive!"),
                Step::Wait(Duration::from_millis(50)),
                Step::Reset,
            ],
            Outcome::Truncated,
        ),
    ] {
        let answer = once(&patient(), script).await;
        assert_eq!(
            (answer.outcome, body(&answer)),
            (outcome, None),
            "{answer:?}"
        );
        assert_eq!(answer.status, Some(200));
        assert!(answer.detail.is_some());
    }
    let whole = short("Transfer-Encoding: chunked", "5\r\nfive!\r\n0\r\n\r\n");
    assert_eq!(body(&once(&patient(), whole).await), Some(&b"five!"[..]));
}

#[tokio::test]
async fn head_304_and_204_have_no_body() {
    let server = Server::start(vec![
        vec![send(
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\nETag: \"h\"\r\n\r\n",
        )],
        vec![send(
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: \"n\"\r\n\r\n",
        )],
        vec![send("HTTP/1.1 304 Not Modified\r\n\r\n")],
        vec![send("HTTP/1.1 204 No Content\r\n\r\n")],
    ])
    .await;
    let mut client = server.web(&patient()).client();
    let mut head = get("http://docs.test/llms-full.txt");
    head.method = Method::Head;
    let answer = ask(&mut client, head).await;
    assert_eq!((answer.outcome, answer.body), (Outcome::Present, None));
    assert_eq!(answer.validators.etag.as_deref(), Some("\"h\""));
    let mut held = get("http://docs.test/llms.txt");
    held.validators = Some(answer.validators);
    let answer = ask(&mut client, held).await;
    assert_eq!((answer.outcome, answer.body), (Outcome::NotModified, None));
    assert_eq!(answer.validators.etag.as_deref(), Some("\"n\""));
    for outcome in [Outcome::UnexpectedNotModified, Outcome::NoContent] {
        let answer = ask(&mut client, get("http://docs.test/llms.txt")).await;
        assert_eq!((answer.outcome, answer.body), (outcome, None));
        assert_eq!(answer.validators, Validators::default());
    }
    assert_eq!(server.opened(), 1);
}

#[tokio::test]
async fn every_success_carries_its_body() {
    let text = b"User-agent: *\nDisallow: /\n";
    let all = "201 202 203 207 226 299";
    for status in all.split(' ') {
        for (header, wire) in [
            ("", text.to_vec()),
            ("Content-Encoding: gzip\r\n", gzip(text)),
        ] {
            let answer = answered(status, header, &wire).await;
            assert_eq!(
                (answer.outcome, body(&answer)),
                (Outcome::NoContent, Some(&text[..])),
                "{status} {header}"
            );
        }
    }
    for (status, outcome) in [("205", Outcome::NoContent), ("206", Outcome::Partial)] {
        let answer = answered(status, "", text).await;
        assert_eq!((answer.outcome, body(&answer)), (outcome, None), "{status}");
    }
    let cut = vec![
        send("HTTP/1.1 203 OK\r\nContent-Length: 20\r\n\r\nfive!"),
        Step::Close,
    ];
    let answer = once(&patient(), cut).await;
    assert_eq!((answer.outcome, body(&answer)), (Outcome::Truncated, None));
}

#[tokio::test]
async fn every_success_has_the_caps_of_a_200() {
    // Over the cap of other answers, which does not hold here.
    for (length, outcome) in [
        (512_000, Outcome::NoContent),
        (512_001, Outcome::TooLarge),
        (600_000, Outcome::TooLarge),
    ] {
        let text = vec![b'#'; length];
        for (header, wire) in [
            ("", text.clone()),
            ("Content-Encoding: gzip\r\n", gzip(&text)),
        ] {
            for keep_prefix in [true, false] {
                let server = Server::start(vec![reply("203 Changed", header, &wire)]).await;
                let mut request = get("http://docs.test/robots.txt");
                request.limits = Limits {
                    max_bytes: 512_000,
                    keep_prefix,
                };
                let answer = ask(&mut server.web(&patient()).client(), request).await;
                assert_eq!(answer.outcome, outcome, "{length} {header}");
                let whole = outcome == Outcome::NoContent;
                let expected = (whole || keep_prefix).then(|| &text[..length.min(512_001)]);
                assert_eq!(body(&answer), expected, "{length} {header} {keep_prefix}");
            }
        }
    }
}

#[tokio::test]
async fn a_transfer_coding_that_is_not_undone_is_no_file() {
    let chunked = |bytes: &[u8]| {
        let size = format!("{:x}\r\n", bytes.len());
        [size.as_bytes(), bytes, b"\r\n0\r\n\r\n"].concat()
    };
    let answered = async |status: &str, fields: &str, wire: Vec<u8>| {
        let head = format!("HTTP/1.1 {status}\r\n{fields}\r\n\r\n");
        let script = vec![send([head.into_bytes(), wire].concat()), Step::Close];
        once(&patient(), script).await
    };
    for (coding, wire) in [
        ("gzip, chunked", chunked(&gzip(b"text"))),
        ("gzip,\tChunked", chunked(&gzip(b"text"))),
        (
            "gzip\r\nTransfer-Encoding: chunked",
            chunked(&gzip(b"text")),
        ),
        ("gzip", gzip(b"text")),
        ("identity", b"text".to_vec()),
    ] {
        for status in ["200 OK", "203 Changed"] {
            let fields = format!("Transfer-Encoding: {coding}");
            let answer = answered(status, &fields, wire.clone()).await;
            assert_eq!(
                (answer.outcome, body(&answer)),
                (Outcome::Coding, None),
                "{status} {coding}"
            );
            let detail = answer.detail.unwrap();
            assert!(detail.starts_with("transfer coding"), "{detail}");
        }
    }
    let plain = answered("200 OK", "Transfer-Encoding: Chunked", chunked(b"text")).await;
    assert_eq!(body(&plain), Some(&b"text"[..]));
    // A status that says more than its body keeps its outcome.
    let fields = "Transfer-Encoding: gzip, chunked";
    let limited = answered("429 Slow Down", fields, chunked(&gzip(b"text"))).await;
    assert_eq!((limited.outcome, limited.body), (Outcome::Limited, None));
}

#[tokio::test]
async fn little_is_read_of_what_is_not_the_file() {
    let page = vec![b'x'; 5_000_000];
    let server = Server::start(vec![reply("404 Not Found", "", &page)]).await;
    let mut client = server.web(&patient()).client();
    let answer = ask(&mut client, get("http://docs.test/a")).await;
    assert_eq!((answer.outcome, body(&answer)), (Outcome::Absent, None));
    assert_eq!(answer.body_bytes, 65_537);
    let next = ask(&mut client, get("http://docs.test/b")).await;
    assert_eq!((next.outcome, next.connection), (Outcome::Absent, 2));
}
