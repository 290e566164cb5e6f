//! AS2 to AS5, PC5 and PC7: what was asked for in a visit, how often, and what ended it.

use std::collections::HashMap;

use super::asked::{Asked, Moment};
use super::finding::{Book, Check};
use super::leave::ROBOTS;
use super::reading::destination;
use super::visit::{Before, Chain, Progress, SiteState, Visit};
use crate::fetch::Outcome;
use crate::policy::{FileRedirects, PlanKind, Policy, RobotsRetry};
use crate::store::HostId;

/// AS2, and what had ended the visit before this request (PC5, PC7).
pub(super) fn budget(asked: &Asked<'_>, visit: &mut Visit, book: &mut Book) {
    let most = asked.policy.plan.budget;
    visit.requests += 1;
    let now = visit.requests;
    if now == 1 {
        book.seen(Check::As2);
    }
    book.value(Check::As2, -i64::from(now), || {
        format!(
            "most requests in a visit {now} of {most} ({})",
            asked.place()
        )
    });
    if now > most {
        let what = format!(
            "at most {most} requests a visit were promised, this is number {now} ({})",
            asked.page()
        );
        book.breach(Check::As2, Some(asked.row.key), what);
    }
    if let Some((check, why)) = &visit.over {
        let what = format!(
            "the visit was over after {why}, asked all the same ({})",
            asked.page()
        );
        book.breach(*check, Some(asked.row.key), what);
    }
}

/// AS3, and PC5 for a location that was blocked. Call before the chain moves on.
pub(super) fn once(asked: &Asked<'_>, site: &mut SiteState, book: &mut Book) {
    let row = asked.row;
    let key = (row.host, row.target.clone());
    book.seen(Check::As3);
    let chain = site.visits.get(&asked.visit()).map(|visit| &visit.chain);
    let times = site.before.get(&key).map_or(1, |before| before.times + 1);
    if let Some(before) = site.before.get(&key)
        && !may_repeat(asked, before, chain)
    {
        let what = format!("asked a second time in this run ({})", asked.page());
        book.breach(Check::As3, Some(row.key), what);
        if before.outcome == Some(Outcome::Blocked) && before.visit == asked.visit() {
            let what = format!("a block was to be final, asked again ({})", asked.page());
            book.breach(Check::Pc5, Some(row.key), what);
        }
    }
    let before = Before {
        visit: asked.visit(),
        outcome: row.outcome,
        // An answer that may have been a 429 is not retried for one.
        limited: asked.is_limited() && !asked.is_unreadable(),
        times,
        ended: asked.end_or_start(),
    };
    site.before.insert(key, before);
}

/// The exceptions of rule 1. A withdrawn request is never among those remembered.
fn may_repeat(asked: &Asked<'_>, before: &Before, chain: Option<&Chain>) -> bool {
    let policy = asked.policy;
    if !asked.is_robots() {
        return before.limited && before.times <= policy.retries.limited_retries;
    }
    let another_turn = before.visit.0 == asked.visit().0 && before.visit.1 != asked.visit().1;
    // An interrupted fetch begins again at its first hop, also if the process died between two hops.
    let unfinished = chain.is_some_and(|chain| {
        let moved_on = chain.process != Some(asked.row.process);
        let open = !matches!(chain.progress, Progress::Answered(_));
        open && (chain.broken || moved_on)
    });
    let hop_again = chain.is_some_and(|chain| {
        let earlier = |began: &Moment| began.since(&before.ended) >= 0;
        chain.again && chain.began.as_ref().is_some_and(earlier)
    });
    let millis = |time: std::time::Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    let age = asked.start.since(&before.ended);
    let ran_out = age >= millis(policy.robots.valid)
        || (policy.robots.retry == RobotsRetry::After && age >= millis(policy.robots.retry_after));
    // Rule 3: answered in what is the future by the clock of this process.
    let in_doubt = age < 0;
    before.outcome.is_none() || another_turn || unfinished || hop_again || ran_out || in_doubt
}

