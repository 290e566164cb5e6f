//! One visit's client: one connection at a time, dropped with the visit.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING, HOST, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE,
    IF_NONE_MATCH, USER_AGENT,
};
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until};
use url::Url;

use super::body::Stop;
use super::deadline::Deadlines;
use super::dial::host_header;
use super::leave::{Leave, Revoked};
use super::read::Reading;
use super::resolve::Dials;
use super::{Answer, Outcome, Permit, Validators, Web, failure};
use crate::policy::Method;

/// How long the pool may take to have its connection back; asked sooner it would open another (PC1).
const SETTLE: Duration = Duration::from_millis(5);
/// Turns it needs for that. Time alone is not enough: whoever read a giant answer without a pause has
/// let the time pass and nobody else run.
const TURNS: usize = 4;

/// What one request may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Decoded bytes of a 2xx but 204, 205 and 206; also wire bytes.
    pub max_bytes: u64,
    /// If true, such an answer over the cap yields its first `max_bytes + 1` decoded bytes (robots.txt prefix
    /// reading, RB8); if false it yields nothing (TR3).
    pub keep_prefix: bool,
}

/// One request. Headers are fixed by the client; nothing else can be added.
#[derive(Clone, Debug)]
pub struct Request {
    /// GET or HEAD.
    pub method: Method,
    /// The URL; its host must be the permit's.
    pub url: Url,
    /// Validators held (TR1).
    pub validators: Option<Validators>,
    /// Caps.
    pub limits: Limits,
}

/// A client for one visit (PC1): dropped with it, and its connection with it.
pub struct Client {
    web: Web,
    inner: Result<reqwest::Client, String>,
    dials: Arc<Dials>,
    /// The permit of the request under way.
    leave: Leave,
    /// Connections opened so far.
    connections: u32,
    /// When the last answer ended.
    ended: Option<Instant>,
    /// Whether the last request never left.
    withdrawn: bool,
}

/// One request as the library takes it.
struct Prepared {
    /// What the library sends.
    request: reqwest::Request,
    /// Port of the URL dialled, where it names one.
    port: Option<u16>,
    conditional: bool,
}

impl Client {
    pub(crate) fn new(
        web: Web,
        inner: Result<reqwest::Client, String>,
        dials: Arc<Dials>,
        leave: Leave,
    ) -> Client {
        Client {
            web,
            inner,
            dials,
            leave,
            connections: 0,
            ended: None,
            withdrawn: false,
        }
    }

    /// Sends one request and reads its whole answer. Never fails: a failure is an outcome.
    pub async fn send(&mut self, permit: Permit, request: Request) -> Answer {
        let mut answer = Answer::blank();
        let prepared = match self.prepare(&permit, &request) {
            Ok(prepared) => prepared,
            Err(stop) => {
                answer.end(stop);
                return answer;
            }
        };
        if let Some(ended) = self.ended {
            sleep_until(ended + SETTLE).await;
            for _ in 0..TURNS {
                yield_now().await;
            }
        }
        self.leave.take(&permit);
        let clock = Deadlines::start(self.web.transfer());
        let before = self.dials.so_far().count;
        let head = self.head(&prepared.request, &clock).await;
        let dialled = self.dials.so_far().count > before;
        self.withdrawn = match head {
            Ok(response) => {
                answer.connection = self.connection(dialled);
                answer.remote = response.remote_addr();
                let reading = Reading {
                    web: &self.web,
                    request: &request,
                    conditional: prepared.conditional,
                    clock: &clock,
                };
                reading.read(response, &mut answer).await;
                false
            }
            Err(stop) => {
                self.no_head(&mut answer, stop, dialled, prepared.port);
                answer.outcome == Outcome::Withdrawn
            }
        };
        self.ended = Some(Instant::now());
        answer
    }

