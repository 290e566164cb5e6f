//! However it ends: by a signal, or with the terminal gone.

use std::time::Instant;

use super::pty::Session;
use super::{folder, seen};

/// An answer that takes so long that the end of the run has to wait for it.
const SLOW: &str = "[[rule]]\npath = \"/llms.txt\"\ndelay_ms = 4000\n";

/// How the end is told.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    Term,
    Hup,
    Gone,
}

/// The run drains, and the process waits for it without spinning.
fn drains(told: Told) {
    let place = tempfile::tempdir().unwrap();
    let log = place.path().join("web.jsonl");
    let web = folder(place.path(), &[("slow.test", SLOW.to_owned())]);
    let store = place.path().join("store");
    let arguments = [
        "demo",
        "--fast",
        "--web",
        &web,
        "--web-log",
        log.to_str().unwrap(),
        "--store",
        store.to_str().unwrap(),
    ];
    let mut session = Session::start(&arguments, 120, 36);
    session.wait_for("asking /llms.txt");
    let (before, _) = session.used();
    let begun = Instant::now();
    match told {
        Told::Term => session.signal("TERM"),
        Told::Hup => session.signal("HUP"),
        Told::Gone => session.hang_up(),
    }
    session.wait("the end", |session| session.used().1);
    let (after, waited) = (session.used().0, begun.elapsed().as_secs_f64());
    assert_eq!(session.ended(), 130, "{told:?}");
    let used = after - before;
    assert!(waited > 0.5, "{told:?}: there was nothing to wait for");
    assert!(
        used < waited / 2.0,
        "{told:?}: {used} s of processor time in {waited} s"
    );
    if told != Told::Gone {
        session.given_back();
    }
    // What was under way came to its end, and nothing was asked after it.
    let asked: Vec<_> = seen(&log).into_iter().map(|seen| seen.path).collect();
    assert_eq!(asked, ["/robots.txt", "/llms.txt"], "{told:?}");
    let told = super::facts(&[
        "--store",
        store.to_str().unwrap(),
        "--json",
        "log",
        "slow.test",
    ]);
    assert_eq!(told[0]["outcome"], "absent", "{told:?}");
}

#[test]
fn a_terminated_run_drains_idly_and_gives_the_terminal_back() {
    drains(Told::Term);
}

#[test]
fn a_run_that_is_hung_up_drains_idly_and_gives_the_terminal_back() {
    drains(Told::Hup);
}

#[test]
fn a_run_without_its_terminal_drains_idly() {
    drains(Told::Gone);
}
