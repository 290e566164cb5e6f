//! All hosts in every order, the windows of a screen, and what reading them does to the log.

use std::collections::BTreeSet;

use jiff::Timestamp;
use lamplighter::fetch::Outcome;
use lamplighter::store::{
    HostFacts, HostId, HostLine, HostQuery, HostSort, HostState, Reader, StoreError,
};
use lamplighter::suppress::List;

use super::browse::{all, town, view};
use super::fixture::{Work, at, body};

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
async fn a_first_page_by_names_is_the_beginning_of_the_order() {
    let directory = tempfile::tempdir().unwrap();
    let names: Vec<String> = (0..300_u32)
        .map(|n| format!("h{}.s{}.test", n.wrapping_mul(2_654_435_761), n % 90))
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let work = Work::begin(directory.path(), &names).await;
    let none = List::default();
    let known = work.reader.host_names().unwrap();
    assert_eq!(known.len(), 300);
    for sort in SORTS {
        let query = HostQuery {
            sort,
            descending: true,
            view: view(&none),
        };
        let whole = order(&work, &query);
        for (part, odd) in [("7", false), ("7", true), ("h1", true), ("nowhere", false)] {
            let mut keep =
                |facts: &HostFacts<'_>| facts.name.contains(part) && !(odd && facts.id.0 % 2 == 0);
            let all = work
                .reader
                .host_order(&query, &mut keep, &mut |_| {})
                .unwrap();
            let few: BTreeSet<HostId> = known.with(part).unwrap().into_iter().collect();
            let mut few = whole.iter().copied().filter(|id| few.contains(id));
            let page = work.reader.host_page(&mut few, query.view, &mut keep);
            let page = page
                .unwrap()
                .expect("three hundred hosts are soon looked at");
            assert_eq!(page, all[..all.len().min(100)], "{sort:?} {part}");
        }
    }
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

#[tokio::test]
async fn the_log_stays_bounded_while_the_console_reads() {
    // Known fault 16, for every call a pane makes again and again.
    let directory = tempfile::tempdir().unwrap();
    let work = Work::begin(directory.path(), &["alder.test", "bramble.test"]).await;
    let alder = work.id("alder.test").0;
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let (reader, ended) = (work.store.reader().unwrap(), std::sync::Arc::clone(&stop));
    let console = std::thread::spawn(move || {
        let mut rounds = 0_u32;
        while !ended.load(std::sync::atomic::Ordering::SeqCst) {
            read_everything(&reader, alder);
            rounds += 1;
        }
        rounds
    });
    let mut worst = 0;
    let mut seed = 1_u64;
    for _ in 0..400 {
        let noise: Vec<u8> = (0..16_000)
            .flat_map(|_| {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(99);
                (seed ^ seed >> 33).to_le_bytes()
            })
            .collect();
        let observation = body(&noise, None);
        work.ask("alder.test", "/llms.txt", Outcome::Present, observation)
            .await;
        worst = worst.max(work.store.wal_bytes());
    }
    stop.store(true, std::sync::atomic::Ordering::SeqCst);
    assert!(console.join().unwrap() > 0);
    assert!(
        worst > 0 && worst < 40 << 20,
        "{worst} bytes of log of 51 MB written"
    );
}

fn read_everything(reader: &Reader, id: HostId) {
    let none = List::default();
    let view = view(&none);
    for sort in [HostSort::Name, HostSort::Site, HostSort::Size] {
        let query = HostQuery {
            sort,
            descending: false,
            view,
        };
        let ids = reader
            .host_order(&query, &mut |_| true, &mut |_| {})
            .unwrap();
        assert_eq!(reader.host_window(&ids, view).unwrap().len(), ids.len());
    }
    reader.host_page_after(None, 100, view).unwrap();
    reader.host_card(id, view).unwrap();
    reader.visits_of(id, None, 20).unwrap();
    reader.robots_fetches(id, None, 20).unwrap();
    reader.log_page(id, None, 20).unwrap();
    reader.journal_of(id).unwrap();
}
