//! One host name, normalised (WHATWG URL, UTS-46 non-transitional, RFC 1035 lengths).

use std::fmt;
use std::sync::Arc;

use super::normalise::{self, Normal};
use super::{NameError, Site};

/// Which names are accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRules {
    /// Public names only: no ports, no addresses, no special-use names.
    Public,
    /// Loopback runs: `.test`, `.example`, explicit ports and the literals `127.0.0.1` and `[::1]`
    /// are names too.
    Loopback,
}

/// An exact host: ASCII lower case, no trailing dot, brackets round an IPv6 literal, and the port
/// where it is not the default one (loopback runs only). Robots, history and HTTP state are per host.
///
/// Text without a scheme counts as https, so `a.test:80` keeps its port and `a.test:443` loses it.
/// That makes `parse(host.as_str())` give the same host back.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Host {
    text: Arc<str>,
    name_len: usize,
}

impl Host {
    /// Normalises a name or URL to a host. Userinfo, path, query and fragment are dropped.
    pub fn parse(text: &str, rules: NameRules) -> Result<Host, NameError> {
        let Normal { name, port } = normalise::normalise(text, rules)?;
        let name_len = name.len();
        let text = match port {
            Some(port) => format!("{name}:{port}"),
            None => name,
        };
        Ok(Host {
            text: Arc::from(text),
            name_len,
        })
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
