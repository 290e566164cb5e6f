//! Totals of a run, and the size of the log beside it.

use lamplighter::fetch::Outcome;
use lamplighter::store::{RobotsId, StoreError, VisitOutcome};

use super::fixture::{Work, at, body, sha};

const NAMES: [&str; 4] = [
    "alder.test",
    "docs.alder.test",
    "bramble.test",
    "cedar.test",
];

#[tokio::test]
async fn totals_are_kept_and_withdrawn_requests_do_not_count() {
    let (_directory, work) = Work::fresh(&NAMES).await;
    work.ask(
        "alder.test",
        "/llms.txt",
        Outcome::Present,
        body(b"one", None),
    )
    .await;
    let key = work
        .writer
        .intent(work.intent("alder.test", "/a"))
        .await
        .unwrap();
    work.writer.withdraw(work.run.id, key).await.unwrap();
    assert!(matches!(
        work.writer.withdraw(work.run.id, key).await,
        Err(StoreError::NotFound(_))
    ));
    let key = work
        .writer
        .intent(work.intent("alder.test", "/b"))
        .await
        .unwrap();
    let mut finished = work.finished(key, "alder.test", "/b");
    (finished.outcome, finished.status) = (Outcome::Timeout, None);
    (finished.wire_bytes, finished.body_bytes) = (10, 30);
    work.writer.finish(finished).await.unwrap();
    let mut end = work.visit_end("alder.test", VisitOutcome::Closed("too_large".to_owned()));
    end.denied = vec![
        ("/llms.txt".to_owned(), RobotsId(1), 0),
        ("/a".to_owned(), RobotsId(1), 4),
    ];
    work.writer.end_visit(end.clone()).await.unwrap();
    work.writer.end_visit(end).await.unwrap();
    let totals = work.writer.end_run(work.run.id, at(99_000)).await.unwrap();
    assert_eq!(totals, work.reader.totals(work.run.id).unwrap());
    assert_eq!(totals.requests, 2);
    assert_eq!(totals.statuses, [(200, 1)].into());
    let outcomes = [("present", 1), ("timeout", 1), ("withdrawn", 1)];
    assert_eq!(
        totals.outcomes,
        outcomes.map(|(word, n)| (word.to_owned(), n)).into()
    );
    assert_eq!(totals.hosts, [("closed:too_large".to_owned(), 1)].into());
    assert_eq!((totals.denied, totals.versions_new), (2, 1));
    assert_eq!((totals.wire_bytes, totals.body_bytes), (10, 30));
    // A run that ended is opened again under its label; its start stays as first recorded.
    assert!(
        work.reader
            .run("2026-W49")
            .unwrap()
            .unwrap()
            .ended
            .is_some()
    );
    let mut start = super::fixture::run_start();
    start.at = at(500_000);
    let again = work.writer.begin_run(start).await.unwrap();
    assert_eq!(
        (again.id, again.start.at, again.ended),
        (work.run.id, at(0), None)
    );
    assert_eq!(again.start.source_ip, super::fixture::run_start().source_ip);
    assert_eq!(work.reader.processes(work.run.id).unwrap().len(), 1);
}

#[tokio::test]
async fn the_log_stays_bounded_beside_readers_in_short_transactions() {
    // Known fault 16.
    let (_directory, work) = Work::fresh(&["alder.test"]).await;
    let mut worst = 0;
    for n in 0_u32..400 {
        let noise: Vec<u8> = (0..4_000_u32)
            .flat_map(|m| sha(&(n * 10_000 + m).to_le_bytes()))
            .collect();
        work.ask(
            "alder.test",
            "/llms.txt",
            Outcome::Present,
            body(&noise, None),
        )
        .await;
        work.reader.versions(work.id("alder.test").0, None).unwrap();
        worst = worst.max(work.store.wal_bytes());
    }
    assert!(worst > 0 && worst < 64 << 20, "{worst} bytes of log");
    assert_eq!(
        work.reader
            .versions(work.id("alder.test").0, None)
            .unwrap()
            .len(),
        400
    );
}
