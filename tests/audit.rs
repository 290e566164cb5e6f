//! The audit over synthetic logs: for each promise a log that keeps it and one that breaches it by
//! the smallest amount.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "helpers of tests may end the test and say what they skip"
)]

mod asked;
mod clock;
mod delays;
mod log;
mod pace;
mod promises;
mod report;
mod robots;
mod transfer;
