//! Which hosts are due, and which never are by themselves.

use lamplighter::store::{HostId, RobotsId, SpanState, VisitOutcome};

use super::fixture::{Work, at, host};

const NAMES: [&str; 4] = [
    "alder.test",
    "docs.alder.test",
    "bramble.test",
    "cedar.test",
];

fn due(work: &Work, now: i64) -> Vec<String> {
    let mut names = Vec::new();
    let mut after = None;
    while let Some(site) = work
        .reader
        .due_sites(work.run.id, after, at(now), 1)
        .unwrap()
        .pop()
    {
        after = Some(site.id);
        let mut last = None;
        while let Some(host) = work
            .reader
            .due_hosts(work.run.id, site.id, last, at(now), 1)
            .unwrap()
            .pop()
        {
            last = Some(host.id);
            names.push(format!("{}#{}", host.host, host.turn));
        }
    }
    assert_eq!(
        work.reader.due_count(work.run.id, at(now)).unwrap(),
        names.len() as u64
    );
    names
}

#[tokio::test]
async fn a_host_is_due_until_its_visit_ends() {
    let (_directory, work) = Work::fresh(&NAMES).await;
    assert_eq!(
        due(&work, 1),
        [
            "alder.test#1",
            "docs.alder.test#1",
            "bramble.test#1",
            "cedar.test#1"
        ]
    );
    work.writer
        .end_visit(work.visit_end("bramble.test", VisitOutcome::Held))
        .await
        .unwrap();
    let docs = work.id("docs.alder.test").0;
    let mut end = work.visit_end("alder.test", VisitOutcome::Moved(docs));
    end.alias = Some(docs);
    end.locations = vec![SpanState::Present, SpanState::Denied];
    end.denied = vec![("/llms.txt".to_owned(), RobotsId(3), 7)];
    work.writer.end_visit(end.clone()).await.unwrap();
    assert_eq!(due(&work, 9_000), ["bramble.test#1", "cedar.test#1"]);
    assert!(work.reader.visited(work.run.id, docs).unwrap(), "claimed");
    assert!(work.reader.visited(work.run.id, end.host).unwrap());

    // A visit that ended stays ended in this run, even when the due time comes; a closed host has
    // another turn once its own has come.
    let mut early = work.visit_end("bramble.test", VisitOutcome::Done);
    early.due = early.at;
    work.writer.end_visit(early).await.unwrap();
    let mut closed = work.visit_end("cedar.test", VisitOutcome::Closed("unreachable".to_owned()));
    closed.due = at(3_600_000);
    work.writer.end_visit(closed.clone()).await.unwrap();
    assert_eq!(due(&work, 10_000), Vec::<String>::new());
    assert_eq!(due(&work, 3_600_000), ["cedar.test#2"]);

    let mut records = Vec::new();
    work.reader
        .each_visit(work.run.id, &mut |record| {
            records.push(record);
            true
        })
        .unwrap();
    assert_eq!(records.len(), 3);
    assert_eq!(
        (
            &records[0].outcome,
            &records[0].locations,
            &records[0].denied
        ),
        (&end.outcome, &end.locations, &end.denied)
    );
    assert_eq!(
        (
            records[0].ended,
            records[0].previous,
            records[0].source_known
        ),
        (end.at, None, true)
    );
    assert_eq!(
        records[2].outcome,
        VisitOutcome::Closed("unreachable".to_owned())
    );

    // The next run is told when this one's visits ended (AS9).
    let week = super::fixture::run_start();
    let next = work
        .writer
        .begin_run(lamplighter::store::RunStart {
            label: "2026-W50".to_owned(),
            ..week
        })
        .await
        .unwrap();
    let mut again = work.visit_end("cedar.test", VisitOutcome::Done);
    again.run = next.id;
    work.writer.end_visit(again).await.unwrap();
    let mut previous = None;
    work.reader
        .each_visit(next.id, &mut |record| {
            previous = record.previous;
            true
        })
        .unwrap();
    assert_eq!(previous, Some(closed.at));
    let states: Vec<String> = work
        .reader
        .hosts(None, 9)
        .unwrap()
        .into_iter()
        .map(|row| row.state)
        .collect();
    assert_eq!(states, ["waiting", "waiting", "waiting", "done"]);
}

#[tokio::test]
async fn a_host_met_on_the_way_is_offered_and_never_due_by_itself() {
    let (_directory, work) = Work::fresh(&["alder.test"]).await;
    let from = work.id("alder.test").0;
    let found = work
        .writer
        .discover(host("www.alder.test"), from, at(5_000))
        .await
        .unwrap();
    assert_eq!(
        work.writer
            .discover(host("www.alder.test"), from, at(6_000))
            .await
            .unwrap(),
        found
    );
    assert_eq!(
        work.writer
            .discover(host("alder.test"), found, at(6_000))
            .await
            .unwrap(),
        from
    );
    assert!(
        work.writer
            .discover(host("x.alder.test"), HostId(99), at(6_000))
            .await
            .is_err()
    );
    assert_eq!(
        work.reader.host_name(found).unwrap(),
        host("www.alder.test")
    );
    assert_eq!(due(&work, 9_000), ["alder.test#1"]);
    let row = work.reader.hosts(None, 9).unwrap().pop().unwrap();
    assert_eq!(
        (row.source.as_str(), row.state.as_str()),
        ("redirect of alder.test", "offered")
    );
    work.writer
        .end_visit(work.visit_end("alder.test", VisitOutcome::Moved(found)))
        .await
        .unwrap();
    assert_eq!(due(&work, 10 * 365 * 86_400_000), Vec::<String>::new());
    // A list that names it adopts it; in this run its visit is over.
    let report = super::fixture::import(&work.store, &["www.alder.test", "alder.test"]);
    assert_eq!((report.added, report.known), (1, 1));
    assert_eq!(due(&work, 9_000), Vec::<String>::new());
    let row = work.reader.hosts(None, 9).unwrap().pop().unwrap();
    assert_eq!(row.source, "list hosts.txt 2026-11-29 line 1");
}
