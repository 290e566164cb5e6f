//! The bytes as lines: cut at the limit, UTF-16 bridged, marks dropped, comments cut off.

use std::borrow::Cow;

/// A robots.txt as it is read: octets in an ASCII-compatible encoding, numbered as the lines sent.
pub(super) struct Text {
    /// What is read, without a leading byte order mark.
    pub(super) bytes: Vec<u8>,
    /// It was sent as marked UTF-16.
    pub(super) utf16: bool,
    /// It was longer than the limit, and a line cut there was dropped.
    pub(super) cut: bool,
}

/// One line, whatever ended it.
#[derive(Clone, Copy)]
pub(super) struct Line<'t> {
    /// 1-based number; CRLF, CR and LF each end one line.
    pub(super) number: u32,
    /// Where it begins in the text.
    pub(super) at: u32,
    /// The line without its end.
    pub(super) raw: &'t [u8],
}

impl Text {
    /// Takes at most `max_bytes` of `bytes`, whole lines only (RB8).
    pub(super) fn take(bytes: &[u8], max_bytes: usize) -> Text {
        let max = max_bytes.min(u32::MAX as usize);
        let cut = bytes.len() > max;
        let held = &bytes[..bytes.len().min(max)];
        let (mut text, utf16) = bridge(held);
        // With the line's own end right after the limit, the last line is whole.
        let whole = !utf16 && cut && matches!(bytes.get(max), Some(b'\r' | b'\n'));
        if cut && !whole {
            let end = text
                .iter()
                .rposition(|b| matches!(b, b'\r' | b'\n'))
                .map_or(0, |end| end + 1);
            text = match text {
                Cow::Borrowed(text) => Cow::Borrowed(&text[..end]),
                Cow::Owned(mut text) => {
                    text.truncate(end);
                    Cow::Owned(text)
                }
            };
        }
        let start = mark_length(&text);
        let bytes = text[start..].to_vec();
        Text { bytes, utf16, cut }
    }

    /// The lines, in order.
    pub(super) fn lines(&self) -> Lines<'_> {
        Lines {
            text: &self.bytes,
            at: 0,
            number: 0,
        }
    }

    /// The line that begins at `at`, as sent.
    pub(super) fn line_at(&self, at: u32) -> String {
        let rest = &self.bytes[(at as usize).min(self.bytes.len())..];
        read(&rest[..line_length(rest)])
    }
}

/// Octets as text, invalid UTF-8 replaced.
pub(super) fn read(octets: &[u8]) -> String {
    match std::str::from_utf8(octets) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(octets).into_owned(),
    }
}

/// UTF-16 with its mark becomes UTF-8; line for line the same, so that numbers stay true.
fn bridge(bytes: &[u8]) -> (Cow<'_, [u8]>, bool) {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xFF, 0xFE, ..] => u16::from_le_bytes,
        [0xFE, 0xFF, ..] => u16::from_be_bytes,
        _ => return (Cow::Borrowed(bytes), false),
    };
    let (pairs, _) = bytes[2..].as_chunks::<2>();
    let text: String = char::decode_utf16(pairs.iter().map(|pair| unit(*pair)))
        .map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    (Cow::Owned(text.into_bytes()), true)
}

/// How much of a UTF-8 byte order mark stands at the start; a broken one counts as far as it goes.
fn mark_length(text: &[u8]) -> usize {
    let mark = [0xEF, 0xBB, 0xBF];
    text.iter().zip(mark).take_while(|(a, b)| **a == *b).count()
}

fn line_length(text: &[u8]) -> usize {
    let ends = |b: &u8| matches!(b, b'\r' | b'\n');
    // Long lines in strides.
    let (strides, _) = text.as_chunks::<32>();
    let whole = strides
        .iter()
        .take_while(|stride| !stride.iter().fold(false, |any, b| any | ends(b)))
        .count();
    let rest = &text[whole * 32..];
    whole * 32 + rest.iter().position(ends).unwrap_or(rest.len())
}

/// Iterator over [`Line`].
pub(super) struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    number: u32,
}

impl<'t> Iterator for Lines<'t> {
    type Item = Line<'t>;

    fn next(&mut self) -> Option<Line<'t>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = line_length(rest);
        let ending = match &rest[length..] {
            [b'\r', b'\n', ..] => 2,
            [] => 0,
            _ => 1,
        };
        self.number += 1;
        let line = Line {
            number: self.number,
            at: u32::try_from(self.at).unwrap_or(u32::MAX),
            raw: &rest[..length],
        };
        self.at += length + ending;
        Some(line)
    }
}

impl<'t> Line<'t> {
    /// The part that speaks: what stands before the first `#` or NUL.
    pub(super) fn spoken(&self) -> &'t [u8] {
        let end = self.raw.iter().position(|b| matches!(b, b'#' | 0));
        &self.raw[..end.unwrap_or(self.raw.len())]
    }
}

/// White space inside a line.
pub(super) fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | 0x0B | 0x0C)
}

/// Without white space at both ends.
pub(super) fn trim(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_space(*first)
    {
        text = rest;
    }
    while let [rest @ .., last] = text
        && is_space(*last)
    {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], max: usize) -> Vec<(u32, String)> {
        let text = Text::take(bytes, max);
        text.lines()
            .map(|line| (line.number, text.line_at(line.at)))
            .collect()
    }

    #[test]
    fn every_kind_of_line_end_counts_once() {
        let expected = ["a", "b", "", "c", "", "d"];
        let long = "x".repeat(31) + "\n" + &"y".repeat(32) + "\r" + &"z".repeat(100);
        let found = lines(long.as_bytes(), 1000);
        assert_eq!(
            found.iter().map(|l| l.1.len()).collect::<Vec<_>>(),
            [31, 32, 100]
        );
        let found = lines(b"a\rb\r\n\nc\n\rd", 100);
        assert_eq!(
            found.iter().map(|l| l.1.as_str()).collect::<Vec<_>>(),
            expected
        );
        assert_eq!(found.last().map(|l| l.0), Some(6));
    }

    #[test]
    fn a_line_cut_at_the_limit_is_dropped_but_a_whole_one_is_kept() {
        assert_eq!(lines(b"ab\ncd\n", 4).len(), 1, "cut inside");
        assert_eq!(
            lines(b"ab\ncd\n", 5).len(),
            2,
            "its end stands right after the limit"
        );
        assert_eq!(lines(b"ab\ncd", 5).len(), 2, "not over the limit");
        assert_eq!(lines(b"abcdef", 3).len(), 0, "one line only");
    }

    #[test]
    fn utf16_is_cut_at_the_limit_of_its_own_bytes() {
        let mut bytes = vec![0xFF, 0xFE];
        for unit in "ab\ncd\n".encode_utf16() {
            bytes.extend(unit.to_le_bytes());
        }
        assert_eq!(lines(&bytes, bytes.len()).len(), 2);
        assert_eq!(lines(&bytes, bytes.len() - 3).len(), 1);
        bytes[..2].reverse();
        assert!(Text::take(&bytes, 100).utf16);
    }

    #[test]
    fn marks_are_dropped_whole_or_in_part() {
        assert_eq!(lines(b"\xEF\xBB\xBFa", 9)[0].1, "a");
        assert_eq!(lines(b"\xEF\xBBa", 9)[0].1, "a");
    }
}
