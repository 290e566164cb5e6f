//! PC1 to PC6: how slowly, and what a 429 or 503 stops.
//!
//! Rounding. Monotonic stamps are floored to whole milliseconds from one origin, so for a gap of g
//! whole milliseconds, start >= end + g gives floor(start) >= floor(end) + g: the measured difference
//! is never short. For a gap with a fraction (a scaled Crawl-delay) the same holds for floor(g). So a
//! measured difference is compared with floor(g) and no tolerance is given: 1 ms less is a breach.

use super::asked::Asked;
use super::finding::{Book, Check};
use super::visit::{Last, Limit, SiteState};
use super::words::{number, span};
use crate::policy::{Ends, Pace};

/// Checks a request against what the site did before it. `delay` is the
/// declared delay that holds for it, in seconds.
pub(super) fn before(asked: &Asked<'_>, site: &SiteState, delay: Option<f64>, book: &mut Book) {
    limits(asked, site, book);
    let Some(last) = &site.last else { return };
    let same_process = last.quiet.process == asked.start.process;
    // Rule 7: within a process monotonic time proves the gap; after a restart it counts from process start.
    let seen = if same_process {
        asked.start.since(&last.quiet)
    } else {
        asked.start.stamp.mono_ms
    };
    one_at_a_time(asked, same_process && (last.unanswered || seen < 0), book);

    let pace = &asked.policy.pace;
    let least = scaled(pace.min_gap.as_secs_f64(), pace.scale);
    gap(asked, Check::Pc2, seen, least, book);
    if let Some(seconds) = delay {
        gap(asked, Check::Pc3, seen, declared(pace, seconds), book);
    }
    // Only the part of PC6 that two neighbouring rows prove.
    if let Some(adaptive) = &pace.adaptive
        && same_process
        && !last.unanswered
    {
        let factor = i64::from(adaptive.response_factor);
        let most = scaled(adaptive.max_gap.as_secs_f64(), pace.scale);
        gap(
            asked,
            Check::Pc6,
            seen,
            last.response_ms.saturating_mul(factor).min(most),
            book,
        );
    }
}

/// Remembers the request for the next one.
pub(super) fn after(asked: &Asked<'_>, site: &mut SiteState, book: &mut Book) {
    let end = asked.end_or_start();
    let earlier = site.last.take();
    let quiet = match &earlier {
        Some(last) if last.quiet.process == end.process && end.since(&last.quiet) < 0 => last.quiet,
        _ => end,
    };
    site.last = Some(Last {
        quiet,
        unanswered: asked.end.is_none(),
        response_ms: asked.end.map_or(0, |end| end.since(&asked.start)),
    });
    if asked.is_limited() {
        book.seen(Check::Pc4);
        site.limits.push(Limit {
            at: end,
            visit: asked.visit(),
            robots: asked.is_robots(),
            retry_after_ms: asked.row.retry_after_ms.unwrap_or(0).max(0),
            what: if asked.is_unreadable() {
                "an answer that cannot be read and may be a 429"
            } else {
                "a 429 or 503"
            },
            page: asked.page(),
        });
    }
}

fn one_at_a_time(asked: &Asked<'_>, overlaps: bool, book: &mut Book) {
    book.seen(Check::Pc1);
    if overlaps {
        let what = format!(
            "one request at a time was promised, this one began before the one before it had its answer ({})",
            asked.page()
        );
        book.breach(Check::Pc1, Some(asked.row.key), what);
    }
}

fn gap(asked: &Asked<'_>, check: Check, seen: i64, least: i64, book: &mut Book) {
    book.seen(check);
    let words = || {
        let (seen, least) = (number(seen), number(least));
        format!("smallest gap {seen} ms of {least} ms ({})", asked.place())
    };
    // The gap nearest to its own bound, in thousandths of it, is the worst; a bound of zero never is.
    let rank = (seen.saturating_mul(1_000)).checked_div(least);
    book.value(check, rank.unwrap_or(i64::MAX), words);
    if seen < least {
        let what = format!(
            "a gap of {} ms was promised, {} ms were kept ({})",
            number(least),
            number(seen),
            asked.page()
        );
        book.breach(check, Some(asked.row.key), what);
    }
}

/// PC4: what stands after a 429 or 503 of the site.
fn limits(asked: &Asked<'_>, site: &SiteState, book: &mut Book) {
    let broken = site.limits.iter().find_map(|limit| {
        let waited = asked.start.since(&limit.at);
        let same_visit = limit.visit == asked.visit();
        match asked.policy.retries.limited_ends {
            Ends::Site => Some((limit, "the whole site was to be left alone for this run")),
            Ends::Visit if same_visit => Some((limit, "the visit was to end")),
            Ends::Nothing if same_visit && limit.robots => Some((limit, "the visit was to end")),
            _ if waited < limit.retry_after_ms => Some((limit, "its Retry-After had not passed")),
            _ => None,
        }
    });
    if let Some((limit, promised)) = broken {
        let what = format!(
            "asked after {} on {}: {promised} ({})",
            limit.what,
            limit.page,
            asked.page()
        );
        book.breach(Check::Pc4, Some(asked.row.key), what);
    }
}

/// PC4: the host is due again no sooner than Retry-After allows. `due` is UTC milliseconds.
pub(super) fn due(asked: &Asked<'_>, due: i64, book: &mut Book) {
    let wait = asked.row.retry_after_ms.unwrap_or(0).max(0);
    let until = asked.end_or_start().utc_ms().saturating_add(wait);
    if due < until {
        let what = format!(
            "Retry-After asked for {}, the host is due again {} too soon ({})",
            span(wait),
            span(until - due),
            asked.page()
        );
        book.breach(Check::Pc4, Some(asked.row.key), what);
    }
}

/// A declared delay inside the policy's bounds, scaled, whole milliseconds.
fn declared(pace: &Pace, seconds: f64) -> i64 {
    let seconds = seconds.max(pace.delay_min.as_secs_f64());
    let seconds = pace
        .delay_max
        .map_or(seconds, |most| seconds.min(most.as_secs_f64()));
    scaled(seconds, pace.scale)
}

/// Whole milliseconds of a scaled number of seconds. Rounded to microseconds first, so that
/// 0.29 s is not taken for 289.999 ms.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a float cast saturates, and a longer wait than i64 holds is never seen"
)]
fn scaled(seconds: f64, scale: f64) -> i64 {
    ((seconds * scale * 1e6).round() / 1e3).floor() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_scaled_to_whole_milliseconds() {
        for (seconds, scale, expected) in [
            (2.0, 1.0, 2_000),
            (2.0, 0.01, 20),
            (0.29, 1.0, 290),
            (1.0 / 3.0, 1.0, 333),
            (0.0, 1.0, 0),
            (1e300, 1.0, i64::MAX),
        ] {
            assert_eq!(scaled(seconds, scale), expected, "{seconds} x {scale}");
        }
    }
}
