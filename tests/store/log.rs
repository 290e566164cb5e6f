//! The request log: what is committed when, and that all of it comes back in order.

use lamplighter::fetch::Outcome;
use lamplighter::policy::Method;
use lamplighter::store::{
    Finished, Leave, RobotsId, RunId, SiteWait, SpanState, Stamp, StoreError,
};

use super::fixture::{MONDAY, Work, at, host, sha, stamp, validators};

const NAMES: [&str; 4] = [
    "alder.test",
    "docs.alder.test",
    "bramble.test",
    "cedar.test",
];

#[tokio::test]
async fn an_intent_is_there_for_everyone_before_it_returns() {
    let (directory, work) = Work::fresh(&NAMES).await;
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
    let (_directory, work) = Work::fresh(&NAMES).await;
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
    let (_directory, work) = Work::fresh(&NAMES).await;
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
    let (_directory, work) = Work::fresh(&NAMES).await;
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
    let (_directory, work) = Work::fresh(&NAMES).await;
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
