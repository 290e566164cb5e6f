//! Bytes of a terminal to keys.
//!
//! We read the terminal ourselves: a reader that takes the end of input for "nothing yet" would spin
//! when the terminal is gone.

/// A key without modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Code {
    Char(char),
    Enter,
    Tab,
    BackTab,
    Backspace,
    Esc,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
}

/// A key as pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    /// Which.
    pub(crate) code: Code,
    /// With Ctrl.
    pub(crate) ctrl: bool,
}

impl From<Code> for Key {
    fn from(code: Code) -> Key {
        Key { code, ctrl: false }
    }
}

impl Key {
    /// Ctrl and a letter.
    pub(crate) fn ctrl(letter: char) -> Key {
        Key {
            code: Code::Char(letter),
            ctrl: true,
        }
    }
}

/// Longest sequence waited for; a longer one is noise.
const LONGEST: usize = 64;

/// Bytes in, keys out; keeps a sequence that has not ended yet.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    pending: Vec<u8>,
}

enum Step {
    /// So many bytes were a key, or nothing of ours.
    Took(usize, Option<Key>),
    /// More bytes must come.
    More,
}

impl Decoder {
    /// Takes bytes as read and gives the keys they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Key> {
        self.pending.extend_from_slice(bytes);
        let mut keys = Vec::new();
        while !self.pending.is_empty() {
            match step(&self.pending) {
                Step::Took(length, key) => {
                    self.pending.drain(..length.max(1));
                    keys.extend(key);
                }
                Step::More if self.pending.len() > LONGEST => self.pending.clear(),
                Step::More => break,
            }
        }
        keys
    }

    /// A sequence has begun and not ended.
    pub(crate) fn waits(&self) -> bool {
        !self.pending.is_empty()
    }

    /// No more bytes came in time: a lone ESC was the key itself.
    pub(crate) fn flush(&mut self) -> Vec<Key> {
        let escape = self.pending.first() == Some(&0x1b);
        let rest: Vec<u8> = self.pending.drain(..).skip(1).collect();
        if !escape {
            return Vec::new();
        }
        let mut keys = vec![Key::from(Code::Esc)];
        // Of an unfinished sequence nothing but the ESC can be meant.
        if !matches!(rest.first(), Some(b'[' | b'O')) {
            keys.extend(self.push(&rest));
            self.pending.clear();
        }
        keys
    }
}

fn step(bytes: &[u8]) -> Step {
    let took = |length, code: Code| Step::Took(length, Some(code.into()));
    match bytes[0] {
        0x1b => escape(bytes),
        b'\r' | b'\n' => took(1, Code::Enter),
        b'\t' => took(1, Code::Tab),
        0x7f | 0x08 => took(1, Code::Backspace),
        byte @ 1..=26 => Step::Took(1, Some(Key::ctrl(char::from(byte - 1 + b'a')))),
        0x00..=0x1f => Step::Took(1, None),
        _ => character(bytes),
    }
}

fn character(bytes: &[u8]) -> Step {
    let length = match bytes[0] {
        0x20..=0x7e => 1,
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return Step::Took(1, None),
    };
    let Some(text) = bytes.get(..length) else {
        return Step::More;
    };
    let char = std::str::from_utf8(text)
        .ok()
        .and_then(|text| text.chars().next());
    match char {
        Some(char) => Step::Took(length, Some(Code::Char(char).into())),
        None => Step::Took(1, None),
    }
}

fn escape(bytes: &[u8]) -> Step {
    match bytes.get(1) {
        None => Step::More,
        Some(b'[') => control_sequence(bytes),
        Some(b'O') => match bytes.get(2) {
            None => Step::More,
            Some(letter) => Step::Took(3, cursor(*letter).map(Key::from)),
        },
        // ESC and then something else: two keys.
        Some(_) => Step::Took(1, Some(Code::Esc.into())),
    }
}

fn control_sequence(bytes: &[u8]) -> Step {
    let Some(end) = bytes[2..]
        .iter()
        .position(|byte| (0x40..=0x7e).contains(byte))
    else {
        return Step::More;
    };
    let parameters = &bytes[2..2 + end];
    let number: Option<u32> = std::str::from_utf8(parameters)
        .ok()
        .and_then(|text| text.split(';').next()?.parse().ok());
    let code = match (bytes[2 + end], number) {
        (b'~', Some(1 | 7)) => Some(Code::Home),
        (b'~', Some(4 | 8)) => Some(Code::End),
        (b'~', Some(5)) => Some(Code::PageUp),
        (b'~', Some(6)) => Some(Code::PageDown),
        (letter, _) => cursor(letter),
    };
    Step::Took(3 + end, code.map(Key::from))
}

fn cursor(letter: u8) -> Option<Code> {
    Some(match letter {
        b'A' => Code::Up,
        b'B' => Code::Down,
        b'C' => Code::Right,
        b'D' => Code::Left,
        b'H' => Code::Home,
        b'F' => Code::End,
        b'Z' => Code::BackTab,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(bytes: &[u8]) -> Vec<Key> {
        let mut decoder = Decoder::default();
        let mut keys = decoder.push(bytes);
        keys.extend(decoder.flush());
        keys
    }

    #[test]
    fn known_keys() {
        let table: &[(&[u8], &[Code])] = &[
            (b"jk", &[Code::Char('j'), Code::Char('k')]),
            (b"\x1b[A\x1b[B", &[Code::Up, Code::Down]),
            (b"\x1bOA", &[Code::Up]),
            (b"\x1b[5~\x1b[6~", &[Code::PageUp, Code::PageDown]),
            (b"\x1b[1~\x1b[F\x1b[H", &[Code::Home, Code::End, Code::Home]),
            (b"\x1b[1;5A", &[Code::Up]),
            (b"\x1b[Z\t", &[Code::BackTab, Code::Tab]),
            (b"\x1b", &[Code::Esc]),
            (b"\x1b\x1b[A", &[Code::Esc, Code::Up]),
            (b"\x1bq", &[Code::Esc, Code::Char('q')]),
            (b"\r\x7f", &[Code::Enter, Code::Backspace]),
            ("é".as_bytes(), &[Code::Char('é')]),
            (b"\xffj", &[Code::Char('j')]),
            (b"\x1b[?1;2c", &[]),
        ];
        for (bytes, expected) in table {
            let expected: Vec<Key> = expected.iter().map(|code| Key::from(*code)).collect();
            assert_eq!(codes(bytes), expected, "{bytes:?}");
        }
        assert_eq!(codes(b"\x03\x1a"), [Key::ctrl('c'), Key::ctrl('z')]);
    }

    #[test]
    fn a_split_sequence_is_one_key() {
        let mut decoder = Decoder::default();
        assert!(decoder.push(b"\x1b").is_empty());
        assert!(decoder.waits());
        assert_eq!(decoder.push(b"[5"), []);
        assert_eq!(decoder.push(b"~"), [Key::from(Code::PageUp)]);
        assert!(!decoder.waits());
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_end_and_never_pile_up(bytes in proptest::collection::vec(0u8.., 0..300)) {
            let mut decoder = Decoder::default();
            for chunk in bytes.chunks(7) {
                decoder.push(chunk);
                assert!(decoder.pending.len() <= LONGEST);
            }
            decoder.flush();
            assert!(!decoder.waits());
        }
    }
}
