//! One line being written.

use unicode_segmentation::UnicodeSegmentation;

use crate::input::{Code, Key};
use crate::text::Clean;

/// Longest line, in bytes.
const LONGEST: usize = 1_000;

/// A line and the place in it where the next character goes, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Line {
    text: String,
    cursor: usize,
}

impl Line {
    /// A line with a text, to be written on at its end.
    pub(crate) fn new(text: impl Into<String>) -> Line {
        let text = text.into();
        Line {
            cursor: text.len(),
            text,
        }
    }

    /// What stands in it.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// What stands before the cursor.
    pub(crate) fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// The line as it may be drawn, and the column of the cursor.
    pub(crate) fn shown(&self) -> (Clean, usize) {
        (Clean::new(&self.text), Clean::new(self.before()).width())
    }

    /// Columns on the screen before the character that is the nth, from 1.
    pub(crate) fn columns_before(&self, nth: usize) -> usize {
        let before: String = self.text.chars().take(nth.saturating_sub(1)).collect();
        Clean::new(before).width()
    }

    /// Takes a key; true if the text was changed.
    pub(crate) fn pressed(&mut self, key: Key) -> bool {
        if let Some(char) = key.typed() {
            return self.insert(&char.to_string());
        }
        match (key.code, key.ctrl) {
            (Code::Left, _) => self.cursor = self.left(),
            (Code::Right, _) => self.cursor = self.right(),
            (Code::Home, _) | (Code::Char('a'), true) => self.cursor = 0,
            (Code::End, _) | (Code::Char('e'), true) => self.cursor = self.text.len(),
            (Code::Backspace, _) => return self.cut(self.left(), self.cursor),
            (Code::Delete, _) => return self.cut(self.cursor, self.right()),
            (Code::Char('u'), true) => return self.cut(0, self.cursor),
            (Code::Char('k'), true) => return self.cut(self.cursor, self.text.len()),
            (Code::Char('w'), true) => {
                let kept = self.before().trim_end();
                let blank = kept
                    .char_indices()
                    .rev()
                    .find(|(_, char)| char.is_whitespace());
                let word = blank.map_or(0, |(at, char)| at + char.len_utf8());
                return self.cut(word, self.cursor);
            }
            _ => {}
        }
        false
    }

    /// Writes a text at the cursor, its line breaks as blanks; true if something was written.
    pub(crate) fn insert(&mut self, text: &str) -> bool {
        let text: String = text
            .chars()
            .map(|char| if char.is_control() { ' ' } else { char })
            .collect();
        if text.is_empty() || self.text.len() + text.len() > LONGEST {
            return false;
        }
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
        true
    }

    /// Puts another text in its place.
    pub(crate) fn replace(&mut self, text: String, cursor: usize) {
        self.cursor = (0..=cursor.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0);
        self.text = text;
    }

    fn cut(&mut self, from: usize, to: usize) -> bool {
        self.text.replace_range(from..to, "");
        self.cursor = from;
        from < to
    }

    fn left(&self) -> usize {
        let before = self.before().grapheme_indices(true).next_back();
        before.map_or(0, |(at, _)| at)
    }

    fn right(&self) -> usize {
        let after = self.text[self.cursor..].graphemes(true).next();
        self.cursor + after.map_or(0, str::len)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(line: &mut Line, names: &[&str]) {
        for name in names {
            line.pressed(name.parse().unwrap());
        }
    }

    #[test]
    fn a_line_is_written_and_mended() {
        let mut line = Line::default();
        keys(
            &mut line,
            &["a", "é", "c", "Left", "Backspace", "b", "End", "d"],
        );
        assert_eq!(line.text(), "abcd");
        keys(
            &mut line,
            &["Home", "Delete", "Ctrl-E", "Space", "x", "y", "Ctrl-W"],
        );
        assert_eq!(line.text(), "bcd ");
        keys(&mut line, &["Left", "Ctrl-U"]);
        assert_eq!(line.text(), " ");
    }

    #[test]
    fn what_is_pasted_is_one_line() {
        let mut line = Line::new("ab");
        keys(&mut line, &["Left"]);
        assert!(line.insert("1\r\n2\u{1b}"));
        assert_eq!(line.text(), "a1  2 b");
        assert!(!line.insert(&"x".repeat(2_000)));
    }

    proptest::proptest! {
        #[test]
        fn no_keys_break_it(text in "\\PC{0,12}", steps in proptest::collection::vec(0usize..9, 0..40)) {
            let names = ["Left", "Right", "Home", "End", "Backspace", "Delete", "Ctrl-U", "Ctrl-W", "é"];
            let mut line = Line::new(text);
            for step in steps {
                keys(&mut line, &[names[step]]);
                assert!(line.text.is_char_boundary(line.cursor));
            }
        }
    }
}
