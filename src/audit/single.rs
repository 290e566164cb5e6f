//! The checks that need one row and no other: ID1, ID3, AS1, AS6, AS9 (window), TR1, TR3, OO4.

use std::net::IpAddr;

use jiff::Timestamp;

use super::asked::Asked;
use super::finding::{Book, Check};
use super::suppressed::Suppressions;
use super::words::{count, span, utc};
use crate::fetch::Outcome;
use crate::policy::{Identity, Method, Policy};
use crate::store::RunStart;

/// All of them for one request.
pub(super) fn request(
    asked: &Asked<'_>,
    run: &RunStart,
    window_ends: Timestamp,
    suppressed: &Suppressions,
    book: &mut Book,
) {
    // The agent and the source are stored once a run and hold for each of its requests (rule 4).
    book.seen(Check::Id1);
    if !run.loopback && asked.policy.identity.addresses_required {
        book.seen(Check::Id3);
    }
    method(asked, book);
    query(asked, book);
    window(asked, window_ends, book);
    validators(asked, book);
    size(asked, book);
    opted_out(asked, suppressed, book);
}

/// ID1 for a process: the agent the run recorded is the one the policy states.
pub(super) fn agent(run: &RunStart, policy: &Policy, book: &mut Book) {
    let promised = &policy.identity.user_agent;
    if run.user_agent == *promised {
        book.value(Check::Id1, 0, || format!("every request as {promised}"));
    } else {
        let what = format!(
            "every request was promised to be made as {promised}, this run was made as {}",
            run.user_agent
        );
        book.breach(Check::Id1, None, what);
    }
}

/// ID3 for a process: the source address is a published one.
pub(super) fn source(run: &RunStart, identity: &Identity, book: &mut Book) {
    if run.loopback || !identity.addresses_required {
        return;
    }
    let published = |source: IpAddr| {
        identity
            .addresses
            .iter()
            .any(|block| contains(block, source))
    };
    match run.source_ip {
        Some(source) if published(source) => {
            book.value(Check::Id3, 0, || format!("every request from {source}"));
        }
        Some(source) => {
            let what = format!("requests left from {source}, which is not a published address");
            book.breach(Check::Id3, None, what);
        }
        None => {
            let what = "no source address was recorded, a published one was promised".to_owned();
            book.breach(Check::Id3, None, what);
        }
    }
}

/// Whether an address lies in a block such as `192.0.2.0/28`, or is that address.
fn contains(block: &str, address: IpAddr) -> bool {
    let (base, length) = match block.split_once('/') {
        Some((base, length)) => (base, length.trim().parse::<u32>().ok()),
        None => (block, Some(if address.is_ipv4() { 32 } else { 128 })),
    };
    match (base.trim().parse(), address, length) {
        (Ok(IpAddr::V4(base)), IpAddr::V4(address), Some(length @ 0..=32)) => {
            let differs = base.to_bits() ^ address.to_bits();
            differs.checked_shr(32 - length).unwrap_or(0) == 0
        }
        (Ok(IpAddr::V6(base)), IpAddr::V6(address), Some(length @ 0..=128)) => {
            let differs = base.to_bits() ^ address.to_bits();
            differs.checked_shr(128 - length).unwrap_or(0) == 0
        }
        _ => false,
    }
}

fn method(asked: &Asked<'_>, book: &mut Book) {
    book.seen(Check::As1);
    if !asked.policy.plan.methods.contains(&asked.row.method) {
        let method = match asked.row.method {
            Method::Get => "GET",
            Method::Head => "HEAD",
        };
        let what = format!("{method} is not a method of the policy ({})", asked.page());
        book.breach(Check::As1, Some(asked.row.key), what);
    }
}

fn query(asked: &Asked<'_>, book: &mut Book) {
    if asked.policy.plan.query_urls {
        return;
    }
    book.seen(Check::As6);
    if asked.row.target.contains('?') {
        let what = format!("no URL with a query was to be asked ({})", asked.page());
        book.breach(Check::As6, Some(asked.row.key), what);
    }
}

fn window(asked: &Asked<'_>, window_ends: Timestamp, book: &mut Book) {
    book.seen(Check::As9);
    let late = asked.start.utc_ms() - window_ends.as_millisecond();
    if late > 0 {
        let what = format!(
            "no new request was to be made after {}, this is {} later ({})",
            utc(window_ends),
            span(late),
            asked.page()
        );
        book.breach(Check::As9, Some(asked.row.key), what);
    }
}

fn validators(asked: &Asked<'_>, book: &mut Book) {
    let held = asked.row.held.as_ref();
    if !held.is_some_and(|held| held.etag.is_some() || held.last_modified.is_some()) {
        return;
    }
    book.seen(Check::Tr1);
    if !asked.row.conditional {
        let what = format!("a validator was held and not sent ({})", asked.page());
        book.breach(Check::Tr1, Some(asked.row.key), what);
    }
}

fn size(asked: &Asked<'_>, book: &mut Book) {
    let row = asked.row;
    let kept = row.sha256.is_some() || row.outcome == Some(Outcome::Present);
    if row.outcome == Some(Outcome::TooLarge) {
        book.seen(Check::Tr3);
        if row.sha256.is_some() && !asked.is_robots() {
            let what = format!(
                "over the cap, and yet a digest of it is kept ({})",
                asked.page()
            );
            book.breach(Check::Tr3, Some(row.key), what);
        }
    } else if kept {
        let (bytes, most) = (row.body_bytes, asked.policy.transfer.max_bytes);
        book.seen(Check::Tr3);
        let rank = i64::try_from(bytes).unwrap_or(i64::MAX);
        book.value(Check::Tr3, -rank, || {
            let (bytes, most) = (count(bytes), count(most));
            format!(
                "largest body kept {bytes} bytes of {most} ({})",
                asked.place()
            )
        });
        if bytes > most {
            let (bytes, most) = (count(bytes), count(most));
            let what = format!(
                "nothing over {most} bytes was to be kept, this has {bytes} ({})",
                asked.page()
            );
            book.breach(Check::Tr3, Some(row.key), what);
        }
    }
}

fn opted_out(asked: &Asked<'_>, suppressed: &Suppressions, book: &mut Book) {
    if suppressed.is_empty() {
        return;
    }
    book.seen(Check::Oo4);
    let host = &asked.row.host_name;
    let at = asked.system_ms();
    if let Some((entry, since)) =
        suppressed.forbids(host.as_str(), host.name(), &asked.row.target, at)
    {
        let what = format!(
            "{entry} was suppressed {} before this request ({})",
            span(at - since),
            asked.page()
        );
        book.breach(Check::Oo4, Some(asked.row.key), what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lie_in_blocks() {
        for (block, address, expected) in [
            ("192.0.2.0/28", "192.0.2.15", true),
            ("192.0.2.0/28", "192.0.2.16", false),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.8", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("2001:db8::/126", "2001:db8::3", true),
            ("2001:db8::/126", "2001:db8::4", false),
            ("2001:db8::/126", "192.0.2.1", false),
            ("192.0.2.0/33", "192.0.2.1", false),
            ("nonsense", "192.0.2.1", false),
        ] {
            let address = address.parse().expect("an address");
            assert_eq!(contains(block, address), expected, "{block} {address}");
        }
    }
}
