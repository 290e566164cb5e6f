//! A server that writes whatever bytes a test gives it, well-formed or not.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use lamplighter::audit::audit;
use lamplighter::crawl::Engine;
use lamplighter::policy::Policy;
use lamplighter::store::Store;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use super::stage::{WEEKS, list, settings_of};

/// One step of an answer.
#[derive(Clone)]
pub(super) enum Piece {
    Bytes(Vec<u8>),
    Wait(Duration),
    /// Ends the connection.
    Close,
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Came {
    pub(super) host: String,
    pub(super) path: String,
    /// Number of its connection, from 1.
    pub(super) connection: u32,
    /// When its head was in.
    pub(super) at: Instant,
}

/// What a host answers to a path; nothing is a plain 404.
type Script = dyn Fn(&str, &str) -> Option<Vec<Piece>> + Send + Sync;

pub(super) struct RawServer {
    pub(super) address: SocketAddr,
    came: Arc<Mutex<Vec<Came>>>,
}

impl RawServer {
    pub(super) async fn start(
        script: impl Fn(&str, &str) -> Option<Vec<Piece>> + Send + Sync + 'static,
    ) -> RawServer {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let came = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&came);
        let script: Arc<Script> = Arc::new(script);
        tokio::spawn(async move {
            let mut number = 0;
            while let Ok((stream, _)) = listener.accept().await {
                number += 1;
                tokio::spawn(talk(
                    stream,
                    number,
                    Arc::clone(&script),
                    Arc::clone(&shared),
                ));
            }
        });
        RawServer { address, came }
    }

    pub(super) fn came(&self) -> Vec<Came> {
        self.came.lock().unwrap().clone()
    }

    /// Paths a host was asked, in order.
    pub(super) fn asked(&self, host: &str) -> Vec<String> {
        let came = self.came.lock().unwrap();
        let of = came.iter().filter(|came| came.host == host);
        of.map(|came| came.path.clone()).collect()
    }
}

async fn talk(
    mut stream: TcpStream,
    connection: u32,
    script: Arc<Script>,
    came: Arc<Mutex<Vec<Came>>>,
) {
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
        let named = head.headers.iter().find(|header| header.name == "Host");
        let host = String::from_utf8(named.unwrap().value.to_vec()).unwrap();
        read.clear();
        let pieces = script(&host, &path).unwrap_or_else(|| reply("404 Not Found", "", b""));
        came.lock().unwrap().push(Came {
            host,
            path,
            connection,
            at: Instant::now(),
        });
        for piece in pieces {
            let written = match piece {
                Piece::Bytes(bytes) => stream.write_all(&bytes).await,
                Piece::Wait(time) => {
                    tokio::time::sleep(time).await;
                    Ok(())
                }
                Piece::Close => {
                    let _ = stream.shutdown().await;
                    return;
                }
            };
            if written.is_err() {
                return;
            }
        }
    }
}

/// Bytes as they stand, and the end of the connection.
pub(super) fn last(bytes: impl AsRef<[u8]>) -> Vec<Piece> {
    vec![Piece::Bytes(bytes.as_ref().to_vec()), Piece::Close]
}

/// A whole answer with the right length.
pub(super) fn reply(status: &str, headers: &str, body: &[u8]) -> Vec<Piece> {
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\n\r\n");
    vec![Piece::Bytes([head.as_bytes(), body].concat())]
}

/// One run over a server of our own, to its end.
pub(super) async fn run(
    server: &RawServer,
    policy: &Policy,
    hosts: &[&str],
) -> (tempfile::TempDir, Store) {
    let place = tempfile::tempdir().unwrap();
    let store = Store::open(place.path(), &policy.name).unwrap();
    list(&store, hosts);
    run_on(server, policy, &store, WEEKS[0]).await;
    (place, store)
}

/// One run over a server of our own and a store that knows its hosts.
pub(super) async fn run_on(server: &RawServer, policy: &Policy, store: &Store, now: &str) {
    let (settings, _events) = settings_of(policy, store, server.address, 400, now);
    let engine = Engine::start(settings)
        .await
        .unwrap_or_else(|error| panic!("{error}"));
    tokio::time::timeout(Duration::from_secs(60), engine.finished())
        .await
        .unwrap_or_else(|_| panic!("the run does not end"))
        .unwrap_or_else(|error| panic!("{error}"));
}

/// Every promise was kept in every run of this store.
pub(super) fn audited(store: &Store) {
    let reader = store.reader().unwrap();
    for run in reader.runs().unwrap() {
        let findings = audit(&reader, run.id).unwrap();
        let broken: Vec<_> = findings
            .iter()
            .filter(|finding| finding.breaches > 0)
            .collect();
        assert!(broken.is_empty(), "{broken:#?}");
    }
}
