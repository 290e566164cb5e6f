//! What another terminal writes down is in the time of the run, and audited so.

use lamplighter::store::Store;

use super::web::Web;
use super::{in_store, json, out, said};

/// A run by a clock of its own is over; then one of its hosts is suppressed, and released again.
#[test]
fn entries_of_another_terminal_are_comparable_with_the_log() {
    for now in ["2001-01-01T06:00:00Z", "2099-01-05T06:00:00Z"] {
        let place = tempfile::tempdir().unwrap();
        let store = place.path().join("store");
        let web = Web::start(&[("docs.alder.test", ""), ("bramble.test", "")]);
        let list = web.list(place.path());
        let loopback = web.address();
        let run = [
            "run",
            "--headless",
            "--fast",
            "--loopback",
            &loopback,
            "--hosts",
            &list,
            "--now",
            now,
        ];
        let ran = in_store(&store, &run);
        assert_eq!(ran.status.code(), Some(0), "{}", said(&ran));
        assert!(
            web.asked()
                .iter()
                .any(|(host, _)| host == "docs.alder.test")
        );
        for command in [
            &["suppress", "add", "alder.test"][..],
            &["hold", "add", "bramble.test"],
            &["pause"],
            &["resume"],
            &["suppress", "remove", "alder.test"],
        ] {
            let done = in_store(&store, command);
            assert_eq!(done.status.code(), Some(0), "{now}: {}", said(&done));
            let audited = in_store(&store, &["audit"]);
            assert_eq!(audited.status.code(), Some(0), "{now}: {}", out(&audited));
        }
        let reader = Store::existing(&store).unwrap().reader().unwrap();
        let run = reader.runs().unwrap().remove(0);
        let last = reader.last_seen(run.id).unwrap();
        for entry in reader.journal().unwrap() {
            let spent = entry.at.duration_since(run.start.at).as_secs();
            assert!((0..120).contains(&spent), "{now}: {entry:?}");
            assert!(entry.at <= last, "{now}: {entry:?} counts to the run");
        }
        let held = json(&in_store(&store, &["--json", "hold", "list"]));
        let since = held[0]["since"].as_str().unwrap();
        assert_eq!(since[..13], now[..13], "{since}");
    }
}
