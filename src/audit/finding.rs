//! What was found, promise by promise.

use super::ledger::{AuditKind, Promise};
use super::words;
use crate::store::RequestKey;

/// Breaches listed with each finding at most; all are counted.
const LISTED: usize = 20;

/// One breach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Breach {
    /// Promise id.
    pub promise: String,
    /// One sentence: what was promised, what was seen, where and when.
    pub what: String,
    /// The request to look at.
    pub request: Option<RequestKey>,
}

/// What was found for one promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Promise id.
    pub promise: String,
    /// How many observations were checked.
    pub checked: u64,
    /// Worst value seen, in words: `smallest gap 2,003 ms of 2,000 ms (docs.alder.test 2026-11-30 08:14:06.412Z)`.
    pub worst: String,
    /// How many breaches; the first ones are listed.
    pub breaches: u64,
    /// The first breaches, at most 20.
    pub first: Vec<Breach>,
}

macro_rules! checks {
    ($($name:ident $id:literal $unit:literal,)*) => {
        /// The promises that have a check, in ledger order.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Check { $($name,)* }

        impl Check {
            /// All of them.
            pub(super) const ALL: &[Check] = &[$(Check::$name,)*];

            /// Promise id.
            pub(super) fn id(self) -> &'static str {
                match self { $(Check::$name => $id,)* }
            }

            /// What is counted.
            fn unit(self) -> &'static str {
                match self { $(Check::$name => $unit,)* }
            }
        }
    };
}

checks! {
    Id1 "ID1" "requests",
    Id3 "ID3" "requests",
    As1 "AS1" "requests",
    As2 "AS2" "visits",
    As3 "AS3" "requests",
    As4 "AS4" "requests",
    As5 "AS5" "redirects of files",
    As6 "AS6" "requests",
    As8 "AS8" "hosts",
    As9 "AS9" "visits and requests",
    Rb1 "RB1" "requests",
    Rb3 "RB3" "answers and the requests that refer to them",
    Rb4 "RB4" "answers and the requests that refer to them",
    Rb5 "RB5" "answers",
    Rb6 "RB6" "answers",
    Rb7 "RB7" "hops",
    Rb8 "RB8" "files",
    Rb9 "RB9" "requests",
    Pc1 "PC1" "pairs of requests",
    Pc2 "PC2" "gaps",
    Pc3 "PC3" "gaps",
    Pc4 "PC4" "answers",
    Pc5 "PC5" "blocks",
    Pc6 "PC6" "gaps",
    Pc7 "PC7" "challenges",
    Tr1 "TR1" "requests with a validator held",
    Tr3 "TR3" "bodies",
    Oo1 "OO1" "requests",
    Oo4 "OO4" "requests",
}

impl Check {
    /// Whether the worst value is the breach itself; for the others a breach is the worst that was seen.
    fn value_tells_breach(self) -> bool {
        matches!(
            self,
            Check::As2 | Check::Rb9 | Check::Pc2 | Check::Pc3 | Check::Pc6
        )
    }
}

/// What is known so far of one promise.
#[derive(Clone, Debug, Default)]
struct Tally {
    checked: u64,
    breaches: u64,
    first: Vec<Breach>,
    /// Rank (smaller is worse) and words.
    worst: Option<(i64, String)>,
    notes: Vec<String>,
}

/// The tallies of an audit.
#[derive(Clone, Debug)]
pub(super) struct Book {
    tallies: Vec<Tally>,
}

impl Book {
    pub(super) fn new() -> Book {
        Book {
            tallies: vec![Tally::default(); Check::ALL.len()],
        }
    }

    fn tally(&mut self, check: Check) -> Option<&mut Tally> {
        self.tallies.get_mut(check as usize)
    }

    /// One more observation was looked at.
    pub(super) fn seen(&mut self, check: Check) {
        if let Some(tally) = self.tally(check) {
            tally.checked += 1;
        }
    }

    /// A value; it is put into words only if it is the worst so far. Smaller ranks are worse.
    pub(super) fn value(&mut self, check: Check, rank: i64, words: impl FnOnce() -> String) {
        if let Some(tally) = self.tally(check)
            && tally.worst.as_ref().is_none_or(|(worst, _)| rank < *worst)
        {
            tally.worst = Some((rank, words()));
        }
    }

