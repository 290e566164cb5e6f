//! From a head to a whole answer: what it says, and as much of its body as is wanted.

use std::time::SystemTime;

use reqwest::Response;
use reqwest::header::{CONTENT_LENGTH, HeaderMap, TRANSFER_ENCODING};
use tokio::time::Instant;

use super::body::{BodyReader, Stop};
use super::challenge::Seen;
use super::deadline::Deadlines;
use super::decode::Decoder;
use super::head::{carries_content, joined, read_head};
use super::{Answer, Outcome, Request, Web, failure};
use crate::policy::Method;

/// What is needed to read one answer.
pub(crate) struct Reading<'a> {
    pub(crate) web: &'a Web,
    pub(crate) request: &'a Request,
    /// Whether validators were sent.
    pub(crate) conditional: bool,
    pub(crate) clock: &'a Deadlines,
}

impl Reading<'_> {
    /// Reads it all. A response that is not read to its end takes its connection with it.
    pub(crate) async fn read(&self, response: Response, answer: &mut Answer) {
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let url = &self.request.url;
        read_head(answer, status, &headers, url, self.conditional, unix_now());
        let markers = self.web.markers();
        if let Some(challenge) = markers.in_head(status, &headers) {
            return answer.challenged(challenge);
        }
        if self.request.method == Method::Head {
            return;
        }
        let mut reader = match self.reader(status, answer, &headers) {
            Ok(reader) => reader,
            Err(stop) => return cut_short(answer, stop),
        };
        let end = match self.body(response, &mut reader).await {
            Ok(()) => reader.finish(),
            Err(stop) => Err(stop),
        };
        answer.wire_bytes = reader.wire_bytes();
        answer.body_bytes = reader.bytes().len() as u64;
        let seen = Seen {
            bytes: reader.bytes(),
            whole: end.is_ok(),
        };
        if let Some(challenge) = markers.in_body(status, &headers, seen) {
            return answer.challenged(challenge);
        }
        let is_prefix =
            |stop: &Stop| stop.outcome == Outcome::TooLarge && self.wants_prefix(status);
        if carries_content(status) && end.as_ref().map_or_else(is_prefix, |_| true) {
            answer.body = Some(reader.into_body());
        }
        match end {
            Ok(Some(words)) => answer.note(words),
            Ok(None) => {}
            Err(stop) => cut_short(answer, stop),
        }
    }

    fn wants_prefix(&self, status: u16) -> bool {
        carries_content(status) && self.request.limits.keep_prefix
    }

    /// A reader with the cap of this answer, unless its head already rules the body out.
    fn reader(
        &self,
        status: u16,
        answer: &Answer,
        headers: &HeaderMap,
    ) -> Result<BodyReader, Stop> {
        framed_plainly(headers)?;
        let cap = match carries_content(status) {
            true => self.request.limits.max_bytes,
            false => self.web.transfer().max_bytes_other,
        };
        let reader = BodyReader::new(Decoder::new(&answer.coding)?, cap);
        let announced = headers
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        let hopeless = carries_content(status) && announced.is_some_and(|length| length > cap);
        match hopeless && !self.wants_prefix(status) {
            true => Err(reader.too_large()),
            false => Ok(reader),
        }
    }

    async fn body(&self, mut response: Response, reader: &mut BodyReader) -> Result<(), Stop> {
        let began = Instant::now();
        while let Some(chunk) = self
            .clock
            .next_byte(response.chunk())
            .await?
            .map_err(|error| failure::in_body(&error))?
        {
            if reader.wire_bytes() == 0 {
                self.web.failpoints().hit("body.first");
            }
            reader.push(&chunk)?;
            self.clock.fast_enough(began, reader.wire_bytes())?;
        }
        Ok(())
    }
}

/// Refuses a body in a transfer coding other than `chunked` (RFC 9112 section 6.1): the library
/// undoes that one alone, so what it hands on would be something else than was meant.
fn framed_plainly(headers: &HeaderMap) -> Result<(), Stop> {
    let coding = joined(headers, TRANSFER_ENCODING.as_str());
    let plain = coding.trim().eq_ignore_ascii_case("chunked");
    match plain || !headers.contains_key(TRANSFER_ENCODING) {
        true => Ok(()),
        false => {
            let detail = format!("transfer coding \"{coding}\" was not offered");
            Err(Stop::new(Outcome::Coding, detail))
        }
    }
}

/// A body that was not read whole. That decides the outcome where the body is what was asked for;
/// of all others no more is wanted than a look at the start.
fn cut_short(answer: &mut Answer, stop: Stop) {
    if answer.status.is_some_and(carries_content) {
        answer.end(stop);
    } else if stop.outcome != Outcome::TooLarge {
        answer.note(format!("its body was not read whole: {}", stop.detail));
    }
}

/// Seconds since 1970, for a Retry-After in an answer without a date of its own.
fn unix_now() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}
