//! What the console's list of all hosts is read from: orders, windows, states.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lamplighter::fetch::Outcome;
use lamplighter::store::{
    Hold, HostFacts, HostId, HostLine, HostQuery, HostSort, HostState, HostView, Observation,
    SiteWait, SpanState, StoreError, VisitKind, VisitOutcome,
};
use lamplighter::suppress::List;

use super::fixture::{Work, at, host};

const SORTS: [HostSort; 8] = [
    HostSort::Site,
    HostSort::Name,
    HostSort::State,
    HostSort::Due,
    HostSort::Visited,
    HostSort::Outcome,
    HostSort::Size,
    HostSort::Requests,
];

fn view(suppressed: &List) -> HostView<'_> {
    HostView {
        now: at(50_000),
        suppressed,
    }
}

/// One request that ended so, of a host's turn.
async fn ask(work: &Work, name: &str, turn: u32, status: u16, outcome: Outcome, bytes: u64) {
    let mut intent = work.intent(name, &format!("/{status}"));
    intent.turn = turn;
    let key = work.writer.intent(intent).await.unwrap();
    let mut finished = work.finished(key, name, "/x");
    (finished.status, finished.outcome) = (Some(status), outcome);
    (finished.wire_bytes, finished.body_bytes) = (bytes / 2, bytes);
    finished.observation = Observation::Nothing;
    work.writer.finish(finished).await.unwrap();
}

/// A store with hosts in every state; `e` is suppressed by the list that comes with it.
async fn town(directory: &std::path::Path) -> (Work, List) {
    let names = [
        "zinc.test",
        "a.zinc.test",
        "b.zinc.test",
        "alder.test",
        "bramble.test",
        "c.alder.test",
        "held.test",
        "e.test",
        "www.e.test",
        "late.test",
        "cedar.test",
        "dill.test",
    ];
    let work = Work::begin(directory, &names).await;
    ask(&work, "alder.test", 1, 200, Outcome::Present, 900).await;
    ask(&work, "alder.test", 1, 404, Outcome::Absent, 70).await;
    ask(&work, "alder.test", 1, 404, Outcome::Absent, 80).await;
    ask(&work, "alder.test", 1, 500, Outcome::ServerError, 10).await;
    let mut end = work.visit_end("alder.test", VisitOutcome::Done);
    end.locations = vec![SpanState::Present, SpanState::Denied, SpanState::Error];
    end.denied = vec![("/d".to_owned(), lamplighter::store::RobotsId(1), 4)];
    work.writer.end_visit(end).await.unwrap();

    ask(&work, "bramble.test", 1, 503, Outcome::Limited, 0).await;
    let reason = VisitOutcome::Closed("unreachable".to_owned());
    let mut end = work.visit_end("bramble.test", reason.clone());
    end.due = at(3_600_000);
    work.writer.end_visit(end.clone()).await.unwrap();
    (end.host, end.due) = (work.id("dill.test").0, at(8 * 86_400_000));
    end.outcome = VisitOutcome::Closed("redirects".to_owned());
    work.writer.end_visit(end).await.unwrap();

    // The visit of one host went on at another of its site.
    let from = work.id("cedar.test").0;
    let to = work
        .writer
        .discover(host("www.cedar.test"), from, at(9_000))
        .await
        .unwrap();
    ask(&work, "cedar.test", 1, 301, Outcome::Redirect, 0).await;
    let mut intent = work.intent("www.cedar.test", "/a");
    intent.visit_host = from;
    let key = work.writer.intent(intent).await.unwrap();
    let finished = work.finished(key, "www.cedar.test", "/a");
    work.writer.finish(finished).await.unwrap();
    work.writer
        .end_visit(work.visit_end("www.cedar.test", VisitOutcome::BudgetSpent))
        .await
        .unwrap();
    let mut moved = work.visit_end("cedar.test", VisitOutcome::Moved(to));
    moved.alias = Some(to);
    work.writer.end_visit(moved).await.unwrap();
    work.writer
        .discover(host("new.alder.test"), work.id("alder.test").0, at(9_500))
        .await
        .unwrap();

    let key = work
        .writer
        .intent(work.intent("a.zinc.test", "/w"))
        .await
        .unwrap();
    let mut limited = work.finished(key, "a.zinc.test", "/w");
    (limited.outcome, limited.status) = (Outcome::Limited, Some(429));
    limited.site_wait = Some(SiteWait {
        until: at(700_000),
        cause: "429 on /w, Retry-After 600".to_owned(),
    });
    work.writer.finish(limited).await.unwrap();
    work.writer
        .end_visit(work.visit_end("a.zinc.test", VisitOutcome::Limited))
        .await
        .unwrap();
    let hold = Hold {
        scope: "held.test".parse().unwrap(),
        since: at(1),
        by: "ann".to_owned(),
        why: "asked".to_owned(),
    };
    work.store.desk().unwrap().hold(&hold).unwrap();
    (work, List::new(["e.test".parse().unwrap()]))
}

