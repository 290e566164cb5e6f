//! How robots.txt is read: RB3 to RB10.

use super::Found;
use crate::policy::{Robots, RobotsReading, RobotsRetry, TooLarge};

/// What a status of robots.txt means; a status in no range is closed.
fn meaning(robots: &Robots, status: u16) -> RobotsReading {
    let rule = robots
        .on_status
        .iter()
        .find(|rule| (rule.from..=rule.to).contains(&status));
    rule.map_or(RobotsReading::Closed, |rule| rule.means)
}

fn rank(reading: &RobotsReading) -> u8 {
    match reading {
        RobotsReading::Open => 0,
        RobotsReading::Rules => 1,
        RobotsReading::Closed => 2,
    }
}

pub(super) fn compare(ours: &Robots, theirs: &Robots, found: &mut Found) {
    let Robots {
        on_status: _,
        on_error,
        on_not_robots,
        max_redirects,
        max_bytes,
        on_too_large,
        valid,
        one_visit,
        retry,
        retry_after,
    } = ours;
    statuses(ours, theirs, found);
    found.strict("robots.on_error", on_error, &theirs.on_error, rank); // RB6
    found.strict(
        "robots.on_not_robots",
        on_not_robots,
        &theirs.on_not_robots,
        rank,
    ); // RB10
    found.most("robots.max_redirects", *max_redirects, theirs.max_redirects); // RB7
    // RB8: rules that are not read are not kept; a file over the bound must be closed.
    match theirs.on_too_large {
        TooLarge::Closed => found.most("robots.max_bytes", *max_bytes, theirs.max_bytes),
        TooLarge::Prefix if *on_too_large == TooLarge::Prefix => {
            found.least("robots.max_bytes", *max_bytes, theirs.max_bytes);
        }
        TooLarge::Prefix => {}
    }
    found.strict(
        "robots.on_too_large",
        on_too_large,
        &theirs.on_too_large,
        |too_large| u8::from(*too_large == TooLarge::Closed),
    );
    found.longest("robots.valid", *valid, theirs.valid); // RB9
    found.strict("robots.one_visit", one_visit, &theirs.one_visit, |one| {
        u8::from(*one)
    });
    found.strict("robots.retry", retry, &theirs.retry, |retry| match retry {
        RobotsRetry::After => 0,
        RobotsRetry::NextVisit => 1,
        RobotsRetry::NextRun => 2,
    });
    if *retry == RobotsRetry::After {
        found.shortest("robots.retry_after", *retry_after, theirs.retry_after);
    }
}

/// RB3 to RB6, by status and not by range: ranges may be cut in other ways and mean the same.
fn statuses(ours: &Robots, theirs: &Robots, found: &mut Found) {
    let mut from = 100;
    while from <= 599 {
        let pair = (meaning(ours, from), meaning(theirs, from));
        let mut to = from;
        while to < 599 && (meaning(ours, to + 1), meaning(theirs, to + 1)) == pair {
            to += 1;
        }
        let key = if from == to {
            format!("robots.on_status ({from})")
        } else {
            format!("robots.on_status ({from} to {to})")
        };
        found.strict(key, &pair.0, &pair.1, rank);
        from = to + 1;
    }
}
