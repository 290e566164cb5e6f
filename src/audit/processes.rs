//! PC1 across processes: only one of a run asks at a time.
//!
//! Rows come site by site, so of each process only the span of its requests is kept, in wall time,
//! and how long it lived, by its monotonic time. Two processes asked at once if both overlap: a wall
//! clock that was set during the life of one does not accuse it.

use std::collections::BTreeMap;

use super::asked::Asked;
use super::auditor::ProcessFacts;
use super::finding::{Book, Check};
use crate::store::{ProcessId, RequestKey};

/// What is kept of one process; UTC milliseconds.
#[derive(Clone, Debug)]
struct Asking {
    /// Start of its first request, with the request itself.
    first: i64,
    request: RequestKey,
    page: String,
    /// End of its last answer; start of the request where that was interrupted.
    last: i64,
    /// Monotonic milliseconds from its start to that end.
    lived_ms: i64,
}

/// The processes of a run that asked anything.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes {
    asking: BTreeMap<ProcessId, Asking>,
}

impl Processes {
    /// Notes one request.
    pub(super) fn note(&mut self, asked: &Asked<'_>) {
        let (start, end) = (asked.start.utc_ms(), asked.end_or_start());
        let (last, lived_ms) = (end.utc_ms(), end.stamp.mono_ms);
        let asking = self
            .asking
            .entry(asked.row.process)
            .or_insert_with(|| Asking {
                first: start,
                request: asked.row.key,
                page: asked.page(),
                last,
                lived_ms,
            });
        if start < asking.first {
            asking.first = start;
            asking.request = asked.row.key;
            asking.page = asked.page();
        }
        asking.last = asking.last.max(last);
        asking.lived_ms = asking.lived_ms.max(lived_ms);
    }

    /// PC1: a request of one process between those of another, while both were alive.
    pub(super) fn report(&self, known: &[ProcessFacts], book: &mut Book) {
        let life = |id: ProcessId, asking: &Asking| {
            let process = known.iter().find(|process| process.id == id);
            process.map_or((asking.first, asking.last), |process| {
                let started = process.started.as_millisecond();
                (started, started.saturating_add(asking.lived_ms))
            })
        };
        let mut all: Vec<_> = self
            .asking
            .iter()
            .map(|(id, asking)| (life(*id, asking), asking))
            .collect();
        all.sort_by_key(|(_, asking)| asking.first);
        for (index, (life, asking)) in all.iter().enumerate() {
            let both = all[..index].iter().any(|(other_life, other)| {
                overlap(*life, *other_life)
                    && overlap((asking.first, asking.last), (other.first, other.last))
            });
            if both {
                let what = format!(
                    "one request at a time was promised, two processes asked at once ({})",
                    asking.page
                );
                book.breach(Check::Pc1, Some(asking.request), what);
            }
        }
    }
}

/// Whether two spans have more than an end in common; a moment inside the other counts.
fn overlap((from, to): (i64, i64), (other_from, other_to): (i64, i64)) -> bool {
    from < other_to && other_from < to
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_overlap_inside_and_not_at_their_ends() {
        for (one, other, expected) in [
            ((0, 10), (10, 20), false),
            ((0, 11), (10, 20), true),
            ((0, 20), (5, 6), true),
            ((0, 20), (5, 5), true),
            ((5, 5), (0, 20), true),
            ((0, 20), (20, 20), false),
            ((0, 5), (6, 9), false),
        ] {
            assert_eq!(overlap(one, other), expected, "{one:?} {other:?}");
            assert_eq!(overlap(other, one), expected, "{other:?} {one:?}");
        }
    }
}
