//! Requests of a host, newest first, each with the gap that was kept before it.

use std::time::Duration;

use engine::fetch::Outcome;
use engine::policy::Method;
use engine::store::{Gap, Leave, LogLine};

use super::facts::Fact;
use crate::cli::log::hex;
use crate::engine;
use crate::jobs::page::REQUESTS;
use crate::text::{Clean, fit, words};
use crate::theme::Role;

/// Rows from the end at which older ones are read.
const NEAR: usize = 30;

/// Those read so far.
#[derive(Debug)]
pub(crate) struct Requests {
    pub(crate) rows: Vec<Request>,
    /// There are no older ones.
    pub(crate) complete: bool,
    /// Number of the question about older ones that is not answered yet.
    pub(crate) asked: Option<u64>,
}

impl Requests {
    /// The newest.
    pub(super) fn new(newest: Vec<LogLine>) -> Requests {
        Requests {
            complete: newest.len() < REQUESTS,
            rows: newest.into_iter().map(Request::new).collect(),
            asked: None,
        }
    }

    /// Takes the newest anew and keeps the older ones, if nothing is missing between them.
    pub(super) fn renew(&mut self, newest: Vec<LogLine>) {
        let before = std::mem::replace(self, Requests::new(newest));
        let Some(oldest) = self.rows.last().map(|row| row.line.row.key) else {
            return;
        };
        let joined = before.rows.iter().any(|row| row.line.row.key == oldest);
        if joined && !self.complete {
            let older = before.rows.into_iter();
            self.rows
                .extend(older.filter(|row| row.line.row.key < oldest));
            self.complete = before.complete;
            self.asked = before.asked;
        }
    }

    /// Takes older ones.
    pub(crate) fn more(&mut self, older: Vec<LogLine>) {
        self.asked = None;
        self.complete = older.len() < REQUESTS;
        let oldest = self.rows.last().map(|row| row.line.row.key);
        let older = older.into_iter().filter(|line| Some(line.row.key) < oldest);
        self.rows.extend(older.map(Request::new));
    }

    /// Whether older ones are wanted with the cursor on a row.
    pub(crate) fn wants_more(&self, at: usize) -> bool {
        !self.complete && self.asked.is_none() && at + NEAR >= self.rows.len()
    }
}

/// Whether the gap before a request was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It was, or there was none to keep.
    Yes,
    /// It was not.
    Short,
    /// By the wall clock alone it was not, which may have stepped between two processes.
    Doubtful,
}

impl Kept {
    /// A word behind the number.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kept::Yes => "",
            Kept::Short => "short",
            Kept::Doubtful => "short?",
        }
    }

    /// What that means.
    pub(crate) fn role(self) -> Role {
        match self {
            Kept::Yes => Role::Plain,
            Kept::Short => Role::Bad,
            Kept::Doubtful => Role::Told,
        }
    }

    fn of(gap: Option<Gap>, in_force: i64) -> Kept {
        match gap {
            Some(gap) if gap.ms < in_force && gap.monotonic => Kept::Short,
            Some(gap) if gap.ms < in_force => Kept::Doubtful,
            _ => Kept::Yes,
        }
    }
}

/// One request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) line: LogLine,
    pub(crate) date: Clean,
    pub(crate) time: Clean,
    /// Day and second, where there is no room for more.
    pub(crate) short: Clean,
    pub(crate) what: Clean,
    pub(crate) status: Clean,
    pub(crate) outcome: Clean,
    pub(crate) good: bool,
    pub(crate) size: Clean,
    pub(crate) gap: Clean,
    pub(crate) in_force: Clean,
    pub(crate) kept: Kept,
    pub(crate) robots: Clean,
    pub(crate) conditional: &'static str,
}

impl Request {
    fn new(line: LogLine) -> Request {
        let row = &line.row;
        let sent = row.sent.unwrap_or(row.intent).utc;
        let dash = || "-".to_owned();
        let method = match row.method {
            Method::Get => "GET",
            Method::Head => "HEAD",
        };
        let good = match row.outcome {
            Some(Outcome::Withdrawn) | None => false,
            Some(_) => row
                .status
                .is_some_and(|status| status < 400 || matches!(status, 404 | 410)),
        };
        Request {
            date: Clean::new(sent.strftime("%Y-%m-%d").to_string()),
            time: Clean::new(fit::time_milli(sent)),
            short: Clean::new(sent.strftime("%m-%d %H:%M:%SZ").to_string()),
            what: Clean::new(format!("{method} {}", row.target)),
            status: Clean::new(row.status.map_or_else(dash, |status| status.to_string())),
            outcome: Clean::new(match row.outcome {
                Some(outcome) => words::outcome(outcome.word()),
                None => "no answer".to_owned(),
            }),
            good,
            size: Clean::new(fit::bytes(row.body_bytes)),
            gap: Clean::new(line.gap.map_or_else(dash, |gap| kept(gap.ms))),
            in_force: Clean::new(gap(row.gap_ms)),
            kept: Kept::of(line.gap, row.gap_ms),
            robots: Clean::new(match row.leave {
                Leave::Robots => "itself".to_owned(),
                Leave::NoRule(_) => "no rule".to_owned(),
                Leave::Rule(_, line) => format!("line {line}"),
                Leave::Open(_) => "open".to_owned(),
            }),
            conditional: if row.conditional { "yes" } else { "-" },
            line,
        }
    }

