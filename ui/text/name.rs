//! Host names for people: punycode first, the Unicode form beside it only where it cannot mislead.

use icu_properties::CodePointMapData;
use icu_properties::props::Script;

use super::Clean;

/// Scripts written together.
const TOGETHER: [&[Script]; 3] = [
    &[Script::Han, Script::Hiragana, Script::Katakana],
    &[Script::Han, Script::Hangul],
    &[Script::Han, Script::Bopomofo],
];

/// The Unicode form of a host name (a port is kept), to be shown behind its punycode form.
///
/// None if the name is plain ASCII, does not decode, holds anything that would be escaped, or has a
/// label of more than one script: there a letter may stand for one of another script.
pub(crate) fn unicode(host: &str) -> Option<Clean> {
    let labels = |name: &str| name.split('.').any(|label| label.starts_with("xn--"));
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => (name, Some(port)),
        _ => (host, None),
    };
    if !labels(name) {
        return None;
    }
    let (decoded, result) = idna::domain_to_unicode(name);
    // What stays encoded does not decode.
    if result.is_err() || labels(&decoded) || !decoded.split('.').all(single_script) {
        return None;
    }
    let shown = match port {
        Some(port) => Clean::new(format!("{decoded}:{port}")),
        None => Clean::new(decoded),
    };
    (!shown.is_escaped()).then_some(shown)
}

/// Whether a label has letters of one script, or of scripts written together (UTS 39, 5.1).
fn single_script(label: &str) -> bool {
    if label.is_ascii() {
        return true;
    }
    let scripts = CodePointMapData::<Script>::new();
    let mut found: Vec<Script> = label
        .chars()
        .map(|char| scripts.get(char))
        .filter(|script| !matches!(*script, Script::Common | Script::Inherited))
        .collect();
    found.dedup();
    let Some(first) = found.first() else {
        return false;
    };
    found.iter().all(|script| script == first)
        || TOGETHER
            .iter()
            .any(|together| found.iter().all(|script| together.contains(script)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_the_unicode_form_only_where_it_cannot_mislead() {
        let of = |unicode: &str| idna::domain_to_ascii(unicode).unwrap();
        for shown in [
            "ölbaum.test",
            "пример.test",
            "例え.テスト",
            "おいしいお茶と店.test",
            "한국.test",
            "ελ-λάδα2.test",
            "docs.ölbaum.test",
        ] {
            let ascii = of(shown);
            assert!(ascii.is_ascii() && ascii != shown);
            let form = unicode(&ascii).map(|clean| clean.as_str().to_owned());
            assert_eq!(form.as_deref(), Some(shown), "{ascii}");
        }
        let with_port = unicode("xn--lbaum-iua.test:8080").map(|clean| clean.to_string());
        assert_eq!(with_port.as_deref(), Some("ölbaum.test:8080"));
        let hidden = [
            "docs.alder.test".to_owned(),
            "[::1]:8080".to_owned(),
            // Cyrillic a in Latin letters; Greek omicron in Latin; Cyrillic with Greek.
            of("p\u{430}ypal.test"),
            of("g\u{3bf}ogle.test"),
            of("при\u{3bf}.test"),
            of("ölbaum.p\u{430}ypal"),
            // No letter at all.
            of("☃.test"),
            "xn--99999999999.test".to_owned(),
            "xn--.test".to_owned(),
            "xn--a\u{202e}.test".to_owned(),
        ];
        for name in hidden {
            assert_eq!(unicode(&name), None, "{name}");
        }
    }
}
