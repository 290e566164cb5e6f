//! Marks on an answer that said 200.

use std::borrow::Cow;

use super::body::{self, Json};
use super::kind::Kind;
use super::mark::Mark;
use super::media::Media;
use crate::policy::Expect;

/// What the marks say of a 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// A file of some sort.
    Present,
    /// Says 200 and is no file: a soft 404.
    SoftAbsent,
}

/// The marks of a body served at `path` with status 200, in the order of their ids.
///
/// `body` is what remains after transfer and content coding. A soft 404 gets no mark about its
/// content type: it is not a file that could have a wrong one.
pub fn marks(path: &str, expect: Expect, content_type: Option<&str>, body: &[u8]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let mut seen = Cow::Borrowed(body);
    if body::is_gzip(body) {
        marks.push(Mark::DoubleCompressed);
        seen = body::unpacked(body);
    }
    let mut json = Json::No;
    if body::is_wide(&seen) {
        marks.push(Mark::NotUtf8Wide);
    } else {
        let text = match seen.strip_prefix(b"\xef\xbb\xbf") {
            Some(rest) => {
                marks.push(Mark::ByteOrderMark);
                rest
            }
            None => &seen,
        };
        json = body::json(text);
        if let Some(absent) = soft_absent(path, expect, text, json) {
            marks.push(absent);
            return marks;
        }
        if std::str::from_utf8(text).is_err() {
            marks.push(Mark::NotUtf8);
        }
    }
    marks.extend(content_type_mark(path, expect, content_type, json));
    if expect == Expect::Text && json != Json::No {
        marks.push(Mark::WrongKind);
    }
    marks
}

/// T3, T7, T8, T9.
fn soft_absent(path: &str, expect: Expect, text: &[u8], json: Json) -> Option<Mark> {
    let needs_members = || Kind::of(path).is_some_and(Kind::needs_members);
    if text.trim_ascii().is_empty() {
        return Some(Mark::Empty);
    }
    if body::is_page(text) || body::is_mostly_tags(text) {
        return Some(Mark::SoftAbsentHtml);
    }
    match (expect, json) {
        (Expect::Json, Json::ErrorObject) => Some(Mark::SoftAbsentJson),
        (Expect::Json, Json::EmptyObject) if needs_members() => Some(Mark::SoftAbsentStub),
        _ if body::is_stub(text) => Some(Mark::SoftAbsentStub),
        _ => None,
    }
}

/// T13. A missing type is no fine type.
fn content_type_mark(
    path: &str,
    expect: Expect,
    content_type: Option<&str>,
    json: Json,
) -> Option<Mark> {
    let media = Media::parse(content_type.unwrap_or_default());
    let is_object = !matches!(json, Json::No | Json::Array);
    if expect == Expect::Json && media.is_html() && is_object {
        Some(Mark::HtmlTypeOnJson)
    } else if media.is_fine(path, expect) {
        None
    } else {
        Some(Mark::ContentType)
    }
}

