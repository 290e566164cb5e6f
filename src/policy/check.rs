//! What a policy must be beyond its types: values in range and none that contradict each other.

mod plan;

use std::fmt;
use std::time::Duration;

use super::{
    Cidr, Ends, Identity, KeepMode, Pace, Policy, Retries, Robots, RobotsRetry, Schedule, Transfer,
};

/// Most of an answer other than a 200 that is ever read (rule 5 of the engine).
const MAX_OTHER: u64 = 65_536;
/// Largest cap on a body that memory bears many times over.
const MAX_BODY: u64 = 1_000_000_000;
const MAX_REDIRECTS: u32 = 20;

/// One value that cannot stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Dotted key of the value.
    pub(super) key: String,
    /// What is wrong.
    pub(super) problem: String,
    /// What to do.
    pub(super) remedy: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}; {}", self.problem, self.remedy)
    }
}

/// A fault unless `holds`.
fn ensure(
    holds: bool,
    key: impl Into<String>,
    problem: impl Into<String>,
    remedy: impl Into<String>,
) -> Result<(), Fault> {
    if holds {
        return Ok(());
    }
    Err(Fault {
        key: key.into(),
        problem: problem.into(),
        remedy: remedy.into(),
    })
}

impl Policy {
    /// The first fault in the order of the file.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        ensure(
            !self.name.is_empty() && self.name.chars().all(is_name),
            "name",
            format!("\"{}\" is no name of a policy", self.name),
            "use lower-case letters, digits and hyphens",
        )?;
        identity(&self.identity)?;
        plan::check(&self.plan)?;
        schedule(&self.schedule)?;
        robots(&self.robots)?;
        pace(&self.pace)?;
        retries(&self.retries)?;
        transfer(&self.transfer)?;
        retention(self)
    }
}

fn identity(identity: &Identity) -> Result<(), Fault> {
    let Identity {
        user_agent, token, ..
    } = identity;
    // The product token of RFC 9309 §2.2.1.
    let is_token = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '-';
    ensure(
        !token.is_empty() && token.chars().all(is_token),
        "identity.token",
        format!("the token \"{token}\" could not be named in robots.txt"),
        "use letters, _ and - only",
    )?;
    let is_header = user_agent.chars().all(|c| matches!(c, ' '..='~'));
    ensure(
        is_header && user_agent.trim() == user_agent && !user_agent.is_empty(),
        "identity.user_agent",
        "the User-Agent cannot be sent as it is written",
        "use visible ASCII characters with spaces only between them",
    )?;
    ensure(
        user_agent.contains(token.as_str()),
        "identity.user_agent",
        format!("the User-Agent does not contain the token \"{token}\""),
        "write the token into it, so that a site owner finds the rule to write",
    )?;
    for (index, range) in identity.addresses.iter().enumerate() {
        if let Err(error) = range.parse::<Cidr>() {
            let (problem, remedy) = halves(&error.to_string());
            return ensure(
                false,
                format!("identity.addresses.{index}"),
                problem,
                remedy,
            );
        }
    }
    let suffix_holds = identity.reverse_suffix.as_deref().is_none_or(|suffix| {
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c);
        suffix.len() > 1
            && suffix.starts_with('.')
            && !suffix.contains("..")
            && !suffix.ends_with('.')
            && suffix.chars().all(is_name)
    });
    ensure(
        suffix_holds,
        "identity.reverse_suffix",
        "the suffix of reverse names is not a domain after a dot",
        "write it like .example.com",
    )
}

fn schedule(schedule: &Schedule) -> Result<(), Fault> {
    let period = Duration::from_secs(schedule.period.seconds().unsigned_abs());
    ensure(
        schedule.starts < period,
        "schedule.starts",
        "a run would start after its period has ended",
        "make starts shorter than the period",
    )?;
    ensure(
        !schedule.window.is_zero() && schedule.window <= period,
        "schedule.window",
        "the window must be longer than nothing and no longer than the period",
        "write for example 24h",
    )
}

fn robots(robots: &Robots) -> Result<(), Fault> {
    for (index, rule) in robots.on_status.iter().enumerate() {
        let key = format!("robots.on_status.{index}");
        ensure(
            100 <= rule.from && rule.from <= rule.to && rule.to <= 999,
            &key,
            format!("{} to {} is no range of statuses", rule.from, rule.to),
            "write from and to between 100 and 999, the smaller one first",
        )?;
        let hidden = robots.on_status[..index]
            .iter()
            .any(|other| other.from <= rule.from && rule.to <= other.to);
        ensure(
            !hidden,
            &key,
            format!("the rule for {} to {} is never reached", rule.from, rule.to),
            "put it before the wider rule, for the first match wins",
        )?;
    }
    range(
        "robots.max_redirects",
        robots.max_redirects.into(),
        0,
        MAX_REDIRECTS.into(),
    )?;
    range("robots.max_bytes", robots.max_bytes, 1, MAX_BODY)?;
    positive("robots.valid", robots.valid)?;
    ensure(
        (robots.retry == RobotsRetry::After) != robots.retry_after.is_zero(),
        "robots.retry_after",
        "retry and retry_after contradict each other",
        "write a time with retry = \"after\", and 0s with any other",
    )
}

