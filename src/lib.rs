//! Lamplighter's engine: a polite crawler that keeps its published promises and can prove it.
//!
//! This library knows no terminal; the console and the command line stand in `ui/`.
//! The rooms stand on three floors, and nothing on a lower floor names a higher one.
//!
//! Ground floor, pure, no I/O: [`policy`] what a crawler promises, [`hosts`] names and sites,
//! [`robots`] verdicts with evidence, [`validate`] whether a file is what it should be,
//! [`history`] what changed between two versions of a file.
//!
//! First floor, effects, each in one room only: [`fetch`] alone opens sockets,
//! [`store`] alone knows SQL, [`suppress`] alone reads the list of names never to be asked.
//!
//! Second floor, what the program is for: [`crawl`] the engine, [`audit`] promises against the log.
//!
//! Beside the house: [`miniweb`], a loopback web with scripted faults for demo, tests and benches, and
//! [`failpoint`], named points at which a crash test may kill the process;
//! [`remedy`], what to do about the system's errors.

pub mod audit;
pub mod crawl;
pub mod failpoint;
pub mod fetch;
pub mod history;
pub mod hosts;
pub mod miniweb;
pub mod policy;
pub mod remedy;
pub mod robots;
pub mod store;
pub mod suppress;
pub mod validate;
