//! The checks.

use crate::store::{Reader, RequestKey, RunId, StoreError};

/// One breach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Promise id.
    pub promise: String,
    /// One sentence: what was promised, what was seen, where and when.
    pub what: String,
    /// The request to look at.
    pub request: Option<RequestKey>,
}

/// What was found for one promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Promise id.
    pub promise: String,
    /// How many observations were checked.
    pub checked: u64,
    /// Worst value seen, in words: `smallest gap 2,003 ms of 2,000 ms (docs.alder.test 08:14:06Z)`.
    pub worst: String,
    /// How many breaches; the first ones are listed.
    pub breaches: u64,
    /// The first breaches, at most 20.
    pub first: Vec<Breach>,
}

/// Audits one run against the policy recorded with it, promise by promise, in ledger order.
pub fn audit(reader: &Reader, run: RunId) -> Result<Vec<Finding>, StoreError> {
    let _ = (reader, run);
    unimplemented!()
}
