//! The only room that knows SQL: one SQLite file a policy, one writer thread, many readers.
//!
//! What is committed here survives `kill -9` and power loss (WAL, `synchronous=FULL`). This room
//! never decides what may be asked and never touches the network or the suppression list.

mod apply;
mod blobs;
mod browse;
mod changes;
mod commit;
mod connection;
mod control;
mod copy;
mod create;
mod disown;
mod error;
mod flight;
mod history;
mod hosts;
mod import;
mod intern;
mod log;
mod open;
mod pack;
mod reader;
mod record;
mod requests;
mod runs;
mod schema;
mod totals;
mod versions;
mod visits;
mod writer;

pub use browse::{HostFacts, HostNames, NewestVisit};
pub use control::{Control, Desk, Hold, Wish};
pub use copy::CheckReport;
pub use error::StoreError;
pub use import::{ImportReport, Source};
pub use open::{EngineLock, Store};
pub use reader::{Interrupter, Reader};
pub use record::*;
pub use versions::Span;
pub use writer::Writer;
