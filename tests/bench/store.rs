//! P8 to P11 of the store: rows a second through the engine's own writer, bytes a row, import of a
//! large list, look-ups. Prints one JSON object. `store [HOSTS] [WEEKS] [IN_FLIGHT]`,
//! default 100,000, 2 and 2,000 sites at once; `store browse [HOSTS]` measures the list of all hosts,
//! `store changes [HOSTS] [RUNS]` lists of changes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a bench says what it found and stops at the first fault"
)]

mod browse;
mod changes;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use jiff::Timestamp;
use lamplighter::fetch::Outcome;
use lamplighter::hosts::{Entry, Host, NameRules};
use lamplighter::policy::Method;
use lamplighter::store::{
    DueSite, Finished, HostId, Intent, Leave, Observation, ProcessId, RobotsId, Run, RunStart,
    Source, SpanState, Stamp, Store, VisitEnd, VisitOutcome, Writer,
};

/// Locations of a visit, as the longest policy has.
const LOCATIONS: usize = 13;
const WEEK_MS: i64 = 7 * 86_400_000;
const MONDAY: i64 = 1_796_018_400_000;

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .peekable();
    if arguments.next_if_eq("browse").is_some() {
        let hosts = arguments
            .next()
            .map_or(1_000_000, |word| word.parse().unwrap());
        return browse::run(hosts);
    }
    if arguments.next_if_eq("changes").is_some() {
        let hosts = arguments
            .next()
            .map_or(1_000_000, |word| word.parse().unwrap());
        let runs = arguments.next().map_or(100, |word| word.parse().unwrap());
        return changes::run(hosts, runs);
    }
    let hosts: u64 = arguments
        .next()
        .map_or(100_000, |word| word.parse().unwrap());
    let weeks: i64 = arguments.next().map_or(2, |word| word.parse().unwrap());
    let in_flight: usize = arguments.next().map_or(2_000, |word| word.parse().unwrap());
    let directory = tempfile::tempdir_in(".").unwrap();
    let store = Store::open(directory.path(), "bench").unwrap();
    let file = directory.path().join("lamplighter.db");

    let started = Instant::now();
    import(&store, hosts);
    let import_seconds = started.elapsed().as_secs_f64();
    let imported_bytes = size(&store, &file);

    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let (mut seconds, mut rows, mut wal) = (0.0, 0, 0);
    let (due_count_ms, due_page_ms) = due(&store, hosts);
    for week in 0..weeks {
        let start = MONDAY + week * WEEK_MS;
        let writer = store.writer().unwrap();
        let run = runtime.block_on(begin(&writer, week, start));
        let started = Instant::now();
        wal = wal.max(runtime.block_on(walk(&store, &writer, &run, start, in_flight, LOCATIONS)));
        seconds += started.elapsed().as_secs_f64();
        rows += hosts * LOCATIONS as u64;
    }
    let bytes = size(&store, &file);
    let (log_bytes, payload, log_rows) = table_bytes(&file);
    let mut look_ups = if rows > 0 {
        look_ups(&store, hosts)
    } else {
        vec![0.0]
    };
    look_ups.sort_by(f64::total_cmp);
    let at = |part: f64| look_ups[(look_ups.len() as f64 * part) as usize];
    let result = serde_json::json!({
        "hosts": hosts, "weeks": weeks, "rows": rows,
        "import_seconds": import_seconds, "import_bytes_a_host": imported_bytes as f64 / hosts as f64,
        "rows_a_second": rows as f64 / seconds,
        "in_flight": in_flight,
        "request_bytes_a_row": log_bytes as f64 / log_rows as f64,
        "of_these_payload": payload as f64 / log_rows as f64,
        "file_bytes": bytes, "wal_bytes_worst": wal,
        "due_count_ms": due_count_ms, "due_page_of_1000_ms": due_page_ms,
        "host_window_us": {"p50": at(0.5), "p99": at(0.99)},
    });
    println!("{result}");
}

