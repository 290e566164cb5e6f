//! A loopback web with scripted faults, for demo, tests and benches.
//!
//! It serves folders `sites/HOST/VERSION/PATH…` like a decent server, misbehaves where `_site.toml`
//! says so, and writes down every request it got. It binds loopback only and ends with its handle.

mod content;
mod fault;
mod generated;
mod request;
mod respond;
mod script;
mod server;
mod weblog;

pub use script::ScriptError;
pub use server::{MiniWeb, MiniWebError, Source};
