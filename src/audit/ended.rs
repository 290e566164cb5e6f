//! Which visits have ended, a bit each: a run has a million of them.

use std::collections::HashMap;

use super::asked::VisitKey;

/// A set of visits. Host ids are given out in a row, so words of neighbours fill up.
#[derive(Clone, Debug, Default)]
pub(super) struct Ended {
    words: HashMap<(i64, u32), u64>,
}

impl Ended {
    pub(super) fn add(&mut self, visit: VisitKey) {
        let (word, bit) = place(visit);
        *self.words.entry(word).or_default() |= bit;
    }

    pub(super) fn contains(&self, visit: VisitKey) -> bool {
        let (word, bit) = place(visit);
        self.words.get(&word).is_some_and(|bits| bits & bit != 0)
    }
}

fn place((host, turn): VisitKey) -> ((i64, u32), u64) {
    let (word, bit) = (host.0.div_euclid(64), host.0.rem_euclid(64));
    ((word, turn), 1 << bit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::HostId;

    #[test]
    fn exactly_what_was_added_is_in_it() {
        let visits = [(1, 1), (63, 1), (64, 1), (64, 2), (1_000_000, 1)];
        let mut ended = Ended::default();
        for (host, turn) in visits {
            assert!(!ended.contains((HostId(host), turn)));
            ended.add((HostId(host), turn));
        }
        for host in [0, 1, 62, 63, 64, 65, 128, 999_999, 1_000_000] {
            for turn in 1..4 {
                let expected = visits.contains(&(host, turn));
                assert_eq!(
                    ended.contains((HostId(host), turn)),
                    expected,
                    "{host} {turn}"
                );
            }
        }
    }
}
