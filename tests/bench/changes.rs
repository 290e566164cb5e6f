//! `store changes [HOSTS] [RUNS]`, default 1,000,000 and 100: what lists of changes cost, milliseconds.
//! A run finds a file changed at every 16th host and sent whole for nothing at every 10th; the first
//! one finds it new at all of them. `cpu` is this thread's own time (Linux).

use std::time::Instant;

use lamplighter::store::{
    ChangeFacts, ChangeIndex, ChangeKind, ChangeSpan, Reader, RunId, RunStart, Store,
};
use rusqlite::{Connection, params};

use super::browse::Watch;
use super::{MONDAY, WEEK_MS, import, time};

type Keep<'a> = &'a dyn Fn(&ChangeFacts<'_>) -> bool;

pub(super) fn run(hosts: u64, runs: i64) {
    let directory = tempfile::tempdir_in(".").unwrap();
    let store = Store::open(directory.path(), "bench").unwrap();
    import(&store, hosts);
    begin(&store, runs);
    let file = directory.path().join("lamplighter.db");
    let started = Instant::now();
    let rows = fill(&file, runs);
    let fill_seconds = started.elapsed().as_secs_f64();
    let bytes = table_bytes(&file);

    let store = Store::existing(directory.path()).unwrap();
    let reader = store.reader().unwrap();
    let newest = ChangeSpan {
        since: None,
        to: RunId(runs),
    };
    let back = |by: i64| ChangeSpan {
        since: Some(RunId((runs - by).max(1))),
        ..newest
    };
    let all: Keep<'_> = &|_| true;
    let location: Keep<'_> = &|facts| facts.location == "/llms.txt";
    let kind: Keep<'_> = &|facts| facts.kind == ChangeKind::Changed;
    let host: Keep<'_> = &|facts| facts.host.contains("dead");
    let size: Keep<'_> = &|facts| facts.grown().unsigned_abs() >= 900;
    let mut filters = serde_json::Map::new();
    for (name, keep) in [
        ("location", location),
        ("kind", kind),
        ("host", host),
        ("size", size),
    ] {
        filters.insert(name.to_owned(), list(&reader, newest, keep).1);
    }
    let watch = Watch::start();
    let counts = reader.change_counts(RunId(runs)).unwrap();
    let counts_ms = watch.read();
    let watch = Watch::start();
    assert_eq!(reader.run_summaries().unwrap().len() as i64, runs);
    let runs_ms = watch.read();
    let (index, one) = list(&reader, newest, all);
    assert_eq!(
        index.counts, counts,
        "the counts kept are those of the list"
    );
    let (_, ten) = list(&reader, back(10), all);
    let (every, whole) = list(&reader, back(runs - 1), all);
    println!(
        "{}",
        serde_json::json!({
            "hosts": hosts, "runs": runs, "rows": rows, "fill_seconds": fill_seconds,
            "bytes_per_row": bytes as f64 / rows as f64,
            "counts_ms": counts_ms, "all_runs_ms": runs_ms,
            "one_run": one, "filters": filters, "ten_runs": ten, "all_runs": whole,
            "window_of_50_ms": windows(&reader, newest, &index, all),
            "window_of_50_over_all_runs_ms": windows(&reader, back(runs - 1), &every, all),
        })
    );
}

fn begin(store: &Store, runs: i64) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let writer = store.writer().unwrap();
    runtime.block_on(async {
        for week in 0..runs {
            let start = RunStart {
                label: format!("week-{week}"),
                policy_toml: String::new(),
                loopback: true,
                scheme: "https".to_owned(),
                user_agent: "bench".to_owned(),
                source_ip: None,
                at: time(MONDAY + week * WEEK_MS),
                window_ends: time(MONDAY + week * WEEK_MS + 86_400_000),
            };
            writer.begin_run(start).await.unwrap();
        }
    });
}