fn order(work: &Work, query: &HostQuery<'_>) -> Vec<HostId> {
    let mut pages = Vec::new();
    let ids = work
        .reader
        .host_order(query, &mut |_| true, &mut |page| pages.push(page.to_vec()))
        .unwrap();
    assert_eq!(
        pages,
        [ids[..ids.len().min(100)].to_vec()],
        "told once, and as it came to be"
    );
    ids
}

fn all(work: &Work, view: HostView<'_>) -> Vec<HostLine> {
    work.reader.host_page_after(None, 1000, view).unwrap()
}

fn line<'l>(lines: &'l [HostLine], name: &str) -> &'l HostLine {
    lines
        .iter()
        .find(|line| line.host.as_str() == name)
        .unwrap()
}

#[tokio::test]
async fn every_state_is_told_the_same_by_scan_and_window() {
    let directory = tempfile::tempdir().unwrap();
    let (work, list) = town(directory.path()).await;
    let lines = all(&work, view(&list));
    let expected = [
        ("zinc.test", HostState::Resting),
        ("a.zinc.test", HostState::Done(Some(VisitKind::Limited))),
        ("alder.test", HostState::Done(Some(VisitKind::Done))),
        ("bramble.test", HostState::Done(Some(VisitKind::Closed))),
        ("cedar.test", HostState::Done(Some(VisitKind::Moved))),
        (
            "www.cedar.test",
            HostState::Done(Some(VisitKind::BudgetSpent)),
        ),
        ("new.alder.test", HostState::Offered),
        ("late.test", HostState::Waiting),
        ("held.test", HostState::Held),
        ("e.test", HostState::Suppressed),
        ("www.e.test", HostState::Suppressed),
    ];
    for (name, state) in expected {
        assert_eq!(line(&lines, name).state, state, "{name}");
    }
    let zinc = line(&lines, "zinc.test").resting.clone().unwrap();
    assert_eq!(zinc.cause, "429 on /w, Retry-After 600");
    assert!(
        line(&lines, "bramble.test").again,
        "another turn comes inside the window"
    );
    assert!(!line(&lines, "dill.test").again);

    let query = HostQuery {
        sort: HostSort::Due,
        descending: false,
        view: view(&list),
    };
    let mut seen = 0;
    let mut same = |facts: &HostFacts<'_>| {
        let line = line(&lines, facts.name);
        assert_eq!(
            (facts.id, facts.site_id, facts.site),
            (line.id, line.site_id, line.site.as_str())
        );
        assert_eq!(
            (facts.state(), facts.again),
            (line.state, line.again),
            "{}",
            facts.name
        );
        assert_eq!(
            (facts.due, facts.visited),
            (line.due, line.visited),
            "{}",
            facts.name
        );
        assert_eq!(facts.resting, line.resting.as_ref().map(|wait| wait.until));
        assert_eq!(facts.newest.map(|newest| newest.to_facts()), line.newest);
        assert_eq!(facts.held(), facts.name == "held.test");
        assert_eq!(
            facts.suppressed(),
            facts.name.ends_with("e.test") && facts.site == "e.test"
        );
        let source = line.source.to_string();
        assert!(source.starts_with(facts.source_kind), "{source}");
        assert!(source.contains(facts.source_name), "{source}");
        seen += 1;
        true
    };
    work.reader
        .host_order(&query, &mut same, &mut |_| {})
        .unwrap();
    assert_eq!(seen, lines.len());
    let later = HostView {
        now: at(700_000),
        suppressed: &list,
    };
    let lines = all(&work, later);
    assert_eq!(
        line(&lines, "zinc.test").state,
        HostState::Waiting,
        "its wait has run out"
    );
}

