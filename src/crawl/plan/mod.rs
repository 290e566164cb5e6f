//! What a visit asks for next. A plan decides steps and keep modes; it never asks, waits or stores.
//!
//! `files` is a fixed list. Later plans stand beside it behind the same trait.

mod files;

pub(crate) use files::FilesPlan;

use crate::policy::Location;
use crate::store::SpanState;

/// A plan answers one question: given the visit so far, what comes next.
pub(crate) trait Plan: Send + Sync {
    /// Index of the next location to consider, or none when the plan is done. `so_far` holds one
    /// entry a location, in plan order; none means not considered yet.
    fn next(&self, so_far: &[Option<SpanState>]) -> Option<usize>;

    /// The locations, in order.
    fn locations(&self) -> &[Location];
}
