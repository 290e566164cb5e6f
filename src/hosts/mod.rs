//! Names: what a host is, which site it belongs to, and the lists hosts come from.
//!
//! A [`Host`] is normalised by construction; nothing else in the engine takes a bare name.
//! This room reads text given to it and never resolves or dials anything.

mod list;
mod name;
mod site;

pub use list::{Entry, ListKind, ListReader, Reject};
pub use name::{Host, NameError, NameRules};
pub use site::Site;
