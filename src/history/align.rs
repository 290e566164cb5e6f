//! Which removed line became which added one, inside one change.

use std::collections::HashMap;
use std::ops::Range;

use super::{Change, Pieces, Side};

/// Pairs of lines that are weighed against each other at most, in one change.
const MOST_PAIRS: usize = 2_500;
/// Bytes of a line that are looked at.
const MOST_BYTES: usize = 2_000;
/// Lines are kin if they share at least this part of the longer one's words, in a hundred.
const KIN: u32 = 30;

/// Pieces of a change that stand beside each other; either may stand alone.
pub type Beside = (Option<usize>, Option<usize>);

/// Puts the pieces of a change beside each other, in order: those that have most words in common first,
/// the rest between them as it comes. None if there are too many to weigh: then the first stands beside
/// the first, and so on.
pub fn align<'a>(change: &Change, old: &Side<'a>, new: &Side<'a>) -> Option<Vec<Beside>> {
    let (rows, columns) = (change.old.len(), change.new.len());
    if rows * columns > MOST_PAIRS {
        return None;
    }
    let words = |side: &Side<'a>, range: &Range<usize>| -> Vec<Words<'a>> {
        range
            .clone()
            .map(|piece| Words::of(side.key(piece)))
            .collect()
    };
    let (old_words, new_words) = (words(old, &change.old), words(new, &change.new));
    // Most that can be had of the first `i` and the first `j` lines.
    let width = columns + 1;
    let mut best = vec![0_u32; (rows + 1) * width];
    let mut kin = vec![0_u32; rows * columns];
    for (i, a) in old_words.iter().enumerate() {
        for (j, b) in new_words.iter().enumerate() {
            let share = a.shared(b);
            kin[i * columns + j] = share;
            let beside = if share >= KIN {
                best[i * width + j] + share
            } else {
                0
            };
            let above = best[i * width + j + 1].max(best[(i + 1) * width + j]);
            best[(i + 1) * width + j + 1] = above.max(beside);
        }
    }
    let mut found = Vec::new();
    let (mut i, mut j) = (rows, columns);
    while i > 0 && j > 0 {
        let here = best[i * width + j];
        let share = kin[(i - 1) * columns + j - 1];
        if share >= KIN && here == best[(i - 1) * width + j - 1] + share {
            found.push((i - 1, j - 1));
            (i, j) = (i - 1, j - 1);
        } else if here == best[(i - 1) * width + j] {
            i -= 1;
        } else {
            j -= 1;
        }
    }
    let mut beside = Vec::new();
    let (mut old_at, mut new_at) = (change.old.start, change.new.start);
    let end = (change.old.end, change.new.end);
    let pairs = found.into_iter().rev();
    let pairs = pairs.map(|(i, j)| (change.old.start + i, change.new.start + j));
    for (a, b) in pairs.chain([end]) {
        for step in 0..(a - old_at).max(b - new_at) {
            let at = |from: usize, to: usize| Some(from + step).filter(|at| *at < to);
            beside.push((at(old_at, a), at(new_at, b)));
        }
        if (a, b) != end {
            beside.push((Some(a), Some(b)));
        }
        (old_at, new_at) = (a + 1, b + 1);
    }
    Some(beside)
}

/// The words of a line, with their bytes, and how often each stands there.
struct Words<'a> {
    counts: HashMap<&'a [u8], u32>,
    bytes: u32,
}

impl<'a> Words<'a> {
    fn of(line: &'a [u8]) -> Words<'a> {
        let line = &line[..line.len().min(MOST_BYTES)];
        let pieces = Pieces::words(line);
        let mut words = Words {
            counts: HashMap::new(),
            bytes: 0,
        };
        for piece in 0..pieces.len() {
            let word = &line[pieces.range(piece)];
            if !word.trim_ascii().is_empty() {
                *words.counts.entry(word).or_default() += 1;
                words.bytes += size(word);
            }
        }
        words
    }

    /// What both share, in a hundred parts of the longer one.
    fn shared(&self, other: &Words<'_>) -> u32 {
        let both = self.counts.iter().map(|(word, count)| {
            let there = other.counts.get(word).copied().unwrap_or(0);
            size(word) * (*count).min(there)
        });
        both.sum::<u32>() * 100 / self.bytes.max(other.bytes).max(1)
    }
}

fn size(word: &[u8]) -> u32 {
    u32::try_from(word.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn aligned(old: &str, new: &str) -> Vec<Beside> {
        let (a, b) = (Pieces::lines(old.as_bytes()), Pieces::lines(new.as_bytes()));
        let change = Change {
            old: 0..a.len(),
            new: 0..b.len(),
        };
        let sides = (Side::new(old.as_bytes(), &a), Side::new(new.as_bytes(), &b));
        align(&change, &sides.0, &sides.1).unwrap()
    }

    #[test]
    fn kin_stand_beside_each_other() {
        assert_eq!(
            aligned(
                "limits: 60 a minute\n",
                "a new line\nlimits: 120 a minute\n"
            ),
            [(None, Some(0)), (Some(0), Some(1))]
        );
        assert_eq!(
            aligned("one two three\nfour\nfive six\n", "one two 3\nfive 6 six\n"),
            [(Some(0), Some(0)), (Some(1), None), (Some(2), Some(1))]
        );
        assert_eq!(
            aligned("a\nb\n", "c\nd\ne\n"),
            [(Some(0), Some(0)), (Some(1), Some(1)), (None, Some(2))],
            "strangers stand as they come"
        );
        assert_eq!(aligned("a\n", ""), [(Some(0), None)]);
    }

    #[test]
    fn too_many_are_not_weighed() {
        let text = "a\n".repeat(60);
        let pieces = Pieces::lines(text.as_bytes());
        let side = Side::new(text.as_bytes(), &pieces);
        let change = Change {
            old: 0..60,
            new: 0..60,
        };
        assert_eq!(align(&change, &side, &side), None);
    }
}