fn pace(pace: &Pace) -> Result<(), Fault> {
    ensure(
        pace.delay_max.is_none_or(|max| pace.delay_min <= max),
        "pace.delay_min",
        "delay_min is longer than delay_max",
        "make delay_min the smaller one",
    )?;
    if let Some(adaptive) = &pace.adaptive {
        range(
            "pace.adaptive.response_factor",
            adaptive.response_factor.into(),
            1,
            1_000,
        )?;
        range(
            "pace.adaptive.halve_after",
            adaptive.halve_after.into(),
            1,
            1_000,
        )?;
        ensure(
            adaptive.max_gap >= pace.min_gap,
            "pace.adaptive.max_gap",
            "max_gap is shorter than min_gap",
            "make max_gap the longer one",
        )?;
    }
    ensure(
        pace.scale.is_finite() && pace.scale > 0.0 && pace.scale <= 1_000.0,
        "pace.scale",
        format!("a scale of {} is no factor", pace.scale),
        "write 1.0, or another number over 0 and up to 1000",
    )
}

fn retries(retries: &Retries) -> Result<(), Fault> {
    range(
        "retries.blocks_in_a_row",
        retries.blocks_in_a_row.into(),
        1,
        1_000,
    )?;
    range(
        "retries.limited_retries",
        retries.limited_retries.into(),
        0,
        10,
    )?;
    ensure(
        retries.limited_ends == Ends::Nothing || retries.limited_retries == 0,
        "retries.limited_retries",
        "nothing can be retried where a 429 or 503 ends the visit",
        "write 0, or set limited_ends to \"nothing\"",
    )
}

fn transfer(transfer: &Transfer) -> Result<(), Fault> {
    range("transfer.max_bytes", transfer.max_bytes, 1, MAX_BODY)?;
    range(
        "transfer.max_bytes_other",
        transfer.max_bytes_other,
        0,
        MAX_OTHER,
    )?;
    range("transfer.min_speed", transfer.min_speed, 0, MAX_BODY)?;
    positive("transfer.deadline", transfer.deadline)?;
    for (key, wait) in [
        ("transfer.connect_timeout", transfer.connect_timeout),
        ("transfer.read_timeout", transfer.read_timeout),
    ] {
        positive(key, wait)?;
        ensure(
            wait <= transfer.deadline,
            key,
            "it is longer than the deadline of the whole request",
            "make it shorter, or transfer.deadline longer",
        )?;
    }
    Ok(())
}

/// KP3: nothing unredacted is stored where the policy redacts.
fn retention(policy: &Policy) -> Result<(), Fault> {
    if !policy.retention.redact {
        return Ok(());
    }
    let listed = policy.plan.locations.iter().enumerate();
    let kept = [
        ("retention.robots".to_owned(), policy.retention.robots),
        ("retention.bodies".to_owned(), policy.retention.bodies),
    ]
    .into_iter()
    .chain(listed.map(|(index, location)| (format!("plan.locations.{index}.keep"), location.keep)));
    for (key, keep) in kept {
        ensure(
            keep != KeepMode::Exact,
            key,
            "exact bytes cannot be kept where retention.redact is true",
            "write \"redacted\", \"digest\" or \"extract\"",
        )?;
    }
    Ok(())
}

fn range(key: &str, value: u64, least: u64, most: u64) -> Result<(), Fault> {
    ensure(
        (least..=most).contains(&value),
        key,
        format!("{value} is out of range"),
        format!("write a number from {least} to {most}"),
    )
}

fn positive(key: &str, wait: Duration) -> Result<(), Fault> {
    ensure(
        !wait.is_zero(),
        key,
        "it may not be zero",
        "write a time such as 30s",
    )
}

/// An error of the form `problem; remedy`, taken apart.
pub(super) fn halves(message: &str) -> (String, String) {
    match message.split_once("; ") {
        Some((problem, remedy)) => (problem.to_owned(), remedy.to_owned()),
        None => (message.to_owned(), "correct the value".to_owned()),
    }
}
