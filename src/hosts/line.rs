//! Lines of bounded length out of a byte stream, with a digest of all that was read.

use std::fmt::Write;
use std::io::{BufRead, ErrorKind};

use sha2::{Digest, Sha256};

/// Longest line held, bytes, its end not counted.
pub(super) const MAX_LINE: usize = 64 * 1024;

/// One line.
pub(super) struct Line {
    /// 1-based number.
    pub(super) number: u64,
    /// Its first `MAX_LINE` bytes, without the line feed.
    pub(super) bytes: Vec<u8>,
    /// Whether there was more.
    pub(super) cut: bool,
}

/// A stream of lines.
pub(super) struct Lines<R> {
    input: R,
    digest: Sha256,
    number: u64,
    error: Option<std::io::Error>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            digest: Sha256::new(),
            number: 0,
            error: None,
        }
    }

    /// The next line; `None` at the end and after an I/O error, which also drops the line it cut.
    pub(super) fn next(&mut self) -> Option<Line> {
        if self.error.is_some() {
            return None;
        }
        let mut line = Line {
            number: self.number + 1,
            bytes: Vec::new(),
            cut: false,
        };
        let mut started = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok([]) => break,
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.error = Some(error);
                    return None;
                }
            };
            started = true;
            let end = chunk.iter().position(|byte| *byte == b'\n');
            let content = &chunk[..end.unwrap_or(chunk.len())];
            let held = content.len().min(MAX_LINE - line.bytes.len());
            line.cut |= held < content.len();
            line.bytes.extend_from_slice(&content[..held]);
            let used = end.map_or(chunk.len(), |end| end + 1);
            self.digest.update(&chunk[..used]);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        self.number = line.number;
        started.then_some(line)
    }

    /// SHA-256 (hex) of the bytes read and the error that ended reading.
    pub(super) fn finish(self) -> (String, Option<std::io::Error>) {
        let hex = self
            .digest
            .finalize()
            .iter()
            .fold(String::with_capacity(64), |mut hex, byte| {
                let _ = write!(hex, "{byte:02x}");
                hex
            });
        (hex, self.error)
    }
}
