//! Stop means silence (rule 2, OO4): suppression, holds and pauses from another terminal, in the middle
//! of a run, judged by when the server saw its last request.

use std::time::Duration;

use lamplighter::miniweb::Seen;
use lamplighter::store::{Store, VisitOutcome};

use super::judge::breaches;
use super::lab::{Lab, side_by_side, utc_ms};
use super::stored;
use super::town::{self, Town};

/// PC2 in these runs: slow enough to act in the middle of them.
const SET: [&str; 2] = ["--set", "pace.min_gap=600ms"];

/// What an entry covers, said again in the test's own words: names in their ASCII spelling.
#[derive(Clone, Debug)]
enum Scope {
    Domain(String),
    Host(String),
    Page(String, String),
    Everything,
}

impl Scope {
    fn covers(&self, host: &str, path: &str) -> bool {
        match self {
            Scope::Domain(name) => host == name || host.ends_with(&format!(".{name}")),
            Scope::Host(name) => host == name,
            Scope::Page(name, page) => host == name && path == page,
            Scope::Everything => true,
        }
    }
}

/// A span in which nothing of `scope` may be asked, UTC ms.
#[derive(Debug)]
struct Quiet {
    what: String,
    scope: Scope,
    asked: u64,
    reached: u64,
    released: u64,
}

/// Requests that came although the command had said "reached", or a second after it was given.
fn noise(quiets: &[Quiet], seen: &[Seen]) -> Vec<String> {
    let mut noise = Vec::new();
    for quiet in quiets {
        let from = quiet.reached.min(quiet.asked + 1_000);
        for request in seen {
            let inside = (from + 1..quiet.released).contains(&request.at_ms);
            if inside && quiet.scope.covers(&request.host, &request.path) {
                noise.push(format!(
                    "{}: {}{} {} ms after the command, which took {} ms",
                    quiet.what,
                    request.host,
                    request.path,
                    request.at_ms - quiet.asked,
                    quiet.reached - quiet.asked,
                ));
            }
        }
    }
    noise
}

/// Gives a command, which must wait and say that it was reached within a second.
fn order(lab: &Lab, arguments: &[&str], scope: Scope) -> Quiet {
    let asked = utc_ms();
    let output = lab.command(arguments);
    let reached = utc_ms();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {said}");
    assert!(
        said.contains("reached by the running engine"),
        "{arguments:?}: {said}"
    );
    let words: Vec<&str> = said.split_whitespace().collect();
    let took: u64 = words[words.len() - 2]
        .parse()
        .unwrap_or_else(|_| panic!("{said}"));
    assert!(took <= 1_000, "{arguments:?}: {said}");
    Quiet {
        what: arguments.join(" "),
        scope,
        asked,
        reached,
        released: u64::MAX,
    }
}

fn ascii(name: &str) -> String {
    idna::domain_to_ascii(name).unwrap()
}

/// Name of a site as people write it: every tenth is no ASCII.
fn site(number: usize) -> String {
    if number.is_multiple_of(10) {
        format!("bücher{number}.test")
    } else {
        format!("s{number}.test")
    }
}

/// Sites of five hosts; the first of each sends its robots.txt to `www.`.
fn streets(count: usize) -> (Vec<(String, String)>, String) {
    let mut sites = Vec::new();
    let mut list = String::new();
    let robots = "[[file]]\npath = \"/robots.txt\"\ntext = '''\nUser-agent: *\n\
                  Disallow: /.well-known/\n'''\n[[file]]\npath = \"/llms.txt\"\ntext = '''\n# Here\n'''\n";
    for number in 0..count {
        let site = site(number);
        let moved = format!(
            "[[rule]]\npath = \"/robots.txt\"\nstatus = 301\nredirect = \"http://www.{}/robots.txt\"\n",
            ascii(&site)
        );
        // As a walk takes them: by name.
        for (place, below) in ["a.b.", "api.", "docs.", "", "www."].iter().enumerate() {
            let host = format!("{below}{site}");
            let script = if below.is_empty() { &moved } else { robots };
            sites.push((ascii(&host), script.to_owned()));
            // In every spelling that a list may have.
            list += &match (number + place) % 4 {
                0 => format!("{host}.\n"),
                1 => format!("{}\n", ascii(&host)),
                2 => format!("{}\n", host.to_uppercase()),
                _ => format!("{host}\n"),
            };
        }
    }
    (sites, list)
}

