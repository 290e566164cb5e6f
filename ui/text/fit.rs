//! Numbers, sizes, durations and times as people read them; all times UTC with their Z.

use std::time::Duration;

use jiff::Timestamp;

/// `412,310`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 host`, `412,310 hosts`: a number with what it counts, named in the singular.
pub(crate) fn counted(number: u64, one: &str) -> String {
    let end = match one {
        _ if number == 1 => "",
        _ if one.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{} {one}{end}", count(number))
}

/// `4.1 kB`; decimal units.
#[allow(clippy::cast_precision_loss, reason = "one decimal is shown")]
pub(crate) fn bytes(number: u64) -> String {
    const UNITS: [&str; 5] = ["B", "kB", "MB", "GB", "TB"];
    if number < 1_000 {
        return format!("{number} B");
    }
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1_000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// `1.2 s`, `14 s`, `3 min`, `3 h 05`, `2 d 4 h`.
pub(crate) fn span(duration: Duration) -> String {
    let seconds = duration.as_secs();
    match seconds {
        0 if duration.is_zero() => "0 s".to_owned(),
        0..10 => format!("{:.1} s", duration.as_secs_f64()),
        10..120 => format!("{seconds} s"),
        120..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h {:02}", seconds / 3_600, seconds % 3_600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3_600),
    }
}

/// A gap: `2 s`, `60 s`, `20 ms`, `1.5 s`.
pub(crate) fn gap(duration: Duration) -> String {
    let millis = duration.as_millis();
    if millis < 1_000 {
        format!("{millis} ms")
    } else if millis.is_multiple_of(1_000) {
        format!("{} s", millis / 1_000)
    } else {
        format!("{:.1} s", duration.as_secs_f64())
    }
}

/// `02:14:07`, for how long something has been running.
pub(crate) fn stopwatch(duration: Duration) -> String {
    let seconds = duration.as_secs();
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3_600,
        seconds % 3_600 / 60,
        seconds % 60
    )
}

/// Share of a whole in percent, one decimal: `98.1 %`.
#[allow(clippy::cast_precision_loss, reason = "one decimal is shown")]
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "- %".to_owned();
    }
    format!("{:.1} %", part as f64 * 100.0 / whole as f64)
}

/// RFC 3339 with milliseconds: `2026-11-30T08:14:06.412Z`, as JSON carries it.
pub(crate) fn rfc3339(at: Timestamp) -> String {
    format!("{at:.3}")
}

/// `2026-11-30 08:14:06Z`, for tables.
pub(crate) fn second(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// `2026-11-30 08:14Z`, for narrow tables.
pub(crate) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%MZ").to_string()
}

/// `2026-11-30 08:14:06.412Z`, for logs.
pub(crate) fn milli(at: Timestamp) -> String {
    rfc3339(at).replacen('T', " ", 1)
}

/// `08:14:06.412Z`, for the live log.
pub(crate) fn time_milli(at: Timestamp) -> String {
    let text = rfc3339(at);
    text.split_once('T')
        .map_or_else(|| text.clone(), |(_, time)| time.to_owned())
}

/// `Mon 2026-11-30 08:14:07Z`, for the header.
pub(crate) fn clock(at: Timestamp) -> String {
    at.strftime("%a %Y-%m-%d %H:%M:%SZ").to_string()
}

/// How long from `now` to `then`; zero if it has passed.
pub(crate) fn until(now: Timestamp, then: Timestamp) -> Duration {
    Duration::try_from(then.duration_since(now)).unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_sizes() {
        let counts = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (4_400_021, "4,400,021"),
        ];
        for (number, text) in counts {
            assert_eq!(count(number), text);
        }
        let sizes = [
            (0, "0 B"),
            (999, "999 B"),
            (4_100, "4.1 kB"),
            (999_960, "1.0 MB"),
        ];
        for (number, text) in sizes {
            assert_eq!(bytes(number), text);
        }
        let counts = [
            (0, "0 breaches"),
            (1, "1 breach"),
            (1_002, "1,002 breaches"),
        ];
        for (number, text) in counts {
            assert_eq!(counted(number, "breach"), text);
        }
        assert_eq!(counted(1, "host"), "1 host");
        assert_eq!(counted(2, "host"), "2 hosts");
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(0, 0), "- %");
    }

    #[test]
    fn durations() {
        let spans = [
            (0, "0 s"),
            (1_200, "1.2 s"),
            (14_000, "14 s"),
            (180_000, "3 min"),
        ];
        for (millis, text) in spans {
            assert_eq!(span(Duration::from_millis(millis)), text);
        }
        assert_eq!(span(Duration::from_secs(11_100)), "3 h 05");
        assert_eq!(span(Duration::from_secs(187_200)), "2 d 4 h");
        assert_eq!(gap(Duration::from_millis(20)), "20 ms");
        assert_eq!(gap(Duration::from_secs(60)), "60 s");
        assert_eq!(stopwatch(Duration::from_secs(8_047)), "02:14:07");
    }

    #[test]
    fn times_are_utc() {
        let at: Timestamp = "2026-11-30T08:14:06.4127Z".parse().unwrap();
        assert_eq!(rfc3339(at), "2026-11-30T08:14:06.412Z");
        assert_eq!(second(at), "2026-11-30 08:14:06Z");
        assert_eq!(milli(at), "2026-11-30 08:14:06.412Z");
        assert_eq!(time_milli(at), "08:14:06.412Z");
        assert_eq!(clock(at), "Mon 2026-11-30 08:14:06Z");
    }
}