    /// A breach.
    pub(super) fn breach(&mut self, check: Check, request: Option<RequestKey>, what: String) {
        if let Some(tally) = self.tally(check) {
            tally.breaches += 1;
            if tally.first.len() < LISTED {
                tally.first.push(Breach {
                    promise: check.id().to_owned(),
                    what,
                    request,
                });
            }
        }
    }

    /// Something to say beside the worst value.
    pub(super) fn note(&mut self, check: Check, note: String) {
        if let Some(tally) = self.tally(check) {
            tally.notes.push(note);
        }
    }

    /// The findings for what `policy` promises and the log can prove, in ledger order.
    pub(super) fn finish(mut self, promises: &[Promise], policy: &str) -> Vec<Finding> {
        promises
            .iter()
            .filter(|promise| promise.has(AuditKind::Log) && promise.kept_by(policy))
            .map(|promise| {
                let check = Check::ALL.iter().find(|check| check.id() == promise.id);
                let tally = check
                    .and_then(|check| self.tally(*check))
                    .map(std::mem::take);
                finding(&promise.id, check.copied(), tally.unwrap_or_default())
            })
            .collect()
    }
}

fn finding(id: &str, check: Option<Check>, tally: Tally) -> Finding {
    let mut parts = Vec::new();
    let breach = tally.first.first().map(|breach| breach.what.clone());
    let value = tally.worst.map(|(_, words)| words);
    let worst = match check {
        Some(check) if check.value_tells_breach() => value.or(breach),
        _ => breach.or(value),
    };
    match (worst, check) {
        (Some(worst), _) => parts.push(worst),
        (None, None) => parts.push("nothing to check: no run does this yet".to_owned()),
        (None, Some(check)) if tally.checked > 0 => parts.push(format!(
            "{}, all as promised",
            words::counted(tally.checked, check.unit())
        )),
        (None, Some(_)) if tally.notes.is_empty() => parts.push("nothing to check".to_owned()),
        (None, Some(_)) => {}
    }
    parts.extend(tally.notes);
    Finding {
        promise: id.to_owned(),
        checked: tally.checked,
        worst: parts.join("; "),
        breaches: tally.breaches,
        first: tally.first,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::ledger;

    #[test]
    fn every_log_promise_of_intentroute_has_a_check() {
        let promises = ledger().expect("the built-in ledger reads");
        for promise in &promises {
            if promise.has(AuditKind::Log) && promise.kept_by("intentroute") {
                assert!(
                    Check::ALL.iter().any(|check| check.id() == promise.id),
                    "{} has no check",
                    promise.id
                );
            }
        }
    }

    #[test]
    fn every_check_is_a_log_promise_in_ledger_order() {
        let promises = ledger().expect("the built-in ledger reads");
        let mut rest = promises
            .iter()
            .filter(|promise| promise.has(AuditKind::Log));
        for check in Check::ALL {
            assert!(
                rest.any(|promise| promise.id == check.id()),
                "{} is missing or out of order",
                check.id()
            );
        }
    }

    #[test]
    fn only_the_first_breaches_are_listed_and_all_are_counted() {
        let promises = ledger().expect("the built-in ledger reads");
        let mut book = Book::new();
        for number in 0..25 {
            book.breach(Check::Pc2, None, number.to_string());
        }
        let findings = book.finish(&promises, "intentroute");
        let gaps = findings.iter().find(|finding| finding.promise == "PC2");
        let gaps = gaps.expect("a finding");
        assert_eq!((gaps.breaches, gaps.first.len()), (25, 20));
    }

    #[test]
    fn only_the_worst_value_is_put_into_words() {
        let promises = ledger().expect("the built-in ledger reads");
        let mut book = Book::new();
        book.value(Check::Pc2, 5, || "five".to_owned());
        book.value(Check::Pc2, 7, || {
            unreachable!("seven is not worse than five")
        });
        book.value(Check::Pc2, 4, || "four".to_owned());
        let findings = book.finish(&promises, "intentroute");
        assert!(findings.iter().any(|finding| finding.worst == "four"));
    }
}
