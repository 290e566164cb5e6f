//! What is transferred, and names never to be asked.

use lamplighter::fetch::{Outcome, Validators};

use super::log::{Log, table};

#[test]
fn transfer_and_opting_out() {
    table(&[
        (
            "a validator sent",
            |log| {
                held(log);
                log.rows[1].conditional = true;
            },
            &[],
        ),
        ("a validator held and not sent", held, &["TR1"]),
        (
            "the largest body",
            |log| log.rows[1].body_bytes = 10_000_000,
            &[],
        ),
        (
            "one byte over",
            |log| log.rows[1].body_bytes = 10_000_001,
            &["TR3"],
        ),
        (
            "over the cap and discarded",
            |log| {
                log.rows[1].outcome = Some(Outcome::TooLarge);
                (log.rows[1].body_bytes, log.rows[1].sha256) = (10_000_001, None);
            },
            &[],
        ),
        (
            "over the cap and kept",
            |log| log.rows[1].outcome = Some(Outcome::TooLarge),
            &["TR3"],
        ),
        (
            "one second after",
            |log| log.journal(5_300, "suppress add alder.test"),
            &[],
        ),
        (
            "a millisecond later",
            |log| log.journal(5_299, "suppress add alder.test"),
            &["OO4"],
        ),
        (
            "another name",
            |log| log.journal(0, "suppress add lder.test"),
            &[],
        ),
        (
            "removed before",
            |log| {
                log.journal(-9_000, "suppress add =docs.alder.test");
                log.journal(0, "suppress remove =docs.alder.test");
            },
            &[],
        ),
        (
            "one page",
            |log| log.journal(-9_000, "suppress add https://docs.alder.test/mcp.json"),
            &["OO4"],
        ),
    ]);
}

/// The same clock for both, or one for each: what counts is which came first.
#[test]
fn opting_out_is_compared_across_clocks() {
    const WEEK: i64 = 604_800_000;
    table(&[
        (
            "both a week ahead, in time",
            |log| {
                log.journal(5_300, "suppress add alder.test");
                log.set_clocks(WEEK, WEEK);
            },
            &[],
        ),
        (
            "both a week ahead, too late",
            |log| {
                log.journal(5_299, "suppress add alder.test");
                log.set_clocks(WEEK, WEEK);
            },
            &["OO4"],
        ),
        (
            "the run a week ahead, entered a week before its requests were",
            |log| {
                log.journal(5_300 - WEEK, "suppress add alder.test");
                log.set_clocks(WEEK, 0);
            },
            &[],
        ),
        (
            "the run a week behind, entered before its requests",
            |log| {
                log.journal(5_299 + WEEK, "suppress add alder.test");
                log.set_clocks(-WEEK, 0);
            },
            &["OO4"],
        ),
        (
            "entered in the time of a run a week ahead, asked by one in the system's",
            |log| {
                log.journal(5_299 + WEEK, "suppress add alder.test");
                log.set_clocks(0, WEEK);
            },
            &["OO4"],
        ),
    ]);
}

fn held(log: &mut Log) {
    log.rows[1].held = Some(Validators {
        etag: Some("\"a\"".to_owned()),
        last_modified: None,
    });
}
