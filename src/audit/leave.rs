//! RB1 to RB9 and OO1: what the answer to robots.txt allowed, and whether each request kept to it.

use super::asked::Asked;
use super::finding::{Book, Check};
use super::reading::progress;
use super::session::Session;
use super::visit::{Chain, Progress, Standing, Visit};
use super::words::{count, span};
use crate::store::{Leave, RobotsId};

/// The path of the file, and of nothing else.
pub(super) const ROBOTS: &str = "/robots.txt";

/// RB1: the first request of a visit is robots.txt of its host.
pub(super) fn first(asked: &Asked<'_>, visit: &Visit, book: &mut Book) {
    book.seen(Check::Rb1);
    let reads_it = asked.is_robots() && asked.row.target == ROBOTS;
    let own = asked.row.host == asked.row.visit_host;
    // Another visit of this run may have read it.
    let read = visit.chain.began.is_some();
    if visit.requests == 0 && !read && !(reads_it && own) && asked.policy.robots.one_visit {
        let what = format!(
            "a visit was to begin with robots.txt of its host, it began with {}",
            asked.page()
        );
        book.breach(Check::Rb1, Some(asked.row.key), what);
    }
}

/// A request of robots.txt or of one of its hops: moves the chain on.
/// False if it is neither, which is for the plan's check to say.
pub(super) fn robots(asked: &Asked<'_>, visit: &mut Visit, book: &mut Book) -> bool {
    let row = asked.row;
    let chain = &mut visit.chain;
    let is_asked =
        |(host, target): &(String, String)| host == row.host_name.as_str() && *target == row.target;
    let expected = matches!(&chain.progress, Progress::Redirected(Some(page)) if is_asked(page));
    // Rule 1: an interrupted hop may be asked again, and is the same hop.
    let hop_again =
        chain.hops > 0 && matches!(&chain.progress, Progress::NoAnswer(page) if is_asked(page));
    let anew = row.target == ROBOTS && (row.host == row.visit_host || row.host == chain.host);
    if expected {
        chain.hops += 1;
        hops(asked, chain.hops, book);
    } else if hop_again {
        chain.broken = false;
    } else if anew {
        chain.again = chain.began.is_some();
        chain.hops = 0;
        chain.began = Some(asked.start);
        chain.broken = false;
    } else {
        return false;
    }
    chain.process = Some(row.process);
    if row.target == ROBOTS {
        chain.host = row.host;
    }
    chain.elsewhere = row.target != ROBOTS;
    chain.ended = asked.end;
    chain.body_bytes = row.body_bytes;
    chain.progress = progress(asked, chain.hops);
    match &chain.progress {
        Progress::Answered(standing) => answered(asked, standing, book),
        Progress::NoAnswer(_) => chain.broken = true,
        _ => {}
    }
    true
}

/// RB7.
fn hops(asked: &Asked<'_>, hops: u32, book: &mut Book) {
    let most = asked.policy.robots.max_redirects;
    book.seen(Check::Rb7);
    book.value(Check::Rb7, -i64::from(hops), || {
        format!(
            "most redirects followed {hops} of {most} ({})",
            asked.place()
        )
    });
    if hops > most {
        let what = format!(
            "at most {most} redirects of robots.txt were to be followed, this is number {hops} ({})",
            asked.page()
        );
        book.breach(Check::Rb7, Some(asked.row.key), what);
    }
}

/// Counts an answer under its promise, and the size of a file that is followed (RB8).
fn answered(asked: &Asked<'_>, standing: &Standing, book: &mut Book) {
    match standing {
        Standing::Rules => book.seen(Check::Rb3),
        Standing::Open => book.seen(Check::Rb4),
        Standing::Closed(Check::Rb1 | Check::Rb7, _) => {}
        Standing::Closed(check, _) => book.seen(*check),
    }
    if *standing == Standing::Rules {
        let (bytes, most) = (asked.row.body_bytes, asked.policy.robots.max_bytes);
        book.seen(Check::Rb8);
        let rank = i64::try_from(bytes).unwrap_or(i64::MAX);
        book.value(Check::Rb8, -rank, || {
            let (bytes, most) = (count(bytes), count(most));
            format!(
                "largest file followed {bytes} bytes of {most} ({})",
                asked.place()
            )
        });
    }
}

/// A request for anything but robots.txt: does the answer to robots.txt stand for it?
pub(super) fn file(asked: &Asked<'_>, visit: &Visit, session: Option<&Session>, book: &mut Book) {
    let problem = match &visit.chain.progress {
        Progress::NotAsked if asked.policy.robots.one_visit => {
            Some((Check::Rb1, "before robots.txt of the host"))
        }
        Progress::NotAsked => {
            // Read in an earlier visit and still good: only what was recorded then can be compared.
            let open = session.is_some_and(|session| session.access == "open");
            let standing = if open {
                Standing::Open
            } else {
                Standing::Rules
            };
            evidence(asked, &standing, session, book);
            None
        }
        Progress::NoAnswer(_) => Some((Check::Rb1, "although robots.txt had no answer")),
        Progress::Redirected(_) => Some((
            if visit.chain.hops < asked.policy.robots.max_redirects {
                Check::Rb1
            } else {
                Check::Rb7
            },
            "although the redirects of robots.txt led to no answer (RB7, RB11)",
        )),
        Progress::Answered(Standing::Closed(check, why)) => {
            let what = format!("asked after {why} ({})", asked.page());
            book.breach(*check, Some(asked.row.key), what);
            None
        }
        Progress::Answered(standing) => {
            evidence(asked, standing, session, book);
            digest(asked, &visit.chain, session, book);
            None
        }
    };
    if let Some((check, why)) = problem {
        let what = format!("asked {why} ({})", asked.page());
        book.breach(check, Some(asked.row.key), what);
    }
    denied(asked, visit, book);
    age(asked, &visit.chain, session, book);
    read_anew(asked, &visit.chain, session, book);
}

