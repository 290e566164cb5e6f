//! What the head of an answer says: outcome by status, redirect target, validators, signals.

use reqwest::header::{
    CONTENT_ENCODING, CONTENT_TYPE, DATE, ETAG, HeaderMap, HeaderValue, LAST_MODIFIED, LOCATION,
    RETRY_AFTER,
};
use url::Url;

use super::{Answer, Outcome, Redirect, RetryAfter, Validators, parse_retry_after};

/// Longest validator sent back; servers refuse heads much longer than this.
const LONGEST_VALIDATOR: usize = 4096;

/// Content signals as response headers, recorded and no more.
const SIGNALS: [&str; 2] = ["Content-Usage", "Content-Signal"];

/// Outcome by status alone; a challenge is looked for before (PC7).
pub(crate) fn outcome_of(status: u16, conditional: bool) -> Outcome {
    match status {
        200 => Outcome::Present,
        206 => Outcome::Partial,
        304 if conditional => Outcome::NotModified,
        304 => Outcome::UnexpectedNotModified,
        301 | 302 | 303 | 307 | 308 => Outcome::Redirect,
        404 | 410 => Outcome::Absent,
        401 | 402 | 403 | 451 => Outcome::Blocked,
        429 | 503 => Outcome::Limited,
        _ => match status / 100 {
            // 1xx as a last word: nobody asked to switch protocols.
            0 | 1 => Outcome::Malformed,
            // The other 2xx and 3xx, 300 among them: an answer, but not what was asked for.
            2 | 3 => Outcome::NoContent,
            4 => Outcome::ClientError,
            _ => Outcome::ServerError,
        },
    }
}

/// Whether a body with this status is content, to be read whole: a 2xx that is neither without
/// content (204, 205) nor a part of it (206). robots.txt is followed with any of them (RB3).
pub(crate) fn carries_content(status: u16) -> bool {
    (200..300).contains(&status) && !matches!(status, 204..=206)
}

/// Writes what the head says into the answer, its outcome by status included. `asked` is the URL asked, `now` Unix seconds.
pub(crate) fn read_head(
    answer: &mut Answer,
    status: u16,
    headers: &HeaderMap,
    asked: &Url,
    conditional: bool,
    now: u64,
) {
    answer.status = Some(status);
    answer.outcome = outcome_of(status, conditional);
    answer.content_type = headers.get(CONTENT_TYPE).map(text);
    answer.coding = joined(headers, CONTENT_ENCODING.as_str());
    answer.validators = validators(headers);
    answer.retry_after = retry_after(headers, now);
    answer.redirect = (answer.outcome == Outcome::Redirect).then(|| redirect(headers, asked));
    answer.signals = SIGNALS
        .iter()
        .flat_map(|name| {
            let lines = headers.get_all(*name).iter();
            lines.map(|value| ((*name).to_owned(), text(value)))
        })
        .collect();
}

fn text(value: &HeaderValue) -> String {
    String::from_utf8_lossy(value.as_bytes()).into_owned()
}

/// All lines of a field as one.
pub(crate) fn joined(headers: &HeaderMap, name: &str) -> String {
    let lines: Vec<String> = headers.get_all(name).iter().map(text).collect();
    lines.join(", ")
}

/// The only value of a field, or none where lines differ.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a HeaderValue> {
    let mut lines = headers.get_all(name).iter();
    let first = lines.next()?;
    lines.all(|other| other == first).then_some(first)
}

// TR1: byte for byte, or not at all.
fn validators(headers: &HeaderMap) -> Validators {
    let read = |name: &str| {
        let value = single(headers, name)?;
        let value = std::str::from_utf8(value.as_bytes()).ok()?;
        let fits = !value.is_empty() && value.len() <= LONGEST_VALIDATOR;
        fits.then(|| value.to_owned())
    };
    Validators {
        etag: read(ETAG.as_str()),
        last_modified: read(LAST_MODIFIED.as_str()),
    }
}

fn retry_after(headers: &HeaderMap, now: u64) -> Option<RetryAfter> {
    headers.get(RETRY_AFTER)?;
    // Several lines are one list, which is no wait that can be read.
    let mut lines: Vec<&[u8]> = headers
        .get_all(RETRY_AFTER)
        .iter()
        .map(HeaderValue::as_bytes)
        .collect();
    lines.dedup();
    let date = headers.get(DATE).map(HeaderValue::as_bytes);
    Some(parse_retry_after(&lines.join(&b", "[..]), date, now))
}

fn redirect(headers: &HeaderMap, asked: &Url) -> Redirect {
    let sent = joined(headers, LOCATION.as_str());
    let target = single(headers, LOCATION.as_str())
        .and_then(|value| std::str::from_utf8(value.as_bytes()).ok())
        .map(str::trim)
        .filter(|location| !location.is_empty())
        .and_then(|location| resolve(location, asked));
    target.map_or(Redirect::Nowhere(sent), Redirect::To)
}