    /// Checks the URL against permit and guard, and fixes the head.
    fn prepare(&self, permit: &Permit, request: &Request) -> Result<Prepared, Stop> {
        let host = host_header(&request.url);
        if host != permit.host().as_str() {
            let detail = format!("leave is for {}, the URL is at {host}", permit.host());
            return Err(Stop::new(Outcome::Withdrawn, detail));
        }
        let url = self.web.dialled(&request.url)?;
        let host = HeaderValue::from_str(&host)
            .map_err(|_| Stop::new(Outcome::Withdrawn, "the host cannot stand in a header"))?;
        let method = match request.method {
            Method::Get => reqwest::Method::GET,
            Method::Head => reqwest::Method::HEAD,
        };
        let port = url.port();
        let mut prepared = reqwest::Request::new(method, url);
        let headers = prepared.headers_mut();
        headers.insert(HOST, host);
        headers.insert(USER_AGENT, self.web.agent().clone()); // ID1
        headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip, br")); // TR2
        let conditional = request
            .validators
            .as_ref()
            .is_some_and(|held| add_validators(headers, held));
        Ok(Prepared {
            request: prepared,
            port,
            conditional,
        })
    }

    /// Sends and waits for a head; a name with several addresses gets them tried in turn, for as
    /// long as none of them connects and so nothing was sent.
    async fn head(
        &self,
        request: &reqwest::Request,
        clock: &Deadlines,
    ) -> Result<reqwest::Response, Stop> {
        let client = self
            .inner
            .as_ref()
            .map_err(|problem| Stop::new(Outcome::Withdrawn, problem.clone()))?;
        self.dials.first_address();
        loop {
            if self.leave.is_revoked() {
                return Err(Stop::new(Outcome::Withdrawn, Revoked.to_string()));
            }
            let copy = request
                .try_clone()
                .ok_or_else(|| Stop::new(Outcome::Withdrawn, "the request could not be built"))?;
            let sent = clock
                .first_byte(client.execute(copy), &self.dials.began)
                .await;
            let stop = match sent {
                Ok(Ok(response)) => return Ok(response),
                Ok(Err(error)) => failure::before_head(&error),
                Err(stop) => stop,
            };
            if stop.outcome != Outcome::Connect || !self.dials.next_address() {
                return Err(stop);
            }
        }
    }

    /// The number of the connection used.
    fn connection(&mut self, dialled: bool) -> u32 {
        if dialled || self.connections == 0 {
            self.connections += 1;
        }
        self.connections
    }

    /// What a request without an answer leaves behind.
    fn no_head(&mut self, answer: &mut Answer, mut stop: Stop, dialled: bool, port: Option<u16>) {
        // A host that closes every connection at once is not asked again and again.
        let closed_at_once = stop.outcome == Outcome::Withdrawn && !self.leave.is_revoked();
        if closed_at_once && self.withdrawn && dialled {
            stop.outcome = Outcome::Reset;
        }
        let address = self.dials.so_far().address;
        let nobody = matches!(stop.outcome, Outcome::Dns | Outcome::AddressRefused);
        if let Some(address) = address.filter(|_| !nobody) {
            let port = port.unwrap_or(address.port());
            answer.remote = Some(SocketAddr::new(address.ip(), port));
            if stop.outcome != Outcome::Connect {
                answer.connection = self.connection(dialled);
            }
        }
        answer.end(stop);
    }
}

/// Adds what is held (TR1); whether anything was added.
fn add_validators(headers: &mut HeaderMap, held: &Validators) -> bool {
    let mut add = |name: HeaderName, value: &Option<String>| {
        let value = value.as_deref().map(str::as_bytes);
        let value = value.and_then(|bytes| HeaderValue::from_bytes(bytes).ok());
        value.is_some_and(|value| headers.insert(name, value).is_none())
    };
    let etag = add(IF_NONE_MATCH, &held.etag);
    let modified = add(IF_MODIFIED_SINCE, &held.last_modified);
    etag || modified
}
