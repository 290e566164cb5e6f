//! Opening, locking, refusing, copying, a full disk.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use lamplighter::fetch::Outcome;
use lamplighter::store::{Observation, RunStart, SpanState, Store, StoreError};

use super::fixture::{Work, body, import, run_start, sha};

fn names(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_store_belongs_to_one_policy() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    assert!(matches!(
        Store::existing(path),
        Err(StoreError::Missing { .. })
    ));
    assert!(matches!(
        Store::read_only(path),
        Err(StoreError::Missing { .. })
    ));
    let store = Store::open(path, "intentroute").unwrap();
    assert_eq!(store.policy().unwrap(), "intentroute");
    Store::open(path, "intentroute").unwrap();
    match Store::open(path, "itisyou") {
        Err(StoreError::OtherPolicy { found, wanted }) => {
            assert_eq!(
                (found.as_str(), wanted.as_str()),
                ("intentroute", "itisyou")
            );
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(
        Store::existing(path).unwrap().policy().unwrap(),
        "intentroute"
    );
}

#[tokio::test]
async fn loopback_runs_and_real_ones_share_no_store() {
    for first in [true, false] {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path(), "intentroute").unwrap();
        let writer = store.writer().unwrap();
        let start = |loopback, label: &str| RunStart {
            label: label.to_owned(),
            loopback,
            ..run_start()
        };
        writer.begin_run(start(first, "2026-W48")).await.unwrap();
        let ended = writer.begin_run(start(first, "2026-W49")).await.unwrap();
        writer
            .end_run(ended.id, super::fixture::at(1))
            .await
            .unwrap();
        let runs = || format!("{:?}", store.reader().unwrap().runs().unwrap());
        let before = runs();
        // The same label, and a new one in a text nobody has interned.
        let mut other = start(!first, "2026-W50");
        other.user_agent = "Another/1".to_owned();
        // Whoever shares its batch is not touched by the refusal.
        let (again, fresh, fine) = tokio::join!(
            writer.begin_run(start(!first, "2026-W49")),
            writer.begin_run(other),
            writer.begin_run(start(first, "2026-W48")),
        );
        for refused in [again, fresh] {
            let error = refused.unwrap_err();
            assert!(
                matches!(error, StoreError::OtherReach { loopback } if loopback != first),
                "{error}"
            );
            let words = match first {
                true => {
                    "this store is of loopback runs and cannot take a real one; use another --store"
                }
                false => {
                    "this store is of real runs and cannot take a loopback one; use another --store"
                }
            };
            assert_eq!(error.to_string(), words);
        }
        fine.unwrap();
        assert_eq!(runs(), before);
        let conn = rusqlite::Connection::open(directory.path().join("lamplighter.db")).unwrap();
        let sql = "SELECT count(*) FROM texts WHERE text = 'Another/1'";
        let texts: i64 = conn.query_row(sql, [], |row| row.get(0)).unwrap();
        assert_eq!(texts, 0, "nothing of it is written");
    }
}

#[cfg(unix)]
#[test]
fn a_store_that_is_gone_or_replaced_can_be_told() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("data");
    let store = Store::open(&path, "intentroute").unwrap();
    assert!(matches!(store.identity(), Err(StoreError::Missing { .. })));
    let _lock = store.lock_engine().unwrap();
    let here = store.identity().unwrap();
    assert_eq!(store.identity().unwrap(), here);
    drop(store.writer().unwrap());
    assert_eq!(store.clone().identity().unwrap(), here);

    // Each of the two files by itself, and the directory.
    let moved = directory.path().join("moved");
    for name in ["lamplighter.db", "engine.lock"] {
        let file = path.join(name);
        std::fs::rename(&file, &moved).unwrap();
        assert!(
            matches!(store.identity(), Err(StoreError::Missing { .. })),
            "{name}"
        );
        std::fs::copy(&moved, &file).unwrap();
        assert_ne!(store.identity().unwrap(), here, "{name}");
        std::fs::rename(&moved, &file).unwrap();
        assert_eq!(store.identity().unwrap(), here, "{name}");
    }
    std::fs::rename(&path, &moved).unwrap();
    assert!(matches!(store.identity(), Err(StoreError::Missing { .. })));
    let other = Store::open(&path, "intentroute").unwrap();
    let _other = other.lock_engine().unwrap();
    assert_ne!(store.identity().unwrap(), here);
}

/// Its maker is at work at this moment, or died before the last step: there is nothing in it.
#[test]
fn a_store_half_made_is_not_there_yet() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path();
    Store::open(path, "intentroute").unwrap();
    let half = rusqlite::Connection::open(path.join("lamplighter.db")).unwrap();
    half.execute("DELETE FROM meta WHERE key = 'policy'", [])
        .unwrap();
    assert!(matches!(
        Store::existing(path),
        Err(StoreError::Missing { .. })
    ));
    Store::open(path, "intentroute").unwrap();
    Store::existing(path).unwrap();
}

