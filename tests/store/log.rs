//! The request log and the visits.

use lamplighter::fetch::Outcome;
use lamplighter::policy::Method;
use lamplighter::store::{
    Finished, HostId, Leave, RobotsFetch, RobotsId, RunId, SiteWait, SpanState, Stamp, StoreError,
    VisitOutcome,
};

use super::fixture::{MONDAY, Work, at, body, host, sha, stamp, validators};

const NAMES: [&str; 4] = [
    "alder.test",
    "docs.alder.test",
    "bramble.test",
    "cedar.test",
];

#[tokio::test]
async fn an_intent_is_there_for_everyone_before_it_returns() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &NAMES).await;
    let intent = work.intent("docs.alder.test", "/llms.txt");
    let key = work.writer.intent(intent.clone()).await.unwrap();
    let conn = rusqlite::Connection::open(directory.path().join("lamplighter.db")).unwrap();
    let n: i64 = conn
        .query_row(
            "SELECT count(*) FROM requests WHERE at_ms = ?1",
            [key.at_ms],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(n, 1);
    let row = work.reader.log(intent.host, None, None).unwrap().remove(0);
    assert_eq!(
        (row.key, row.intent, row.outcome),
        (key, intent.at, None),
        "interrupted if we die now"
    );
    assert_eq!(work.reader.site_gap(intent.site).unwrap(), Some(2000));
}

#[tokio::test]
async fn all_evidence_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &NAMES).await;
    let mut intent = work.intent("docs.alder.test", "/llms.txt?x");
    intent.visit_host = work.id("alder.test").0;
    intent.turn = 3;
    intent.attempt = 2;
    intent.method = Method::Head;
    intent.leave = Leave::Rule(RobotsId(9), 14);
    intent.held = Some(validators(
        Some("W/\"a\""),
        Some("Mon, 30 Nov 2026 06:00:00 GMT"),
    ));
    intent.conditional = true;
    intent.gap_ms = 60_000;
    let key = work.writer.intent(intent.clone()).await.unwrap();
    let mut finished = Finished {
        sent: Stamp {
            utc: at(2100),
            mono_ms: 2099,
        },
        ended: Stamp {
            utc: at(2900),
            mono_ms: 2901,
        },
        outcome: Outcome::Limited,
        status: Some(429),
        remote: Some("[2001:db8::7]:443".parse().unwrap()),
        coding: "br".to_owned(),
        wire_bytes: 100,
        body_bytes: 250,
        sha256: Some(sha(b"x")),
        connection: 7,
        redirect: Some("https://elsewhere.test/".to_owned()),
        retry_after_ms: Some(-1),
        detail: Some("told to wait".to_owned()),
        site_wait: Some(SiteWait {
            until: at(700_000),
            cause: "429 on /llms.txt".to_owned(),
        }),
        ..work.finished(key, "docs.alder.test", "/llms.txt?x")
    };
    finished.observation = lamplighter::store::Observation::State(SpanState::Limited);
    work.writer.finish(finished.clone()).await.unwrap();

    let row = work.reader.log(intent.host, None, None).unwrap().remove(0);
    assert_eq!(row.host_name, host("docs.alder.test"));
    assert_eq!(
        (row.run, row.process, row.host, row.visit_host),
        (intent.run, intent.process, intent.host, intent.visit_host)
    );
    assert_eq!(
        (row.turn, row.attempt, row.method, row.target.as_str()),
        (3, 2, Method::Head, "/llms.txt?x")
    );
    assert_eq!(
        (row.leave, row.held.clone(), row.conditional, row.gap_ms),
        (intent.leave, intent.held.clone(), true, 60_000)
    );
    assert_eq!(
        (row.intent, row.sent, row.ended),
        (intent.at, Some(finished.sent), Some(finished.ended))
    );
    assert_eq!(
        (row.outcome, row.status, row.remote),
        (Some(Outcome::Limited), Some(429), finished.remote)
    );
    assert_eq!(
        (
            row.coding.as_str(),
            row.wire_bytes,
            row.body_bytes,
            row.sha256
        ),
        ("br", 100, 250, finished.sha256)
    );
    assert_eq!((row.connection, row.retry_after_ms), (7, Some(-1)));
    assert_eq!(
        (row.redirect, row.detail),
        (finished.redirect.clone(), finished.detail.clone())
    );

    // The answer that arrives twice is refused, and the site waits.
    assert!(matches!(
        work.writer.finish(finished).await,
        Err(StoreError::NotFound(_))
    ));
    let site = work
        .reader
        .due_sites(work.run.id, None, at(3000), 1)
        .unwrap()
        .remove(0);
    assert_eq!(
        site.wait.unwrap(),
        SiteWait {
            until: at(700_000),
            cause: "429 on /llms.txt".to_owned()
        }
    );
    let later = work
        .reader
        .due_sites(work.run.id, None, at(700_000), 1)
        .unwrap()
        .remove(0);
    assert_eq!(later.wait, None, "it has run out");
}

