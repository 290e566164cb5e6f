//! The part behind a field's name: operator and value, by the kind of the field.

use super::compare::{Needle, Order};
use super::expr::{Expr, Test};
use super::lex::{Asked, Span};
use super::parse::wrong;
use super::{Field, FilterError, Kind, Unit};
use crate::text::near;

/// Units of a kind with what one is worth in the base unit; the first is used when none is written,
/// if it is empty.
pub(super) fn units(kind: Kind) -> &'static [(&'static str, u64)] {
    match kind {
        Kind::Number(Unit::Count) => &[("", 1), ("k", 1_000), ("m", 1_000_000)],
        Kind::Number(Unit::Bytes) => &[
            ("", 1),
            ("b", 1),
            ("kb", 1_000),
            ("mb", 1_000_000),
            ("gb", 1_000_000_000),
            ("tb", 1_000_000_000_000),
            ("kib", 1 << 10),
            ("mib", 1 << 20),
            ("gib", 1 << 30),
        ],
        Kind::Duration | Kind::Past | Kind::Future => &[
            ("ms", 1),
            ("s", 1_000),
            ("min", 60_000),
            ("m", 60_000),
            ("h", 3_600_000),
            ("d", 86_400_000),
            ("w", 604_800_000),
        ],
        Kind::Word(_) | Kind::Text | Kind::Status => &[],
    }
}

/// The test that an asked field is.
pub(super) fn test(asked: &Asked, field: &'static Field) -> Result<Expr, FilterError> {
    if asked.value.is_empty() {
        let message = format!(
            "Write a value right behind `{}`: {}",
            asked.sign, field.example
        );
        return Err(wrong(asked.value_at, message));
    }
    let (order, negated) = match asked.sign {
        "!=" => (Order::Same, true),
        "<" => (Order::Less, false),
        "<=" => (Order::AtMost, false),
        ">=" => (Order::AtLeast, false),
        ">" => (Order::More, false),
        _ => (Order::Same, false),
    };
    let expr = match presence(asked, field, order) {
        Some(expr) => expr,
        None => Expr::Field(field, compared(asked, field, order)?),
    };
    Ok(if negated { expr.negate() } else { expr })
}

/// `field:none` and `field:any`.
fn presence(asked: &Asked, field: &'static Field, order: Order) -> Option<Expr> {
    let named = matches!(field.kind, Kind::Word(words) if words.contains(&asked.value.as_str()));
    if asked.quoted || named || order != Order::Same {
        return None;
    }
    let absent = Expr::Field(field, Test::Absent);
    match asked.value.to_ascii_lowercase().as_str() {
        "none" => Some(absent),
        "any" => Some(absent.negate()),
        _ => None,
    }
}

fn compared(asked: &Asked, field: &'static Field, order: Order) -> Result<Test, FilterError> {
    match field.kind {
        Kind::Word(known) => {
            only_same(asked, field, order)?;
            words(asked, known).map(Test::Words)
        }
        Kind::Text => {
            only_same(asked, field, order)?;
            let needle = Needle::new(&asked.value);
            Ok(if asked.sign == ":" {
                Test::Contains(needle)
            } else {
                Test::Is(needle)
            })
        }
        Kind::Status if order == Order::Same => statuses(asked).map(Test::Statuses),
        Kind::Status => status(&asked.value)
            .map(|status| Test::Status(order, status))
            .ok_or_else(|| {
                wrong(
                    asked.value_at,
                    "Write a status from 100 to 599: status>=500",
                )
            }),
        Kind::Number(_) => quantity(asked, field).map(|number| Test::Number(order, number)),
        Kind::Duration => millis(asked, field).map(|length| Test::Millis(order, length)),
        Kind::Past | Kind::Future if order == Order::Same => {
            let message = format!(
                "Compare {} with < or >, or ask for none: {}",
                field.name, field.example
            );
            Err(wrong(asked.sign_at, message))
        }
        Kind::Past | Kind::Future => millis(asked, field).map(|away| Test::Millis(order, away)),
    }
}

