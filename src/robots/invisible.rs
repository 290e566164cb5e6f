//! Characters that nobody sees: pasted no-break and zero-width spaces, byte order marks.

use std::borrow::Cow;

use super::text::is_space;

/// They never belong in a path, so the Intent reading drops them wherever they stand:
/// soft hyphen, zero-width space, word joiner, byte order mark.
const NEVER_MEANT: [&[u8]; 4] = [
    b"\xC2\xAD",
    b"\xE2\x80\x8B",
    b"\xE2\x81\xA0",
    b"\xEF\xBB\xBF",
];

/// They can be meant inside a path but not at its ends: no-break spaces, joiners, direction
/// marks, the ideographic space.
const NOT_AT_THE_ENDS: [&[u8]; 8] = [
    b"\xC2\xA0",
    b"\xE2\x80\x8C",
    b"\xE2\x80\x8D",
    b"\xE2\x80\x8E",
    b"\xE2\x80\x8F",
    b"\xE2\x80\xAF",
    b"\xE2\x81\x9F",
    b"\xE3\x80\x80",
];

/// The line without what is never meant; borrowed if nothing was dropped.
pub(super) fn dropped(line: &[u8]) -> Cow<'_, [u8]> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let mut seen = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((first, tail)) = rest.split_first() {
        match NEVER_MEANT.iter().find(|mark| rest.starts_with(mark)) {
            Some(mark) => rest = &rest[mark.len()..],
            None => {
                seen.push(*first);
                rest = tail;
            }
        }
    }
    if seen.len() == line.len() {
        Cow::Borrowed(line)
    } else {
        Cow::Owned(seen)
    }
}

/// Without white space, seen or unseen, at both ends.
pub(super) fn trim(mut text: &[u8]) -> &[u8] {
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
        for mark in NOT_AT_THE_ENDS {
            text = text.strip_prefix(mark).unwrap_or(text);
            text = text.strip_suffix(mark).unwrap_or(text);
        }
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
    }
}
