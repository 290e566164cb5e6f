//! Promises against the log: every "log" row of the ledger, checked in this room's own code.
//!
//! It reads the stored log and nothing else; it never asks the engine's own checks again. It streams
//! in (site, time) order with bounded memory, so that "this site's gaps" is one pass.

mod checks;
mod ledger;

pub use checks::{Breach, Finding, audit};
pub use ledger::{AuditKind, LedgerError, Promise, ledger};
