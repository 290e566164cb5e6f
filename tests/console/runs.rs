//! All runs side by side: the figures of the screen are those of the command line.

use serde_json::Value;

use super::pty::Session;
use super::{command, folder};

#[test]
fn the_figures_of_runs_are_those_of_the_command() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let store = store.to_str().unwrap();
    let web = folder(place.path(), &[("oak.test", String::new())]);
    let demo = ["demo", "--fast", "--headless", "--weeks", "3", "--web"];
    let played = command(&[&demo[..], &[&web, "--store", store]].concat());
    assert_eq!(played.status.code(), Some(0), "{played:?}");
    let listed = command(&["--store", store, "runs", "--json"]);
    let listed = String::from_utf8(listed.stdout).unwrap();
    let runs: Vec<Value> = listed
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(runs.len(), 3);
    let of = |run: &Value, name: &str| run[name].as_u64().unwrap();

    let mut session = Session::start(&["--read-only", "--store", store], 120, 36);
    session.wait_for("READ ONLY");
    session.press("6");
    session.wait_for("3 runs as of");
    for run in &runs {
        let label = run["run"].as_str().unwrap();
        let different: u64 = ["new", "changed", "back", "gone"]
            .iter()
            .map(|name| of(run, name))
            .sum();
        let shown = session.text();
        let row = shown.lines().find(|line| {
            let cells = line.trim_start_matches(['▸', '*', ' ']);
            cells.starts_with(label) && !cells.contains("against")
        });
        let cells: Vec<&str> = row.unwrap().split_whitespace().collect();
        for figure in [of(run, "requests"), different] {
            assert!(
                cells.contains(&figure.to_string().as_str()),
                "{label}: {cells:?}"
            );
        }
    }
    // The newest beside the oldest.
    session.press("Gbg");
    let (newest, oldest) = (&runs[0], &runs[2]);
    let label = oldest["run"].as_str().unwrap();
    session.wait_for(&format!("against {label}"));
    let (now, before) = (of(newest, "requests"), of(oldest, "requests"));
    let difference = match now.cmp(&before) {
        std::cmp::Ordering::Less => format!("(-{})", before - now),
        std::cmp::Ordering::Equal => "(=)".to_owned(),
        std::cmp::Ordering::Greater => format!("(+{})", now - before),
    };
    session.wait_for(&format!("asked {now} {difference}"));
    session.press("c");
    session.wait_for(&format!("{label} to "));
    session.press("q");
    session.given_back();
}
