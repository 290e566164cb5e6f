//! Real files, where the corpus is at hand.

use lamplighter::robots::{Delay, SecondOpinion};

use super::read;
use crate::support;

fn corpus_file(host: &str) -> Option<Vec<u8>> {
    let path = support::corpus()?
        .join("sites")
        .join(host)
        .join("01/robots.txt");
    Some(std::fs::read(path).unwrap())
}

#[test]
fn real_files_with_odd_bytes_are_read() {
    if support::corpus().is_none() {
        return;
    }
    let expect = |host: &str, path: &str, line: Option<u32>| {
        let file = read(corpus_file(host).unwrap());
        let verdict = file.verdict(path);
        assert_eq!(verdict.line, line, "{host} {path}");
        assert_eq!(verdict.allowed, line.is_none(), "{host} {path}");
        file
    };
    // UTF-16 with CRLF.
    let file = expect("robots-b.test", "/store/ajax/x", Some(3));
    assert!(file.notes().iter().any(|note| note.contains("UTF-16")));
    assert!(!file.is_not_robots());
    let file = expect("robots-c.test", "/login", Some(4));
    assert_eq!(file.sitemaps(), ["https://robots-c.test/sitemap.xml"]);
    // An icon sent as robots.txt.
    let file = expect("robots-d.test", "/x", None);
    assert!(file.is_not_robots());
    // CR only.
    expect("robots-e.test", "/a/Search?id=1", Some(8));
    expect("robots-f.test", "/x", None);
    // Byte order mark.
    for host in ["he.robots-a.test", "robots-q.test", "robots-aa.test"] {
        let bytes = corpus_file(host).unwrap();
        assert!(bytes.starts_with(b"\xEF\xBB\xBF"), "{host}");
        let file = read(&bytes);
        let without = read(&bytes[3..]);
        for path in paths_of(&bytes) {
            assert_eq!(file.verdict(&path), without.verdict(&path), "{host} {path}");
        }
    }
    // Latin-1 no-break space after `*`, zero-width spaces in a rule.
    expect(
        "robots-g.test",
        "/destek/Sayfalar/gizlilik-guvenlik.aspx",
        Some(3),
    );
    expect("shop.robots-i.test", "/EmailFriend-Start/", Some(15));
    // Rules before any User-agent.
    let file = expect("robots-x.test", "/intra7net/", Some(1));
    assert_eq!(
        file.delay(),
        Some(Delay {
            seconds: 30.0,
            line: 3
        })
    );
    // Pages in place of a robots.txt.
    for host in ["portal.robots-l.test", "robots-w.test", "robots-ae.test"] {
        assert!(read(corpus_file(host).unwrap()).is_not_robots(), "{host}");
    }
}

/// Paths that a file's own lines suggest.
fn paths_of(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut paths = vec!["/".to_owned(), "/llms.txt".to_owned()];
    for line in text.split(['\r', '\n']).take(400) {
        if let Some((_, path)) = line.split_once(':') {
            let path = path.trim();
            paths.push(path.replace(['*', '$'], ""));
            paths.push(format!("{}x", path.replace('*', "abc")));
        }
    }
    paths
}

#[test]
fn on_every_real_file_both_readers_agree() {
    let Some(corpus) = support::corpus() else {
        return;
    };
    let mut files = Vec::new();
    let mut folders = vec![corpus.join("sites")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name == "robots.txt") {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 100, "{}", files.len());
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        let file = read(&bytes);
        for asked in paths_of(&bytes) {
            let verdict = file.verdict(&asked);
            assert!(
                matches!(
                    verdict.second_opinion,
                    SecondOpinion::Agrees | SecondOpinion::NotAsked
                ),
                "{} {asked}: {:?}",
                path.display(),
                verdict.second_opinion
            );
        }
    }
}
