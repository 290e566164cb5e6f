//! Names: what a host is, which site it belongs to, and the lists hosts come from.
//!
//! A [`Host`] is normalised by construction; nothing else in the engine takes a bare name.
//! This room reads text given to it and never resolves or dials anything.

mod line;
mod list;
mod name;
mod normalise;
mod reason;
mod site;

pub use list::{Entry, ListKind, ListReader, Reject};
pub use name::{Host, NameRules};
pub use reason::NameError;
pub use site::Site;