#[test]
fn a_suppressed_name_is_never_asked_again() {
    let (sites, list) = streets(100);
    let mut lab = Lab::new(&sites, 0, &list);
    let mut run = lab.start(&SET);
    assert!(lab.asked(&mut run, 200));
    let domain = |name: &str| Scope::Domain(ascii(name));
    let orders = [
        ("s1.test", domain("s1.test")),
        ("=a.b.s2.test", Scope::Host("a.b.s2.test".to_owned())),
        ("bücher10.test", domain("bücher10.test")),
        ("BÜCHER20.TEST.", domain("bücher20.test")),
        (&ascii("www.bücher30.test"), domain("www.bücher30.test")),
        ("S3.Test", domain("s3.test")),
        // Its neighbour's robots.txt leads here.
        ("=www.s4.test", Scope::Host("www.s4.test".to_owned())),
        ("=docs.s5.test.", Scope::Host("docs.s5.test".to_owned())),
        ("b.s6.test", domain("b.s6.test")),
        (
            "https://www.s7.test/llms.txt",
            Scope::Page("www.s7.test".to_owned(), "/llms.txt".to_owned()),
        ),
    ];
    let quiets: Vec<Quiet> = orders
        .into_iter()
        .map(|(name, scope)| order(&lab, &["suppress", "add", name, "--why", "asked us"], scope))
        .collect();
    let refused = lab.command(&["suppress", "add", "co.uk"]);
    assert_eq!(refused.status.code(), Some(2));
    std::thread::sleep(Duration::from_secs(2));
    let killed = run.kill();
    assert_eq!(
        killed.status.code(),
        None,
        "the run is too short: {}",
        killed.out
    );
    lab.lives.push(killed.life);
    let before = lab.seen().len();
    lab.run_to_end(&SET);
    let seen = lab.seen();
    assert_eq!(noise(&quiets, &seen), Vec::<String>::new());
    assert_eq!(breaches(&seen, &lab.lives), Vec::<String>::new());
    // Something was there to be silenced, before the kill and after it.
    assert!(
        before > 600 && seen.len() > before + 400,
        "{before}, {}",
        seen.len()
    );
    let times = |host: &str| seen.iter().filter(|seen| seen.host == host).count();
    for begun in [
        "a.b.s1.test",
        "a.b.s2.test",
        "a.b.s3.test",
        "a.b.s6.test",
        &ascii("a.b.bücher10.test"),
    ] {
        assert!((1..6).contains(&times(begun)), "{begun}: {}", times(begun));
    }
    for (whole, requests) in [("docs.s4.test", 5), ("api.s2.test", 5), ("s4.test", 1)] {
        assert_eq!(times(whole), requests, "{whole}");
    }
    for never in [
        "api.s1.test",
        "www.s1.test",
        "s3.test",
        "www.s4.test",
        "docs.s5.test",
        &ascii("docs.bücher20.test"),
        &ascii("www.bücher30.test"),
    ] {
        assert_eq!(times(never), 0, "{never}");
    }
    assert_eq!(times("www.s7.test"), 4, "all but the page");
    outcomes(&lab);
    stored::spoken(&lab);
}

