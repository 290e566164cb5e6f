//! Text to name and port. The order of the steps matters: each one closes a gap of the one before.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use url::{ParseError, Url};

use super::{NameError, NameRules};

/// Longest name, bytes (RFC 1035 §2.3.4, less the root label).
const MAX_NAME: usize = 253;
/// Longest label, bytes.
const MAX_LABEL: usize = 63;

/// Names that are never public (RFC 6761 and its register).
const SPECIAL_USE: [&str; 11] = [
    "localhost",
    "local",
    "internal",
    "test",
    "example",
    "invalid",
    "onion",
    "alt",
    "home.arpa",
    "in-addr.arpa",
    "ip6.arpa",
];

/// Special-use names that a loopback run may visit.
const LOOPBACK_USE: [&str; 2] = ["test", "example"];

/// A name in its one spelling.
#[derive(Debug)]
pub(super) struct Normal {
    /// Lower-case ASCII; an IPv6 literal in brackets.
    pub(super) name: String,
    /// Port, where it is not the scheme's own.
    pub(super) port: Option<u16>,
}

/// Normalises a name or URL.
pub(super) fn normalise(text: &str, rules: NameRules) -> Result<Normal, NameError> {
    let text = trim(text);
    if text.is_empty() {
        return Err(NameError::Empty);
    }
    if text.starts_with('#') {
        return Err(NameError::Comment);
    }
    // A URL parser would quietly drop a tab or line end and join what stands round it.
    if text.contains(|c: char| c.is_ascii_whitespace() || c.is_ascii_control()) {
        return Err(NameError::WhiteSpace);
    }
    let written = if text.contains("://") {
        text.to_owned()
    } else {
        if text.parse::<IpAddr>().is_ok() && !is_loopback_literal(text, rules) {
            return Err(NameError::Address);
        }
        // Bare `example.com:8080` would parse as a URL of the scheme `example.com`.
        format!("https://{text}")
    };
    let url = Url::parse(&written).map_err(|error| unreadable(error, &written))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(NameError::Scheme);
    }
    let port = explicit_port(&url, rules)?;
    let name = match url.host() {
        None => return Err(NameError::Unreadable),
        Some(url::Host::Ipv4(address)) => literal_v4(address, &written, rules)?,
        Some(url::Host::Ipv6(address)) => literal_v6(address, rules)?,
        Some(url::Host::Domain(domain)) => public_name(domain, rules)?,
    };
    Ok(Normal { name, port })
}

/// Without ASCII white space and byte order mark at either end.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{feff}')
}

fn is_loopback_literal(text: &str, rules: NameRules) -> bool {
    rules == NameRules::Loopback && text == "127.0.0.1"
}

/// The reason behind a URL parser's error.
fn unreadable(error: ParseError, written: &str) -> NameError {
    match error {
        ParseError::InvalidIpv4Address | ParseError::InvalidIpv6Address => NameError::Address,
        ParseError::IdnaError | ParseError::InvalidDomainCharacter => {
            shape_fault(host_text(written)).unwrap_or(NameError::BadName)
        }
        _ => NameError::Unreadable,
    }
}

fn explicit_port(url: &Url, rules: NameRules) -> Result<Option<u16>, NameError> {
    match (url.port(), rules) {
        (None, _) => Ok(None),
        // Written back without a scheme, `http://name:443` would lose its port and be another host.
        (Some(443), NameRules::Loopback) => Err(NameError::Port(443)),
        (Some(port @ 1..), NameRules::Loopback) => Ok(Some(port)),
        (Some(port), _) => Err(NameError::Port(port)),
    }
}

/// The host as it was written, without scheme, userinfo, port and the rest.
fn host_text(written: &str) -> &str {
    let rest = written
        .split_once("://")
        .map_or(written, |(_, rest)| rest)
        .trim_start_matches(['/', '\\']);
    let authority = rest.split(['/', '\\', '?', '#']).next().unwrap_or(rest);
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    host.split(':').next().unwrap_or(host)
}

/// `127.0.0.1` in a loopback run, and only as it is written: `0x7f.1` is a trick, not a name.
fn literal_v4(address: Ipv4Addr, written: &str, rules: NameRules) -> Result<String, NameError> {
    if address == Ipv4Addr::LOCALHOST && is_loopback_literal(host_text(written), rules) {
        return Ok(address.to_string());
    }
    Err(NameError::Address)
}

