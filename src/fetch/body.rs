//! One body: decoded as it arrives, counted on the wire and decoded, never held beyond its cap (TR3).

use std::ops::ControlFlow;

use sha2::{Digest, Sha256};

use super::decode::{DecodeError, Decoder};
use super::{Body, Outcome};

/// Why no more is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stop {
    pub(crate) outcome: Outcome,
    pub(crate) detail: String,
}

impl Stop {
    pub(crate) fn new(outcome: Outcome, detail: impl Into<String>) -> Stop {
        Stop {
            outcome,
            detail: detail.into(),
        }
    }
}

impl From<DecodeError> for Stop {
    fn from(error: DecodeError) -> Stop {
        let outcome = match error {
            DecodeError::Unfinished(_) => Outcome::Truncated,
            _ => Outcome::Coding,
        };
        Stop::new(outcome, error.to_string())
    }
}

/// Takes a body in as it comes off the wire.
pub(crate) struct BodyReader {
    decoder: Decoder,
    store: Store,
    wire: u64,
    cap: u64,
}

/// Decoded bytes: the first `cap + 1` of them, which is enough to know that there are too many.
struct Store {
    bytes: Vec<u8>,
    hash: Sha256,
    room: usize,
}

impl Store {
    fn take(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let taken = &bytes[..bytes.len().min(self.room)];
        self.hash.update(taken);
        self.bytes.extend_from_slice(taken);
        self.room -= taken.len();
        match self.room {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        }
    }
}

impl BodyReader {
    /// A reader that stops after `cap` bytes, on the wire as well as decoded.
    pub(crate) fn new(decoder: Decoder, cap: u64) -> BodyReader {
        BodyReader {
            decoder,
            store: Store {
                bytes: Vec::new(),
                hash: Sha256::new(),
                room: usize::try_from(cap.saturating_add(1)).unwrap_or(usize::MAX),
            },
            wire: 0,
            cap,
        }
    }

    /// Takes the next bytes of the wire.
    pub(crate) fn push(&mut self, chunk: &[u8]) -> Result<(), Stop> {
        self.wire += chunk.len() as u64;
        let store = &mut self.store;
        let flow = self.decoder.push(chunk, &mut |bytes| store.take(bytes))?;
        if flow.is_break() || self.wire > self.cap {
            return Err(self.too_large());
        }
        Ok(())
    }

    /// The stop of a body over its cap.
    pub(crate) fn too_large(&self) -> Stop {
        let cap = self.cap;
        Stop::new(Outcome::TooLarge, format!("larger than {cap} bytes"))
    }

    /// Bytes that came off the wire so far.
    pub(crate) fn wire_bytes(&self) -> u64 {
        self.wire
    }

    /// Decoded bytes so far, at most one over the cap.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.store.bytes
    }

    /// The wire has ended: words about what was left over, if the body is whole.
    pub(crate) fn finish(&mut self) -> Result<Option<String>, Stop> {
        // Some servers name a coding for nothing at all.
        if self.wire == 0 {
            return Ok(None);
        }
        let store = &mut self.store;
        let note = self.decoder.finish(&mut |bytes| store.take(bytes))?;
        match self.store.room {
            0 => Err(self.too_large()),
            _ => Ok(note),
        }
    }

    /// What was read: the whole body, or the prefix of a robots.txt (RB8).
    pub(crate) fn into_body(self) -> Body {
        self.store.into_body()
    }
}

impl Store {
    fn into_body(self) -> Body {
        Body {
            bytes: self.bytes,
            sha256: self.hash.finalize().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(coding: &str, cap: u64) -> BodyReader {
        BodyReader::new(Decoder::new(coding).unwrap(), cap)
    }

    #[test]
    fn the_cap_itself_still_fits() {
        let mut fits = reader("", 4);
        assert_eq!(fits.push(b"ab"), Ok(()));
        assert_eq!(fits.push(b"cd"), Ok(()));
        assert_eq!(fits.finish(), Ok(None));
        assert_eq!(fits.into_body().bytes, b"abcd");

        let mut over = reader("", 4);
        let stop = over.push(b"abcdefgh").unwrap_err();
        assert_eq!(stop.outcome, Outcome::TooLarge);
        assert_eq!(over.bytes(), b"abcde");
    }

    #[test]
    fn the_hash_is_of_the_decoded_bytes() {
        let mut read = reader("", 10);
        read.push(b"a").unwrap();
        read.push(b"bc").unwrap();
        assert_eq!(read.finish(), Ok(None));
        let expected: [u8; 32] = Sha256::digest(b"abc").into();
        assert_eq!(read.into_body().sha256, expected);
    }

    #[test]
    fn the_wire_is_capped_even_if_nothing_is_decoded() {
        let empty_member = {
            let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.finish().unwrap()
        };
        let mut read = reader("gzip", 100);
        let stop = (0..100).find_map(|_| read.push(&empty_member).err());
        assert_eq!(stop.map(|stop| stop.outcome), Some(Outcome::TooLarge));
        assert!(read.wire_bytes() <= 100 + empty_member.len() as u64);
    }

    #[test]
    fn nothing_at_all_decodes_to_nothing() {
        let mut empty = reader("gzip", 10);
        assert_eq!(empty.finish(), Ok(None));
        assert_eq!(empty.into_body().bytes, b"");
        let mut cut = reader("gzip", 100);
        cut.push(&[0x1f, 0x8b]).unwrap();
        assert_eq!(cut.finish().unwrap_err().outcome, Outcome::Truncated);
    }
}
