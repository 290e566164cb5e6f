//! What is going to be sent, before anything goes wrong with it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::script::{Fault, Framing};

/// A body to send.
#[derive(Clone)]
pub(super) enum Body {
    Bytes(Arc<[u8]>),
    /// A line again and again, the last one cut, made while it is sent.
    Repeat {
        line: Arc<[u8]>,
        bytes: u64,
    },
}

impl Body {
    pub(super) fn empty() -> Body {
        Body::Bytes(Arc::from([]))
    }

    pub(super) fn len(&self) -> u64 {
        match self {
            Body::Bytes(bytes) => bytes.len() as u64,
            Body::Repeat { bytes, .. } => *bytes,
        }
    }
}

/// An answer, and how it is to be sent.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Body,
    pub(super) framing: Framing,
    pub(super) close: bool,
    pub(super) delay: Duration,
    pub(super) fault: Option<Fault>,
    /// The word in the web log.
    pub(super) word: Option<&'static str>,
}

/// How the head announces the body.
pub(super) enum Announced {
    Nothing,
    Length(u64),
    Chunks,
}

impl Answer {
    pub(super) fn new(status: u16, body: Body) -> Answer {
        Answer {
            status,
            headers: Vec::new(),
            body,
            framing: Framing::Length,
            close: false,
            delay: Duration::ZERO,
            fault: None,
            word: None,
        }
    }

    /// A short text, said plainly.
    pub(super) fn text(status: u16, text: &str) -> Answer {
        Answer::new(status, Body::Bytes(text.as_bytes().into()))
            .with("Content-Type", "text/plain; charset=utf-8")
    }

    pub(super) fn with(mut self, name: &str, value: impl Into<String>) -> Answer {
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    /// Puts scripted headers in place of those of the same name.
    pub(super) fn replace(&mut self, scripted: &[(String, String)]) {
        self.headers.retain(|(name, _)| {
            !scripted
                .iter()
                .any(|(other, _)| other.eq_ignore_ascii_case(name))
        });
        self.headers.extend_from_slice(scripted);
    }

    /// Whether this status never has a body (RFC 9110 §6.4.1).
    pub(super) fn bodiless(&self) -> bool {
        matches!(self.status, 204 | 304)
    }

    /// The head up to and with the empty line. `first` replaces the status line, `extra` is one more line.
    pub(super) fn head(
        &self,
        announced: &Announced,
        close: bool,
        first: Option<&str>,
        extra: Option<&str>,
    ) -> Vec<u8> {
        let mut head = match first {
            Some(line) => format!("{line}\r\n"),
            None => format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status)),
        };
        let mut line = |name: &str, value: &str| {
            head.push_str(name);
            head.push_str(": ");
            head.push_str(value);
            head.push_str("\r\n");
        };
        if !self.has("Date") {
            line("Date", &httpdate::fmt_http_date(SystemTime::now()));
        }
        for (name, value) in &self.headers {
            line(name, value);
        }
        match announced {
            Announced::Length(length) if !self.has("Content-Length") => {
                line("Content-Length", &length.to_string());
            }
            Announced::Chunks => line("Transfer-Encoding", "chunked"),
            _ => {}
        }
        if close && !self.has("Connection") {
            line("Connection", "close");
        }
        if let Some(extra) = extra {
            head.push_str(extra);
            head.push_str("\r\n");
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    fn has(&self, name: &str) -> bool {
        self.headers
            .iter()
            .any(|(other, _)| other.eq_ignore_ascii_case(name))
    }
}

/// The usual phrase of a status; empty where there is none.
pub(super) fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        202 => "Accepted",
        204 => "No Content",
        206 => "Partial Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        410 => "Gone",
        429 => "Too Many Requests",
        451 => "Unavailable For Legal Reasons",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}
