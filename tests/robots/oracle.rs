//! RFC 9309 written a second time, in the plainest way, to hold the reader against.

/// Whether it allows, and its path.
type Rule = (bool, String);

pub(super) fn allows(file: &str, path: &str) -> bool {
    let mut groups: Vec<(Vec<String>, Vec<Rule>)> = Vec::new();
    let mut listing = false;
    let text = file.strip_prefix('\u{FEFF}').unwrap_or(file);
    for line in text.split(['\r', '\n']) {
        let line = line.split(['#', '\0']).next().unwrap_or_default();
        let blank = [' ', '\t'];
        let words: Vec<&str> = line.split(blank).filter(|word| !word.is_empty()).collect();
        let (key, value) = match (line.split_once(':'), words.as_slice()) {
            (Some(divided), _) => divided,
            (None, [key, value]) => (*key, *value),
            _ => continue,
        };
        let (key, value) = (
            key.trim_matches(blank).to_lowercase(),
            value.trim_matches(blank),
        );
        match key.as_str() {
            "user-agent" | "useragent" => {
                if !listing {
                    groups.push((Vec::new(), Vec::new()));
                }
                listing = true;
                let end = value.find(|c: char| !(c.is_ascii_alphabetic() || "-_*".contains(c)));
                let name = value[..end.unwrap_or(value.len())].to_lowercase();
                groups.last_mut().unwrap().0.push(name);
            }
            "allow" | "disallow" | "disalow" | "disallow;" => {
                listing = false;
                if let Some(group) = groups.last_mut().filter(|_| !value.is_empty()) {
                    group.1.push((key == "allow", value.to_owned()));
                }
            }
            _ => {}
        }
    }
    let of = |name: &str| -> Vec<&Rule> {
        let named = groups
            .iter()
            .filter(|group| group.0.iter().any(|n| n == name));
        named.flat_map(|group| &group.1).collect()
    };
    let named = groups
        .iter()
        .any(|group| group.0.iter().any(|n| n == "intentroutebot"));
    let rules = of(if named { "intentroutebot" } else { "*" });
    let path = canonical(path, false);
    rules
        .into_iter()
        .map(|(allow, rule)| (*allow, canonical(rule, true)))
        .filter(|(_, rule)| matches(rule.as_bytes(), path.as_bytes()))
        .max_by_key(|(allow, rule)| (rule.len(), *allow))
        .is_none_or(|(allow, _)| allow)
}

fn canonical(text: &str, rule: bool) -> String {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let b = bytes[at];
        let digits = bytes
            .get(at + 1..at + 3)
            .and_then(|d| std::str::from_utf8(d).ok());
        let escape = digits
            .filter(|d| b == b'%' && d.chars().all(|c| c.is_ascii_hexdigit()))
            .and_then(|d| u8::from_str_radix(d, 16).ok());
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~".contains(&b);
        let special = rule && (b == b'*' || b == b'$' && at + 1 == bytes.len());
        match escape {
            Some(octet) if plain(octet) => out.push(char::from(octet)),
            Some(octet) => out += &format!("%{octet:02X}"),
            None if plain(b) || special || b"%:/?#[]@!&()+,;=".contains(&b) => {
                out.push(char::from(b));
            }
            None => out += &format!("%{b:02X}"),
        }
        at += if escape.is_some() { 3 } else { 1 };
    }
    out
}

/// By recursion over the pattern, with no cleverness.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|from| matches(rest, &path[from..])),
        [first, rest @ ..] => path.first() == Some(first) && matches(rest, &path[1..]),
    }
}
