//! How the bytes of a text are characters, and the same text in UTF-8.
//!
//! Two different bodies never become one: what is no character of the encoding stays as bytes that are no
//! UTF-8 either, and are shown as such.

use std::borrow::Cow;
use std::fmt;

/// Bytes that are looked at to guess UTF-16 without a byte order mark.
const LOOKED_AT: usize = 4_096;

/// How bytes are characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, or ASCII.
    Utf8,
    /// Two bytes a unit, the lower one first.
    Utf16Le,
    /// Two bytes a unit, the higher one first.
    Utf16Be,
    /// A byte a character, as browsers read Latin-1: windows-1252.
    Latin1,
    /// No text by git's own rule, and no UTF-16.
    Binary,
}

impl fmt::Display for Encoding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Encoding::Utf8 => "UTF-8",
            Encoding::Utf16Le => "UTF-16 LE",
            Encoding::Utf16Be => "UTF-16 BE",
            Encoding::Latin1 => "Latin-1",
            Encoding::Binary => "binary",
        })
    }
}

/// An encoding and how it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The encoding.
    pub encoding: Encoding,
    /// By what.
    pub by: By,
}

/// How an encoding is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The bytes are what it allows, or what it does not.
    Bytes,
    /// A byte order mark.
    Mark,
    /// The Content-Type.
    Declared,
    /// Nothing: it is neither UTF-8 nor declared.
    Guess,
}

impl fmt::Display for Known {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.encoding)?;
        match self.by {
            By::Bytes => Ok(()),
            By::Mark => out.write_str(" with a byte order mark"),
            By::Declared => out.write_str(", as declared"),
            By::Guess => out.write_str(", guessed: not UTF-8"),
        }
    }
}

impl Known {
    /// Of a body with the Content-Type it was sent with: marks first, then whether it is UTF-8 at all,
    /// then what was declared.
    pub fn of(body: &[u8], media_type: Option<&str>) -> Known {
        let known = |encoding, by| Known { encoding, by };
        match body {
            [0xef, 0xbb, 0xbf, ..] if std::str::from_utf8(body).is_ok() => {
                return known(Encoding::Utf8, By::Mark);
            }
            [0xff, 0xfe, ..] => return known(Encoding::Utf16Le, By::Mark),
            [0xfe, 0xff, ..] => return known(Encoding::Utf16Be, By::Mark),
            _ => {}
        }
        if super::is_binary(body) {
            let guessed = utf16(body);
            return guessed.map_or(known(Encoding::Binary, By::Bytes), |encoding| {
                known(encoding, By::Bytes)
            });
        }
        if std::str::from_utf8(body).is_ok() {
            return known(Encoding::Utf8, By::Bytes);
        }
        match media_type.and_then(charset).as_deref() {
            // Declared, and broken: shown as it is, with its faults.
            Some("utf-8" | "utf8") => known(Encoding::Utf8, By::Declared),
            Some(name) if is_latin1(name) => known(Encoding::Latin1, By::Declared),
            _ => known(Encoding::Latin1, By::Guess),
        }
    }

    /// The text in UTF-8.
    pub fn decode(self, body: &[u8]) -> Cow<'_, [u8]> {
        match self.encoding {
            Encoding::Utf8 | Encoding::Binary => Cow::Borrowed(body),
            Encoding::Utf16Le => Cow::Owned(from_utf16(body, u16::from_le_bytes)),
            Encoding::Utf16Be => Cow::Owned(from_utf16(body, u16::from_be_bytes)),
            Encoding::Latin1 => Cow::Owned(from_latin1(body)),
        }
    }
}

/// The charset of a Content-Type, in lower case.
fn charset(media_type: &str) -> Option<String> {
    let parameters = media_type.split(';').skip(1);
    let mut pairs = parameters.filter_map(|parameter| parameter.split_once('='));
    let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("charset"))?;
    Some(value.trim().trim_matches('"').to_ascii_lowercase())
}

fn is_latin1(name: &str) -> bool {
    let names = [
        "iso-8859-1",
        "iso8859-1",
        "latin1",
        "latin-1",
        "l1",
        "windows-1252",
        "cp1252",
        "us-ascii",
        "ascii",
    ];
    names.contains(&name)
}

