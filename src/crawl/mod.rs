//! The engine: it walks the round, one site at a time each, slowly, and keeps the promises.
//!
//! The [`Engine`] opens a round; the frontier draws sites with hosts due; a walk takes one site's
//! hosts in turn; a turn asks what its visit (pure) says comes next, through the one way there is to
//! ask. Pace and gate stand before every request; control changes the gate; the board shows.
//! It never draws, never prints and never waits for a screen. All time comes from [`Clock`].

mod ask;
mod board;
mod clock;
mod control;
mod engine;
mod event;
mod frontier;
mod gate;
mod pace;
mod plan;
mod round;
mod turn;
mod update;
mod visit;
mod walk;

pub use clock::Clock;
pub use engine::{CrawlError, Engine, Handle, Settings, Summary};
pub use event::Event;
pub use update::{Command, HostState, Lamp, LogLine, RunState, Update, VisitRow};
