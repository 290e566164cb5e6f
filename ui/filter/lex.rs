//! A filter text cut into tokens, each with the characters it came from.

/// Characters of the text: from, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// From 0.
    pub(super) start: usize,
    pub(super) length: usize,
}

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Open,
    Close,
    Or,
    And,
    Not,
    /// A word without quotes.
    Word(String),
    /// A text in quotes, without them.
    Quoted(String),
    /// A name with an operator right behind it, and a value right behind that.
    Asked(Asked),
    /// A quote that is never closed.
    Unclosed,
}

/// `size>=1mb`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) name_at: Span,
    pub(super) sign: &'static str,
    pub(super) sign_at: Span,
    pub(super) value: String,
    pub(super) value_at: Span,
    pub(super) quoted: bool,
}

/// The operators, longer ones first.
const SIGNS: [&str; 7] = [">=", "<=", "!=", ":", "=", ">", "<"];

/// Cuts a text into tokens. Nothing fails here: what is wrong becomes a token that says so.
pub(super) fn tokens(text: &str) -> Vec<(Token, Span)> {
    let chars: Vec<char> = text.chars().collect();
    let mut reader = Reader { chars, at: 0 };
    let mut tokens = Vec::new();
    while let Some(start) = reader.skip_blank() {
        let token = reader.token();
        let length = reader.at - start;
        tokens.push((token, Span { start, length }));
    }
    tokens
}

/// Whether a character ends a word.
pub(super) fn ends_word(char: char) -> bool {
    char.is_whitespace() || matches!(char, '(' | ')' | '|' | '"')
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn skip_blank(&mut self) -> Option<usize> {
        while self.chars.get(self.at)?.is_whitespace() {
            self.at += 1;
        }
        Some(self.at)
    }

    fn token(&mut self) -> Token {
        let single = match self.chars[self.at] {
            '(' => Token::Open,
            ')' => Token::Close,
            '|' => Token::Or,
            '!' => Token::Not,
            '"' => return self.quoted().map_or(Token::Unclosed, Token::Quoted),
            _ => return self.word(),
        };
        self.at += 1;
        single
    }

    fn quoted(&mut self) -> Option<String> {
        self.at += 1;
        let mut text = String::new();
        while let Some(char) = self.chars.get(self.at).copied() {
            self.at += 1;
            match char {
                '"' => return Some(text),
                '\\' => {
                    text.push(*self.chars.get(self.at)?);
                    self.at += 1;
                }
                _ => text.push(char),
            }
        }
        None
    }

    fn word(&mut self) -> Token {
        let start = self.at;
        while self.more(char::is_alphanumeric, '_') {
            self.at += 1;
        }
        let named = self.at > start && self.chars[start].is_alphabetic();
        if let Some(sign) = self.sign().filter(|_| named) {
            return self.asked(start, sign);
        }
        let text = self.rest_of_word(start);
        match text.to_ascii_lowercase().as_str() {
            "or" => Token::Or,
            "and" => Token::And,
            "not" => Token::Not,
            _ => Token::Word(text),
        }
    }

    fn more(&self, is: fn(char) -> bool, or: char) -> bool {
        self.chars
            .get(self.at)
            .is_some_and(|char| is(*char) || *char == or)
    }

    fn rest_of_word(&mut self, start: usize) -> String {
        while self
            .chars
            .get(self.at)
            .is_some_and(|char| !ends_word(*char))
        {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn sign(&self) -> Option<&'static str> {
        let rest = &self.chars[self.at..];
        SIGNS
            .into_iter()
            .find(|sign| sign.chars().zip(rest).filter(|(a, b)| a == *b).count() == sign.len())
    }

    fn asked(&mut self, start: usize, sign: &'static str) -> Token {
        let name_at = Span {
            start,
            length: self.at - start,
        };
        let name = self.chars[start..self.at].iter().collect();
        let sign_at = Span {
            start: self.at,
            length: sign.len(),
        };
        self.at += sign.len();
        let from = self.at;
        let quoted = self.chars.get(from) == Some(&'"');
        let value = if quoted {
            match self.quoted() {
                Some(value) => value,
                None => return Token::Unclosed,
            }
        } else {
            self.rest_of_word(from)
        };
        Token::Asked(Asked {
            name,
            name_at,
            sign,
            sign_at,
            value,
            value_at: Span {
                start: from,
                length: self.at - from,
            },
            quoted,
        })
    }
}
