//! One line as a record: its key and its value, in both readings.

use super::invisible;
use super::text::{is_space, trim};

/// What a record says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Key {
    /// User-agent.
    Agent,
    /// Allow.
    Allow,
    /// Disallow.
    Disallow,
    /// Crawl-delay.
    Delay,
    /// Sitemap.
    Sitemap,
    /// Content-Signal.
    Signal,
    /// Content-Usage.
    Usage,
}

/// A key that is known, with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record<'t> {
    pub(super) key: Key,
    pub(super) value: &'t [u8],
    /// The key is not spelt as it should be.
    pub(super) misspelt: bool,
}

/// A line in both readings, RFC 9309's first.
pub(super) fn readings<'t>(
    line: &'t [u8],
    seen: &'t [u8],
) -> (Option<Record<'t>>, Option<Record<'t>>) {
    match plain(line) {
        Some(same) => (same, same),
        None => (rfc(line), intent(seen)),
    }
}

/// Nearly all lines: one word of ASCII before a colon, which both readings read alike.
fn plain(line: &[u8]) -> Option<Option<Record<'_>>> {
    let colon = line.iter().position(|b| *b == b':')?;
    let key = trim(&line[..colon]);
    let alike = line.is_ascii() && !key.iter().any(|b| is_space(*b));
    alike.then(|| record(key, trim(&line[colon + 1..])))
}

/// RFC 9309 with Google's leniency: the first colon divides, or white space between two words.
fn rfc(line: &[u8]) -> Option<Record<'_>> {
    let (key, value) = match line.iter().position(|b| *b == b':') {
        Some(colon) => (trim(&line[..colon]), trim(&line[colon + 1..])),
        None => two_words(trim(line))?,
    };
    record(key, value)
}

/// What the owner meant: unseen characters do not count, and white space after a known key
/// divides even if a colon follows later (`Disallow /a:b`).
fn intent(line: &[u8]) -> Option<Record<'_>> {
    let line = invisible::trim(line);
    let Some(colon) = line.iter().position(|b| *b == b':') else {
        let (key, value) = first_word(line)?;
        let one_word = !value.iter().any(|b| is_space(*b));
        return record(key, value).filter(|_| one_word);
    };
    let key = invisible::trim(&line[..colon]);
    let whole = record(key, invisible::trim(&line[colon + 1..]));
    if exact(key).is_some() {
        return whole;
    }
    let by_space = first_word(line)
        .and_then(|(key, value)| exact(key).map(|_| (key, value)))
        .and_then(|(key, value)| record(key, value))
        // An Allow is never guessed.
        .filter(|record| record.key != Key::Allow);
    by_space.or(whole)
}

fn two_words(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = line.iter().position(|b| is_space(*b))?;
    let value = trim(&line[space..]);
    (!value.iter().any(|b| is_space(*b))).then_some((&line[..space], value))
}

fn first_word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let space = (0..line.len()).find(|at| invisible::space_length(&line[*at..]) > 0)?;
    Some((&line[..space], invisible::trim(&line[space..])))
}

fn record<'t>(key: &[u8], value: &'t [u8]) -> Option<Record<'t>> {
    // No key is shorter than `allow`, or begins otherwise.
    let first = key.first().filter(|_| key.len() >= 5)?;
    if !matches!(first | 0x20, b'a' | b'c' | b'd' | b's' | b'u') {
        return None;
    }
    let (key, misspelt) = exact(key).or_else(|| beginning(key))?;
    Some(Record {
        key,
        value,
        misspelt,
    })
}

/// Keys as they should be, and the misspellings that Google's parser knows.
fn exact(key: &[u8]) -> Option<(Key, bool)> {
    const KEYS: [(&str, Key, bool); 19] = [
        ("user-agent", Key::Agent, false),
        ("useragent", Key::Agent, true),
        ("user agent", Key::Agent, true),
        ("allow", Key::Allow, false),
        ("disallow", Key::Disallow, false),
        ("dissallow", Key::Disallow, true),
        ("dissalow", Key::Disallow, true),
        ("disalow", Key::Disallow, true),
        ("diasllow", Key::Disallow, true),
        ("disallaw", Key::Disallow, true),
        ("crawl-delay", Key::Delay, false),
        ("crawldelay", Key::Delay, true),
        ("crawl delay", Key::Delay, true),
        ("sitemap", Key::Sitemap, false),
        ("site-map", Key::Sitemap, true),
        ("site map", Key::Sitemap, true),
        ("content-signal", Key::Signal, false),
        ("content-signals", Key::Signal, true),
        ("content-usage", Key::Usage, false),
    ];
    KEYS.iter()
        .find(|(name, ..)| key.eq_ignore_ascii_case(name.as_bytes()))
        .map(|(_, key, misspelt)| (*key, *misspelt))
}

/// Google compares keys by their beginning. Allow alone must be exact: it opens.
fn beginning(key: &[u8]) -> Option<(Key, bool)> {
    const STEMS: [(&str, Key); 9] = [
        ("disallow", Key::Disallow),
        ("dissallow", Key::Disallow),
        ("dissalow", Key::Disallow),
        ("disalow", Key::Disallow),
        ("diasllow", Key::Disallow),
        ("disallaw", Key::Disallow),
        ("user-agent", Key::Agent),
        ("sitemap", Key::Sitemap),
        ("site-map", Key::Sitemap),
    ];
    STEMS
        .iter()
        .find(|(stem, _)| {
            key.get(..stem.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(stem.as_bytes()))
        })
        .map(|(_, key)| (*key, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_in_both_readings() {
        use Key::*;
        type Expected<'t> = Option<(Key, &'t str)>;
        let rows: &[(&str, Expected<'_>, Expected<'_>)] = &[
            (
                "Disallow: /a",
                Some((Disallow, "/a")),
                Some((Disallow, "/a")),
            ),
            (
                " disallow\t/a ",
                Some((Disallow, "/a")),
                Some((Disallow, "/a")),
            ),
            ("Disallow /a b", None, None),
            (
                "Disallow /a:b",
                Some((Disallow, "b")),
                Some((Disallow, "/a:b")),
            ),
            ("Allow /a:b", None, None),
            (
                "Disallow; /a",
                Some((Disallow, "/a")),
                Some((Disallow, "/a")),
            ),
            ("Allowed by: us", None, None),
            ("User agent: *", Some((Agent, "*")), Some((Agent, "*"))),
            ("\u{A0}User-agent: *", None, Some((Agent, "*"))),
            (
                "Sitemap https://a/b",
                Some((Sitemap, "//a/b")),
                Some((Sitemap, "https://a/b")),
            ),
            (": /x", None, None),
            ("Disallow", None, None),
            ("", None, None),
        ];
        for (line, expected_rfc, expected_intent) in rows {
            let show = |record: Option<Record<'_>>| {
                record.map(|r| (r.key, String::from_utf8_lossy(r.value).into_owned()))
            };
            let own = |expected: &Expected<'_>| expected.map(|(k, v)| (k, v.to_owned()));
            assert_eq!(
                show(rfc(line.as_bytes())),
                own(expected_rfc),
                "RFC {line:?}"
            );
            assert_eq!(
                show(intent(line.as_bytes())),
                own(expected_intent),
                "Intent {line:?}"
            );
            let (rfc, intent) = readings(line.as_bytes(), line.as_bytes());
            assert_eq!(
                (show(rfc), show(intent)),
                (own(expected_rfc), own(expected_intent)),
                "both {line:?}"
            );
        }
    }
}
