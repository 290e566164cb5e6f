//! The fetch room against raw sockets: what the server saw, and what the answer says.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a helper that fails fails its test"
)]

mod bodies;
mod connections;
mod dialling;
mod heads;
mod processes;
mod sent;
mod server;
mod time;
