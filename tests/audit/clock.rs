//! A clock set back between two processes of a run, and two processes that did ask at once (PC1).

use lamplighter::store::{LogRow, ProcessId, SiteId, Stamp};

use super::log::{HOUR, Log, MONDAY, MONO, table, time};

const MINUTE: i64 = 60_000;

fn stamps(row: &mut LogRow) -> impl Iterator<Item = &mut Stamp> {
    [&mut row.intent]
        .into_iter()
        .chain(&mut row.sent)
        .chain(&mut row.ended)
}

fn set_back(row: &mut LogRow, by: i64) {
    for stamp in stamps(row) {
        stamp.utc = time(stamp.utc.as_millisecond() - by);
    }
}

/// The first process lives an hour, from its first request to its second. The second one begins
/// `after` that and asks the rest, by a clock that was set back in between.
fn restart(log: &mut Log, after: i64, back: i64) {
    log.shift(1, HOUR - 2_100);
    log.shift(2, after);
    log.restart(2, HOUR + after);
    log.rows[2..].iter_mut().for_each(|row| set_back(row, back));
    log.facts.processes[1].started = time(MONDAY + HOUR + after - back);
}

/// A request to another site, `at` ms into the run in truth.
fn elsewhere(log: &mut Log, at: i64) -> &mut LogRow {
    log.sibling(2, "oak.test", at);
    let row = log.rows.last_mut().expect("just asked");
    row.key.site = SiteId(2);
    row
}

#[test]
fn a_clock_set_back_between_two_processes_is_not_two_at_once() {
    table(&[
        ("a clock that runs on", |log| restart(log, MINUTE, 0), &[]),
        (
            "set back by less than lay between them",
            |log| restart(log, 10 * MINUTE, 5 * MINUTE),
            &[],
        ),
        (
            "set back by more",
            |log| restart(log, MINUTE, 10 * MINUTE),
            &[],
        ),
        (
            "and the second one goes to another site",
            |log| {
                restart(log, MINUTE, 10 * MINUTE);
                let row = elsewhere(log, HOUR + 2 * MINUTE);
                row.process = ProcessId(2);
                set_back(row, 10 * MINUTE);
                stamps(row).for_each(|stamp| stamp.mono_ms -= MONO + HOUR + MINUTE);
            },
            &[],
        ),
    ]);
}

#[test]
fn a_clock_set_back_hides_no_two_processes_at_once() {
    table(&[
        (
            "the first one goes on elsewhere after it was set back",
            |log| {
                restart(log, MINUTE, 10 * MINUTE);
                set_back(elsewhere(log, HOUR + 2 * MINUTE), 10 * MINUTE);
            },
            &["PC1"],
        ),
        (
            "the second one was asking elsewhere before it was set back",
            |log| {
                restart(log, MINUTE, 10 * MINUTE);
                // It began half a minute before the last request of the first one.
                let began = HOUR - MINUTE / 2;
                for stamp in log.rows[2..].iter_mut().flat_map(stamps) {
                    stamp.mono_ms += MINUTE + MINUTE / 2;
                }
                let row = elsewhere(log, HOUR - MINUTE / 4);
                row.process = ProcessId(2);
                stamps(row).for_each(|stamp| stamp.mono_ms -= MONO + began);
                log.facts.processes[1].started = time(MONDAY + began);
            },
            &["PC1"],
        ),
        (
            "the first one asks the same site again",
            |log| {
                restart(log, MINUTE, 10 * MINUTE);
                let row = &mut log.rows[3];
                row.process = ProcessId(1);
                stamps(row).for_each(|stamp| stamp.mono_ms += MONO + HOUR + MINUTE);
            },
            &["PC1"],
        ),
        (
            "a difference that a late commit explains",
            |log| restart(log, 0, 3_000),
            &["PC1"],
        ),
        (
            "no site was asked by both",
            |log| {
                restart(log, MINUTE, 10 * MINUTE);
                log.rows[2..]
                    .iter_mut()
                    .for_each(|row| row.key.site = SiteId(2));
            },
            &["RB1", "PC1"],
        ),
    ]);
}