fn literal_v6(address: Ipv6Addr, rules: NameRules) -> Result<String, NameError> {
    if address == Ipv6Addr::LOCALHOST && rules == NameRules::Loopback {
        return Ok("[::1]".to_owned());
    }
    Err(NameError::Address)
}

/// A name that somebody may hold in public.
fn public_name(domain: &str, rules: NameRules) -> Result<String, NameError> {
    let domain = domain.strip_suffix('.').unwrap_or(domain);
    if let Some(fault) = shape_fault(domain) {
        return Err(fault);
    }
    // Not `domain_to_ascii_strict`: it refuses real names with hyphens in places 3 and 4.
    let name = Uts46::new()
        .to_ascii(
            domain.as_bytes(),
            AsciiDenyList::STD3,
            Hyphens::CheckFirstLast,
            DnsLength::Verify,
        )
        .map_err(|_| NameError::BadName)?
        .into_owned();
    if let Some(suffix) = special_use(&name, rules) {
        return Err(NameError::SpecialUse(suffix));
    }
    if !name.contains('.') {
        return Err(NameError::SingleLabel);
    }
    if psl::domain_str(&name).is_none() {
        return Err(NameError::PublicSuffix);
    }
    Ok(name)
}

/// What is plainly wrong with the spelling of a name, most telling reason first.
fn shape_fault(name: &str) -> Option<NameError> {
    let labels = || name.split('.');
    if name.contains(['{', '}']) {
        Some(NameError::Template)
    } else if name.contains('*') {
        Some(NameError::Wildcard)
    } else if labels().any(str::is_empty) {
        Some(NameError::EmptyLabel)
    } else if name.contains('_') {
        Some(NameError::Underscore)
    } else if labels().any(|label| label.starts_with('-') || label.ends_with('-')) {
        Some(NameError::Hyphen)
    } else if labels().any(|label| label.len() > MAX_LABEL) {
        Some(NameError::LabelTooLong)
    } else if name.len() > MAX_NAME {
        Some(NameError::NameTooLong)
    } else {
        None
    }
}

fn special_use(name: &str, rules: NameRules) -> Option<&'static str> {
    SPECIAL_USE.into_iter().find(|special| {
        let allowed = rules == NameRules::Loopback && LOOPBACK_USE.contains(special);
        !allowed && is_under(name, special)
    })
}

