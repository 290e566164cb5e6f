//! A key and its name: the same words in the keymap file, the footer and the help.

use std::fmt;
use std::str::FromStr;

/// A key without modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Code {
    Char(char),
    Enter,
    Tab,
    BackTab,
    Backspace,
    Delete,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key {
    /// Which.
    pub(crate) code: Code,
    /// With Ctrl.
    pub(crate) ctrl: bool,
}

/// Keys that are named by a word.
const NAMED: [(&str, Code); 15] = [
    ("Enter", Code::Enter),
    ("Tab", Code::Tab),
    ("Shift-Tab", Code::BackTab),
    ("Backspace", Code::Backspace),
    ("Delete", Code::Delete),
    ("Esc", Code::Esc),
    ("Up", Code::Up),
    ("Down", Code::Down),
    ("Left", Code::Left),
    ("Right", Code::Right),
    ("Home", Code::Home),
    ("End", Code::End),
    ("PgUp", Code::PageUp),
    ("PgDn", Code::PageDown),
    ("Space", Code::Char(' ')),
];

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

    /// The character it types into a line, if any.
    pub(crate) fn typed(self) -> Option<char> {
        match self.code {
            Code::Char(char) if !self.ctrl => Some(char),
            _ => None,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((name, _)) = NAMED.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            Code::Char(char) if self.ctrl => write!(f, "Ctrl-{}", char.to_ascii_uppercase()),
            Code::Char(char) => write!(f, "{char}"),
            _ => Ok(()),
        }
    }
}

/// A name that is no key's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "is no key; write one character, Ctrl and a letter (Ctrl-D), or a name such as Enter, Esc, Space, PgUp"
)]
pub(crate) struct NoKey;

impl FromStr for Key {
    type Err = NoKey;

    fn from_str(name: &str) -> Result<Key, NoKey> {
        let named = NAMED
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        if let Some((_, code)) = named {
            return Ok(Key::from(*code));
        }
        let (ctrl, rest) = match name.get(..5) {
            Some(start) if start.eq_ignore_ascii_case("Ctrl-") => (true, &name[5..]),
            _ => (false, name),
        };
        let mut chars = rest.chars();
        match (chars.next(), chars.next()) {
            (Some(char), None) if ctrl && char.is_ascii_alphabetic() => {
                // These letters are what the keys of those names send.
                match char.to_ascii_lowercase() {
                    'h' | 'i' | 'j' | 'm' => Err(NoKey),
                    letter => Ok(Key::ctrl(letter)),
                }
            }
            (Some(char), None) if !ctrl && !char.is_control() && char != ' ' => {
                Ok(Key::from(Code::Char(char)))
            }
            _ => Err(NoKey),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_its_key_are_one() {
        for name in [
            "p",
            "G",
            "?",
            ":",
            "/",
            "é",
            "Enter",
            "Shift-Tab",
            "Space",
            "Ctrl-C",
            "PgDn",
            "Esc",
        ] {
            let key: Key = name.parse().unwrap();
            assert_eq!(key.to_string(), name);
        }
        assert_eq!("ctrl-c".parse(), Ok(Key::ctrl('c')));
        assert_eq!("PGUP".parse(), Ok(Key::from(Code::PageUp)));
    }

    #[test]
    fn what_no_terminal_sends_is_refused() {
        for name in [
            "", "pp", "Ctrl-", "Ctrl-1", "Ctrl-I", "Alt-x", " ", "\u{1b}", "Ctrl-é",
        ] {
            assert_eq!(name.parse::<Key>(), Err(NoKey), "{name:?}");
        }
    }
}
