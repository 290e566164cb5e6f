//! The store from outside: what is committed stays, history is exact, every refusal is a sentence.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests stop at the first fault"
)]

mod browse;
mod changes;
mod desk;
mod diff;
mod due;
mod fixture;
mod history;
mod host_page;
mod known;
mod life;
mod log;
mod made;
mod older;
mod orders;
mod runs;
mod sessions;
mod totals;