    /// Its address; without the scheme where that is not known.
    pub(crate) fn url(&self, scheme: &str) -> Clean {
        let row = &self.line.row;
        let scheme = match scheme {
            "" => String::new(),
            scheme => format!("{scheme}://"),
        };
        Clean::new(format!("{scheme}{}{}", row.host_name, row.target))
    }

    /// What the row has no room for: the address, the gap, why it was allowed, the validators.
    pub(crate) fn facts(&self, scheme: &str) -> Vec<Fact> {
        let row = &self.line.row;
        let mut facts = vec![
            Fact {
                label: "url",
                text: self.url(scheme),
                role: Role::Link,
            },
            Fact::new("answer", self.answer()),
            Fact::new(
                "allowed",
                format!("{}; {}", self.leave(), self.validators()),
            ),
            Fact::new("gap", self.gap_words()).role(self.kept.role()),
            Fact::new("sent", self.times()),
        ];
        if let Some(digest) = &row.sha256 {
            facts.push(Fact::new("sha256", hex(digest)));
        }
        if let Some(target) = &row.redirect {
            facts.push(Fact::new("redirect to", target));
        }
        match row.retry_after_ms {
            None => {}
            Some(-1) => facts.push(Fact::new("retry after", "unclear")),
            Some(ms) => facts.push(Fact::new("retry after", gap(ms))),
        }
        if let Some(detail) = &row.detail {
            facts.push(Fact::new("detail", detail));
        }
        facts
    }

    fn gap_words(&self) -> String {
        let in_force = &self.in_force;
        let Some(gap) = self.line.gap else {
            let withdrawn = self.line.row.outcome == Some(Outcome::Withdrawn);
            return if withdrawn {
                "never sent: nothing was to be kept".to_owned()
            } else {
                format!("the first of its site; {in_force} in force")
            };
        };
        let clock = if gap.monotonic {
            ""
        } else {
            ", by the wall clock of two processes"
        };
        match self.kept {
            Kept::Yes => format!("{} kept, {in_force} in force{clock}", self.gap),
            Kept::Short if gap.ms < 0 => {
                format!("asked before the answer before it; {in_force} in force")
            }
            Kept::Short => format!("too short: {} of {in_force}", self.gap),
            Kept::Doubtful => format!("may be too short: {} of {in_force}{clock}", self.gap),
        }
    }

    fn leave(&self) -> String {
        match self.line.row.leave {
            Leave::Robots => "robots.txt itself may be asked".to_owned(),
            Leave::NoRule(_) => "no rule of robots.txt matched".to_owned(),
            Leave::Rule(_, line) => format!("by line {line} of robots.txt"),
            Leave::Open(_) => "the host has no robots.txt".to_owned(),
        }
    }

    fn validators(&self) -> String {
        let row = &self.line.row;
        let held = row.held.as_ref().map_or_else(String::new, |held| {
            let both = [held.etag.as_deref(), held.last_modified.as_deref()];
            let words: Vec<&str> = both.into_iter().flatten().collect();
            words.join(", ")
        });
        match (row.conditional, held.is_empty()) {
            (true, _) => format!("conditional on {held}"),
            (false, true) => "not conditional, no validator held".to_owned(),
            (false, false) => format!("not conditional, though {held} was held"),
        }
    }

    fn times(&self) -> String {
        let row = &self.line.row;
        let mut text = format!("{} {}", self.date, self.time);
        match row.sent.zip(row.ended) {
            Some((sent, ended)) => {
                text.push_str(&format!(
                    ", {} ms",
                    ended.mono_ms.saturating_sub(sent.mono_ms)
                ));
            }
            None => text.push_str(", no end known: under way, or interrupted"),
        }
        text.push_str(&format!(
            ", attempt {}, connection {}",
            row.attempt, row.connection
        ));
        if let Some(remote) = row.remote {
            text.push_str(&format!(", to {remote}"));
        }
        text
    }

    fn answer(&self) -> String {
        let row = &self.line.row;
        let mut text = format!("{} {}", self.status, self.outcome);
        text.push_str(&format!(
            ", {} on the wire, {} in all",
            fit::bytes(row.wire_bytes),
            self.size
        ));
        if !row.coding.is_empty() {
            text.push_str(&format!(", coding {}", row.coding));
        }
        text
    }
}

fn gap(ms: i64) -> String {
    fit::gap(Duration::from_millis(u64::try_from(ms).unwrap_or(0)))
}

/// A gap that was measured, to the millisecond where it is about seconds.
fn kept(ms: i64) -> String {
    match ms {
        ..0 => format!("{ms} ms"),
        0..1_000 => format!("{ms} ms"),
        1_000..120_000 => format!("{}.{:03} s", ms / 1_000, ms % 1_000),
        _ => fit::span(Duration::from_millis(u64::try_from(ms).unwrap_or(0))),
    }
}
