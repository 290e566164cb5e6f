//! Is this file what it should be: marks in plain code, no network, no model (CS5).
//!
//! So far the checks before any format rule (T1 to T14 of the agent-file rules): soft 404s, empty
//! answers, wrong encodings. Format rules for each location come later. Never changes a byte.
//!
//! Judged elsewhere, because a body alone does not show it: T1 the status, T12 challenges.

mod body;
mod kind;
mod mark;
mod marks;
mod media;
mod visit;

pub use mark::Mark;
pub use marks::{Presence, marks, presence};
pub use visit::{catch_all, redirected_home};
