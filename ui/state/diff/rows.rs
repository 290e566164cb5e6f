//! The rows of a diff, as blocks of rows that follow each other: a row is found by its number, and none
//! is made before it is seen.

use std::collections::HashMap;

use engine::history::{Beside, Script, hunks};

use crate::engine;

/// What a row shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The head of a hunk, by its number, or the end of the text: equal pieces before it are not shown.
    Head(usize),
    /// A piece that both sides have.
    Equal,
    /// A piece that was removed.
    Removed,
    /// A piece that was added.
    Added,
    /// A piece that was removed, and one that was added, beside each other.
    Both,
}

/// Rows of one kind in a row.
#[derive(Clone, Copy, Debug)]
struct Block {
    kind: Kind,
    /// Its first row.
    row: usize,
    len: usize,
    /// First pieces.
    old: usize,
    new: usize,
    /// The change they belong to.
    change: usize,
    /// Equal pieces not shown before a head.
    hidden: usize,
}

/// A row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) kind: Kind,
    /// The piece of the old side, and of the new one. Of a head: the first ones behind it.
    pub(crate) old: Option<usize>,
    pub(crate) new: Option<usize>,
    /// The change it belongs to.
    pub(crate) change: usize,
    /// Equal pieces not shown before a head.
    pub(crate) hidden: usize,
}

/// One stretch of changes with what stands around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HunkRows {
    /// The row of its head.
    pub(crate) head: usize,
    /// The row behind its last one.
    pub(crate) end: usize,
    /// Its first changed row.
    pub(crate) changed: usize,
    /// First pieces, and how many.
    pub(crate) old: (usize, usize),
    pub(crate) new: (usize, usize),
}

/// All rows.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    blocks: Vec<Block>,
    len: usize,
    pub(crate) hunks: Vec<HunkRows>,
}

impl Rows {
    /// Of a script between so many pieces, with so many equal ones around each change. Side by side,
    /// what was removed stands beside what was added: as `beside` has it for a change, else as it comes.
    pub(crate) fn new(
        script: &Script,
        pieces: (usize, usize),
        context: usize,
        beside: Option<&HashMap<usize, Vec<Beside>>>,
    ) -> Rows {
        let mut rows = Rows::default();
        let mut old_at = 0;
        for (number, hunk) in hunks(script, context, pieces.0).into_iter().enumerate() {
            let head = rows.len;
            let hidden = hunk.old.start - old_at;
            let starts = (hunk.old.start, hunk.new.start);
            rows.push(Kind::Head(number), 1, starts, hunk.changes.start, hidden);
            let mut new_at = starts.1;
            old_at = starts.0;
            let mut changed = None;
            for at in hunk.changes.clone() {
                let Some(change) = script.changes.get(at) else {
                    break;
                };
                let equal = change.old.start - old_at;
                rows.push(Kind::Equal, equal, (old_at, new_at), at, 0);
                changed = changed.or(Some(rows.len));
                let starts = (change.old.start, change.new.start);
                let (removed, added) = (change.old.len(), change.new.len());
                if let Some(pairs) = beside.and_then(|beside| beside.get(&at)) {
                    rows.pairs(pairs, at);
                    (old_at, new_at) = (change.old.end, change.new.end);
                    continue;
                }
                let both = if beside.is_some() {
                    removed.min(added)
                } else {
                    0
                };
                rows.push(Kind::Both, both, starts, at, 0);
                let rest = (starts.0 + both, starts.1 + both);
                rows.push(Kind::Removed, removed - both, rest, at, 0);
                rows.push(Kind::Added, added - both, rest, at, 0);
                (old_at, new_at) = (change.old.end, change.new.end);
            }
            let equal = hunk.old.end - old_at;
            let last = hunk.changes.end.saturating_sub(1);
            rows.push(Kind::Equal, equal, (old_at, new_at), last, 0);
            old_at = hunk.old.end;
            rows.hunks.push(HunkRows {
                head,
                end: rows.len,
                changed: changed.unwrap_or(head),
                old: (hunk.old.start, hunk.old.len()),
                new: (hunk.new.start, hunk.new.len()),
            });
        }
        let hidden = pieces.0.saturating_sub(old_at);
        if hidden > 0 && !rows.hunks.is_empty() {
            let end = (pieces.0, pieces.1);
            rows.push(
                Kind::Head(rows.hunks.len()),
                1,
                end,
                script.changes.len(),
                hidden,
            );
        }
        rows
    }

    fn push(
        &mut self,
        kind: Kind,
        len: usize,
        (old, new): (usize, usize),
        change: usize,
        hidden: usize,
    ) {
        if len > 0 {
            self.blocks.push(Block {
                kind,
                row: self.len,
                len,
                old,
                new,
                change,
                hidden,
            });
            self.len += len;
        }
    }

