//! What is not as it should be: looked for in what the engine told, said in one sentence each.

use std::time::Duration;

use engine::crawl::RunState;
use engine::store::Totals;
use jiff::Timestamp;

use super::live::{self, Live};
use crate::engine;
use crate::text::{Clean, fit};

/// Fewer requests or hosts than this say nothing about a share.
const ENOUGH: u64 = 50;
/// Shares of requests, in percent, that are too many.
const FAILED: u64 = 5;
/// Shares of hosts, in percent, that are too many.
const CLOSED: u64 = 25;
const WAITING: u64 = 10;
/// Errors of one visit that are too many.
const ERRORS: usize = 3;
/// Hosts named in one alarm.
const NAMED: usize = 3;
/// Left of the window when it is worth a word.
const WINDOW: Duration = Duration::from_mins(30);
/// Room on the disk that is too little: a share in percent, and bytes.
const ROOM_SHARE: u64 = 5;
const ROOM_BYTES: u64 = 500_000_000;

/// Free and whole bytes of the disk under the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Room {
    pub(crate) free: u64,
    pub(crate) whole: u64,
}

/// What stands around the store, as last looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Around {
    /// Room on the disk.
    pub(crate) room: Room,
    /// An engine runs on the store: ours, or that of another terminal.
    pub(crate) engine: bool,
    /// A pause is asked for.
    pub(crate) paused: bool,
    /// Its newest run is a loopback run.
    pub(crate) loopback: bool,
}

/// What the audit of a run found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Audited {
    /// Label of the run.
    pub(crate) run: String,
    /// Promises that its log let be checked, and how often that was.
    pub(crate) promises: u64,
    pub(crate) checks: u64,
    /// Those broken, by id, and how often.
    pub(crate) breaches: Vec<(String, u64)>,
}

impl Audited {
    /// In one sentence.
    pub(crate) fn sentence(&self) -> String {
        let found = match self.breaches.len() as u64 {
            0 => "none broken".to_owned(),
            broken => {
                let breaches: u64 = self.breaches.iter().map(|(_, count)| count).sum();
                format!("{broken} BROKEN, {}", fit::counted(breaches, "breach"))
            }
        };
        format!(
            "audit of {}: {} checked {}, {found}",
            self.run,
            fit::counted(self.promises, "promise"),
            fit::counted(self.checks, "time"),
        )
    }
}

/// What is known beside the run itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beside {
    /// What stands around the store.
    pub(crate) around: Option<Around>,
    /// The run has ended and its audit is under way.
    pub(crate) auditing: bool,
    /// Number of the question about it.
    pub(crate) audit_asked: u64,
    /// What the audit of the run found.
    pub(crate) audited: Option<Audited>,
}

impl Beside {
    /// Whether a promise was found broken.
    pub(crate) fn is_breached(&self) -> bool {
        let audited = self.audited.as_ref();
        audited.is_some_and(|audited| !audited.breaches.is_empty())
    }
}

/// All alarms, the gravest first.
pub(crate) fn alarms(live: &Live, beside: &Beside, now: Option<Timestamp>) -> Vec<Clean> {
    let mut found: Vec<String> = Vec::new();
    found.extend(breached(beside));
    found.extend(beside.around.and_then(|around| disk(around.room)));
    found.extend(now.and_then(|now| window(live, now)));
    found.extend(failing(&live.totals, &["timeout", "too_slow"], "timed out"));
    found.extend(failing(
        &live.totals,
        &["dns", "connect", "tls", "reset"],
        "found no connection",
    ));
    found.extend(closed(live));
    found.extend(told_to_wait(live));
    found.extend(erring(live));
    found.iter().map(Clean::new).collect()
}

fn breached(beside: &Beside) -> Option<String> {
    let breaches = beside.audited.iter().flat_map(|audited| &audited.breaches);
    let all: Vec<String> = breaches
        .map(|(id, count)| format!("{id} ({})", fit::count(*count)))
        .collect();
    (!all.is_empty()).then(|| {
        format!(
            "promises were broken: {}; `lamplighter audit` shows each",
            all.join(", ")
        )
    })
}

fn disk(room: Room) -> Option<String> {
    let little = room.free < ROOM_BYTES || room.free * 100 < room.whole * ROOM_SHARE;
    little.then(|| {
        format!(
            "the disk is nearly full: {} left; the run stops when there is none",
            fit::bytes(room.free)
        )
    })
}

fn window(live: &Live, now: Timestamp) -> Option<String> {
    let ends = live.window_ends?;
    let left = live.waiting + live.in_flight;
    if left == 0 || live.run_state != Some(RunState::Running) {
        return None;
    }
    let room = fit::until(now, ends);
    if room.is_zero() {
        return Some("the window is over: what is left is asked next time".to_owned());
    }
    match super::left::left(live) {
        Some(wanted) if wanted > room => Some(format!(
            "the window ends in {} and about {} of work is left",
            fit::span(room),
            fit::span(wanted)
        )),
        _ if room < WINDOW => Some(format!("the window ends in {}", fit::span(room))),
        _ => None,
    }
}

