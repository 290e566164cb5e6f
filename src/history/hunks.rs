//! Changes with the equal pieces around them.

use std::ops::Range;

use super::Script;

/// Changes that stand so near to each other that they are shown together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// Pieces of the old body, with the equal ones around the changes.
    pub old: Range<usize>,
    /// Pieces of the new body.
    pub new: Range<usize>,
    /// The changes in it, as a range of [`Script::changes`].
    pub changes: Range<usize>,
}

/// The hunks of a script with up to `context` equal pieces before and after each change. `old_pieces`
/// is how many the old body has.
pub fn hunks(script: &Script, context: usize, old_pieces: usize) -> Vec<Hunk> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for (at, change) in script.changes.iter().enumerate() {
        let before = context.min(change.old.start);
        let start = change.old.start - before;
        match hunks.last_mut() {
            Some(last) if start <= last.old.end => {
                last.old.end = change.old.end;
                last.new.end = change.new.end;
                last.changes.end = at + 1;
            }
            _ => hunks.push(Hunk {
                old: start..change.old.end,
                new: change.new.start - before..change.new.end,
                changes: at..at + 1,
            }),
        }
        let next = script.changes.get(at + 1);
        let free = next.map_or(old_pieces, |next| next.old.start) - change.old.end;
        if let Some(last) = hunks.last_mut() {
            last.old.end += context.min(free);
            last.new.end += context.min(free);
        }
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::Change;

    #[test]
    fn near_changes_share_a_hunk_and_far_ones_do_not() {
        let change = |old: Range<usize>, new: Range<usize>| Change { old, new };
        let script = Script {
            changes: vec![
                change(1..2, 1..1),
                change(8..8, 7..9),
                change(20..21, 21..22),
            ],
            approximate: false,
        };
        let got = hunks(&script, 3, 22);
        let ranges: Vec<_> = got.iter().map(|hunk| (&hunk.old, &hunk.new)).collect();
        assert_eq!(ranges, [(&(0..11), &(0..12)), (&(17..22), &(18..23))]);
        assert_eq!(got[0].changes, 0..2);
        assert_eq!(hunks(&script, 0, 22).len(), 3);
        assert_eq!(hunks(&Script::default(), 3, 22), []);
    }
}