/// Whether `name` is `domain` or below it, on a label boundary.
fn is_under(name: &str, domain: &str) -> bool {
    name.strip_suffix(domain)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use NameRules::{Loopback, Public};

    fn name(text: &str, rules: NameRules) -> Result<String, NameError> {
        normalise(text, rules).map(|normal| match normal.port {
            Some(port) => format!("{}:{port}", normal.name),
            None => normal.name,
        })
    }

    #[test]
    fn one_spelling_for_every_way_to_write_a_name() {
        let long = format!("{}.com", "a".repeat(63));
        for (text, host) in [
            ("example.com", "example.com"),
            ("  example.com \t", "example.com"),
            ("\u{feff}example.com", "example.com"),
            ("HTTP://User:Pw@EXAMPLE.com:80/x", "example.com"),
            ("https://example.com:443/a?b#c", "example.com"),
            ("example.com:443", "example.com"),
            ("example.com/path", "example.com"),
            ("example.com#part", "example.com"),
            ("https://api.x.com/{id}", "api.x.com"),
            ("bücher.de.", "xn--bcher-kva.de"),
            ("XN--BCHER-KVA.de", "xn--bcher-kva.de"),
            ("faß.de", "xn--fa-hia.de"),
            ("ex\u{ad}ample.com", "example.com"),
            ("ｅｘａｍｐｌｅ．ｃｏｍ", "example.com"),
            ("example。com", "example.com"),
            ("ab--cd.com", "ab--cd.com"),
            ("r3---sn-x.googlevideo.com", "r3---sn-x.googlevideo.com"),
            ("1.example.com", "1.example.com"),
            ("notlocal.com", "notlocal.com"),
            ("mytest.de", "mytest.de"),
            (long.as_str(), long.as_str()),
        ] {
            assert_eq!(name(text, Public).as_deref(), Ok(host), "{text}");
        }
    }

    #[test]
    fn each_trap_is_refused_with_its_own_reason() {
        let label = format!("{}.com", "a".repeat(64));
        let whole = format!("{}com", "abcdefghi.".repeat(26));
        for (text, reason) in [
            ("", NameError::Empty),
            (" \u{feff}\r\n", NameError::Empty),
            ("# example.com", NameError::Comment),
            ("a.com b.com", NameError::WhiteSpace),
            ("exam\tple.com", NameError::WhiteSpace),
            ("exam\u{0}ple.com", NameError::WhiteSpace),
            ("ftp://example.com", NameError::Scheme),
            ("file:///etc/hosts", NameError::Scheme),
            ("https://", NameError::Unreadable),
            ("javascript:alert(1)", NameError::Unreadable),
            ("example.com:99999", NameError::Unreadable),
            ("example.com:8080", NameError::Port(8080)),
            ("http://example.com:443", NameError::Port(443)),
            ("example.com:80", NameError::Port(80)),
            ("8.8.8.8", NameError::Address),
            ("8.8.8.8.", NameError::Address),
            ("[::1]", NameError::Address),
            ("::1", NameError::Address),
            ("https://[2001:db8::1]/", NameError::Address),
            ("0x8.8", NameError::Address),
            ("https://0x7f.1/", NameError::Address),
            ("https://2130706433/", NameError::Address),
            ("https://1.2.3/", NameError::Address),
            ("256.1.1.1", NameError::Address),
            ("127.0.0.1", NameError::Address),
            ("a..b", NameError::EmptyLabel),
            ("example.com..", NameError::EmptyLabel),
            (".example.com", NameError::EmptyLabel),
            ("*.example.com", NameError::Wildcard),
            ("{tenant}.example.com", NameError::Template),
            ("{baseUrl}/mcp", NameError::Template),
            ("_dmarc.example.com", NameError::Underscore),
            ("-a.example.com", NameError::Hyphen),
            ("a-.example.com", NameError::Hyphen),
            (label.as_str(), NameError::LabelTooLong),
            (whole.as_str(), NameError::NameTooLong),
            ("xn--zz.de", NameError::BadName),
            ("a,b.com", NameError::BadName),
            ("1,google.com", NameError::BadName),
            ("com", NameError::SingleLabel),
            ("localhost", NameError::SpecialUse("localhost")),
            ("printer.local", NameError::SpecialUse("local")),
            ("a.internal", NameError::SpecialUse("internal")),
            ("a.test", NameError::SpecialUse("test")),
            ("a.example", NameError::SpecialUse("example")),
            ("a.invalid", NameError::SpecialUse("invalid")),
            ("a.onion", NameError::SpecialUse("onion")),
            ("a.alt", NameError::SpecialUse("alt")),
            ("router.home.arpa", NameError::SpecialUse("home.arpa")),
            ("1.in-addr.arpa", NameError::SpecialUse("in-addr.arpa")),
            ("1.ip6.arpa", NameError::SpecialUse("ip6.arpa")),
            ("co.uk", NameError::PublicSuffix),
            ("github.io", NameError::PublicSuffix),
        ] {
            assert_eq!(name(text, Public), Err(reason), "{text:?}");
        }
    }

    #[test]
    fn loopback_runs_know_test_names_ports_and_two_literals() {
        for (text, host) in [
            ("docs.alder.test", "docs.alder.test"),
            ("http://docs.alder.test:8080/x", "docs.alder.test:8080"),
            ("http://a.example:80/", "a.example"),
            ("a.test:80", "a.test:80"),
            ("127.0.0.1", "127.0.0.1"),
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("[::1]", "[::1]"),
            ("http://[::1]:8080/", "[::1]:8080"),
            ("http://[0:0:0:0:0:0:0:1]/", "[::1]"),
        ] {
            assert_eq!(name(text, Loopback).as_deref(), Ok(host), "{text}");
        }
        for (text, reason) in [
            ("localhost", NameError::SpecialUse("localhost")),
            ("a.invalid", NameError::SpecialUse("invalid")),
            ("127.0.0.2", NameError::Address),
            ("8.8.8.8", NameError::Address),
            ("0x7f.1", NameError::Address),
            ("2130706433", NameError::Address),
            ("127.1", NameError::Address),
            ("::1", NameError::Address),
            ("[::2]", NameError::Address),
            ("[::ffff:127.0.0.1]", NameError::Address),
            ("a.test:0", NameError::Port(0)),
            ("http://a.test:443", NameError::Port(443)),
            ("test", NameError::SingleLabel),
            ("co.uk:8080", NameError::PublicSuffix),
        ] {
            assert_eq!(name(text, Loopback), Err(reason), "{text:?}");
        }
    }
}
