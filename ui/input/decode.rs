//! Bytes of a terminal to what the operator did.
//!
//! We read the terminal ourselves: a reader that takes the end of input for "nothing yet" would spin
//! when the terminal is gone.

use super::{Code, Gesture, Key, Mouse, MouseKind};

/// Longest sequence waited for; a longer one is noise.
const LONGEST: usize = 64;
/// Longest text pasted at once; what is longer is cut.
const LONGEST_PASTE: usize = 4_096;
/// How a terminal frames what is pasted (bracketed paste).
const PASTE_BEGINS: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// Bytes in, keys out; keeps a sequence that has not ended yet.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    pending: Vec<u8>,
    /// What has been pasted so far, while a paste has begun and not ended.
    pasted: Option<Vec<u8>>,
}

enum Step {
    /// So many bytes were this, or nothing of ours.
    Took(usize, Option<Gesture>),
    /// More bytes must come.
    More,
}

impl Decoder {
    /// Takes bytes as read and gives what they complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<Gesture> {
        self.pending.extend_from_slice(bytes);
        let mut inputs = Vec::new();
        let mut from = 0;
        while from < self.pending.len() {
            if self.pasted.is_some() {
                let (to, ended) = self.paste(from);
                from = to;
                match ended {
                    Some(text) => inputs.push(Gesture::Paste(text)),
                    None => break,
                }
                continue;
            }
            let rest = &self.pending[from..];
            if rest.starts_with(PASTE_BEGINS) {
                self.pasted = Some(Vec::new());
                from += PASTE_BEGINS.len();
                continue;
            }
            match step(rest) {
                Step::Took(length, input) => {
                    from += length.max(1);
                    inputs.extend(input);
                }
                Step::More if rest.len() > LONGEST => from = self.pending.len(),
                Step::More => break,
            }
        }
        self.pending.drain(..from);
        inputs
    }

    /// Collects a paste from `from` on: where it got to, and the whole text if it has ended.
    fn paste(&mut self, from: usize) -> (usize, Option<String>) {
        let rest = &self.pending[from..];
        let end = rest
            .windows(PASTE_ENDS.len())
            .position(|window| window == PASTE_ENDS);
        // Without an end the last bytes may be its beginning.
        let taken = end.unwrap_or(rest.len().saturating_sub(PASTE_ENDS.len() - 1));
        let pasted = self.pasted.get_or_insert_default();
        let room = LONGEST_PASTE.saturating_sub(pasted.len());
        pasted.extend(rest.iter().take(taken.min(room)));
        match end {
            Some(at) => {
                let text = String::from_utf8_lossy(pasted).into_owned();
                self.pasted = None;
                (from + at + PASTE_ENDS.len(), Some(text))
            }
            None => (from + taken, None),
        }
    }

    /// A sequence has begun and not ended.
    pub(crate) fn waits(&self) -> bool {
        !self.pending.is_empty() && self.pasted.is_none()
    }

    /// No more bytes came in time: a lone ESC was the key itself.
    pub(crate) fn flush(&mut self) -> Vec<Gesture> {
        if self.pasted.is_some() {
            return Vec::new();
        }
        let escape = self.pending.first() == Some(&0x1b);
        let rest: Vec<u8> = self.pending.drain(..).skip(1).collect();
        if !escape {
            return Vec::new();
        }
        let mut keys = vec![pressed(Code::Esc)];
        // Of an unfinished sequence nothing but the ESC can be meant.
        if !matches!(rest.first(), Some(b'[' | b'O')) {
            keys.extend(self.push(&rest));
            self.pending.clear();
        }
        keys
    }
}

fn pressed(code: Code) -> Gesture {
    Gesture::Key(code.into())
}

fn step(bytes: &[u8]) -> Step {
    let took = |length, code: Code| Step::Took(length, Some(pressed(code)));
    match bytes[0] {
        0x1b => escape(bytes),
        b'\r' | b'\n' => took(1, Code::Enter),
        b'\t' => took(1, Code::Tab),
        0x7f | 0x08 => took(1, Code::Backspace),
        byte @ 1..=26 => Step::Took(
            1,
            Some(Gesture::Key(Key::ctrl(char::from(byte - 1 + b'a')))),
        ),
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
        Some(char) => Step::Took(length, Some(pressed(Code::Char(char)))),
        None => Step::Took(1, None),
    }
}

