//! A parsed filter: kept flat, so that what is printed and parsed again is equal.

use jiff::Timestamp;

use super::compare::{Needle, Order};
use super::{Fact, Facts, Field};

/// What must hold of a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expr {
    /// All of them; two or more, none of them an `And`.
    And(Vec<Expr>),
    /// One of them; two or more, none of them an `Or`.
    Or(Vec<Expr>),
    /// Not this; never a `Not` again.
    Not(Box<Expr>),
    /// Somewhere in the row's text.
    Text(Needle),
    /// The answer for a field fits.
    Field(&'static Field, Test),
}

/// What must hold of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Test {
    /// There is no answer.
    Absent,
    /// One of these words.
    Words(Vec<&'static str>),
    /// Contains this.
    Contains(Needle),
    /// Is this, whatever the case.
    Is(Needle),
    /// A status in one of these ranges, both ends included.
    Statuses(Vec<(u16, u16)>),
    /// A status so compared.
    Status(Order, u16),
    /// A number in its base unit, so compared.
    Number(Order, u64),
    /// Milliseconds, so compared: a length, an age, a time left.
    Millis(Order, i64),
}

impl Expr {
    /// All of these; at least one.
    pub(super) fn all(parts: Vec<Expr>) -> Option<Expr> {
        let flat = parts.into_iter().flat_map(|part| match part {
            Expr::And(inner) => inner,
            other => vec![other],
        });
        join(flat.collect(), Expr::And)
    }

    /// One of these; at least one.
    pub(super) fn any(parts: Vec<Expr>) -> Option<Expr> {
        let flat = parts.into_iter().flat_map(|part| match part {
            Expr::Or(inner) => inner,
            other => vec![other],
        });
        join(flat.collect(), Expr::Or)
    }

    /// Not this.
    pub(super) fn negate(self) -> Expr {
        match self {
            Expr::Not(inner) => *inner,
            other => Expr::Not(Box::new(other)),
        }
    }

    /// A text that stands in the name of every host that matches, or in that of the list it came from.
    pub(super) fn named(&self) -> Option<&str> {
        match self {
            Expr::And(parts) => {
                let named = parts.iter().filter_map(Expr::named);
                named.max_by_key(|part| part.len())
            }
            Expr::Text(needle) => Some(needle.folded()),
            Expr::Field(field, Test::Contains(needle) | Test::Is(needle))
                if field.name == "host" =>
            {
                Some(needle.folded())
            }
            Expr::Or(_) | Expr::Not(_) | Expr::Field(..) => None,
        }
    }

    pub(super) fn matches(&self, row: &impl Facts) -> bool {
        match self {
            Expr::And(parts) => parts.iter().all(|part| part.matches(row)),
            Expr::Or(parts) => parts.iter().any(|part| part.matches(row)),
            Expr::Not(inner) => !inner.matches(row),
            Expr::Text(needle) => (0..)
                .map_while(|piece| row.text(piece))
                .any(|text| needle.is_in(text)),
            Expr::Field(field, test) => test.fits(row.fact(field.name), field, row),
        }
    }
}

fn join(mut parts: Vec<Expr>, many: fn(Vec<Expr>) -> Expr) -> Option<Expr> {
    if parts.len() > 1 {
        Some(many(parts))
    } else {
        parts.pop()
    }
}

impl Test {
    fn fits(&self, fact: Fact<'_>, field: &Field, row: &impl Facts) -> bool {
        match (self, fact) {
            (Test::Absent, fact) => fact.is_none(),
            (Test::Words(words), Fact::Word(word)) => words.contains(&word),
            (Test::Contains(needle), Fact::Text(text) | Fact::Word(text)) => needle.is_in(text),
            (Test::Is(needle), Fact::Text(text) | Fact::Word(text)) => needle.is(text),
            (Test::Statuses(ranges), fact) => one_status(fact, |status| {
                ranges
                    .iter()
                    .any(|(least, most)| (*least..=*most).contains(&status))
            }),
            (Test::Status(order, than), fact) => {
                one_status(fact, |status| order.holds(status, *than))
            }
            (Test::Number(order, than), Fact::Number(number)) => order.holds(number, *than),
            (Test::Millis(order, than), Fact::Duration(length)) => {
                order.holds(length.as_millis(), u128::try_from(*than).unwrap_or(0))
            }
            (Test::Millis(order, than), Fact::Time(time)) => {
                order.holds(away(field, time, row.now()), *than)
            }
            _ => false,
        }
    }
}

fn one_status(fact: Fact<'_>, fits: impl Fn(u16) -> bool) -> bool {
    match fact {
        Fact::Status(status) => fits(status),
        Fact::Statuses(statuses) => statuses.iter().any(|status| fits(*status)),
        _ => false,
    }
}

/// Milliseconds passed since a time, or left until it.
fn away(field: &Field, time: Timestamp, now: Timestamp) -> i64 {
    let (now, time) = (now.as_millisecond(), time.as_millisecond());
    if field.kind == super::Kind::Future {
        time - now
    } else {
        now - time
    }
}
