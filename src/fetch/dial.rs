//! Where connections go: the public web through our own resolver and guard, or one loopback address.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;

use reqwest::header::HeaderValue;
use url::{Host, Url};

use super::body::Stop;
use super::challenge::Markers;
use super::head::without_login;
use super::leave::Leave;
use super::resolve::{Dialler, Dials, Names};
use super::{Client, Outcome, Refusal, source, tls};
use crate::failpoint::Failpoints;
use crate::policy::{self, Transfer};

/// Stands for an address in a URL of a loopback run, so that it is dialled like any name.
const LITERAL: &str = "loopback.invalid";

/// Header lines of an answer at most: one with more cannot be read.
const MOST_HEADER_LINES: usize = 1_000;

/// Scheme of every URL of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Loopback runs without TLS.
    Http,
    /// Everything else.
    Https,
}

/// Why no web could be set up.
#[derive(Debug, thiserror::Error)]
pub enum WebError {
    /// The CA file is unusable.
    #[error("{path}: no usable certificate ({problem}); give a PEM file with the server's CA")]
    Ca {
        /// The file.
        path: String,
        /// What is wrong.
        problem: String,
    },
    /// Not a loopback address.
    #[error("{0} is not a loopback address; a loopback run dials 127.0.0.0/8 or [::1] only")]
    NotLoopback(SocketAddr),
    /// The resolver or TLS could not be set up.
    #[error("the network could not be set up: {0}")]
    Setup(String),
    /// ID3: the source address is not published.
    #[error(
        "the source address {0} is not among the published addresses of the policy; add it to ips.json and the policy, or bind another"
    )]
    Source(IpAddr),
    /// ID3: none given although the policy wants one.
    #[error(
        "this policy leaves from published addresses only and none is configured; set identity.addresses in the policy file and give --source ADDRESS"
    )]
    NoSource,
}

/// Shared by all visits of a run: TLS set-up, resolver, guard, source address.
#[derive(Clone)]
pub struct Web {
    shared: Arc<Shared>,
    failpoints: Failpoints,
}

struct Shared {
    names: Names,
    scheme: Scheme,
    tls: rustls::ClientConfig,
    source: Option<IpAddr>,
    agent: HeaderValue,
    transfer: Transfer,
    markers: Markers,
}

impl Web {
    /// The public web: https only, own resolver, every address checked, bound to `source`.
    pub fn public(policy: &policy::Policy, source: Option<IpAddr>) -> Result<Web, WebError> {
        source::check(policy, source)?;
        let names = Names::public(source).map_err(WebError::Setup)?;
        Web::new(policy, names, Scheme::Https, tls::of_the_web()?, source)
    }

    /// A loopback run: every name is dialled at `address`; http, or https with the CA in `ca`.
    pub fn loopback(
        policy: &policy::Policy,
        address: SocketAddr,
        ca: Option<&Path>,
    ) -> Result<Web, WebError> {
        if !address.ip().is_loopback() {
            return Err(WebError::NotLoopback(address));
        }
        let scheme = match ca {
            Some(_) => Scheme::Https,
            None => Scheme::Http,
        };
        let tls = tls::of_one_ca(ca)?;
        Web::new(policy, Names::Loopback(address), scheme, tls, None)
    }

    fn new(
        policy: &policy::Policy,
        names: Names,
        scheme: Scheme,
        tls: rustls::ClientConfig,
        source: Option<IpAddr>,
    ) -> Result<Web, WebError> {
        let agent = HeaderValue::from_str(&policy.identity.user_agent).map_err(|_| {
            WebError::Setup("identity.user_agent of the policy cannot stand in a header".to_owned())
        })?;
        let markers = Markers::shipped()
            .map_err(|error| WebError::Setup(format!("assets/challenges.toml: {error}")))?;
        let web = Web {
            shared: Arc::new(Shared {
                names,
                scheme,
                tls,
                source,
                agent,
                transfer: policy.transfer.clone(),
                markers,
            }),
            failpoints: Failpoints::default(),
        };
        // Whatever stops a client from being built stops the run before its first visit.
        web.build(Arc::default(), &Leave::default())
            .map_err(WebError::Setup)?;
        Ok(web)
    }

    /// The same web with a failpoint armed (crash tests; `body.first`).
    pub fn with_failpoints(mut self, failpoints: Failpoints) -> Web {
        self.failpoints = failpoints;
        self
    }

    /// Scheme of every URL.
    pub fn scheme(&self) -> Scheme {
        self.shared.scheme
    }

    /// The address requests leave from, as recorded with the run; none in a loopback run.
    pub fn source(&self) -> Option<IpAddr> {
        self.shared.source
    }

    /// A client for one visit.
    pub fn client(&self) -> Client {
        let dials = Arc::new(Dials::default());
        let leave = Leave::default();
        let inner = self.build(Arc::clone(&dials), &leave);
        Client::new(self.clone(), inner, dials, leave)
    }

    /// The library's client, with everything off that would act on its own.
    fn build(&self, dials: Arc<Dials>, leave: &Leave) -> Result<reqwest::Client, String> {
        let shared = &self.shared;
        let dialler = Dialler {
            names: shared.names.clone(),
            dials,
        };
        leave
            .guard(reqwest::Client::builder())
            .tls_backend_preconfigured(shared.tls.clone())
            .dns_resolver(dialler)
            .local_address(shared.source)
            .connect_timeout(shared.transfer.connect_timeout)
            .http1_only()
            .pool_max_idle_per_host(1)
            .no_proxy() // ID5
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
            .http1_title_case_headers()
            // One bad line of a head must not make a whole site unreachable.
            .http1_ignore_invalid_headers_in_responses(true)
            .http1_allow_obsolete_multiline_headers_in_responses(true)
            .http1_allow_spaces_after_header_name_in_responses(true)
            .http1_max_headers(MOST_HEADER_LINES)
            .build()
            .map_err(|error| format!("no client could be built: {error}"))
    }