#[test]
fn a_second_engine_is_told_who_holds_the_store() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), "intentroute").unwrap();
    let lock = store.lock_engine().unwrap();
    let other = Store::existing(directory.path()).unwrap();
    match other.lock_engine() {
        Err(StoreError::Locked { holder }) => {
            let process = format!("process {} since 20", std::process::id());
            assert!(holder.starts_with(&process), "{holder}");
        }
        other => panic!("{other:?}"),
    }
    drop(lock);
    other.lock_engine().unwrap();
}

#[test]
fn a_newer_store_is_refused_and_untouched() {
    let directory = tempfile::tempdir().unwrap();
    drop(Store::open(directory.path(), "intentroute").unwrap());
    let file = directory.path().join("lamplighter.db");
    let conn = rusqlite::Connection::open(&file).unwrap();
    let ours: i64 = conn
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    conn.pragma_update(None, "user_version", 99).unwrap();
    conn.close().unwrap();
    let (before, listed) = (std::fs::read(&file).unwrap(), names(directory.path()));
    for refused in [
        Store::open(directory.path(), "intentroute").map(drop),
        Store::existing(directory.path()).map(drop),
        Store::read_only(directory.path()).map(drop),
    ] {
        assert!(
            matches!(refused, Err(StoreError::Newer { found: 99, known, .. }) if known == ours),
            "{refused:?}"
        );
    }
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(names(directory.path()), listed);
}

#[test]
fn what_is_no_store_is_said_to_be_damaged() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lamplighter.db");
    let foreign = tempfile::tempdir().unwrap();
    let other = foreign.path().join("other.db");
    let conn = rusqlite::Connection::open(&other).unwrap();
    conn.execute_batch("PRAGMA user_version = 7; CREATE TABLE t (x)")
        .unwrap();
    conn.close().unwrap();
    let contents = [
        b"not a database, but a text that is long enough to be a head of one. ".repeat(3),
        b"SQLite format 3\0".to_vec(),
        std::fs::read(&other).unwrap(),
    ];
    for content in contents {
        std::fs::write(&file, &content).unwrap();
        for refused in [
            Store::open(directory.path(), "intentroute").map(drop),
            Store::existing(directory.path()).map(drop),
            Store::read_only(directory.path()).map(drop),
        ] {
            assert!(
                matches!(refused, Err(StoreError::Damaged { .. })),
                "{refused:?}"
            );
        }
        assert_eq!(std::fs::read(&file).unwrap(), content, "untouched");
    }
}

#[tokio::test]
async fn damage_inside_is_found_and_never_handed_out() {
    let (directory, work) = Work::fresh(&["docs.alder.test"]).await;
    let id = work.id("docs.alder.test").0;
    work.ask(
        "docs.alder.test",
        "/llms.txt",
        Outcome::Present,
        body(b"# Alder", None),
    )
    .await;
    assert!(work.store.check().unwrap().bad_blobs.is_empty());
    let file = directory.path().join("lamplighter.db");
    let conn = rusqlite::Connection::open(&file).unwrap();
    conn.execute("UPDATE bodies SET zstd = 0, data = x'2320416c6465'", [])
        .unwrap();
    match work.reader.body(id, "/llms.txt", None) {
        Err(StoreError::Damaged { path, problem }) => {
            assert_eq!(path, file);
            assert!(problem.contains("other bytes"), "{problem}");
        }
        other => panic!("{other:?}"),
    }
    conn.execute("UPDATE blobs SET refs = 5", []).unwrap();
    let report = work.store.check().unwrap();
    assert_eq!(
        (report.bad_blobs.len(), report.bad_references.len()),
        (1, 1),
        "{report:?}"
    );
}

#[tokio::test]
async fn a_copy_is_clean_and_read_without_side_files() {
    let directory = tempfile::tempdir().unwrap();
    let target = tempfile::tempdir().unwrap();
    let copy = target.path().join("a copy, 100 % of it?");
    let work = Work::begin(directory.path(), &["docs.alder.test"]).await;
    let text = b"# Alder\n".repeat(2000);
    work.ask(
        "docs.alder.test",
        "/llms.txt",
        Outcome::Present,
        body(&text, None),
    )
    .await;
    // The writer is still there and its log not folded in: the copy has everything all the same.
    assert!(work.store.wal_bytes() > 0);
    work.store.copy(&copy).unwrap();
    assert!(
        matches!(work.store.copy(&copy), Err(StoreError::Occupied { .. })),
        "not over another"
    );
    assert_eq!(names(&copy), ["lamplighter.db"]);

    let opened = Store::read_only(&copy).unwrap();
    let reader = opened.reader().unwrap();
    let id = reader
        .host(&super::fixture::host("docs.alder.test"))
        .unwrap()
        .unwrap()
        .0;
    assert_eq!(reader.body(id, "/llms.txt", None).unwrap(), text);
    let report = opened.check().unwrap();
    assert_eq!(report.blobs, 1);
    assert!(
        report.integrity.is_empty() && report.bad_references.is_empty(),
        "{report:?}"
    );
    assert!(matches!(
        opened.writer().map(drop),
        Err(StoreError::ReadOnly)
    ));
    assert!(matches!(opened.desk().map(drop), Err(StoreError::ReadOnly)));
    assert!(matches!(
        opened.lock_engine().map(drop),
        Err(StoreError::ReadOnly)
    ));
    drop((reader, opened));
    assert_eq!(names(&copy), ["lamplighter.db"], "no side file, no lock");

    std::fs::write(copy.join("lamplighter.db-wal"), b"x").unwrap();
    assert!(matches!(
        Store::read_only(&copy),
        Err(StoreError::UncleanCopy { .. })
    ));
}

