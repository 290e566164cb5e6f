//! One entry of the list.

use std::fmt;

use url::{Position, Url};

use crate::hosts::{Host, NameError, NameRules};

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

    /// Reads one entry. Names come out in their one spelling; a public suffix such as `co.uk` is
    /// refused, for nobody may speak for every site under it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        parse(text).map_err(|reason| EntryError {
            text: text.to_owned(),
            reason,
        })
    }
}

fn parse(text: &str) -> Result<Entry, NameError> {
    if let Some(host) = text.strip_prefix('=') {
        return bare(host).map(Entry::Host);
    }
    if text.contains("://") {
        let host = Host::parse(text, NameRules::Loopback)?;
        let url = Url::parse(text).map_err(|_| NameError::Unreadable)?;
        let path = page_path(&url[Position::BeforePath..Position::AfterQuery]);
        return Ok(Entry::Page(host, path));
    }
    // A domain is every port of it, whichever one was written.
    bare(text).map(|host| Entry::Domain(host.name().to_owned()))
}

/// A host and nothing round it; what a URL parser would drop in silence may have been meant.
fn bare(text: &str) -> Result<Host, NameError> {
    if text.starts_with('#') {
        return Err(NameError::Comment);
    }
    if text.contains(['/', '\\', '?', '#', '@']) {
        return Err(NameError::Unreadable);
    }
    Host::parse(text, NameRules::Loopback)
}

/// Path and query in the spelling in which they are compared: escapes that need not be are undone,
/// the others written in upper case (RFC 3986 section 6.2.2). A page stays suppressed however it is spelt.
pub(super) fn page_path(path: &str) -> String {
    let mut out = String::with_capacity(path.len().max(1));
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('%') {
        out.push_str(before);
        rest = after;
        let code = after.get(..2).filter(|code| is_hex(code));
        let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) else {
            out.push('%');
            continue;
        };
        rest = &after[2..];
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out.push_str(rest);
    if !out.starts_with('/') {
        out.insert(0, '/');
    }
    out
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_hexdigit())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_have_one_spelling() {
        for (text, shown) in [
            ("example.com", "example.com"),
            (" EXAMPLE.com. ", "example.com"),
            ("example.com:8080", "example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("=Docs.Example.com", "=docs.example.com"),
            ("=docs.example.com:8080", "=docs.example.com:8080"),
            (
                "https://example.com/a/../b?q=1#top",
                "https://example.com/b?q=1",
            ),
            ("http://EXAMPLE.com", "https://example.com/"),
            (
                "https://example.com/%7euser/%2fx",
                "https://example.com/~user/%2Fx",
            ),
        ] {
            let entry: Entry = text.parse().unwrap();
            assert_eq!(entry.to_string(), shown, "{text}");
            assert_eq!(shown.parse::<Entry>().unwrap(), entry, "{text} comes back");
        }
    }

    #[test]
    fn what_is_no_entry_says_why() {
        for (text, reason) in [
            ("", NameError::Empty),
            ("co.uk", NameError::PublicSuffix),
            ("=co.uk", NameError::PublicSuffix),
            ("com", NameError::SingleLabel),
            ("*.example.com", NameError::Wildcard),
            ("example.com/path", NameError::Unreadable),
            ("=example.com/path", NameError::Unreadable),
            ("someone@example.com", NameError::Unreadable),
            ("ftp://example.com/", NameError::Scheme),
            ("a b.example", NameError::WhiteSpace),
            ("# example.com", NameError::Comment),
            ("192.0.2.1", NameError::Address),
        ] {
            let error = text.parse::<Entry>().unwrap_err();
            assert_eq!(error.reason, reason, "{text}");
        }
    }
}
