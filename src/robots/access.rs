//! What an answer to /robots.txt means for the host, by policy (RB3 to RB11).

use std::time::Duration;

use crate::policy::{self, RobotsReading, RobotsRetry, TooLarge};

/// What came back for robots.txt, after redirects, in the terms that decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A whole answer with this status and, for 2xx, this many decoded bytes and this look.
    Status {
        /// HTTP status.
        status: u16,
        /// Decoded bytes; one more than the limit means "over it".
        bytes: u64,
        /// It is an HTML page or binary (RB10).
        not_robots: bool,
        /// A challenge was recognised (PC7, RB11).
        challenge: bool,
    },
    /// 304 and whether a stored copy is held.
    NotModified {
        /// A stored copy is held.
        held: bool,
    },
    /// More than the allowed redirects, a loop, a redirect without target, or off the site (RB7, RB11).
    Redirects,
    /// A body cut short or otherwise unreadable (RB11).
    Broken,
    /// No answer: DNS, connect, TLS, timeout, reset (RB6).
    Failed,
}

/// Why a host is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closed {
    /// 429 (RB5).
    TooManyRequests,
    /// A status that closes (RB6).
    Status,
    /// No answer (RB6).
    Unreachable,
    /// Redirects (RB7, RB11).
    Redirects,
    /// Too large (RB8).
    TooLarge,
    /// Not a robots.txt (RB10).
    NotRobots,
    /// A challenge (PC7, RB11).
    Challenge,
    /// Cut short, 206 unasked, 304 without a copy (RB11).
    Broken,
}

impl Closed {
    /// Every reason.
    const ALL: [Closed; 8] = [
        Closed::TooManyRequests,
        Closed::Status,
        Closed::Unreachable,
        Closed::Redirects,
        Closed::TooLarge,
        Closed::NotRobots,
        Closed::Challenge,
        Closed::Broken,
    ];

    /// The word stored and shown: `too_large`, `unreachable`…
    pub fn word(self) -> &'static str {
        match self {
            Closed::TooManyRequests => "too_many_requests",
            Closed::Status => "status",
            Closed::Unreachable => "unreachable",
            Closed::Redirects => "redirects",
            Closed::TooLarge => "too_large",
            Closed::NotRobots => "not_robots",
            Closed::Challenge => "challenge",
            Closed::Broken => "broken",
        }
    }
}

impl Access {
    /// The word stored with each fetch: `rules`, `open`, `closed:too_large`…
    pub fn word(self) -> String {
        match self {
            Access::Rules => "rules".to_owned(),
            Access::Open => "open".to_owned(),
            Access::Closed(why) => format!("closed:{}", why.word()),
        }
    }

    /// The access of a stored word; none for a word no version wrote.
    pub fn from_word(word: &str) -> Option<Access> {
        match word {
            "rules" => Some(Access::Rules),
            "open" => Some(Access::Open),
            closed => {
                let why = closed.strip_prefix("closed:")?;
                Closed::ALL.into_iter().find(|reason| reason.word() == why).map(Access::Closed)
            }
        }
    }
}

/// What may be asked of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// By the rules of the file.
    Rules,
    /// No restrictions.
    Open,
    /// Nothing.
    Closed(Closed),
}

/// When robots.txt may be asked for again after a closed answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextTry {
    /// Not in this run.
    NextRun,
    /// At the next visit.
    NextVisit,
    /// After this long.
    After(Duration),
}

/// Access, how long it holds, and when to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// What may be asked.
    pub access: Access,
    /// Longest use of an access that is not closed (RB9).
    pub valid: Duration,
    /// When to try again, if closed.
    pub next_try: NextTry,
}

/// Applies the policy to an answer.
pub fn access(policy: &policy::Robots, answer: &Answer) -> Decision {
    let access = match answer {
        Answer::Status {
            status,
            bytes,
            not_robots,
            challenge,
        } => by_status(policy, *status, *bytes, *not_robots, *challenge),
        Answer::NotModified { held: true } => Access::Rules,
        Answer::NotModified { held: false } | Answer::Broken => Access::Closed(Closed::Broken),
        Answer::Redirects => Access::Closed(Closed::Redirects),
        Answer::Failed => match policy.on_error {
            RobotsReading::Open => Access::Open,
            // Nothing came that rules could be read from.
            RobotsReading::Rules | RobotsReading::Closed => Access::Closed(Closed::Unreachable),
        },
    };
    Decision {
        access,
        valid: policy.valid,
        next_try: match policy.retry {
            RobotsRetry::NextRun => NextTry::NextRun,
            RobotsRetry::NextVisit => NextTry::NextVisit,
            RobotsRetry::After => NextTry::After(policy.retry_after),
        },
    }
}

fn by_status(
    policy: &policy::Robots,
    status: u16,
    bytes: u64,
    not_robots: bool,
    challenge: bool,
) -> Access {
    // RB11: whatever its status, a challenge, an unasked 206 or a 304 to nothing is no answer.
    if challenge {
        return Access::Closed(Closed::Challenge);
    }
    if matches!(status, 206 | 304) {
        return Access::Closed(Closed::Broken);
    }
    let rule = policy
        .on_status
        .iter()
        .find(|rule| (rule.from..=rule.to).contains(&status));
    match rule.map(|rule| rule.means) {
        Some(RobotsReading::Open) => Access::Open,
        Some(RobotsReading::Rules) => of_body(policy, bytes, not_robots),
        Some(RobotsReading::Closed) | None if status == 429 => {
            Access::Closed(Closed::TooManyRequests)
        }
        Some(RobotsReading::Closed) | None => Access::Closed(Closed::Status),
    }
}

fn of_body(policy: &policy::Robots, bytes: u64, not_robots: bool) -> Access {
    if bytes > policy.max_bytes && policy.on_too_large == TooLarge::Closed {
        return Access::Closed(Closed::TooLarge);
    }
    match policy.on_not_robots {
        RobotsReading::Closed if not_robots => Access::Closed(Closed::NotRobots),
        RobotsReading::Open if not_robots => Access::Open,
        _ => Access::Rules,
    }
}
