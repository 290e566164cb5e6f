//! `store browse [HOSTS]`, default 1,000,000: what the console's list of all hosts costs, milliseconds.
//! Every host has had one visit of two requests. `cpu` is this thread's own time (Linux), which a busy
//! machine does not lengthen.

use std::time::Instant;

use lamplighter::store::{HostFacts, HostId, HostQuery, HostSort, HostView, Reader, Store};
use lamplighter::suppress::List;

use super::{MONDAY, begin, import, time, walk};

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

pub(super) fn run(hosts: u64) {
    let directory = tempfile::tempdir_in(".").unwrap();
    let store = Store::open(directory.path(), "bench").unwrap();
    import(&store, hosts);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let writer = store.writer().unwrap();
    let started = Instant::now();
    runtime.block_on(async {
        let run = begin(&writer, 0, MONDAY).await;
        walk(&store, &writer, &run, MONDAY, 2_000, 2).await;
    });
    let walk_seconds = started.elapsed().as_secs_f64();
    drop(writer);

    let started = Watch::start();
    let store = Store::existing(directory.path()).unwrap();
    let reader = store.reader().unwrap();
    let none = List::default();
    let view = HostView {
        now: time(MONDAY + 1),
        suppressed: &none,
    };
    let lines = reader.host_page_after(None, 100, view).unwrap();
    let first_frame = started.read();
    assert_eq!(lines.len(), 100);

    let everything = |_: &HostFacts<'_>| true;
    let mut orders = serde_json::Map::new();
    let mut due = Vec::new();
    for sort in SORTS {
        for descending in [false, true] {
            let query = HostQuery {
                sort,
                descending,
                view,
            };
            let (ids, first, all) = ordered(&reader, &query, &mut { everything });
            assert_eq!(ids.len() as u64, hosts);
            let name = format!("{sort:?} {}", if descending { "down" } else { "up" });
            orders.insert(name, serde_json::json!({"first": first, "all": all}));
            due = ids;
        }
    }
    let query = HostQuery {
        sort: HostSort::Due,
        descending: false,
        view,
    };
    let mut rare = |facts: &HostFacts<'_>| facts.name.contains("dead");
    let (few, _, rare_word) = ordered(&reader, &query, &mut rare);
    let mut missing = |facts: &HostFacts<'_>| {
        facts
            .newest
            .is_some_and(|newest| newest.statuses().any(|status| status == 500))
    };
    let (_, _, rare_status) = ordered(&reader, &query, &mut missing);
    let list = List::new((0..1_000).map(|n| format!("h{n:08x}.test").parse().unwrap()));
    let query = HostQuery {
        view: HostView {
            suppressed: &list,
            ..view
        },
        sort: HostSort::State,
        ..query
    };
    let (_, _, with_suppressed) = ordered(&reader, &query, &mut { everything });
    println!(
        "{}",
        serde_json::json!({
            "hosts": hosts, "walk_seconds": walk_seconds, "first_frame_ms": first_frame,
            "order_ms": orders, "rare_word_ms": rare_word, "rare_word_hosts": few.len(),
            "rare_status_ms": rare_status, "state_with_1000_suppressed_ms": with_suppressed,
            "window_of_100_ms": windows(&reader, &due, view),
        })
    );
}

/// Ids, time to the first page, and to all.
fn ordered(
    reader: &Reader,
    query: &HostQuery<'_>,
    keep: &mut dyn FnMut(&HostFacts<'_>) -> bool,
) -> (Vec<HostId>, serde_json::Value, serde_json::Value) {
    let started = Watch::start();
    let mut first = serde_json::Value::Null;
    let ids = reader
        .host_order(query, keep, &mut |_| first = started.read())
        .unwrap();
    (ids, first, started.read())
}

/// Windows across an order that is none of the file's.
fn windows(reader: &Reader, ids: &[HostId], view: HostView<'_>) -> serde_json::Value {
    let mut times: Vec<f64> = (0..500)
        .map(|n| {
            let scattered: Vec<HostId> = (0..100)
                .map(|m| ids[(n * 100 + m) * 7_919 % ids.len()])
                .collect();
            let started = Instant::now();
            assert_eq!(reader.host_window(&scattered, view).unwrap().len(), 100);
            ms(started)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    serde_json::json!({"p50": times[250], "p99": times[495]})
}

/// Wall time and this thread's own, milliseconds.
pub(super) struct Watch(Instant, Option<f64>);

impl Watch {
    pub(super) fn start() -> Watch {
        Watch(Instant::now(), cpu())
    }

    pub(super) fn read(&self) -> serde_json::Value {
        let wall = ms(self.0);
        let cpu = cpu().zip(self.1).map(|(now, then)| now - then);
        serde_json::json!({"wall": wall, "cpu": cpu})
    }
}

fn cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e6)
}

fn ms(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
