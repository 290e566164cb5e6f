//! Durations as people write them in a policy: `20ms`, `2s`, `90m`, `24h`, `6d`; `0s`.

use std::time::Duration;

/// A duration that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{text}\" is not a duration; write a number and a unit, such as 20ms, 2s, 90m, 24h or 6d"
)]
pub struct DurationError {
    /// What was written.
    pub text: String,
}

/// Units, longest first, in milliseconds.
const UNITS: [(&str, u64); 5] = [
    ("d", 86_400_000),
    ("h", 3_600_000),
    ("m", 60_000),
    ("s", 1_000),
    ("ms", 1),
];

/// Reads a duration: a whole number and a unit (`ms`, `s`, `m`, `h`, `d`).
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let fail = || DurationError {
        text: text.to_owned(),
    };
    let trimmed = text.trim();
    let digits = trimmed
        .find(|c: char| !c.is_ascii_digit())
        .ok_or_else(fail)?;
    let number: u64 = trimmed[..digits].parse().map_err(|_| fail())?;
    let unit = trimmed[digits..].trim();
    let (_, millis) = UNITS
        .iter()
        .find(|(name, _)| *name == unit)
        .ok_or_else(fail)?;
    number
        .checked_mul(*millis)
        .map(Duration::from_millis)
        .ok_or_else(fail)
}

/// Writes a duration in the largest unit that keeps it whole.
pub fn format_duration(duration: Duration) -> String {
    let millis = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    if millis == 0 {
        return "0s".to_owned();
    }
    UNITS
        .iter()
        .find(|(_, unit)| millis.is_multiple_of(*unit))
        .map_or_else(
            || format!("{millis}ms"),
            |(name, unit)| format!("{}{name}", millis / unit),
        )
}

/// Serde adapter: a duration as text.
pub(crate) mod text {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(value: &Duration, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&super::format_duration(*value))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Duration, D::Error> {
        let text = String::deserialize(input)?;
        super::parse_duration(&text).map_err(D::Error::custom)
    }
}

/// Serde adapter: an optional duration as text.
pub(crate) mod text_option {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(crate) fn serialize<S: Serializer>(
        value: &Option<Duration>,
        out: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(duration) => out.serialize_some(&super::format_duration(*duration)),
            None => out.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        input: D,
    ) -> Result<Option<Duration>, D::Error> {
        Option::<String>::deserialize(input)?
            .map(|text| super::parse_duration(&text).map_err(D::Error::custom))
            .transpose()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn durations_as_people_write_them() {
        for (text, millis, written) in [
            ("20ms", 20, "20ms"),
            ("2s", 2_000, "2s"),
            ("90m", 5_400_000, "90m"),
            ("24h", 86_400_000, "1d"),
            ("6d", 518_400_000, "6d"),
            ("0s", 0, "0s"),
            ("0ms", 0, "0s"),
            (" 1500 ms ", 1_500, "1500ms"),
        ] {
            let duration = parse_duration(text).unwrap();
            assert_eq!(duration, Duration::from_millis(millis), "{text}");
            assert_eq!(format_duration(duration), written);
        }
        for text in [
            "",
            "2",
            "s",
            "-2s",
            "+2s",
            "1.5s",
            "2 weeks",
            "2S",
            "1e3s",
            "99999999999999999999s",
            "999999999999999999d",
        ] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_duration_written_is_the_duration_read(millis in any::<u64>()) {
            let duration = Duration::from_millis(millis);
            prop_assert_eq!(parse_duration(&format_duration(duration)), Ok(duration));
        }

        #[test]
        fn any_text_is_a_duration_or_refused(text in any::<String>()) {
            let _ = parse_duration(&text);
        }
    }
}
