//! Where sites come from: folders, the demo, generated hosts, the corpus.

use super::*;

#[tokio::test]
async fn folders_are_served_hidden_ones_included() {
    let (_folder, web) = folder(&[
        ("a.test/9/llms.txt", "nine"),
        ("a.test/10/llms.txt", "ten"),
        ("a.test/9/.well-known/mcp/index.html", "<p>deep"),
        (
            "a.test/_site.toml",
            "[[rule]]\npath = \"/llms.txt\"\nversions = [2]\nheaders = [[\"X-A\", \"b\"]]",
        ),
        (
            "b.test.toml",
            "[[file]]\npath = \"/x\"\ntext = \"one file\"",
        ),
    ])
    .await;
    let web = web.unwrap();
    assert_eq!(web.hosts(), ["a.test", "b.test"]);
    assert_eq!(ask(&web, "a.test", "/llms.txt", &[]).await.text(), "nine");
    assert_eq!(
        ask(&web, "a.test", "/.well-known/mcp/", &[]).await.text(),
        "<p>deep"
    );
    assert_eq!(ask(&web, "a.test", "/_site.toml", &[]).await.status, 404);
    assert_eq!(ask(&web, "b.test", "/x", &[]).await.text(), "one file");
    web.choose_version(2);
    let ten = ask(&web, "a.test", "/llms.txt", &[]).await;
    assert_eq!(
        (ten.text().as_str(), ten.header("x-a").as_deref()),
        ("ten", Some("b"))
    );
}

#[tokio::test]
async fn what_cannot_be_served_is_said_at_the_start() {
    let absent = Path::new("/nowhere/at/all").to_path_buf();
    let error = MiniWeb::start(Source::Folder(absent), 0, None)
        .await
        .err()
        .unwrap();
    assert!(
        error.to_string().contains("give a folder laid out so"),
        "{error}"
    );
    for (file, script, says) in [
        (
            "a.test/_site.toml",
            "[[rule]]\npath = \"x\"",
            "a.test/_site.toml: rule 1 (x): write a path",
        ),
        (
            "a.test/_site.toml",
            "[[file]]\npath = \"/x\"\ntext = \"\"",
            "write the whole site as",
        ),
        (
            "a.test.toml",
            "[[rule]\n",
            "a.test.toml: TOML parse error at line 1",
        ),
    ] {
        let (_folder, web) = folder(&[(file, script)]).await;
        let error = web.err().unwrap().to_string();
        assert!(error.contains(says), "{error}");
    }
    let log = Some(Path::new("/nowhere/web.log").to_path_buf());
    let error = MiniWeb::start(Source::BuiltIn, 0, log).await.err().unwrap();
    assert!(
        error.to_string().contains("a folder that exists"),
        "{error}"
    );
}

#[tokio::test]
async fn the_demo_shows_what_it_says() {
    let web = builtin().await;
    let hosts = web.hosts();
    assert!(hosts.len() >= 24 && hosts.is_sorted());
    assert!(
        !hosts.contains(&"www.juniper.test".to_owned()),
        "found by redirect only"
    );
    assert_eq!(
        ask(&web, "www.juniper.test", "/robots.txt", &[])
            .await
            .status,
        200
    );
    assert_eq!(
        ask(&web, "juniper.test", "/robots.txt", &[])
            .await
            .header("location")
            .as_deref(),
        Some("//www.juniper.test/robots.txt")
    );

    let check = ask(&web, "hawthorn.test", "/llms.txt", &[]).await;
    assert_eq!(
        (check.status, check.header("cf-mitigated").as_deref()),
        (403, Some("challenge"))
    );

    let soft = ask(&web, "nettle.test", "/openapi.json", &[]).await;
    let other = ask(&web, "nettle.test", "/openapi.json", &[]).await;
    assert_eq!(
        (soft.status, soft.header("content-type").as_deref()),
        (200, Some("text/html; charset=utf-8"))
    );
    assert_ne!(soft.text(), other.text());
    assert_eq!(seen(&web, 5).await[4].fault.as_deref(), Some("soft_404"));

    let robots = ask(&web, "thistle.test", "/robots.txt", &[]).await.body();
    assert!(robots.windows(4).any(|bytes| bytes == b"\x1b[2J"));
    let utf16 = ask(&web, "umbel.test", "/robots.txt", &[]).await.body();
    assert!(utf16.starts_with(b"\xFF\xFEU\0s\0"));

    assert_eq!(
        ask(&web, "oak.test", "/llms-full.txt", &[])
            .await
            .body()
            .len(),
        11_000_000
    );
    for (version, bytes) in [(1, 614_400), (2, 512_001), (3, 512_000)] {
        web.choose_version(version);
        assert_eq!(
            ask(&web, "pine.test", "/robots.txt", &[])
                .await
                .body()
                .len(),
            bytes
        );
    }
}

#[tokio::test]
async fn generated_hosts_answer_without_being_kept() {
    let web = MiniWeb::start(Source::BuiltIn, 200_000, None)
        .await
        .unwrap();
    let hosts = web.hosts();
    assert_eq!(hosts.last().map(String::as_str), Some("g199999.test"));
    let mut statuses = BTreeMap::new();
    for host in hosts.iter().rev().take(200) {
        let reply = ask(&web, host, "/llms.txt", &[("Accept-Encoding", "gzip")]).await;
        *statuses.entry(reply.status).or_insert(0) += 1;
        if reply.status == 200 {
            let tag = reply.header("etag").unwrap();
            assert_eq!(
                ask(&web, host, "/llms.txt", &[("If-None-Match", &tag)])
                    .await
                    .status,
                304
            );
        }
    }
    assert!(statuses[&404] > 100 && statuses[&200] > 25, "{statuses:?}");
    assert_eq!(
        ask(&web, "g200000.test", "/robots.txt", &[]).await.status,
        404
    );
}

#[tokio::test]
async fn the_corpus_is_served_byte_for_byte() {
    let Some(corpus) = support::corpus() else {
        return;
    };
    let manifest = std::fs::read_to_string(corpus.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let web = MiniWeb::start(Source::Folder(corpus.clone()), 0, None)
        .await
        .unwrap();
    let sites = manifest["sites"].as_array().unwrap();
    assert_eq!(web.hosts().len(), sites.len());
    let longest = sites
        .iter()
        .map(|site| site["versions"].as_array().unwrap().len())
        .max()
        .unwrap();
    let (mut files, mut coded) = (0, 0);
    for version in 0..longest {
        web.choose_version(version + 1);
        for site in sites {
            let host = site["host"].as_str().unwrap();
            let Some(state) = site["versions"].get(version) else {
                continue;
            };
            let folder = corpus
                .join("sites")
                .join(host)
                .join(state["version"].as_str().unwrap());
            for file in state["files"].as_array().unwrap() {
                let path = file["url_path"].as_str().unwrap();
                let stored = std::fs::read(folder.join(path.trim_start_matches('/'))).unwrap();
                let url = path
                    .strip_suffix("/index.html")
                    .map_or(path.to_owned(), |start| format!("{start}/"));
                let accepts = ["gzip", "br", "identity"][files % 3];
                let reply = ask(&web, host, &url, &[("Accept-Encoding", accepts)]).await;
                assert_eq!(reply.status, 200, "{host}{url}");
                assert!(
                    reply.body() == stored,
                    "{host}{url} version {}",
                    version + 1
                );
                coded += usize::from(reply.header("content-encoding").is_some());
                files += 1;
            }
        }
    }
    assert_eq!(files, 837);
    assert!(coded > 400, "{coded}");
}
