//! What a body looks like, by its bytes alone.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Read;

use flate2::read::MultiGzDecoder;
use serde::de::IgnoredAny;

/// Most bytes looked at of a body that was compressed twice.
const MAX_UNPACKED: u64 = 10_000_000;

/// Longest stub, bytes.
const MAX_STUB: usize = 80;

/// Texts that stand for "nothing here", lower case, without quotes, brackets round them and end marks.
const STUBS: [&str; 24] = [
    "not found",
    "404",
    "404 not found",
    "404: not found",
    "404 - not found",
    "404 page not found",
    "404 file not found",
    "http 404",
    "error 404",
    "page not found",
    "file not found",
    "resource not found",
    "does not exist",
    "error",
    "ok",
    "null",
    "[]",
    "true",
    "false",
    "undefined",
    "none",
    "nil",
    "",
    "gone",
];

/// Members of which an error object consists.
const ERROR_KEYS: [&str; 14] = [
    "error",
    "errors",
    "message",
    "msg",
    "status",
    "statuscode",
    "code",
    "detail",
    "title",
    "type",
    "path",
    "timestamp",
    "success",
    "requestid",
];

/// What a body is when it is parsed as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Json {
    /// No JSON, or a string, number, truth value or null.
    No,
    /// An array.
    Array,
    /// An object without members.
    EmptyObject,
    /// An object of nothing but error members (T8).
    ErrorObject,
    /// Any other object.
    Object,
}

pub(super) fn is_gzip(body: &[u8]) -> bool {
    body.starts_with(&[0x1f, 0x8b])
}

/// One gzip layer less, for the look only; the bytes as they are where it does not open (T2).
pub(super) fn unpacked(body: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Vec::new();
    match MultiGzDecoder::new(body)
        .take(MAX_UNPACKED)
        .read_to_end(&mut out)
    {
        Ok(_) => Cow::Owned(out),
        Err(_) => Cow::Borrowed(body),
    }
}

/// UTF-16 or UTF-32, by mark or by NUL bytes near the start (T4).
pub(super) fn is_wide(body: &[u8]) -> bool {
    body.starts_with(&[0xff, 0xfe])
        || body.starts_with(&[0xfe, 0xff])
        || body.iter().take(8).any(|byte| *byte == 0)
}

/// An HTML or XML page: its first element says so, whatever else is claimed (T7).
pub(super) fn is_page(body: &[u8]) -> bool {
    let start = after_comments(body);
    let opens = |tag: &str| {
        let tag = tag.as_bytes();
        start
            .get(..tag.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(tag))
    };
    // `<header>` opens many a README: a tag name ends where it ends.
    let opens_element = |tag: &str| {
        let next = start.get(tag.len()).copied();
        opens(tag) && next.is_none_or(|byte| byte.is_ascii_whitespace() || b"/>".contains(&byte))
    };
    opens("<!doctype")
        || opens("<?xml")
        || ["<html", "<head", "<body", "<script"]
            .into_iter()
            .any(opens_element)
}

/// A page that starts with some other tag: many `<` and few `[` is markup, not Markdown.
pub(super) fn is_mostly_tags(body: &[u8]) -> bool {
    let start = after_comments(body);
    let is_tag = start.first() == Some(&b'<') && start.get(1).is_some_and(u8::is_ascii_alphabetic);
    let count = |wanted: u8| start.iter().filter(|byte| **byte == wanted).count();
    let has_heading = start
        .split(|byte| *byte == b'\n')
        .any(|line| line.starts_with(b"#"));
    is_tag && !has_heading && count(b'<') >= 6 && count(b'<') > 6 * count(b'[')
}

/// The body after white space and `<!-- -->` comments.
fn after_comments(body: &[u8]) -> &[u8] {
    let mut rest = body.trim_ascii_start();
    while let Some(comment) = rest.strip_prefix(b"<!--") {
        let Some(end) = comment.windows(3).position(|bytes| bytes == b"-->") else {
            break;
        };
        rest = comment[end + 3..].trim_ascii_start();
    }
    rest
}

/// A short text that stands for "nothing here" (T9). `{}` is judged by kind, not here.
pub(super) fn is_stub(body: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(body) else {
        return false;
    };
    let text = text.trim();
    if text.len() > MAX_STUB {
        return false;
    }
    let bare = text
        .trim_matches(['"', '\''])
        .trim_end_matches(['.', '!'])
        .trim()
        .to_ascii_lowercase();
    // Frameworks name method and path: `Cannot GET /llms.txt`.
    STUBS.contains(&bare.as_str()) || bare.starts_with("cannot get /")
}

/// What the body is as JSON.
pub(super) fn json(body: &[u8]) -> Json {
    match body.trim_ascii_start().first() {
        Some(b'[') if serde_json::from_slice::<IgnoredAny>(body).is_ok() => Json::Array,
        Some(b'{') => serde_json::from_slice::<BTreeMap<String, IgnoredAny>>(body)
            .map_or(Json::No, |members| object(members.keys())),
        _ => Json::No,
    }
}

fn object<'a>(mut names: impl ExactSizeIterator<Item = &'a String>) -> Json {
    let is_error = |name: &String| ERROR_KEYS.contains(&name.to_ascii_lowercase().as_str());
    if names.len() == 0 {
        Json::EmptyObject
    } else if names.all(is_error) {
        Json::ErrorObject
    } else {
        Json::Object
    }
}
