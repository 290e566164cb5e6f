//! Reading the value of a Crawl-delay line (PC3).

/// Seconds, finite and not negative; none if the value is no readable wait.
///
/// Read: `10`, `2.5`, `1,5`, `10s`, `10 seconds`, `2 min`, `1e3`. Not read: `inf`, `nan`, `-5`,
/// `1,000` (a thousand or one?), `[5]`. A number too large for an f64 is the largest one.
pub(super) fn seconds(value: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(value).ok()?;
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '"' || c == '\'');
    let (number, rest) = text.split_at(number_length(text));
    let factor = unit(rest)?;
    let number = decimal(number)?;
    Some((number * factor).min(f64::MAX))
}

/// How far the text is a number: sign, digits, points, commas, and an exponent.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let digits = |from: usize, also: &[u8]| {
        bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit() || also.contains(b))
            .count()
    };
    let end = sign + digits(sign, b".,");
    if end == sign || !matches!(bytes.get(end), Some(b'e' | b'E')) {
        return end;
    }
    let exponent_sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
    match digits(end + 1 + exponent_sign, b"") {
        0 => end,
        exponent => end + 1 + exponent_sign + exponent,
    }
}

fn decimal(number: &str) -> Option<f64> {
    // `10,` and `10.` are ten with a stop after it.
    let number = number.trim_end_matches([',', '.']);
    let text = match number.split_once(',') {
        None => number.to_owned(),
        // Three digits after a comma are as likely thousands.
        Some((_, after)) if after.len() == 3 || after.contains([',', '.']) => return None,
        Some((before, _)) if before.contains('.') => return None,
        Some((before, after)) => format!("{before}.{after}"),
    };
    let value: f64 = text.parse().ok()?;
    (value >= 0.0 && !value.is_sign_negative()).then_some(value.min(f64::MAX))
}

/// What a word after the number multiplies it by; none if the number runs into something unknown.
fn unit(rest: &str) -> Option<f64> {
    let word = rest
        .trim_start()
        .split(|c: char| !c.is_ascii_alphabetic())
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let factor = match word.as_str() {
        "" | "s" | "sec" | "secs" | "second" | "seconds" => Some(1.0),
        "m" | "min" | "mins" | "minute" | "minutes" => Some(60.0),
        "h" | "hour" | "hours" => Some(3600.0),
        "d" | "day" | "days" => Some(86_400.0),
        "ms" | "msec" | "millisecond" | "milliseconds" => Some(0.001),
        _ => None,
    };
    let parted = rest.is_empty() || rest.starts_with(|c: char| c.is_whitespace() || c == ';');
    match factor {
        Some(factor) if parted || !word.is_empty() => Some(factor),
        _ if parted => Some(1.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let rows: &[(&str, Option<f64>)] = &[
            ("10", Some(10.0)),
            ("2.5", Some(2.5)),
            (".5", Some(0.5)),
            ("+3", Some(3.0)),
            ("0", Some(0.0)),
            ("1,5", Some(1.5)),
            ("1,000", None),
            ("1.000,5", None),
            ("1,5,5", None),
            ("10s", Some(10.0)),
            ("10 s", Some(10.0)),
            ("10 Seconds", Some(10.0)),
            ("10;", Some(10.0)),
            ("\"10\"", Some(10.0)),
            ("10 Disallow: /", Some(10.0)),
            ("2 min", Some(120.0)),
            ("2m", Some(120.0)),
            ("500ms", Some(0.5)),
            ("1 hour", Some(3600.0)),
            ("1e3", Some(1000.0)),
            ("1e300", Some(1e300)),
            ("1e999", Some(f64::MAX)),
            ("99999999999999999999", Some(1e20)),
            ("-5", None),
            ("-0", None),
            ("- 5", None),
            ("inf", None),
            ("infinity", None),
            ("nan", None),
            ("", None),
            ("[5]", None),
            ("5-10", None),
            ("1/10", None),
            ("10x", None),
            ("e5", None),
            ("0x10", None),
            (",", None),
        ];
        for (value, expected) in rows {
            assert_eq!(seconds(value.as_bytes()), *expected, "{value:?}");
        }
        assert_eq!(seconds("9".repeat(500).as_bytes()), Some(f64::MAX));
        assert_eq!(seconds(b"\xFF5"), None);
    }
}
