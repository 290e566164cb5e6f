//! What the page of one host is read from.

use lamplighter::fetch::Outcome;
use lamplighter::store::{
    Hold, HostId, HostState, HostVisit, LogLine, Reader, RobotsFetch, RobotsId, RunStart,
    SpanState, Stamp, StoreError, VisitOutcome,
};
use lamplighter::suppress::List;

use super::browse::view;
use super::fixture::{Work, at, body, host, run_start, sha, stamp};

pub(super) fn run_of_week(week: u32) -> RunStart {
    RunStart {
        label: format!("2027-W{week:02}"),
        ..run_start()
    }
}

#[tokio::test]
async fn a_card_says_where_a_host_came_from_and_what_covers_it() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..150).map(|n| format!("h{n:03}.alder.test")).collect();
    let mut names: Vec<&str> = names.iter().map(String::as_str).collect();
    names.extend(["alder.test", "bramble.test"]);
    let work = Work::begin(directory.path(), &names).await;
    let (alder, site) = work.id("alder.test");
    let new = work
        .writer
        .discover(host("new.alder.test"), alder, at(7))
        .await
        .unwrap();
    let mut end = work.visit_end("alder.test", VisitOutcome::SameAs(new));
    end.alias = Some(new);
    work.writer.end_visit(end).await.unwrap();
    let desk = work.store.desk().unwrap();
    for (scope, since) in [
        ("alder.test", 10),
        ("=alder.test", 20),
        ("=bramble.test", 30),
    ] {
        let hold = Hold {
            scope: scope.parse().unwrap(),
            since: at(since),
            by: "ann".to_owned(),
            why: "asked".to_owned(),
        };
        desk.hold(&hold).unwrap();
    }
    desk.request_pause(true, "ann", at(40)).unwrap();
    desk.journal("bob", at(50), "suppress add https://alder.test/a", "", "")
        .unwrap();

    let none = List::default();
    let card = work.reader.host_card(alder, view(&none)).unwrap();
    assert_eq!((card.line.id, card.line.site_id), (alder, site));
    assert_eq!(card.line.state, HostState::Held);
    assert_eq!(
        card.line.source.to_string(),
        "list hosts.txt 2026-11-29 line 151"
    );
    assert_eq!(card.imported, Some(("5e".repeat(32), at(-1000))));
    assert_eq!(card.found_from, None);
    assert_eq!(card.alias, Some((new, host("new.alder.test"))));
    assert_eq!((card.siblings.len(), card.sibling_count), (100, 151));
    assert!(card.siblings.iter().all(|(id, _)| *id != alder));
    let scopes: Vec<String> = card
        .holds
        .iter()
        .map(|hold| hold.scope.to_string())
        .collect();
    assert_eq!(scopes, ["=alder.test", "alder.test"]);
    let found = work.reader.host_card(new, view(&none)).unwrap();
    assert_eq!(found.found_from, Some((alder, host("alder.test"), at(7))));
    assert_eq!(
        (found.line.due, found.imported, found.holds.len()),
        (None, None, 1)
    );

    let journal = work.reader.journal_of(alder).unwrap();
    let actions: Vec<&str> = journal.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(
        actions,
        [
            "hold add alder.test",
            "hold add =alder.test",
            "suppress add https://alder.test/a"
        ]
    );
    let missing = lamplighter::store::HostId(9_999);
    assert!(matches!(
        work.reader.host_card(missing, view(&none)),
        Err(StoreError::NotFound(_))
    ));
    assert!(matches!(
        work.reader.journal_of(missing),
        Err(StoreError::NotFound(_))
    ));
}

