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

    /// A host as it was stored: text that [`Host::as_str`] gave, taken as it is. None if it can be no
    /// such text, which is damage. Only the store calls this.
    pub(crate) fn from_stored(text: &str) -> Option<Host> {
        let is_known = |byte: u8| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.[]:".contains(&byte)
        };
        if text.is_empty() || !text.bytes().all(is_known) {
            return None;
        }
        // A port stands behind the last bracket of an address.
        let from = text.find(']').unwrap_or(0);
        let name_len = text[from..].find(':').map_or(text.len(), |at| from + at);
        let host = Host {
            text: Arc::from(text),
            name_len,
        };
        let whole = name_len > 0 && (name_len == text.len() || host.port().is_some());
        whole.then_some(host)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_stored_comes_back_as_it_was() {
        for text in [
            "docs.example.com",
            "xn--bcher-kva.example",
            "docs.alder.test:8080",
            "127.0.0.1:8080",
            "127.0.0.1",
            "[::1]",
            "[::1]:8080",
        ] {
            let host = Host::parse(text, NameRules::Loopback).unwrap();
            let stored = Host::from_stored(host.as_str()).unwrap();
            assert_eq!(stored, host);
            assert_eq!((stored.name(), stored.port()), (host.name(), host.port()));
        }
        for text in [
            "",
            ":80",
            "a.test:",
            "a.test:x",
            "a.test:99999",
            "A.test",
            "a\u{0}b",
            "a b",
        ] {
            assert_eq!(Host::from_stored(text), None, "{text:?}");
        }
    }
}
