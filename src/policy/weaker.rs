//! A policy file that speaks in the name of a built-in crawler, but promises less than its public page.

mod compare;
mod robots;

use std::fmt;
use std::time::Duration;

use super::{Policy, builtin, builtin_names, format_duration};

/// One value that promises less than the built-in policy does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weakness {
    /// Dotted key of the value.
    pub key: String,
    /// What the policy says.
    pub says: String,
    /// What the built-in policy promises.
    pub promised: String,
}

impl fmt::Display for Weakness {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Weakness {
            key,
            says,
            promised,
        } = self;
        write!(out, "{key} is {says}, promised is {promised}")
    }
}

impl Policy {
    /// The built-in crawler in whose name this policy speaks: by its own name, by the token that
    /// robots.txt files know (ID2), or by its User-Agent (ID1).
    pub fn stands_for(&self) -> Option<&'static str> {
        builtin_names().iter().copied().find(|name| {
            self.name == *name
                || builtin(name).is_ok_and(|theirs| {
                    let (ours, theirs) = (&self.identity, &theirs.identity);
                    ours.token.eq_ignore_ascii_case(&theirs.token)
                        || ours.user_agent == theirs.user_agent
                })
        })
    }

    /// Every value that promises less than the built-in crawler in whose name this policy speaks;
    /// nothing for a crawler of somebody's own. A value that differs and is neither more nor less
    /// counts as less: it is not what the public page says.
    pub fn weaknesses(&self) -> Vec<Weakness> {
        let theirs = self.stands_for().and_then(|name| builtin(name).ok());
        theirs.map_or_else(Vec::new, |theirs| compare::policies(self, &theirs))
    }
}

/// What was found so far.
struct Found(Vec<Weakness>);

impl Found {
    /// Notes a value unless it is as strong.
    fn note(
        &mut self,
        weaker: bool,
        key: impl Into<String>,
        says: impl Into<String>,
        promised: impl Into<String>,
    ) {
        if weaker {
            self.0.push(Weakness {
                key: key.into(),
                says: says.into(),
                promised: promised.into(),
            });
        }
    }

    /// A number that may not grow.
    fn most(&mut self, key: &str, says: impl Into<u64>, promised: impl Into<u64>) {
        let (says, promised) = (says.into(), promised.into());
        self.note(says > promised, key, says.to_string(), promised.to_string());
    }

    /// A number that may not shrink.
    fn least(&mut self, key: &str, says: impl Into<u64>, promised: impl Into<u64>) {
        let (says, promised) = (says.into(), promised.into());
        self.note(says < promised, key, says.to_string(), promised.to_string());
    }

    /// A time that may not grow.
    fn longest(&mut self, key: &str, says: Duration, promised: Duration) {
        self.note(
            says > promised,
            key,
            format_duration(says),
            format_duration(promised),
        );
    }

    /// A time that may not shrink.
    fn shortest(&mut self, key: &str, says: Duration, promised: Duration) {
        self.note(
            says < promised,
            key,
            format_duration(says),
            format_duration(promised),
        );
    }

    /// A value that must be the same.
    fn same<T: PartialEq + fmt::Debug>(&mut self, key: impl Into<String>, says: &T, promised: &T) {
        self.note(says != promised, key, word(says), word(promised));
    }

    /// A choice, by how strict it is.
    fn strict<T: fmt::Debug>(
        &mut self,
        key: impl Into<String>,
        says: &T,
        promised: &T,
        rank: impl Fn(&T) -> u8,
    ) {
        self.note(rank(says) < rank(promised), key, word(says), word(promised));
    }
}

/// A value as a policy file writes it: `NextRun` is `next_run`.
fn word<T: fmt::Debug>(value: &T) -> String {
    let text = format!("{value:?}");
    if !text.chars().all(|c| c.is_ascii_alphanumeric()) {
        return text;
    }
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
