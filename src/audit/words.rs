//! Numbers, spans and times as the findings write them.

use jiff::Timestamp;

/// `1,234,567`.
pub(super) fn number(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if value < 0 {
        out.push('-');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// [`number`] of a count.
pub(super) fn count(value: u64) -> String {
    number(i64::try_from(value).unwrap_or(i64::MAX))
}

/// `3 gaps`, `1 gap`, `1 pair of requests`: a count of what is named in the plural.
pub(super) fn counted(value: u64, units: &str) -> String {
    let number = count(value);
    let (first, rest) = units.split_once(' ').unwrap_or((units, ""));
    match first.strip_suffix('s') {
        Some(_) if value == 1 && units.contains(" and ") => format!("{number} of {units}"),
        Some(one) if value == 1 => format!("{number} {one} {rest}").trim_end().to_owned(),
        _ => format!("{number} {units}"),
    }
}

/// `2026-11-30 08:14:06.412Z`.
pub(super) fn utc(at: Timestamp) -> String {
    let text = format!("{at:.3}");
    text.replace('T', " ")
}

/// A span in the two largest units that matter: `6 d 18 h`, `3 h 05 min`, `41.250 s`.
pub(super) fn span(ms: i64) -> String {
    let sign = if ms < 0 { "-" } else { "" };
    let ms = ms.unsigned_abs();
    let (seconds, minutes) = (ms / 1000, ms / 60_000);
    match minutes {
        0 => format!("{sign}{seconds}.{:03} s", ms % 1000),
        1..60 => format!("{sign}{minutes} min {:02} s", seconds % 60),
        60..1440 => format!("{sign}{} h {:02} min", minutes / 60, minutes % 60),
        _ => format!("{sign}{} d {:02} h", minutes / 1440, minutes / 60 % 24),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        for (value, text) in [
            (0, "0"),
            (999, "999"),
            (2003, "2,003"),
            (-1_234_567, "-1,234,567"),
        ] {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn one_is_not_many() {
        for (value, units, text) in [
            (1, "challenges", "1 challenge"),
            (2, "challenges", "2 challenges"),
            (1, "pairs of requests", "1 pair of requests"),
            (1, "visits and requests", "1 of visits and requests"),
        ] {
            assert_eq!(counted(value, units), text);
        }
    }

    #[test]
    fn spans_take_two_units() {
        for (ms, text) in [
            (1_999, "1.999 s"),
            (61_000, "1 min 01 s"),
            (11_100_000, "3 h 05 min"),
            (583_200_000, "6 d 18 h"),
            (-500, "-0.500 s"),
        ] {
            assert_eq!(span(ms), text);
        }
    }

    #[test]
    fn times_are_utc_with_milliseconds() {
        let at = Timestamp::from_millisecond(1_796_026_446_000).expect("a time");
        assert_eq!(utc(at), "2026-11-30 08:14:06.000Z");
    }
}
