//! Compact forms of small things: times, addresses, marks, states, lists of denied paths.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use jiff::Timestamp;

use super::{RobotsId, SpanState, StoreError};
use crate::hosts::Host;
use crate::validate::Mark;

/// A row that cannot be what this store wrote.
pub(super) fn damaged(problem: impl Into<String>) -> StoreError {
    StoreError::Damaged {
        path: PathBuf::new(),
        problem: problem.into(),
    }
}

/// Milliseconds as a time; a value out of range can only be damage and shows as 1970.
pub(super) fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or_default()
}

/// A stored host name.
pub(super) fn host(name: &str) -> Result<Host, StoreError> {
    Host::from_stored(name).ok_or_else(|| damaged(format!("\"{name}\" is no name of a host")))
}

/// An unsigned count; SQLite has signed ones only.
pub(super) fn count(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// A stored count.
pub(super) fn uncount(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}

/// A stored small number.
pub(super) fn small<T: TryFrom<i64>>(n: i64) -> Result<T, StoreError> {
    T::try_from(n).map_err(|_| damaged(format!("a number is out of range: {n}")))
}

/// A SHA-256 as stored.
pub(super) fn digest(bytes: Vec<u8>) -> Result<[u8; 32], StoreError> {
    bytes
        .try_into()
        .map_err(|_| damaged("a digest has not 32 bytes"))
}

/// Lower-case hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// An address in 4 or 16 bytes, with the port where it is not 443.
pub(super) fn address(remote: SocketAddr) -> Vec<u8> {
    let mut bytes = match remote.ip() {
        IpAddr::V4(ip) => ip.octets().to_vec(),
        IpAddr::V6(ip) => ip.octets().to_vec(),
    };
    if remote.port() != 443 {
        bytes.extend(remote.port().to_be_bytes());
    }
    bytes
}

/// An address as stored.
pub(super) fn unaddress(bytes: &[u8]) -> Result<SocketAddr, StoreError> {
    let wrong = || damaged("an address has a wrong length");
    let (ip, port) = match bytes.len() {
        4 | 16 => (bytes, 443),
        6 | 18 => {
            let (ip, port) = bytes.split_at(bytes.len() - 2);
            (
                ip,
                u16::from_be_bytes(port.try_into().map_err(|_| wrong())?),
            )
        }
        _ => return Err(wrong()),
    };
    let ip = match <[u8; 4]>::try_from(ip) {
        Ok(octets) => IpAddr::V4(Ipv4Addr::from(octets)),
        Err(_) => {
            let octets = <[u8; 16]>::try_from(ip).map_err(|_| wrong())?;
            IpAddr::V6(Ipv6Addr::from(octets))
        }
    };
    Ok(SocketAddr::new(ip, port))
}

const MARKS: [(Mark, u8); 11] = [
    (Mark::DoubleCompressed, 2),
    (Mark::Empty, 3),
    (Mark::NotUtf8Wide, 4),
    (Mark::ByteOrderMark, 5),
    (Mark::NotUtf8, 6),
    (Mark::SoftAbsentHtml, 7),
    (Mark::SoftAbsentJson, 8),
    (Mark::SoftAbsentStub, 9),
    (Mark::ContentType, 13),
    (Mark::WrongKind, 14),
    (Mark::HtmlTypeOnJson, 15),
];

/// Marks by code, which never changes meaning; none is null.
pub(super) fn marks(marks: &[Mark]) -> Option<Vec<u8>> {
    let codes: Vec<u8> = marks
        .iter()
        .filter_map(|mark| MARKS.iter().find(|(known, _)| known == mark))
        .map(|(_, code)| *code)
        .collect();
    (!codes.is_empty()).then_some(codes)
}

/// Marks as stored; one of a later version is left out.
pub(super) fn unmarks(codes: Option<Vec<u8>>) -> Vec<Mark> {
    codes
        .unwrap_or_default()
        .iter()
        .filter_map(|code| MARKS.iter().find(|(_, known)| known == code))
        .map(|(mark, _)| *mark)
        .collect()
}

/// A state of its code.
pub(super) fn state(code: u8) -> Result<SpanState, StoreError> {
    const ALL: [SpanState; 12] = [
        SpanState::Present,
        SpanState::Absent,
        SpanState::SoftAbsent,
        SpanState::Denied,
        SpanState::Blocked,
        SpanState::Challenge,
        SpanState::Limited,
        SpanState::Redirect,
        SpanState::TooLarge,
        SpanState::Error,
        SpanState::NotAsked,
        SpanState::Interrupted,
    ];
    ALL.into_iter()
        .find(|state| *state as u8 == code)
        .ok_or_else(|| damaged(format!("unknown state {code}")))
}

/// Denied paths (target id, robots fetch, line) as varints, the fetch only where it differs from the one before.
pub(super) fn denied(list: &[(i64, RobotsId, u32)]) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut last = 0;
    for (target, robots, line) in list {
        let changed = robots.0 != last;
        varint(&mut bytes, uncount(*target) << 1 | u64::from(changed));
        if changed {
            varint(&mut bytes, uncount(robots.0));
            last = robots.0;
        }
        varint(&mut bytes, u64::from(*line));
    }
    (!bytes.is_empty()).then_some(bytes)
}

/// Denied paths as stored.
pub(super) fn undenied(bytes: &[u8]) -> Result<Vec<(i64, RobotsId, u32)>, StoreError> {
    let mut rest = bytes;
    let mut list = Vec::new();
    let mut robots = 0;
    while !rest.is_empty() {
        let target = unvarint(&mut rest)?;
        if target & 1 == 1 {
            robots = count(unvarint(&mut rest)?);
        }
        let line = small(count(unvarint(&mut rest)?))?;
        list.push((count(target >> 1), RobotsId(robots), line));
    }
    Ok(list)
}

/// Appends a number in as few bytes as it needs.
pub(super) fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Takes a number from the front.
pub(super) fn unvarint(rest: &mut &[u8]) -> Result<u64, StoreError> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (byte, tail) = rest
            .split_first()
            .ok_or_else(|| damaged("a list of denied paths is cut off"))?;
        *rest = tail;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(value);
        }
    }
    Err(damaged("a list of denied paths cannot be read"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn denied_lists_come_back(list in prop::collection::vec((1_i64..1 << 40, 1_i64..1 << 40, any::<u32>()), 0..20)) {
            let list: Vec<_> = list.into_iter().map(|(t, r, l)| (t, RobotsId(r), l)).collect();
            let bytes = denied(&list).unwrap_or_default();
            prop_assert_eq!(undenied(&bytes).unwrap(), list);
        }

        #[test]
        fn any_bytes_are_an_error_or_a_list(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let _ = undenied(&bytes);
        }
    }

    #[test]
    fn addresses_come_back() {
        for text in [
            "192.0.2.1:443",
            "192.0.2.1:8080",
            "[2001:db8::1]:443",
            "[::1]:9",
        ] {
            let parsed: SocketAddr = text.parse().unwrap();
            assert_eq!(unaddress(&address(parsed)).unwrap(), parsed);
        }
        assert!(unaddress(&[1, 2, 3]).is_err());
    }

    #[test]
    fn marks_come_back() {
        let all: Vec<Mark> = MARKS.iter().map(|(mark, _)| *mark).collect();
        assert_eq!(unmarks(marks(&all)), all);
        assert_eq!(marks(&[]), None);
    }

    #[test]
    fn states_come_back() {
        for code in 1..=12 {
            assert_eq!(state(code).unwrap() as u8, code);
        }
        assert!(state(13).is_err());
    }
}
