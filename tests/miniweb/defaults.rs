//! What a decent server does when no script says otherwise.

use super::*;

#[tokio::test]
async fn a_decent_server_by_default() {
    let web = builtin().await;
    for (host, path, status, media) in [
        (
            "docs.alder.test",
            "/robots.txt",
            200,
            "text/plain; charset=utf-8",
        ),
        (
            "DOCS.Alder.Test:8080",
            "/llms.txt?x=1",
            200,
            "text/plain; charset=utf-8",
        ),
        (
            "docs.alder.test",
            "/%6clms.txt",
            200,
            "text/plain; charset=utf-8",
        ),
        (
            "docs.alder.test",
            "/agents.md",
            200,
            "text/markdown; charset=utf-8",
        ),
        (
            "docs.alder.test",
            "/.well-known/agent-card.json",
            200,
            "application/json",
        ),
        ("www.alder.test", "/", 200, "text/html; charset=utf-8"),
        ("docs.alder.test", "/", 404, "text/plain; charset=utf-8"),
        (
            "docs.alder.test",
            "/../robots.txt",
            404,
            "text/plain; charset=utf-8",
        ),
        (
            "nobody.test",
            "/robots.txt",
            404,
            "text/plain; charset=utf-8",
        ),
    ] {
        let reply = ask(&web, host, path, &[]).await;
        assert_eq!(reply.status, status, "{host}{path}");
        assert_eq!(
            reply.header("content-type").as_deref(),
            Some(media),
            "{host}{path}"
        );
        assert!(reply.header("date").is_some());
        assert!(!reply.body().is_empty(), "{host}{path}");
    }
    let catalogue = ask(&web, "docs.alder.test", "/.well-known/api-catalog", &[]).await;
    assert!(
        catalogue
            .header("content-type")
            .unwrap()
            .starts_with("application/linkset+json")
    );
}

#[tokio::test]
async fn what_is_no_get_is_refused() {
    let web = builtin().await;
    for (head, status) in [
        ("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400),
        (
            "POST / HTTP/1.1\r\nHost: docs.alder.test\r\nContent-Length: 3\r\n\r\nabc",
            405,
        ),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("\u{16}\u{3}\u{1} TLS would begin so\r\n\r\n", 400),
    ] {
        let (bytes, _) = raw(&web, head).await;
        assert_eq!(Reply::parse(&bytes).unwrap().status, status, "{head}");
    }
}

#[tokio::test]
async fn a_client_that_holds_the_file_gets_304() {
    let web = builtin().await;
    let (host, path) = ("docs.alder.test", "/llms.txt");
    let first = ask(&web, host, path, &[]).await;
    let tag = first.header("etag").unwrap();
    let date = first.header("last-modified").unwrap();
    assert!(tag.starts_with('"'), "strong: {tag}");
    let weak = format!("W/{tag}");
    let list = format!("\"other\", {tag}");
    for (name, value, status) in [
        ("If-None-Match", tag.as_str(), 304),
        ("If-None-Match", &weak, 304),
        ("If-None-Match", &list, 304),
        ("If-None-Match", "*", 304),
        ("If-None-Match", "\"other\"", 200),
        ("If-Modified-Since", &date, 304),
        ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", 200),
    ] {
        let reply = ask(&web, host, path, &[(name, value)]).await;
        assert_eq!(reply.status, status, "{name}: {value}");
        assert_eq!(reply.header("etag").as_deref(), Some(tag.as_str()));
        assert_eq!(reply.header("vary").as_deref(), Some("Accept-Encoding"));
        if status == 304 {
            assert_eq!(reply.header("content-length"), None);
            assert!(reply.rest.is_empty());
        }
    }
    let absent = ask(&web, host, "/absent", &[("If-None-Match", "*")]).await;
    assert_eq!(absent.status, 404);
}

#[tokio::test]
async fn codings_are_chosen_by_the_client_and_kept_apart() {
    let web = builtin().await;
    let (host, path) = ("docs.alder.test", "/llms-full.txt");
    let plain = ask(&web, host, path, &[]).await;
    let mut tags = vec![plain.header("etag").unwrap()];
    for (accepts, coding) in [
        ("gzip", "gzip"),
        ("gzip, br", "br"),
        ("br;q=0.1, gzip", "gzip"),
    ] {
        let reply = ask(&web, host, path, &[("Accept-Encoding", accepts)]).await;
        assert_eq!(
            reply.header("content-encoding").as_deref(),
            Some(coding),
            "{accepts}"
        );
        assert_eq!(reply.body(), plain.body());
        assert!(reply.rest.len() < plain.rest.len());
        let tag = reply.header("etag").unwrap();
        let held = [
            ("Accept-Encoding", accepts),
            ("If-None-Match", tag.as_str()),
        ];
        assert_eq!(ask(&web, host, path, &held).await.status, 304);
        tags.push(tag);
    }
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), 3, "one strong tag a coded form");

    let tiny = ask(
        &web,
        "fig.test",
        "/llms.txt",
        &[("Accept-Encoding", "gzip, br")],
    )
    .await;
    assert_eq!(tiny.header("content-encoding"), None);
}

