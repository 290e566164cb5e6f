//! What leaves: the head, byte for byte, and where to.

use lamplighter::fetch::{Outcome, Permit, Redirect, Validators};
use lamplighter::hosts::{Host, NameRules};
use lamplighter::policy::Method;
use url::Url;

use super::server::*;

#[tokio::test]
async fn the_request_is_exactly_as_promised() {
    let server = Server::start(vec![reply("200 OK", "", b"ok")]).await;
    let mut client = server.web(&patient()).client();
    let plain = ask(&mut client, get("http://docs.test/llms.txt")).await;
    let mut conditional = get("http://docs.test/a%20b?x#part");
    conditional.validators = Some(Validators {
        etag: Some("W/\"caf\u{e9}\"".to_owned()),
        last_modified: Some("Mon, 01 Jan 2024 00:00:00 GMT".to_owned()),
    });
    ask(&mut client, conditional).await;
    let mut half = get("http://docs.test/b");
    half.method = Method::Head;
    half.validators = Some(Validators {
        etag: None,
        last_modified: Some("yesterday, or so".to_owned()),
    });
    ask(&mut client, half).await;
    assert_eq!(plain.outcome, Outcome::Present);
    assert_eq!(plain.remote, Some(server.address));
    let fixed = format!(
        "Host: docs.test\r\nUser-Agent: {AGENT}\r\nAccept: */*\r\nAccept-Encoding: gzip, br\r\n"
    );
    assert_eq!(
        server.heads(),
        [
            format!("GET /llms.txt HTTP/1.1\r\n{fixed}\r\n"),
            format!(
                "GET /a%20b?x HTTP/1.1\r\n{fixed}If-None-Match: W/\"caf\u{e9}\"\r\n\
                 If-Modified-Since: Mon, 01 Jan 2024 00:00:00 GMT\r\n\r\n"
            ),
            format!("HEAD /b HTTP/1.1\r\n{fixed}If-Modified-Since: yesterday, or so\r\n\r\n"),
        ]
    );
}

#[tokio::test]
async fn no_cookie_login_or_referer_ever_leaves() {
    let cookie = "Set-Cookie: a=1; Path=/\r\nWWW-Authenticate: Basic realm=x\r\n";
    let redirect = format!("{cookie}Location: http://user:word@docs.test/b\r\n");
    let server = Server::start(vec![
        reply("302 Found", &redirect, b""),
        reply("401 Unauthorized", cookie, b""),
    ])
    .await;
    let mut client = server.web(&patient()).client();
    let first = ask(&mut client, get("http://me:secret@docs.test/a")).await;
    let target = Url::parse("http://docs.test/b").unwrap();
    assert_eq!(first.redirect, Some(Redirect::To(target.clone())));
    ask(&mut client, get(target.as_str())).await;
    let heads = server.heads();
    assert_eq!(heads.len(), 2, "a redirect is not followed by itself");
    for head in heads {
        let lower = head.to_ascii_lowercase();
        for name in ["cookie", "authorization", "referer", "from:"] {
            assert!(!lower.contains(name), "{head}");
        }
    }
}

#[tokio::test]
async fn an_address_keeps_its_brackets_and_port() {
    let script = vec![reply("200 OK", "", b"ok")];
    let server = Server::start_at("[::1]:0", script).await;
    let port = server.address.port();
    let mut client = server.web(&patient()).client();
    for url in [
        "http://[::1]/robots.txt".to_owned(),
        format!("http://[::1]:{port}/robots.txt"),
    ] {
        let answer = ask(&mut client, get(&url)).await;
        assert_eq!(answer.outcome, Outcome::Present, "{answer:?}");
        assert_eq!(answer.remote, Some(server.address));
    }
    let heads = server.heads();
    assert!(heads[0].contains("Host: [::1]\r\n"), "{heads:?}");
    assert!(
        heads[1].contains(&format!("Host: [::1]:{port}\r\n")),
        "{heads:?}"
    );
}

#[tokio::test]
async fn an_explicit_port_is_dialled_and_named() {
    let server = Server::start(vec![reply("200 OK", "", b"ok")]).await;
    let elsewhere = Server::start(vec![reply("404 Not Found", "", b"")]).await;
    let mut client = elsewhere.web(&patient()).client();
    let port = server.address.port();
    let answer = ask(
        &mut client,
        get(&format!("http://docs.test:{port}/robots.txt")),
    )
    .await;
    assert_eq!(answer.outcome, Outcome::Present);
    assert!(server.heads()[0].contains(&format!("Host: docs.test:{port}\r\n")));
    assert_eq!(elsewhere.opened(), 0);
}

#[tokio::test]
async fn nothing_leaves_for_another_host_than_the_permits_or_another_address() {
    let server = Server::start(vec![reply("200 OK", "", b"ok")]).await;
    let mut client = server.web(&patient()).client();
    let (other, _) = Permit::grant(Host::parse("other.test", NameRules::Loopback).unwrap());
    let answer = client.send(other, get("http://docs.test/")).await;
    assert_eq!(answer.outcome, Outcome::Withdrawn);
    for url in ["http://[::1]/", "https://docs.test/"] {
        let answer = ask(&mut client, get(url)).await;
        assert_eq!(answer.outcome, Outcome::AddressRefused, "{url}");
        assert!(answer.detail.is_some());
    }
    assert_eq!(server.opened(), 0);
}
