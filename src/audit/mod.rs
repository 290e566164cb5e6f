//! Promises against the log: every "log" row of the ledger, checked in this room's own code.
//!
//! It reads the stored log and nothing else; it never asks the engine's own checks again. It streams
//! in (site, time) order with bounded memory, so that "this site's gaps" is one pass. The core,
//! [`Auditor`], takes rows one by one and knows no store; [`audit`] feeds it.

mod asked;
mod auditor;
mod checks;
mod delays;
mod ended;
mod facts;
mod finding;
mod leave;
mod ledger;
mod pace;
mod plan;
mod processes;
mod reading;
mod schedule;
mod session;
mod single;
mod suppressed;
mod told;
mod visit;
mod words;

pub use auditor::Auditor;
pub use checks::audit;
pub use facts::{Evidence, Facts, ProcessFacts};
pub use finding::{Breach, Finding};
pub use ledger::{AuditKind, LedgerError, Promise, Proof, ledger};