#[tokio::test]
async fn a_visit_leaves_its_numbers_with_the_host() {
    let directory = tempfile::tempdir().unwrap();
    let (work, list) = town(directory.path()).await;
    let lines = all(&work, view(&list));
    let alder = line(&lines, "alder.test");
    let facts = alder.newest.clone().unwrap();
    assert_eq!(
        (facts.requests, facts.errors, facts.denied, facts.largest),
        (4, 1, 1, 900)
    );
    assert_eq!(facts.statuses, [200, 404, 500]);
    assert_eq!(alder.outcome, Some(VisitOutcome::Done));
    assert_eq!(
        alder.locations,
        [SpanState::Present, SpanState::Denied, SpanState::Error]
    );
    assert_eq!(alder.source.to_string(), "list hosts.txt 2026-11-29 line 4");
    let closed = line(&lines, "bramble.test").newest.clone().unwrap();
    assert_eq!((closed.reason.as_str(), closed.errors), ("unreachable", 1));
    // What was asked of the host itself, whosever visit it was.
    let moved = line(&lines, "cedar.test").newest.clone().unwrap();
    assert_eq!((moved.requests, moved.statuses), (1, vec![301]));
    let www = line(&lines, "www.cedar.test");
    assert_eq!(www.newest.clone().unwrap().statuses, [200]);
    assert_eq!(www.source.to_string(), "redirect of cedar.test");

    // A second turn counts for itself; withdrawn requests never; one interrupted does.
    ask(&work, "bramble.test", 2, 200, Outcome::Present, 5).await;
    let mut intent = work.intent("bramble.test", "/gone");
    intent.turn = 2;
    let key = work.writer.intent(intent.clone()).await.unwrap();
    work.writer.withdraw(work.run.id, key).await.unwrap();
    work.writer.intent(intent).await.unwrap();
    let mut end = work.visit_end("bramble.test", VisitOutcome::Done);
    end.turn = 2;
    work.writer.end_visit(end).await.unwrap();
    let lines = all(&work, view(&list));
    let facts = line(&lines, "bramble.test").newest.clone().unwrap();
    assert_eq!((facts.requests, facts.errors, facts.largest), (2, 0, 5));
    assert_eq!(facts.statuses, [200]);

    // Another run starts from nothing, and nothing is done in it yet.
    let start = lamplighter::store::RunStart {
        label: "2026-W50".to_owned(),
        ..super::fixture::run_start()
    };
    let next = work.writer.begin_run(start).await.unwrap();
    let lines = all(&work, view(&list));
    assert_eq!(line(&lines, "alder.test").state, HostState::Waiting);
    assert_eq!(
        line(&lines, "alder.test").newest.clone().unwrap().requests,
        4
    );
    let mut end = work.visit_end("alder.test", VisitOutcome::SiteLimited);
    end.run = next.id;
    work.writer.end_visit(end).await.unwrap();
    let lines = all(&work, view(&list));
    let facts = line(&lines, "alder.test").newest.clone().unwrap();
    assert_eq!((facts.kind, facts.requests), (VisitKind::SiteLimited, 0));
}

