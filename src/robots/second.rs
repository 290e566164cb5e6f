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
//! nothing once the crate, too, finds that it matches. Runs of stars that make a rule longer than
//! it could be without them are shortened, so that it still ranks where it ranked.

use texting_robots::Robot;

use super::pattern::stars;
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
fn shown(rules: &Rules, flag: u8, path: &str, decided: Option<&Rule>) -> Vec<u8> {
    let plain = longest_without_runs(path);
    let chosen = chosen(rules, flag, path, decided);
    let mut text = b"User-agent: *\n".to_vec();
    let (mut last, mut fitted) = (0, plain);
    // From the shortest on: the first that is too long gets the first length that is free.
    for rule in chosen.into_iter().rev() {
        let pattern = rules.pattern(rule);
        let length = if pattern.len() <= plain {
            pattern.len()
        } else {
            fitted += usize::from(pattern.len() != last);
            fitted
        };
        last = pattern.len();
        text.extend_from_slice(if rule.allow {
            b"Allow: "
        } else {
            b"Disallow: "
        });
        write(pattern, length, &mut text);
    }
    text
}

/// The longest a pattern can be that matches the path and has no run of stars: a star between all
/// octets and at both ends, and `$`.
fn longest_without_runs(path: &str) -> usize {
    2 * path.len() + 2
}

/// Those rules, as they rank: no more than are shown, and the one that decided.
fn chosen<'r>(rules: &'r Rules, flag: u8, path: &str, decided: Option<&'r Rule>) -> Vec<&'r Rule> {
    let could = CouldMatch::of(path.as_bytes());
    let plain = longest_without_runs(path);
    let mut octets = 0;
    let mut chosen: Vec<&Rule> = rules
        .iter()
        .filter(|rule| rule.flags & flag != 0)
        .filter(|rule| could.match_by(rules.pattern(rule)))
        .take(MOST_RULES)
        .take_while(|rule| {
            let room = octets < MOST_TEXT;
            octets += rules.pattern(rule).len().min(plain);
            room
        })
        .collect();
    let lacks = |rule: &&Rule| !chosen.iter().any(|held| std::ptr::eq(*held, *rule));
    // Whatever is left out ranks below all that is shown.
    let last = decided.filter(lacks);
    chosen.extend(last);
    chosen
}

/// Writes a pattern for the crate; one that is longer than `length` with shorter runs of stars.
fn write(pattern: &[u8], length: usize, text: &mut Vec<u8>) {
    let (open, end): (&[u8], &[u8]) = match pattern.strip_suffix(b"$") {
        Some(open) => (open, b"|\n"),
        None => (pattern, b"\n"),
    };
    let mut spare = pattern.len().saturating_sub(length);
    let mut rest = open;
    while let Some(star) = rest.iter().position(|b| *b == b'*') {
        let run = stars(&rest[star..]);
        let dropped = spare.min(run - 1);
        spare -= dropped;
        text.extend_from_slice(&rest[..star + run - dropped]);
        rest = &rest[star + run..];
    }
    text.extend_from_slice(rest);
    text.extend_from_slice(end);
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
        let mut rest = pattern;
        while let Some((octet, tail)) = rest.split_first() {
            if *octet == b'*' {
                rest = &rest[stars(rest)..];
                continue;
            }
            // Before the first star all of the pattern so far was named.
            let stands = match rest.len() + named == pattern.len() {
                true => self.path.get(named) == Some(octet),
                false => self.held[usize::from(*octet)],
            };
            named += 1;
            if !stands || named > self.path.len() {
                return false;
            }
            rest = tail;
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
        assert_eq!(
            shown,
            ["Allow: *", "Disallow: /|", "Disallow: /a", "Allow: /*ba|"]
        );
    }

    #[test]
    fn of_too_many_rules_the_first_are_shown_and_the_one_that_decided() {
        // In the wrong order, which only looking closely tells.
        let near = |n: usize| format!("/{}b*a", "*".repeat(1 + n % 4));
        let mut patterns: Vec<String> = (0..50_000).map(near).collect();
        patterns.push("/a".to_owned());
        let text = text(&rules(&patterns), "/acb");
        let shown: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(shown.len(), MOST_RULES + 1);
        assert_eq!(shown[0], "Disallow: /a");
        assert!(shown[1..].iter().all(|rule| rule.ends_with(" /****b*a")));
    }

    #[test]
    fn runs_of_stars_are_shown_shorter_in_the_same_order() {
        let stars = |n: usize| "*".repeat(n);
        let patterns = [
            format!("/{}", stars(500_000)),
            "/a".to_owned(),
            format!("/{}a{}$", stars(300), stars(400)),
            format!("/{}", stars(499_999)),
            format!("/a{}", stars(499_999)),
        ];
        let text = text(&rules(&patterns), "/a");
        let shown: Vec<&str> = text.lines().skip(1).collect();
        let expected = [
            "Allow: /a",
            "Disallow: /*a***|",
            "Allow: /*******",
            "Disallow: /a*******",
            "Disallow: /********",
        ];
        assert_eq!(shown, expected);
    }

    proptest! {
        #[test]
        fn what_could_match_holds_all_that_matches(pattern in "[/*][ab*/]{0,8}\\$?", path in "/[ab/]{0,8}") {
            let could = CouldMatch::of(path.as_bytes()).match_by(pattern.as_bytes());
            prop_assert!(could || !matches(pattern.as_bytes(), path.as_bytes()));
        }
    }
}
