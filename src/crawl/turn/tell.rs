//! A finished request in the words of board and events.

use jiff::Timestamp;

use crate::crawl::ask::Question;
use crate::crawl::event::instant;
use crate::crawl::{Event, Lamp, LogLine};
use crate::fetch::Outcome;
use crate::policy::Method;
use crate::store::{Change, Finished, SpanState};

/// What is told of a request once it is committed.
pub(super) struct Told {
    sent: Timestamp,
    ended: Timestamp,
    duration_ms: i64,
    status: Option<u16>,
    outcome: Outcome,
    wire_bytes: u64,
    body_bytes: u64,
    sha256: Option<[u8; 32]>,
}

impl Told {
    /// Of a finished request, before the store takes it.
    pub(super) fn of(finished: &Finished) -> Told {
        Told {
            sent: finished.sent.utc,
            ended: finished.ended.utc,
            duration_ms: finished.ended.mono_ms - finished.sent.mono_ms,
            status: finished.status,
            outcome: finished.outcome,
            wire_bytes: finished.wire_bytes,
            body_bytes: finished.body_bytes,
            sha256: finished.sha256,
        }
    }

    /// As a line of the live log.
    pub(super) fn line(&self, question: &Question, change: Change) -> LogLine {
        LogLine {
            at: self.ended,
            id: question.host.id,
            host: question.host.host.clone(),
            method: method(question.method),
            path: question.target.clone(),
            status: self.status,
            outcome: self.outcome.word(),
            bytes: self.body_bytes,
            change,
        }
    }

    /// As an event.
    pub(super) fn event(&self, question: &Question, change: Change) -> Event {
        Event::Request {
            sent_at: instant(self.sent),
            host: question.host.host.to_string(),
            method: method(question.method),
            url: question.url.to_string(),
            status: self.status,
            outcome: self.outcome.word(),
            wire_bytes: self.wire_bytes,
            body_bytes: self.body_bytes,
            sha256: self.sha256.map(|sha256| hex(&sha256)),
            duration_ms: self.duration_ms,
            conditional: question.held.is_some(),
            change: change.word(),
        }
    }
}

/// The lamp of a location in this state.
pub(super) fn lamp(state: SpanState, change: Change) -> Lamp {
    match (state, change) {
        (SpanState::Present, Change::Unchanged | Change::UnchangedByContent) => Lamp::Unchanged,
        (SpanState::Present, _) => Lamp::Present,
        (SpanState::Absent | SpanState::SoftAbsent, _) => Lamp::Absent,
        (SpanState::Denied, _) => Lamp::Denied,
        (SpanState::NotAsked, _) => Lamp::NotYet,
        _ => Lamp::Error,
    }
}

fn method(method: Method) -> &'static str {
    match method {
        Method::Get => "GET",
        Method::Head => "HEAD",
    }
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
