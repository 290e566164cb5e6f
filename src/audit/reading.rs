//! What an answer to robots.txt means, derived here from the log and the policy's data alone (RB3 to RB8).

use super::asked::Asked;
use super::finding::Check;
use super::visit::{Progress, Standing};
use super::words::count;
use crate::fetch::Outcome;
use crate::policy::{Robots, RobotsReading, TooLarge};

/// Where the chain stands after this answer, its `hops`-th hop.
pub(super) fn progress(asked: &Asked<'_>, hops: u32) -> Progress {
    let row = asked.row;
    match row.outcome {
        None => Progress::NoAnswer((row.host_name.to_string(), row.target.clone())),
        Some(Outcome::Redirect) => {
            Progress::Redirected(row.redirect.as_deref().and_then(destination))
        }
        Some(_) if hops > asked.policy.robots.max_redirects => Progress::Answered(
            Standing::Closed(Check::Rb7, "too many redirects of robots.txt".to_owned()),
        ),
        Some(outcome) => Progress::Answered(standing(
            &asked.policy.robots,
            outcome,
            row.status,
            row.body_bytes,
        )),
    }
}

/// Host (with a port that is not the default one) and path with query of a URL.
pub(super) fn destination(url: &str) -> Option<(String, String)> {
    let url = url::Url::parse(url).ok()?;
    let host = match (url.host_str()?, url.port()) {
        (host, Some(port)) => format!("{host}:{port}"),
        (host, None) => host.to_owned(),
    };
    let target = match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    };
    Some((host, target))
}

/// What an answer that is no redirect means, from the policy's data alone.
///
/// RB11 is proved by a test; what the log shows of it counts as "not read" (RB1).
fn standing(policy: &Robots, outcome: Outcome, status: Option<u16>, bytes: u64) -> Standing {
    let unread = |why: &str| Standing::Closed(Check::Rb1, format!("{why} (RB11)"));
    match outcome {
        Outcome::Challenge => return unread("a challenge in place of robots.txt"),
        Outcome::Partial => return unread("a 206 nobody asked for"),
        Outcome::Truncated => return unread("a body cut short"),
        Outcome::Coding => return unread("a body that does not decode"),
        Outcome::UnexpectedNotModified => return unread("a 304 nobody asked for"),
        Outcome::NotModified => return Standing::Rules,
        _ if outcome.is_failure() => {
            let why = format!("robots.txt failed ({})", outcome.word());
            return meaning(policy.on_error, Check::Rb6, why);
        }
        _ => {}
    }
    let Some(status) = status else {
        return meaning(policy.on_error, Check::Rb6, "no answer".to_owned());
    };
    let success = (200..300).contains(&status);
    let large = outcome == Outcome::TooLarge || bytes > policy.max_bytes;
    if success && large && policy.on_too_large == TooLarge::Closed {
        let why = format!("robots.txt of more than {} bytes", count(policy.max_bytes));
        return Standing::Closed(Check::Rb8, why);
    }
    let rule = policy
        .on_status
        .iter()
        .find(|rule| (rule.from..=rule.to).contains(&status));
    let check = match status {
        429 => Check::Rb5,
        200..=299 => Check::Rb3,
        400..=499 => Check::Rb4,
        _ => Check::Rb6,
    };
    let reading = rule.map_or(RobotsReading::Closed, |rule| rule.means);
    meaning(reading, check, format!("status {status} on robots.txt"))
}

fn meaning(reading: RobotsReading, check: Check, why: String) -> Standing {
    match reading {
        RobotsReading::Rules => Standing::Rules,
        RobotsReading::Open => Standing::Open,
        RobotsReading::Closed => Standing::Closed(check, why),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_are_host_and_target() {
        for (url, host, target) in [
            (
                "https://www.alder.test/robots.txt",
                "www.alder.test",
                "/robots.txt",
            ),
            (
                "http://Alder.test:8080/a?b=1#c",
                "alder.test:8080",
                "/a?b=1",
            ),
            ("https://alder.test:443", "alder.test", "/"),
        ] {
            let expected = Some((host.to_owned(), target.to_owned()));
            assert_eq!(destination(url), expected, "{url}");
        }
        assert_eq!(destination("/robots.txt"), None);
    }
}
