//! A terminal that nobody reads, as after Ctrl-S or on a dead line, stops no run.

use std::collections::BTreeMap;

use lamplighter::store::{Store, Totals};

use super::pty::Session;
use super::{command, folder, seen};

/// Totals of the only run of a store, once it has ended.
pub(super) fn totals(store: &std::path::Path) -> Option<Totals> {
    let reader = Store::existing(store).ok()?.reader().ok()?;
    let run = reader.runs().ok()?.into_iter().next()?;
    run.ended?;
    reader.totals(run.id).ok()
}

/// Outcomes of what was sent. On a busy machine an intent may be withdrawn before it is, and made
/// anew later.
pub(super) fn sent(totals: &Totals) -> BTreeMap<String, u64> {
    let mut outcomes = totals.outcomes.clone();
    outcomes.remove("withdrawn");
    outcomes
}

#[test]
fn a_terminal_that_nobody_reads_does_not_stop_the_run() {
    let place = tempfile::tempdir().unwrap();
    let [alone, unread] = ["alone", "unread"].map(|name| place.path().join(name));
    let log = place.path().join("web.jsonl");
    // Of the built-in sites some take half a minute to answer nothing.
    let web = folder(place.path(), &[("oak.test", String::new())]);
    let demo = ["demo", "--fast", "--web", &web, "--hosts", "300", "--store"];
    let headless = [
        &demo[..],
        &[alone.to_str().unwrap(), "--headless", "--json"],
    ]
    .concat();
    let output = command(&headless);
    assert_eq!(output.status.code(), Some(0));
    let expected = totals(&alone).unwrap();

    let watched = [
        &demo[..],
        &[unread.to_str().unwrap(), "--web-log", log.to_str().unwrap()],
    ]
    .concat();
    let mut session = Session::start(&watched, 200, 60);
    session.wait_for("In flight");
    session.stop_reading();
    session.wait("the end of the run", |_| totals(&unread).is_some());
    let found = totals(&unread).unwrap();
    assert_eq!(found.requests, expected.requests);
    assert_eq!(sent(&found), sent(&expected));
    assert_eq!(found.denied, expected.denied);
    session.wait("every request in the log", |_| {
        seen(&log).len() as u64 == expected.requests
    });
    // Nobody has read anything so far: a signal ends it all the same.
    session.signal("TERM");
    session.read_again();
    assert_eq!(session.ended(), 0);
    session.given_back();
}
