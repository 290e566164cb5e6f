//! The rules that concern us, in canonical form and in the order in which they rank.
//!
//! A file of 500 KiB holds up to 100,000 rules, so a rule is a few numbers; all patterns stand in
//! one text.

use super::canonical;
use super::pattern::{self, Octets};

/// In which readings a rule is ours.
pub(super) const RFC: u8 = 1;
/// See [`RFC`].
pub(super) const INTENT: u8 = 2;

/// One Allow or Disallow.
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

/// The rules of the groups that concern us.
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
            needs: Octets::needed(pattern),
            allow,
            flags,
        });
    }

    /// Sets the flags of every rule anew, keeps those that are left with any, and puts them in
    /// the order in which they rank.
    pub(super) fn settle(&mut self, flags: impl Fn(u8) -> u8) {
        for rule in &mut self.rules {
            rule.flags = flags(rule.flags);
        }
        let held = self.rules.len();
        self.rules.retain(|rule| rule.flags != 0);
        if self.rules.len() < held {
            self.drop_unused_patterns();
        }
        self.rules.sort_by_key(Rule::rank);
        self.rules.shrink_to_fit();
        self.patterns.shrink_to_fit();
    }

    fn drop_unused_patterns(&mut self) {
        // The rules are in file order still, and so are their patterns.
        let mut end = 0;
        for rule in &mut self.rules {
            let old = rule.range();
            rule.start = u32::try_from(end).unwrap_or(u32::MAX);
            end += old.len();
            self.patterns.copy_within(old, rule.start as usize);
        }
        self.patterns.truncate(end);
    }

    /// All rules, as they rank: longest pattern first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter()
    }

    /// A rule's canonical pattern: ASCII.
    pub(super) fn pattern(&self, rule: &Rule) -> &[u8] {
        self.patterns.get(rule.range()).unwrap_or_default()
    }

    /// The rules that match a canonical path, as they rank.
    pub(super) fn matching(&self, path: &str) -> Vec<&Rule> {
        let held = Octets::of(path.as_bytes());
        self.rules
            .iter()
            .filter(|rule| rule.needs.within(held))
            .filter(|rule| pattern::matches(self.pattern(rule), path.as_bytes()))
            .collect()
    }
}

impl Rule {
    fn range(&self) -> std::ops::Range<usize> {
        let start = self.start as usize;
        start..start + self.length as usize
    }

    /// Sort key: longest pattern, then Allow, then first line (RB2).
    fn rank(&self) -> (std::cmp::Reverse<u32>, bool, u32) {
        (std::cmp::Reverse(self.length), !self.allow, self.line)
    }
}

/// The rule of one reading that decides among those that matched.
pub(super) fn deciding<'r>(matched: &[&'r Rule], flag: u8) -> Option<&'r Rule> {
    matched.iter().find(|rule| rule.flags & flag != 0).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_coarse_set_passes_over_no_rule_that_matches() {
        let mut rules = Rules::default();
        for pattern in ["/a*z$", "/%24", "*", "/A_~-.", "/a?b=c&d;e,f"] {
            rules.push((1, 0), false, false, pattern.as_bytes(), RFC);
        }
        for path in ["/abcz", "/%24x", "/q", "/A_~-.", "/a?b=c&d;e,f!"] {
            let by_pattern = rules
                .iter()
                .filter(|rule| pattern::matches(rules.pattern(rule), path.as_bytes()))
                .count();
            assert_eq!(rules.matching(path).len(), by_pattern);
            assert!(by_pattern > 0);
        }
    }

    #[test]
    fn settled_rules_keep_their_patterns_and_rank_by_length_allow_and_line() {
        let mut rules = Rules::default();
        let pushed = [
            (1, false, "/gone-and-longer", 0),
            (2, false, "/aa", RFC),
            (3, true, "/bb", RFC),
            (4, false, "/cc", 0),
            (5, true, "/d", INTENT),
            (6, true, "/ee", RFC | INTENT),
            (7, false, "/ffff", INTENT),
        ];
        for (line, allow, pattern, flags) in pushed {
            rules.push((line, 0), allow, false, pattern.as_bytes(), flags);
        }
        rules.settle(|flags| flags);
        let found: Vec<(u32, &[u8])> = rules.iter().map(|r| (r.line, rules.pattern(r))).collect();
        let expected: [(u32, &[u8]); 5] = [
            (7, b"/ffff"),
            (3, b"/bb"),
            (6, b"/ee"),
            (2, b"/aa"),
            (5, b"/d"),
        ];
        assert_eq!(found, expected);
        assert_eq!(rules.patterns.len(), 16, "nothing else is held");
    }
}
