//! One form for rules and paths, so that octets can be compared (RFC 9309 2.2.2).

/// Appends a rule's pattern to `out`. `*` and a final `$` keep their meaning; every other `$`
/// becomes `%24`.
pub(super) fn pattern(rule: &[u8], out: &mut Vec<u8>) {
    encode(rule, out, |at, b| {
        b == b'*' || b == b'$' && at + 1 == rule.len()
    });
}

/// The path and query of what would be asked for: no fragment, no scheme or host, a leading
/// slash, and a literal `*` or `$` encoded, since in a path they mean themselves.
pub(super) fn path(asked: &str) -> String {
    let asked = asked.split('#').next().unwrap_or_default();
    let asked = without_host(asked);
    let mut out = Vec::with_capacity(asked.len() + 8);
    if !asked.starts_with('/') {
        out.push(b'/');
    }
    encode(asked.as_bytes(), &mut out, |_, _| false);
    // Only ASCII was written.
    String::from_utf8(out).unwrap_or_default()
}

fn without_host(asked: &str) -> &str {
    let Some((scheme, rest)) = asked.split_once("://") else {
        return asked;
    };
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return asked;
    }
    let path = rest.find(['/', '?']).unwrap_or(rest.len());
    &rest[path..]
}

fn encode(text: &[u8], out: &mut Vec<u8>, keeps_meaning: impl Fn(usize, u8) -> bool) {
    let mut at = 0;
    while let Some(b) = text.get(at).copied() {
        let escaped = (b == b'%').then(|| octet(&text[at + 1..])).flatten();
        match escaped {
            Some(octet) if is_unreserved(octet) => out.push(octet),
            Some(octet) => push_escape(octet, out),
            // A lone percent sign is plain text.
            None if b == b'%' || is_unreserved(b) || is_reserved(b) => out.push(b),
            None if keeps_meaning(at, b) => out.push(b),
            None => push_escape(b, out),
        }
        at += if escaped.is_some() { 3 } else { 1 };
    }
}

fn octet(digits: &[u8]) -> Option<u8> {
    let [high, low, ..] = digits else { return None };
    Some(hex(*high)? << 4 | hex(*low)?)
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

fn push_escape(octet: u8, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    out.extend([
        b'%',
        DIGITS[usize::from(octet >> 4)],
        DIGITS[usize::from(octet & 15)],
    ]);
}

fn is_unreserved(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~')
}

/// RFC 3986's reserved characters that stand for themselves here: not `*` and `$`, which a rule
/// gives a meaning, and not `'`, which URL libraries always send encoded.
fn is_reserved(b: u8) -> bool {
    matches!(
        b,
        b':' | b'/'
            | b'?'
            | b'#'
            | b'['
            | b']'
            | b'@'
            | b'!'
            | b'&'
            | b'('
            | b')'
            | b'+'
            | b','
            | b';'
            | b'='
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let rows = [
            ("/foo/ツ", "/foo/%E3%83%84"),
            ("/%62%61z%7e%2f", "/baz~%2F"),
            ("/a$b$", "/a%24b$"),
            ("/*.php$", "/*.php$"),
            ("/50%/%zz/%4", "/50%/%zz/%4"),
            ("/a b'{|}", "/a%20b%27%7B%7C%7D"),
            ("/%2A%24", "/%2A%24"),
        ];
        for (rule, expected) in rows {
            let mut out = Vec::new();
            pattern(rule.as_bytes(), &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
    }

    #[test]
    fn paths() {
        let rows = [
            ("", "/"),
            ("llms.txt", "/llms.txt"),
            ("/a*$", "/a%2A%24"),
            ("/a#b?c", "/a"),
            ("https://h.example", "/"),
            ("HTTP://h.example:1/a?b=/", "/a?b=/"),
            ("https://h.example?q", "/?q"),
            ("/go?to=http://x/y", "/go?to=http://x/y"),
            ("//x/y", "//x/y"),
        ];
        for (asked, expected) in rows {
            assert_eq!(path(asked), expected, "{asked:?}");
        }
    }
}
