//! The weekly run, judged from outside: what the servers saw, what the store holds, what the audit says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a helper that fails fails its test"
)]

mod blocks;
mod bodies;
mod corpus;
mod doubles;
mod expiry;
mod foreign;
mod hostile;
mod limits;
mod moves;
mod raw;
mod robots;
mod stage;
mod steering;
mod unreadable;
mod validators;
mod weeks;
