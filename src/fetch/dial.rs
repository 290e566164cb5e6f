//! Where connections go: the public web through our own resolver and guard, or one loopback address.

use std::net::{IpAddr, SocketAddr};
use std::path::Path;

use super::Client;
use crate::policy;

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
pub struct Web {}

impl Web {
    /// The public web: https only, own resolver, every address checked, bound to `source`.
    pub fn public(policy: &policy::Policy, source: Option<IpAddr>) -> Result<Web, WebError> {
        let _ = (policy, source);
        unimplemented!()
    }

    /// A loopback run: every name is dialled at `address`; http, or https with the CA in `ca`.
    pub fn loopback(
        policy: &policy::Policy,
        address: SocketAddr,
        ca: Option<&Path>,
    ) -> Result<Web, WebError> {
        let _ = (policy, address, ca);
        unimplemented!()
    }

    /// The same web with a failpoint armed (crash tests; `body.first`).
    pub fn with_failpoints(self, failpoints: crate::failpoint::Failpoints) -> Web {
        let _ = failpoints;
        self
    }

    /// Scheme of every URL.
    pub fn scheme(&self) -> Scheme {
        unimplemented!()
    }

    /// The address requests leave from, as recorded with the run.
    pub fn source(&self) -> Option<IpAddr> {
        unimplemented!()
    }

    /// A client for one visit.
    pub fn client(&self) -> Client {
        unimplemented!()
    }
}
