//! One object for everything that happens, for scripts (`--json`).

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde::Serialize;
use tokio::sync::mpsc;

/// One event. Times are RFC 3339 UTC with milliseconds.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run began or was resumed.
    RunStarted {
        /// Period label.
        run: String,
        /// Policy name.
        policy: String,
        /// Loopback run.
        loopback: bool,
        /// What the policy in force promises less than the built-in crawler in whose name it speaks.
        weakened: Vec<String>,
        /// It had begun before.
        resumed: bool,
        /// Hosts due.
        due: u64,
        /// Visits of this run that had ended before.
        done: u64,
        /// When.
        at: String,
    },
    /// A request ended.
    Request {
        /// Sent at.
        sent_at: String,
        /// Host.
        host: String,
        /// Method.
        method: &'static str,
        /// URL.
        url: String,
        /// Status.
        status: Option<u16>,
        /// Outcome word.
        outcome: &'static str,
        /// Wire bytes.
        wire_bytes: u64,
        /// Decoded bytes.
        body_bytes: u64,
        /// Digest.
        sha256: Option<String>,
        /// Milliseconds.
        duration_ms: i64,
        /// Whether validators were sent.
        conditional: bool,
        /// How history changed, as a word.
        change: &'static str,
    },
    /// A visit ended.
    VisitEnded {
        /// Host.
        host: String,
        /// Outcome word.
        outcome: String,
        /// When.
        at: String,
    },
    /// The two robots readers differ; the path is denied.
    ReadersDisagree {
        /// Host.
        host: String,
        /// Path.
        path: String,
    },
    /// The state of the run changed.
    State {
        /// Word: running, pausing, paused, stopping.
        state: &'static str,
        /// Why.
        why: Option<String>,
        /// When.
        at: String,
    },
    /// Events that were dropped because nobody read them.
    Dropped {
        /// How many.
        events: u64,
    },
    /// The last event.
    RunFinished {
        /// Period label.
        run: String,
        /// Visits by outcome.
        hosts: BTreeMap<String, u64>,
        /// Requests.
        requests: u64,
        /// By status.
        statuses: BTreeMap<u16, u64>,
        /// Locations denied.
        denied: u64,
        /// New versions.
        versions_new: u64,
        /// Seconds this process worked.
        seconds: f64,
        /// Whether everything due was done; false after a stop.
        complete: bool,
    },
}

/// RFC 3339, UTC, milliseconds.
pub(crate) fn instant(at: jiff::Timestamp) -> String {
    format!("{at:.3}")
}

/// How long the last event waits for a reader that is late.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where events go. Full means dropped and counted; the count is told before the next event.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventSink {
    sender: Option<mpsc::Sender<Event>>,
    dropped: Arc<AtomicU64>,
}

impl EventSink {
    /// A sink to a channel, or to nowhere.
    pub(crate) fn new(sender: Option<mpsc::Sender<Event>>) -> EventSink {
        EventSink {
            sender,
            dropped: Arc::default(),
        }
    }

    /// Sends one event without waiting; it is built only if somebody wants it.
    pub(crate) fn send(&self, event: impl FnOnce() -> Event) {
        let Some(sender) = &self.sender else { return };
        let dropped = self.dropped.swap(0, Ordering::Relaxed);
        if dropped > 0 && sender.try_send(Event::Dropped { events: dropped }).is_err() {
            self.dropped.fetch_add(dropped + 1, Ordering::Relaxed);
            return;
        }
        if sender.try_send(event()).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Sends the last event; waits for room, since a script counts on it.
    pub(crate) async fn finish(&self, event: Event) {
        if let Some(sender) = &self.sender {
            let dropped = self.dropped.swap(0, Ordering::Relaxed);
            if dropped > 0 {
                // A reader that has gone away is no fault of the run.
                let _ = sender
                    .send_timeout(Event::Dropped { events: dropped }, PATIENCE)
                    .await;
            }
            let _ = sender.send_timeout(event, PATIENCE).await;
        }
    }
}
