//! A filter as text: canonical, and parsed again to an equal filter.

use std::fmt::{Formatter, Result, Write as _};

use super::compare::{Needle, Order};
use super::expr::{Expr, Test};
use super::{Field, Kind, Unit};

/// Writes an expression.
pub(super) fn expr(expr: &Expr, out: &mut Formatter<'_>) -> Result {
    match expr {
        Expr::And(parts) => joined(parts, " ", out),
        Expr::Or(parts) => joined(parts, " or ", out),
        Expr::Not(inner) => {
            out.write_char('!')?;
            grouped(inner, matches!(**inner, Expr::And(_) | Expr::Or(_)), out)
        }
        Expr::Text(needle) => text(needle, out),
        Expr::Field(field, test) => asked(field, test, out),
    }
}

fn joined(parts: &[Expr], between: &str, out: &mut Formatter<'_>) -> Result {
    for (at, part) in parts.iter().enumerate() {
        if at > 0 {
            out.write_str(between)?;
        }
        grouped(part, matches!(part, Expr::Or(_)), out)?;
    }
    Ok(())
}

fn grouped(inner: &Expr, parentheses: bool, out: &mut Formatter<'_>) -> Result {
    if !parentheses {
        return expr(inner, out);
    }
    out.write_char('(')?;
    expr(inner, out)?;
    out.write_char(')')
}

fn asked(field: &Field, test: &Test, out: &mut Formatter<'_>) -> Result {
    out.write_str(field.name)?;
    match test {
        Test::Absent => out.write_str(":none"),
        Test::Words(words) => write!(out, ":{}", words.join(",")),
        Test::Contains(needle) => {
            out.write_char(':')?;
            quoted(needle.folded(), out)
        }
        Test::Is(needle) => {
            out.write_char('=')?;
            quoted(needle.folded(), out)
        }
        Test::Statuses(ranges) => {
            out.write_char(':')?;
            for (at, (least, most)) in ranges.iter().enumerate() {
                let comma = if at > 0 { "," } else { "" };
                if least == most {
                    write!(out, "{comma}{least}")?;
                } else {
                    write!(out, "{comma}{}xx", least / 100)?;
                }
            }
            Ok(())
        }
        Test::Status(order, status) => write!(out, "{}{status}", order.sign()),
        Test::Number(order, number) => amount(field, *order, *number, out),
        Test::Millis(order, millis) => {
            amount(field, *order, u64::try_from(*millis).unwrap_or(0), out)
        }
    }
}

/// A number in the largest unit that says it exactly.
fn amount(field: &Field, order: Order, number: u64, out: &mut Formatter<'_>) -> Result {
    let units: &[(&str, u64)] = match field.kind {
        Kind::Number(Unit::Count) => &[("", 1)],
        Kind::Number(Unit::Bytes) => &[
            ("tb", 1_000_000_000_000),
            ("gb", 1_000_000_000),
            ("mb", 1_000_000),
            ("kb", 1_000),
            ("b", 1),
        ],
        _ => &[
            ("d", 86_400_000),
            ("h", 3_600_000),
            ("min", 60_000),
            ("s", 1_000),
            ("ms", 1),
        ],
    };
    let sign = order.sign();
    let unit = units
        .iter()
        .find(|(_, worth)| number > 0 && number.is_multiple_of(*worth));
    match unit {
        Some((name, worth)) => write!(out, "{sign}{}{name}", number / worth),
        None => write!(out, "{sign}{number}"),
    }
}

fn text(needle: &Needle, out: &mut Formatter<'_>) -> Result {
    let text = needle.folded();
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-./_".contains(&byte);
    if text.bytes().all(bare) && !matches!(text, "or" | "and" | "not") {
        out.write_str(text)
    } else {
        quoted(text, out)
    }
}

fn quoted(text: &str, out: &mut Formatter<'_>) -> Result {
    out.write_char('"')?;
    for char in text.chars() {
        if matches!(char, '"' | '\\') {
            out.write_char('\\')?;
        }
        out.write_char(char)?;
    }
    out.write_char('"')
}
