//! The second opinion: `texting_robots` on the chosen rules, rewritten so that it reads them right.
//!
//! It gets one group in canonical form: ASCII, no delays, no `$`. A final `$` is written as `|`,
//! which no canonical form holds bare, and `|` is put after the path asked about: the meaning
//! is the same, the length is the same, and the crate never compiles a regular expression.
//!
//! A parsed rule costs the crate half a microsecond and 150 octets, so it is asked anew for each
//! path and gets the file's own rules without those that cannot match it, told by plain means that
//! our matcher has no part in: the path does not begin as the rule does up to its first star, it
//! lacks an octet that the rule names, or it is shorter than what the rule names. Where more than
//! [`MOST_RULES`] rules (or [`MOST_TEXT`] octets) are left, as only a file made for it can have,
//! it gets those that rank first, and the one that decided. Rules that rank below that one decide
//! nothing once the crate, too, finds that it matches.

use texting_robots::Robot;

use super::rules::{INTENT, RFC, Rule, Rules, deciding};
use super::{Reading, SecondOpinion};

/// Rules shown to the crate for one path.
const MOST_RULES: usize = 400;

/// Octets of rules after which no other is shown.
const MOST_TEXT: usize = 12 * 1024;

/// A parser as it is asked: a robots.txt and a path, and whether the path is allowed.
type Parser = fn(&[u8], &str) -> Result<bool, String>;

/// Whom to ask, and about which readings.
pub(super) struct Second {
    readings: &'static [Reading],
    parser: Parser,
}

impl Second {
    /// Tells which readings need asking about: one, if the other only closes less.
    pub(super) fn of(rules: &Rules) -> Second {
        let only = |flag: u8, allow: bool| {
            rules
                .iter()
                .any(|rule| rule.flags == flag && (rule.allow || !allow))
        };
        let readings: &[Reading] = if rules.iter().next().is_none() {
            &[]
        } else if !only(RFC, false) && !only(INTENT, true) {
            // Intent is RFC with more refusals: whatever it allows, RFC allows.
            &[Reading::Intent]
        } else if !only(INTENT, false) && !only(RFC, true) {
            &[Reading::Rfc]
        } else {
            &[Reading::Rfc, Reading::Intent]
        };
        Second {
            readings,
            parser: texting_robots,
        }
    }

    /// The same with another parser.
    #[cfg(test)]
    pub(super) fn asking(self, parser: Parser) -> Second {
        Second { parser, ..self }
    }

    /// Holds our verdict on a canonical path, by the rules that matched it, against the crate's.
    pub(super) fn opinion(&self, rules: &Rules, path: &str, matched: &[&Rule]) -> SecondOpinion {
        if path == "/robots.txt" || self.readings.is_empty() {
            return SecondOpinion::NotAsked;
        }
        for reading in self.readings {
            let flag = match reading {
                Reading::Rfc => RFC,
                Reading::Intent => INTENT,
            };
            let decided = deciding(matched, flag);
            let ours = decided.is_none_or(|rule| rule.allow);
            match (self.parser)(&shown(rules, flag, path, decided), &format!("{path}|")) {
                Err(problem) => return SecondOpinion::Failed(problem),
                Ok(theirs) if theirs != ours => return SecondOpinion::Differs,
                Ok(_) => {}
            }
        }
        SecondOpinion::Agrees
    }
}

fn texting_robots(text: &[u8], path: &str) -> Result<bool, String> {
    let robot = Robot::new("x", text).map_err(|error| error.to_string())?;
    Ok(robot.allowed(path))
}

/// The rules of one reading that could match the path, as a robots.txt.
fn shown(rules: &Rules, flag: u8, path: &str, mut decided: Option<&Rule>) -> Vec<u8> {
    let could = CouldMatch::of(path.as_bytes());
    let mut text = b"User-agent: *\n".to_vec();
    let candidates = rules
        .iter()
        .filter(|rule| rule.flags & flag != 0)
        .filter(|rule| could.match_by(rules.pattern(rule)))
        .take(MOST_RULES);
    for rule in candidates {
        write(rule.allow, rules.pattern(rule), &mut text);
        decided = decided.filter(|decided| !std::ptr::eq(*decided, rule));
        if text.len() > MOST_TEXT {
            break;
        }
    }
    if let Some(rule) = decided {
        write(rule.allow, rules.pattern(rule), &mut text);
    }
    text
}

