//! What answers mean for history.

use lamplighter::fetch::{Outcome, Validators};
use lamplighter::store::{Change, Observation, SpanState, StoreError};

use super::fixture::{Work, body, digest, sha, validators};

const HOST: &str = "docs.alder.test";
const PATH: &str = "/llms.txt";

struct Step {
    outcome: Outcome,
    observation: Observation,
    change: Change,
    versions: usize,
    held: Option<&'static str>,
    state: SpanState,
}

fn step(
    observation: Observation,
    change: Change,
    versions: usize,
    held: Option<&'static str>,
    state: SpanState,
) -> Step {
    let outcome = match &observation {
        Observation::Body { .. } | Observation::Digest { .. } => Outcome::Present,
        Observation::NotModified(_) => Outcome::NotModified,
        _ => Outcome::ServerError,
    };
    Step {
        outcome,
        observation,
        change,
        versions,
        held,
        state,
    }
}

async fn play(steps: Vec<Step>) -> (tempfile::TempDir, Work) {
    let (directory, work) = Work::fresh(&[HOST, "www.alder.test"]).await;
    let id = work.id(HOST).0;
    for (number, step) in steps.into_iter().enumerate() {
        let stored = work.ask(HOST, PATH, step.outcome, step.observation).await;
        assert_eq!(stored.change, step.change, "step {number}");
        let versions = work.reader.versions(id, Some(PATH)).unwrap();
        assert_eq!(versions.len(), step.versions, "step {number}");
        let held: Vec<(String, Validators)> = work.reader.validators(id).unwrap();
        let etag = held.first().and_then(|(_, held)| held.etag.clone());
        assert_eq!(etag.as_deref(), step.held, "step {number}");
        let span = work.reader.spans(id, PATH).unwrap().pop().unwrap();
        assert_eq!(span.state, step.state, "step {number}");
    }
    (directory, work)
}

#[tokio::test]
async fn validators_are_the_newest_of_any_200_or_304() {
    // Known fault 8.
    let not_modified = |etag| Observation::NotModified(validators(etag, None));
    play(vec![
        step(
            body(b"one", Some("a")),
            Change::New,
            1,
            Some("a"),
            SpanState::Present,
        ),
        step(
            body(b"one", Some("b")),
            Change::UnchangedByContent,
            1,
            Some("b"),
            SpanState::Present,
        ),
        step(
            not_modified(None),
            Change::Unchanged,
            1,
            Some("b"),
            SpanState::Present,
        ),
        step(
            not_modified(Some("c")),
            Change::Unchanged,
            1,
            Some("c"),
            SpanState::Present,
        ),
        step(
            body(b"one", None),
            Change::UnchangedByContent,
            1,
            None,
            SpanState::Present,
        ),
    ])
    .await;
}

#[tokio::test]
async fn a_304_refreshes_what_it_names_only() {
    let (_directory, work) = Work::fresh(&[HOST]).await;
    let id = work.id(HOST).0;
    let mut first = body(b"one", Some("a"));
    if let Observation::Body {
        validators: held, ..
    } = &mut first
    {
        held.last_modified = Some("Mon".to_owned());
    }
    work.ask(HOST, PATH, Outcome::Present, first).await;
    work.ask(
        HOST,
        PATH,
        Outcome::NotModified,
        Observation::NotModified(validators(Some("b"), None)),
    )
    .await;
    assert_eq!(
        work.reader.validators(id).unwrap()[0].1,
        validators(Some("b"), Some("Mon"))
    );
    work.ask(HOST, PATH, Outcome::Present, body(b"two", Some("c")))
        .await;
    assert_eq!(
        work.reader.validators(id).unwrap()[0].1,
        validators(Some("c"), None),
        "a 200 replaces both"
    );
}

