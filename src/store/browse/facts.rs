//! The newest visit of a host in a few bytes of its row, and one host as a scan of all of them sees it.

use jiff::Timestamp;

use super::super::pack::{uncount, unvarint, varint};
use super::super::{HostId, HostState, SiteId, VisitFacts, VisitKind, VisitOutcome};
use super::cover::Cover;
use crate::fetch::Outcome;

/// The column `hosts.newest`: kind, requests, errors, denied, largest body, how many statuses, the
/// statuses as differences, then the reason as text. Numbers are varints.
pub(super) fn pack(facts: &VisitFacts) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(16 + facts.reason.len());
    bytes.push(facts.kind as u8);
    for number in [facts.requests, facts.errors, facts.denied] {
        varint(&mut bytes, u64::from(number));
    }
    varint(&mut bytes, facts.largest);
    varint(&mut bytes, facts.statuses.len() as u64);
    let mut last = 0;
    for status in &facts.statuses {
        varint(&mut bytes, u64::from(status.saturating_sub(last)));
        last = *status;
    }
    bytes.extend(facts.reason.as_bytes());
    bytes
}

impl VisitKind {
    /// The kind of a visit that ended so; none for `Held`, which is no end.
    pub(in crate::store) fn of(outcome: &VisitOutcome) -> Option<VisitKind> {
        Some(match outcome {
            VisitOutcome::Done => VisitKind::Done,
            VisitOutcome::Closed(_) => VisitKind::Closed,
            VisitOutcome::Limited => VisitKind::Limited,
            VisitOutcome::SiteLimited => VisitKind::SiteLimited,
            VisitOutcome::Challenge => VisitKind::Challenge,
            VisitOutcome::Blocked => VisitKind::Blocked,
            VisitOutcome::Moved(_) => VisitKind::Moved,
            VisitOutcome::SameAs(_) => VisitKind::SameAs,
            VisitOutcome::BudgetSpent => VisitKind::BudgetSpent,
            VisitOutcome::WindowOver => VisitKind::WindowOver,
            VisitOutcome::Suppressed => VisitKind::Suppressed,
            VisitOutcome::Held => return None,
        })
    }

    fn from_code(code: u8) -> Option<VisitKind> {
        VisitKind::ALL
            .get(usize::from(code).checked_sub(1)?)
            .copied()
    }
}

/// The newest visit of a host in numbers, as stored with it: see [`VisitFacts`].
#[derive(Clone, Copy, Debug)]
pub struct NewestVisit<'a> {
    /// How it ended.
    pub kind: VisitKind,
    /// Why robots.txt closed the host, else empty.
    pub reason: &'a str,
    /// Requests.
    pub requests: u32,
    /// Errors among them.
    pub errors: u32,
    /// Locations denied by robots.txt.
    pub denied: u32,
    /// Largest decoded body, bytes.
    pub largest: u64,
    statuses: &'a [u8],
}

impl<'a> NewestVisit<'a> {
    /// What [`pack`] wrote; none for anything else, which is shown as not known.
    pub(super) fn unpack(bytes: &'a [u8]) -> Option<NewestVisit<'a>> {
        let (code, mut rest) = bytes.split_first()?;
        let mut number = || unvarint(&mut rest).ok();
        let (requests, errors, denied) = (number()?, number()?, number()?);
        let (largest, how_many) = (number()?, number()?);
        let statuses = rest;
        for _ in 0..how_many {
            unvarint(&mut rest).ok()?;
        }
        let small = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
        Some(NewestVisit {
            kind: VisitKind::from_code(*code)?,
            reason: std::str::from_utf8(rest).ok()?,
            requests: small(requests),
            errors: small(errors),
            denied: small(denied),
            largest,
            statuses: &statuses[..statuses.len() - rest.len()],
        })
    }

    /// Statuses seen, ascending, each once.
    pub fn statuses(&self) -> impl Iterator<Item = u16> + use<'a> {
        let mut rest = self.statuses;
        let mut last = 0_u64;
        std::iter::from_fn(move || {
            last = last.saturating_add(unvarint(&mut rest).ok()?);
            Some(u16::try_from(last).unwrap_or(u16::MAX))
        })
    }

    /// The same, to keep.
    pub fn to_facts(&self) -> VisitFacts {
        VisitFacts {
            kind: self.kind,
            reason: self.reason.to_owned(),
            requests: self.requests,
            errors: self.errors,
            denied: self.denied,
            largest: self.largest,
            statuses: self.statuses().collect(),
        }
    }
}

