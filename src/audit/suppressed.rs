//! OO4 from the journal: which names were suppressed, from when to when.
//!
//! Entries are in the notation of `suppress`: `example.com` with all names below it,
//! `=host.example.com` that host alone, `https://host/path` one page. They are matched here in own code.

use std::collections::HashMap;

use crate::store::JournalEntry;

/// A request this much later than the entry is a breach: the time a running engine has to reach it.
const REACHED_MS: i64 = 1_000;

/// One span of suppression, UTC milliseconds in the system's time; open while it stands.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: i64,
    to: Option<i64>,
}

/// Everything that was ever suppressed, by its normal form.
#[derive(Clone, Debug, Default)]
pub(super) struct Suppressions {
    spans: HashMap<String, Vec<Span>>,
}

impl Suppressions {
    /// From the journal, oldest entry first.
    pub(super) fn read(journal: &[JournalEntry]) -> Suppressions {
        let mut all = Suppressions::default();
        for entry in journal {
            let at = entry.at.as_millisecond().saturating_sub(entry.shift_ms);
            let mut parts = entry.action.split_whitespace();
            let change = (parts.next(), parts.next());
            for name in parts.map(normal) {
                let spans = all.spans.entry(name).or_default();
                let open = spans.iter_mut().find(|span| span.to.is_none());
                match (change, open) {
                    ((Some("suppress"), Some("add")), None) => {
                        spans.push(Span { from: at, to: None })
                    }
                    ((Some("suppress"), Some("remove")), Some(span)) => span.to = Some(at),
                    _ => {}
                }
            }
        }
        all.spans.retain(|_, spans| !spans.is_empty());
        all
    }

    pub(super) fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Since when (UTC ms) and by which entry a request to `host` (with its port, if any) and `target`
    /// at `at` (system's time) was forbidden, counted from when the entry had to be reached.
    pub(super) fn forbids(
        &self,
        host: &str,
        name: &str,
        target: &str,
        at: i64,
    ) -> Option<(String, i64)> {
        let labels = std::iter::successors(Some(name), |rest| {
            rest.split_once('.').map(|(_, parent)| parent)
        });
        labels
            .map(str::to_owned)
            .chain([format!("={host}"), format!("{host}{target}")])
            .find_map(|key| {
                let span =
                    self.spans.get(&key)?.iter().find(|span| {
                        at > span.from + REACHED_MS && span.to.is_none_or(|to| at < to)
                    })?;
                Some((key, span.from))
            })
    }
}

/// One spelling for each entry: names in ASCII lower case without the last dot, pages without scheme.
fn normal(entry: &str) -> String {
    let page = ["https://", "http://"]
        .iter()
        .find_map(|scheme| entry.strip_prefix(scheme));
    if let Some(page) = page {
        let (host, path) = page.split_once('/').unwrap_or((page, ""));
        return format!("{}/{path}", ascii(host));
    }
    match entry.strip_prefix('=') {
        Some(host) => format!("={}", ascii(host)),
        None => ascii(entry),
    }
}

fn ascii(name: &str) -> String {
    let name = name.trim_end_matches('.');
    idna::domain_to_ascii(name).unwrap_or_else(|_| name.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    fn entry(at_ms: i64, action: &str) -> JournalEntry {
        JournalEntry {
            at: Timestamp::from_millisecond(at_ms).expect("a time"),
            by: "watcher".to_owned(),
            action: action.to_owned(),
            why: String::new(),
            inverse: String::new(),
            shift_ms: 0,
        }
    }

    #[test]
    fn names_match_on_label_boundaries_from_one_second_after() {
        let all = Suppressions::read(&[
            entry(10_000, "suppress add Alder.test"),
            entry(10_000, "suppress add =api.cedar.test:8443"),
            entry(10_000, "suppress add https://elm.test/llms.txt"),
            entry(10_000, "hold add oak.test"),
        ]);
        let forbids = |host: &str, target: &str, at| {
            let name = host.split(':').next().unwrap_or(host);
            all.forbids(host, name, target, at).is_some()
        };
        for (host, target, at, expected) in [
            ("alder.test", "/", 11_000, false),
            ("alder.test", "/", 11_001, true),
            ("docs.alder.test:8080", "/robots.txt", 11_001, true),
            ("balder.test", "/", 99_999, false),
            ("api.cedar.test:8443", "/", 11_001, true),
            ("api.cedar.test", "/", 11_001, false),
            ("cedar.test", "/", 11_001, false),
            ("elm.test", "/llms.txt", 11_001, true),
            ("elm.test", "/llms.txt?x", 11_001, false),
            ("elm.test", "/robots.txt", 11_001, false),
            ("oak.test", "/", 11_001, false),
        ] {
            assert_eq!(forbids(host, target, at), expected, "{host}{target} {at}");
        }
    }

    #[test]
    fn a_removal_ends_it_and_it_may_begin_again() {
        let all = Suppressions::read(&[
            entry(10_000, "suppress add alder.test"),
            entry(20_000, "suppress remove alder.test"),
            entry(30_000, "suppress add alder.test"),
        ]);
        for (at, expected) in [
            (9_000, false),
            (19_999, true),
            (20_000, false),
            (31_000, false),
            (31_001, true),
        ] {
            let found = all.forbids("alder.test", "alder.test", "/", at);
            assert_eq!(found.is_some(), expected, "{at}");
        }
    }
}
