//! A raw socket server with a script, and a client that asks it.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use lamplighter::fetch::{Answer, Client, Limits, Permit, Request, Web};
use lamplighter::hosts::{Host, NameRules};
use lamplighter::policy::{Method, Policy};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use crate::support::policies;

pub(super) const AGENT: &str = "TestBot/1.0 (+https://bot.test/crawler)";

/// Longer than the pool takes to have its connection back.
pub(super) const PACE: Duration = Duration::from_millis(25);

/// A policy with these `transfer` values.
pub(super) fn policy(transfer: &[&str]) -> Policy {
    let mut policy = policies::changed(transfer);
    policy.identity.user_agent = AGENT.to_owned();
    policy
}

pub(super) fn patient() -> Policy {
    policy(&[
        "transfer.connect_timeout=5s",
        "transfer.read_timeout=5s",
        "transfer.deadline=20s",
        "transfer.min_speed=1",
    ])
}

/// What the server does with one connection: for each request its answer, as pieces with pauses.
#[derive(Clone)]
pub(super) enum Step {
    Send(Vec<u8>),
    Wait(Duration),
    /// Sends a reset instead of an end.
    Reset,
    /// Ends the connection.
    Close,
    /// Never says anything again.
    Silence,
}

/// What the server saw.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) heads: Vec<String>,
    /// Connection of each head, from 1.
    pub(super) connections: Vec<u32>,
    pub(super) opened: u32,
    pub(super) closed: u32,
}

pub(super) struct Server {
    pub(super) address: SocketAddr,
    pub(super) seen: Arc<Mutex<Seen>>,
}

impl Server {
    /// Answers the n-th request of all with the n-th script; the last one serves for the rest.
    pub(super) async fn start(scripts: Vec<Vec<Step>>) -> Server {
        Server::start_at("127.0.0.1:0", scripts).await
    }

    pub(super) async fn start_at(at: &str, scripts: Vec<Vec<Step>>) -> Server {
        let listener = TcpListener::bind(at).await.unwrap();
        let address = listener.local_addr().unwrap();
        let seen = Arc::new(Mutex::new(Seen::default()));
        let shared = Arc::clone(&seen);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let number = {
                    let mut seen = shared.lock().unwrap();
                    seen.opened += 1;
                    seen.opened
                };
                let (shared, scripts) = (Arc::clone(&shared), scripts.clone());
                tokio::spawn(async move {
                    talk(stream, number, &shared, &scripts).await;
                    shared.lock().unwrap().closed += 1;
                });
            }
        });
        Server { address, seen }
    }

    pub(super) fn heads(&self) -> Vec<String> {
        self.seen.lock().unwrap().heads.clone()
    }

    pub(super) fn opened(&self) -> u32 {
        self.seen.lock().unwrap().opened
    }

    pub(super) fn web(&self, policy: &Policy) -> Web {
        Web::loopback(policy, self.address, None).unwrap()
    }
}

pub(super) async fn talk(
    mut stream: TcpStream,
    number: u32,
    seen: &Mutex<Seen>,
    scripts: &[Vec<Step>],
) {
    let mut pending = Vec::new();
    loop {
        let Some(head) = next_head(&mut stream, &mut pending).await else {
            return;
        };
        let script = {
            let mut seen = seen.lock().unwrap();
            seen.heads.push(head);
            seen.connections.push(number);
            let index = (seen.heads.len() - 1).min(scripts.len() - 1);
            scripts[index].clone()
        };
        for step in script {
            match step {
                Step::Send(bytes) => {
                    if stream.write_all(&bytes).await.is_err() {
                        return;
                    }
                }
                Step::Wait(time) => tokio::time::sleep(time).await,
                Step::Silence => {
                    // Until the other side gives up.
                    let mut rest = [0; 64];
                    while matches!(stream.read(&mut rest).await, Ok(n) if n > 0) {}
                    return;
                }
                Step::Reset => {
                    stream.set_zero_linger().unwrap();
                    return;
                }
                Step::Close => {
                    let _ = stream.shutdown().await;
                    return;
                }
            }
        }
    }
}

pub(super) async fn next_head(stream: &mut TcpStream, pending: &mut Vec<u8>) -> Option<String> {
    loop {
        if let Some(end) = pending.windows(4).position(|four| four == b"\r\n\r\n") {
            let rest = pending.split_off(end + 4);
            let head = std::mem::replace(pending, rest);
            return Some(String::from_utf8(head).unwrap());
        }
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await.ok().filter(|n| *n > 0)?;
        pending.extend_from_slice(&buffer[..read]);
    }
}

pub(super) fn send(bytes: impl AsRef<[u8]>) -> Step {
    Step::Send(bytes.as_ref().to_vec())
}

/// A whole answer with the right length.
pub(super) fn reply(status: &str, headers: &str, body: &[u8]) -> Vec<Step> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n");
    vec![send([head.as_bytes(), body].concat())]
}

pub(super) fn get(url: &str) -> Request {
    Request {
        method: Method::Get,
        url: Url::parse(url).unwrap(),
        validators: None,
        limits: Limits {
            max_bytes: 10_000_000,
            keep_prefix: false,
        },
    }
}

pub(super) fn permit(url: &Url) -> Permit {
    let name = url.host_str().unwrap();
    let text = match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    };
    Permit::grant(Host::parse(&text, NameRules::Loopback).unwrap()).0
}

pub(super) async fn ask(client: &mut Client, request: Request) -> Answer {
    let permit = permit(&request.url);
    let answer = client.send(permit, request).await;
    tokio::time::sleep(PACE).await;
    answer
}

/// One request to a server with one script.
pub(super) async fn once(policy: &Policy, script: Vec<Step>) -> Answer {
    let server = Server::start(vec![script]).await;
    let mut client = server.web(policy).client();
    ask(&mut client, get("http://docs.test/llms.txt")).await
}

/// What becomes of one whole answer with the right length.
pub(super) async fn answered(status: &str, headers: &str, body: &[u8]) -> Answer {
    once(&patient(), reply(status, headers, body)).await
}

pub(super) fn body(answer: &Answer) -> Option<&[u8]> {
    answer.body.as_ref().map(|body| body.bytes.as_slice())
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(6));
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let params = brotli::enc::BrotliEncoderParams::default();
    brotli::BrotliCompress(&mut &bytes[..], &mut out, &params).unwrap();
    out
}
