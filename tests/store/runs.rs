//! What the store knows of a run as a whole.

use lamplighter::fetch::Outcome;
use lamplighter::store::{Observation, RunId, RunStart, StoreError, VisitOutcome};

use super::fixture::{Work, at, run_start};

#[tokio::test]
async fn the_last_time_known_of_a_run_is_that_of_whatever_came_last() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test"]).await;
    let last = || work.reader.last_seen(work.run.id).unwrap();
    assert_eq!(last(), at(0), "nothing but its start");
    let policy = "name = \"intentroute\"".to_owned();
    let begin = work.writer.begin_process(work.run.id, at(900), policy);
    begin.await.unwrap();
    assert_eq!(last(), at(900), "a process");
    let intent = work.intent("alder.test", "/robots.txt");
    let key = work.writer.intent(intent).await.unwrap();
    assert_eq!(last(), at(2_000), "an intent");
    let finished = work.finished(key, "alder.test", "/robots.txt");
    let ended = finished.ended.utc;
    work.writer.finish(finished).await.unwrap();
    assert_eq!((last(), ended), (at(2_040), at(2_040)), "an answer");
    let visit = work.visit_end("alder.test", VisitOutcome::Done);
    let over = visit.at;
    work.writer.end_visit(visit).await.unwrap();
    assert_eq!((last(), over), (at(3_000), at(3_000)), "a visit");
    let desk = work.store.desk().unwrap();
    desk.journal("ada", at(4_000), "note", "", "").unwrap();
    assert_eq!(last(), at(4_000), "an act of the operator while it ran");
    desk.journal("ada", at(86_400_000), "note", "", "").unwrap();
    assert_eq!(last(), at(4_000), "an act after its window is not of it");
    work.writer.end_run(work.run.id, at(5_000)).await.unwrap();
    assert_eq!(last(), at(5_000), "its end");
}

#[tokio::test]
async fn what_belongs_to_another_run_does_not_count() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test"]).await;
    let (target, nothing) = ("/robots.txt", Observation::Nothing);
    work.ask("alder.test", target, Outcome::Present, nothing)
        .await;
    let next = RunStart {
        label: "2026-W50".to_owned(),
        at: at(7 * 86_400_000),
        window_ends: at(8 * 86_400_000),
        ..run_start()
    };
    let next = work.writer.begin_run(next).await.unwrap();
    let last = |run| work.reader.last_seen(run);
    assert_eq!(last(next.id).unwrap(), at(7 * 86_400_000));
    assert_eq!(last(work.run.id).unwrap(), at(2_040));
    let unknown = last(RunId(99));
    assert!(matches!(unknown, Err(StoreError::NotFound(_))));
}
