//! `kill -9` at every named point and at random moments, twice in a run; then the run to its end.

use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use super::dice::{Dice, seed};
use super::judge::breaches;
use super::lab::{Lab, Life, side_by_side, utc_ms};
use super::stored::{self, Shown};
use super::town::{SET, Town};
use lamplighter::failpoint::POINTS;

/// Requests of a whole run of the town are more than this.
const REQUESTS: u64 = 80;

/// Lets another version be served from now on, and keeps when.
struct Versions(Vec<u64>);

impl Versions {
    fn next(&mut self, lab: &Lab) {
        self.0.push(utc_ms());
        lab.web.choose_version(self.0.len() + 1);
    }

    fn at(&self, ms: u64) -> usize {
        1 + self.0.iter().filter(|since| **since <= ms).count()
    }
}

/// Two lives end as `end` has it, with new versions between them; the third goes to the end.
fn two_kills(town: &Town, mut end: impl FnMut(&Lab, usize) -> Life) -> Shown {
    let mut lab = Lab::new(&town.sites, 0, &town.list);
    let mut versions = Versions(Vec::new());
    for number in 0..2 {
        let life = end(&lab, number);
        lab.lives.push(life);
        // What the dead process sent may still be in the server's hands.
        lab.seen();
        versions.next(&lab);
    }
    lab.run_to_end(&SET);
    let seen = lab.seen();
    assert_eq!(breaches(&seen, &lab.lives), Vec::<String>::new());
    assert!(seen.len() as u64 > REQUESTS, "{}", seen.len());
    stored::judge(&lab, town, &|ms| versions.at(ms))
}

#[test]
fn killed_at_every_named_point() {
    let town = Town::new();
    let mut scenarios = Vec::new();
    for point in POINTS {
        let hits = match point {
            // Rarer than requests.
            "visit.end" => [(1, 2), (4, 3), (9, 1)],
            "body.first" => [(1, 9), (7, 2), (20, 4)],
            _ => [(1, 7), (13, 1), (47, 20)],
        };
        scenarios.extend(hits.map(|hits| (point, hits)));
    }
    let interrupted = Mutex::new([0; POINTS.len()]);
    side_by_side(&scenarios, |index, (point, (first, second))| {
        eprintln!("{point}:{first}, then {point}:{second}");
        let shown = two_kills(&town, |lab, number| {
            let hit = if number == 0 { first } else { second };
            let failpoint = format!("{point}:{hit}");
            let mut more = SET.to_vec();
            more.extend(["--failpoint", &failpoint]);
            let ended = lab.start(&more).ended();
            assert_eq!(ended.status.code(), None, "{failpoint}: {}", ended.err);
            ended.life
        });
        assert!(shown.bodies > 10, "{shown:?}");
        interrupted.lock().unwrap()[index / 3] += shown.interrupted;
    });
    // The points between the commit of an intent and the commit of its answer leave rows without one.
    let interrupted = interrupted.into_inner().unwrap();
    eprintln!("interrupted rows by point: {interrupted:?}");
    for (point, rows) in POINTS.iter().zip(interrupted) {
        if [
            "intent.committed",
            "send.before",
            "body.first",
            "answer.after",
        ]
        .contains(point)
        {
            assert!(rows > 0, "{point}");
        }
    }
}

#[test]
fn killed_at_random_moments() {
    let town = Town::new();
    let seed = seed();
    let scenarios: Vec<u64> = (0..25).collect();
    let interrupted = Mutex::new(0);
    side_by_side(&scenarios, |_, scenario| {
        let mut dice = Dice::new(seed, *scenario);
        let shown = two_kills(&town, |lab, number| {
            let already = lab.web.requests();
            let requests = already + 1 + dice.below(if number == 0 { 70 } else { 30 });
            let more = Duration::from_micros(dice.below(12_000));
            eprintln!("seed {seed}, scenario {scenario}: after {requests} requests and {more:?}");
            let mut process = lab.start(&SET);
            // Every fifth at once: while hosts are imported, the run begun, the store made.
            if number > 0 || scenario % 5 > 0 {
                lab.asked(&mut process, requests);
            }
            std::thread::sleep(more * if scenario % 5 > 0 { 1 } else { 8 });
            let ended = process.kill();
            assert_eq!(ended.status.code(), None, "ended before: {}", ended.err);
            ended.life
        });
        *interrupted.lock().unwrap() += shown.interrupted;
    });
    assert!(
        interrupted.into_inner().unwrap() > 0,
        "no kill cut off a request"
    );
}

#[test]
fn asked_to_stop_it_drains_and_goes_on_later() {
    let town = Town::new();
    let signals = [("INT", 40), ("TERM", 70)];
    side_by_side(&signals, |_, (signal, requests)| {
        let mut lab = Lab::new(&town.sites, 0, &town.list);
        let mut process = lab.start(&SET);
        assert!(lab.asked(&mut process, *requests));
        let sent = Command::new("kill")
            .args(["-s", signal, &process.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let ended = process.ended();
        assert_eq!(ended.status.code(), Some(130), "{signal}: {}", ended.err);
        lab.lives.push(ended.life);
        lab.run_to_end(&SET);
        let seen = lab.seen();
        assert_eq!(breaches(&seen, &lab.lives), Vec::<String>::new());
        // Nothing was interrupted, so nothing at all is asked twice, robots.txt included.
        let whole = [Life {
            from: lab.lives[0].from,
            to: lab.lives[1].to,
        }];
        assert_eq!(breaches(&seen, &whole), Vec::<String>::new());
        let shown = stored::judge(&lab, &town, &|_| 1);
        assert_eq!(shown.interrupted, 0);
    });
}
