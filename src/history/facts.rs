//! What a text is made of, apart from its words.

use super::pieces::find;

/// Line ends and the like, counted on raw bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Lines that end with LF alone.
    pub lf: usize,
    /// Lines that end with CR LF.
    pub crlf: usize,
    /// CR without LF behind it.
    pub cr: usize,
    /// The last byte is a line end.
    pub final_newline: bool,
    /// Begins with the byte order mark of UTF-8.
    pub mark: bool,
    /// Holds a NUL.
    pub nul: bool,
}

impl Facts {
    /// Of a body.
    pub fn of(body: &[u8]) -> Facts {
        let mut facts = Facts {
            final_newline: body.last() == Some(&b'\n'),
            mark: body.starts_with(b"\xef\xbb\xbf"),
            nul: find(body, 0).is_some(),
            ..Facts::default()
        };
        let mut before = 0;
        for byte in body {
            match (before, byte) {
                (b'\r', b'\n') => facts.crlf += 1,
                (_, b'\n') => facts.lf += 1,
                (b'\r', _) => facts.cr += 1,
                _ => {}
            }
            before = *byte;
        }
        facts.cr += usize::from(before == b'\r');
        facts
    }

    /// The kinds of line ends: `LF`, `CRLF`, `CR`, `mixed (LF 3, CRLF 12)`, or `none`.
    pub fn ends(&self) -> String {
        let kinds = [("LF", self.lf), ("CRLF", self.crlf), ("CR", self.cr)];
        let there: Vec<_> = kinds.iter().filter(|(_, count)| *count > 0).collect();
        match there.as_slice() {
            [] => "none".to_owned(),
            [(kind, _)] => (*kind).to_owned(),
            many => {
                let counted: Vec<_> = many
                    .iter()
                    .map(|(kind, count)| format!("{kind} {count}"))
                    .collect();
                format!("mixed ({})", counted.join(", "))
            }
        }
    }
}

/// 16 bytes as `00000010  48 65 6c 6c 6f ...  |Hello...|`; `offset` is that of the first one.
pub fn hex_row(offset: usize, bytes: &[u8]) -> String {
    let mut out = format!("{offset:08x} ");
    for at in 0..16 {
        if at % 8 == 0 {
            out.push(' ');
        }
        match bytes.get(at) {
            Some(byte) => out.push_str(&format!("{byte:02x} ")),
            None => out.push_str("   "),
        }
    }
    out.push_str(" |");
    out.extend(bytes.iter().take(16).map(|byte| match byte {
        0x20..=0x7e => char::from(*byte),
        _ => '.',
    }));
    out.push('|');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_told_apart() {
        let cases: &[(&[u8], &str, bool)] = &[
            (b"", "none", false),
            (b"a", "none", false),
            (b"a\nb\n", "LF", true),
            (b"a\r\nb", "CRLF", false),
            (b"a\rb\r", "CR", false),
            (b"a\r\r\nb\n\r", "mixed (LF 1, CRLF 1, CR 2)", false),
        ];
        for (body, ends, last) in cases {
            let facts = Facts::of(body);
            assert_eq!(
                (facts.ends().as_str(), facts.final_newline),
                (*ends, *last),
                "{body:?}"
            );
        }
        assert!(Facts::of(b"\xef\xbb\xbfa\0").mark);
        assert!(Facts::of(b"a\0").nul);
    }

    #[test]
    fn bytes_are_shown_in_rows() {
        assert_eq!(
            hex_row(16, b"Hello\x1b\xff"),
            "00000010  48 65 6c 6c 6f 1b ff                              |Hello..|"
        );
        assert_eq!(
            hex_row(0, b"0123456789abcdef"),
            "00000000  30 31 32 33 34 35 36 37  38 39 61 62 63 64 65 66  |0123456789abcdef|"
        );
    }
}
