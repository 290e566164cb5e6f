//! A loopback web with scripted faults, for demo, tests and benches.
//!
//! It serves folders `sites/HOST/VERSION/PATH…` like a decent server, misbehaves where `_site.toml`
//! says so, and writes down every request it got. It binds loopback only and ends with its handle.
//!
//! A request passes the files in this order: `server` accepts, `connection` keeps the turn, `request`
//! reads the head, `respond` chooses the answer (`content` for files, `script` for what a site does
//! wrong, `generated` for invented hosts), `fault` puts it on the wire, `ledger` and `weblog` keep it.

mod answer;
mod builtin;
mod bundle;
mod check;
mod coding;
mod conditional;
mod connection;
mod content;
mod fault;
mod file;
mod generated;
mod ledger;
mod media;
mod request;
mod respond;
mod script;
mod server;
mod weblog;
mod wire;

pub use ledger::{Manners, Seen};
pub use script::ScriptError;
pub use server::{MiniWeb, MiniWebError, Source};