/// Whether the marks make the answer a soft 404.
pub fn presence(marks: &[Mark]) -> Presence {
    let is_absent = |mark: &Mark| {
        matches!(
            mark,
            Mark::Empty
                | Mark::SoftAbsentHtml
                | Mark::SoftAbsentJson
                | Mark::SoftAbsentStub
                | Mark::CatchAll
        )
    };
    if marks.iter().any(is_absent) {
        Presence::SoftAbsent
    } else {
        Presence::Present
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const CARD: &str = "/.well-known/agent-card.json";
    const GOOD_CARD: &[u8] = br#"{"name":"Berth Agent","skills":[]}"#;
    const GOOD_TEXT: &[u8] = b"# Harbour Tools\n\n> Berths and tides.\n";
    const SHELL: &[u8] = b"\n\n  <!doctype HTML><html><body><div id=root></div></body></html>";

    fn text(body: &[u8]) -> Vec<Mark> {
        marks("/llms.txt", Expect::Text, Some("text/plain"), body)
    }

    fn card(body: &[u8]) -> Vec<Mark> {
        marks(CARD, Expect::Json, Some("application/json"), body)
    }

    fn gzip(body: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn good_files_have_no_mark() {
        assert_eq!(text(GOOD_TEXT), []);
        assert_eq!(card(GOOD_CARD), []);
        assert_eq!(presence(&[]), Presence::Present);
    }

    #[test]
    fn t2_gzip_under_gzip_is_marked_and_looked_into() {
        assert_eq!(text(&gzip(GOOD_TEXT)), [Mark::DoubleCompressed]);
        let page = text(&gzip(SHELL));
        assert_eq!(page, [Mark::DoubleCompressed, Mark::SoftAbsentHtml]);
        assert_eq!(presence(&page), Presence::SoftAbsent);
        let broken = text(b"\x1f\x8b\x08broken");
        assert_eq!(broken, [Mark::DoubleCompressed, Mark::NotUtf8]);
        assert_eq!(text(b"\x1fnot gzip"), []);
    }

    #[test]
    fn t3_nothing_but_white_space() {
        for body in [&b""[..], b" \r\n\t", b"\xef\xbb\xbf\n"] {
            let found = text(body);
            assert!(found.contains(&Mark::Empty), "{body:?}");
            assert_eq!(presence(&found), Presence::SoftAbsent);
        }
        assert!(!text(b" x ").contains(&Mark::Empty));
    }

    #[test]
    fn t4_wide_encodings_by_mark_or_nul() {
        for body in [
            &b"\xff\xfe#\0"[..],
            b"\xfe\xff\0#",
            b"#\0 \0H\0",
            b"\0\0\0#",
        ] {
            assert_eq!(text(body), [Mark::NotUtf8Wide], "{body:?}");
        }
        assert_eq!(text(b"# a long way to a NUL \0"), []);
    }

    #[test]
    fn t5_a_byte_order_mark_is_stripped_for_the_look() {
        let mut body = b"\xef\xbb\xbf".to_vec();
        body.extend_from_slice(GOOD_CARD);
        assert_eq!(card(&body), [Mark::ByteOrderMark]);
        assert_eq!(text(b"# not at the start \xef\xbb\xbf"), []);
    }

    #[test]
    fn t6_invalid_utf8() {
        assert_eq!(text(b"# caf\xe9\n"), [Mark::NotUtf8]);
        assert_eq!(text("# café\n".as_bytes()), []);
    }

    #[test]
    fn t7_a_page_is_a_soft_404_whatever_its_type() {
        for page in [
            SHELL,
            b"<HTML lang=en>",
            b"<!-- built --> <!-- twice -->\n<head>",
            b"<body>",
            b"<?xml version=\"1.0\"?><urlset/>",
            b"<script>location='/'</script>",
            b"<!DOCTYPE html>caf\xe9",
            b"<div><p>a</p><p>b</p><a href=/>home</a></div>",
        ] {
            for found in [text(page), card(page)] {
                assert_eq!(found, [Mark::SoftAbsentHtml]);
            }
        }
        for file in [
            &b"<header>\n# Harbour Tools\n</header>\n"[..],
            b"<!-- generated -->\n# Harbour Tools\n",
            b"# How to write <html> in <body>\n",
            b"<p><img src=a><img src=b><img src=c></p>\n\n# Tools\n",
            b"<p><a><a><a><a><a> [one](/a) [two](/b)\n",
        ] {
            assert_eq!(text(file), [], "{}", String::from_utf8_lossy(file));
        }
    }

    #[test]
    fn t8_an_error_object_where_json_was_expected() {
        for body in [
            &br#"{"error":"not found"}"#[..],
            br#"{"statusCode":404,"message":"x","requestId":"1"}"#,
            br#"{"Message":"Missing"}"#,
        ] {
            assert_eq!(card(body), [Mark::SoftAbsentJson]);
        }
        assert_eq!(card(br#"{"title":"t","name":"a card"}"#), []);
        assert_eq!(text(br#"{"error":"not found"}"#), [Mark::WrongKind]);
    }

    #[test]
    fn t9_stubs() {
        for body in [
            "Not Found",
            " 404\n",
            "OK",
            "\"not found.\"",
            "null",
            "[]",
            "true",
            "404 page not found\n",
        ] {
            assert_eq!(text(body.as_bytes()), [Mark::SoftAbsentStub], "{body}");
            assert_eq!(card(body.as_bytes()), [Mark::SoftAbsentStub], "{body}");
        }
        assert_eq!(text(b"Cannot GET /llms.txt"), [Mark::SoftAbsentStub]);
        assert_eq!(card(b"{}"), [Mark::SoftAbsentStub]);
        let own = marks("/own.json", Expect::Json, Some("application/json"), b"{ }");
        assert_eq!(own, [], "a format that needs no members");
        assert_eq!(text(b"# Not Found\n\nA magazine of lost things.\n"), []);
    }

    #[test]
    fn t13_content_types_by_location() {
        let typed = |path, expect, content_type| {
            let body = if expect == Expect::Text {
                GOOD_TEXT
            } else {
                GOOD_CARD
            };
            marks(path, expect, content_type, body)
        };
        let (t, j) = (Expect::Text, Expect::Json);
        for (path, expect, content_type) in [
            ("/llms.txt", t, "text/markdown; charset=UTF-8"),
            ("/agents.md", t, "TEXT/PLAIN"),
            (CARD, j, "application/a2a+json"),
            (
                "/.well-known/mcp/server-card.json",
                j,
                "application/mcp-server-card+json",
            ),
            ("/.well-known/ard.json", j, "application/ai-catalog+json"),
            (
                "/.well-known/api-catalog",
                j,
                "application/linkset+json; profile=\"x\"",
            ),
            (
                "/openapi.json",
                j,
                "application/vnd.oai.openapi+json;version=3.1",
            ),
            ("/.well-known/ucp", j, "application/any+json"),
            (CARD, j, "application/json; charset=\"utf-8\""),
        ] {
            assert_eq!(
                typed(path, expect, Some(content_type)),
                [],
                "{path} {content_type}"
            );
        }
        for (path, expect, content_type) in [
            ("/llms.txt", t, Some("application/octet-stream")),
            ("/llms.txt", t, Some("text/html")),
            ("/llms.txt", t, Some("application/json")),
            ("/llms.txt", t, Some("text/plain; charset=iso-8859-1")),
            ("/llms.txt", t, None),
            (CARD, j, Some("application/linkset+json")),
            ("/.well-known/api-catalog", j, Some("application/json")),
            ("/openapi.json", j, Some("text/plain")),
            ("/.well-known/ucp", j, Some("text/json")),
        ] {
            let found = typed(path, expect, content_type);
            assert_eq!(found, [Mark::ContentType], "{path} {content_type:?}");
            assert_eq!(presence(&found), Presence::Present);
        }
        let html = Some("text/html; charset=utf-8");
        assert_eq!(typed(CARD, j, html), [Mark::HtmlTypeOnJson]);
        assert_eq!(marks(CARD, j, html, b"{\"name\":"), [Mark::ContentType]);
    }

    #[test]
    fn t14_json_where_text_was_expected() {
        for body in [&br#"{"name":"x"}"#[..], b"[1, 2]", b"{}"] {
            let found = text(body);
            assert_eq!(found, [Mark::WrongKind]);
            assert_eq!(presence(&found), Presence::Present, "wrong, but a file");
        }
        assert_eq!(text(b"[one](/a) and {two}\n"), []);
    }

    // Known fault 14: every path answers 200 with the front page, one token different each time.
    #[test]
    fn a_page_shell_with_a_changing_token_is_a_soft_404_everywhere() {
        for token in 0..3 {
            let page =
                format!("<!DOCTYPE html><meta name=csrf content={token}><title>Shop</title>");
            for (path, expect) in [("/llms.txt", Expect::Text), (CARD, Expect::Json)] {
                let found = marks(path, expect, Some("text/html"), page.as_bytes());
                assert_eq!(presence(&found), Presence::SoftAbsent);
                assert_eq!(found, [Mark::SoftAbsentHtml]);
            }
        }
    }
}