fn escape(bytes: &[u8]) -> Step {
    match bytes.get(1) {
        None => Step::More,
        Some(b'[') => control_sequence(bytes),
        Some(b'O') => match bytes.get(2) {
            None => Step::More,
            Some(letter) => Step::Took(3, cursor(*letter).map(pressed)),
        },
        // ESC and then something else: two keys.
        Some(_) => Step::Took(1, Some(pressed(Code::Esc))),
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
    if let (Some(b'<'), last @ (b'M' | b'm')) = (parameters.first(), bytes[2 + end]) {
        return Step::Took(3 + end, mouse(&parameters[1..], last == b'M'));
    }
    let number: Option<u32> = std::str::from_utf8(parameters)
        .ok()
        .and_then(|text| text.split(';').next()?.parse().ok());
    let code = match (bytes[2 + end], number) {
        (b'~', Some(1 | 7)) => Some(Code::Home),
        (b'~', Some(3)) => Some(Code::Delete),
        (b'~', Some(4 | 8)) => Some(Code::End),
        (b'~', Some(5)) => Some(Code::PageUp),
        (b'~', Some(6)) => Some(Code::PageDown),
        (letter, _) => cursor(letter),
    };
    Step::Took(3 + end, code.map(pressed))
}

/// `button;column;row` of an SGR mouse report, both from 1.
fn mouse(parameters: &[u8], down: bool) -> Option<Gesture> {
    let text = std::str::from_utf8(parameters).ok()?;
    let mut numbers = text.split(';').map(str::parse::<u16>);
    let (button, column, row) = (
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
        numbers.next()?.ok()?,
    );
    let kind = match button {
        0 if down => MouseKind::Press,
        64 => MouseKind::Up,
        65 => MouseKind::Down,
        _ => return None,
    };
    Some(Gesture::Mouse(Mouse {
        kind,
        column: column.checked_sub(1)?,
        row: row.checked_sub(1)?,
    }))
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

    fn codes(bytes: &[u8]) -> Vec<Gesture> {
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
            let expected: Vec<Gesture> = expected.iter().map(|code| pressed(*code)).collect();
            assert_eq!(codes(bytes), expected, "{bytes:?}");
        }
        assert_eq!(
            codes(b"\x03\x1a"),
            [Key::ctrl('c'), Key::ctrl('z')].map(Gesture::Key)
        );
    }

    #[test]
    fn a_split_sequence_is_one_key() {
        let mut decoder = Decoder::default();
        assert!(decoder.push(b"\x1b").is_empty());
        assert!(decoder.waits());
        assert_eq!(decoder.push(b"[5"), []);
        assert_eq!(decoder.push(b"~"), [pressed(Code::PageUp)]);
        assert!(!decoder.waits());
    }

    #[test]
    fn clicks_and_the_wheel() {
        let at = |kind, column, row| Gesture::Mouse(Mouse { kind, column, row });
        let table: &[(&[u8], &[Gesture])] = &[
            (b"\x1b[<0;3;7M\x1b[<0;3;7m", &[at(MouseKind::Press, 2, 6)]),
            (
                b"\x1b[<64;1;1M\x1b[<65;500;200M",
                &[at(MouseKind::Up, 0, 0), at(MouseKind::Down, 499, 199)],
            ),
            (b"\x1b[<2;3;7M\x1b[<35;3;7M", &[]),
            (b"\x1b[<0;0;0M\x1b[<0;99999999;1M\x1b[<0;1M", &[]),
        ];
        for (bytes, expected) in table {
            assert_eq!(codes(bytes), *expected, "{bytes:?}");
        }
    }

    #[test]
    fn a_paste_is_one_text_however_it_is_cut() {
        let bytes = b"j\x1b[200~a:b\nq\x1b[A \xff\x1b[201~k";
        for size in 1..bytes.len() {
            let mut decoder = Decoder::default();
            let mut inputs = Vec::new();
            for chunk in bytes.chunks(size) {
                inputs.extend(decoder.push(chunk));
            }
            let paste = Gesture::Paste("a:b\nq\u{1b}[A \u{fffd}".to_owned());
            let keys = [Code::Char('j'), Code::Char('k')].map(pressed);
            assert_eq!(inputs, [keys[0].clone(), paste, keys[1].clone()], "{size}");
        }
    }

    #[test]
    fn a_long_paste_is_cut() {
        let mut decoder = Decoder::default();
        decoder.push(b"\x1b[200~");
        for _ in 0..100 {
            decoder.push(&[b'x'; 1_000]);
        }
        let [Gesture::Paste(text)] = &decoder.push(b"\x1b[201~")[..] else {
            panic!("one paste");
        };
        assert_eq!(text.len(), LONGEST_PASTE);
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