#[tokio::test]
async fn a_host_taken_over_shows_what_it_was_asked() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test", "www.alder.test"]).await;
    ask(&work, "www.alder.test", 1, 200, Outcome::Present, 9).await;
    let to = work.id("www.alder.test").0;
    let end = work.visit_end("alder.test", VisitOutcome::Moved(to));
    work.writer.end_visit(end).await.unwrap();
    let none = List::default();
    let lines = all(&work, view(&none));
    let www = line(&lines, "www.alder.test");
    assert_eq!(www.state, HostState::Done(Some(VisitKind::Claimed)));
    assert_eq!(
        (www.outcome.clone(), www.newest.clone().unwrap().requests),
        (None, 1)
    );
    // Its own end, told later, is the newer word.
    let end = work.visit_end("www.alder.test", VisitOutcome::Done);
    work.writer.end_visit(end).await.unwrap();
    let lines = all(&work, view(&none));
    let www = line(&lines, "www.alder.test");
    assert_eq!(www.newest.clone().unwrap().kind, VisitKind::Done);
}

#[tokio::test]
async fn the_numbers_of_a_visit_are_found_behind_a_hold_and_never_far_beyond() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..40).map(|n| format!("h{n:02}.alder.test")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let work = Work::begin(directory.path(), &names).await;
    ask(&work, names[0], 1, 200, Outcome::Present, 7).await;
    for name in &names[1..5] {
        ask(&work, name, 1, 404, Outcome::Absent, 0).await;
        work.writer
            .end_visit(work.visit_end(name, VisitOutcome::Done))
            .await
            .unwrap();
    }
    ask(&work, names[0], 1, 404, Outcome::Absent, 0).await;
    work.writer
        .end_visit(work.visit_end(names[0], VisitOutcome::Done))
        .await
        .unwrap();
    let none = List::default();
    let lines = all(&work, view(&none));
    assert_eq!(line(&lines, names[0]).newest.clone().unwrap().requests, 2);
    assert_eq!(line(&lines, names[1]).newest.clone().unwrap().requests, 1);
}

/// What a sort compares, from the rows of the screen; none stands last.
fn key(sort: HostSort, line: &HostLine) -> Option<(i64, String)> {
    let newest = line.newest.as_ref();
    let ms = |at: Timestamp| (at.as_millisecond(), String::new());
    match sort {
        HostSort::Site => Some((0, line.site.to_string())),
        HostSort::Name => Some((0, line.host.to_string())),
        HostSort::State => {
            let rank = match line.state {
                HostState::Waiting => 0,
                HostState::Resting => 1,
                HostState::Offered => 2,
                HostState::Done(kind) => 100 + kind.map_or(99, |kind| kind as i64),
                HostState::Held => 1000,
                HostState::Suppressed => 1001,
            };
            Some((rank, String::new()))
        }
        HostSort::Due => line.due.map(ms),
        HostSort::Visited => line.visited.map(ms),
        HostSort::Outcome => newest.map(|newest| (newest.kind as i64, newest.reason.clone())),
        HostSort::Size => newest.map(|newest| (newest.largest as i64, String::new())),
        HostSort::Requests => newest.map(|newest| (i64::from(newest.requests), String::new())),
    }
}

#[tokio::test]
async fn every_order_is_that_of_its_key_and_stable_by_id() {
    let directory = tempfile::tempdir().unwrap();
    let (work, list) = town(directory.path()).await;
    // A list that came later: ids are no longer in the order of names.
    super::fixture::import(&work.store, &["aaa.test", "m.alder.test", "0.zinc.test"]);
    let view = view(&list);
    let lines = all(&work, view);
    for sort in SORTS {
        for descending in [false, true] {
            let mut expected: Vec<&HostLine> = lines.iter().collect();
            expected.sort_by(|a, b| {
                let (x, y) = (key(sort, a), key(sort, b));
                let known = x.is_none().cmp(&y.is_none());
                let order = if descending { y.cmp(&x) } else { x.cmp(&y) };
                known.then(order).then(a.id.cmp(&b.id))
            });
            let expected: Vec<HostId> = expected.iter().map(|line| line.id).collect();
            let query = HostQuery {
                sort,
                descending,
                view,
            };
            assert_eq!(order(&work, &query), expected, "{sort:?} {descending}");
        }
    }
}

