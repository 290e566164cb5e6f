//! Starting, steering and ending a run.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::{Clock, Command, Event, Update};
use crate::fetch::Web;
use crate::policy::Policy;
use crate::store::{Store, StoreError};
use crate::suppress::{SuppressError, SuppressFile};

/// What a run needs.
pub struct Settings {
    /// Effective policy, overrides applied.
    pub policy: Policy,
    /// Loopback run: labelled so everywhere.
    pub loopback: bool,
    /// Sites in flight at most.
    pub in_flight: usize,
    /// The store.
    pub store: Store,
    /// The suppression list.
    pub suppress: SuppressFile,
    /// Where connections go.
    pub web: Web,
    /// Time.
    pub clock: Clock,
    /// Armed in crash tests only.
    pub failpoints: crate::failpoint::Failpoints,
    /// Where events go; full means dropped and counted. None if nobody wants them.
    pub events: Option<mpsc::Sender<Event>>,
}

/// Why a run could not start or had to end. Nothing committed is lost.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The suppression list.
    #[error(transparent)]
    Suppress(#[from] SuppressError),
    /// Plan kind this version cannot run.
    #[error(
        "the policy {policy} has a plan of kind {kind}, which this version cannot run yet; it runs plans of kind files"
    )]
    Plan {
        /// Policy.
        policy: String,
        /// Kind.
        kind: String,
    },
    /// A task of the engine died.
    #[error("the engine stopped because of a fault of its own ({0}); run again to resume")]
    Fault(String),
}

/// How a run ended.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The last event.
    pub finished: Event,
    /// Whether everything due was done.
    pub complete: bool,
}

/// Steers a running engine; cheap to clone.
#[derive(Clone)]
pub struct Handle {}

impl Handle {
    /// Asks for something and returns when it is reached.
    pub async fn command(&self, command: Command) -> Result<(), CrawlError> {
        let _ = command;
        unimplemented!()
    }

    /// Takes what changed since the last call; never waits for the engine, nor it for us.
    pub fn take_update(&self) -> Update {
        unimplemented!()
    }

    /// Resolves when there is something new to take (at most every 50 ms).
    pub async fn changed(&self) {
        unimplemented!()
    }
}

/// A running engine.
pub struct Engine {
    handle: Handle,
}

impl Engine {
    /// Starts (or resumes) the run of the present period. Must be called inside a tokio runtime.
    pub async fn start(settings: Settings) -> Result<Engine, CrawlError> {
        let _ = Arc::new(settings);
        unimplemented!()
    }

    /// A handle.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Waits for the end of the run.
    pub async fn finished(self) -> Result<Summary, CrawlError> {
        unimplemented!()
    }
}
