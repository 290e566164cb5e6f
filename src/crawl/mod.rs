//! The engine: it walks the round, one site at a time each, slowly, and keeps the promises.
//!
//! Frontier, pace, visit, plan, control, updates, clock. It never draws, never prints and never
//! waits for a screen. All time comes from [`Clock`].

mod clock;
mod control;
mod engine;
mod event;
mod update;

pub use clock::Clock;
pub use engine::{CrawlError, Engine, Handle, Settings, Summary};
pub use event::Event;
pub use update::{Command, HostState, Lamp, LogLine, RunState, Update, VisitRow};
