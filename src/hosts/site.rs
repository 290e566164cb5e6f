//! The site of a host: its registrable domain (Public Suffix List, private part included).

use std::fmt;
use std::sync::Arc;

use super::Host;

/// A registrable domain; pace, the 429/503 stop and suppression of a domain are per site (PC1, PC2, PC4).
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site(Arc<str>);

impl Site {
    /// The site a host belongs to. A host that is itself an address is its own site.
    pub fn of(host: &Host) -> Site {
        let _ = host;
        unimplemented!()
    }

    /// The domain as text.
    pub fn as_str(&self) -> &str {
        &self.0
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
