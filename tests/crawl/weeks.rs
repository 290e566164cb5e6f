//! Weeks by their names, and plans that cannot be run, with the real binary.

use std::process::{Command, Output};

use serde_json::Value;

use super::stage::{CARD, Stage};

/// Runs the binary beside a web of this process.
async fn lamplighter(arguments: Vec<String>) -> Output {
    let run = move || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
        command.args(arguments).output().unwrap()
    };
    tokio::task::spawn_blocking(run).await.unwrap()
}

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

// Known fault 17: the year of a week is the week's own.
#[tokio::test(flavor = "multi_thread")]
async fn weeks_at_the_turn_of_the_year_have_their_iso_names() {
    let stage = Stage::unlisted(&[("year.test", CARD)], &[]).await;
    let store = stage.place().join("own");
    let list = stage.place().join("hosts.txt");
    std::fs::write(&list, "year.test\n").unwrap();
    let run = |now: &str| {
        words(&format!(
            "--store {} run --headless --json --loopback {} --set pace.min_gap=4ms --hosts {} --now {now}",
            store.display(),
            stage.web.address(),
            list.display()
        ))
    };
    let table = [
        ("2026-12-28T06:00:00Z", "2026-W53", 13),
        ("2027-01-01T12:00:00Z", "2026-W53", 0),
        ("2027-01-03T23:59:00Z", "2026-W53", 0),
        // The first instant of the new week; its run begins six hours later.
        ("2027-01-04T00:00:00Z", "2027-W01", 0),
        ("2027-01-04T06:00:00Z", "2027-W01", 13),
    ];
    let mut before = 0;
    for (now, label, requests) in table {
        let output = lamplighter(run(now)).await;
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{now}: {said}");
        let text = String::from_utf8(output.stdout).unwrap();
        let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(last["event"], "run_finished");
        assert_eq!(last["run"], label, "{now}");
        assert_eq!(stage.web.requests() - before, requests, "{now}");
        before = stage.web.requests();
    }
    for label in ["2026-W53", "2027-W01"] {
        let audit = format!("--store {} audit --json --run {label}", store.display());
        let output = lamplighter(words(&audit)).await;
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{label}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_plan_of_another_kind_asks_nothing_and_leaves_nothing() {
    let stage = Stage::unlisted(&[("plan.test", "")], &[]).await;
    let list = stage.place().join("hosts.txt");
    std::fs::write(&list, "plan.test\n").unwrap();
    for (policy, kind) in [("itisyou", "pages"), ("sitemapped", "survey")] {
        let store = stage.place().join(policy);
        let output = lamplighter(words(&format!(
            "--store {} run --policy {policy} --headless --json --loopback {} --hosts {}",
            store.display(),
            stage.web.address(),
            list.display()
        )));
        let output = output.await;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        assert!(said.contains(policy) && said.contains(kind), "{said}");
        assert!(output.stdout.is_empty(), "{policy}");
        assert!(!store.exists(), "{policy}: a store was begun");
    }
    assert_eq!(stage.web.requests(), 0);
}
