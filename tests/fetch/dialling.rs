//! Getting a connection at all: addresses, TLS, real runs without a network.

use std::net::SocketAddr;
use std::sync::Arc;

use lamplighter::fetch::{Outcome, Web, WebError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::server::*;

#[tokio::test]
async fn nobody_there_is_no_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let mut client = Web::loopback(&patient(), address, None).unwrap().client();
    let answer = ask(&mut client, get("http://docs.test/")).await;
    assert_eq!(
        (answer.outcome, answer.connection),
        (Outcome::Connect, 0),
        "{answer:?}"
    );
    assert_eq!(answer.remote, Some(address));
}

#[test]
fn a_loopback_run_stays_on_this_machine() {
    let elsewhere: SocketAddr = "192.0.2.1:80".parse().unwrap();
    let web = Web::loopback(&patient(), elsewhere, None);
    assert!(matches!(web.err(), Some(WebError::NotLoopback(_))));
}

#[test]
fn a_policy_with_published_addresses_does_not_start_without_one() {
    let mut policy = patient();
    policy.identity.addresses_required = true;
    let none = Web::public(&policy, None);
    assert!(matches!(none.err(), Some(WebError::NoSource)));
    let other = Web::public(&policy, Some("127.0.0.1".parse().unwrap()));
    assert!(matches!(other.err(), Some(WebError::Source(_))));
}

/// A TLS server that answers every request with `ok`, and the file with its certificate.
async fn tls_server(name: &str) -> (SocketAddr, tempfile::TempDir) {
    use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
    let made = rcgen::generate_simple_self_signed(vec![name.to_owned()]).unwrap();
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("ca.pem"), made.cert.pem()).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(made.signing_key.serialize_der()));
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        // Enough for one test; the thread ends with it.
        for _ in 0..4 {
            let Ok((mut socket, _)) = listener.accept() else {
                return;
            };
            let mut connection = rustls::ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = rustls::Stream::new(&mut connection, &mut socket);
            let mut head = [0; 2048];
            if std::io::Read::read(&mut stream, &mut head).is_ok() {
                let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
                let _ = std::io::Write::write_all(&mut stream, answer);
                let _ = std::io::Read::read(&mut stream, &mut head);
            }
        }
    });
    (address, directory)
}

#[tokio::test]
async fn only_the_given_ca_is_trusted() {
    let (address, ours) = tls_server("docs.test").await;
    let (_, theirs) = tls_server("docs.test").await;
    for (directory, outcome) in [(&ours, Outcome::Present), (&theirs, Outcome::Tls)] {
        let ca = directory.path().join("ca.pem");
        let web = Web::loopback(&patient(), address, Some(&ca)).unwrap();
        let answer = ask(&mut web.client(), get("https://docs.test/")).await;
        assert_eq!(answer.outcome, outcome, "{answer:?}");
    }
    let ca = ours.path().join("ca.pem");
    let web = Web::loopback(&patient(), address, Some(&ca)).unwrap();
    let answer = ask(&mut web.client(), get("https://other.test/")).await;
    assert_eq!(answer.outcome, Outcome::Tls, "the name is checked as well");
}

#[tokio::test]
async fn a_server_without_tls_is_a_tls_failure() {
    let (_, directory) = tls_server("docs.test").await;
    let ca = directory.path().join("ca.pem");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut hello = [0; 2048];
            let _ = stream.read(&mut hello).await;
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n").await;
        }
    });
    let web = Web::loopback(&patient(), address, Some(&ca)).unwrap();
    let answer = ask(&mut web.client(), get("https://docs.test/")).await;
    assert_eq!(answer.outcome, Outcome::Tls, "{answer:?}");
}

#[tokio::test]
async fn a_hang_up_in_the_handshake_is_a_tls_failure() {
    let (_, directory) = tls_server("docs.test").await;
    let ca = directory.path().join("ca.pem");
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut hello = [0; 2048];
            let _ = stream.read(&mut hello).await;
        }
    });
    let web = Web::loopback(&patient(), address, Some(&ca)).unwrap();
    let answer = ask(&mut web.client(), get("https://docs.test/")).await;
    assert_eq!(answer.outcome, Outcome::Tls, "{answer:?}");
}

#[test]
fn a_file_without_a_certificate_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let empty = directory.path().join("empty.pem");
    std::fs::write(&empty, "no certificate here\n").unwrap();
    let address: SocketAddr = "127.0.0.1:1".parse().unwrap();
    for path in [empty, directory.path().join("absent.pem")] {
        let web = Web::loopback(&patient(), address, Some(&path));
        assert!(matches!(web.err(), Some(WebError::Ca { .. })));
    }
}

#[tokio::test]
async fn a_real_run_refuses_addresses_ports_and_plain_http_before_it_dials() {
    let server = Server::start(vec![reply("200 OK", "", b"ok")]).await;
    let web = match Web::public(&patient(), None) {
        Ok(web) => web,
        Err(error) => return eprintln!("SKIPPED: {error}"),
    };
    let mut client = web.client();
    let port = server.address.port();
    for url in [
        format!("https://127.0.0.1:{port}/"),
        "https://[::1]/".to_owned(),
        "https://docs.test:8443/".to_owned(),
        "http://docs.test/".to_owned(),
    ] {
        let answer = ask(&mut client, get(&url)).await;
        assert_eq!(answer.outcome, Outcome::AddressRefused, "{url}");
        assert_eq!((answer.remote, answer.connection), (None, 0));
    }
    assert_eq!(server.opened(), 0);
}
