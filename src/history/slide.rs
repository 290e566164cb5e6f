//! A block that was added or removed can often stand a few pieces higher or lower and say the same:
//! it is put where people would look for it.

use super::{Change, Side};

/// Steps a block may take up or down.
const MOST_STEPS: usize = 200;

/// Moves blocks, and joins those that come to touch.
pub(super) fn slide(changes: &mut Vec<Change>, old: &Side<'_>, new: &Side<'_>) {
    let mut done: Vec<Change> = Vec::with_capacity(changes.len());
    let mut rest = std::mem::take(changes).into_iter().peekable();
    while let Some(mut change) = rest.next() {
        let above = match done.last() {
            Some(last) => change.old.start - last.old.end,
            None => change.old.start.min(change.new.start),
        };
        let below = match rest.peek() {
            Some(next) => next.old.start - change.old.end,
            None => old.pieces.len() - change.old.end,
        };
        if change.old.is_empty() {
            let to = place(change.new.start, change.new.end, above, below, new);
            step(&mut change, to);
        } else if change.new.is_empty() {
            let to = place(change.old.start, change.old.end, above, below, old);
            step(&mut change, to);
        }
        match done.last_mut() {
            Some(last) if last.old.end == change.old.start && last.new.end == change.new.start => {
                (last.old.end, last.new.end) = (change.old.end, change.new.end);
            }
            _ => done.push(change),
        }
    }
    *changes = done;
}

/// Steps down (or up, below zero) to the best place for `start..end`.
fn place(start: usize, end: usize, above: usize, below: usize, side: &Side<'_>) -> isize {
    let (mut up, mut down) = (0, 0);
    while up < above.min(MOST_STEPS) && side.key(start - up - 1) == side.key(end - up - 1) {
        up += 1;
    }
    while down < below.min(MOST_STEPS) && side.key(start + down) == side.key(end + down) {
        down += 1;
    }
    // The lowest place whose first piece is indented least: a whole member instead of the end of one
    // and the beginning of the next. Lower wins, as in git.
    let at = |steps: usize| start + steps - up;
    let best = (0..=up + down).min_by_key(|steps| {
        let first = &side.body[side.pieces.range(at(*steps))];
        let before = at(*steps).checked_sub(1).map(|piece| side.key(piece));
        let opens = before.is_none_or(|before| before.trim_ascii().is_empty());
        (indent(first), !opens, up + down - steps)
    });
    signed(best.unwrap_or(up)) - signed(up)
}

/// Blanks before the first other byte; a blank piece belongs to what stands above it.
fn indent(piece: &[u8]) -> usize {
    let blanks = piece.len() - piece.trim_ascii_start().len();
    if blanks == piece.len() {
        return usize::MAX;
    }
    blanks
}

fn step(change: &mut Change, steps: isize) {
    for at in [
        &mut change.old.start,
        &mut change.old.end,
        &mut change.new.start,
        &mut change.new.end,
    ] {
        *at = at.saturating_add_signed(steps);
    }
}

fn signed(count: usize) -> isize {
    isize::try_from(count).unwrap_or(isize::MAX)
}