fn only_same(asked: &Asked, field: &Field, order: Order) -> Result<(), FilterError> {
    if order == Order::Same {
        return Ok(());
    }
    let message = format!(
        "Words cannot be compared with `{}`: write {}",
        asked.sign, field.example
    );
    Err(wrong(asked.sign_at, message))
}

/// The parts of a list, each with its place.
fn parts(asked: &Asked) -> Vec<(&str, Span)> {
    let mut start = asked.value_at.start + usize::from(asked.quoted);
    let mut parts = Vec::new();
    for part in asked.value.split(',') {
        let length = part.chars().count();
        parts.push((part, Span { start, length }));
        start += length + 1;
    }
    parts
}

fn words(asked: &Asked, known: &'static [&'static str]) -> Result<Vec<&'static str>, FilterError> {
    let mut words = Vec::new();
    for (part, at) in parts(asked) {
        let word = known.iter().find(|word| word.eq_ignore_ascii_case(part));
        let Some(word) = word else {
            let instead = near::instead_of(part, known.iter().copied());
            let name = &asked.name;
            let message = format!("No {name} is called `{part}`: {instead}.");
            return Err(wrong(at, message));
        };
        if !words.contains(word) {
            words.push(*word);
        }
    }
    Ok(words)
}

fn statuses(asked: &Asked) -> Result<Vec<(u16, u16)>, FilterError> {
    let mut ranges = Vec::new();
    for (part, at) in parts(asked) {
        let range = status(part).map(|status| (status, status));
        let Some(range) = range.or_else(|| class(part)) else {
            let message =
                "Write statuses from 100 to 599, or classes: status:429 or status:4xx,503";
            return Err(wrong(at, message));
        };
        if !ranges.contains(&range) {
            ranges.push(range);
        }
    }
    Ok(ranges)
}

fn status(text: &str) -> Option<u16> {
    let digits = text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_digit());
    let status = text.parse().ok()?;
    (digits && (100..600).contains(&status)).then_some(status)
}

fn class(text: &str) -> Option<(u16, u16)> {
    let [digit @ b'1'..=b'5', b'x' | b'X', b'x' | b'X'] = text.as_bytes() else {
        return None;
    };
    let least = u16::from(digit - b'0') * 100;
    Some((least, least + 99))
}

fn millis(asked: &Asked, field: &'static Field) -> Result<i64, FilterError> {
    let millis = quantity(asked, field)?;
    i64::try_from(millis).map_err(|_| wrong(asked.value_at, "Write a shorter time."))
}

/// A number with its unit, in the base unit.
fn quantity(asked: &Asked, field: &'static Field) -> Result<u64, FilterError> {
    let text = asked.value.to_ascii_lowercase();
    let split = text
        .find(|char: char| !char.is_ascii_digit() && char != '.')
        .unwrap_or(text.len());
    let (number, unit) = text.split_at(split);
    let Some((mantissa, decimals)) = decimal(number) else {
        let message = format!("Write a number here: {}", field.example);
        return Err(wrong(asked.value_at, message));
    };
    if mantissa == 0 && unit.is_empty() {
        return Ok(0);
    }
    let units = units(field.kind);
    let Some((_, worth)) = units.iter().find(|(name, _)| *name == unit) else {
        let names: Vec<&str> = units.iter().map(|(name, _)| *name).collect();
        let names = names.join(" ");
        let message = format!(
            "Write one of these units behind the number: {}.",
            names.trim()
        );
        return Err(wrong(asked.value_at, message));
    };
    let scaled = mantissa.saturating_mul(u128::from(*worth));
    let divisor = 10u128.pow(decimals);
    if *worth == 1 && !scaled.is_multiple_of(divisor) {
        return Err(wrong(
            asked.value_at,
            "Write a whole number, or a larger unit.",
        ));
    }
    u64::try_from(scaled / divisor).map_err(|_| wrong(asked.value_at, "Write a smaller number."))
}

/// `1.5` as 15 and one decimal.
fn decimal(text: &str) -> Option<(u128, u32)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let fraction = fraction.trim_end_matches('0');
    if whole.is_empty() || whole.len() > 20 || fraction.len() > 9 {
        return None;
    }
    let mantissa = format!("{whole}{fraction}").parse().ok()?;
    Some((mantissa, u32::try_from(fraction.len()).ok()?))
}
