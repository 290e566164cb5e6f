//! A wall clock that steps back (rule 7): no gap is shortened, nothing is asked twice, and the log
//! stays in the order in which things happened.

use jiff::SignedDuration;
use lamplighter::crawl::{Clock, Engine, Settings};
use lamplighter::failpoint::Failpoints;
use lamplighter::fetch::Web;
use lamplighter::policy::{self, Override};
use lamplighter::store::{LogRow, Store};
use lamplighter::suppress::SuppressFile;

use super::judge::breaches;
use super::lab::{Lab, Life, utc_ms};
use super::stored;
use super::town::{SET, Town};

/// A store that knows the town's hosts and has asked nothing.
fn lab(town: &Town, more: &[&str]) -> Lab {
    let mut lab = Lab::new(&town.sites, 0, &town.list);
    let more = [&["--failpoint", "intent.before"], more].concat();
    let ended = lab.start(&more).ended();
    lab.lives.push(ended.life);
    lab
}

/// Rows of a site whose wall time lies well before that of the row before them.
fn steps_back(rows: &[LogRow]) -> usize {
    let earlier = |pair: &&[LogRow]| {
        let step = pair[1].intent.utc.duration_since(pair[0].intent.utc);
        pair[0].key.site == pair[1].key.site && step < SignedDuration::from_mins(-50)
    };
    rows.windows(2).filter(earlier).count()
}

/// Rows come in key order; within a process that is the order of monotonic time.
fn assert_in_order(rows: &[LogRow]) {
    for pair in rows.windows(2) {
        let (first, second) = (&pair[0], &pair[1]);
        if first.key.site != second.key.site {
            continue;
        }
        assert!(first.key < second.key, "{first:?} {second:?}");
        assert!(first.process <= second.process, "{first:?} {second:?}");
        if first.process == second.process {
            assert!(
                first.intent.mono_ms <= second.intent.mono_ms,
                "{first:?} {second:?}"
            );
        }
    }
}

#[test]
fn a_step_back_in_a_run_shortens_no_gap() {
    let town = Town::new();
    let mut lab = lab(&town, &[]);
    let store = Store::open(lab.store(), "intentroute").unwrap();
    let change: Override = SET[1].parse().unwrap();
    let policy = policy::load("intentroute".as_ref())
        .unwrap()
        .with(&change)
        .unwrap();
    let clock = Clock::system();
    let settings = Settings {
        loopback: true,
        in_flight: 400,
        suppress: SuppressFile::in_directory(store.directory()),
        web: Web::loopback(&policy, lab.web.address(), None).unwrap(),
        policy,
        store,
        clock: clock.clone(),
        failpoints: Failpoints::default(),
        events: None,
    };
    let from = utc_ms();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let engine = runtime.block_on(Engine::start(settings)).unwrap();
    for requests in [30, 60] {
        while lab.requests() < requests {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        clock.step(SignedDuration::from_hours(-1));
    }
    let summary = runtime.block_on(engine.finished()).unwrap();
    assert!(summary.complete);
    drop(runtime);
    lab.lives.push(Life { from, to: utc_ms() });
    let seen = lab.seen();
    assert!(seen.len() > 100, "{}", seen.len());
    assert_eq!(breaches(&seen, &lab.lives), Vec::<String>::new());
    let rows = stored::rows(&Store::existing(lab.store()).unwrap());
    assert!(steps_back(&rows) > 5, "the steps were not seen");
    assert_in_order(&rows);
    stored::judge(&lab, &town, &|_| 1);
}

#[test]
fn a_step_back_between_two_processes_asks_nothing_twice() {
    let town = Town::new();
    let mut lab = lab(&town, &["--now", "2026-12-02T12:30:00Z"]);
    for (hour, requests) in [("12", 40), ("11", 60)] {
        let now = format!("2026-12-02T{hour}:00:00Z");
        let mut process = lab.start(&[SET[0], SET[1], "--now", &now]);
        assert!(lab.asked(&mut process, requests));
        let ended = process.kill();
        assert_eq!(ended.status.code(), None, "{}", ended.err);
        lab.lives.push(ended.life);
    }
    lab.run_to_end(&[SET[0], SET[1], "--now", "2026-12-02T10:00:00Z"]);
    let seen = lab.seen();
    assert_eq!(breaches(&seen, &lab.lives), Vec::<String>::new());
    let rows = stored::rows(&Store::existing(lab.store()).unwrap());
    assert!(steps_back(&rows) > 5, "the steps were not seen");
    assert_in_order(&rows);
    stored::judge(&lab, &town, &|_| 1);
}

/// Its first process broke down on Monday, nobody looked before Wednesday: late, which is said, and
/// no promise is broken.
#[test]
fn a_run_taken_up_after_its_window_is_late_and_clean() {
    let town = Town::new();
    let mut lab = Lab::new(&town.sites, 0, &town.list);
    let mut process = lab.start(&[SET[0], SET[1], "--now", "2026-11-30T06:00:00Z"]);
    assert!(lab.asked(&mut process, 50));
    lab.lives.push(process.kill().life);
    lab.run_to_end(&[SET[0], SET[1], "--now", "2026-12-02T12:00:00Z"]);
    assert_eq!(breaches(&lab.seen(), &lab.lives), Vec::<String>::new());
    stored::judge(&lab, &town, &|_| 1);
    let audit = lab.must(&["audit"]);
    let words: Vec<&str> = audit.split_whitespace().collect();
    assert!(words.join(" ").contains("after its window"), "{audit}");
}