#[tokio::test]
async fn keys_of_a_site_never_go_back() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &NAMES).await;
    let mut intent = work.intent("alder.test", "/a");
    let first = work.writer.intent(intent.clone()).await.unwrap();
    // Wall time steps back by a minute, monotonic time does not.
    intent.at = Stamp {
        utc: at(-58_000),
        mono_ms: 4_000,
    };
    let second = work.writer.intent(intent.clone()).await.unwrap();
    intent.host = work.id("docs.alder.test").0;
    let third = work.writer.intent(intent.clone()).await.unwrap();
    assert_eq!((second.at_ms, second.seq), (first.at_ms, 1));
    assert_eq!((third.at_ms, third.seq), (first.at_ms, 2));
    let other = work
        .writer
        .intent(work.intent("bramble.test", "/a"))
        .await
        .unwrap();
    assert_eq!(other.seq, 0, "another site is another log");
    let rows = work.reader.site_requests(intent.site, work.run.id).unwrap();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[1].intent, intent.at, "the evidence keeps both clocks");
    let mut finished = work.finished(second, "alder.test", "/a");
    finished.sent = Stamp {
        utc: at(-57_990),
        mono_ms: 4_010,
    };
    finished.ended = Stamp {
        utc: at(-57_000),
        mono_ms: 5_000,
    };
    work.writer.finish(finished.clone()).await.unwrap();
    let rows = work.reader.site_requests(intent.site, work.run.id).unwrap();
    assert_eq!(
        (rows[1].sent, rows[1].ended),
        (Some(finished.sent), Some(finished.ended))
    );
}

/// Many at once, each first polled in its turn; `join_all` promises that for few futures only.
async fn in_order<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut futures = futures.into_iter();
    let mut done = Vec::new();
    loop {
        let few: Vec<F> = futures.by_ref().take(20).collect();
        if few.is_empty() {
            return done;
        }
        done.extend(futures_util::future::join_all(few).await);
    }
}

#[tokio::test]
async fn jobs_are_applied_in_order_and_one_fault_hurts_nobody_else() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &NAMES).await;
    let mut jobs = Vec::new();
    for n in 0..300_i64 {
        let mut intent = work.intent("alder.test", "/a");
        intent.at = stamp(5_000);
        if n % 10 == 3 {
            intent.process = lamplighter::store::ProcessId(99);
        }
        let writer = work.writer.clone();
        jobs.push(async move { writer.intent(intent).await });
    }
    let keys = in_order(jobs).await;
    let mut expected = 0;
    for (n, key) in keys.into_iter().enumerate() {
        if n % 10 == 3 {
            assert!(matches!(key, Err(StoreError::NotFound(_))), "{key:?}");
        } else {
            assert_eq!(key.unwrap().seq, expected);
            expected += 1;
        }
    }
    let mut seen = 0;
    work.reader
        .each_request(Some(work.run.id), &mut |row| {
            assert_eq!(row.key.seq, seen);
            seen += 1;
            true
        })
        .unwrap();
    assert_eq!(seen, 270);
}

