//! The search for what two bodies share: common ends first, then lines that only one side has are set
//! aside as git does, then Myers' algorithm over numbers instead of bytes.

use std::collections::HashMap;
use std::ops::Range;

use similar::algorithms::{DiffHook, myers};

use super::{Cancelled, Pieces, Stop, slide};

/// Pieces between two looks at the [`Stop`].
const LOOK_EVERY: usize = 4096;
/// Pieces of both sides that are searched; where more are left after all short cuts, the search would
/// take more memory than a body is worth.
const MOST_PIECES: usize = 4_000_000;

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
    let Some(numbered) = Numbered::new(&old, old_rest, &new, new_rest, stop)? else {
        return Ok(Script {
            changes: vec![changed],
            approximate: true,
        });
    };
    let matches = search(&numbered, stop)?;
    let mut changes = between(&matches, &changed);
    slide::slide(&mut changes, &old, &new);
    Ok(Script {
        changes,
        approximate: stop.is_late(),
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

/// The number of a piece of the old body: equal pieces have equal numbers. Two types keep the crate from
/// setting lines aside a second time, in a pass of its own that cannot be ended.
#[derive(PartialEq, Eq, Hash)]
struct Old(u32);

/// The number of a piece of the new body.
#[derive(PartialEq, Eq, Hash)]
struct New(u32);

impl PartialEq<Old> for New {
    fn eq(&self, other: &Old) -> bool {
        self.0 == other.0
    }
}

/// The pieces that both sides have, as numbers, and where each stands.
#[derive(Default)]
struct Numbered {
    old: Vec<Old>,
    old_at: Vec<u32>,
    new: Vec<New>,
    new_at: Vec<u32>,
}

impl Numbered {
    /// None if there are too many.
    fn new(
        old: &Side<'_>,
        old_rest: Range<usize>,
        new: &Side<'_>,
        new_rest: Range<usize>,
        stop: &Stop,
    ) -> Result<Option<Numbered>, Cancelled> {
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
        let mut numbered = Numbered::default();
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
        let few = numbered.old.len() + numbered.new.len() <= MOST_PIECES;
        Ok(few.then_some(numbered))
    }
}

/// Equal pieces, in order: one of the old side, one of the new side, how many.
struct Matches<'a> {
    stop: &'a Stop,
    found: Vec<(usize, usize, usize)>,
}

impl DiffHook for Matches<'_> {
    type Error = Cancelled;

    fn equal(&mut self, old: usize, new: usize, len: usize) -> Result<(), Cancelled> {
        self.found.push((old, new, len));
        self.stop.check()
    }

    fn delete(&mut self, _: usize, _: usize, _: usize) -> Result<(), Cancelled> {
        self.stop.check()
    }

    fn insert(&mut self, _: usize, _: usize, _: usize) -> Result<(), Cancelled> {
        self.stop.check()
    }
}

/// Pairs of equal pieces, in order.
fn search(numbered: &Numbered, stop: &Stop) -> Result<Vec<(usize, usize)>, Cancelled> {
    let mut matches = Matches {
        stop,
        found: Vec::new(),
    };
    let (old, new) = (&numbered.old, &numbered.new);
    let deadline = stop.deadline();
    myers::diff_deadline(
        &mut matches,
        old.as_slice(),
        0..old.len(),
        new.as_slice(),
        0..new.len(),
        deadline,
    )?;
    stop.check()?;
    let found = matches.found.into_iter();
    let pairs = found.flat_map(|(a, b, len)| (0..len).map(move |at| (a + at, b + at)));
    Ok(pairs
        .map(|(a, b)| (wide(numbered.old_at[a]), wide(numbered.new_at[b])))
        .collect())
}

/// The changes between equal pieces.
fn between(matches: &[(usize, usize)], whole: &Change) -> Vec<Change> {
    let mut changes = Vec::new();
    let (mut old, mut new) = (whole.old.start, whole.new.start);
    let end = (whole.old.end, whole.new.end);
    for (a, b) in matches.iter().copied().chain([end]) {
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

/// Pieces are counted in 32 bits: [`Pieces`] holds no more.
fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn wide(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[path = "script_tests.rs"]
mod tests;
