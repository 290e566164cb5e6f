//! What is told of a host among all of them: its state, its newest visit in numbers.

use lamplighter::fetch::Outcome;
use lamplighter::store::{
    Hold, HostFacts, HostLine, HostQuery, HostSort, HostState, HostView, Observation, SiteWait,
    SpanState, VisitKind, VisitOutcome,
};
use lamplighter::suppress::List;

use super::fixture::{Work, at, host};

pub(super) fn view(suppressed: &List) -> HostView<'_> {
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
pub(super) async fn town(directory: &std::path::Path) -> (Work, List) {
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

pub(super) fn all(work: &Work, view: HostView<'_>) -> Vec<HostLine> {
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
    numbers_of_a_visit(directory.path()).await;
}

/// Then they were not all counted by the process that writes them: the log tells them.
#[tokio::test]
async fn a_visit_leaves_the_same_numbers_after_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    drop(Work::begin(directory.path(), &[]).await);
    numbers_of_a_visit(directory.path()).await;
}

async fn numbers_of_a_visit(directory: &std::path::Path) {
    let (work, list) = town(directory).await;
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
async fn a_visit_cut_by_a_restart_and_a_hold_is_counted_whole() {
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
    let store = work.store.clone();
    drop(work);
    let work = Work::resume(store, &names).await;
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