#[tokio::test]
async fn a_full_disk_fails_a_batch_cleanly() {
    let directory = tempfile::tempdir().unwrap();
    let limit = Arc::new(AtomicU32::new(0));
    let store = Store::open(directory.path(), "intentroute")
        .unwrap()
        .with_page_limit(Arc::clone(&limit));
    let work = Work::resume(store, &["docs.alder.test"]).await;
    let first = work
        .ask(
            "docs.alder.test",
            "/a",
            Outcome::Absent,
            Observation::State(SpanState::Absent),
        )
        .await;
    let key = work
        .writer
        .intent(work.intent("docs.alder.test", "/llms.txt"))
        .await
        .unwrap();
    let noise: Vec<u8> = (0..200_000_u32)
        .flat_map(|n| sha(&n.to_le_bytes()))
        .collect();
    let mut finished = work.finished(key, "docs.alder.test", "/llms.txt");
    finished.observation = body(&noise, Some("\"a\""));

    limit.store(1, Ordering::SeqCst);
    for _ in 0..2 {
        let failed = work.writer.finish(finished.clone()).await;
        assert!(matches!(failed, Err(StoreError::DiskFull)), "{failed:?}");
    }
    let totals = work.reader.totals(work.run.id).unwrap();
    assert_eq!(totals.requests, 1, "nothing of the batch is kept");
    assert!(
        work.reader
            .versions(finished.host, None)
            .unwrap()
            .is_empty()
    );

    limit.store(0, Ordering::SeqCst);
    let stored = work.writer.finish(finished.clone()).await.unwrap();
    assert_ne!(stored, first);
    assert_eq!(
        work.reader.body(finished.host, "/llms.txt", None).unwrap(),
        noise
    );
    assert_eq!(work.reader.totals(work.run.id).unwrap().requests, 2);
    let report = work.store.check().unwrap();
    assert!(
        report.integrity.is_empty() && report.bad_references.is_empty(),
        "{report:?}"
    );
}

#[test]
fn hosts_come_in_site_order_with_their_source() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), "intentroute").unwrap();
    let list = [
        "www.bramble.test",
        "docs.alder.test",
        "bad_name.test",
        "alder.test",
        "alder.test",
        "api.alder.test",
    ];
    let report = import(&store, &list);
    assert_eq!((report.added, report.known, report.rejected), (4, 0, 1));
    let report = import(&store, &["cedar.test", "alder.test"]);
    assert_eq!((report.added, report.known, report.rejected), (1, 1, 0));

    let hosts = store.reader().unwrap().hosts(None, 10).unwrap();
    let shown: Vec<String> = hosts
        .iter()
        .map(|row| {
            format!(
                "{} {} {} | {} | {}",
                row.id.0, row.site, row.host, row.source, row.state
            )
        })
        .collect();
    assert_eq!(
        shown,
        [
            "1 alder.test alder.test | list hosts.txt 2026-11-29 line 4 | waiting",
            "2 alder.test api.alder.test | list hosts.txt 2026-11-29 line 6 | waiting",
            "3 alder.test docs.alder.test | list hosts.txt 2026-11-29 line 2 | waiting",
            "4 bramble.test www.bramble.test | list hosts.txt 2026-11-29 line 1 | waiting",
            "5 cedar.test cedar.test | list hosts.txt 2026-11-29 line 1 | waiting",
        ]
    );
    let page = store.reader().unwrap().hosts(Some(hosts[1].id), 2).unwrap();
    assert_eq!(page.iter().map(|row| row.id.0).collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn an_import_is_all_or_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), "intentroute").unwrap();
    let source = lamplighter::store::Source {
        kind: "list".to_owned(),
        name: "hosts.txt".to_owned(),
        date: super::fixture::at(0),
        imported: super::fixture::at(0),
    };
    let mut entries = ["alder.test"].iter().map(|name| {
        Ok(lamplighter::hosts::Entry {
            line: 1,
            host: super::fixture::host(name),
        })
    });
    let failed = store.import(&source, &mut entries, &mut |_| {}, &mut || {
        Err(std::io::Error::other("the file went away"))
    });
    assert!(matches!(failed, Err(StoreError::Io { .. })));
    assert!(store.reader().unwrap().hosts(None, 10).unwrap().is_empty());
}
