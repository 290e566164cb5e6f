//! What the server saw: web log, records in memory, manners, the end.

use super::*;

#[tokio::test]
async fn the_web_log_holds_every_request() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("web.log");
    let web = MiniWeb::start(Source::BuiltIn, 0, Some(path.clone()))
        .await
        .unwrap();
    let sent = [
        ("User-Agent", "Lamp/1 (+x)"),
        ("X-Twice", "1"),
        ("x-twice", "2"),
    ];
    ask(&web, "cherry.test", "/llms.txt?q", &sent).await;
    ask(&web, "nobody.test", "/x", &[]).await;
    seen(&web, 2).await;

    // A client that goes away while it is kept waiting.
    let mut stream = TcpStream::connect(web.address()).await.unwrap();
    let head = request("GET", "reed.test", "/.well-known/agent-card.json", &[]);
    stream.write_all(head.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(stream);
    seen(&web, 3).await;
    web.flush();

    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    let first = &lines[0];
    assert_eq!(
        (
            &first["host"],
            &first["method"],
            &first["path"],
            &first["status"]
        ),
        (
            &"cherry.test".into(),
            &"GET".into(),
            &"/llms.txt?q".into(),
            &200.into()
        )
    );
    assert_eq!(
        first["headers"],
        serde_json::json!([
            ["Host", "cherry.test"],
            ["Connection", "close"],
            ["User-Agent", "Lamp/1 (+x)"],
            ["X-Twice", "1"],
            ["x-twice", "2"]
        ])
    );
    assert!(first["fault"].is_null() && first["bytes"].as_u64().unwrap() > 100);
    assert!(first["at_ms"].as_u64().unwrap() > 1_700_000_000_000);
    assert!(first["end_ms"].as_u64() >= first["at_ms"].as_u64());
    assert_eq!(
        (&lines[1]["status"], &lines[1]["connection"]),
        (&404.into(), &2.into())
    );
    let gone = &lines[2];
    assert_eq!(
        (&gone["fault"], &gone["bytes"], gone["status"].is_null()),
        (&"silence".into(), &0.into(), true)
    );
    assert!(gone["end_ms"].as_u64().unwrap() - gone["at_ms"].as_u64().unwrap() < 5000);
    let parsed: Seen = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(parsed, web.seen()[0]);
}

#[tokio::test]
async fn it_ends_when_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("web.log");
    let web = MiniWeb::start(Source::BuiltIn, 0, Some(path.clone()))
        .await
        .unwrap();
    let address = web.address();
    assert!(address.ip().is_loopback());
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = request("GET", "reed.test", "/.well-known/agent-card.json", &[]);
    stream.write_all(head.as_bytes()).await.unwrap();
    tokio::time::sleep(Duration::from_millis(50)).await;
    drop(web);
    let ended = tokio::time::timeout(Duration::from_secs(5), stream.read(&mut [0; 8]))
        .await
        .unwrap();
    assert!(matches!(ended, Ok(0) | Err(_)));
    assert!(TcpStream::connect(address).await.is_err());
    let begun = Instant::now();
    while std::fs::read_to_string(&path).unwrap().lines().count() < 1 {
        assert!(
            begun.elapsed() < Duration::from_secs(5),
            "the request under way is logged too"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn manners_are_counted_by_host() {
    let (_folder, web) = one_file("[[rule]]\npath = \"*\"\nstatus = 200\ndelay_ms = 100").await;
    tokio::join!(
        ask(&web, "a.test", "/1", &[]),
        ask(&web, "a.test", "/2", &[])
    );
    let manners = web.manners();
    assert_eq!(
        (
            manners[0].most_at_once,
            manners[0].least_gap_ms,
            manners[0].requests
        ),
        (2, Some(0), 2)
    );
    ask(&web, "b.test", "/1", &[]).await;
    tokio::time::sleep(Duration::from_millis(60)).await;
    ask(&web, "b.test", "/2", &[]).await;
    let polite = web.manners().remove(1);
    assert_eq!((polite.host.as_str(), polite.most_at_once), ("b.test", 1));
    assert!(
        (50..5000).contains(&polite.least_gap_ms.unwrap()),
        "{polite:?}"
    );
}
