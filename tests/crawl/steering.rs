//! Windows, holds and the number of sites in flight.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use lamplighter::crawl::{Command, HostState, VisitRow};
use lamplighter::store::HostId;
use lamplighter::suppress::Entry;

use super::stage::{CARD, Stage, WEEKS, at, whole_list};

const SLOW: &[&str] = &["pace.min_gap=60ms"];

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_window_is_over_asks_nothing_more_and_the_rest_stays_due() {
    // The window ends while the first site's second answer is on its way, and one site goes at a time.
    let slow = "[[rule]]\npath = \"/llms.txt\"\ndelay_ms = 900\n";
    let sites = [("a.test", slow), ("b.test", CARD), ("c.test", CARD)];
    let mut stage = Stage::new(&sites, &["schedule.window=600ms"]).await;
    stage.in_flight = 1;
    let ran = stage.week(1, WEEKS[0]).await;
    assert_eq!(ran.asked("a.test"), ["/robots.txt", "/llms.txt"]);
    assert_eq!(ran.seen.len(), 2);
    // The answer under way was waited for and counts.
    assert_eq!(ran.told("a.test", "/llms.txt").0, "absent");
    assert_eq!(ran.outcome("a.test"), "window_over");
    assert_eq!(stage.listed("a.test").0, at(WEEKS[1]));
    for host in ["b.test", "c.test"] {
        assert_eq!(ran.outcome(host), "", "{host}");
        assert_eq!(stage.listed(host).1, "waiting", "{host}");
        assert!(stage.listed(host).0 <= at(WEEKS[0]), "{host}");
    }
    // Taken up again in the same week, the run asks those that stayed due and no other.
    stage.policy = super::stage::quick(&[]);
    let late = stage.week(1, "2026-12-02T10:00:00Z").await;
    assert_eq!(late.run.start.label, "2026-W49");
    assert_eq!(late.asked("a.test"), [""; 0]);
    assert_eq!(
        (late.asked("b.test").len(), late.asked("c.test").len()),
        (13, 13)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_never_asks_in_the_week_after_its_own() {
    let stage = Stage::new(&[("late.test", "")], SLOW).await;
    // Half a second before the week ends, though the window would be a day.
    let ran = stage.week(1, "2026-12-06T23:59:59.500Z").await;
    assert_eq!(ran.run.start.label, "2026-W49");
    assert!((1..14).contains(&ran.seen.len()), "{}", ran.seen.len());
    let monday = at("2026-12-07T00:00:00Z");
    for row in stage.log("late.test") {
        assert!(row.sent.unwrap().utc < monday, "{row:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_that_cannot_fit_leaves_the_rest_unasked_and_is_said() {
    let delay = |seconds: u32| {
        format!(
            "[[file]]\npath = \"/robots.txt\"\ntext = \"User-agent: *\\nCrawl-delay: {seconds}\\n\"\n"
        )
    };
    let (never, seldom) = (delay(90_000), delay(1));
    let sites = [
        ("never.test", never.as_str()),
        ("seldom.test", seldom.as_str()),
    ];
    let stage = Stage::new(&sites, &["schedule.window=2500ms"]).await;
    let begun = Instant::now();
    let ran = stage.week(1, WEEKS[0]).await;
    assert!(begun.elapsed() < Duration::from_secs(10), "it waited");
    // Twenty-five hours do not fit into any window; one second fits twice into this one.
    assert_eq!(ran.asked("never.test"), ["/robots.txt"]);
    assert_eq!(ran.asked("seldom.test"), whole_list()[..3]);
    for host in ["never.test", "seldom.test"] {
        assert_eq!(ran.outcome(host), "window_over", "{host}");
    }
    let next = stage.week(1, WEEKS[1]).await;
    assert_eq!(next.asked("never.test"), ["/robots.txt"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_run_in_the_same_week_asks_nothing() {
    let stage = Stage::new(&[("once.test", CARD), ("gone.test", "")], &[]).await;
    assert_eq!(stage.week(1, WEEKS[0]).await.seen.len(), 27);
    for now in [WEEKS[0], "2026-12-03T12:00:00Z", "2026-12-06T23:59:00Z"] {
        let again = stage.week(2, now).await;
        assert_eq!(again.seen, [], "{now}");
        assert_eq!(again.run.start.label, "2026-W49");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_visited_late_on_sunday_rests_six_days() {
    let stage = Stage::new(&[("sunday.test", CARD)], &[]).await;
    let sunday = stage.week(1, "2026-12-06T22:00:00Z").await;
    assert_eq!(sunday.seen.len(), 13);
    for now in [WEEKS[1], "2026-12-12T21:59:30Z"] {
        let early = stage.week(1, now).await;
        assert_eq!(early.run.start.label, "2026-W50");
        assert_eq!(early.seen, [], "{now}");
    }
    let saturday = stage.week(1, "2026-12-12T22:01:00Z").await;
    assert_eq!(saturday.asked("sunday.test").len(), 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_host_is_left_at_once_and_goes_on_after_its_release() {
    let mut stage = Stage::new(&[("held.test", ""), ("other.test", "")], SLOW).await;
    stage.in_flight = 2;
    let scope: Entry = "held.test".parse().unwrap();
    let running = stage.start(WEEKS[0]).await;
    running.until_asked("held.test", 3).await;
    running
        .handle
        .command(Command::Hold(scope.clone()))
        .await
        .unwrap();
    let reached = stage
        .web
        .seen()
        .iter()
        .filter(|seen| seen.host == "held.test")
        .count();
    let begun = stage.web.manners();
    let begun = begun
        .iter()
        .find(|manners| manners.host == "held.test")
        .unwrap()
        .requests;
    assert_eq!(
        begun, reached as u64,
        "reached, and a request is still under way"
    );
    // The other one goes on to its end; then the run ends, since a hold has no end of its own.
    let ran = running.finished().await;
    stage.audited(&ran);
    assert_eq!(ran.asked("held.test").len(), reached);
    assert_eq!(ran.asked("other.test"), whole_list());
    assert_eq!(ran.outcome("held.test"), "");
    assert_eq!(stage.listed("held.test").1, "held");
    // Released in the same week: the rest of the list, and only robots.txt may come again.
    let desk = stage.store.desk().unwrap();
    desk.release(&scope, "tester", at(WEEKS[0])).unwrap();
    let rest = stage.week(1, "2026-11-30T09:00:00Z").await;
    assert_eq!(rest.asked("held.test"), whole_list()[reached..]);
    assert_eq!(rest.outcome("held.test"), "done");
    assert_eq!(rest.asked("other.test"), [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_released_while_the_run_goes_on_is_taken_up_again_in_it() {
    let stage = Stage::new(&[("held.test", ""), ("long.test", "")], SLOW).await;
    let scope: Entry = "held.test".parse().unwrap();
    let running = stage.start(WEEKS[0]).await;
    running.until_asked("held.test", 3).await;
    running
        .handle
        .command(Command::Hold(scope.clone()))
        .await
        .unwrap();
    running.until_asked("long.test", 6).await;
    running
        .handle
        .command(Command::Release(scope))
        .await
        .unwrap();
    let ran = running.finished().await;
    stage.audited(&ran);
    assert_eq!(ran.asked("held.test"), whole_list());
    assert_eq!(ran.asked("long.test"), whole_list());
    assert_eq!(ran.outcome("held.test"), "done");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_more_sites_are_in_flight_than_allowed() {
    let names: Vec<_> = (1..=6).map(|number| format!("n{number}.test")).collect();
    let sites: Vec<_> = names.iter().map(|name| (name.as_str(), CARD)).collect();
    let mut stage = Stage::new(&sites, &[]).await;
    for (in_flight, week) in [(1, WEEKS[0]), (3, WEEKS[1]), (400, WEEKS[2])] {
        stage.in_flight = in_flight;
        let ran = stage.week(1, week).await;
        assert_eq!(ran.seen.len(), 6 * 13);
        // How many visits overlap, by their first and last request.
        let spans: Vec<_> = names
            .iter()
            .map(|name| {
                let of = || ran.of(name);
                (
                    of().map(|seen| seen.at_ms).min().unwrap(),
                    of().map(|seen| seen.end_ms).max().unwrap(),
                )
            })
            .collect();
        let at_once = |at: u64| {
            spans
                .iter()
                .filter(|(from, to)| *from < at && at < *to)
                .count()
        };
        let most = spans
            .iter()
            .map(|(from, _)| at_once(from + 1))
            .max()
            .unwrap();
        assert!(most <= in_flight, "{most} of {in_flight}");
        assert!(
            most >= in_flight.min(3),
            "{most} of {in_flight}: nothing ran side by side"
        );
        assert_eq!(
            ran.seen
                .iter()
                .map(|seen| seen.connection)
                .collect::<std::collections::BTreeSet<_>>()
                .len(),
            6
        );
    }
}

// The second walk of a site in one process: its gap counts from the last answer of the first.
#[tokio::test(flavor = "multi_thread")]
async fn the_gap_of_a_site_holds_when_it_is_taken_up_again() {
    let shut = "[[file]]\npath = \"/robots.txt\"\ntext = \"User-agent: *\\nDisallow: /\\n\"\n";
    let stage = Stage::new(
        &[("a.gap.test", ""), ("b.gap.test", shut)],
        &["pace.min_gap=150ms"],
    )
    .await;
    let scope: Entry = "=a.gap.test".parse().unwrap();
    let running = stage.start(WEEKS[0]).await;
    running.until_asked("a.gap.test", 2).await;
    for command in [Command::Hold(scope.clone()), Command::Release(scope)] {
        running.handle.command(command).await.unwrap();
    }
    let ran = running.finished().await;
    stage.audited(&ran);
    assert_eq!(ran.asked("a.gap.test"), whole_list());
    assert_eq!(ran.asked("b.gap.test"), ["/robots.txt"]);
    let order: Vec<_> = ran.seen.iter().map(|seen| &seen.host[..1]).collect();
    assert_eq!(
        order[1..5].concat(),
        "abaa",
        "b is asked between two walks of a"
    );
    for pair in ran.seen.windows(2) {
        let gap = pair[1].at_ms - pair[0].at_ms;
        assert!(gap + 1 >= 150, "{gap} ms: {pair:?}");
    }
}

/// What must close the gate while a run is under way: asked once, then silence.
async fn silent_after(harm: impl FnOnce(&Stage)) -> (usize, usize) {
    let stage = Stage::new(
        &[("a.test", CARD), ("b.test", CARD)],
        &["pace.min_gap=150ms"],
    )
    .await;
    std::fs::write(stage.store.directory().join("suppressed.list"), "c.test\n").unwrap();
    let run = stage.start(WEEKS[0]).await;
    run.until_asked("a.test", 2).await;
    harm(&stage);
    // One look of the engine, and the answers under way.
    tokio::time::sleep(Duration::from_millis(600)).await;
    let before = stage.web.seen().len();
    tokio::time::sleep(Duration::from_millis(900)).await;
    let after = stage.web.seen().len();
    run.handle.command(Command::Stop).await.unwrap();
    (before, after)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_suppression_list_that_vanishes_is_doubt_and_not_an_empty_list() {
    let gone = |stage: &Stage| {
        std::fs::remove_file(stage.store.directory().join("suppressed.list")).unwrap();
    };
    let (before, after) = silent_after(gone).await;
    assert!(before < 26, "the run was over before the list went");
    assert_eq!(before, after);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_whose_store_is_deleted_asks_nothing_more() {
    let gone = |stage: &Stage| {
        for file in ["lamplighter.db", "engine.lock"] {
            std::fs::remove_file(stage.store.directory().join(file)).unwrap();
        }
    };
    let (before, after) = silent_after(gone).await;
    assert!(before < 26, "the run was over before the store went");
    assert_eq!(before, after);
}

/// What a console shows of a host.
fn state_of(running: &super::stage::Running<'_>, shown: &mut BTreeMap<HostId, VisitRow>) {
    let update = running.handle.take_update();
    for id in update.gone {
        shown.remove(&id);
    }
    for row in update.rows {
        shown.insert(row.id, row);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_held_visit_stays_in_sight_until_it_is_over() {
    let stage = Stage::new(
        &[("a.test", CARD), ("b.test", CARD)],
        &["pace.min_gap=40ms"],
    )
    .await;
    let (held, other) = (stage.id("a.test"), stage.id("b.test"));
    let running = stage.start(WEEKS[0]).await;
    let mut shown = BTreeMap::new();
    state_of(&running, &mut shown);
    running.until_asked("a.test", 3).await;
    let scope: Entry = "a.test".parse().unwrap();
    let hold = Command::Hold(scope.clone());
    running.handle.command(hold).await.unwrap();
    running.until_asked("b.test", 13).await;
    let begun = Instant::now();
    loop {
        state_of(&running, &mut shown);
        if !shown.contains_key(&other) {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(10), "b stays");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let row = shown.get(&held).unwrap_or_else(|| panic!("out of sight"));
    assert_eq!(row.state, HostState::Held);
    // A run with nothing left but what is held ends, and shows it still.
    let handle = running.handle.clone();
    running.finished().await;
    let last = handle.take_update();
    assert!(!last.gone.contains(&held));
    let desk = stage.store.desk().unwrap();
    desk.release(&scope, "test", at(WEEKS[0])).unwrap();
    let again = stage.week(1, "2026-11-30T07:00:00Z").await;
    assert_eq!(again.asked("a.test").len() + 3, 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_released_host_goes_on_while_others_are_still_asked() {
    let slow = "[[rule]]\npath = \"/llms.txt\"\ndelay_ms = 4000\n";
    let stage = Stage::new(
        &[("a.test", CARD), ("b.test", slow), ("c.test", CARD)],
        &["pace.min_gap=40ms"],
    )
    .await;
    let running = stage.start(WEEKS[0]).await;
    running.until_asked("a.test", 3).await;
    let scope: Entry = "a.test".parse().unwrap();
    let hold = Command::Hold(scope.clone());
    running.handle.command(hold).await.unwrap();
    running.until_asked("c.test", 13).await;
    let release = Command::Release(scope);
    running.handle.command(release).await.unwrap();
    running.until_asked("a.test", 13).await;
    let ran = running.finished().await;
    // The slow one had its second answer when the released one was done.
    assert_eq!(ran.asked("a.test").len(), 13);
    let ended = |host: &str| ran.of(host).map(|seen| seen.end_ms).max();
    assert!(
        ended("a.test") < ended("b.test"),
        "it waited for the others"
    );
}
