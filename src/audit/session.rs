//! A robots session as evidence: whose file it is, what it was taken for, and a small reader of its
//! Crawl-delay lines. It is this room's own and reads only what is beyond dispute; where the engine
//! recorded a longer delay than is read here, the longer one counts.

use jiff::Timestamp;

use crate::store::{HostId, RobotsSession};

/// What the checks need of a stored session.
#[derive(Clone, Debug)]
pub(super) struct Session {
    pub(super) host: HostId,
    pub(super) at: Timestamp,
    /// Access as a word: `rules`, `open`, `closed:…`.
    pub(super) access: String,
    /// The digest of its text is kept, also where the text is not.
    pub(super) has_digest: bool,
    /// Declared delay in seconds.
    pub(super) delay: Option<f64>,
    text: Option<Vec<u8>>,
}

impl Session {
    pub(super) fn read(stored: RobotsSession, token: &str) -> Session {
        let recorded = stored.fetch.delay.map(|(seconds, _)| seconds);
        let own = stored.text.as_deref().and_then(|text| delay(text, token));
        Session {
            host: stored.fetch.host,
            at: stored.fetch.at,
            access: stored.fetch.access,
            has_digest: stored.fetch.sha256.is_some(),
            delay: match (own, recorded) {
                (Some(own), Some(recorded)) => Some(own.max(recorded)),
                (own, recorded) => own.or(recorded),
            },
            text: stored.text,
        }
    }

    /// Whether the line (1-based) is an Allow line; true if the text is no longer kept.
    pub(super) fn allows_on(&self, line: u32) -> bool {
        let Some(text) = self.text.as_deref() else {
            return true;
        };
        let index = usize::try_from(line).unwrap_or(usize::MAX);
        let found = index
            .checked_sub(1)
            .and_then(|index| lines(text).nth(index));
        found.and_then(field).is_some_and(|(key, _)| key == "allow")
    }
}

/// The longest delay of the groups that name `token`, else of the `*` groups, in seconds.
fn delay(text: &[u8], token: &str) -> Option<f64> {
    let mut reader = Groups::new(token);
    lines(text)
        .filter_map(field)
        .for_each(|(key, value)| reader.line(&key, &value));
    if reader.named {
        reader.delays[0]
    } else {
        reader.delays[1]
    }
}

/// Where a reading of the groups stands.
struct Groups<'a> {
    token: &'a str,
    /// The group being read names us, or is a `*` group.
    here: [bool; 2],
    /// Agents are still being listed.
    listing: bool,
    /// Some group names us.
    named: bool,
    /// Longest delay of the groups that name us, and of the `*` groups.
    delays: [Option<f64>; 2],
}

impl<'a> Groups<'a> {
    fn new(token: &'a str) -> Groups<'a> {
        Groups {
            token,
            here: [false; 2],
            listing: false,
            named: false,
            delays: [None; 2],
        }
    }

    fn line(&mut self, key: &str, value: &str) {
        match key {
            "user-agent" | "useragent" | "user agent" => {
                if !self.listing {
                    self.here = [false; 2];
                }
                self.listing = true;
                let end = value
                    .find(|c: char| !(c.is_ascii_alphabetic() || c == '-' || c == '_'))
                    .unwrap_or(value.len());
                let ours = value[..end].eq_ignore_ascii_case(self.token);
                self.named |= ours;
                self.here[0] |= ours;
                self.here[1] |= value.split_whitespace().next() == Some("*");
            }
            "crawl-delay" | "crawldelay" => {
                // RFC 9309 lets the list of agents go on after it; that it ends here is the reading with
                // the fewest agents, so the delay found is beyond dispute.
                self.listing = false;
                let Some(seconds) = seconds(value) else {
                    return;
                };
                for (here, longest) in self.here.iter().zip(&mut self.delays) {
                    if *here {
                        *longest = Some(longest.map_or(seconds, |known| known.max(seconds)));
                    }
                }
            }
            _ if key == "allow" || key.starts_with("disallow") => self.listing = false,
            _ => {}
        }
    }
}

/// `10`, `1.5`, `1,5`, `10 s`, `2 min`; nothing for anything else.
fn seconds(value: &str) -> Option<f64> {
    let end = value
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .unwrap_or(value.len());
    let number: f64 = value[..end].replace(',', ".").parse().ok()?;
    let factor = match value[end..].trim().to_ascii_lowercase().as_str() {
        "" | "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        _ => return None,
    };
    Some(number * factor).filter(|seconds| seconds.is_finite())
}

/// Lines as sent: CRLF, CR and LF each end one.
fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
            rest = None;
            return Some(text);
        };
        let skip = if text[end..].starts_with(b"\r\n") {
            2
        } else {
            1
        };
        rest = Some(&text[end + skip..]);
        Some(&text[..end])
    })
}

/// Key in lower case and value, comment dropped.
fn field(line: &[u8]) -> Option<(String, String)> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let line = String::from_utf8_lossy(line);
    let line = line.split(['#', '\0']).next().unwrap_or_default();
    let (key, value) = line
        .split_once(':')
        .or_else(|| line.trim().split_once(char::is_whitespace))?;
    Some((key.trim().to_ascii_lowercase(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_read() {
        for (text, expected) in [
            ("User-agent: *\nCrawl-delay: 10\nDisallow:\n", Some(10.0)),
            (
                "\u{feff}user-agent : *\r\ncrawl-delay : 1,5 # slow\r\n",
                Some(1.5),
            ),
            ("User-agent: *\rCrawl-delay: 2 min\r", Some(120.0)),
            ("User-agent: *\nCrawl-delay: 3\nCrawl-delay: 7\n", Some(7.0)),
            (
                "User-agent: *\nCrawl-delay: 9\n\nUser-agent: lamp/2.0\nDisallow: /x\n",
                None,
            ),
            (
                "User-agent: LAMP\nUser-agent: other\nCrawl-delay: 4\nUser-agent: *\nCrawl-delay: 9",
                Some(4.0),
            ),
            (
                "User-agent: lamp\nDisallow: /a\nUser-agent: bad\nCrawl-delay: 99\n",
                None,
            ),
            ("User-agent: lamplight\nCrawl-delay: 99\n", None),
            ("User-agent: *\nCrawl-delay: soon\n", None),
            ("User-agent: *\nCrawl-delay: -1\n", None),
            ("", None),
        ] {
            assert_eq!(delay(text.as_bytes(), "lamp"), expected, "{text:?}");
        }
    }

    #[test]
    fn a_line_is_looked_up_as_it_was_sent() {
        let text = "# hello\r\nUser-agent: *\rDisallow: /\nAllow: /llms.txt\n";
        let session = Session {
            host: HostId(1),
            at: Timestamp::UNIX_EPOCH,
            access: "rules".to_owned(),
            has_digest: true,
            delay: None,
            text: Some(text.as_bytes().to_vec()),
        };
        for (line, expected) in [(0, false), (3, false), (4, true), (5, false), (99, false)] {
            assert_eq!(session.allows_on(line), expected, "line {line}");
        }
    }
}