#[tokio::test]
async fn head_says_what_get_would() {
    let web = builtin().await;
    for (host, path) in [
        ("docs.alder.test", "/llms.txt"),
        ("oak.test", "/llms-full.txt"),
    ] {
        let (bytes, _) = raw(&web, &request("HEAD", host, path, &[])).await;
        let head = Reply::parse(&bytes).unwrap();
        let get = ask(&web, host, path, &[]).await;
        assert!(head.rest.is_empty());
        for name in ["content-length", "content-type", "etag"] {
            assert_eq!(head.header(name), get.header(name), "{name}");
        }
    }
}

#[tokio::test]
async fn connections_are_kept_and_pipelines_answered_in_order() {
    let web = builtin().await;
    let mut stream = TcpStream::connect(web.address()).await.unwrap();
    let keep = "GET /robots.txt HTTP/1.1\r\nHost: fig.test\r\n\r\n";
    let last = request("GET", "fig.test", "/llms.txt", &[]);
    stream
        .write_all(format!("{keep}{last}").as_bytes())
        .await
        .unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).await.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.starts_with("HTTP/1.1 500"), "{text}");
    assert!(
        text.contains("fallen on the server.\nHTTP/1.1 200 OK"),
        "{text}"
    );
    let seen = seen(&web, 2).await;
    assert_eq!((seen[0].connection, seen[1].connection), (1, 1));
    assert!(seen[1].at_ms >= seen[0].end_ms);
}

#[tokio::test]
async fn versions_change_what_is_served() {
    let web = builtin().await;
    let card = "/.well-known/mcp/server-card.json";
    let mut dates = BTreeMap::new();
    for version in [1, 2, 3, 9] {
        web.choose_version(version);
        assert_eq!(
            ask(&web, "docs.alder.test", card, &[]).await.status == 200,
            version > 1
        );
        for path in ["/llms.txt", "/agents.md", "/llms-full.txt"] {
            let reply = ask(&web, "docs.alder.test", path, &[]).await;
            let date = httpdate::parse_http_date(&reply.header("last-modified").unwrap()).unwrap();
            dates.insert((path, version), (date, reply.text()));
        }
    }
    let at = |path, version| &dates[&(path, version)];
    assert!(
        at("/llms.txt", 1).0 < at("/llms.txt", 2).0 && at("/llms.txt", 2).0 < at("/llms.txt", 3).0
    );
    assert_eq!(
        at("/llms.txt", 3),
        at("/llms.txt", 9),
        "the last one where there are fewer"
    );
    assert_eq!(at("/agents.md", 1), at("/agents.md", 3));
    assert_eq!(at("/llms-full.txt", 2), at("/llms-full.txt", 3));
    assert!(at("/llms-full.txt", 1).0 < at("/llms-full.txt", 2).0);
    let gone = ask(&web, "dogwood.test", "/agents.md", &[]).await;
    assert_eq!(gone.status, 410);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_connections_at_once() {
    let most = rlimit::increase_nofile_limit(8192).unwrap();
    if most < 4400 {
        eprintln!("SKIPPED: only {most} open files are allowed here");
        return;
    }
    let web = MiniWeb::start(Source::BuiltIn, 2000, None).await.unwrap();
    let mut streams = Vec::new();
    for _ in 0..2000 {
        streams.push(TcpStream::connect(web.address()).await.unwrap());
    }
    let mut asking = tokio::task::JoinSet::new();
    for (index, mut stream) in streams.into_iter().enumerate() {
        asking.spawn(async move {
            let head = request("GET", &format!("g{index:06}.test"), "/openapi.json", &[]);
            stream.write_all(head.as_bytes()).await.unwrap();
            let mut bytes = Vec::new();
            stream.read_to_end(&mut bytes).await.unwrap();
            Reply::parse(&bytes).unwrap().status
        });
    }
    let statuses = asking.join_all().await;
    assert_eq!(statuses.len(), 2000);
    assert!(
        statuses
            .iter()
            .all(|status| [200, 403, 404, 429].contains(status))
    );
    assert_eq!((web.requests(), web.most_connections()), (2000, 2000));
}
