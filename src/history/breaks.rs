//! Giant lines in parts, so that a change is found inside them.

use super::Pieces;

/// A line longer than this is shown and compared in parts.
pub const LONG_LINE: usize = 2_000;
/// Where nothing else ends a part, its own bytes say where it ends once it has this many.
const LEAST: usize = 400;

impl Pieces {
    /// Lines; those longer than [`LONG_LINE`] are broken after `,` `{` `}` `[` and `>` outside of
    /// strings. Where there are none (a picture as text, a string without end), a part ends where its
    /// bytes say so, so that a byte put in moves no more than one part.
    pub fn broken(body: &[u8]) -> Pieces {
        let lines = Pieces::lines(body);
        let mut pieces = Pieces::default();
        for line in 0..lines.len() {
            let range = lines.range(line);
            if range.len() > LONG_LINE {
                cut(&body[range.clone()], range.start, &mut pieces);
            }
            pieces.end(range.end);
        }
        pieces.close(body.len());
        pieces
    }

    /// Whether a line of these is longer than [`LONG_LINE`].
    pub fn has_long(&self) -> bool {
        (0..self.len()).any(|piece| self.range(piece).len() > LONG_LINE)
    }
}

/// Ends parts of a line that begins at `start` of its body.
fn cut(line: &[u8], start: usize, pieces: &mut Pieces) {
    let mut from = 0;
    let (mut in_string, mut escaped) = (false, false);
    // Of the last 64 bytes.
    let mut mixed = 0_u64;
    for (at, byte) in line.iter().enumerate() {
        let was_escaped = std::mem::take(&mut escaped);
        mixed = (mixed << 1).wrapping_add(u64::from(*byte).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let len = at + 1 - from;
        let ends = match byte {
            b'"' if !was_escaped => {
                in_string = !in_string;
                false
            }
            b'\\' if in_string && !was_escaped => {
                escaped = true;
                false
            }
            // A comma goes with what it follows.
            b'}' => !in_string && line.get(at + 1) != Some(&b','),
            b',' | b'{' | b'[' | b'>' => !in_string,
            _ => false,
        };
        let inside = line.get(at + 1).is_some_and(|next| next & 0xc0 == 0x80);
        let by_itself = len >= LEAST && (mixed >> 57 == 0 || len >= LONG_LINE);
        if ends || by_itself && (!inside || len >= LONG_LINE + 4) {
            pieces.end(start + at + 1);
            from = at + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::{Side, Stop, compare};

    fn parts(body: &[u8]) -> Vec<&[u8]> {
        let pieces = Pieces::broken(body);
        (0..pieces.len())
            .map(|part| &body[pieces.range(part)])
            .collect()
    }

    #[test]
    fn short_lines_stay_whole() {
        assert_eq!(
            parts(b"{\"a\":[1,2]}\nb\n"),
            [&b"{\"a\":[1,2]}\n"[..], b"b\n"]
        );
    }

    #[test]
    fn long_lines_are_broken_outside_of_strings() {
        let long = format!(
            "{{\"a\":\"x,\\\"{{y\",\"b\":[1,2]}}{}\nend\n",
            " ".repeat(3_000)
        );
        let parts = parts(long.as_bytes());
        let wanted = [&b"{"[..], b"\"a\":\"x,\\\"{y\",", b"\"b\":[", b"1,", b"2]}"];
        let closed = format!("[{}]\n", "{\"a\":1},".repeat(400));
        let pieces = Pieces::broken(closed.as_bytes());
        assert_eq!(&closed[pieces.range(2)], "\"a\":1},");
        assert_eq!(&parts[..5], wanted);
        assert_eq!(*parts.last().unwrap(), b"end\n");
        assert_eq!(parts.concat(), long.as_bytes());
    }

    #[test]
    fn a_byte_put_into_a_picture_moves_one_part_only() {
        let mut seed = 1_u32;
        let old: Vec<u8> = (0..200_000)
            .map(|_| {
                seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                b"ABCDEFGHIJKLMNOPabcdefghijklmnop"[usize::try_from(seed >> 27).unwrap()]
            })
            .collect();
        let mut new = old.clone();
        new.insert(1_000, b'X');
        let (a, b) = (Pieces::broken(&old), Pieces::broken(&new));
        assert!(!a.has_long() || a.len() > 100);
        let script = compare(Side::new(&old, &a), Side::new(&new, &b), &Stop::never()).unwrap();
        let changed: usize = script
            .changes
            .iter()
            .map(|change| a.span(change.old.clone()).len())
            .sum();
        assert!(changed < 8_000, "{changed} bytes");
    }

    #[test]
    fn strings_without_end_and_characters_of_many_bytes_are_parted_all_the_same() {
        for body in [
            format!("\"{}", "a".repeat(1_000_000)),
            format!("\"{}", "日本".repeat(100_000)),
            "\\\"".repeat(100_000),
        ] {
            let parts = parts(body.as_bytes());
            assert!(parts.iter().all(|part| part.len() <= LONG_LINE + 4));
            assert!(parts.iter().all(|part| std::str::from_utf8(part).is_ok()));
        }
    }
}