/// The robots fetch a request refers to.
pub(super) fn reference(leave: Leave) -> Option<RobotsId> {
    match leave {
        Leave::Robots => None,
        Leave::NoRule(id) | Leave::Rule(id, _) | Leave::Open(id) => Some(id),
    }
}

/// RB3, RB4: the leave that was recorded is the one this answer gives.
fn evidence(asked: &Asked<'_>, standing: &Standing, session: Option<&Session>, book: &mut Book) {
    let open = *standing == Standing::Open;
    let check = if open { Check::Rb4 } else { Check::Rb3 };
    book.seen(check);
    let problem = match (session, asked.row.leave) {
        (None, _) => Some("refers to no robots.txt fetch that is kept".to_owned()),
        (Some(session), _) if session.host != asked.row.host => {
            Some("refers to robots.txt of another host".to_owned())
        }
        (Some(session), Leave::Open(_)) if !open || session.access != "open" => Some(format!(
            "says there were no restrictions, robots.txt was taken as {}",
            session.access
        )),
        (Some(session), Leave::NoRule(_) | Leave::Rule(..))
            if open || session.access != "rules" =>
        {
            Some(format!(
                "says that the rules allowed it, robots.txt was taken as {}",
                session.access
            ))
        }
        (Some(session), Leave::Rule(_, line)) if !session.allows_on(line) => Some(format!(
            "says that line {line} of robots.txt allowed it, which is no Allow line"
        )),
        _ => None,
    };
    if let Some(problem) = problem {
        let what = format!("the request {problem} ({})", asked.page());
        book.breach(check, Some(asked.row.key), what);
    }
}

/// RB3: rules that came with a body were read from it, so its digest is kept.
fn digest(asked: &Asked<'_>, chain: &Chain, session: Option<&Session>, book: &mut Book) {
    let unread = session.is_some_and(|session| session.access == "rules" && !session.has_digest);
    if unread && chain.body_bytes > 0 {
        let what = format!(
            "robots.txt came with {} bytes and was taken as rules, no digest of it is kept ({})",
            count(chain.body_bytes),
            asked.page()
        );
        book.breach(Check::Rb3, Some(asked.row.key), what);
    }
}

/// RB3: a path that the visit records as denied was not asked under that fetch.
fn denied(asked: &Asked<'_>, visit: &Visit, book: &mut Book) {
    let Some(id) = reference(asked.row.leave) else {
        return;
    };
    let bit = super::plan::bit(asked.policy, &asked.row.target);
    let hit = visit.expected.denied.iter().any(|denied| {
        denied.robots == id
            && (bit.is_some_and(|bit| denied.locations & bit != 0)
                || denied.others.contains(&asked.row.target))
    });
    if hit {
        let what = format!("asked although robots.txt denied it ({})", asked.page());
        book.breach(Check::Rb3, Some(asked.row.key), what);
    }
}

/// RB9: how old the file was when the request began.
fn age(asked: &Asked<'_>, chain: &Chain, session: Option<&Session>, book: &mut Book) {
    let wall = || session.map(|session| asked.start.utc_ms() - session.at.as_millisecond());
    let age = match &chain.ended {
        Some(ended) => Some(asked.start.since(ended)),
        None => wall(),
    };
    let Some(age) = age else { return };
    let most = i64::try_from(asked.policy.robots.valid.as_millis()).unwrap_or(i64::MAX);
    book.seen(Check::Rb9);
    book.value(Check::Rb9, -age, || {
        let (age, most) = (span(age), span(most));
        format!(
            "oldest robots.txt in use {age} of {most} ({})",
            asked.place()
        )
    });
    // Rule 3: by the clock of this process it is not there yet, so nobody knows how old it is.
    if age < 0 && chain.ended.is_some() {
        let what = format!(
            "robots.txt is from a time {} ahead and was not read anew ({})",
            span(-age),
            asked.page()
        );
        book.breach(Check::Rb9, Some(asked.row.key), what);
    }
    if age > most {
        let what = format!(
            "robots.txt was good for {}, it was {} old ({})",
            span(most),
            span(age),
            asked.page()
        );
        book.breach(Check::Rb9, Some(asked.row.key), what);
    }
}

/// OO1: the file referred to was read in this visit, not in an earlier one.
fn read_anew(asked: &Asked<'_>, chain: &Chain, session: Option<&Session>, book: &mut Book) {
    let (Some(began), Some(session)) = (chain.began, session) else {
        return;
    };
    if !asked.policy.robots.one_visit {
        return;
    }
    book.seen(Check::Oo1);
    // The clock may have stepped back between the start of the fetch and its end.
    let ended = chain.ended.map_or(began.utc_ms(), |ended| ended.utc_ms());
    let early = began.utc_ms().min(ended) - session.at.as_millisecond();
    if early > 0 {
        let what = format!(
            "robots.txt was to be read anew at this visit, the one used is {} older ({})",
            span(early),
            asked.page()
        );
        book.breach(Check::Oo1, Some(asked.row.key), what);
    }
}
