//! Several things that happened to a location, as one change.

use rusqlite::Connection;

use super::{Code, Entry, Was, oldest_like};
use crate::store::StoreError;

/// What two entries of one location come to, the second being the later one.
pub(super) fn join(
    conn: &Connection,
    (host, target): (i64, i64),
    first: Entry,
    then: Entry,
) -> Result<Entry, StoreError> {
    let code = match (first.code.was(), then.code.is_there()) {
        (Was::Never, true) => Code::New,
        (Was::Never, false) => Code::NeverPassing,
        (Was::Gone, true) => Code::Returned,
        (Was::Gone, false) => Code::GonePassing,
        (Was::There, false) => Code::Gone,
        (Was::There, true) => compared(conn, (host, target), first, then)?,
    };
    // The same bytes once more: what was told happened before.
    let at_ms = match then.code {
        Code::UnchangedByContent if code != then.code => first.at_ms,
        _ => then.at_ms,
    };
    Ok(Entry {
        code,
        at_ms,
        old: first.old,
        old_bytes: first.old_bytes,
        new: then.new,
        new_bytes: then.new_bytes,
    })
}

/// Something was there and is there.
fn compared(
    conn: &Connection,
    (host, target): (i64, i64),
    first: Entry,
    then: Entry,
) -> Result<Code, StoreError> {
    let (Some(old), Some(new)) = (first.old, then.new) else {
        // Of a digest nothing but the steps themselves is known.
        let same = |code| code == Code::UnchangedByContent;
        return Ok(match same(first.code) && same(then.code) {
            true => Code::UnchangedByContent,
            false => Code::Changed,
        });
    };
    if old == new {
        return Ok(Code::UnchangedByContent);
    }
    let oldest = oldest_like(conn, host, target, new)?;
    Ok(if oldest == oldest_like(conn, host, target, old)? {
        Code::UnchangedByContent
    } else if oldest < old {
        Code::Back
    } else {
        Code::Changed
    })
}
