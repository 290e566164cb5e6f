//! The verdict and everything that led to it.

use std::collections::BTreeMap;

use serde::Serialize;
use std::fmt;

/// Which group spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupKind {
    /// A group that names our token.
    Named,
    /// The `*` groups.
    Star,
    /// No group for us.
    None,
}

/// Which of the two readings decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// RFC 9309 as written.
    Rfc,
    /// What the owner most likely meant; only ever stricter.
    Intent,
}

/// What `texting_robots` said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SecondOpinion {
    /// The same as our reader.
    Agrees,
    /// Different: the refusal wins and an event is raised.
    Differs,
    /// It could not read the group; counts as a refusal.
    Failed(String),
    /// Not asked: there were no rules, or the path is `/robots.txt` itself.
    NotAsked,
}

/// One rule that matched the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// 1-based line.
    pub line: u32,
    /// Allow or Disallow.
    pub allow: bool,
    /// The rule's line as sent, invalid UTF-8 replaced.
    pub text: String,
    /// Canonical pattern.
    pub pattern: String,
}

/// May a path be fetched, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// True only if both readings and the second opinion allow.
    pub allowed: bool,
    /// Line of the rule that decided, 1-based; none when no rule matched.
    pub line: Option<u32>,
    /// The deciding rule as sent.
    pub rule: Option<String>,
    /// Group that spoke.
    pub group: GroupKind,
    /// 1-based lines of the User-agent lines that made it ours: those that name us, or `*`.
    pub agent_lines: Vec<u32>,
    /// Reading that decided.
    pub reading: Reading,
    /// The path in canonical form.
    pub path: String,
    /// The rules of that reading that matched, longest pattern first; the first decided. At most 100.
    pub matching: Vec<Evidence>,
    /// How many matched in all.
    pub matched: usize,
    /// The other parser's verdict.
    pub second_opinion: SecondOpinion,
}

/// Content signals in force, by key as in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Signals {
    /// Content-Signal: `search`, `ai-input`, `ai-train`: yes or no; `use` as written.
    pub content_signal: BTreeMap<String, String>,
    /// Content-Usage: `search`, `train-ai`: y or n.
    pub content_usage: BTreeMap<String, String>,
    /// The raw lines with their numbers, the first 100.
    pub lines: Vec<(u32, String)>,
}

impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GroupKind::Named => "named",
            GroupKind::Star => "*",
            GroupKind::None => "none",
        })
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reading::Rfc => "RFC 9309",
            Reading::Intent => "what the owner most likely meant",
        })
    }
}

impl fmt::Display for SecondOpinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecondOpinion::Agrees => f.write_str("agrees"),
            SecondOpinion::Differs => f.write_str("differs, so the path is closed"),
            SecondOpinion::Failed(problem) => {
                write!(
                    f,
                    "could not read the rules, so the path is closed: {problem}"
                )
            }
            SecondOpinion::NotAsked => f.write_str("not asked"),
        }
    }
}
