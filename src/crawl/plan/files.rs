//! The `files` plan: a fixed list of locations in order, nothing else (AS4, AS5, PC8).

use super::Plan;
use crate::policy::{self, Location};
use crate::store::SpanState;

/// The list of a policy.
pub(crate) struct FilesPlan {
    locations: Vec<Location>,
    /// For each location, the index of the one that must be plainly absent first.
    only_if_absent: Vec<Option<usize>>,
}

impl FilesPlan {
    /// The plan of a policy of kind `files`.
    pub(crate) fn new(plan: &policy::Plan) -> FilesPlan {
        let locations = plan.locations.clone();
        let only_if_absent = locations
            .iter()
            .map(|location| {
                let other = location.only_if_absent.as_deref()?;
                locations.iter().position(|candidate| candidate.path == other)
            })
            .collect();
        FilesPlan { locations, only_if_absent }
    }

    fn is_wanted(&self, index: usize, so_far: &[Option<SpanState>]) -> bool {
        self.only_if_absent[index].is_none_or(|other| so_far[other] == Some(SpanState::Absent))
    }
}

impl Plan for FilesPlan {
    fn next(&self, so_far: &[Option<SpanState>]) -> Option<usize> {
        (0..self.locations.len())
            .find(|&index| so_far[index].is_none() && self.is_wanted(index, so_far))
    }

    fn locations(&self) -> &[Location] {
        &self.locations
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Expect, KeepMode, Method, PlanKind};

    fn location(path: &str, only_if_absent: Option<&str>) -> Location {
        Location {
            path: path.to_owned(),
            keep: KeepMode::Exact,
            expect: Expect::Json,
            only_if_absent: only_if_absent.map(str::to_owned),
        }
    }

    fn plan() -> FilesPlan {
        FilesPlan::new(&policy::Plan {
            kind: PlanKind::Files,
            budget: 14,
            methods: vec![Method::Get],
            query_urls: false,
            locations: vec![
                location("/a", None),
                location("/b", None),
                location("/old", Some("/a")),
            ],
        })
    }

    #[test]
    fn locations_come_in_order_and_once() {
        let plan = plan();
        assert_eq!(plan.next(&[None, None, None]), Some(0));
        assert_eq!(plan.next(&[Some(SpanState::Present), None, None]), Some(1));
        let done = [Some(SpanState::Present), Some(SpanState::Denied), None];
        assert_eq!(plan.next(&done), None);
    }

    #[test]
    fn the_conditional_location_needs_a_plain_absence() {
        let plan = plan();
        for (state, wanted) in [
            (SpanState::Absent, Some(2)),
            (SpanState::SoftAbsent, None),
            (SpanState::Blocked, None),
            (SpanState::Interrupted, None),
        ] {
            assert_eq!(plan.next(&[Some(state), Some(SpanState::Present), None]), wanted);
        }
    }
}
