//! The policy file: everything one crawler promises, as typed data.
//!
//! One TOML file a crawler stands in `assets/policies/`; this room parses it, checks it and
//! applies overrides. It never acts on a value: the rooms that keep a promise read it from here.
//! Values and their ids: the promise ledger (ID, AS, RB, PC, TR, KP, CS, OO).

mod address;
mod check;
mod duration;
mod locate;
mod overrides;
mod parse;
mod period;
mod schedule;
mod types;
mod weaker;

pub use address::{Cidr, CidrError};
pub use duration::{DurationError, format_duration, parse_duration};
pub use overrides::{Override, OverrideError};
pub use parse::{PolicyError, builtin, builtin_names, load};
pub use period::{Period, PeriodKind};
pub use schedule::next_due;
pub use types::*;
pub use weaker::Weakness;
