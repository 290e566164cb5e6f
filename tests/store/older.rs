//! Stores that an older version wrote.

use lamplighter::store::{HostState, Store, VisitEnd, VisitKind, VisitOutcome};
use lamplighter::suppress::List;

use super::browse::view;
use super::fixture::at;
use super::host_page::run_of_week;

/// Columns that later versions added.
const LATER: [(&str, &str); 5] = [
    ("hosts", "newest"),
    ("processes", "shift_ms"),
    ("journal", "shift_ms"),
    ("runs", "sparse"),
    ("spans", "status"),
];

/// Every row of every table, as text; only the tables and columns of schema 1, and what it counted.
fn dump(file: &std::path::Path) -> Vec<String> {
    let conn = rusqlite::Connection::open(file).unwrap();
    let names = "SELECT name FROM sqlite_schema
                 WHERE type = 'table' AND name <> 'changes' ORDER BY name";
    let mut statement = conn.prepare(names).unwrap();
    let tables: Vec<String> = statement
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let mut rows = Vec::new();
    for table in tables {
        let counted = match table.as_str() {
            "totals" => "WHERE kind <> 'change'",
            _ => "",
        };
        let sql = format!("SELECT * FROM {table} {counted}");
        let mut statement = conn.prepare(&sql).unwrap();
        let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
        let mut found = statement.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let mut text = table.clone();
            for (n, column) in columns.iter().enumerate() {
                if !LATER.contains(&(table.as_str(), column.as_str())) {
                    text.push_str(&format!(" {column}={:?}", row.get_ref(n).unwrap()));
                }
            }
            rows.push(text);
        }
    }
    rows
}

/// Two weeks of the built-in web, written by the version whose newest schema was 1.
const SCHEMA_1: &[u8] = include_bytes!("../data/schema-1.db.zst");

#[tokio::test]
async fn a_store_of_schema_1_keeps_every_byte_and_says_what_it_cannot_know() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lamplighter.db");
    std::fs::write(&file, zstd::decode_all(SCHEMA_1).unwrap()).unwrap();
    let before = dump(&file);
    assert!(before.len() > 1_000);
    let store = Store::existing(directory.path()).unwrap();
    assert!(dump(&file) == before, "a row is not as it was");
    let report = store.check().unwrap();
    assert_eq!((report.integrity.len(), report.bad_blobs.len()), (0, 0));
    assert_eq!((report.bad_references.len(), report.blobs), (0, 81));

    let reader = store.reader().unwrap();
    let none = List::default();
    let lines = reader.host_page_after(None, 100, view(&none)).unwrap();
    assert_eq!(lines.len(), 29);
    for line in &lines {
        assert_eq!(
            line.newest, None,
            "{}: not known, and not made up",
            line.host
        );
        // The visit itself still tells how it ended.
        let outcome = line.outcome.as_ref().unwrap();
        let HostState::Done(Some(kind)) = line.state else {
            panic!("{}: {:?}", line.host, line.state)
        };
        assert_eq!(kind.word(), outcome.word().split(':').next().unwrap());
        assert!(line.visited.is_some() && !line.locations.is_empty());
    }
    let visits = reader.visits_of(lines[0].id, None, 10).unwrap();
    assert_eq!(visits.len(), 2);
    assert!(!reader.log_page(lines[0].id, None, 100).unwrap().is_empty());

    // What each week found new, changed and gone stands in the versions and states themselves.
    let counts = |label: &str| {
        let run = reader.run(label).unwrap().unwrap().id;
        assert!(reader.is_sparse(run).unwrap());
        reader.change_counts(run).unwrap()
    };
    let runs = reader.runs().unwrap();
    let (first, second) = (counts(&runs[1].start.label), counts(&runs[0].start.label));
    assert_eq!(first.all(), first.new);
    let versions = reader.totals(runs[1].id).unwrap().versions_new;
    assert_eq!(first.new, versions);
    let versions = reader.totals(runs[0].id).unwrap().versions_new;
    assert_eq!(second.new + second.changed + second.back, versions);
    assert!(second.changed > 0, "{second:?}");

    // The next visit is counted as in any store.
    let writer = store.writer().unwrap();
    let run = writer.begin_run(run_of_week(9)).await.unwrap();
    let end = VisitEnd {
        run: run.id,
        host: lines[0].id,
        turn: 1,
        outcome: VisitOutcome::Done,
        at: at(0),
        locations: Vec::new(),
        due: at(1),
        alias: None,
        denied: Vec::new(),
    };
    writer.end_visit(end).await.unwrap();
    let line = reader
        .host_window(&[lines[0].id], view(&none))
        .unwrap()
        .remove(0);
    assert_eq!(line.newest.unwrap().kind, VisitKind::Done);
}
