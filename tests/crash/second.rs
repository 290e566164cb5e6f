//! One engine a store; and a hold that is released between two passes over a site.

use super::judge::breaches;
use super::lab::Lab;
use super::stored;
use super::town::{SET, Town};

#[test]
fn a_second_run_is_refused_and_the_first_goes_on() {
    let town = Town::new();
    let mut lab = Lab::new(&town.sites, 0, &town.list);
    let mut first = lab.start(&SET);
    assert!(lab.asked(&mut first, 10));
    let arguments = lab.run_arguments(&SET);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let second = lab.command(&arguments);
    let said = String::from_utf8_lossy(&second.stderr);
    assert_eq!(second.status.code(), Some(1), "{said}");
    let holder = format!("process {}", first.id());
    let errors: Vec<&str> = said
        .lines()
        .filter(|line| line.contains("engine runs"))
        .collect();
    assert_eq!(errors.len(), 1, "{said}");
    assert!(errors[0].contains(&holder), "{said}");
    assert!(errors[0].contains("--store"), "{said}");
    let first = first.ended();
    assert_eq!(first.status.code(), Some(0), "{}", first.err);
    lab.lives.push(first.life);
    let seen = lab.seen();
    assert_eq!(breaches(&seen, &lab.lives), Vec::<String>::new());
    let shown = stored::judge(&lab, &town, &|_| 1);
    assert_eq!(shown.interrupted, 0);
    // The lock goes with its holder.
    lab.run_to_end(&SET);
    assert_eq!(lab.seen(), seen, "a finished run asks nothing more");
}

/// A site is walked again when a hold on one of its hosts is released: the gap to its last answer
/// is kept all the same.
#[test]
fn the_gap_is_kept_when_a_site_is_walked_again() {
    let robots = "[[file]]\npath = \"/robots.txt\"\ntext = '''\nUser-agent: *\nAllow: /llms.txt$\n\
                  Disallow: /\n'''\n";
    let sites = ["a.yew.test", "b.yew.test"].map(|host| (host.to_owned(), robots.to_owned()));
    let mut lab = Lab::new(&sites, 0, "a.yew.test\nb.yew.test\n");
    let gap = 400;
    let set = ["--set", "pace.min_gap=400ms"];
    let ended = lab.start(&["--failpoint", "intent.before"]).ended();
    lab.lives.push(ended.life);
    lab.must(&["hold", "add", "=a.yew.test"]);
    let mut run = lab.start(&set);
    assert!(lab.asked(&mut run, 1));
    lab.must(&["hold", "remove", "=a.yew.test"]);
    let ended = run.ended();
    assert_eq!(ended.status.code(), Some(0), "{}", ended.err);
    let seen = lab.seen();
    let asked: Vec<String> = seen
        .iter()
        .map(|seen| format!("{}{}", seen.host, seen.path))
        .collect();
    let expected = [
        "b.yew.test/robots.txt",
        "b.yew.test/llms.txt",
        "a.yew.test/robots.txt",
        "a.yew.test/llms.txt",
    ];
    assert_eq!(asked, expected);
    for pair in seen.windows(2) {
        let apart = pair[1].at_ms - pair[0].at_ms;
        assert!(
            apart + 1 >= gap,
            "{}{}: {apart} ms",
            pair[1].host,
            pair[1].path
        );
    }
    stored::spoken(&lab);
}

/// A hold on the host that a visit moved to: the run does what else there is, and ends.
#[test]
fn a_hold_on_the_host_a_visit_moved_to_lets_the_run_end() {
    let town = Town::new();
    let set = ["--set", "pace.min_gap=200ms"];
    // Before the redirect is followed, and after.
    for asked in [1, 3] {
        let mut lab = Lab::new(&town.sites, 0, "dogwood.test\n");
        let mut run = lab.start(&set);
        assert!(lab.asked(&mut run, asked));
        lab.must(&["hold", "add", "=www.dogwood.test"]);
        let held = lab.seen().len();
        let ended = run.ended();
        assert_eq!(ended.status.code(), Some(0), "{}", ended.err);
        lab.lives.push(ended.life);
        assert_eq!(lab.seen().len(), held);
        lab.must(&["hold", "remove", "=www.dogwood.test"]);
        lab.run_to_end(&set);
        assert_eq!(lab.seen().len(), 14);
        assert_eq!(breaches(&lab.seen(), &lab.lives), Vec::<String>::new());
        stored::spoken(&lab);
    }
}
