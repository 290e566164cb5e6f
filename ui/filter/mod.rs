//! The filter language of the lists: words, `field:value`, comparisons with units, `!`, `or`, parentheses.
//!
//! A list says in a [`Schema`] what can be asked of its rows, and its rows answer through [`Facts`].
//! A filter is parsed once and then looks at a million rows without allocating.

pub(crate) mod changes;
mod compare;
pub(crate) mod complete;
mod expr;
mod facts;
mod lex;
mod parse;
mod print;
pub(crate) mod rows;
mod schema;
mod value;

use std::fmt;

use expr::Expr;
pub(crate) use facts::{Fact, Facts};
pub(crate) use schema::{Field, Kind, Schema, Unit};

/// What a list shows of its rows. The default shows all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Filter {
    expr: Option<Expr>,
}

/// Where a filter text went wrong, and what to write instead.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct FilterError {
    /// First character of what is wrong, counted from 1; one past the end if something is missing there.
    pub(crate) column: usize,
    /// How many characters are wrong; 0 if something is missing.
    pub(crate) length: usize,
    /// One sentence that says what to do. It quotes the text: clean it before it is drawn.
    pub(crate) message: String,
}

/// A filter as it was written, and what of it is in force: while a text makes no sense, the last one
/// that did.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Written {
    /// The text.
    pub(crate) text: String,
    /// What it means.
    pub(crate) filter: Filter,
}

impl Written {
    /// Takes another text.
    pub(crate) fn write(&mut self, text: &str, schema: &'static Schema) -> Result<(), FilterError> {
        text.clone_into(&mut self.text);
        self.filter = Filter::parse(text, schema)?;
        Ok(())
    }
}

impl Filter {
    /// Reads a filter text against the fields of a list. A blank text matches every row.
    pub(crate) fn parse(text: &str, schema: &'static Schema) -> Result<Filter, FilterError> {
        Ok(Filter {
            expr: parse::parse(text, schema)?,
        })
    }

    /// Whether the row is shown.
    pub(crate) fn matches(&self, row: &impl Facts) -> bool {
        self.expr.as_ref().is_none_or(|expr| expr.matches(row))
    }

    /// A text in small letters that stands in the name of every host of the store that is shown, or in
    /// that of the list it came from; none if the filter asks for no such text.
    pub(crate) fn named(&self) -> Option<&str> {
        self.expr.as_ref()?.named()
    }

    /// Whether every row is shown whatever it says.
    pub(crate) fn is_all(&self) -> bool {
        self.expr.is_none()
    }
}

/// The filter as a text that parses to the same filter.
impl fmt::Display for Filter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.expr {
            Some(expr) => print::expr(expr, out),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod properties;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
