//! What was there: observations, states, changes, versions, robots.txt in force.

use jiff::Timestamp;

use super::{HostId, RobotsId};
use crate::fetch::Validators;
use crate::hosts::Host;
use crate::validate::Mark;

/// What an answer means for the history of its (host, location).
#[derive(Clone, Debug)]
pub enum Observation {
    /// Nothing: a hop, a withdrawn request.
    Nothing,
    /// A whole body to keep exactly (KP1). The writer compares it with the newest version.
    Body {
        /// The bytes.
        bytes: Vec<u8>,
        /// Their SHA-256.
        sha256: [u8; 32],
        /// Content-Type as sent.
        media_type: Option<String>,
        /// Content-Encoding as sent.
        coding: String,
        /// Validators; they replace those held (known fault 8).
        validators: Validators,
        /// Marks of `validate`.
        marks: Vec<Mark>,
    },
    /// 304: the held version stands; a validator given replaces the held one, a missing one changes nothing.
    NotModified(Validators),
    /// A body of which only the digest is kept: a soft 404, or keep mode Digest.
    Digest {
        /// SHA-256.
        sha256: [u8; 32],
        /// Decoded bytes.
        bytes: u64,
        /// Validators.
        validators: Validators,
        /// Marks of `validate`.
        marks: Vec<Mark>,
        /// `SoftAbsent`, or `Present` for keep mode Digest.
        state: SpanState,
    },
    /// Any other state; a failure never ends a version.
    State(SpanState),
}

/// State of a (host, location) over a span of time. Stored by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum SpanState {
    /// A body is there.
    Present = 1,
    /// 404 or 410; held validators are dropped, history stays.
    Absent = 2,
    /// A soft 404.
    SoftAbsent = 3,
    /// A rule of robots.txt denied it.
    Denied = 4,
    /// 401, 402, 403, 451.
    Blocked = 5,
    /// A challenge.
    Challenge = 6,
    /// 429 or 503.
    Limited = 7,
    /// A redirect.
    Redirect = 8,
    /// Over the cap.
    TooLarge = 9,
    /// Any other failure.
    Error = 10,
    /// Not asked: the visit ended before.
    NotAsked = 11,
    /// Committed and never answered: the process died.
    Interrupted = 12,
}

impl SpanState {
    /// The word in listings.
    pub fn word(self) -> &'static str {
        match self {
            SpanState::Present => "present",
            SpanState::Absent => "absent",
            SpanState::SoftAbsent => "soft_absent",
            SpanState::Denied => "denied",
            SpanState::Blocked => "blocked",
            SpanState::Challenge => "challenge",
            SpanState::Limited => "limited",
            SpanState::Redirect => "redirect",
            SpanState::TooLarge => "too_large",
            SpanState::Error => "error",
            SpanState::NotAsked => "not_asked",
            SpanState::Interrupted => "interrupted",
        }
    }
}

/// How an observation changed history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// First version ever.
    New,
    /// Another version than the newest.
    Changed,
    /// Back to bytes an older version had, or there again after it was gone, with other bytes than last.
    Back,
    /// There again after it was gone, with the bytes it had: no new version.
    Returned,
    /// 304.
    Unchanged,
    /// Same bytes at full cost.
    UnchangedByContent,
    /// Nothing to compare.
    None,
}

impl Change {
    /// The word in events and listings.
    pub fn word(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Changed => "changed",
            Change::Back | Change::Returned => "back",
            Change::Unchanged => "unchanged",
            Change::UnchangedByContent => "unchanged_by_content",
            Change::None => "none",
        }
    }
}

/// One fetch of robots.txt, kept so that a decision can be shown with the exact text in force.
#[derive(Clone, Debug)]
pub struct RobotsFetch {
    /// Host whose robots.txt this is.
    pub host: HostId,
    /// When it ended.
    pub at: Timestamp,
    /// Status, if any.
    pub status: Option<u16>,
    /// Access as a word: `rules`, `open`, `closed:too_large`…
    pub access: String,
    /// Hops before it.
    pub redirects: u32,
    /// Final URL.
    pub url: String,
    /// Digest of the text in force (kept as a version of /robots.txt, or `None`).
    pub sha256: Option<[u8; 32]>,
    /// Until when it may be used.
    pub valid_until: Timestamp,
    /// Declared delay that was read, seconds and line.
    pub delay: Option<(f64, u32)>,
    /// Content signals in force at `/`, as JSON text.
    pub signals: String,
}

/// A robots session as stored.
#[derive(Clone, Debug)]
pub struct RobotsSession {
    /// Its id.
    pub id: RobotsId,
    /// The fetch.
    pub fetch: RobotsFetch,
    /// The text in force, if rules are followed.
    pub text: Option<Vec<u8>>,
}

/// One version of a location.
#[derive(Clone, Debug)]
pub struct Version {
    /// Host.
    pub host: Host,
    /// Path and query.
    pub location: String,
    /// Number, from 1, oldest first.
    pub number: u32,
    /// First seen.
    pub first_seen: Timestamp,
    /// Last confirmed.
    pub last_seen: Timestamp,
    /// Digest.
    pub sha256: [u8; 32],
    /// Decoded bytes.
    pub bytes: u64,
    /// Content-Type as sent.
    pub media_type: Option<String>,
    /// Content-Encoding as sent, when last sent whole.
    pub coding: Option<String>,
    /// Marks.
    pub marks: Vec<Mark>,
}
