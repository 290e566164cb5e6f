//! One integration binary; one file a theme.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test says what went wrong by panicking"
)]

mod support;

mod audit;
mod changes;
mod cli;
mod console;
mod crash;
mod crawl;
mod fetch;
mod history;
mod miniweb;
mod names;
mod robots;
mod shots;
mod store;
mod suppress;
