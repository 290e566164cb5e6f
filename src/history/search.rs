//! The search for equal pieces, with Myers' algorithm, in stretches small enough to be ended at any time.
//! In large bodies pieces that stand once on each side hold the two together, and what lies between them
//! is searched.

use std::ops::Range;

use similar::algorithms::{DiffHook, myers};

use super::{Cancelled, Stop};

/// Stretches between two looks at the [`Stop`].
const LOOK_EVERY: usize = 4096;
/// Pieces of one side that are searched at once: about 20 ms of work at the very worst.
const STRETCH: usize = 10_000;
/// Pieces that stand once are held on to if they are at least one in this many: a few may have moved.
const FEW: usize = 16;

/// The number of a piece of the old body: equal pieces have equal numbers. Two types keep the crate from
/// setting pieces aside a second time, in a pass of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Old(pub(super) u32);

/// The number of a piece of the new body.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct New(pub(super) u32);

impl PartialEq<Old> for New {
    fn eq(&self, other: &Old) -> bool {
        self.0 == other.0
    }
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    /// Places of equal pieces on both sides, in order.
    pub(super) pairs: Vec<(usize, usize)>,
    /// A stretch was too long or the time too short for all of it.
    pub(super) approximate: bool,
}

/// Finds equal pieces, in order. Numbers are below `numbers`.
pub(super) fn search(
    old: &[Old],
    new: &[New],
    numbers: usize,
    stop: &Stop,
) -> Result<Found, Cancelled> {
    let mut found = Found::default();
    let (mut a, mut b) = (0, 0);
    let mut held = Vec::new();
    if old.len().max(new.len()) > STRETCH {
        held = rising(anchors(old, new, numbers));
        if held.len() * FEW < old.len().min(new.len()) {
            held.clear();
        }
    }
    stop.check()?;
    let end = (old.len(), new.len());
    for (count, (to_a, to_b)) in held.into_iter().chain([end]).enumerate() {
        if count.is_multiple_of(LOOK_EVERY) {
            stop.check()?;
        }
        between((old, a..to_a), (new, b..to_b), stop, &mut found)?;
        if (to_a, to_b) != end {
            found.pairs.push((to_a, to_b));
        }
        (a, b) = (to_a + 1, to_b + 1);
    }
    found.approximate |= stop.is_late();
    Ok(found)
}

/// Pieces that stand once on each side, in the order of the old one.
fn anchors(old: &[Old], new: &[New], numbers: usize) -> Vec<(usize, usize)> {
    // Where a number stands on the new side; none if it stands there more than once.
    let mut place: Vec<Place> = vec![Place::None; numbers];
    for (at, number) in new.iter().enumerate() {
        if let Some(place) = place.get_mut(wide(number.0)) {
            *place = match place {
                Place::None => Place::Once(narrow(at)),
                _ => Place::Often,
            };
        }
    }
    let mut often = vec![0_u8; numbers];
    for number in old {
        if let Some(often) = often.get_mut(wide(number.0)) {
            *often = often.saturating_add(1);
        }
    }
    let once = old.iter().enumerate().filter_map(|(at, number)| {
        let number = wide(number.0);
        match (often.get(number), place.get(number)) {
            (Some(1), Some(Place::Once(there))) => Some((at, wide(*there))),
            _ => None,
        }
    });
    once.collect()
}

#[derive(Clone, Copy)]
enum Place {
    None,
    Once(u32),
    Often,
}

