//! What the servers saw: the last requests in memory, manners by host, and the web log.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::request::Request;
use super::weblog::WebLog;

/// Requests kept in memory; older ones are dropped.
const KEPT: usize = 10_000;

/// One request, as the server saw it; also the line of the web log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// When the request head was complete, UTC ms.
    pub at_ms: u64,
    /// When the last byte was written or the client was found gone, UTC ms.
    pub end_ms: u64,
    /// Number of the connection, from 1 in the order they were accepted.
    pub connection: u64,
    /// Host asked, lower case, without port; empty for a request that could not be read.
    pub host: String,
    /// Method.
    pub method: String,
    /// Path and query as sent.
    pub path: String,
    /// Headers as sent, in order.
    pub headers: Vec<(String, String)>,
    /// Status chosen; absent where the script or the client ended it before a head was sent.
    pub status: Option<u16>,
    /// Word of the scripted fault.
    pub fault: Option<Cow<'static, str>>,
    /// Bytes of the answer given to the network, head included.
    pub bytes: u64,
}

/// How a host was treated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manners {
    /// The host.
    pub host: String,
    /// Requests begun.
    pub requests: u64,
    /// Most requests at the same time.
    pub most_at_once: u64,
    /// Shortest time from the end of one answer to the start of the next request, ms; absent before
    /// the second request, 0 where they overlapped.
    pub least_gap_ms: Option<u64>,
}

#[derive(Default)]
struct Track {
    requests: u64,
    open: u64,
    most_at_once: u64,
    last_end: Option<Instant>,
    least_gap_ms: Option<u64>,
}

impl Track {
    fn begin(&mut self, now: Instant) {
        let gap = match self.last_end {
            _ if self.open > 0 => Some(0),
            last_end => last_end.map(|end| ms(now.saturating_duration_since(end))),
        };
        self.least_gap_ms = self.least_gap_ms.into_iter().chain(gap).min();
        self.requests += 1;
        self.open += 1;
        self.most_at_once = self.most_at_once.max(self.open);
    }

    fn end(&mut self, now: Instant) {
        self.open = self.open.saturating_sub(1);
        self.last_end = Some(now);
    }
}

/// Shared by all connections.
pub(super) struct Ledger {
    log: Option<WebLog>,
    recent: Mutex<VecDeque<Arc<Seen>>>,
    hosts: Mutex<BTreeMap<String, Track>>,
    requests: AtomicU64,
    open: AtomicU64,
    most_open: AtomicU64,
}

impl Ledger {
    pub(super) fn new(log: Option<WebLog>) -> Ledger {
        Ledger {
            log,
            recent: Mutex::default(),
            hosts: Mutex::default(),
            requests: AtomicU64::new(0),
            open: AtomicU64::new(0),
            most_open: AtomicU64::new(0),
        }
    }

    /// Counts a connection as open until the guard is dropped.
    pub(super) fn connected(self: &Arc<Ledger>) -> Connected {
        let open = self.open.fetch_add(1, Ordering::Relaxed) + 1;
        self.most_open.fetch_max(open, Ordering::Relaxed);
        Connected(Arc::clone(self))
    }

    /// Opens the record of a request; it is written when the record is dropped.
    pub(super) fn begin(
        self: &Arc<Ledger>,
        request: &Request,
        connection: u64,
        sent: Arc<AtomicU64>,
    ) -> Record {
        let now = Instant::now();
        // A head that could not be read names no host.
        if !request.host.is_empty() {
            let mut hosts = lock(&self.hosts);
            hosts.entry(request.host.clone()).or_default().begin(now);
        }
        Record {
            number: self.requests.fetch_add(1, Ordering::Relaxed) + 1,
            begun: now,
            sent_before: sent.load(Ordering::Relaxed),
            sent,
            ledger: Arc::clone(self),
            seen: Seen {
                at_ms: utc_ms(),
                end_ms: 0,
                connection,
                host: request.host.clone(),
                method: request.method.clone(),
                path: request.target.clone(),
                headers: request.headers.clone(),
                status: None,
                fault: None,
                bytes: 0,
            },
        }
    }

    fn keep(&self, seen: Seen) {
        let seen = Arc::new(seen);
        if let Some(log) = &self.log {
            log.write(Arc::clone(&seen));
        }
        let mut recent = lock(&self.recent);
        if recent.len() == KEPT {
            recent.pop_front();
        }
        recent.push_back(seen);
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        lock(&self.recent)
            .iter()
            .map(|seen| (**seen).clone())
            .collect()
    }

    pub(super) fn manners(&self) -> Vec<Manners> {
        lock(&self.hosts)
            .iter()
            .map(|(host, track)| Manners {
                host: host.clone(),
                requests: track.requests,
                most_at_once: track.most_at_once,
                least_gap_ms: track.least_gap_ms,
            })
            .collect()
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    pub(super) fn most_open(&self) -> u64 {
        self.most_open.load(Ordering::Relaxed)
    }

    pub(super) fn flush(&self) {
        if let Some(log) = &self.log {
            log.flush();
        }
    }
}

/// An open connection.
pub(super) struct Connected(Arc<Ledger>);

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A request under way. Dropping it writes the record, whatever ended the request.
pub(super) struct Record {
    ledger: Arc<Ledger>,
    number: u64,
    begun: Instant,
    sent: Arc<AtomicU64>,
    sent_before: u64,
    seen: Seen,
}

impl Record {
    /// Number of the request among all, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn status(&mut self, status: u16) {
        self.seen.status = Some(status);
    }

    pub(super) fn fault(&mut self, word: Option<&'static str>) {
        self.seen.fault = word.map(Cow::Borrowed);
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        let now = Instant::now();
        if let Some(track) = lock(&self.ledger.hosts).get_mut(&self.seen.host) {
            track.end(now);
        }
        let mut seen = self.seen.clone();
        seen.end_ms = seen.at_ms + ms(now.saturating_duration_since(self.begun));
        seen.bytes = self.sent.load(Ordering::Relaxed) - self.sent_before;
        self.ledger.keep(seen);
    }
}

/// A panic elsewhere leaves counters that are still worth reading.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ms(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn utc_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, ms)
}
