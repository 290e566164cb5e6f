//! What came back.

use std::net::SocketAddr;
use std::time::Duration;

use url::Url;

use super::Outcome;
use super::body::Stop;

/// Validators exactly as the server sent them (TR1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// ETag field value, byte for byte, if it may stand in a header again.
    pub etag: Option<String>,
    /// Last-Modified field value, byte for byte.
    pub last_modified: Option<String>,
}

/// A whole body after transfer and content coding were undone (KP1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Body {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// SHA-256 of them.
    pub sha256: [u8; 32],
}

/// A wait the server asked for, counted from when the answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// This long; saturated at 100 years.
    Wait(Duration),
    /// A header that cannot be read, or zero: our own back-off holds.
    Unclear,
}

/// Where a redirect points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Redirect {
    /// A URL, fragment dropped, resolved against the URL asked.
    To(Url),
    /// Missing, unreadable, not http(s), or https to http; with the text as sent.
    Nowhere(String),
}

/// A recognised challenge (PC7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// Vendor of `assets/challenges.toml`.
    pub vendor: String,
    /// The marker that was seen.
    pub marker: String,
}

/// One answer, or the way it failed. Every field is evidence; none is acted on here.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it ended. `Present` is any whole 200; soft 404s are judged later.
    pub outcome: Outcome,
    /// Status, if a head came.
    pub status: Option<u16>,
    /// The checked address that was dialled.
    pub remote: Option<SocketAddr>,
    /// Whole body of a 2xx but 204, 205 and 206, or the prefix of one over its cap where that is
    /// asked for ([`super::Limits::keep_prefix`]). Absent for anything else cut short.
    pub body: Option<Body>,
    /// Content-Type as sent.
    pub content_type: Option<String>,
    /// Content-Encoding as sent; empty when none.
    pub coding: String,
    /// Body bytes received, before content decoding.
    pub wire_bytes: u64,
    /// Body bytes after decoding, as far as read.
    pub body_bytes: u64,
    /// Validators of the answer.
    pub validators: Validators,
    /// Retry-After, on any status.
    pub retry_after: Option<RetryAfter>,
    /// Target of a 301, 302, 303, 307, 308.
    pub redirect: Option<Redirect>,
    /// A recognised challenge.
    pub challenge: Option<Challenge>,
    /// Content-Usage and Content-Signal response headers, as sent, for the record.
    pub signals: Vec<(String, String)>,
    /// Number of the connection within the visit, from 1; 0 if none was opened.
    pub connection: u32,
    /// Plain words for people: why it failed, junk after gzip, surplus bytes…
    pub detail: Option<String>,
}

impl Answer {
    /// Before anything has come.
    pub(crate) fn blank() -> Answer {
        Answer {
            outcome: Outcome::Withdrawn,
            status: None,
            remote: None,
            body: None,
            content_type: None,
            coding: String::new(),
            wire_bytes: 0,
            body_bytes: 0,
            validators: Validators::default(),
            retry_after: None,
            redirect: None,
            challenge: None,
            signals: Vec::new(),
            connection: 0,
            detail: None,
        }
    }

    /// Ended by a failure.
    pub(crate) fn end(&mut self, stop: Stop) {
        self.outcome = stop.outcome;
        self.note(stop.detail);
    }

    /// Ended by a challenge, whatever else it is (PC7).
    pub(crate) fn challenged(&mut self, challenge: Challenge) {
        self.outcome = Outcome::Challenge;
        self.challenge = Some(challenge);
    }

    /// Adds words for people.
    pub(crate) fn note(&mut self, words: String) {
        self.detail = Some(match self.detail.take() {
            Some(before) => format!("{before}; {words}"),
            None => words,
        });
    }
}
