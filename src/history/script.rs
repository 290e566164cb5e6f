//! The search for what two bodies share: common ends first, then lines that only one side has are set
//! aside as git does, then a search over numbers instead of bytes.

use std::collections::HashMap;
use std::ops::Range;

use super::search::{New, Old, narrow, search, wide};
use super::{Cancelled, Pieces, Stop, slide};

/// Pieces between two looks at the [`Stop`].
const LOOK_EVERY: usize = 4096;
/// One body in its pieces.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The body.
    pub body: &'a [u8],
    /// Its pieces.
    pub pieces: &'a Pieces,
    /// Blanks around a piece do not count: for pieces that are laid out anew.
    pub trimmed: bool,
}

impl<'a> Side<'a> {
    /// A body in pieces that are compared byte by byte.
    pub fn new(body: &'a [u8], pieces: &'a Pieces) -> Side<'a> {
        Side {
            body,
            pieces,
            trimmed: false,
        }
    }

    /// What of a piece is compared.
    pub(super) fn key(&self, piece: usize) -> &'a [u8] {
        let bytes = &self.body[self.pieces.range(piece)];
        if self.trimmed {
            bytes.trim_ascii()
        } else {
            bytes
        }
    }

    fn all(&self) -> Range<usize> {
        0..self.pieces.len()
    }
}

/// These pieces of the old body became those of the new one. One of the two may be empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Pieces of the old body.
    pub old: Range<usize>,
    /// Pieces of the new body.
    pub new: Range<usize>,
}

/// Everything that changed, in order. What lies between two changes is equal on both sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Script {
    /// The changes; no two touch.
    pub changes: Vec<Change>,
    /// The search ran out of time or room: still true, byte for byte, but with larger changes than need be.
    pub approximate: bool,
}

/// What turns `old` into `new`.
pub fn compare(old: Side<'_>, new: Side<'_>, stop: &Stop) -> Result<Script, Cancelled> {
    stop.check()?;
    let (old_rest, new_rest) = trim(&old, &new);
    let changed = Change {
        old: old_rest.clone(),
        new: new_rest.clone(),
    };
    if old_rest.is_empty() || new_rest.is_empty() {
        let empty = old_rest.is_empty() && new_rest.is_empty();
        let changes = if empty { Vec::new() } else { vec![changed] };
        let mut script = Script {
            changes,
            approximate: false,
        };
        slide::slide(&mut script.changes, &old, &new);
        return Ok(script);
    }
    let numbered = Numbered::new(&old, old_rest, &new, new_rest, stop)?;
    let found = search(&numbered.old, &numbered.new, numbered.numbers, stop)?;
    let matches = found.pairs.into_iter();
    let matches = matches.map(|(a, b)| (wide(numbered.old_at[a]), wide(numbered.new_at[b])));
    let mut changes = between(matches, &changed);
    slide::slide(&mut changes, &old, &new);
    Ok(Script {
        changes,
        approximate: found.approximate,
    })
}

/// What is left of both sides without the pieces that are equal at their beginning and at their end.
fn trim(old: &Side<'_>, new: &Side<'_>) -> (Range<usize>, Range<usize>) {
    let (mut a, mut b) = (old.all(), new.all());
    while !a.is_empty() && !b.is_empty() && old.key(a.start) == new.key(b.start) {
        (a.start, b.start) = (a.start + 1, b.start + 1);
    }
    while !a.is_empty() && !b.is_empty() && old.key(a.end - 1) == new.key(b.end - 1) {
        (a.end, b.end) = (a.end - 1, b.end - 1);
    }
    (a, b)
}

/// The pieces that both sides have, as numbers, and where each stands.
#[derive(Default)]
struct Numbered {
    old: Vec<Old>,
    old_at: Vec<u32>,
    new: Vec<New>,
    new_at: Vec<u32>,
    /// Every number is below this.
    numbers: usize,
}

impl Numbered {
    fn new(
        old: &Side<'_>,
        old_rest: Range<usize>,
        new: &Side<'_>,
        new_rest: Range<usize>,
        stop: &Stop,
    ) -> Result<Numbered, Cancelled> {
        let mut known: HashMap<&[u8], u32> = HashMap::with_capacity(old_rest.len());
        let mut old_numbers = Vec::with_capacity(old_rest.len());
        for (count, piece) in old_rest.clone().enumerate() {
            look(count, stop)?;
            let next = known.len();
            let number = known.entry(old.key(piece)).or_insert(narrow(next));
            old_numbers.push(*number);
        }
        // Whether the new side has it, too.
        let mut shared = vec![false; known.len()];
        let mut numbered = Numbered {
            numbers: known.len(),
            ..Numbered::default()
        };
        for (count, piece) in new_rest.enumerate() {
            look(count, stop)?;
            let number = known.get(new.key(piece)).copied();
            if let Some((number, shared)) =
                number.and_then(|number| Some((number, shared.get_mut(wide(number))?)))
            {
                *shared = true;
                numbered.new.push(New(number));
                numbered.new_at.push(narrow(piece));
            }
        }
        for (number, piece) in old_numbers.into_iter().zip(old_rest) {
            if shared.get(wide(number)).copied().unwrap_or(false) {
                numbered.old.push(Old(number));
                numbered.old_at.push(narrow(piece));
            }
        }
        Ok(numbered)
    }
}

/// The changes between equal pieces.
fn between(matches: impl Iterator<Item = (usize, usize)>, whole: &Change) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (whole.old.start, whole.new.start);
    let end = (whole.old.end, whole.new.end);
    for (a, b) in matches.chain([end]) {
        if old < a || new < b {
            changes.push(Change {
                old: old..a,
                new: new..b,
            });
        }
        (old, new) = (a + 1, b + 1);
    }
    changes
}

fn look(count: usize, stop: &Stop) -> Result<(), Cancelled> {
    if count.is_multiple_of(LOOK_EVERY) {
        stop.check()?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
