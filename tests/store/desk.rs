//! Control, holds and the journal across two processes' worth of handles.

use lamplighter::store::{Control, Hold, Store, StoreError};

use super::fixture::{Work, at};

#[tokio::test]
async fn a_request_and_what_was_reached_cross_the_store() {
    let (directory, work) = Work::fresh(&["docs.alder.test", "bramble.test"]).await;
    assert_eq!(work.reader.control().unwrap(), Control::default());
    let desk = Store::existing(directory.path()).unwrap().desk().unwrap();
    let number = desk.request_pause(true, "ada", at(1_000)).unwrap();
    let control = work.reader.control().unwrap();
    assert_eq!(
        (
            control.paused,
            control.pause.requested.clone(),
            control.pause.reached.as_str()
        ),
        (true, number.clone(), "")
    );
    work.writer
        .reached("pause", number.clone(), at(1_200))
        .await
        .unwrap();
    assert_eq!(work.reader.control().unwrap().pause.reached, number);
    let resume = desk.request_pause(false, "ada", at(2_000)).unwrap();
    assert_ne!(resume, number);
    assert!(!work.reader.control().unwrap().paused);
    work.writer
        .reached("suppressed", "stamp".to_owned(), at(2_100))
        .await
        .unwrap();
    assert_eq!(work.reader.control().unwrap().suppressed.reached, "stamp");
    let unknown = work
        .writer
        .reached("lunch", "1".to_owned(), at(2_200))
        .await;
    assert!(matches!(unknown, Err(StoreError::NotFound(_))));
}

#[tokio::test]
async fn holds_stand_until_released_and_are_in_the_journal() {
    let (directory, work) = Work::fresh(&["docs.alder.test", "bramble.test"]).await;
    let desk = work.store.desk().unwrap();
    let hold = Hold {
        scope: "alder.test".parse().unwrap(),
        since: at(1_000),
        by: "ada".to_owned(),
        why: "complaint 7".to_owned(),
    };
    let first = desk.hold(&hold).unwrap().unwrap();
    assert_eq!(desk.hold(&hold).unwrap(), None, "it stood already");
    drop((desk, work));

    // After a restart it stands.
    let store = Store::existing(directory.path()).unwrap();
    let (desk, reader) = (store.desk().unwrap(), store.reader().unwrap());
    assert_eq!(reader.holds().unwrap(), std::slice::from_ref(&hold));
    assert_eq!(reader.control().unwrap().holds.requested, first);
    let states: Vec<String> = reader
        .hosts(None, 9)
        .unwrap()
        .into_iter()
        .map(|row| row.state)
        .collect();
    assert_eq!(states, ["held", "waiting"]);
    let second = desk
        .release(&hold.scope, "bob", at(3_000))
        .unwrap()
        .unwrap();
    assert_ne!(first, second);
    assert_eq!(desk.release(&hold.scope, "bob", at(3_000)).unwrap(), None);
    assert!(reader.holds().unwrap().is_empty());
    desk.journal(
        "bob",
        at(4_000),
        "suppress add alder.test",
        "asked by mail",
        "suppress remove alder.test",
    )
    .unwrap();
    let journal: Vec<_> = reader
        .journal()
        .unwrap()
        .into_iter()
        .map(|entry| {
            format!(
                "{} {} ({}) <- {}",
                entry.by, entry.action, entry.why, entry.inverse
            )
        })
        .collect();
    assert_eq!(
        journal,
        [
            "ada hold add alder.test (complaint 7) <- hold remove alder.test",
            "bob hold remove alder.test () <- hold add alder.test",
            "bob suppress add alder.test (asked by mail) <- suppress remove alder.test",
        ]
    );
}

#[test]
fn two_stores_write_at_once_without_losing_a_number() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), "intentroute").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            let store = store.clone();
            scope.spawn(move || {
                let desk = store.desk().unwrap();
                for n in 0..10 {
                    desk.request_pause(n % 2 == 0, "ada", at(n)).unwrap();
                }
            });
        }
    });
    let control = store.reader().unwrap().control().unwrap();
    assert_eq!(control.pause.requested, "30");
    assert_eq!(store.reader().unwrap().journal().unwrap().len(), 30);
}
