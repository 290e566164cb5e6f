//! The period that names a run: an ISO week, a day, or a number of days.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Kind of period, as a policy writes it: `week`, `day`, or a number of days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PeriodKind {
    /// ISO week, Monday to Sunday, UTC.
    Week,
    /// UTC day.
    Day,
    /// A number of days, counted from 1970-01-01.
    Days(u32),
}

/// One period: its label and its half-open span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Period {
    /// `2026-W49` for weeks (ISO week-year), `2026-11-30` otherwise. Sorts in time order as text.
    pub label: String,
    /// First instant.
    pub start: Timestamp,
    /// First instant after it.
    pub end: Timestamp,
}

impl PeriodKind {
    /// The period that contains `at`.
    pub fn containing(self, at: Timestamp) -> Period {
        let _ = at;
        unimplemented!()
    }
}
