//! The order of all hosts. What was read for the whole list helps to find the first page of a filter:
//! a rare word is looked for in the names, and no row is read but those that may be shown.

use std::collections::HashSet;

use engine::store::{
    HostFacts, HostId, HostNames, HostQuery, HostSort, HostView, Reader, StoreError,
};

use super::{Answer, Flights};
use crate::engine;
use crate::filter::Filter;
use crate::filter::rows::{HostLook, HostNow};

/// What the lane of orders remembers of the whole list, as last read.
#[derive(Default)]
pub(super) struct Whole {
    names: HostNames,
    order: Vec<HostId>,
    by: Option<(HostSort, bool)>,
}

impl Whole {
    /// The order that a filter keeps; its first page is told as soon as it is known.
    pub(super) fn order(
        &mut self,
        reader: &Reader,
        (filter, flights): (&Filter, &Flights),
        (sort, descending): (HostSort, bool),
        view: HostView<'_>,
        tell: &mut dyn FnMut(Answer),
    ) -> Result<Vec<HostId>, StoreError> {
        let mut keep = |facts: &HostFacts<'_>| {
            let now = || HostNow {
                look: HostLook::new(facts, view.now),
                state: flights.get(&facts.id).copied(),
            };
            filter.is_all() || filter.matches(&now())
        };
        let mut told = false;
        if self.by == Some((sort, descending))
            && let Some(few) = filter.named().and_then(|part| self.names.with(part))
        {
            let few: HashSet<HostId> = few.into_iter().collect();
            let mut few = self.order.iter().copied().filter(|id| few.contains(id));
            if let Some(page) = reader.host_page(&mut few, view, &mut keep)? {
                told = true;
                tell(Answer::First(page));
            }
        }
        let query = HostQuery {
            sort,
            descending,
            view,
        };
        let mut first = |ids: &[HostId]| {
            if !told {
                tell(Answer::First(ids.to_vec()));
            }
        };
        let order = reader.host_order(&query, &mut keep, &mut first)?;
        if filter.is_all() {
            self.order.clone_from(&order);
            self.by = Some((sort, descending));
        }
        Ok(order)
    }

    /// Reads the names if hosts have come since, or gone: in the time between two questions. One that
    /// comes meanwhile ends it, and it is done after that.
    pub(super) fn catch_up(&mut self, reader: &Reader) {
        if self.names.len() != self.order.len()
            && let Ok(names) = reader.host_names()
        {
            self.names = names;
        }
    }
}

#[cfg(test)]
mod tests;
