//! The mini web, seen from outside: bytes on a socket, lines in a log.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a failed test says so by panicking; clippy knows tests only by their attribute"
)]

mod defaults;
mod faults;
mod records;
mod scripts;
mod webs;

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

use lamplighter::miniweb::{MiniWeb, MiniWebError, Seen, Source};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::support;

/// An answer as its bytes came.
#[derive(Debug)]
struct Reply {
    status: u16,
    headers: Vec<(String, Vec<u8>)>,
    /// What followed the head, framing included.
    rest: Vec<u8>,
}

impl Reply {
    fn parse(raw: &[u8]) -> Option<Reply> {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut head = httparse::Response::new(&mut headers);
        let httparse::Status::Complete(length) = head.parse(raw).ok()? else {
            return None;
        };
        let headers = head.headers.iter();
        Some(Reply {
            status: head.code?,
            headers: headers
                .map(|header| (header.name.to_ascii_lowercase(), header.value.to_vec()))
                .collect(),
            rest: raw[length..].to_vec(),
        })
    }

    fn header(&self, name: &str) -> Option<String> {
        let found = self.headers.iter().find(|(other, _)| other == name)?;
        Some(String::from_utf8_lossy(&found.1).into_owned())
    }

    /// The body with its coding undone; the length must be as announced.
    fn body(&self) -> Vec<u8> {
        let announced: usize = self.header("content-length").unwrap().parse().unwrap();
        assert_eq!(self.rest.len(), announced);
        let mut plain = Vec::new();
        match self.header("content-encoding").as_deref() {
            None => plain.clone_from(&self.rest),
            Some("gzip") => {
                let mut decoder = flate2::read::MultiGzDecoder::new(&self.rest[..]);
                decoder.read_to_end(&mut plain).unwrap();
            }
            Some("br") => {
                let mut decoder = brotli::Decompressor::new(&self.rest[..], 4096);
                decoder.read_to_end(&mut plain).unwrap();
            }
            Some(other) => panic!("unasked coding {other}"),
        }
        plain
    }

    fn text(&self) -> String {
        String::from_utf8(self.body()).unwrap()
    }
}

/// Everything the server sends for one request on a connection of its own, and how it ended.
async fn raw(web: &MiniWeb, head: &str) -> (Vec<u8>, std::io::Result<()>) {
    let mut stream = TcpStream::connect(web.address()).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let end = stream.read_to_end(&mut bytes).await.map(|_| ());
    (bytes, end)
}

fn request(method: &str, host: &str, path: &str, headers: &[(&str, &str)]) -> String {
    let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head + "\r\n"
}

async fn ask(web: &MiniWeb, host: &str, path: &str, headers: &[(&str, &str)]) -> Reply {
    let (bytes, _) = raw(web, &request("GET", host, path, headers)).await;
    Reply::parse(&bytes).unwrap_or_else(|| panic!("{host}{path}: {}", bytes.escape_ascii()))
}

async fn builtin() -> MiniWeb {
    MiniWeb::start(Source::BuiltIn, 0, None).await.unwrap()
}

/// A web of files, given as path below `sites/` and text.
async fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, Result<MiniWeb, MiniWebError>) {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join("sites").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let web = MiniWeb::start(Source::Folder(folder.path().to_path_buf()), 0, None).await;
    (folder, web)
}

async fn one_file(script: &str) -> (tempfile::TempDir, MiniWeb) {
    let (folder, web) = folder(&[("a.test.toml", script)]).await;
    (folder, web.unwrap_or_else(|error| panic!("{error}")))
}

/// Waits until the server has recorded `count` requests.
async fn seen(web: &MiniWeb, count: usize) -> Vec<Seen> {
    let begun = Instant::now();
    loop {
        let seen = web.seen();
        if seen.len() >= count {
            return seen;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "{seen:?}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
