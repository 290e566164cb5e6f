//! Crash safety and silence, on the real binary: killed, stopped and suppressed in the middle of a
//! run, and judged by what the server saw, what the store holds and what `audit` says.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a failed test says so by panicking; clippy knows tests only by their attribute"
)]

mod clock;
mod dice;
mod disk;
mod judge;
mod kills;
mod lab;
mod second;
mod silence;
mod stored;
mod town;
