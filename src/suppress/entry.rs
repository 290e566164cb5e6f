//! One entry of the list.

use std::fmt;

use crate::hosts::{Host, NameError};

/// What is suppressed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entry {
    /// A domain and every name below it, on label boundaries, every port.
    Domain(String),
    /// One host alone.
    Host(Host),
    /// One page: host and path with query; every scheme.
    Page(Host, String),
}

/// A text that is no entry.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{text}\" cannot be suppressed: {reason}; write example.com, =host.example.com or https://host/path"
)]
pub struct EntryError {
    /// What was written.
    pub text: String,
    /// Why.
    pub reason: NameError,
}

impl std::str::FromStr for Entry {
    type Err = EntryError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let _ = text;
        unimplemented!()
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entry::Domain(name) => out.write_str(name),
            Entry::Host(host) => write!(out, "={host}"),
            Entry::Page(host, path) => write!(out, "https://{host}{path}"),
        }
    }
}
