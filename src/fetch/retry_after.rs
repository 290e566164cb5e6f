//! Retry-After (RFC 9110 section 10.2.3).

use std::time::{Duration, SystemTime};

use super::RetryAfter;

/// A wait longer than this says nothing more: 100 years.
const LONGEST: Duration = Duration::from_secs(100 * 365 * 86_400);

/// Reads a Retry-After field. `date` is the answer's own Date field; `now` (Unix seconds) serves if it has none.
///
/// Whole seconds, or one of the three HTTP dates. Everything else, zero and a date already past
/// are [`RetryAfter::Unclear`]: never a reason to ask sooner.
pub fn parse_retry_after(value: &[u8], date: Option<&[u8]>, now: u64) -> RetryAfter {
    let Ok(text) = std::str::from_utf8(value) else {
        return RetryAfter::Unclear;
    };
    let text = text.trim_matches([' ', '\t']);
    let wait = if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit are a very long wait, not a mistake.
        Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)))
    } else {
        until(text, date, now)
    };
    match wait {
        Some(wait) if !wait.is_zero() => RetryAfter::Wait(wait.min(LONGEST)),
        _ => RetryAfter::Unclear,
    }
}

/// The time from the answer's own date to the one given: the server's clock against itself.
fn until(text: &str, date: Option<&[u8]>, now: u64) -> Option<Duration> {
    let then = httpdate::parse_http_date(text).ok()?;
    let from = date
        .and_then(|date| std::str::from_utf8(date).ok())
        .and_then(|date| httpdate::parse_http_date(date.trim()).ok())
        .or_else(|| SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(now)))?;
    then.duration_since(from).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: &[u8] = b"Sun, 06 Nov 1994 12:00:00 GMT";
    /// An hour before the server's noon: a clock that is wrong must not matter.
    const NOW: u64 = 784_123_200 - 3_600;

    fn read(value: &str) -> RetryAfter {
        parse_retry_after(value.as_bytes(), Some(NOON), NOW)
    }

    fn seconds(seconds: u64) -> RetryAfter {
        RetryAfter::Wait(Duration::from_secs(seconds))
    }

    #[test]
    fn seconds_and_the_three_dates_are_read() {
        for (value, wait) in [
            ("1", 1),
            ("120", 120),
            (" 120\t", 120),
            ("007", 7),
            ("Sun, 06 Nov 1994 12:02:00 GMT", 120),
            ("Sunday, 06-Nov-94 12:02:00 GMT", 120),
            ("Sun Nov  6 12:02:00 1994", 120),
        ] {
            assert_eq!(read(value), seconds(wait), "{value}");
        }
    }

    #[test]
    fn a_very_long_wait_is_kept_long() {
        assert_eq!(read("9999999999"), RetryAfter::Wait(LONGEST));
        assert_eq!(read("99999999999999999999"), RetryAfter::Wait(LONGEST));
        assert_eq!(read(&"9".repeat(300)), RetryAfter::Wait(LONGEST));
    }

    #[test]
    fn what_is_malformed_never_means_now() {
        for value in [
            "",
            " ",
            "0",
            "000",
            "-1",
            "-3",
            "1.5",
            "+3",
            "120s",
            "120, 60",
            "soon",
            "Sun, 06 Nov 1994 12:00:00 GMT",
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Mon, 06 Nov 1994 12:49:37 GMT",
            "Sun, 06 Nov 1994 12:49:37 UTC",
            "Sun, 06 Nov 1994 12:49:37 +0000",
            "1994-11-06T12:49:37Z",
        ] {
            assert_eq!(read(value), RetryAfter::Unclear, "{value:?}");
        }
        assert_eq!(
            parse_retry_after(b"\xff\xfe", None, NOW),
            RetryAfter::Unclear
        );
    }

    #[test]
    fn our_own_clock_serves_when_the_answer_has_no_date() {
        let value = b"Sun, 06 Nov 1994 12:02:00 GMT";
        assert_eq!(parse_retry_after(value, None, NOW), seconds(3_720));
        assert_eq!(
            parse_retry_after(value, Some(b"yesterday"), NOW),
            seconds(3_720)
        );
    }
}