#[tokio::test]
async fn visits_come_newest_first_and_turns_stay_together() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test", "bramble.test"]).await;
    let mut runs = vec![work.run.id];
    for week in 1..5 {
        runs.push(work.writer.begin_run(run_of_week(week)).await.unwrap().id);
    }
    for (n, run) in runs.iter().enumerate() {
        if n == 3 {
            continue;
        }
        for turn in 1..=3 {
            let mut end = work.visit_end("alder.test", VisitOutcome::Closed("status".to_owned()));
            (end.run, end.turn) = (*run, turn);
            end.locations = vec![SpanState::Error, SpanState::Denied];
            end.denied = vec![("/a".to_owned(), RobotsId(3), 7)];
            work.writer.end_visit(end).await.unwrap();
        }
        let mut other = work.visit_end("bramble.test", VisitOutcome::Done);
        other.run = *run;
        work.writer.end_visit(other).await.unwrap();
    }
    let alder = work.id("alder.test").0;
    let mut before = None;
    let mut seen: Vec<HostVisit> = Vec::new();
    loop {
        let page = work.reader.visits_of(alder, before, 2).unwrap();
        let Some(last) = page.last() else { break };
        assert_eq!(page.len(), 3, "a run is never cut");
        before = Some(last.record.run);
        seen.extend(page);
    }
    let told: Vec<(i64, u32)> = seen
        .iter()
        .map(|visit| (visit.record.run.0, visit.record.turn))
        .collect();
    let expected: Vec<(i64, u32)> = [4, 2, 1, 0]
        .iter()
        .flat_map(|n: &usize| [3, 2, 1].map(|turn| (runs[*n].0, turn)))
        .collect();
    assert_eq!(told, expected);
    assert_eq!(
        (seen[0].label.as_str(), seen[11].label.as_str()),
        ("2027-W04", "2026-W49")
    );
    assert_eq!(
        seen[0].record.locations,
        [SpanState::Error, SpanState::Denied]
    );
    assert_eq!(seen[0].record.denied, [("/a".to_owned(), RobotsId(3), 7)]);
    assert_eq!(work.reader.visits_of(alder, None, 100).unwrap().len(), 12);
}

/// A fetch that found no robots.txt.
pub(super) fn robots_fetch(host: HostId, at_time: jiff::Timestamp) -> RobotsFetch {
    RobotsFetch {
        host,
        at: at_time,
        status: Some(404),
        access: "open".to_owned(),
        redirects: 0,
        url: "http://alder.test/robots.txt".to_owned(),
        sha256: None,
        valid_until: at(90_000),
        delay: None,
        signals: "{}".to_owned(),
    }
}

#[tokio::test]
async fn robots_fetches_come_with_their_exact_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test", "bramble.test"]).await;
    let alder = work.id("alder.test").0;
    let texts: [&[u8]; 3] = [
        b"User-agent: *\r\nDisallow:\xff/\n",
        b"",
        b"Crawl-delay: 2.5\n",
    ];
    for (n, text) in (0..).zip(texts) {
        let key = work
            .writer
            .intent(work.intent("alder.test", "/robots.txt"))
            .await
            .unwrap();
        let mut finished = work.finished(key, "alder.test", "/robots.txt");
        finished.observation = body(text, None);
        finished.robots = Some(RobotsFetch {
            host: alder,
            at: finished.ended.utc,
            status: Some(200),
            access: "rules".to_owned(),
            redirects: n,
            url: format!("http://alder.test/robots.txt?{n}"),
            sha256: Some(sha(text)),
            valid_until: at(90_000),
            delay: (n == 2).then_some((2.5, 1)),
            signals: "{}".to_owned(),
        });
        work.writer.finish(finished).await.unwrap();
    }
    let key = work
        .writer
        .intent(work.intent("alder.test", "/robots.txt"))
        .await
        .unwrap();
    let mut finished = work.finished(key, "alder.test", "/robots.txt");
    (finished.outcome, finished.status) = (Outcome::Absent, Some(404));
    finished.robots = Some(robots_fetch(alder, finished.ended.utc));
    work.writer.finish(finished).await.unwrap();

    let fetches = work.reader.robots_fetches(alder, None, 10).unwrap();
    assert_eq!(fetches.len(), 4);
    assert!(fetches.is_sorted_by(|a, b| a.id > b.id), "newest first");
    assert_eq!(
        (fetches[0].bytes, fetches[0].fetch.status),
        (None, Some(404))
    );
    assert_eq!(work.reader.robots_bytes(fetches[0].id).unwrap(), None);
    for (row, text) in fetches[1..].iter().rev().zip(texts) {
        assert_eq!(row.bytes, Some(text.len() as u64));
        assert_eq!(row.fetch.sha256, Some(sha(text)));
        assert_eq!(
            work.reader.robots_bytes(row.id).unwrap().as_deref(),
            Some(text)
        );
    }
    assert_eq!(
        (fetches[1].fetch.delay, fetches[1].fetch.redirects),
        (Some((2.5, 1)), 2)
    );
    assert_eq!(fetches[1].fetch.url, "http://alder.test/robots.txt?2");
    assert_eq!(work.reader.robots_fetches(alder, None, 2).unwrap().len(), 2);
    let other = work.id("bramble.test").0;
    assert!(
        work.reader
            .robots_fetches(other, None, 2)
            .unwrap()
            .is_empty()
    );
    assert!(matches!(
        work.reader.robots_bytes(RobotsId(99)),
        Err(StoreError::NotFound(_))
    ));
}