#[tokio::test]
async fn what_is_kept_is_ordered_and_the_first_page_is_its_beginning() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..700_u32)
        .map(|n| format!("h{}.s{}.test", n.wrapping_mul(2_654_435_761), n % 90))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let work = Work::begin(directory.path(), &names).await;
    let none = List::default();
    for sort in SORTS {
        for (part, few) in [("7", false), ("h1.", true), ("nowhere", true)] {
            let query = HostQuery {
                sort,
                descending: true,
                view: view(&none),
            };
            let mut pages = Vec::new();
            let mut keep = |facts: &HostFacts<'_>| facts.name.contains(part);
            let ids = work
                .reader
                .host_order(&query, &mut keep, &mut |page| pages.push(page.to_vec()))
                .unwrap();
            let expected: BTreeSet<&str> = names
                .iter()
                .copied()
                .filter(|name| name.contains(part))
                .collect();
            let found = work.reader.host_window(&ids, query.view).unwrap();
            let found: BTreeSet<&str> = found.iter().map(|line| line.host.as_str()).collect();
            assert_eq!(found, expected, "{sort:?} {part}");
            assert_eq!(ids.len(), expected.len(), "each once");
            assert_eq!(
                pages,
                [ids[..ids.len().min(100)].to_vec()],
                "{sort:?} {part}"
            );
            assert_eq!(ids.len() < 100, few, "{part}");
        }
    }
}

#[tokio::test]
async fn a_window_is_in_the_order_asked_and_leaves_out_what_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["a.test", "b.test", "c.test"]).await;
    let none = List::default();
    let (a, c) = (work.id("a.test").0, work.id("c.test").0);
    let lines = work
        .reader
        .host_window(&[c, HostId(99), a, c], view(&none))
        .unwrap();
    let names: Vec<&str> = lines.iter().map(|line| line.host.as_str()).collect();
    assert_eq!(names, ["c.test", "a.test", "c.test"]);
    let after = work
        .reader
        .host_page_after(Some(a), 1, view(&none))
        .unwrap();
    assert_eq!(after[0].host.as_str(), "b.test");
    assert_eq!(
        after[0].due,
        Some(at(-1000)),
        "due at once is due since it was imported"
    );
    assert_eq!(after.len(), 1);
}

#[tokio::test]
async fn an_order_ends_when_it_is_interrupted() {
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["a.test", "b.test", "c.test"]).await;
    let none = List::default();
    let interrupter = work.reader.interrupter();
    for sort in SORTS {
        let query = HostQuery {
            sort,
            descending: false,
            view: view(&none),
        };
        let mut keep = |_: &HostFacts<'_>| {
            interrupter.interrupt();
            true
        };
        let ended = work.reader.host_order(&query, &mut keep, &mut |_| {});
        assert!(
            matches!(ended, Err(StoreError::Interrupted)),
            "{sort:?} {ended:?}"
        );
        // Between two statements too, where SQLite has nothing to interrupt.
        let mut told = |_: &[HostId]| interrupter.interrupt();
        let ended = work.reader.host_order(&query, &mut |_| true, &mut told);
        let by_index = matches!(sort, HostSort::Site | HostSort::Name);
        assert_eq!(
            ended.is_err(),
            by_index,
            "{sort:?}: all is known when others tell their page"
        );
        assert_eq!(order(&work, &query).len(), 3, "the reader stays usable");
    }
}
