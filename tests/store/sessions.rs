//! robots.txt sessions.

use lamplighter::fetch::Outcome;
use lamplighter::store::RobotsFetch;

use super::fixture::{Work, at, body, sha, validators};

#[tokio::test]
async fn a_robots_session_keeps_its_text() {
    let (directory, work) = Work::fresh(&["alder.test", "www.alder.test"]).await;
    let (id, _) = work.id("www.alder.test");
    let text = b"User-agent: *\nDisallow: /x\n";
    // The listed host redirects to www, whose other path answers: the text is www's robots.txt.
    let key = work
        .writer
        .intent(work.intent("www.alder.test", "/static/robots.txt"))
        .await
        .unwrap();
    let mut finished = work.finished(key, "www.alder.test", "/static/robots.txt");
    finished.observation = body(text, Some("\"r\""));
    let fetch = RobotsFetch {
        host: id,
        at: at(1_000),
        status: Some(200),
        access: "rules".to_owned(),
        redirects: 1,
        url: "http://www.alder.test/static/robots.txt".to_owned(),
        sha256: Some(sha(text)),
        valid_until: at(86_400_000),
        delay: Some((2.5, 3)),
        signals: "{}".to_owned(),
    };
    finished.robots = Some(fetch.clone());
    let first = work.writer.finish(finished).await.unwrap().robots.unwrap();
    let session = work.reader.robots(id).unwrap().unwrap();
    assert_eq!(
        (session.id, session.text.as_deref()),
        (first, Some(&text[..]))
    );
    assert_eq!(
        (
            session.fetch.delay,
            session.fetch.url.clone(),
            session.fetch.sha256
        ),
        (fetch.delay, fetch.url.clone(), fetch.sha256)
    );
    assert_eq!(work.reader.body(id, "/robots.txt", None).unwrap(), text);
    assert_eq!(
        work.reader.validators(id).unwrap(),
        [(
            "/static/robots.txt".to_owned(),
            validators(Some("\"r\""), None)
        )]
    );

    // The text outlives the version as long as a fetch refers to it.
    let key = work
        .writer
        .intent(work.intent("www.alder.test", "/robots.txt"))
        .await
        .unwrap();
    let mut finished = work.finished(key, "www.alder.test", "/robots.txt");
    (finished.outcome, finished.status) = (Outcome::NotModified, Some(304));
    finished.observation = lamplighter::store::Observation::NotModified(validators(None, None));
    finished.robots = Some(RobotsFetch {
        status: Some(304),
        ..fetch
    });
    let second = work.writer.finish(finished).await.unwrap().robots.unwrap();
    assert!(second > first);
    let conn = rusqlite::Connection::open(directory.path().join("lamplighter.db")).unwrap();
    conn.execute("DELETE FROM versions", []).unwrap();
    conn.execute("DELETE FROM robots WHERE id = ?1", [second.0])
        .unwrap();
    assert_eq!(
        work.reader
            .robots_by_id(first)
            .unwrap()
            .unwrap()
            .text
            .as_deref(),
        Some(&text[..])
    );
    conn.execute("DELETE FROM robots", []).unwrap();
    let left: i64 = conn
        .query_row("SELECT count(*) FROM blobs, bodies", [], |row| row.get(0))
        .unwrap();
    assert_eq!(left, 0, "gone with the last reference");
    assert!(work.reader.robots(id).unwrap().is_none());
}
