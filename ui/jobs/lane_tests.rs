use super::*;

fn question(number: u64) -> Question {
    Question {
        number,
        now: Timestamp::UNIX_EPOCH,
        what: What::Around,
    }
}

#[test]
fn a_newer_question_ends_the_work_on_the_one_before() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path(), "intentroute").unwrap();
    let interrupter = Arc::new(store.reader().unwrap().interrupter());
    let worker = Worker::default();
    worker.ask(question(1));
    let (first, stop) = worker.next(&interrupter).unwrap();
    assert_eq!((first.number, stop.check()), (1, Ok(())));
    assert!(worker.wanted());
    worker.ask(question(2));
    worker.ask(question(3));
    assert!(stop.check().is_err() && !worker.wanted());
    let (newest, again) = worker.next(&interrupter).unwrap();
    assert_eq!(
        (newest.number, again.check()),
        (3, Ok(())),
        "a stop of its own"
    );
    worker.end();
    assert!(again.check().is_err());
    assert!(worker.next(&interrupter).is_none());
}
