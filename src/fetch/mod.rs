//! The only room that opens sockets: one request in, one answer out.
//!
//! Addresses are checked before they are dialled, bodies are decoded and capped here, and every
//! failure has a name of its own. This room never retries, never follows a redirect, keeps no
//! cookie, and decides nothing about what may be asked: it wants a [`Permit`] for that.

mod answer;
mod body;
mod challenge;
mod client;
mod deadline;
mod decode;
mod dial;
mod failure;
mod guard;
mod head;
mod outcome;
mod permit;
mod read;
mod resolve;
mod retry_after;
mod source;
mod tls;

pub use answer::{Answer, Body, Challenge, Redirect, RetryAfter, Validators};
pub use client::{Client, Limits, Request};
pub use dial::{Scheme, Web, WebError};
pub use guard::{Refusal, is_public};
pub use outcome::Outcome;
pub use permit::{Permit, Revocation};
pub use retry_after::parse_retry_after;
