//! The rows, as the rest of the house sees them.

mod browse;
mod change;
mod history;
mod request;
mod run;
mod visit;

pub use browse::*;
pub use change::*;
pub use history::*;
pub use request::*;
pub use run::*;
pub use visit::*;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub i64);
    };
}
id!(/** A host in this store; given in site order at import. */ HostId);
id!(/** A site in this store. */ SiteId);
id!(/** A run. */ RunId);
id!(/** One process of a run, from its start to its end or death. */ ProcessId);
id!(/** One fetch of a robots.txt. */ RobotsId);
