//! Looking for words in the rows that are shown.

use super::Diff;
use super::rows::Kind;
use crate::jobs::diff::{Compared, Where};

/// Where `words` stand in a text, in letters of any case. No two overlap.
pub(crate) fn places(text: &[u8], words: &[u8]) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(next) = place(text, words, at) {
        found.push(next..next + words.len());
        at = next + words.len();
    }
    found
}

fn place(text: &[u8], words: &[u8], from: usize) -> Option<usize> {
    let first = words.first()?;
    let last = text.len().checked_sub(words.len())?;
    (from..=last).find(|at| {
        text[*at].eq_ignore_ascii_case(first)
            && text[*at..at + words.len()].eq_ignore_ascii_case(words)
    })
}

impl Diff {
    /// The next row (or the one before) that holds what is looked for, from the cursor on and round the
    /// end.
    pub(crate) fn found(&self, forward: bool) -> Option<usize> {
        let (compared, count) = (self.compared()?, self.rows().len());
        let words = self.search.as_bytes();
        let holds = |at: &usize| self.holds(compared, *at, words);
        if words.is_empty() || count == 0 {
            return None;
        }
        let (before, after) = (0..self.place.at.min(count), self.place.at + 1..count);
        if forward {
            after.chain(before).chain([self.place.at]).find(holds)
        } else {
            before
                .rev()
                .chain(after.rev())
                .chain([self.place.at])
                .find(holds)
        }
    }

    fn holds(&self, compared: &Compared, at: usize, words: &[u8]) -> bool {
        let Some(row) = self.rows().get(at) else {
            return false;
        };
        if matches!(row.kind, Kind::Head(_)) {
            return false;
        }
        let holds = |side: Where, piece: Option<usize>| {
            piece.is_some_and(|piece| {
                let range = compared.text(side).pieces.range(piece);
                place(&compared.bytes(side)[range], words, 0).is_some()
            })
        };
        holds(Where::Old, row.old) || holds(Where::New, row.new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_letters_of_any_case() {
        assert_eq!(places(b"Allow: /a\nallow", b"ALLOW"), [0..5, 10..15]);
        assert_eq!(
            places(b"aaa", b"aa"),
            [std::ops::Range { start: 0, end: 2 }]
        );
        assert!(places(b"a", b"ab").is_empty());
        assert!(places(b"a", b"").is_empty());
    }
}