#[tokio::test]
async fn streams_give_every_row_once_in_order() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &NAMES).await;
    let mut jobs = Vec::new();
    for n in 0..5_000_i64 {
        let mut intent = work.intent(NAMES[usize::try_from(n % 3).unwrap()], "/a");
        intent.at = stamp(10_000 + n / 7);
        jobs.push(intent);
    }
    in_order(jobs.into_iter().map(|intent| work.writer.intent(intent))).await;
    let other = work
        .writer
        .begin_run(lamplighter::store::RunStart {
            label: "2026-W50".to_owned(),
            ..super::fixture::run_start()
        })
        .await
        .unwrap();
    for (run, expected) in [
        (Some(work.run.id), 5_000),
        (None, 5_000),
        (Some(other.id), 0),
        (Some(RunId(77)), 0),
    ] {
        let mut keys = Vec::new();
        work.reader
            .each_request(run, &mut |row| {
                keys.push(row.key);
                true
            })
            .unwrap();
        assert_eq!(keys.len(), expected, "{run:?}");
        assert!(keys.is_sorted_by(|a, b| a < b));
    }
    let mut seen = 0;
    work.reader
        .each_request(None, &mut |_| {
            seen += 1;
            seen < 10
        })
        .unwrap();
    assert_eq!(seen, 10, "it stops when told");
    let (id, _) = work.id("bramble.test");
    let window = work
        .reader
        .log(id, Some(at(10_100)), Some(at(10_200)))
        .unwrap();
    assert!(!window.is_empty());
    assert!(
        window
            .iter()
            .all(|row| (10_100..=10_200).contains(&(row.key.at_ms - MONDAY)))
    );
    assert!(window.is_sorted_by(|a, b| a.key > b.key), "newest first");
}

#[tokio::test]
async fn totals_are_kept_and_withdrawn_requests_do_not_count() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &NAMES).await;
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
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &NAMES).await;
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
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test"]).await;
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

#[tokio::test]
async fn a_robots_session_keeps_its_text() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test", "www.alder.test"]).await;
    let (id, _) = work.id("www.alder.test");
    let text = b"User-agent: *\nDisallow: /x\n";
    // The listed host redirects to www, whose other path answers: the text is www's robots.txt.
    let key = work
        .writer
        .intent(work.intent("www.alder.test", "/static/robots.txt"))
        .await
        .unwrap();
    let mut finished = work.finished(key, "www.alder.test", "/static/robots.txt");
    finished.observation = body(text, Some("\"r\""));
    let fetch = RobotsFetch {
        host: id,
        at: at(1_000),
        status: Some(200),
        access: "rules".to_owned(),
        redirects: 1,
        url: "http://www.alder.test/static/robots.txt".to_owned(),
        sha256: Some(sha(text)),
        valid_until: at(86_400_000),
        delay: Some((2.5, 3)),
        signals: "{}".to_owned(),
    };
    finished.robots = Some(fetch.clone());
    let first = work.writer.finish(finished).await.unwrap().robots.unwrap();
    let session = work.reader.robots(id).unwrap().unwrap();
    assert_eq!(
        (session.id, session.text.as_deref()),
        (first, Some(&text[..]))
    );
    assert_eq!(
        (
            session.fetch.delay,
            session.fetch.url.clone(),
            session.fetch.sha256
        ),
        (fetch.delay, fetch.url.clone(), fetch.sha256)
    );
    assert_eq!(work.reader.body(id, "/robots.txt", None).unwrap(), text);
    assert_eq!(
        work.reader.validators(id).unwrap(),
        [(
            "/static/robots.txt".to_owned(),
            validators(Some("\"r\""), None)
        )]
    );

    // The text outlives the version as long as a fetch refers to it.
    let key = work
        .writer
        .intent(work.intent("www.alder.test", "/robots.txt"))
        .await
        .unwrap();
    let mut finished = work.finished(key, "www.alder.test", "/robots.txt");
    (finished.outcome, finished.status) = (Outcome::NotModified, Some(304));
    finished.observation = lamplighter::store::Observation::NotModified(validators(None, None));
    finished.robots = Some(RobotsFetch {
        status: Some(304),
        ..fetch
    });
    let second = work.writer.finish(finished).await.unwrap().robots.unwrap();
    assert!(second > first);
    let conn = rusqlite::Connection::open(directory.path().join("lamplighter.db")).unwrap();
    conn.execute("DELETE FROM versions", []).unwrap();
    conn.execute("DELETE FROM robots WHERE id = ?1", [second.0])
        .unwrap();
    assert_eq!(
        work.reader
            .robots_by_id(first)
            .unwrap()
            .unwrap()
            .text
            .as_deref(),
        Some(&text[..])
    );
    conn.execute("DELETE FROM robots", []).unwrap();
    let left: i64 = conn
        .query_row("SELECT count(*) FROM blobs, bodies", [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 0, "gone with the last reference");
    assert!(work.reader.robots(id).unwrap().is_none());
}

#[tokio::test]
async fn the_log_stays_bounded_beside_readers_in_short_transactions() {
    // Known fault 16.
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test"]).await;
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
