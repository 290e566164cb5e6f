//! Is this file what it should be: marks in plain code, no network, no model (CS5).
//!
//! So far the checks before any format rule (T1 to T14 of the agent-file rules): soft 404s, empty
//! answers, wrong encodings. Format rules for each location come later. Never changes a byte.

mod marks;

pub use marks::{Mark, Presence, marks, presence};
