//! Conditional requests (RFC 9110 §13): whether the client holds what it asks for.

use std::time::SystemTime;

use super::request::Request;

/// If-None-Match where it is sent, else If-Modified-Since.
pub(super) fn not_modified(
    request: &Request,
    etag: Option<&str>,
    modified: Option<SystemTime>,
) -> bool {
    if let Some(held) = request.header("if-none-match") {
        return etag.is_some_and(|etag| matches_any(&held, etag));
    }
    let since = request
        .header("if-modified-since")
        .and_then(|text| httpdate::parse_http_date(text.trim()).ok());
    matches!((since, modified), (Some(since), Some(modified)) if modified <= since)
}

/// Weak comparison with each tag of a list; `*` matches whatever exists.
fn matches_any(held: &str, etag: &str) -> bool {
    let opaque = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let mut rest = held.trim();
    if rest == "*" {
        return true;
    }
    // A comma may stand inside the quotes, so tags are taken one by one.
    while let Some(open) = rest.find('"') {
        let Some(length) = rest[open + 1..].find('"') else {
            return false;
        };
        let tag = &rest[open..open + length + 2];
        if tag == opaque(etag) {
            return true;
        }
        rest = &rest[open + length + 2..];
    }
    false
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn asked(headers: &[(&str, &str)]) -> Request {
        Request {
            headers: headers
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
            ..Request::default()
        }
    }

    #[test]
    fn tags_decide_before_dates() {
        let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let later = "Mon, 07 Nov 1994 08:49:37 GMT";
        let same = "Sun, 06 Nov 1994 08:49:37 GMT";
        let earlier = "Sat, 05 Nov 1994 08:49:37 GMT";
        for (headers, expected) in [
            (vec![], false),
            (vec![("If-None-Match", "\"a,b\"")], true),
            (vec![("if-none-match", "W/\"a,b\"")], true),
            (vec![("If-None-Match", "\"x\", \"a,b\"")], true),
            (
                vec![("If-None-Match", "\"x\""), ("If-None-Match", "\"a,b\"")],
                true,
            ),
            (vec![("If-None-Match", "*")], true),
            (vec![("If-None-Match", "\"a\"")], false),
            (vec![("If-None-Match", "\"a,b")], false),
            (
                vec![("If-None-Match", "\"x\""), ("If-Modified-Since", later)],
                false,
            ),
            (vec![("If-Modified-Since", same)], true),
            (vec![("If-Modified-Since", later)], true),
            (vec![("If-Modified-Since", earlier)], false),
            (vec![("If-Modified-Since", "yesterday")], false),
        ] {
            let request = asked(&headers);
            assert_eq!(
                not_modified(&request, Some("\"a,b\""), Some(modified)),
                expected,
                "{headers:?}"
            );
        }
        assert!(!not_modified(
            &asked(&[("If-None-Match", "\"a\"")]),
            None,
            None
        ));
        assert!(not_modified(
            &asked(&[("If-None-Match", "\"a\"")]),
            Some("W/\"a\""),
            None
        ));
    }
}
