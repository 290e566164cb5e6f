//! Changes, runs and versions as an operator reads them: over the corpus with its known history, and
//! offline from a copy.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests stop at the first fault"
)]

mod corpus;
mod offline;
mod played;
