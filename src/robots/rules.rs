//! Rules in canonical form, and the linear matcher: no regular expression, no backtracking.

use super::canonical;

/// In which readings a rule is ours.
pub(super) const RFC: u8 = 1;
/// See [`RFC`].
pub(super) const INTENT: u8 = 2;

/// One Allow or Disallow. Small, since a file may hold tens of thousands.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    pub(super) line: u32,
    /// Where its line begins in the text.
    pub(super) at: u32,
    start: u32,
    length: u32,
    /// Octets that a path must hold to be matched.
    needs: Octets,
    pub(super) allow: bool,
    /// While reading: groups it stands in. Afterwards: [`RFC`] and [`INTENT`].
    pub(super) flags: u8,
}

/// Which octets occur: a coarse set, to pass over a rule without looking at its pattern.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Octets(u32);

impl Octets {
    fn of(text: &[u8]) -> Octets {
        Octets(text.iter().fold(0, |set, b| {
            // Letters and digits fall on different bits as far as 32 bits allow.
            set | 1u32.rotate_left(u32::from(*b ^ (*b >> 4)))
        }))
    }

    fn within(self, other: Octets) -> bool {
        self.0 & !other.0 == 0
    }
}

/// The rules of the groups that concern us, in file order.
#[derive(Default)]
pub(super) struct Rules {
    rules: Vec<Rule>,
    patterns: Vec<u8>,
}

impl Rules {
    /// Adds a rule. `slash` puts the slash before it that its author forgot.
    pub(super) fn push(
        &mut self,
        line: (u32, u32),
        allow: bool,
        slash: bool,
        rule: &[u8],
        flags: u8,
    ) {
        let start = self.patterns.len();
        if slash {
            self.patterns.push(b'/');
        }
        canonical::pattern(rule, &mut self.patterns);
        let pattern = &self.patterns[start..];
        let (Ok(start), Ok(length)) = (u32::try_from(start), u32::try_from(pattern.len())) else {
            return;
        };
        self.rules.push(Rule {
            line: line.0,
            at: line.1,
            start,
            length,
            needs: literal_octets(pattern),
            allow,
            flags,
        });
    }

    /// Sets the flags of every rule anew and keeps those that are left with any.
    pub(super) fn settle(&mut self, flags: impl Fn(u8) -> u8) {
        for rule in &mut self.rules {
            rule.flags = flags(rule.flags);
        }
        let held = self.rules.len();
        self.rules.retain(|rule| rule.flags != 0);
        if self.rules.len() < held {
            let mut patterns = Vec::new();
            for rule in &mut self.rules {
                let start = patterns.len();
                let old = rule.start as usize..(rule.start + rule.length) as usize;
                patterns.extend_from_slice(&self.patterns[old]);
                rule.start = u32::try_from(start).unwrap_or(u32::MAX);
            }
            self.patterns = patterns;
        }
        self.rules.shrink_to_fit();
        self.patterns.shrink_to_fit();
    }

    /// All rules, in file order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// A rule's canonical pattern: ASCII.
    pub(super) fn pattern(&self, rule: &Rule) -> &str {
        let range = rule.start as usize..(rule.start + rule.length) as usize;
        std::str::from_utf8(&self.patterns[range]).unwrap_or_default()
    }

    /// The rules that match a canonical path, in file order.
    pub(super) fn matching(&self, path: &str) -> Vec<Rule> {
        let held = Octets::of(path.as_bytes());
        self.rules
            .iter()
            .filter(|rule| rule.needs.within(held))
            .filter(|rule| {
                let range = rule.start as usize..(rule.start + rule.length) as usize;
                matches(&self.patterns[range], path.as_bytes())
            })
            .copied()
            .collect()
    }
}

impl Rule {
    /// Length of the canonical pattern, by which rules rank.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// Sort key: longest pattern, then Allow, then first line (RB2).
    pub(super) fn rank(&self) -> (std::cmp::Reverse<u32>, bool, u32) {
        (std::cmp::Reverse(self.length), !self.allow, self.line)
    }
}

fn literal_octets(pattern: &[u8]) -> Octets {
    let anchored = pattern.strip_suffix(b"$").unwrap_or(pattern);
    anchored
        .split(|b| *b == b'*')
        .fold(Octets::default(), |set, piece| {
            Octets(set.0 | Octets::of(piece).0)
        })
}

/// Whether a canonical pattern matches a canonical path: pieces between stars leftmost in order,
/// the first at the start, the last at the end if the pattern ends in `$`.
pub(super) fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, anchored) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, true),
        None => (pattern, false),
    };
    let mut pieces = pattern.split(|b| *b == b'*');
    let Some(mut rest) = pieces.next().and_then(|first| path.strip_prefix(first)) else {
        return false;
    };
    let mut star = false;
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        star = true;
        if anchored && pieces.peek().is_none() {
            return rest.ends_with(piece);
        }
        match find(rest, piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    star || !anchored || rest.is_empty()
}

fn find(text: &[u8], piece: &[u8]) -> Option<usize> {
    let Some((first, tail)) = piece.split_first() else {
        return Some(0);
    };
    let last = text.len().checked_sub(piece.len())?;
    (0..=last).find(|at| text[*at] == *first && text[at + 1..].starts_with(tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_rfc_9309_says() {
        let rows = [
            ("/", "/x", true),
            ("/x", "/X", false),
            ("/x$", "/x", true),
            ("/x$", "/xy", false),
            ("/$", "/", true),
            ("*", "/", true),
            ("/*.php$", "/a.php", true),
            ("/*.php$", "/a.php5", false),
            ("/*.php$", "/a.php.php", true),
            ("/*ab*ab$", "/abab", true),
            ("/*ab*ab$", "/xab", false),
            ("/x**y", "/x-y", true),
            ("/x*$", "/xyz", true),
            ("x", "/x", false),
            ("$", "/", false),
            ("*$", "/", true),
        ];
        for (pattern, path, expected) in rows {
            assert_eq!(
                matches(pattern.as_bytes(), path.as_bytes()),
                expected,
                "{pattern} {path}"
            );
        }
    }

    #[test]
    fn the_coarse_set_passes_over_no_rule_that_matches() {
        let mut rules = Rules::default();
        for pattern in ["/a*z$", "/%24", "*", "/A_~-.", "/a?b=c&d;e,f"] {
            rules.push((1, 0), false, false, pattern.as_bytes(), RFC);
        }
        for path in ["/abcz", "/%24x", "/q", "/A_~-.", "/a?b=c&d;e,f!"] {
            let by_pattern = rules
                .iter()
                .filter(|rule| matches(rules.pattern(rule).as_bytes(), path.as_bytes()))
                .count();
            assert_eq!(rules.matching(path).len(), by_pattern);
            assert!(by_pattern > 0);
        }
    }
}
