//! One host name, normalised (WHATWG URL, UTS-46 non-transitional, RFC 1035 lengths).

use std::fmt;
use std::sync::Arc;

use super::Site;

/// Which names are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRules {
    /// Public names only: no ports, no addresses, no special-use names.
    Public,
    /// Loopback runs: `.test`, `.example`, explicit ports and loopback addresses are names too.
    Loopback,
}

/// An exact host: ASCII lower case, no trailing dot, brackets round an IPv6 literal, and the port
/// where it is not the default one (loopback runs only). Robots, history and HTTP state are per host.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host {
    text: Arc<str>,
    name_len: usize,
}

/// Why a text is not a host we may visit: one sentence each, saying what was wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing there.
    #[error("the entry is empty")]
    Empty,
    // The room adds one variant for each reason of the normaliser.
}

impl Host {
    /// Normalises a name, URL or list entry to a host.
    pub fn parse(text: &str, rules: NameRules) -> Result<Host, NameError> {
        let _ = (text, rules);
        unimplemented!()
    }

    /// The name without port: `docs.example.com`, `[::1]`.
    pub fn name(&self) -> &str {
        &self.text[..self.name_len]
    }

    /// Port, where it is not the scheme's default.
    pub fn port(&self) -> Option<u16> {
        self.text.get(self.name_len + 1..)?.parse().ok()
    }

    /// Name and port as in a Host header: `docs.example.com`, `[::1]:8080`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The site: registrable domain by the Public Suffix List, private part included.
    pub fn site(&self) -> Site {
        Site::of(self)
    }
}

impl fmt::Display for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Host({})", self.text)
    }
}