    /// Pieces beside each other, in as few blocks as hold them.
    fn pairs(&mut self, pairs: &[Beside], change: usize) {
        for pair in pairs {
            let (kind, starts) = match *pair {
                (Some(old), Some(new)) => (Kind::Both, (old, new)),
                (Some(old), None) => (Kind::Removed, (old, 0)),
                (None, Some(new)) => (Kind::Added, (0, new)),
                (None, None) => continue,
            };
            match self.blocks.last_mut() {
                Some(last) if last.kind == kind && last.change == change => {
                    last.len += 1;
                    self.len += 1;
                }
                _ => self.push(kind, 1, starts, change, 0),
            }
        }
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// A row by its number.
    pub(crate) fn get(&self, at: usize) -> Option<Row> {
        let block = self.blocks.partition_point(|block| block.row <= at);
        let block = self.blocks.get(block.checked_sub(1)?)?;
        let step = at - block.row;
        if step >= block.len {
            return None;
        }
        let (old, new) = (block.old + step, block.new + step);
        let (old, new) = match block.kind {
            Kind::Removed => (Some(old), None),
            Kind::Added => (None, Some(new)),
            Kind::Head(_) | Kind::Equal | Kind::Both => (Some(old), Some(new)),
        };
        Some(Row {
            kind: block.kind,
            old,
            new,
            change: block.change,
            hidden: block.hidden,
        })
    }

    /// The row of a piece: of the new side, or of the old one if it is only there; the nearest shown.
    pub(crate) fn near(&self, new: usize) -> usize {
        let shown = |block: &&Block| !matches!(block.kind, Kind::Removed | Kind::Head(_));
        let found = self
            .blocks
            .iter()
            .filter(shown)
            .find(|block| block.new + block.len > new);
        found.map_or(self.len.saturating_sub(1), |block| {
            block.row + new.saturating_sub(block.new).min(block.len - 1)
        })
    }

    /// The hunk a row belongs to.
    pub(crate) fn hunk(&self, at: usize) -> Option<(usize, &HunkRows)> {
        let behind = self.hunks.partition_point(|hunk| hunk.head <= at);
        let number = behind.saturating_sub(1);
        Some((number, self.hunks.get(number)?))
    }
}

#[cfg(test)]
mod tests {
    use engine::history::Change;

    use super::*;

    fn script() -> Script {
        let change = |old, new| Change { old, new };
        Script {
            changes: vec![change(5..7, 5..6), change(20..20, 19..21)],
            approximate: false,
        }
    }

    fn shown(rows: &Rows) -> Vec<String> {
        let all = (0..rows.len()).map(|at| rows.get(at).unwrap());
        all.map(|row| match row.kind {
            Kind::Head(number) => format!("head {number}, {} hidden", row.hidden),
            Kind::Equal => format!(" {} {}", row.old.unwrap(), row.new.unwrap()),
            Kind::Removed => format!("-{}", row.old.unwrap()),
            Kind::Added => format!("+{}", row.new.unwrap()),
            Kind::Both => format!("|{} {}", row.old.unwrap(), row.new.unwrap()),
        })
        .collect()
    }

    #[test]
    fn rows_are_found_by_their_number() {
        let rows = Rows::new(&script(), (30, 31), 1, None);
        assert_eq!(
            shown(&rows),
            [
                "head 0, 4 hidden",
                " 4 4",
                "-5",
                "-6",
                "+5",
                " 7 6",
                "head 1, 11 hidden",
                " 19 18",
                "+19",
                "+20",
                " 20 21",
                "head 2, 9 hidden",
            ]
        );
        assert_eq!(rows.get(rows.len()), None);
        assert_eq!(rows.hunk(8).unwrap().0, 1);
        assert_eq!(rows.hunk(0).unwrap().0, 0);
        assert_eq!(rows.hunks[1].changed, 8);
        assert_eq!(rows.near(20), 9);
        assert_eq!(rows.near(10), 7);
    }

    #[test]
    fn side_by_side_removed_stands_beside_added() {
        let rows = Rows::new(&script(), (30, 31), 0, Some(&HashMap::new()));
        assert_eq!(
            shown(&rows),
            [
                "head 0, 5 hidden",
                "|5 5",
                "-6",
                "head 1, 13 hidden",
                "+19",
                "+20",
                "head 2, 10 hidden"
            ]
        );
    }

    #[test]
    fn kin_stand_beside_each_other() {
        let pairs = vec![(Some(5), None), (Some(6), Some(5))];
        let rows = Rows::new(&script(), (30, 31), 0, Some(&HashMap::from([(0, pairs)])));
        assert_eq!(shown(&rows)[..3], ["head 0, 5 hidden", "-5", "|6 5"]);
    }

    #[test]
    fn nothing_changed_is_no_row() {
        assert_eq!(Rows::new(&Script::default(), (9, 9), 3, None).len(), 0);
    }
}