fn whole_log(reader: &Reader, id: lamplighter::store::HostId, limit: usize) -> Vec<LogLine> {
    let mut log: Vec<LogLine> = Vec::new();
    loop {
        let page = reader
            .log_page(id, log.last().map(|line| line.row.key), limit)
            .unwrap();
        if page.is_empty() {
            return log;
        }
        assert!(page.len() <= limit);
        log.extend(page);
    }
}

#[tokio::test]
async fn pages_of_the_log_are_the_log() {
    let directory = tempfile::tempdir().unwrap();
    let names = ["alder.test", "docs.alder.test", "bramble.test"];
    let work = Work::begin(directory.path(), &names).await;
    for n in 0..60_i64 {
        let mut intent = work.intent(names[usize::try_from(n % 3).unwrap()], "/a");
        // Several at one millisecond: the sequence alone tells them apart.
        intent.at = stamp(2_000 + n / 7);
        work.writer.intent(intent).await.unwrap();
    }
    for name in names {
        let id = work.id(name).0;
        let expected: Vec<_> = work
            .reader
            .log(id, None, None)
            .unwrap()
            .iter()
            .map(|row| row.key)
            .collect();
        for limit in [1, 3, 7, 1000] {
            let keys: Vec<_> = whole_log(&work.reader, id, limit)
                .iter()
                .map(|line| line.row.key)
                .collect();
            assert_eq!(keys, expected, "{name} {limit}");
        }
    }
}

#[tokio::test]
async fn gaps_are_those_of_the_site_by_monotonic_time() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test", "docs.alder.test"]).await;
    let clock = |utc: i64, mono_ms: i64| Stamp {
        utc: at(utc),
        mono_ms,
    };
    let first = work
        .writer
        .intent(work.intent("alder.test", "/a"))
        .await
        .unwrap();
    let mut finished = work.finished(first, "alder.test", "/a");
    (finished.sent, finished.ended) = (clock(2_010, 2_010), clock(2_500, 2_500));
    work.writer.finish(finished).await.unwrap();
    // Withdrawn: it was never sent, so it has no gap and is nobody's request before.
    let mut intent = work.intent("docs.alder.test", "/b");
    intent.at = clock(3_000, 3_000);
    let withdrawn = work.writer.intent(intent.clone()).await.unwrap();
    work.writer.withdraw(work.run.id, withdrawn).await.unwrap();
    // The wall clock stepped back by half a minute; monotonic time tells the gap.
    intent.at = clock(-25_500, 4_500);
    let second = work.writer.intent(intent.clone()).await.unwrap();
    let mut finished = work.finished(second, "docs.alder.test", "/b");
    (finished.sent, finished.ended) = (clock(-25_490, 4_510), clock(-25_000, 5_000));
    work.writer.finish(finished).await.unwrap();
    // Never answered: its end is not known.
    (intent.host, intent.visit_host) = (work.id("alder.test").0, work.id("alder.test").0);
    intent.at = clock(8_000, 8_000);
    let third = work.writer.intent(intent.clone()).await.unwrap();
    // Another process: only wall time spans the two.
    let policy = "name = \"intentroute\"".to_owned();
    intent.process = work
        .writer
        .begin_process(work.run.id, at(20_000), policy)
        .await
        .unwrap();
    intent.at = clock(21_000, 1_000);
    work.writer.intent(intent).await.unwrap();

    let (alder, docs) = (work.id("alder.test").0, work.id("docs.alder.test").0);
    let gaps = |id| -> Vec<_> {
        let log = work.reader.log_page(id, None, 10).unwrap();
        log.iter()
            .map(|line| line.gap.map(|gap| (gap.ms, gap.monotonic, gap.previous)))
            .collect()
    };
    assert_eq!(gaps(docs), [Some((2_010, true, first)), None]);
    assert_eq!(
        gaps(alder),
        [
            Some((13_000, false, third)),
            Some((3_000, true, second)),
            None
        ]
    );
}
