//! Undoing content codings (RFC 9110 section 8.4), chunk by chunk, into a bounded place.

#[cfg(test)]
mod tests;

use std::io::Write;
use std::ops::ControlFlow;

use brotli::enc::StandardAlloc;
use brotli::{BrotliDecompressStream, BrotliResult, BrotliState};
use flate2::write::GzDecoder;

/// Content codings on top of each other at most.
const MOST_LAYERS: usize = 2;

/// Decoded bytes handed on at a time.
const STEP: usize = 16 * 1024;

/// A coded body that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum DecodeError {
    /// A coding we did not offer.
    #[error("content coding \"{0}\" was not offered")]
    Unknown(String),
    /// More layers than anyone needs.
    #[error("{0} content codings on top of each other; at most two are undone")]
    Layers(usize),
    /// Bytes that are no such stream.
    #[error("the {0} data does not decode")]
    Corrupt(&'static str),
    /// The stream has no end.
    #[error("the {0} data ends too early")]
    Unfinished(&'static str),
}

/// Where decoded bytes go; it breaks off when it wants no more.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(&[u8]) -> ControlFlow<()>;

/// What one push came to: go on, or the sink is full.
type Pushed = Result<ControlFlow<()>, DecodeError>;

/// Undoes the codings of one body. Without any it hands bytes on unchanged.
pub(crate) struct Decoder {
    /// In the order they are undone: the last one listed first.
    layers: Vec<Layer>,
}

enum Layer {
    Gzip(Box<Gzip>),
    Brotli(Box<Brotli>),
}

impl Decoder {
    /// A decoder for a Content-Encoding field, several lines joined with commas.
    pub(crate) fn new(coding: &str) -> Result<Decoder, DecodeError> {
        let mut layers = Vec::new();
        for token in coding.split(',').rev() {
            let token = token.trim_matches([' ', '\t']);
            match token.to_ascii_lowercase().as_str() {
                "" | "identity" => {}
                "gzip" | "x-gzip" => layers.push(Layer::Gzip(Box::default())),
                "br" => layers.push(Layer::Brotli(Box::default())),
                _ => return Err(DecodeError::Unknown(token.to_owned())),
            }
        }
        if layers.len() > MOST_LAYERS {
            return Err(DecodeError::Layers(layers.len()));
        }
        Ok(Decoder { layers })
    }

    /// Takes the next bytes off the wire and hands on what they decode to.
    pub(crate) fn push(&mut self, input: &[u8], sink: Sink<'_>) -> Pushed {
        feed(&mut self.layers, input, sink)
    }

    /// Says that the wire has ended and hands on what was still held back. Yields words for
    /// people about bytes that were left over.
    pub(crate) fn finish(&mut self, sink: Sink<'_>) -> Result<Option<String>, DecodeError> {
        let mut notes = Vec::new();
        let mut layers = self.layers.as_mut_slice();
        while let Some((first, rest)) = layers.split_first_mut() {
            let (name, left_over) = match first {
                Layer::Gzip(gzip) => ("gzip", gzip.finish(rest, sink)?),
                Layer::Brotli(brotli) => ("brotli", brotli.finish()?),
            };
            if left_over > 0 {
                notes.push(format!(
                    "{left_over} bytes after the {name} data were ignored"
                ));
            }
            layers = rest;
        }
        Ok((!notes.is_empty()).then(|| notes.join("; ")))
    }
}

fn feed(layers: &mut [Layer], input: &[u8], sink: Sink<'_>) -> Pushed {
    match layers.split_first_mut() {
        None => Ok(sink(input)),
        Some((Layer::Gzip(gzip), rest)) => gzip.push(input, rest, sink),
        Some((Layer::Brotli(brotli), rest)) => brotli.push(input, rest, sink),
    }
}

/// All members of a gzip file (RFC 1952 section 2.2).
#[derive(Default)]
struct Gzip {
    member: Option<GzDecoder<Vec<u8>>>,
    /// Members that ended with a good checksum.
    members: usize,
    /// First bytes after a member, until they show whether another one follows.
    lead: Vec<u8>,
    left_over: u64,
}

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const GZIP_CORRUPT: DecodeError = DecodeError::Corrupt("gzip");

impl Gzip {
    fn push(&mut self, mut input: &[u8], rest: &mut [Layer], sink: Sink<'_>) -> Pushed {
        while !input.is_empty() {
            let Some(member) = &mut self.member else {
                if !self.starts_member(&mut input) {
                    return Ok(ControlFlow::Continue(()));
                }
                continue;
            };
            let taken = member.write(input).map_err(|_| GZIP_CORRUPT)?;
            let ended = taken == 0;
            if ended {
                member.try_finish().map_err(|_| GZIP_CORRUPT)?;
            }
            let flow = hand_on(member.get_mut(), rest, sink)?;
            if ended {
                self.member = None;
                self.members += 1;
            }
            if flow.is_break() {
                return Ok(flow);
            }
            input = &input[taken..];
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Begins the next member if one is there; else takes the input as left over, or waits for more.
    fn starts_member(&mut self, input: &mut &[u8]) -> bool {
        if self.left_over == 0 {
            while self.lead.len() < GZIP_MAGIC.len() {
                let Some((first, rest)) = input.split_first() else {
                    return false;
                };
                self.lead.push(*first);
                *input = rest;
            }
            // What is no gzip at all fails when the first member reads it.
            if self.members == 0 || self.lead == GZIP_MAGIC {
                let mut member = GzDecoder::new(Vec::new());
                // A header still incomplete cannot fail.
                let written = member.write_all(&self.lead);
                self.lead.clear();
                self.member = Some(member);
                return written.is_ok();
            }
            self.left_over += self.lead.len() as u64;
        }
        self.left_over += input.len() as u64;
        *input = &[];
        false
    }

    fn finish(&mut self, rest: &mut [Layer], sink: Sink<'_>) -> Result<u64, DecodeError> {
        const UNFINISHED: DecodeError = DecodeError::Unfinished("gzip");
        match self.member.as_mut() {
            // One more byte is refused by a member that has its trailer, and only by such a one.
            Some(member) => match member.write(&[0]) {
                Ok(0) => {
                    member.try_finish().map_err(|_| GZIP_CORRUPT)?;
                    // A sink that is full now has seen enough to say so itself.
                    let _ = hand_on(member.get_mut(), rest, sink)?;
                }
                _ => return Err(UNFINISHED),
            },
            None if self.members == 0 => return Err(UNFINISHED),
            None => self.left_over = self.left_over.max(self.lead.len() as u64),
        }
        Ok(self.left_over)
    }
}

/// Passes on what a layer wrote and empties it.
fn hand_on(decoded: &mut Vec<u8>, rest: &mut [Layer], sink: Sink<'_>) -> Pushed {
    if decoded.is_empty() {
        return Ok(ControlFlow::Continue(()));
    }
    let flow = feed(rest, decoded, sink);
    decoded.clear();
    flow
}

/// One brotli stream (RFC 7932).
struct Brotli {
    state: BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    out: Vec<u8>,
    ended: bool,
    left_over: u64,
}

impl Default for Brotli {
    fn default() -> Self {
        Brotli {
            // Strict: a large-window stream could ask for a gigabyte.
            state: BrotliState::new_strict(
                StandardAlloc::default(),
                StandardAlloc::default(),
                StandardAlloc::default(),
            ),
            out: vec![0; STEP],
            ended: false,
            left_over: 0,
        }
    }
}

impl Brotli {
    fn push(&mut self, input: &[u8], rest: &mut [Layer], sink: Sink<'_>) -> Pushed {
        let mut available = input.len();
        let mut offset = 0;
        while !self.ended {
            let mut room = self.out.len();
            let mut written = 0;
            let mut total = 0;
            let result = BrotliDecompressStream(
                &mut available,
                &mut offset,
                input,
                &mut room,
                &mut written,
                &mut self.out,
                &mut total,
                &mut self.state,
            );
            if written > 0 {
                let flow = feed(rest, &self.out[..written], &mut *sink)?;
                if flow.is_break() {
                    return Ok(flow);
                }
            }
            match result {
                BrotliResult::ResultSuccess => self.ended = true,
                BrotliResult::NeedsMoreOutput => {}
                BrotliResult::NeedsMoreInput => break,
                BrotliResult::ResultFailure => return Err(DecodeError::Corrupt("brotli")),
            }
        }
        if self.ended {
            self.left_over += available as u64;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn finish(&self) -> Result<u64, DecodeError> {
        match self.ended {
            true => Ok(self.left_over),
            false => Err(DecodeError::Unfinished("brotli")),
        }
    }
}
