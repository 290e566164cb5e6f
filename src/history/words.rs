//! Which words changed inside changed lines.

use std::ops::Range;

use super::{Cancelled, Change, Pieces, Side, Stop, compare};

/// Marked parts that leave less than this share of the shorter side in common say no more than the lines
/// themselves do: one part in this many.
const LEAST_IN_COMMON: usize = 5;

/// Parts of two texts that differ, as ranges of their bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Of the old text.
    pub old: Vec<Range<usize>>,
    /// Of the new text.
    pub new: Vec<Range<usize>>,
    /// The search ran out of time: parts are marked that need not be.
    pub approximate: bool,
}

/// What differs between two texts, word by word; none if they have next to nothing in common.
pub fn words(old: &[u8], new: &[u8], stop: &Stop) -> Result<Option<Marks>, Cancelled> {
    let (old_words, new_words) = (Pieces::words(old), Pieces::words(new));
    let script = compare(Side::new(old, &old_words), Side::new(new, &new_words), stop)?;
    let marks = Marks {
        old: parts(
            old,
            &old_words,
            script.changes.iter().map(|change| &change.old),
        ),
        new: parts(
            new,
            &new_words,
            script.changes.iter().map(|change| &change.new),
        ),
        approximate: script.approximate,
    };
    let shorter = solid(old).min(solid(new));
    let common = common(old, &old_words, &script.changes);
    Ok((common * LEAST_IN_COMMON >= shorter && common > 0).then_some(marks))
}

impl Pieces {
    /// Words, runs of blanks, and every other byte by itself.
    pub fn words(text: &[u8]) -> Pieces {
        let mut pieces = Pieces::default();
        let mut last = Kind::Other;
        for (at, byte) in text.iter().enumerate() {
            let kind = Kind::of(*byte);
            if kind != last || kind == Kind::Other {
                pieces.end(at);
            }
            last = kind;
        }
        pieces.close(text.len());
        pieces
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Blank,
    Other,
}

impl Kind {
    fn of(byte: u8) -> Kind {
        match byte {
            // Bytes of other scripts are letters as a rule, and a character is never cut.
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => Kind::Word,
            b' ' | b'\t' => Kind::Blank,
            _ => Kind::Other,
        }
    }
}

/// The bytes of changed pieces; parts with nothing but blanks between them are one.
fn parts<'a>(
    text: &[u8],
    pieces: &Pieces,
    changed: impl Iterator<Item = &'a Range<usize>>,
) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for range in changed.map(|range| pieces.span(range.clone())) {
        if range.is_empty() {
            continue;
        }
        match parts.last_mut() {
            Some(last) if is_blank(&text[last.end..range.start]) => last.end = range.end,
            _ => parts.push(range),
        }
    }
    parts
}

/// Blanks inside a line; a line break keeps parts apart.
fn is_blank(text: &[u8]) -> bool {
    text.iter().all(|byte| matches!(byte, b' ' | b'\t'))
}

/// Bytes that are not blank.
fn solid(text: &[u8]) -> usize {
    text.iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .count()
}

/// Bytes of words that both sides have: punctuation alone makes nothing alike.
fn common(old: &[u8], pieces: &Pieces, changes: &[Change]) -> usize {
    let mut at = 0;
    let mut count = 0;
    for next in changes.iter().map(Some).chain([None]) {
        let end = next.map_or(pieces.len(), |change| change.old.start);
        let equal = &old[pieces.span(at..end)];
        count += equal
            .iter()
            .filter(|byte| Kind::of(**byte) == Kind::Word)
            .count();
        at = next.map_or(end, |change| change.old.end);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(old: &str, new: &str) -> Option<(Vec<String>, Vec<String>)> {
        let marks = words(old.as_bytes(), new.as_bytes(), &Stop::never()).unwrap()?;
        let cut = |text: &str, parts: &[Range<usize>]| {
            parts
                .iter()
                .map(|part| text[part.clone()].to_owned())
                .collect()
        };
        Some((cut(old, &marks.old), cut(new, &marks.new)))
    }

    #[test]
    fn words_are_marked() {
        let some = |old: &[&str], new: &[&str]| {
            let own = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect();
            Some((own(old), own(new)))
        };
        assert_eq!(
            marked("  \"version\": \"1.0.3\",\n", "  \"version\": \"1.0.4\",\n"),
            some(&["3"], &["4"])
        );
        assert_eq!(marked("Allow: /a\n", "Allow: /a \n"), some(&[], &[" "]));
        assert_eq!(
            marked("the quick brown fox\n", "the slow red fox\n"),
            some(&["quick brown"], &["slow red"])
        );
        assert_eq!(marked("größer\n", "größte\n"), None, "one word each");
        assert_eq!(
            marked("a größer b\n", "a größte b\n"),
            some(&["größer"], &["größte"])
        );
        assert_eq!(marked("wholly else, here;\n", "not, alike;\n"), None);
        assert_eq!(marked("", "x"), None);
    }
}