/// A visit that was not made says why.
fn outcomes(lab: &Lab) {
    let reader = Store::existing(lab.store()).unwrap().reader().unwrap();
    let run = reader.runs().unwrap().remove(0).id;
    let mut suppressed = Vec::new();
    reader
        .each_visit(run, &mut |visit| {
            if visit.outcome == VisitOutcome::Suppressed {
                suppressed.push(visit.host_name.to_string());
            }
            true
        })
        .unwrap();
    for host in [
        "a.b.s1.test",
        "www.s3.test",
        "a.b.s2.test",
        "api.s3.test",
        "www.s4.test",
    ] {
        assert!(
            suppressed.iter().any(|name| name == host),
            "{host}: {suppressed:?}"
        );
    }
    assert!(!suppressed.iter().any(|name| name == "api.s2.test"));
}

#[test]
fn what_is_held_or_paused_is_silent_until_it_is_released() {
    let (sites, list) = streets(12);
    let mut lab = Lab::new(&sites, 0, &list);
    let mut run = lab.start(&SET);
    assert!(lab.asked(&mut run, 30));
    let pause = Duration::from_millis(1_500);
    let mut hold = order(
        &lab,
        &["hold", "add", "S1.TEST"],
        Scope::Domain("s1.test".to_owned()),
    );
    let mut paused = order(&lab, &["pause"], Scope::Everything);
    std::thread::sleep(pause);
    paused.released = utc_ms();
    order(&lab, &["resume"], Scope::Everything);
    std::thread::sleep(pause);
    hold.released = utc_ms();
    order(&lab, &["hold", "remove", "s1.test"], Scope::Everything);
    std::thread::sleep(pause);
    // Paused, killed, started again: silent, robots.txt included, until it is told to go on.
    let held = order(
        &lab,
        &["hold", "add", "=api.s2.test"],
        Scope::Host("api.s2.test".into()),
    );
    let mut stopped = order(&lab, &["pause"], Scope::Everything);
    lab.lives.push(run.kill().life);
    let run = lab.start(&SET);
    std::thread::sleep(2 * pause);
    stopped.released = utc_ms();
    order(&lab, &["resume"], Scope::Everything);
    let ended = run.ended();
    assert_eq!(ended.status.code(), Some(0), "{}", ended.err);
    lab.lives.push(ended.life);
    let seen = lab.seen();
    // Sight of the test itself: each was released, and then there was something to hear.
    for quiet in [&paused, &hold, &stopped] {
        let heard = |seen: &&Seen| {
            seen.at_ms >= quiet.released && quiet.scope.covers(&seen.host, &seen.path)
        };
        assert!(seen.iter().any(|seen| heard(&seen)), "{quiet:?}");
        let open = Quiet {
            released: u64::MAX,
            what: String::new(),
            scope: quiet.scope.clone(),
            ..*quiet
        };
        assert!(!noise(&[open], &seen).is_empty(), "{quiet:?}");
    }
    assert_eq!(
        noise(&[hold, paused, held, stopped], &seen),
        Vec::<String>::new()
    );
    assert_eq!(breaches(&seen, &lab.lives), Vec::<String>::new());
    stored::spoken(&lab);
}

/// The command and the run begin at the same time, on a store that is only just being made: whatever
/// the command says, once it has returned there is silence.
#[test]
fn a_name_suppressed_while_a_run_begins_is_silent_too() {
    let town = Town::new();
    let moments: Vec<u64> = (0..16).map(|step| 6 * step).collect();
    side_by_side(&moments, |_, moment| {
        let lab = Lab::new(&town.sites, 0, &town.list);
        let run = lab.start(&town::SET);
        std::thread::sleep(Duration::from_millis(*moment));
        let asked = utc_ms();
        let arguments = ["suppress", "add", "alder.test"];
        let output = lab.command(&arguments);
        let reached = utc_ms();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{moment} ms: {said}");
        let ended = run.ended();
        assert_eq!(ended.status.code(), Some(0), "{moment} ms: {}", ended.err);
        let quiet = Quiet {
            what: format!("{moment} ms: {said}"),
            scope: Scope::Domain("alder.test".to_owned()),
            asked,
            reached,
            released: u64::MAX,
        };
        assert_eq!(noise(&[quiet], &lab.seen()), Vec::<String>::new());
        stored::spoken(&lab);
    });
}
