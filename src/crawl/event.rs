//! One object for everything that happens, for scripts (`--json`).

use std::collections::BTreeMap;

use serde::Serialize;

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
        /// It had begun before.
        resumed: bool,
        /// Hosts due.
        due: u64,
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
        /// Digest of the robots.txt.
        sha256: String,
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