#[tokio::test]
async fn versions_change_come_back_and_outlive_failures() {
    let state = |state| Observation::State(state);
    let (_directory, work) = play(vec![
        step(
            body(b"one", Some("a")),
            Change::New,
            1,
            Some("a"),
            SpanState::Present,
        ),
        step(
            state(SpanState::Error),
            Change::None,
            1,
            Some("a"),
            SpanState::Error,
        ),
        step(
            state(SpanState::Error),
            Change::None,
            1,
            Some("a"),
            SpanState::Error,
        ),
        step(
            Observation::NotModified(validators(None, None)),
            Change::Unchanged,
            1,
            Some("a"),
            SpanState::Present,
        ),
        step(
            body(b"two", Some("b")),
            Change::Changed,
            2,
            Some("b"),
            SpanState::Present,
        ),
        step(
            body(b"one", Some("c")),
            Change::Back,
            3,
            Some("c"),
            SpanState::Present,
        ),
        step(
            state(SpanState::Blocked),
            Change::None,
            3,
            Some("c"),
            SpanState::Blocked,
        ),
        step(
            state(SpanState::Absent),
            Change::None,
            3,
            None,
            SpanState::Absent,
        ),
        step(
            body(b"one", None),
            Change::Returned,
            3,
            None,
            SpanState::Present,
        ),
    ])
    .await;
    let id = work.id(HOST).0;
    let versions = work.reader.versions(id, None).unwrap();
    assert_eq!(
        versions
            .iter()
            .map(|version| version.number)
            .collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert_eq!(versions[0].sha256, versions[2].sha256);
    assert!(
        versions[0].last_seen > versions[0].first_seen,
        "the 304 confirmed it"
    );
    assert!(versions[2].last_seen > versions[2].first_seen);
    assert_eq!(versions[1].first_seen, versions[1].last_seen);
    assert_eq!(work.reader.body(id, PATH, None).unwrap(), b"one");
    assert_eq!(work.reader.body(id, PATH, Some(2)).unwrap(), b"two");
    for missing in [
        work.reader.body(id, PATH, Some(9)),
        work.reader.body(id, "/never", None),
    ] {
        assert!(matches!(missing, Err(StoreError::NotFound(_))));
    }
    let states: Vec<SpanState> = work
        .reader
        .spans(id, PATH)
        .unwrap()
        .iter()
        .map(|span| span.state)
        .collect();
    use SpanState::{Absent, Blocked, Error, Present};
    assert_eq!(
        states,
        [Present, Error, Present, Blocked, Absent, Present],
        "a span only where the state changes"
    );
}

#[tokio::test]
async fn a_soft_404_is_one_span_and_never_a_version() {
    let soft = SpanState::SoftAbsent;
    let (_directory, work) = play(vec![
        step(
            body(b"one", Some("a")),
            Change::New,
            1,
            Some("a"),
            SpanState::Present,
        ),
        step(
            digest(b"<html>1", Some("h"), soft),
            Change::None,
            1,
            Some("h"),
            soft,
        ),
        step(
            digest(b"<html>2", Some("i"), soft),
            Change::None,
            1,
            Some("i"),
            soft,
        ),
        step(
            Observation::NotModified(validators(None, None)),
            Change::None,
            1,
            Some("i"),
            soft,
        ),
        step(
            Observation::State(SpanState::Error),
            Change::None,
            1,
            Some("i"),
            SpanState::Error,
        ),
        step(
            Observation::NotModified(validators(None, None)),
            Change::None,
            1,
            Some("i"),
            soft,
        ),
    ])
    .await;
    let id = work.id(HOST).0;
    let spans = work.reader.spans(id, PATH).unwrap();
    assert_eq!(spans.len(), 4);
    assert_eq!(
        spans[1].digest,
        Some((sha(b"<html>2"), 7)),
        "the digest moves, the state does not"
    );
    assert_eq!(spans[3].digest, spans[1].digest);
    let version = &work.reader.versions(id, None).unwrap()[0];
    assert_eq!(
        version.first_seen, version.last_seen,
        "a 304 on the soft 404 confirms no file"
    );
}

#[tokio::test]
async fn keep_mode_digest_tells_changes_without_bytes() {
    let present = SpanState::Present;
    let (_directory, work) = play(vec![
        step(
            digest(b"1", Some("a"), present),
            Change::New,
            0,
            Some("a"),
            present,
        ),
        step(
            digest(b"1", Some("b"), present),
            Change::UnchangedByContent,
            0,
            Some("b"),
            present,
        ),
        step(
            digest(b"2", Some("c"), present),
            Change::Changed,
            0,
            Some("c"),
            present,
        ),
        step(
            Observation::State(SpanState::Error),
            Change::None,
            0,
            Some("c"),
            SpanState::Error,
        ),
        step(
            Observation::NotModified(validators(None, None)),
            Change::Unchanged,
            0,
            Some("c"),
            present,
        ),
    ])
    .await;
    let spans = work.reader.spans(work.id(HOST).0, PATH).unwrap();
    assert_eq!(spans.iter().filter(|span| span.digest.is_some()).count(), 3);
    assert_eq!(work.store.check().unwrap().blobs, 0);
}

#[tokio::test]
async fn another_content_type_is_no_change_of_content() {
    let (_directory, work) = Work::fresh(&[HOST]).await;
    work.ask(HOST, PATH, Outcome::Present, body(b"one", None))
        .await;
    let mut second = body(b"one", None);
    if let Observation::Body {
        media_type, marks, ..
    } = &mut second
    {
        *media_type = Some("text/html".to_owned());
        *marks = vec![lamplighter::validate::Mark::ContentType];
    }
    let stored = work.ask(HOST, PATH, Outcome::Present, second).await;
    assert_eq!(stored.change, Change::UnchangedByContent);
    let version = work
        .reader
        .versions(work.id(HOST).0, None)
        .unwrap()
        .remove(0);
    assert_eq!(version.media_type.as_deref(), Some("text/html"));
    assert_eq!(version.marks, [lamplighter::validate::Mark::ContentType]);
    assert_eq!(version.bytes, 3);
}

#[tokio::test]
async fn equal_bytes_are_kept_once_until_the_last_reference() {
    let (directory, work) = Work::fresh(&[HOST, "www.alder.test"]).await;
    let text = b"# the same file everywhere\n".repeat(100);
    for name in [HOST, "www.alder.test"] {
        let stored = work
            .ask(name, PATH, Outcome::Present, body(&text, None))
            .await;
        assert_eq!(stored.change, Change::New);
    }
    let report = work.store.check().unwrap();
    assert_eq!(report.blobs, 1);
    let conn = rusqlite::Connection::open(directory.path().join("lamplighter.db")).unwrap();
    let packed: i64 = conn
        .query_row("SELECT length(data) FROM bodies", [], |row| row.get(0))
        .unwrap();
    assert!(packed < 200, "compressed: {packed}");
    let (one, other) = (work.id(HOST).0, work.id("www.alder.test").0);
    conn.execute("DELETE FROM versions WHERE host = ?1", [one.0])
        .unwrap();
    assert_eq!(work.reader.body(other, PATH, None).unwrap(), text);
    conn.execute("DELETE FROM versions WHERE host = ?1", [other.0])
        .unwrap();
    let left: i64 = conn
        .query_row(
            "SELECT (SELECT count(*) FROM blobs) + (SELECT count(*) FROM bodies)",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(left, 0);
    // Bytes that do not shrink are stored plain, and an empty body is a body.
    for bytes in [&b"\x01\x9c"[..], b""] {
        work.ask(HOST, "/x", Outcome::Present, body(bytes, None))
            .await;
        assert_eq!(work.reader.body(one, "/x", None).unwrap(), bytes);
    }
}
