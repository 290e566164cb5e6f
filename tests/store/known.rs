//! What was known of a host once a past run was over.

use lamplighter::fetch::{Outcome, Validators};
use lamplighter::store::{Horizon, Observation, RunStart, SpanState, Version, VisitOutcome};

use super::fixture::{Work, at, body, run_start};

const HOST: &str = "alder.test";
const PATH: &str = "/llms.txt";

/// Number, first and last seen of each, in milliseconds of the fixture's clock.
fn told(versions: &[Version]) -> Vec<(u32, i64, i64)> {
    let ms = |time: jiff::Timestamp| time.as_millisecond() - at(0).as_millisecond();
    let versions = versions.iter();
    versions
        .map(|version| {
            (
                version.number,
                ms(version.first_seen),
                ms(version.last_seen),
            )
        })
        .collect()
}

#[tokio::test]
async fn a_past_run_knew_nothing_of_what_came_after() {
    let (_directory, mut work) = Work::fresh(&[HOST, "docs.alder.test"]).await;
    let alder = work.id(HOST).0;
    let not_modified = || Observation::NotModified(Validators::default());
    let mut runs = vec![work.run.id];
    let mut knew = Vec::new();
    for week in 0..4 {
        if week > 0 {
            let start = RunStart {
                label: format!("2027-W{week:02}"),
                at: at(work.tick()),
                ..run_start()
            };
            work.run = work.writer.begin_run(start).await.unwrap();
            let policy = "name = \"intentroute\"".to_owned();
            work.process = (work.writer)
                .begin_process(work.run.id, work.run.start.at, policy)
                .await
                .unwrap();
            runs.push(work.run.id);
        }
        match week {
            0 => {
                work.ask(HOST, PATH, Outcome::Present, body(b"one", None))
                    .await
            }
            1 => {
                work.ask(HOST, PATH, Outcome::NotModified, not_modified())
                    .await
            }
            2 => {
                work.ask(HOST, PATH, Outcome::Present, body(b"two", None))
                    .await
            }
            _ => {
                work.ask(HOST, PATH, Outcome::Present, body(b"two", None))
                    .await
            }
        };
        // Neither a failure nor another host of the site confirms anything.
        let failed = Observation::State(SpanState::Error);
        work.ask(HOST, PATH, Outcome::Timeout, failed).await;
        work.ask(
            "docs.alder.test",
            PATH,
            Outcome::Present,
            body(b"two", None),
        )
        .await;
        let end = work.visit_end(HOST, VisitOutcome::Done);
        work.writer.end_visit(end).await.unwrap();
        let versions = work.reader.versions(alder, None).unwrap();
        let log = work.reader.log_page(alder, None, 100).unwrap();
        knew.push((told(&versions), log.len()));
    }
    assert_eq!(
        knew.iter()
            .map(|(versions, _)| versions.len())
            .collect::<Vec<_>>(),
        [1, 1, 2, 2]
    );
    assert_ne!(knew[0].0, knew[1].0, "a 304 is a confirmation");

    for (n, run) in runs.iter().enumerate() {
        let Some(horizon) = work.reader.horizon(*run).unwrap() else {
            assert_eq!(n, 3, "only with the newest run all is known");
            continue;
        };
        assert_eq!(horizon.next, runs[n + 1]);
        let versions = work.reader.versions_known(alder, horizon).unwrap();
        assert_eq!(told(&versions), knew[n].0, "versions with run {n}");
        let before = horizon.requests();
        let log = work.reader.log_page(alder, Some(before), 100).unwrap();
        assert_eq!(log.len(), knew[n].1, "requests with run {n}");
        let visits = work
            .reader
            .visits_of(alder, Some(horizon.next), 100)
            .unwrap();
        assert_eq!(visits.len(), n + 1);
        assert_eq!(visits[0].record.run, *run);
    }
}

#[tokio::test]
async fn a_robots_txt_fetched_later_was_not_known() {
    let (_directory, work) = Work::fresh(&[HOST]).await;
    let alder = work.id(HOST).0;
    for _ in 0..3 {
        let intent = work.intent(HOST, "/robots.txt");
        let key = work.writer.intent(intent).await.unwrap();
        let mut finished = work.finished(key, HOST, "/robots.txt");
        finished.robots = Some(super::host_page::robots_fetch(alder, finished.ended.utc));
        work.writer.finish(finished).await.unwrap();
    }
    let all = work.reader.robots_fetches(alder, None, 10).unwrap();
    assert_eq!(all.len(), 3);
    let middle = all[1].fetch.at;
    let horizon = Horizon {
        next: work.run.id,
        before: middle,
    };
    let known = work
        .reader
        .robots_fetches(alder, Some(horizon.before), 10)
        .unwrap();
    assert_eq!(known.len(), 1);
    assert_eq!(
        known[0].id, all[2].id,
        "what ended at that very moment came after"
    );
}