/// Milliseconds to count what is due and to draw a page, with every host due.
fn due(store: &Store, hosts: u64) -> (f64, f64) {
    let reader = store.reader().unwrap();
    let run = lamplighter::store::RunId(1);
    let started = Instant::now();
    assert_eq!(reader.due_count(run, time(MONDAY)).unwrap(), hosts);
    let counted = started.elapsed().as_secs_f64() * 1e3;
    let started = Instant::now();
    reader.due_sites(run, None, time(MONDAY), 1000).unwrap();
    (counted, started.elapsed().as_secs_f64() * 1e3)
}

fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap()
}

fn import(store: &Store, hosts: u64) {
    // Out of order, as a list by rank is.
    let mut entries = (0..hosts).map(|n| {
        let name = format!("h{:08x}.example.com", (n * 2_654_435_761) & 0xffff_ffff);
        let name = name.replace(".example.com", if n % 3 == 0 { "-x.com" } else { ".test" });
        let host = Host::parse(&name, NameRules::Loopback).unwrap();
        Ok(Entry { line: n + 1, host })
    });
    let source = Source {
        kind: "list".to_owned(),
        name: "bench.txt".to_owned(),
        date: time(MONDAY),
        imported: time(MONDAY),
    };
    let report = store
        .import(
            &source,
            &mut entries,
            &mut |_| {},
            &mut || Ok(String::new()),
        )
        .unwrap();
    assert_eq!(report.added, hosts);
}

async fn begin(writer: &Writer, week: i64, start: i64) -> (Run, ProcessId) {
    let run = writer
        .begin_run(RunStart {
            label: format!("week-{week}"),
            policy_toml: String::new(),
            loopback: true,
            scheme: "https".to_owned(),
            user_agent: "bench".to_owned(),
            source_ip: None,
            at: time(start),
            window_ends: time(start + 86_400_000),
        })
        .await
        .unwrap();
    let process = writer
        .begin_process(run.id, time(start), String::new())
        .await
        .unwrap();
    (run, process)
}

/// Visits every host, many sites at once, as fast as the writer takes it; returns the largest log.
async fn walk(
    store: &Store,
    writer: &Writer,
    run: &(Run, ProcessId),
    start: i64,
    in_flight: usize,
    locations: usize,
) -> u64 {
    let reader = store.reader().unwrap();
    let (run_id, process) = (run.0.id, run.1);
    let clock = Arc::new(AtomicU64::new(0));
    let slots = Arc::new(tokio::sync::Semaphore::new(in_flight));
    let (mut after, mut wal) = (None, 0);
    loop {
        let sites: Vec<DueSite> = reader.due_sites(run_id, after, time(start), 1000).unwrap();
        let Some(last) = sites.last() else { break };
        after = Some(last.id);
        for site in sites {
            for host in reader
                .due_hosts(run_id, site.id, None, time(start), 100)
                .unwrap()
            {
                let (writer, clock) = (writer.clone(), Arc::clone(&clock));
                let visit = Visit {
                    run: run_id,
                    process,
                    site: site.id,
                    host: host.id,
                    start,
                    locations,
                };
                let slot = Arc::clone(&slots).acquire_owned().await.unwrap();
                tokio::spawn(walk_host(visit, writer, clock, slot));
            }
        }
        wal = wal.max(store.wal_bytes());
    }
    let _ = slots
        .acquire_many(u32::try_from(in_flight).unwrap())
        .await
        .unwrap();
    wal
}

#[derive(Clone, Copy)]
struct Visit {
    run: lamplighter::store::RunId,
    process: ProcessId,
    site: lamplighter::store::SiteId,
    host: HostId,
    start: i64,
    locations: usize,
}

