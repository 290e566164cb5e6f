//! The second opinion: `texting_robots` on the chosen rules, rewritten so that it reads them right.
//!
//! It gets one group in canonical form: ASCII, no delays, no `$`. A final `$` is written as `|`,
//! which no canonical form holds bare, and `|` is put after every path asked about: the meaning
//! is the same, the length is the same, and the crate never compiles a regular expression.

use texting_robots::Robot;

use super::Reading;
use super::rules::{INTENT, RFC, Rule, Rules};

/// What the other parser made of the rules of one reading.
pub(super) struct Second {
    pub(super) reading: Reading,
    robot: Result<Robot, String>,
}

impl Second {
    /// Asks about the readings that need asking: one, if the other only closes less.
    pub(super) fn of(rules: &Rules) -> Vec<Second> {
        let all = rules.iter().fold(0, |all, rule| all | rule.flags);
        let only = |flag: u8, allow: bool| {
            rules
                .iter()
                .any(|rule| rule.flags == flag && (rule.allow || !allow))
        };
        let readings: &[(Reading, u8)] = if all == 0 {
            &[]
        } else if !only(RFC, false) && !only(INTENT, true) {
            // Intent is RFC with more refusals: whatever it allows, RFC allows.
            &[(Reading::Intent, INTENT)]
        } else if !only(INTENT, false) && !only(RFC, true) {
            &[(Reading::Rfc, RFC)]
        } else {
            &[(Reading::Rfc, RFC), (Reading::Intent, INTENT)]
        };
        readings
            .iter()
            .map(|(reading, flag)| Second {
                reading: *reading,
                robot: Robot::new("x", &rewritten(rules, *flag)).map_err(|e| e.to_string()),
            })
            .collect()
    }

    #[cfg(test)]
    pub(super) fn failed(reading: Reading, problem: &str) -> Second {
        Second {
            reading,
            robot: Err(problem.to_owned()),
        }
    }

    /// Whether a canonical path is allowed; an error if the rules could not be read.
    pub(super) fn allows(&self, path: &str) -> Result<bool, &str> {
        let robot = self.robot.as_ref().map_err(String::as_str)?;
        Ok(robot.allowed(&format!("{path}|")))
    }
}

fn rewritten(rules: &Rules, flag: u8) -> Vec<u8> {
    let ours = |rule: &&Rule| rule.flags & flag != 0;
    let size: usize = rules
        .iter()
        .filter(ours)
        .map(|r| r.length() as usize + 11)
        .sum();
    let mut text = Vec::with_capacity(size + 16);
    text.extend_from_slice(b"User-agent: *\n");
    for rule in rules.iter().filter(ours) {
        let key: &[u8] = if rule.allow {
            b"Allow: "
        } else {
            b"Disallow: "
        };
        text.extend_from_slice(key);
        let pattern = rules.pattern(rule);
        match pattern.strip_suffix('$') {
            Some(open) => {
                text.extend_from_slice(open.as_bytes());
                text.push(b'|');
            }
            None => text.extend_from_slice(pattern.as_bytes()),
        }
        text.push(b'\n');
    }
    text
}