/// The longest part of these pairs that rises on the new side, too.
fn rising(pairs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
    if pairs.windows(2).all(|two| two[0].1 < two[1].1) {
        return pairs;
    }
    // The last pair of the best run of each length, and the one before each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<u32> = vec![u32::MAX; pairs.len()];
    for (at, (_, new)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *new);
        if let Some(last) = length.checked_sub(1).and_then(|length| ends.get(length)) {
            before[at] = narrow(*last);
        }
        match ends.get_mut(length) {
            Some(end) => *end = at,
            None => ends.push(at),
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(pair) = at.and_then(|at| pairs.get(at)) {
        run.push(*pair);
        at = at.and_then(|at| before.get(at)).map(|before| wide(*before));
    }
    run.reverse();
    run
}

/// Searches one stretch, in parts if it is long: of each part what stands near its end is searched again
/// with what follows, so that the parts keep step with whatever was put in or taken out.
fn between(
    (old, mut a): (&[Old], Range<usize>),
    (new, mut b): (&[New], Range<usize>),
    stop: &Stop,
    found: &mut Found,
) -> Result<(), Cancelled> {
    while !a.is_empty() && !b.is_empty() {
        let part_a = a.start..a.end.min(a.start + STRETCH);
        let part_b = b.start..b.end.min(b.start + STRETCH);
        let first = found.pairs.len();
        stretch((old, part_a.clone()), (new, part_b.clone()), stop, found)?;
        if part_a.end == a.end && part_b.end == b.end {
            break;
        }
        found.approximate = true;
        let sure = (
            part_a.start + part_a.len() * 3 / 4,
            part_b.start + part_b.len() * 3 / 4,
        );
        let kept = found.pairs[first..].partition_point(|pair| pair.0 < sure.0 && pair.1 < sure.1);
        found.pairs.truncate(first + kept);
        (a.start, b.start) = match found.pairs.last().filter(|_| kept > 0) {
            Some((last_a, last_b)) => (last_a + 1, last_b + 1),
            None => sure,
        };
    }
    Ok(())
}

/// Searches one short stretch.
fn stretch(
    (old, a): (&[Old], Range<usize>),
    (new, b): (&[New], Range<usize>),
    stop: &Stop,
    found: &mut Found,
) -> Result<(), Cancelled> {
    stop.check()?;
    let mut equal = Equal { stop, found };
    myers::diff_deadline(&mut equal, old, a, new, b, stop.deadline())
}

/// Takes the equal pieces of a search, and ends it.
struct Equal<'a> {
    stop: &'a Stop,
    found: &'a mut Found,
}

impl DiffHook for Equal<'_> {
    type Error = Cancelled;

    fn equal(&mut self, old: usize, new: usize, len: usize) -> Result<(), Cancelled> {
        self.found
            .pairs
            .extend((old..old + len).zip(new..new + len));
        self.stop.check()
    }

    fn delete(&mut self, _: usize, _: usize, _: usize) -> Result<(), Cancelled> {
        self.stop.check()
    }

    fn insert(&mut self, _: usize, _: usize, _: usize) -> Result<(), Cancelled> {
        self.stop.check()
    }
}

/// Pieces are counted in 32 bits: [`super::Pieces`] holds no more.
pub(super) fn narrow(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

pub(super) fn wide(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_that_rises_is_kept() {
        let pairs = |new: &[usize]| new.iter().copied().enumerate().collect::<Vec<_>>();
        let run = |new: &[usize]| {
            let run = rising(pairs(new));
            run.into_iter().map(|(_, new)| new).collect::<Vec<_>>()
        };
        assert_eq!(run(&[0, 1, 2]), [0, 1, 2]);
        assert_eq!(run(&[3, 0, 1, 4, 2]), [0, 1, 2]);
        assert_eq!(run(&[2, 1, 0]).len(), 1);
        assert_eq!(run(&[]), [0_usize; 0]);
    }

    #[test]
    fn parts_keep_step_with_what_was_put_in() {
        // No number stands once.
        let values = |seed: u32, len: usize| -> Vec<u32> {
            let mut seed = seed;
            (0..len)
                .map(|_| {
                    seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    seed >> 22
                })
                .collect()
        };
        let old = values(1, 60_000);
        let new = [&old[..100], &values(2, 100), &old[100..]].concat();
        let (a, b): (Vec<Old>, Vec<New>) = (
            old.into_iter().map(Old).collect(),
            new.into_iter().map(New).collect(),
        );
        let found = search(&a, &b, 1_024, &Stop::never()).unwrap();
        assert!(found.approximate);
        assert!(found.pairs.len() > 59_000, "{}", found.pairs.len());
        assert!(
            found
                .pairs
                .windows(2)
                .all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1)
        );
        assert!(found.pairs.iter().all(|(at, there)| b[*there] == a[*at]));
    }
}
