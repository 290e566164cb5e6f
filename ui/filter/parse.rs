//! Tokens to a filter.

use super::compare::Needle;
use super::expr::Expr;
use super::lex::{Asked, Span, Token, tokens};
use super::{Field, FilterError, Schema, value};
use crate::text::near;

/// Parentheses within parentheses; more is a mistake.
const DEEPEST: usize = 32;

/// Reads a text; nothing if it is blank.
pub(super) fn parse(text: &str, schema: &'static Schema) -> Result<Option<Expr>, FilterError> {
    let tokens = tokens(text);
    if tokens.is_empty() {
        return Ok(None);
    }
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        end: text.chars().count(),
        depth: 0,
        schema,
    };
    let expr = parser.any()?;
    match parser.peek() {
        None => Ok(Some(expr)),
        // Only a closing parenthesis ends an expression early.
        Some(_) => Err(wrong(
            parser.here(),
            "Remove this `)`, or open one before it.",
        )),
    }
}

pub(super) fn wrong(at: Span, message: impl Into<String>) -> FilterError {
    FilterError {
        column: at.start + 1,
        length: at.length,
        message: message.into(),
    }
}

struct Parser<'a> {
    tokens: &'a [(Token, Span)],
    at: usize,
    end: usize,
    depth: usize,
    schema: &'static Schema,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at).map(|(token, _)| token)
    }

    fn here(&self) -> Span {
        let end = Span {
            start: self.end,
            length: 0,
        };
        self.tokens.get(self.at).map_or(end, |(_, span)| *span)
    }

    fn take(&mut self, token: &Token) -> bool {
        let taken = self.peek() == Some(token);
        self.at += usize::from(taken);
        taken
    }

    fn any(&mut self) -> Result<Expr, FilterError> {
        let mut parts = vec![self.all()?];
        while self.take(&Token::Or) {
            parts.push(self.all()?);
        }
        Expr::any(parts).ok_or_else(|| self.missing())
    }

    fn all(&mut self) -> Result<Expr, FilterError> {
        let mut parts = vec![self.not()?];
        while !matches!(self.peek(), None | Some(Token::Or | Token::Close)) {
            self.take(&Token::And);
            parts.push(self.not()?);
        }
        Expr::all(parts).ok_or_else(|| self.missing())
    }

    fn not(&mut self) -> Result<Expr, FilterError> {
        let mut negated = false;
        while self.take(&Token::Not) {
            negated = !negated;
        }
        let expr = self.one()?;
        Ok(if negated { expr.negate() } else { expr })
    }

    fn one(&mut self) -> Result<Expr, FilterError> {
        let at = self.here();
        let Some(token) = self.peek() else {
            return Err(self.missing());
        };
        self.at += 1;
        match token {
            Token::Open => self.group(at),
            Token::Word(text) | Token::Quoted(text) => text_of(text, at),
            Token::Asked(asked) => self.asked(asked),
            Token::Unclosed => Err(wrong(at, "Close the quote with a second `\"`.")),
            Token::Close | Token::Or | Token::And | Token::Not => {
                self.at -= 1;
                Err(self.missing())
            }
        }
    }

    fn group(&mut self, opened: Span) -> Result<Expr, FilterError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let message = format!("Use at most {DEEPEST} parentheses within each other.");
            return Err(wrong(opened, message));
        }
        let expr = self.any()?;
        self.depth -= 1;
        if self.take(&Token::Close) {
            Ok(expr)
        } else {
            Err(wrong(opened, "Close this `(` with a `)`."))
        }
    }

    fn asked(&self, asked: &Asked) -> Result<Expr, FilterError> {
        let field = self.field(asked)?;
        value::test(asked, field)
    }

    fn field(&self, asked: &Asked) -> Result<&'static Field, FilterError> {
        self.schema.field(&asked.name).ok_or_else(|| {
            let names = self.schema.fields.iter().map(|field| field.name);
            let name = &asked.name;
            let instead = near::instead_of(name, names);
            let message = format!(
                "No field is called {name}: {instead}, or put the text in quotes to look for it."
            );
            wrong(asked.name_at, message)
        })
    }

    fn missing(&self) -> FilterError {
        let at = self.here();
        let message = match self
            .tokens
            .get(self.at.wrapping_sub(1))
            .map(|(token, _)| token)
        {
            Some(Token::Or) => "Write what else may match after `or`.",
            Some(Token::And) => "Write what else must match after `and`.",
            Some(Token::Not) => "Write what must not match after `!`.",
            Some(Token::Open) => "Write something between the parentheses.",
            _ => "Write something to look for before this.",
        };
        wrong(at, message)
    }
}

fn text_of(text: &str, at: Span) -> Result<Expr, FilterError> {
    if text.is_empty() {
        return Err(wrong(at, "Write something between the quotes."));
    }
    Ok(Expr::Text(Needle::new(text)))
}
