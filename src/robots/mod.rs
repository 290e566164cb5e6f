//! robots.txt: bytes to a verdict with its evidence (RFC 9309, RB1 to RB11).
//!
//! Our own reader decides and explains; `texting_robots` gives a second opinion on those rules of
//! the group that could match the path, rewritten in canonical form. Both must allow. This room is
//! pure: it never fetches a file, never waits, and its line numbers refer to the bytes given to it.

mod access;
mod agents;
mod canonical;
mod delay;
mod explain;
mod file;
mod gap;
mod groups;
mod invisible;
mod line;
mod look;
mod notes;
mod pattern;
mod rules;
mod second;
mod signals;
mod text;
mod track;
mod usage;

pub use access::{Access, Answer, Closed, Decision, NextTry, access};
pub use explain::{Evidence, GroupKind, Reading, SecondOpinion, Signals, Verdict};
pub use file::{Delay, RobotsFile};
pub use gap::{Gap, GapReason, gap};