fn resolve(location: &str, asked: &Url) -> Option<Url> {
    let mut target = asked.join(location).ok()?;
    let downgrade = asked.scheme() == "https" && target.scheme() == "http";
    if !matches!(target.scheme(), "http" | "https") || downgrade || !target.has_host() {
        return None;
    }
    target.set_fragment(None);
    without_login(target)
}

/// The URL without a user and password: nothing here ever logs in (AS7).
pub(crate) fn without_login(mut url: Url) -> Option<Url> {
    url.set_username("").ok()?;
    url.set_password(None).ok()?;
    Some(url)
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderName;

    use super::*;

    fn head(lines: &[(&str, &[u8])]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(
                HeaderName::try_from(*name).unwrap(),
                HeaderValue::from_bytes(value).unwrap(),
            );
        }
        headers
    }

    #[test]
    fn each_status_has_its_outcome() {
        use Outcome::*;
        for (statuses, outcome) in [
            (&[200][..], Present),
            (
                &[201, 202, 203, 204, 205, 207, 226, 300, 305, 306, 399],
                NoContent,
            ),
            (&[206], Partial),
            (&[301, 302, 303, 307, 308], Redirect),
            (&[401, 402, 403, 451], Blocked),
            (&[404, 410], Absent),
            (&[429, 503], Limited),
            (&[400, 405, 406, 412, 416, 418, 428, 499], ClientError),
            (&[500, 502, 504, 520, 526, 530, 599, 600, 999], ServerError),
            (&[100, 101, 199], Malformed),
        ] {
            for status in statuses {
                assert_eq!(outcome_of(*status, true), outcome, "{status}");
            }
        }
        assert_eq!(outcome_of(304, true), NotModified);
        assert_eq!(outcome_of(304, false), UnexpectedNotModified);
    }

    #[test]
    fn content_comes_with_a_success() {
        for status in [200, 201, 202, 203, 207, 226, 299] {
            assert!(carries_content(status), "{status}");
        }
        for status in [199, 204, 205, 206, 300, 304, 404, 429, 503] {
            assert!(!carries_content(status), "{status}");
        }
    }

    #[test]
    fn a_location_is_resolved_or_leads_nowhere() {
        let asked = Url::parse("https://example.com/a/b?q#f").unwrap();
        let to = |location: &str| redirect(&head(&[("location", location.as_bytes())]), &asked);
        for (location, target) in [
            ("https://www.example.com/x", "https://www.example.com/x"),
            ("/x", "https://example.com/x"),
            ("x/../y", "https://example.com/a/y"),
            ("?z", "https://example.com/a/b?z"),
            ("//other.example/x", "https://other.example/x"),
            ("/x#part", "https://example.com/x"),
            ("https://user:word@example.com/x", "https://example.com/x"),
            ("https://example.com:8443/x", "https://example.com:8443/x"),
        ] {
            let target = Url::parse(target).unwrap();
            assert_eq!(to(location), Redirect::To(target), "{location}");
        }
        for location in [
            "",
            "  ",
            "http://example.com/",
            "ftp://example.com/",
            "mailto:a@example.com",
            "javascript:alert(1)",
            "data:text/plain,x",
            "https://",
            "https://[::1/",
            "https://exa mple.com/",
        ] {
            assert_eq!(to(location), Redirect::Nowhere(location.to_owned()));
        }
        let none = redirect(&head(&[]), &asked);
        assert_eq!(none, Redirect::Nowhere(String::new()));
        let two = head(&[("location", b"/a"), ("location", b"/b")]);
        assert_eq!(
            redirect(&two, &asked),
            Redirect::Nowhere("/a, /b".to_owned())
        );
        let plain = Url::parse("http://example.test/").unwrap();
        let up = redirect(&head(&[("location", b"https://example.test/")]), &plain);
        assert!(matches!(up, Redirect::To(_)));
    }

    #[test]
    fn validators_are_kept_byte_for_byte_or_not_at_all() {
        for etag in ["\"a\"", "W/\"a b\"", "no-quotes", "\"caf\u{e9}\""] {
            let kept = validators(&head(&[("etag", etag.as_bytes())]));
            assert_eq!(kept.etag.as_deref(), Some(etag));
        }
        let not = |lines: &[(&str, &[u8])]| validators(&head(lines)) == Validators::default();
        assert!(not(&[("etag", b"")]));
        assert!(not(&[("etag", b"\"\xff\"")]));
        assert!(not(&[("etag", b"\"a\""), ("etag", b"\"b\"")]));
        assert!(not(&[("etag", "x".repeat(5_000).as_bytes())]));
    }

    #[test]
    fn several_waits_are_no_wait() {
        let wait = |lines: &[(&str, &[u8])]| retry_after(&head(lines), 0);
        assert_eq!(wait(&[]), None);
        assert_eq!(
            wait(&[("retry-after", b"120"), ("retry-after", b"60")]),
            Some(RetryAfter::Unclear)
        );
        let minute = std::time::Duration::from_secs(60);
        assert_eq!(
            wait(&[("retry-after", b"60")]),
            Some(RetryAfter::Wait(minute))
        );
    }
}
