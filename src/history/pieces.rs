//! A body in pieces: every byte is in exactly one.

use std::ops::Range;

/// Bodies are capped far below this (RB2); what is beyond it stays in the last piece.
const MOST_BYTES: usize = u32::MAX as usize;

/// Where the pieces of a body end. They follow each other and leave nothing out, so that pieces put
/// together are the body again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    ends: Vec<u32>,
}

impl Pieces {
    /// Lines with their terminators: a line ends at LF and nowhere else, as git has it. A CR before the
    /// LF, or one that stands alone, is a byte of the line.
    pub fn lines(body: &[u8]) -> Pieces {
        let mut pieces = Pieces::default();
        let mut start = 0;
        while let Some(found) = find(&body[start..], b'\n') {
            start += found + 1;
            pieces.end(start);
        }
        pieces.close(body.len());
        pieces
    }

    /// Rows of `size` bytes, the last one shorter.
    pub fn rows(body: &[u8], size: usize) -> Pieces {
        let mut pieces = Pieces::default();
        for end in (size.max(1)..body.len()).step_by(size.max(1)) {
            pieces.end(end);
        }
        pieces.close(body.len());
        pieces
    }

    /// A piece ends here, after the end of the one before.
    pub(super) fn end(&mut self, at: usize) {
        let at = to_u32(at);
        if at > self.ends.last().copied().unwrap_or(0) {
            self.ends.push(at);
        }
    }

    /// The body ends here.
    pub(super) fn close(&mut self, len: usize) {
        self.end(len);
        self.ends.shrink_to_fit();
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// None: the body is empty.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The bytes of a piece, as a range of the body; an empty one at the end of the body for a piece that
    /// is not there.
    pub fn range(&self, piece: usize) -> Range<usize> {
        self.start(piece)..self.start(piece + 1)
    }

    /// The bytes of some pieces in a row, as a range of the body.
    pub fn span(&self, pieces: Range<usize>) -> Range<usize> {
        self.start(pieces.start)..self.start(pieces.end.max(pieces.start))
    }

    /// The piece that holds a byte of the body.
    pub fn holding(&self, byte: usize) -> usize {
        self.ends.partition_point(|end| to_usize(*end) <= byte)
    }

    fn start(&self, piece: usize) -> usize {
        let last = piece.min(self.ends.len());
        last.checked_sub(1)
            .map_or(0, |before| to_usize(self.ends[before]))
    }
}

/// The first `byte` in `bytes`.
pub(super) fn find(bytes: &[u8], byte: u8) -> Option<usize> {
    bytes.iter().position(|one| *one == byte)
}

fn to_u32(at: usize) -> u32 {
    u32::try_from(at.min(MOST_BYTES)).unwrap_or(u32::MAX)
}

fn to_usize(at: u32) -> usize {
    usize::try_from(at).unwrap_or(MOST_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'a>(body: &'a [u8], pieces: &Pieces) -> Vec<&'a [u8]> {
        (0..pieces.len())
            .map(|at| &body[pieces.range(at)])
            .collect()
    }

    #[test]
    fn a_line_ends_at_lf_and_nowhere_else() {
        let cases: &[(&[u8], &[&[u8]])] = &[
            (b"", &[]),
            (b"a", &[b"a"]),
            (b"a\n", &[b"a\n"]),
            (b"\n\n", &[b"\n", b"\n"]),
            (b"a\r\nb\rc\n\xff", &[b"a\r\n", b"b\rc\n", b"\xff"]),
        ];
        for (body, lines) in cases {
            assert_eq!(&texts(body, &Pieces::lines(body)), lines, "{body:?}");
        }
    }

    #[test]
    fn rows_are_of_a_size() {
        let body = b"0123456789";
        let rows = Pieces::rows(body, 4);
        assert_eq!(texts(body, &rows), [&b"0123"[..], b"4567", b"89"]);
        assert!(Pieces::rows(b"", 4).is_empty());
        assert_eq!(Pieces::rows(b"0123", 4).len(), 1);
    }

    #[test]
    fn a_byte_is_found_in_its_piece() {
        let pieces = Pieces::lines(b"ab\nc\n");
        assert_eq!([0, 2, 3, 4].map(|byte| pieces.holding(byte)), [0, 0, 1, 1]);
        assert_eq!(pieces.holding(5), 2);
        assert_eq!(pieces.range(9), 5..5);
        assert_eq!(pieces.span(0..2), 0..5);
    }
}