    /// The URL as it is dialled, or why it is not. The Host header is taken from the URL asked.
    pub(crate) fn dialled(&self, url: &Url) -> Result<Url, Stop> {
        let refuse = |detail: String| Stop::new(Outcome::AddressRefused, detail);
        let url = without_login(url.clone()).ok_or_else(|| refuse(format!("{url} has no host")))?;
        match self.shared.names {
            Names::Public(_) => match refusal(&url) {
                Some(refusal) => Err(refuse(refusal.to_string())),
                None => Ok(url),
            },
            Names::Loopback(address) => on_loopback(url, address, self.scheme()).map_err(refuse),
        }
    }

    pub(crate) fn agent(&self) -> &HeaderValue {
        &self.shared.agent
    }

    pub(crate) fn transfer(&self) -> &Transfer {
        &self.shared.transfer
    }

    pub(crate) fn markers(&self) -> &Markers {
        &self.shared.markers
    }

    pub(crate) fn failpoints(&self) -> &Failpoints {
        &self.failpoints
    }
}

/// Why a URL is not asked in a real run.
fn refusal(url: &Url) -> Option<Refusal> {
    if url.scheme() != "https" {
        return Some(Refusal::Scheme(url.scheme().to_owned()));
    }
    if !matches!(url.host(), Some(Host::Domain(_))) {
        return Some(Refusal::Literal(host_header(url)));
    }
    let port = url.port().filter(|port| *port != 443);
    port.map(Refusal::Port)
}

/// A URL of a loopback run, with the port that is dialled.
fn on_loopback(mut url: Url, address: SocketAddr, scheme: Scheme) -> Result<Url, String> {
    let spoken = match scheme {
        Scheme::Http => "http",
        Scheme::Https => "https",
    };
    if url.scheme() != spoken {
        return Err(format!("this loopback run asks {spoken} URLs only"));
    }
    let literal = match url.host() {
        Some(Host::Ipv4(ip)) => Some(IpAddr::V4(ip)),
        Some(Host::Ipv6(ip)) => Some(IpAddr::V6(ip)),
        _ => None,
    };
    if literal.is_some_and(|ip| ip != address.ip()) {
        return Err(Refusal::Literal(host_header(&url)).to_string());
    }
    let no_host = |()| "the URL has no host".to_owned();
    if url.port().is_none() {
        url.set_port(Some(address.port())).map_err(no_host)?;
    }
    // A certificate is checked against the address itself, so there it has to stay.
    if literal.is_some() && scheme == Scheme::Http {
        url.set_host(Some(LITERAL))
            .map_err(|error| error.to_string())?;
    }
    Ok(url)
}

/// Host header of a URL: name or bracketed address, and the port where it is not the default
/// one (RFC 9110 section 7.2).
pub(crate) fn host_header(url: &Url) -> String {
    let name = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{name}:{port}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_real_run_asks_https_names_at_port_443_only() {
        for text in ["https://example.com/", "https://example.com:443/x"] {
            assert_eq!(refusal(&url(text)), None, "{text}");
        }
        let literal = |host: &str| Some(Refusal::Literal(host.to_owned()));
        for (text, expected) in [
            (
                "http://example.com/",
                Some(Refusal::Scheme("http".to_owned())),
            ),
            ("https://example.com:8443/", Some(Refusal::Port(8443))),
            ("https://8.8.8.8/", literal("8.8.8.8")),
            ("https://0x7f.1/", literal("127.0.0.1")),
            ("https://2130706433/", literal("127.0.0.1")),
            ("https://[::1]/", literal("[::1]")),
            ("https://[::ffff:8.8.8.8]/", literal("[::ffff:808:808]")),
        ] {
            assert_eq!(refusal(&url(text)), expected, "{text}");
        }
    }

    #[test]
    fn the_host_header_keeps_its_brackets_and_drops_a_default_port() {
        for (text, host) in [
            ("http://[::1]/", "[::1]"),
            ("http://[::1]:80/", "[::1]"),
            ("http://[::1]:8080/", "[::1]:8080"),
            ("https://[::1]:443/", "[::1]"),
            ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
            ("https://example.com/", "example.com"),
            ("http://example.test:443/", "example.test:443"),
        ] {
            assert_eq!(host_header(&url(text)), host);
        }
    }

    #[test]
    fn a_loopback_run_dials_its_own_address_only() {
        let address: SocketAddr = "[::1]:4000".parse().unwrap();
        let on = |text: &str| on_loopback(url(text), address, Scheme::Http).map(|u| u.to_string());
        let ok = |text: &str| Ok(text.to_owned());
        assert_eq!(on("http://a.test/x"), ok("http://a.test:4000/x"));
        assert_eq!(on("http://a.test:81/x"), ok("http://a.test:81/x"));
        assert_eq!(on("http://[::1]/x"), ok("http://loopback.invalid:4000/x"));
        assert_eq!(
            on("http://[::1]:4000/"),
            ok("http://loopback.invalid:4000/")
        );
        for text in [
            "http://127.0.0.1/",
            "http://8.8.8.8/",
            "https://a.test/",
            "ftp://a.test/",
        ] {
            assert!(on(text).is_err(), "{text}");
        }
    }
}