async fn walk_host(
    visit: Visit,
    writer: Writer,
    clock: Arc<AtomicU64>,
    _slot: tokio::sync::OwnedSemaphorePermit,
) {
    for location in 0..visit.locations {
        one(visit, location, &writer, &clock).await;
    }
    let mono = i64::try_from(clock.load(Ordering::Relaxed) / 2).unwrap();
    let end = VisitEnd {
        run: visit.run,
        host: visit.host,
        turn: 1,
        outcome: VisitOutcome::Done,
        at: time(visit.start + mono),
        locations: vec![SpanState::Absent; visit.locations],
        due: time(visit.start + WEEK_MS - 86_400_000),
        alias: None,
        denied: Vec::new(),
    };
    writer.end_visit(end).await.unwrap();
}

async fn one(visit: Visit, location: usize, writer: &Writer, clock: &AtomicU64) {
    // Two requests a millisecond and a typical answer, a few of them seldom.
    let mono_ms = i64::try_from(clock.fetch_add(1, Ordering::Relaxed) / 2).unwrap();
    let stamp = |ms: i64| Stamp {
        utc: time(visit.start + ms),
        mono_ms: ms + 37,
    };
    let target = format!("/location-{location}.txt");
    let robots = RobotsId(visit.host.0);
    let key = writer
        .intent(Intent {
            run: visit.run,
            process: visit.process,
            site: visit.site,
            host: visit.host,
            visit_host: visit.host,
            turn: 1,
            target: target.clone(),
            method: Method::Get,
            attempt: 1,
            at: stamp(mono_ms),
            leave: if location == 0 {
                Leave::Robots
            } else {
                Leave::NoRule(robots)
            },
            held: None,
            conditional: false,
            gap_ms: 2000,
        })
        .await
        .unwrap();
    let ip = std::net::Ipv4Addr::from_bits(0x0a00_0000 + u32::try_from(visit.host.0).unwrap());
    let wire = 300 + u64::try_from(visit.host.0 % 900).unwrap();
    writer
        .finish(Finished {
            key,
            host: visit.host,
            target,
            run: visit.run,
            sent: stamp(mono_ms + 1),
            ended: stamp(mono_ms + 180),
            outcome: Outcome::Absent,
            status: Some(404),
            remote: Some((ip, 443).into()),
            coding: "gzip".to_owned(),
            wire_bytes: wire,
            body_bytes: wire * 3,
            sha256: None,
            connection: 1,
            redirect: None,
            retry_after_ms: None,
            detail: None,
            observation: Observation::State(SpanState::Absent),
            robots: None,
            site_wait: None,
        })
        .await
        .unwrap();
}

fn size(store: &Store, file: &std::path::Path) -> u64 {
    std::fs::metadata(file).unwrap().len() + store.wal_bytes()
}

/// Bytes of the request log by the pages it holds, and its rows.
fn table_bytes(file: &std::path::Path) -> (u64, u64, u64) {
    let conn = rusqlite::Connection::open(file).unwrap();
    let sizes = "SELECT sum(pgsize), sum(payload) FROM dbstat WHERE name = 'requests'";
    let (bytes, payload): (i64, i64) = conn
        .query_row(sizes, [], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap();
    let rows: i64 = conn
        .query_row("SELECT count(*) FROM requests", [], |row| row.get(0))
        .unwrap();
    (
        bytes.unsigned_abs(),
        payload.unsigned_abs(),
        rows.unsigned_abs(),
    )
}

/// Microseconds for "this host, ten minutes either side", 3,000 hosts drawn across the list.
fn look_ups(store: &Store, hosts: u64) -> Vec<f64> {
    let reader = store.reader().unwrap();
    let mut times = HashMap::new();
    (0..3_000_u64)
        .map(|n| {
            let id = HostId(i64::try_from(n * 7_919 % hosts + 1).unwrap());
            let at = *times
                .entry(id)
                .or_insert_with(|| reader.log(id, None, None).unwrap()[0].key.at_ms);
            let started = Instant::now();
            let rows = reader
                .log(id, Some(time(at - 600_000)), Some(time(at + 600_000)))
                .unwrap();
            assert!(!rows.is_empty());
            started.elapsed().as_secs_f64() * 1e6
        })
        .collect()
}
