//! PC1 across processes: only one of a run asks at a time.
//!
//! Rows come site by site, so of each process only the span of its requests is kept, in wall time,
//! and how long it lived, by its monotonic time. Two processes asked at once if both overlap: a wall
//! clock that was set during the life of one does not accuse it.
//!
//! One set back *between* two processes makes their spans overlap all the same. Rows of a site come in
//! the order of their commit, whatever the clock said: an intent that was committed after one of another
//! process and bears an earlier time shows that the clock was set back in between. If neither process
//! saw it (its wall time and its monotonic time kept step), it was set after the last request of the one and
//! before the first of the other. Where no site was asked by both there is no such proof: the record of a
//! process holds no time that another process on the same machine could be compared with.

use std::collections::BTreeMap;

use super::asked::Asked;
use super::facts::ProcessFacts;
use super::finding::{Book, Check};
use crate::store::{ProcessId, RequestKey, SiteId};

/// Milliseconds that an intent may be committed later than another one that is younger.
const COMMIT_MS: i64 = 1_000;

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
    /// Least and greatest wall time less monotonic time: how far its wall clock went astray.
    astray: (i64, i64),
}

impl Asking {
    fn strayed_ms(&self) -> i64 {
        self.astray.1 - self.astray.0
    }
}

/// The processes of a run that asked anything.
#[derive(Clone, Debug, Default)]
pub(super) struct Processes {
    asking: BTreeMap<ProcessId, Asking>,
    /// The site being read, and the latest intent of each process there.
    site: Option<SiteId>,
    here: BTreeMap<ProcessId, i64>,
    /// Milliseconds by which a process's intent bears an earlier time than one of another process that
    /// was committed before it; zero or less where the times are in order.
    back_ms: BTreeMap<(ProcessId, ProcessId), i64>,
}

impl Processes {
    /// Notes one request.
    pub(super) fn note(&mut self, asked: &Asked<'_>) {
        self.note_order(asked);
        let (start, end) = (asked.start.utc_ms(), asked.end_or_start());
        let (last, lived_ms) = (end.utc_ms(), end.stamp.mono_ms);
        let (began, ended) = (start - asked.start.stamp.mono_ms, last - lived_ms);
        let asking = self
            .asking
            .entry(asked.row.process)
            .or_insert_with(|| Asking {
                first: start,
                request: asked.row.key,
                page: asked.page(),
                last,
                lived_ms,
                astray: (began, began),
            });
        if start < asking.first {
            asking.first = start;
            asking.request = asked.row.key;
            asking.page = asked.page();
        }
        asking.last = asking.last.max(last);
        asking.lived_ms = asking.lived_ms.max(lived_ms);
        let (least, most) = asking.astray;
        asking.astray = (least.min(began).min(ended), most.max(began).max(ended));
    }

    /// Notes which processes this site's requests show to have come before this one.
    fn note_order(&mut self, asked: &Asked<'_>) {
        let (site, process) = (asked.row.key.site, asked.row.process);
        if self.site != Some(site) {
            self.site = Some(site);
            self.here.clear();
        }
        let intent = asked.row.intent.utc.as_millisecond();
        for (other, latest) in &self.here {
            if *other != process {
                let back = latest - intent;
                let most = self.back_ms.entry((*other, process)).or_insert(back);
                *most = back.max(*most);
            }
        }
        let latest = self.here.entry(process).or_insert(intent);
        *latest = intent.max(*latest);
    }

    /// Whether one process asked nothing any more when the other began, as a clock set back shows.
    fn set_back_between(&self, one: ProcessId, other: ProcessId) -> bool {
        let strayed = |id| self.asking.get(&id).map_or(0, Asking::strayed_ms);
        let seen = |from, to| self.back_ms.get(&(from, to)).copied();
        let back = match (seen(one, other), seen(other, one)) {
            (Some(back), None) | (None, Some(back)) => back,
            // Each asked before the other: at once.
            _ => return false,
        };
        back > COMMIT_MS + strayed(one).max(strayed(other))
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
            .map(|(id, asking)| (*id, life(*id, asking), asking))
            .collect();
        all.sort_by_key(|(_, _, asking)| asking.first);
        for (index, (id, life, asking)) in all.iter().enumerate() {
            let both = all[..index].iter().any(|(other_id, other_life, other)| {
                overlap(*life, *other_life)
                    && overlap((asking.first, asking.last), (other.first, other.last))
                    && !self.set_back_between(*id, *other_id)
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