/// Writes what the writer would write, without the requests that would lead to it. The rows written.
fn fill(file: &std::path::Path, runs: i64) -> u64 {
    let conn = Connection::open(file).unwrap();
    conn.execute_batch(
        "PRAGMA synchronous = OFF;
         INSERT INTO targets (id, text) VALUES (1, '/robots.txt'), (2, '/llms.txt');
         WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
         INSERT INTO blobs (id, sha256, refs, bytes) SELECT i, zeroblob(31) || char(i), 1, 300 + 13 * i FROM n;",
    )
    .unwrap();
    let mut rows = 0;
    for run in 1..=runs {
        conn.execute_batch("BEGIN").unwrap();
        let at = MONDAY + (run - 1) * WEEK_MS;
        // Versions of the second location: the first, and one more at every 16th run of a host.
        rows += conn
            .execute(
                "INSERT INTO changes SELECT ?1, site, id, 2,
                   CASE WHEN ?1 = 1 THEN 1 ELSE 2 END, ?2 + id,
                   CASE WHEN ?1 = 1 THEN NULL ELSE (?1 + id % 16) / 16 END,
                   CASE WHEN ?1 = 1 THEN 1 ELSE (?1 + id % 16) / 16 + 1 END,
                   CASE WHEN ?1 = 1 THEN NULL ELSE 300 + id % 1000 END, 300 + (id * ?1) % 2000
                 FROM hosts WHERE ?1 = 1 OR (?1 + id) % 16 = 0 ORDER BY site, id",
                params![run, at],
            )
            .unwrap();
        conn.execute(
            "INSERT OR IGNORE INTO versions (host, target, number, blob, first_ms, last_ms)
             SELECT host, 2, new, 1 + (host + ?1) % 200, at_ms, at_ms FROM changes
             WHERE run = ?1 AND target = 2",
            params![run],
        )
        .unwrap();
        rows += conn
            .execute(
                "INSERT INTO changes SELECT ?1, site, id, 1, 5, ?2 + id, 1, 1, 500, 500
                 FROM hosts WHERE ?1 > 1 AND (3 * ?1 + id) % 10 = 0 ORDER BY site, id",
                params![run, at],
            )
            .unwrap();
        conn.execute(
            "INSERT INTO totals SELECT ?1, 'change',
               CASE kind WHEN 1 THEN 'new' WHEN 2 THEN 'changed' ELSE 'unchanged_by_content' END,
               count(*) FROM changes WHERE run = ?1 GROUP BY kind",
            params![run],
        )
        .unwrap();
        conn.execute_batch("COMMIT").unwrap();
    }
    rows as u64
}

fn table_bytes(file: &std::path::Path) -> u64 {
    let conn = Connection::open(file).unwrap();
    let bytes: i64 = conn
        .query_row(
            "SELECT sum(pgsize) FROM dbstat WHERE name = 'changes'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    bytes.unsigned_abs()
}

/// The first screen of a list, then all of it once passed.
fn list(reader: &Reader, span: ChangeSpan, keep: Keep<'_>) -> (ChangeIndex, serde_json::Value) {
    let mut keep = |facts: &ChangeFacts<'_>| keep(facts);
    let watch = Watch::start();
    let page = reader.changes_after(span, None, 50, &mut keep).unwrap();
    let first = watch.read();
    let watch = Watch::start();
    let index = reader.change_index(span, &mut keep).unwrap();
    let passed = watch.read();
    let kept = index.counts.all();
    assert_eq!(page.len() as u64, kept.min(50));
    (
        index,
        serde_json::json!({"kept": kept, "first_ms": first, "passed_ms": passed}),
    )
}

/// Windows all over a list.
fn windows(
    reader: &Reader,
    span: ChangeSpan,
    index: &ChangeIndex,
    keep: Keep<'_>,
) -> serde_json::Value {
    let mut keep = |facts: &ChangeFacts<'_>| keep(facts);
    let length = usize::try_from(index.counts.all()).unwrap();
    let mut times: Vec<f64> = (0..200)
        .map(|n| {
            let first = n * 7_919_003 % (length - 50);
            let started = Instant::now();
            let lines = reader.change_window(span, index, first, 50, &mut keep);
            assert_eq!(lines.unwrap().len(), 50);
            started.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    serde_json::json!({"p50": times[100], "p99": times[198]})
}
