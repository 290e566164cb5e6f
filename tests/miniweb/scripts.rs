//! What `_site.toml` changes of an answer.

use super::*;

pub(super) const FILE: &str =
    "[[file]]\npath = \"/f\"\ntext = \"0123456789\"\n[[rule]]\npath = \"/f\"\n";

/// The raw answer under one scripted rule.
pub(super) async fn under(rule: &str) -> (Vec<u8>, std::io::Result<()>, Seen) {
    let (_folder, web) = one_file(&format!("{FILE}{rule}")).await;
    let (bytes, end) = raw(
        &web,
        &request("GET", "a.test", "/f", &[("Accept-Encoding", "gzip, br")]),
    )
    .await;
    let seen = seen(&web, 1).await.remove(0);
    assert!(seen.bytes >= bytes.len() as u64, "{seen:?}");
    (bytes, end, seen)
}

#[tokio::test]
async fn scripted_answers() {
    for (rule, status, word, header, body) in [
        (
            "status = 503\nretry_after = \"soon\"",
            503,
            Some("status"),
            Some(("retry-after", "soon")),
            "503 Service Unavailable\n",
        ),
        (
            "status = 429\nbody = \"n {request}\"",
            429,
            Some("status"),
            None,
            "n 1",
        ),
        ("status = 404", 404, Some("status"), None, "Not found.\n"),
        (
            "redirect = \"//b.test/x\"",
            302,
            Some("redirect"),
            Some(("location", "//b.test/x")),
            "302 Found\n",
        ),
        (
            "redirect = \"/y\"\nstatus = 308",
            308,
            Some("redirect"),
            Some(("location", "/y")),
            "308 Permanent Redirect\n",
        ),
        (
            "body = \"<html>\"",
            200,
            None,
            Some(("content-type", "text/html; charset=utf-8")),
            "<html>",
        ),
        (
            "headers = [[\"content-type\", \"a/b\"]]",
            200,
            None,
            Some(("content-type", "a/b")),
            "0123456789",
        ),
        (
            "headers = [[\"X-A\", \"\u{202e}x\"]]",
            200,
            None,
            Some(("x-a", "\u{202e}x")),
            "0123456789",
        ),
        (
            "close = true",
            200,
            Some("close"),
            Some(("connection", "close")),
            "0123456789",
        ),
        ("delay_ms = 20", 200, Some("delay"), None, "0123456789"),
        (
            "etag = '\"mine\"'",
            200,
            None,
            Some(("etag", "\"mine\"")),
            "0123456789",
        ),
        (
            "large = { bytes = 7, line = \"abc\" }",
            200,
            Some("large"),
            None,
            "abcabca",
        ),
        (
            "coding = \"gzip_members\"",
            200,
            Some("gzip_members"),
            Some(("content-encoding", "gzip")),
            "0123456789",
        ),
        (
            "coding = \"brotli\"",
            200,
            None,
            Some(("content-encoding", "br")),
            "0123456789",
        ),
    ] {
        let (bytes, _, seen) = under(rule).await;
        let reply = Reply::parse(&bytes).unwrap();
        assert_eq!(
            (reply.status, seen.status),
            (status, Some(status)),
            "{rule}"
        );
        assert_eq!(seen.fault.as_deref(), word, "{rule}");
        if let Some((name, value)) = header {
            assert_eq!(reply.header(name).as_deref(), Some(value), "{rule}");
        }
        assert_eq!(reply.text(), body, "{rule}");
        assert!(rule != "delay_ms = 20" || seen.end_ms - seen.at_ms >= 20);
    }
}

#[tokio::test]
async fn scripted_validators() {
    for (rule, tag, date, again) in [
        ("validators = \"none\"", false, false, 200),
        ("validators = \"changing\"", true, false, 200),
        ("validators = \"weak\"", true, true, 304),
        ("validators = \"date_only\"", false, true, 304),
    ] {
        let (_folder, web) = one_file(&format!("{FILE}{rule}")).await;
        let first = ask(&web, "a.test", "/f", &[]).await;
        assert_eq!(first.header("etag").is_some(), tag, "{rule}");
        assert_eq!(first.header("last-modified").is_some(), date, "{rule}");
        let mut held = Vec::new();
        held.extend(first.header("etag").map(|value| ("If-None-Match", value)));
        held.extend(
            first
                .header("last-modified")
                .map(|value| ("If-Modified-Since", value)),
        );
        let held: Vec<(&str, &str)> = held
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let second = ask(&web, "a.test", "/f", &held).await;
        assert_eq!(second.status, again, "{rule}");
        if rule.contains("changing") {
            assert_ne!(first.header("etag"), second.header("etag"));
            assert_eq!(first.body(), second.body());
        }
        assert!(!rule.contains("weak") || first.header("etag").unwrap().starts_with("W/\""));
    }
}

/// A stored tag and what answers do to it: 200 a, 200 b over the same bytes, 304 without a tag, 304 with c.
#[tokio::test]
async fn rules_can_follow_one_another() {
    let script = r#"
        [[file]]
        path = "/f"
        text = "same"
        [[rule]]
        path = "/f"
        to_request = 1
        etag = '"a"'
        [[rule]]
        path = "/f"
        to_request = 2
        etag = '"b"'
        [[rule]]
        path = "/f"
        to_request = 3
        status = 304
        [[rule]]
        path = "/f"
        to_request = 4
        status = 304
        etag = '"c"'
        [[rule]]
        path = "*"
        from_request = 5
        status = 429
    "#;
    let (_folder, web) = one_file(script).await;
    for _ in 0..2 {
        for (status, tag) in [
            (200, Some("\"a\"")),
            (200, Some("\"b\"")),
            (304, None),
            (304, Some("\"c\"")),
            (429, None),
        ] {
            let reply = ask(&web, "a.test", "/f", &[]).await;
            assert_eq!(
                (reply.status, reply.header("etag").as_deref()),
                (status, tag)
            );
        }
        assert_eq!(ask(&web, "a.test", "/other", &[]).await.status, 429);
        web.choose_version(1);
    }
}

#[tokio::test]
async fn retry_after_can_be_a_date_to_come() {
    let (bytes, ..) = under("status = 503\nretry_after = \"date+3600\"").await;
    let text = Reply::parse(&bytes).unwrap().header("retry-after").unwrap();
    let wait = httpdate::parse_http_date(&text)
        .unwrap()
        .duration_since(std::time::SystemTime::now())
        .unwrap();
    assert!((3500..=3600).contains(&wait.as_secs()), "{text}");
}