fn write(allow: bool, pattern: &[u8], text: &mut Vec<u8>) {
    text.extend_from_slice(if allow { b"Allow: " } else { b"Disallow: " });
    match pattern.strip_suffix(b"$") {
        Some(open) => {
            text.extend_from_slice(open);
            text.push(b'|');
        }
        None => text.extend_from_slice(pattern),
    }
    text.push(b'\n');
}

/// What a path must have to be matched at all.
struct CouldMatch<'p> {
    path: &'p [u8],
    held: [bool; 256],
}

impl<'p> CouldMatch<'p> {
    fn of(path: &'p [u8]) -> CouldMatch<'p> {
        let mut held = [false; 256];
        for octet in path {
            held[usize::from(*octet)] = true;
        }
        CouldMatch { path, held }
    }

    /// Whether a canonical pattern could match; false only if it cannot.
    fn match_by(&self, pattern: &[u8]) -> bool {
        let pattern = pattern.strip_suffix(b"$").unwrap_or(pattern);
        let mut named = 0;
        let mut star = false;
        for octet in pattern {
            if *octet == b'*' {
                star = true;
                continue;
            }
            let stands = match star {
                true => self.held[usize::from(*octet)],
                false => self.path.get(named) == Some(octet),
            };
            named += 1;
            if !stands || named > self.path.len() {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pattern::matches;
    use super::*;

    fn rules(patterns: &[String]) -> Rules {
        let mut rules = Rules::default();
        for (line, pattern) in (1..).zip(patterns) {
            rules.push((line, 0), line % 2 == 0, false, pattern.as_bytes(), RFC);
        }
        rules.settle(|flags| flags);
        rules
    }

    fn text(rules: &Rules, path: &str) -> String {
        let matched = rules.matching(path);
        let shown = shown(rules, RFC, path, deciding(&matched, RFC));
        String::from_utf8_lossy(&shown).into_owned()
    }

    #[test]
    fn what_cannot_match_is_not_shown() {
        let patterns = ["/a", "/b", "/*z", "/*ba$", "/a*b*a*b", "*", "/$"].map(str::to_owned);
        let text = text(&rules(&patterns), "/ab");
        let shown: Vec<&str> = text.lines().skip(1).collect();
        let expected = ["Allow: /*ba|", "Disallow: /a", "Disallow: /|", "Allow: *"];
        let mut sorted = shown.clone();
        sorted.sort_by_key(|line| expected.iter().position(|e| e == line));
        assert_eq!(sorted, expected, "of {patterns:?}");
    }

    #[test]
    fn a_file_made_to_cost_time_costs_none_and_the_rule_that_decided_is_shown() {
        // Letters in the wrong order: only looking closely tells that they do not match.
        let near = |n: usize| format!("/*{:*<9}b*a", "*".repeat(n % 5) + &"ab*".repeat(n % 3));
        let mut patterns: Vec<String> = (0..50_000).map(near).collect();
        patterns.push("/a".to_owned());
        let text = text(&rules(&patterns), "/acb");
        assert!(text.lines().count() <= MOST_RULES + 2);
        assert!(text.len() <= MOST_TEXT + 64);
        assert_eq!(text.lines().last(), Some("Disallow: /a"));
    }

    proptest! {
        #[test]
        fn what_could_match_holds_all_that_matches(pattern in "[/*][ab*/]{0,8}\\$?", path in "/[ab/]{0,8}") {
            let could = CouldMatch::of(path.as_bytes()).match_by(pattern.as_bytes());
            prop_assert!(could || !matches(pattern.as_bytes(), path.as_bytes()));
        }
    }
}
