//! Blocks and challenges: final, never bypassed (PC5, PC7).

use super::stage::{LOCATIONS, Stage, WEEKS};
use lamplighter::store::SpanState;

fn status(index: usize, status: u16) -> String {
    let path = LOCATIONS[index];
    format!("[[rule]]\npath = \"{path}\"\nstatus = {status}\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn three_blocks_in_a_row_end_the_visit_and_two_do_not() {
    let sites = [
        (
            "three.test",
            status(2, 403) + &status(3, 401) + &status(4, 451),
        ),
        (
            "two.test",
            status(0, 403) + &status(1, 403) + &status(3, 403) + &status(4, 403),
        ),
        ("b.three.test", String::new()),
    ];
    let sites = sites
        .each_ref()
        .map(|(host, script)| (*host, script.as_str()));
    let stage = Stage::new(&sites, &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    let mut expected = vec!["/robots.txt"];
    expected.extend(&LOCATIONS[..5]);
    assert_eq!(ran.asked("three.test"), expected);
    assert_eq!(ran.outcome("three.test"), "blocked");
    // A block speaks for its host alone.
    assert_eq!(ran.asked("b.three.test").len(), 14);
    // The agent card is blocked, not absent, so the conditional location is not asked.
    assert_eq!(ran.asked("two.test").len(), 13);
    assert_eq!(ran.outcome("two.test"), "done");
    assert_eq!(stage.states("two.test", LOCATIONS[0]), [SpanState::Blocked]);
    assert_eq!(stage.log("two.test")[1].status, Some(403));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_challenge_ends_the_visit_and_is_recorded() {
    let script = format!("[[rule]]\npath = \"{}\"\nchallenge = true\n", LOCATIONS[3]);
    let stage = Stage::new(&[("a.guarded.test", &script), ("b.guarded.test", "")], &[]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    let mut expected = vec!["/robots.txt"];
    expected.extend(&LOCATIONS[..4]);
    assert_eq!(ran.asked("a.guarded.test"), expected);
    assert_eq!(ran.outcome("a.guarded.test"), "challenge");
    assert_eq!(ran.asked("b.guarded.test").len(), 14);
    assert_eq!(
        stage.states("a.guarded.test", LOCATIONS[3]),
        [SpanState::Challenge]
    );
    let row = stage.log("a.guarded.test").pop().unwrap();
    let detail = row.detail.unwrap_or_default();
    assert!(detail.contains("challenge of Cloudflare"), "{detail}");
    assert!(stage.versions("a.guarded.test", LOCATIONS[3]).is_empty());
}

// Known fault 14: one page for everything is no file, and its changing token is no news.
#[tokio::test(flavor = "multi_thread")]
async fn a_site_that_answers_everything_with_one_page_publishes_nothing() {
    let page = "status = 200\nbody = '<!DOCTYPE html><html><title>Home</title><body>{request}</body></html>'\n";
    let script = format!("[[rule]]\npath = \"*\"\n{page}");
    let stage = Stage::new(&[("shell.test", &script)], &[]).await;
    for week in WEEKS.iter().take(3) {
        let ran = stage.week(1, week).await;
        let mut expected = vec!["/robots.txt"];
        expected.extend(LOCATIONS);
        assert_eq!(ran.asked("shell.test"), expected);
        for location in LOCATIONS {
            let told = ran.told("shell.test", location);
            assert_eq!(
                told,
                ("soft_absent".to_owned(), "none".to_owned()),
                "{location}"
            );
        }
    }
    for location in LOCATIONS {
        assert!(
            stage.versions("shell.test", location).is_empty(),
            "{location}"
        );
        // One span over three weeks: no change was seen.
        assert_eq!(
            stage.states("shell.test", location),
            [SpanState::SoftAbsent]
        );
    }
    // The digest is evidence all the same.
    let log = stage.log("shell.test");
    assert!(
        log.iter().all(|row| row.sha256.is_some()),
        "a digest is missing"
    );
}
