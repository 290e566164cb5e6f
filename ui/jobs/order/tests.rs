use std::sync::Arc;

use engine::hosts::{Entry, Host, NameRules};
use engine::store::{Source, Store};
use engine::suppress::List;
use jiff::Timestamp;

use super::*;
use crate::filter::rows::HOSTS;

#[test]
fn a_filter_by_state_asks_what_the_run_knows_and_the_store_of_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), "intentroute").unwrap();
    let at = Timestamp::from_second(1_796_018_400).unwrap();
    let source = Source {
        kind: "list".to_owned(),
        name: "hosts.txt".to_owned(),
        date: at,
        imported: at,
    };
    let names = ["alder.test", "birch.test", "cedar.test"];
    let host = |name: &str| Host::parse(name, NameRules::Loopback).unwrap();
    let mut entries = names.iter().zip(1..).map(|(name, line)| {
        Ok(Entry {
            line,
            host: host(name),
        })
    });
    let digest = &mut || Ok("5e".repeat(32));
    store
        .import(&source, &mut entries, &mut |_| {}, digest)
        .unwrap();
    let reader = store.reader().unwrap();
    let ids = names.map(|name| reader.host(&host(name)).unwrap().unwrap().0);
    let suppressed = List::new(["cedar.test".parse().unwrap()]);
    let view = HostView {
        now: at,
        suppressed: &suppressed,
    };
    // The engine has two of them in flight, and has not heard yet of the one suppressed just now.
    let flights: Flights = Arc::new([(ids[0], "asking"), (ids[2], "resting")].into());
    for (text, expected) in [
        ("state:asking", &ids[..1]),
        ("state:waiting", &ids[1..2]),
        ("state:resting", &[][..]),
        ("state:suppressed", &ids[2..]),
        ("!state:asking", &ids[1..]),
    ] {
        let filter = Filter::parse(text, &HOSTS).unwrap();
        let found = Whole::default()
            .order(
                &reader,
                (&filter, &flights),
                (HostSort::Name, false),
                view,
                &mut |_| {},
            )
            .unwrap();
        assert_eq!(found, expected, "{text}");
    }
}
