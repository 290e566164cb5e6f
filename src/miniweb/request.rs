//! Request heads.

use std::io;
use std::time::Duration;

use super::wire::Wire;

/// An idle connection is closed after this.
const IDLE: Duration = Duration::from_secs(60);
/// Largest request head.
const LARGEST_HEAD: usize = 64 * 1024;
const MOST_HEADERS: usize = 100;

/// A request, as it was sent.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) method: String,
    /// Host without port, lower case; empty where none was sent.
    pub(super) host: String,
    /// Path with its query, as sent.
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    /// Whether the client lets the connection live on.
    pub(super) keep_alive: bool,
    /// Whether a body follows, which nobody here reads.
    pub(super) has_body: bool,
}

/// What came instead of, or as, a request.
pub(super) enum Read {
    Request(Request),
    /// The client ended or fell silent between requests.
    End,
    /// No request head; the connection cannot go on.
    Malformed,
}

impl Request {
    /// Values of a header, joined with commas; `None` where it is absent.
    pub(super) fn header(&self, name: &str) -> Option<String> {
        let values: Vec<&str> = self
            .headers
            .iter()
            .filter(|(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
            .collect();
        (!values.is_empty()).then(|| values.join(", "))
    }

    /// The path that names a file: without query, percent-decoded.
    pub(super) fn file_path(&self) -> String {
        let path = self.target.split(['?', '#']).next().unwrap_or_default();
        decode(path)
    }

    pub(super) fn is_head(&self) -> bool {
        self.method == "HEAD"
    }
}

fn decode(path: &str) -> String {
    let hex = |byte: u8| (byte as char).to_digit(16);
    let bytes = path.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let [first, tail @ ..] = rest {
        rest = tail;
        let mut byte = *first;
        if let (b'%', [high, low, after @ ..]) = (byte, tail)
            && let (Some(high), Some(low)) = (hex(*high), hex(*low))
        {
            // Two hex digits make at most 255.
            byte = u8::try_from(high * 16 + low).unwrap_or(b'%');
            rest = after;
        }
        decoded.push(byte);
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

/// Reads the next head; returns at the moment it is complete.
pub(super) async fn read(wire: &mut Wire) -> io::Result<Read> {
    loop {
        if !wire.unread.is_empty() {
            match parse(&wire.unread) {
                Ok(Some((request, length))) => {
                    wire.unread.drain(..length);
                    return Ok(Read::Request(request));
                }
                Ok(None) if wire.unread.len() < LARGEST_HEAD => {}
                Ok(None) | Err(_) => return Ok(Read::Malformed),
            }
        }
        if wire.fill(IDLE).await? == 0 {
            return Ok(Read::End);
        }
    }
}

fn parse(bytes: &[u8]) -> Result<Option<(Request, usize)>, httparse::Error> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let httparse::Status::Complete(length) = head.parse(bytes)? else {
        return Ok(None);
    };
    let mut request = Request {
        method: head.method.unwrap_or_default().to_owned(),
        headers: head
            .headers
            .iter()
            .map(|header| {
                let value = String::from_utf8_lossy(header.value).into_owned();
                (header.name.to_owned(), value)
            })
            .collect(),
        ..Request::default()
    };
    let (authority, target) = split_target(head.path.unwrap_or_default());
    target.clone_into(&mut request.target);
    request.host = match authority {
        Some(authority) => host_of(authority),
        None => host_of(&request.header("host").unwrap_or_default()),
    };
    let connection = request.header("connection").unwrap_or_default();
    let says = |word: &str| {
        connection
            .split(',')
            .any(|token| token.trim().eq_ignore_ascii_case(word))
    };
    request.keep_alive = match head.version {
        Some(1) => !says("close"),
        _ => says("keep-alive"),
    };
    request.has_body = request.header("transfer-encoding").is_some()
        || request
            .header("content-length")
            .is_some_and(|length| length.trim() != "0");
    Ok(Some((request, length)))
}

/// Splits an absolute-form target (RFC 9112 §3.2.2); the origin form has no authority.
fn split_target(target: &str) -> (Option<&str>, &str) {
    let Some((_, rest)) = target
        .split_once("://")
        .filter(|_| !target.starts_with('/'))
    else {
        return (None, target);
    };
    match rest.find('/') {
        Some(slash) => (Some(&rest[..slash]), &rest[slash..]),
        None => (Some(rest), "/"),
    }
}

/// Host of an authority: port and one trailing dot removed, lower case.
fn host_of(authority: &str) -> String {
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(text: &str) -> Request {
        parse(text.as_bytes()).unwrap().unwrap().0
    }

    #[test]
    fn hosts_and_paths() {
        for (head, host, path) in [
            (
                "GET /a HTTP/1.1\r\nHost: Alder.TEST:8080\r\n\r\n",
                "alder.test",
                "/a",
            ),
            (
                "GET /a%2Fb?q=1 HTTP/1.1\r\nHost: alder.test.\r\n\r\n",
                "alder.test",
                "/a/b",
            ),
            (
                "GET http://cedar.test/x HTTP/1.1\r\nHost: other.test\r\n\r\n",
                "cedar.test",
                "/x",
            ),
            ("GET http://cedar.test HTTP/1.1\r\n\r\n", "cedar.test", "/"),
            (
                "GET /to?u=http://x/ HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
                "[::1]",
                "/to",
            ),
            ("GET /%zz%4 HTTP/1.1\r\n\r\n", "", "/%zz%4"),
        ] {
            let request = request(head);
            assert_eq!(
                (request.host.as_str(), request.file_path().as_str()),
                (host, path)
            );
        }
    }

    #[test]
    fn connections_live_on_by_version_and_word() {
        for (head, keep) in [
            ("GET / HTTP/1.1\r\n\r\n", true),
            ("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n", false),
            ("GET / HTTP/1.0\r\n\r\n", false),
            ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", true),
        ] {
            assert_eq!(request(head).keep_alive, keep, "{head}");
        }
    }
}
