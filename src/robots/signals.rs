//! Content-Signal and Content-Usage: what a site allows to be done with what is fetched (CS1 to CS3).
//!
//! Content-Signal as its vendor documents it; Content-Usage as in the aipref drafts of August 2026,
//! an RFC 9651 dictionary. Lenient only towards refusals.

use super::explain::Signals;
use super::{canonical, pattern, usage};

/// Which of the two lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Signal,
    Usage,
}

/// For whom a line speaks, seen from us.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tier {
    /// The groups that are ours by both readings.
    Ours,
    /// Ours by one reading only, or before any group: its refusals count, its grants do not.
    RefusalsOnly,
    /// The `*` groups where a group names us: a refusal counts where our own group says nothing.
    WhereWeAreSilent,
}

/// One signal line that concerns us.
pub(super) struct SignalLine {
    pub(super) line: u32,
    /// Where it begins in the text.
    pub(super) at: u32,
    pub(super) tier: Tier,
    kind: Kind,
    /// Canonical pattern of the paths it speaks of; empty for all.
    pattern: Vec<u8>,
    statements: Vec<Statement>,
}

pub(super) struct Statement {
    pub(super) key: &'static str,
    pub(super) value: &'static str,
}

impl Statement {
    /// It refuses or limits something. How far `use` goes is a limit unless it is `full`.
    fn refuses(&self) -> bool {
        !matches!(self.value, "yes" | "y" | "full")
    }
}

impl SignalLine {
    /// Reads a value. The flag tells whether all of it could be read as specified.
    pub(super) fn read(
        (line, at): (u32, u32),
        tier: Tier,
        kind: Kind,
        value: &[u8],
    ) -> (SignalLine, bool) {
        let (path, preference) = split_path(value);
        let mut pattern = Vec::new();
        canonical::pattern(path, &mut pattern);
        let (statements, clear) = match kind {
            Kind::Signal => signal_statements(&String::from_utf8_lossy(preference)),
            Kind::Usage => usage::statements(preference),
        };
        let line = SignalLine {
            line,
            at,
            tier,
            kind,
            pattern,
            statements,
        };
        (line, clear)
    }

    fn covers(&self, path: &str) -> bool {
        self.pattern.is_empty() || pattern::matches(&self.pattern, path.as_bytes())
    }

    fn states(&self, key: &str) -> Option<&Statement> {
        self.statements.iter().find(|s| s.key == key)
    }
}

/// A value that begins with a slash has a path in front, up to the first white space.
fn split_path(value: &[u8]) -> (&[u8], &[u8]) {
    if value.first() != Some(&b'/') {
        return (&[], value);
    }
    let end = value
        .iter()
        .position(|b| matches!(b, b' ' | b'\t'))
        .unwrap_or(value.len());
    (&value[..end], super::text::trim(&value[end..]))
}

fn signal_statements(text: &str) -> (Vec<Statement>, bool) {
    let mut statements: Vec<Statement> = Vec::new();
    let mut clear = true;
    for part in text
        .split([',', ';'])
        .filter(|part| !part.trim().is_empty())
    {
        let parted = part.replace('=', " = ");
        let words: Vec<&str> = parted.split_whitespace().collect();
        let mut pairs = words
            .windows(3)
            .filter(|three| three[1] == "=")
            .map(|three| (three[0], three[2]))
            .peekable();
        clear &= words.len() == 3 && pairs.peek().is_some();
        for (nth, (key, value)) in pairs.enumerate() {
            let Some(statement) = signal_statement(key, value) else {
                clear = false;
                continue;
            };
            // Only the first pair between two commas is well-formed: a further one may refuse.
            if nth == 0 || statement.refuses() {
                add(&mut statements, statement);
            }
        }
    }
    (statements, clear)
}

fn signal_statement(key: &str, value: &str) -> Option<Statement> {
    let value = value.to_ascii_lowercase();
    let bare = value.trim_matches(['"', '\'']);
    if key.eq_ignore_ascii_case("use") {
        let value = ["immediate", "reference", "full"]
            .into_iter()
            .find(|known| *known == bare)?;
        return Some(Statement { key: "use", value });
    }
    let key = ["search", "ai-input", "ai-train"]
        .into_iter()
        .find(|known| key.eq_ignore_ascii_case(known))?;
    let value = match bare {
        "no" | "n" | "false" | "disallow" => "no",
        "yes" if bare == value => "yes",
        _ => return None,
    };
    Some(Statement { key, value })
}

/// Adds a statement to a line; of two on one key the stricter stays.
fn add(statements: &mut Vec<Statement>, statement: Statement) {
    match statements.iter_mut().find(|s| s.key == statement.key) {
        Some(held) if strictness(statement.value) < strictness(held.value) => *held = statement,
        Some(_) => {}
        None => statements.push(statement),
    }
}

/// Smaller is stricter.
fn strictness(value: &str) -> u8 {
    match value {
        "no" | "n" | "immediate" => 0,
        "reference" => 1,
        _ => 2,
    }
}

/// The signals in force at a canonical path; of a closed path only Content-Signal speaks.
pub(super) fn in_force(lines: &[SignalLine], path: &str, allowed: bool) -> Signals {
    let mut signals = Signals::default();
    let of = |kind: Kind| {
        lines
            .iter()
            .filter(move |line| line.kind == kind && line.covers(path))
    };
    for key in ["search", "ai-input", "ai-train", "use"] {
        if let Some(value) = signal_in_force(of(Kind::Signal), key) {
            signals.content_signal.insert(key.into(), value.into());
        }
    }
    if allowed {
        for key in ["search", "train-ai"] {
            if let Some(value) = usage_in_force(of(Kind::Usage), key) {
                signals.content_usage.insert(key.into(), value.into());
            }
        }
    }
    signals
}

/// What counts of the lines that state `key`, by tier: those that are ours, and `*`'s.
fn split_tiers<'l>(
    lines: impl Iterator<Item = &'l SignalLine>,
    key: &'l str,
) -> (Vec<Stated<'l>>, Vec<Stated<'l>>) {
    lines
        .filter_map(|line| Some((line.tier, line.pattern.len(), line.states(key)?)))
        .filter(|(tier, _, statement)| *tier == Tier::Ours || statement.refuses())
        .map(|(tier, length, statement)| Stated {
            silent: tier == Tier::WhereWeAreSilent,
            length,
            value: statement.value,
        })
        .partition(|stated| !stated.silent)
}

struct Stated<'l> {
    silent: bool,
    /// Of the pattern.
    length: usize,
    value: &'l str,
}

/// The strictest statement; that of the `*` groups only where ours say nothing.
fn signal_in_force<'l>(
    lines: impl Iterator<Item = &'l SignalLine>,
    key: &'l str,
) -> Option<&'l str> {
    let (ours, star) = split_tiers(lines, key);
    let spoken = if ours.is_empty() { star } else { ours };
    let strictest = spoken.into_iter().min_by_key(|s| strictness(s.value))?;
    Some(strictest.value)
}

/// The statement with the longest path; of equal ones the refusal.
fn usage_in_force<'l>(
    lines: impl Iterator<Item = &'l SignalLine>,
    key: &'l str,
) -> Option<&'l str> {
    let (ours, star) = split_tiers(lines, key);
    let spoken = if ours.is_empty() { star } else { ours };
    let rank = |s: &Stated<'_>| (std::cmp::Reverse(s.length), strictness(s.value));
    Some(spoken.into_iter().min_by_key(rank)?.value)
}