fn failing(totals: &Totals, words: &[&str], what: &str) -> Option<String> {
    let counted = words.iter().filter_map(|word| totals.outcomes.get(*word));
    let count: u64 = counted.sum();
    many(count, totals.requests, FAILED).then(|| {
        format!(
            "{} of {} requests {what} ({})",
            fit::count(count),
            fit::count(totals.requests),
            fit::percent(count, totals.requests)
        )
    })
}

fn closed(live: &Live) -> Option<String> {
    let [read, none, closed] = live.robots;
    let whole = read + none + closed;
    many(closed, whole, CLOSED).then(|| {
        format!(
            "robots.txt closed {} of {} hosts ({}): a file, an error or a challenge that many share?",
            fit::count(closed),
            fit::count(whole),
            fit::percent(closed, whole)
        )
    })
}

fn told_to_wait(live: &Live) -> Option<String> {
    many(live.told_to_wait, live.done, WAITING).then(|| {
        format!(
            "{} told us to wait, of {} hosts visited",
            fit::counted(live.told_to_wait, "site"),
            fit::count(live.done)
        )
    })
}

fn many(count: u64, whole: u64, percent: u64) -> bool {
    whole >= ENOUGH && count * 100 > whole * percent
}

fn erring(live: &Live) -> Option<String> {
    let mut hosts = live
        .rows
        .values()
        .filter(|row| live::errors(&row.visit) >= ERRORS)
        .map(|row| row.host().as_str().to_owned());
    let named: Vec<String> = hosts.by_ref().take(NAMED).collect();
    let more = hosts.count();
    (!named.is_empty()).then(|| {
        let mut text = format!("{ERRORS} errors or more in one visit: {}", named.join(", "));
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use engine::crawl::Update;

    use super::*;
    use crate::test_kit::{asking, at, row, running};

    fn of(change: impl FnOnce(&mut Update), beside: &Beside) -> Vec<String> {
        let mut update = running();
        update.window_ends = Some(at("2026-12-01T06:00:00Z"));
        update.told_to_wait = 0;
        change(&mut update);
        let now = update.now;
        let mut live = Live::default();
        live.apply(update);
        let said = alarms(&live, beside, now);
        said.iter().map(|text| text.as_str().to_owned()).collect()
    }

    #[test]
    fn a_run_that_is_well_says_nothing() {
        assert_eq!(of(|_| {}, &Beside::default()), Vec::<String>::new());
    }

    #[test]
    fn each_trouble_has_its_sentence() {
        let quiet = Beside::default();
        let timeouts = of(
            |update| {
                update.totals.outcomes.insert("timeout".to_owned(), 400_000);
            },
            &quiet,
        );
        assert_eq!(
            timeouts,
            ["400,000 of 4,754,349 requests timed out (8.4 %)"]
        );
        let closed = of(|update| update.robots = [60, 0, 40], &quiet);
        assert!(closed[0].starts_with("robots.txt closed 40 of 100 hosts (40.0 %)"));
        let late = of(
            |update| update.now = Some(at("2026-12-01T05:50:00Z")),
            &quiet,
        );
        assert_eq!(late, ["the window ends in 10 min"]);
        let over = of(
            |update| update.now = Some(at("2026-12-01T06:00:01Z")),
            &quiet,
        );
        assert!(over[0].starts_with("the window is over"));
        let erring = of(
            |update| {
                let lamps = "@!!!.........";
                update.rows.push(row(9, "bad.test", lamps, 2, asking("/a")));
            },
            &quiet,
        );
        assert_eq!(erring, ["3 errors or more in one visit: bad.test"]);
        let beside = Beside {
            around: Some(Around {
                room: Room {
                    free: 4_000_000_000,
                    whole: 100_000_000_000,
                },
                engine: true,
                paused: false,
                loopback: false,
            }),
            auditing: false,
            audit_asked: 0,
            audited: Some(Audited {
                run: "2026-W49".to_owned(),
                promises: 31,
                checks: 4_000,
                breaches: vec![("PC2".to_owned(), 3)],
            }),
        };
        let said = of(|_| {}, &beside);
        assert!(said[0].contains("PC2 (3)"), "{said:?}");
        assert!(said[1].starts_with("the disk is nearly full: 4.0 GB left"));
    }

    #[test]
    fn a_few_requests_raise_no_alarm() {
        let few = of(
            |update| {
                update.totals.requests = 20;
                update.totals.outcomes.insert("timeout".to_owned(), 20);
            },
            &Beside::default(),
        );
        assert_eq!(few, Vec::<String>::new());
    }
}
