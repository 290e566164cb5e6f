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
#[error("\"{text}\" cannot be suppressed: {reason}; {}", forms(meant.as_deref()))]
pub struct EntryError {
    /// What was written.
    pub text: String,
    /// Why.
    pub reason: NameError,
    /// The name that may have been meant.
    pub meant: Option<String>,
}

/// What can be written.
fn forms(meant: Option<&str>) -> String {
    match meant {
        Some(name) => format!(
            "write {name} (with all names below it), ={name} (that host alone), or https://{name}/ \
             with a path (one page)"
        ),
        None => "write example.com, =host.example.com or https://host/path".to_owned(),
    }
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
            meant: meant(text),
        })
    }
}

fn parse(text: &str) -> Result<Entry, NameError> {
    if let Some(host) = text.strip_prefix('=') {
        return bare(host).map(Entry::Host);
    }
    if text.contains("://") {
        let host = Host::parse(text, NameRules::Loopback)?;
        if !has_path(text) {
            return Err(NameError::NoPath);
        }
        let url = Url::parse(text).map_err(|_| NameError::Unreadable)?;
        let path = page_path(&url[Position::BeforePath..Position::AfterQuery]);
        return Ok(Entry::Page(host, path));
    }
    // A domain is every port of it, whichever one was written.
    bare(text).map(|host| Entry::Domain(host.name().to_owned()))
}

/// Whether a URL was written with a path, if only a slash; a parser would add one in silence.
fn has_path(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.contains(['/', '\\', '?'])
}

/// The host that a text which is no entry may be about.
fn meant(text: &str) -> Option<String> {
    let around = |c: char| c.is_whitespace() || "\"'`<>()=,;".contains(c);
    let text = text.trim_matches(around);
    let rest = text.split_once("://").map_or(text, |(_, rest)| rest);
    let authority = rest
        .trim_start_matches('/')
        .split(['/', '\\', '?', '#'])
        .next()?;
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host)
        .trim_start_matches("*.")
        .trim_matches('.');
    let host = Host::parse(host, NameRules::Loopback).ok()?;
    Some(host.name().to_owned())
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

impl Entry {
    /// What whoever wrote `written` may not expect of the entry it was read as; nothing if it can
    /// hardly be misunderstood.
    pub fn remarks(&self, written: &str) -> Vec<String> {
        let written = written.trim();
        let mut remarks = Vec::new();
        if written != self.to_string() {
            remarks.push(format!("\"{written}\" is read as {self}"));
        }
        let whole = |host: &Host| {
            let site = host.site();
            format!("={host} is the whole host, {site} its domain with all names below it")
        };
        match self {
            Entry::Domain(name) => {
                let host = Host::parse(name, NameRules::Loopback).ok();
                if let Some(site) = host.map(|host| host.site())
                    && site.as_str() != name
                {
                    remarks.push(format!(
                        "{site} itself and its other names are not part of it; write {site} for all of them"
                    ));
                }
            }
            Entry::Host(_) => {}
            Entry::Page(host, _) => remarks.push(format!(
                "this is one page alone, not what lies below it: {}",
                whole(host)
            )),
        }
        remarks
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
            ("http://EXAMPLE.com/", "https://example.com/"),
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
            ("https://example.com", NameError::NoPath),
            ("http://EXAMPLE.com.", NameError::NoPath),
            ("https://example.com#top", NameError::NoPath),
        ] {
            let error = text.parse::<Entry>().unwrap_err();
            assert_eq!(error.reason, reason, "{text}");
        }
    }

    #[test]
    fn what_is_nearly_an_entry_says_what_to_write() {
        for text in [
            "https://example.com",
            "http://example.com",
            "https://someone@example.com:8080",
            "//example.com/",
            "ftp://example.com/x",
            "example.com/",
            "example.com/path",
            "=example.com/",
            "*.example.com",
            "=*.example.com",
            ".example.com",
            "example.com..",
            "someone@example.com",
            "mailto:someone@example.com",
            "\"example.com/\"",
            "<https://example.com>",
            "*.EXAMPLE.com,",
        ] {
            let error = text.parse::<Entry>().unwrap_err().to_string();
            for form in [
                "example.com (with",
                "=example.com (that",
                "https://example.com/ with",
            ] {
                assert!(error.contains(form), "{text}: {error}");
            }
        }
        let error = "*.Bücher.example".parse::<Entry>().unwrap_err();
        assert_eq!(error.meant.unwrap(), "xn--bcher-kva.example");
    }

    #[test]
    fn what_may_be_misunderstood_is_remarked() {
        for (text, words) in [
            ("example.com", &[][..]),
            (" example.com ", &[]),
            ("=docs.example.com", &[]),
            ("Example.COM.", &["read as example.com"]),
            ("example.com:8080", &["read as example.com"]),
            ("bücher.de", &["read as xn--bcher-kva.de"]),
            ("www.example.com", &["write example.com for all"]),
            (
                "https://docs.example.com/",
                &[
                    "one page alone",
                    "=docs.example.com",
                    "example.com its domain",
                ],
            ),
            (
                "http://example.com/",
                &["read as https://example.com/", "one page alone"],
            ),
            ("https://example.com/a/", &["not what lies below"]),
        ] {
            let remarks = text.parse::<Entry>().unwrap().remarks(text);
            assert_eq!(remarks.is_empty(), words.is_empty(), "{text}: {remarks:?}");
            for word in words {
                let said = remarks.join("; ");
                assert!(said.contains(word), "{text}: {said}");
            }
        }
    }
}
