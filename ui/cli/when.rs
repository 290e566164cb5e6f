//! Times on the command line: always UTC.

use engine::policy::parse_duration;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;

use crate::engine;
use std::time::Duration;

/// Reads `2026-11-30T08:14:06Z`, `2026-11-30 08:14`, or `2026-11-30`; without a zone it is UTC.
pub(crate) fn time(text: &str) -> Result<Timestamp, String> {
    let trimmed = text.trim();
    if let Ok(at) = trimmed.parse::<Timestamp>() {
        return Ok(at);
    }
    let bare = trimmed.trim_end_matches(['Z', 'z']);
    let civil = bare
        .parse::<DateTime>()
        .or_else(|_| bare.parse::<Date>().map(|date| date.at(0, 0, 0, 0)));
    civil
        .ok()
        .and_then(|civil| TimeZone::UTC.to_timestamp(civil).ok())
        .ok_or_else(|| {
            format!("\"{text}\" is not a time; write it in UTC, such as 2026-11-30T08:14:06Z")
        })
}

/// Reads a duration such as `90m`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    parse_duration(text).map_err(|error| error.to_string())
}

/// Monday 06:00 UTC of the ISO week that contains `at`, `weeks` later.
pub(crate) fn monday(at: Timestamp, weeks: u32) -> Option<Timestamp> {
    let date = TimeZone::UTC.to_datetime(at).date();
    let iso = date.iso_week_date();
    let monday = jiff::civil::ISOWeekDate::new(iso.year(), iso.week(), Weekday::Monday).ok()?;
    let days = i64::from(weeks) * 7;
    let day = monday
        .date()
        .checked_add(jiff::Span::new().try_days(days).ok()?)
        .ok()?;
    TimeZone::UTC.to_timestamp(day.at(6, 0, 0, 0)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_utc() {
        for text in [
            "2026-11-30T08:14:00Z",
            "2026-11-30T08:14Z",
            "2026-11-30 08:14",
            "2026-11-30T09:14:00+01:00",
        ] {
            assert_eq!(
                time(text).unwrap().to_string(),
                "2026-11-30T08:14:00Z",
                "{text}"
            );
        }
        assert_eq!(
            time("2026-11-30").unwrap().to_string(),
            "2026-11-30T00:00:00Z"
        );
        assert!(time("yesterday").unwrap_err().contains("yesterday"));
    }

    #[test]
    fn mondays_follow_iso_weeks() {
        let table = [
            ("2026-11-30T05:00:00Z", 0, "2026-11-30T06:00:00Z"),
            ("2026-12-06T23:59:59Z", 0, "2026-11-30T06:00:00Z"),
            ("2026-12-06T23:59:59Z", 1, "2026-12-07T06:00:00Z"),
            ("2027-01-01T00:00:00Z", 0, "2026-12-28T06:00:00Z"),
            ("2027-01-01T00:00:00Z", 2, "2027-01-11T06:00:00Z"),
        ];
        for (at, weeks, monday_at) in table {
            let at = at.parse().unwrap();
            assert_eq!(monday(at, weeks).unwrap().to_string(), monday_at);
        }
    }
}
