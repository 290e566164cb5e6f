//! The site of a host: its registrable domain (Public Suffix List, private part included).

use std::fmt;
use std::sync::Arc;

use super::Host;

/// A registrable domain; pace, the 429/503 stop and suppression of a domain are per site (PC1, PC2, PC4).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(Arc<str>);

impl Site {
    /// The site a host belongs to. A host that is itself an address is its own site.
    ///
    /// The port plays no part: two ports of one name share a site, so they share its pace.
    pub fn of(host: &Host) -> Site {
        let name = host.name();
        let is_address = name.starts_with('[') || name.parse::<std::net::Ipv4Addr>().is_ok();
        let domain = if is_address {
            None
        } else {
            psl::domain_str(name)
        };
        Site(Arc::from(domain.unwrap_or(name)))
    }

    /// The domain as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the last label is on the Public Suffix List. Where it is not, the list's rule for
    /// unknown names (`*`) drew the site, which a listing may want to say.
    pub fn suffix_known(&self) -> bool {
        psl::suffix(self.0.as_bytes()).is_some_and(|suffix| suffix.is_known())
    }

    /// A site as it was stored; only the store calls this, with text it wrote from a [`Site`].
    pub(crate) fn from_stored(text: &str) -> Site {
        Site(Arc::from(text))
    }
}

impl fmt::Display for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Debug for Site {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Site({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::NameRules;

    #[test]
    fn a_site_is_the_registrable_domain() {
        for (host, site, known) in [
            ("docs.example.com", "example.com", true),
            ("EXAMPLE.CO.UK", "example.co.uk", true),
            ("a.foo.github.io", "foo.github.io", true),
            ("bar.github.io", "bar.github.io", true),
            ("a.b.test.ck", "b.test.ck", true),
            ("www.ck", "www.ck", true),
            ("docs.alder.test:8080", "alder.test", false),
            ("127.0.0.1:8080", "127.0.0.1", false),
            ("[::1]:8080", "[::1]", false),
        ] {
            let found = Host::parse(host, NameRules::Loopback).unwrap().site();
            assert_eq!(found.as_str(), site, "{host}");
            let address = site.starts_with('[') || site.starts_with("127");
            assert!(address || found.suffix_known() == known, "{host}");
        }
    }
}