/// AS4 for a request said to be of robots.txt that is neither it nor its next hop.
pub(super) fn no_hop(asked: &Asked<'_>, book: &mut Book) {
    let what = format!(
        "neither robots.txt of the host visited nor the next hop of it ({})",
        asked.page()
    );
    book.seen(Check::As4);
    book.breach(Check::As4, Some(asked.row.key), what);
}

/// AS4 and AS5 for a file.
pub(super) fn file(
    asked: &Asked<'_>,
    visit: &mut Visit,
    before: &HashMap<(HostId, String), Before>,
    book: &mut Book,
) {
    let row = asked.row;
    let linked = visit
        .redirects
        .iter()
        .any(|(host, target)| host == row.host_name.as_str() && *target == row.target);
    let follows = asked.policy.transfer.redirects == FileRedirects::SameSite;
    if asked.policy.plan.kind != PlanKind::Files || (linked && follows) {
        return;
    }
    book.seen(Check::As4);
    let index = location(asked.policy, &row.target);
    let here =
        row.host == visit.chain.host || (visit.chain.elsewhere && row.host == row.visit_host);
    let problem = match index {
        None => Some("not a location of the plan".to_owned()),
        Some(_) if !here => Some("not the host this visit is to".to_owned()),
        Some(index) => order(asked, visit, before, index),
    };
    if let Some(problem) = problem {
        let what = format!("{problem} ({})", asked.page());
        book.breach(Check::As4, Some(row.key), what);
        if linked {
            let what = format!("asked because a file redirected to it ({})", asked.page());
            book.breach(Check::As5, Some(row.key), what);
        }
    }
    visit.position = visit.position.max(index);
}

/// The order of the plan, and the location asked only where another is absent.
fn order(
    asked: &Asked<'_>,
    visit: &Visit,
    before: &HashMap<(HostId, String), Before>,
    index: usize,
) -> Option<String> {
    let plan = &asked.policy.plan.locations;
    if visit.position.is_some_and(|last| index < last) && asked.row.attempt == 1 {
        return Some("not in the order of the plan".to_owned());
    }
    let other = plan.get(index)?.only_if_absent.as_deref()?;
    // Whoever's visit asked for it.
    let key = (asked.row.host, other.to_owned());
    let absent = before.get(&key).map(|before| before.outcome) == Some(Some(Outcome::Absent));
    (!absent).then(|| format!("only to be asked where {other} is absent"))
}

/// What the answer to a file means for the rest of the visit.
pub(super) fn outcome(asked: &Asked<'_>, visit: &mut Visit, book: &mut Book) {
    let row = asked.row;
    if row.outcome == Some(Outcome::Challenge) {
        // PC7, on robots.txt as well.
        book.seen(Check::Pc7);
        visit.over = Some((Check::Pc7, format!("a challenge on {}", row.target)));
    }
    if asked.is_robots() {
        return;
    }
    match row.outcome {
        Some(Outcome::Blocked) => {
            book.seen(Check::Pc5);
            visit.blocks += 1;
            blocks(asked, visit, book);
        }
        Some(Outcome::Redirect) => {
            book.seen(Check::As5);
            visit
                .redirects
                .extend(row.redirect.as_deref().and_then(destination));
        }
        _ => {}
    }
    if row.outcome != Some(Outcome::Blocked) {
        visit.blocks = 0;
    }
}

fn blocks(asked: &Asked<'_>, visit: &mut Visit, book: &mut Book) {
    let (blocks, most) = (visit.blocks, asked.policy.retries.blocks_in_a_row);
    book.value(Check::Pc5, -i64::from(blocks), || {
        format!(
            "most blocks in a row {blocks} of {most} ({})",
            asked.place()
        )
    });
    if most > 0 && blocks >= most {
        visit.over = Some((Check::Pc5, format!("{blocks} blocks in a row")));
    }
}

/// Index of a location in the plan; robots.txt is none of it.
fn location(policy: &Policy, target: &str) -> Option<usize> {
    if target == ROBOTS {
        return None;
    }
    policy
        .plan
        .locations
        .iter()
        .position(|location| location.path == target)
}

/// The bit of a location, for [`super::visit::Denied`].
pub(super) fn bit(policy: &Policy, target: &str) -> Option<u64> {
    let index = location(policy, target).filter(|index| *index < 64)?;
    Some(1 << index)
}
