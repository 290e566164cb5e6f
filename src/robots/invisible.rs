//! Characters that nobody sees: pasted no-break and zero-width spaces, byte order marks.

use std::borrow::Cow;

use super::text::is_space;

/// Length of a character at the start of `text` that never belongs in a path, so that the Intent
/// reading drops it wherever it stands: soft hyphen, zero-width space, word joiner, byte order mark.
fn never_meant(text: &[u8]) -> usize {
    match text {
        [0xC2, 0xAD, ..] => 2,
        [0xE2, 0x80, 0x8B, ..] | [0xE2, 0x81, 0xA0, ..] | [0xEF, 0xBB, 0xBF, ..] => 3,
        _ => 0,
    }
}

/// The line without what is never meant; borrowed if nothing was dropped.
pub(super) fn dropped(line: &[u8]) -> Cow<'_, [u8]> {
    if line.is_ascii() || !(0..line.len()).any(|at| never_meant(&line[at..]) > 0) {
        return Cow::Borrowed(line);
    }
    let mut seen = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((first, tail)) = rest.split_first() {
        match never_meant(rest) {
            0 => {
                seen.push(*first);
                rest = tail;
            }
            length => rest = &rest[length..],
        }
    }
    Cow::Owned(seen)
}

/// Length of a character at the start of `text` that can be meant inside a path but not at its
/// ends: no-break spaces, joiners, direction marks, the ideographic space.
fn not_first(text: &[u8]) -> usize {
    match text {
        [0xC2, 0xA0, ..] => 2,
        [0xE2, 0x80, 0x8C..=0x8F | 0xAF, ..] => 3,
        [0xE2, 0x81, 0x9F, ..] | [0xE3, 0x80, 0x80, ..] => 3,
        _ => 0,
    }
}

/// The same at the end of `text`.
fn not_last(text: &[u8]) -> usize {
    let ends_in = |length: usize| {
        text.len()
            .checked_sub(length)
            .is_some_and(|start| not_first(&text[start..]) == length)
    };
    [2, 3]
        .into_iter()
        .find(|length| ends_in(*length))
        .unwrap_or(0)
}

/// Without white space, seen or unseen, at both ends.
pub(super) fn trim(text: &[u8]) -> &[u8] {
    let mut text = super::text::trim(text);
    if text.first().is_none_or(u8::is_ascii) && text.last().is_none_or(u8::is_ascii) {
        return text;
    }
    // A lone A0 is the no-break space of Latin-1; inside UTF-8 it ends a letter.
    let latin = std::str::from_utf8(text).is_err();
    loop {
        let before = text.len();
        while let [first, rest @ ..] = text
            && (is_space(*first) || latin && *first == 0xA0)
        {
            text = rest;
        }
        while let [rest @ .., last] = text
            && (is_space(*last) || latin && *last == 0xA0)
        {
            text = rest;
        }
        text = &text[not_first(text)..];
        text = &text[..text.len() - not_last(text)];
        if text.len() == before {
            return text;
        }
    }
}

/// Length of the white space, seen or unseen, that begins at the start of `text`; 0 for none.
pub(super) fn space_length(text: &[u8]) -> usize {
    match text {
        [b, ..] if is_space(*b) => 1,
        _ if text.starts_with(b"\xC2\xA0") => 2,
        _ if text.starts_with(b"\xE3\x80\x80") => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_dropped_and_trimmed_but_letters_stay() {
        assert_eq!(&*dropped("/E\u{200B}mail".as_bytes()), b"/Email");
        assert_eq!(trim("\u{A0}/nbsp\u{A0} \u{3000}".as_bytes()), b"/nbsp");
        assert_eq!(trim(b"*\xA0 "), b"*", "Latin-1");
        assert_eq!(trim("/voilà".as_bytes()), "/voilà".as_bytes());
        let never = "\u{AD}\u{200B}\u{2060}\u{FEFF}";
        assert_eq!(
            &*dropped(format!("{never}é{never}").as_bytes()),
            "é".as_bytes()
        );
        let ends = "\u{A0} \u{200C}\u{200D}\u{200E}\u{200F}\u{202F}\t\u{205F}\u{3000}";
        let inside = format!("é{ends}é");
        assert_eq!(
            trim(format!("{ends}{inside}{ends}").as_bytes()),
            inside.as_bytes()
        );
        assert_eq!(trim(format!("{ends}{ends}").as_bytes()), b"");
    }
}
