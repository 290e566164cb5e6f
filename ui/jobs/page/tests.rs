use engine::hosts::{Entry, Host, NameRules};
use engine::store::{Source, Store};
use jiff::Timestamp;
use tokio::sync::mpsc;

use super::*;
use crate::jobs::{Answer, Jobs, Question, What};
use crate::msg::Msg;

fn lines(text: &[&str]) -> Text {
    Text::of(text.iter().map(|line| line.as_bytes()))
}

#[test]
fn lines_are_found_by_their_number() {
    let text = lines(&["one", "", "three"]);
    assert_eq!(text.len(), 3);
    for (at, line) in ["one", "", "three", ""].into_iter().enumerate() {
        assert_eq!(text.line(at), line.as_bytes());
    }
    assert_eq!(Text::default().line(0), b"");
}

#[test]
fn a_real_store_gives_a_page_of_a_host_never_visited() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), "intentroute").unwrap();
    let host = Host::parse("docs.alder.test", NameRules::Loopback).unwrap();
    let at = Timestamp::from_second(1_796_018_400).unwrap();
    let source = Source {
        kind: "list".to_owned(),
        name: "hosts.txt".to_owned(),
        date: at,
        imported: at,
    };
    let mut entries = [Ok(Entry {
        line: 1,
        host: host.clone(),
    })]
    .into_iter();
    store
        .import(&source, &mut entries, &mut |_| {}, &mut || {
            Ok("5e".repeat(32))
        })
        .unwrap();
    let (id, _) = store.reader().unwrap().host(&host).unwrap().unwrap();
    let (answers, mut heard) = mpsc::channel(8);
    let mut jobs = Jobs::new(store, answers);
    let mut ask = |number, what| {
        jobs.ask(Question {
            number,
            now: at,
            what,
        });
        match heard.blocking_recv() {
            Some(Msg::Read(heard, answer)) if heard == number => answer,
            other => panic!("{other:?}"),
        }
    };
    let Ok(Answer::Page(parts)) = ask(1, What::Page(id, None)) else {
        panic!("no page");
    };
    assert_eq!(parts.card.unwrap().line.host, host);
    assert!(parts.visits.unwrap().is_empty() && parts.fetches.unwrap().is_empty());
    assert!(parts.requests.unwrap().is_empty() && parts.versions.unwrap().is_empty());
    assert!(parts.journal.unwrap().is_empty());
    let promised = parts.promised.unwrap();
    assert_eq!(promised.scheme, "https");
    assert_eq!(promised.locations[..2], ["/robots.txt", "/llms.txt"]);
    let asked = Asked {
        fetch: RobotsId(99),
        path: None,
        token: None,
        run: None,
    };
    let said = ask(2, What::Robots(asked)).unwrap_err();
    assert!(said.as_str().contains("no robots.txt fetch 99"), "{said}");
    let said = ask(3, What::Page(HostId(99), None));
    let Ok(Answer::Page(parts)) = said else {
        panic!("no page")
    };
    assert!(parts.card.is_err(), "told in its own place");
}
