//! Retry-After (RFC 9110 section 10.2.3).

use super::RetryAfter;

/// Reads a Retry-After field. `date` is the answer's own Date field; `now` (Unix seconds) serves if it has none.
pub fn parse_retry_after(value: &[u8], date: Option<&[u8]>, now: u64) -> RetryAfter {
    let _ = (value, date, now);
    unimplemented!()
}
