//! The only room that knows SQL: one SQLite file a policy, one writer thread, many readers.
//!
//! What is committed here survives `kill -9` and power loss (WAL, `synchronous=FULL`). This room
//! never decides what may be asked and never touches the network or the suppression list.

mod blobs;
mod control;
mod copy;
mod error;
mod import;
mod open;
mod reader;
mod record;
mod schema;
mod writer;

pub use control::{Control, Desk, Hold, Wish};
pub use copy::CheckReport;
pub use error::StoreError;
pub use import::{ImportReport, Source};
pub use open::{EngineLock, Store};
pub use reader::Reader;
pub use record::*;
pub use writer::Writer;