/// One host as a scan of all of them sees it: borrowed for the moment of the call.
#[derive(Clone, Copy)]
pub struct HostFacts<'a> {
    /// Id.
    pub id: HostId,
    /// Name, as [`crate::hosts::Host::as_str`].
    pub name: &'a str,
    /// Name of its site.
    pub site: &'a str,
    /// Id of its site.
    pub site_id: SiteId,
    /// Kind of its source: a list's (`list`, `majestic`…), `redirect`, or `unknown`.
    pub source_kind: &'a str,
    /// Name of the list it came from, else empty.
    pub source_name: &'a str,
    /// Due again; never if none. A host due at once is due since it was imported.
    pub due: Option<Timestamp>,
    /// End of the wait of its site, if it stands.
    pub resting: Option<Timestamp>,
    /// End of its newest visit.
    pub visited: Option<Timestamp>,
    /// That visit was in the newest run.
    pub in_newest_run: bool,
    /// Done for now, with another turn to come in this run when due (RB9).
    pub again: bool,
    /// That visit in numbers; none too if it ended before such numbers were kept (schema 1).
    pub newest: Option<NewestVisit<'a>>,
    pub(super) cover: &'a Cover,
}

impl HostFacts<'_> {
    /// Whether an operator holds it.
    pub fn held(&self) -> bool {
        self.cover.holds.covers(self.name)
    }

    /// Whether the suppression list covers it as a whole.
    pub fn suppressed(&self) -> bool {
        self.cover.suppressed.covers(self.name)
    }

    /// Where it stands: what forbids it comes first.
    pub fn state(&self) -> HostState {
        let forbidden = if self.suppressed() {
            Some(HostState::Suppressed)
        } else {
            self.held().then_some(HostState::Held)
        };
        forbidden.unwrap_or_else(|| {
            let kind = self.newest.map(|newest| newest.kind);
            let done = self.in_newest_run.then_some(kind);
            allowed(done, self.due.is_some(), self.resting.is_some())
        })
    }
}

/// The state of a host that nothing forbids; `done` says whether and how its visit ended in the newest run.
pub(super) fn allowed(done: Option<Option<VisitKind>>, due: bool, resting: bool) -> HostState {
    match done {
        Some(kind) => HostState::Done(kind),
        None if !due => HostState::Offered,
        None if resting => HostState::Resting,
        None => HostState::Waiting,
    }
}

/// Requests of one visit, counted one by one.
#[derive(Clone, Default)]
pub(super) struct Tally {
    pub(super) requests: u32,
    errors: u32,
    largest: i64,
    statuses: Vec<u16>,
}

impl Tally {
    /// What a request counted by [`Tally::requests`] came to; no outcome if it was interrupted.
    pub(super) fn answer(&mut self, outcome: Option<Outcome>, status: Option<u16>, body: i64) {
        // The same as the console's live count: interrupted is neither fine nor known to have failed.
        let fine = outcome.is_none_or(|outcome| {
            matches!(
                outcome,
                Outcome::Present
                    | Outcome::NotModified
                    | Outcome::UnexpectedNotModified
                    | Outcome::Absent
                    | Outcome::SoftAbsent
                    | Outcome::Redirect
            )
        });
        self.errors += u32::from(!fine);
        self.largest = self.largest.max(body);
        if let Some(status) = status
            && let Err(place) = self.statuses.binary_search(&status)
        {
            self.statuses.insert(place, status);
        }
    }

    pub(super) fn facts(self, kind: VisitKind, reason: &str, denied: usize) -> VisitFacts {
        VisitFacts {
            kind,
            reason: reason.to_owned(),
            requests: self.requests,
            errors: self.errors,
            denied: u32::try_from(denied).unwrap_or(u32::MAX),
            largest: uncount(self.largest),
            statuses: self.statuses,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn facts_come_back(
            code in 1_u8..=12, numbers in any::<[u32; 3]>(), largest in any::<u64>(),
            statuses in prop::collection::btree_set(any::<u16>(), 0..8), reason in "[a-z_]{0,12}",
        ) {
            let facts = VisitFacts {
                kind: VisitKind::from_code(code).unwrap(),
                reason,
                requests: numbers[0],
                errors: numbers[1],
                denied: numbers[2],
                largest,
                statuses: statuses.into_iter().collect(),
            };
            let bytes = pack(&facts);
            prop_assert_eq!(NewestVisit::unpack(&bytes).unwrap().to_facts(), facts);
        }

        #[test]
        fn any_bytes_are_facts_or_nothing(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Some(newest) = NewestVisit::unpack(&bytes) {
                prop_assert!(newest.statuses().count() <= bytes.len());
            }
        }
    }

    #[test]
    fn codes_never_change_meaning() {
        for (code, kind) in (1..).zip(VisitKind::ALL) {
            assert_eq!(kind as u8, code, "{}", kind.word());
            assert_eq!(VisitKind::from_code(code), Some(kind));
        }
        assert_eq!(VisitKind::from_code(0), None);
        assert_eq!(VisitKind::from_code(13), None);
    }
}