/// Text of mostly ASCII in two bytes a unit has a NUL in every second byte, and nowhere else.
fn utf16(body: &[u8]) -> Option<Encoding> {
    let start = &body[..body.len().min(LOOKED_AT) & !1];
    let zeros = |first: usize| {
        start
            .iter()
            .skip(first)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let most = start.len() / 2 * 9 / 10;
    match (even, odd) {
        _ if start.len() < 4 || body.len() % 2 == 1 => None,
        (0, odd) if odd >= most => Some(Encoding::Utf16Le),
        (even, 0) if even >= most => Some(Encoding::Utf16Be),
        _ => None,
    }
}

/// Half a pair becomes the three bytes it would have in UTF-8 if that allowed it, a byte that is left
/// over becomes itself behind an 0xFF: neither is UTF-8, and no character becomes either.
fn from_utf16(body: &[u8], unit: impl Fn([u8; 2]) -> u16) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + body.len() / 4);
    let (pairs, rest) = body.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    let mut buffer = [0; 4];
    for char in char::decode_utf16(units) {
        match char {
            Ok(char) => out.extend_from_slice(char.encode_utf8(&mut buffer).as_bytes()),
            Err(half) => {
                let half = half.unpaired_surrogate().to_be_bytes();
                let [high, low] = half;
                out.extend_from_slice(&[
                    0xe0 | high >> 4,
                    0x80 | (high & 0x0f) << 2 | low >> 6,
                    0x80 | low & 0x3f,
                ]);
            }
        }
    }
    if let [left_over] = rest {
        out.extend_from_slice(&[0xff, *left_over]);
    }
    out
}

/// Characters of windows-1252 from 0x80 to 0x9F; where it has none, the control that Latin-1 has.
const CP1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn from_latin1(body: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + body.len() / 8);
    let mut buffer = [0; 4];
    for byte in body {
        let char = match byte {
            0x80..=0x9f => CP1252[usize::from(byte - 0x80)],
            byte => char::from(*byte),
        };
        out.extend_from_slice(char.encode_utf8(&mut buffer).as_bytes());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16_bytes(text: &str, unit: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(unit).collect()
    }

    #[test]
    fn encodings_are_known_and_named() {
        let le = utf16_bytes("User-agent: *\n", u16::to_le_bytes);
        let be = utf16_bytes("\u{feff}ä", u16::to_be_bytes);
        let cases: &[(&[u8], Option<&str>, &str)] = &[
            (b"", None, "UTF-8"),
            (
                "ä".as_bytes(),
                Some("text/plain; charset=iso-8859-1"),
                "UTF-8",
            ),
            (b"\xef\xbb\xbfa", None, "UTF-8 with a byte order mark"),
            (
                b"\xe4",
                Some("text/plain;Charset=\"ISO-8859-1\""),
                "Latin-1, as declared",
            ),
            (b"\xe4", Some("text/plain"), "Latin-1, guessed: not UTF-8"),
            (
                b"\xe4",
                Some("text/plain; charset=utf-8"),
                "UTF-8, as declared",
            ),
            (&le, None, "UTF-16 LE"),
            (&be, None, "UTF-16 BE with a byte order mark"),
            (b"\x89PNG\0\0", None, "binary"),
            (b"\0\0\0\0", None, "binary"),
        ];
        for (body, media_type, name) in cases {
            assert_eq!(Known::of(body, *media_type).to_string(), *name, "{body:?}");
        }
    }

    #[test]
    fn texts_are_decoded() {
        let text = "\u{feff}größer 日本 😀\r\n";
        for bytes in [
            utf16_bytes(text, u16::to_le_bytes),
            utf16_bytes(text, u16::to_be_bytes),
        ] {
            let known = Known::of(&bytes, None);
            assert_eq!(known.decode(&bytes), text.as_bytes());
        }
        let latin = Known::of(b"\x80uro \xfc", None);
        assert_eq!(latin.decode(b"\x80uro \xfc"), "€uro ü".as_bytes());
    }

    #[test]
    fn different_bytes_never_become_one_text() {
        let le = Known {
            encoding: Encoding::Utf16Le,
            by: By::Mark,
        };
        let halves: &[&[u8]] = &[
            b"\x00\xd8",
            b"\x01\xd8",
            b"\x00\xdc",
            b"\xfd\xff",
            b"a",
            b"\xff",
            b"a\0",
            b"a\0b",
        ];
        let texts: std::collections::HashSet<_> =
            halves.iter().map(|body| le.decode(body)).collect();
        assert_eq!(texts.len(), halves.len());
        assert!(std::str::from_utf8(&le.decode(b"\x00\xd8")).is_err());
        let latin = Known {
            encoding: Encoding::Latin1,
            by: By::Guess,
        };
        let texts: std::collections::HashSet<_> = (0..=255)
            .map(|byte| latin.decode(&[byte]).into_owned())
            .collect();
        assert_eq!(texts.len(), 256);
    }
}
