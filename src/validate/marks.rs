//! Marks on an answer that said 200.

use crate::policy::Expect;

/// One observation about a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mark {
    /// T2: still gzip after decoding.
    DoubleCompressed,
    /// T3: no bytes or only white space.
    Empty,
    /// T4: UTF-16 or UTF-32.
    NotUtf8Wide,
    /// T5: a byte order mark.
    ByteOrderMark,
    /// T6: invalid UTF-8.
    NotUtf8,
    /// T7: an HTML or XML page.
    SoftAbsentHtml,
    /// T8: a JSON error object.
    SoftAbsentJson,
    /// T9: a short stub such as `Not Found`.
    SoftAbsentStub,
    /// T13: unexpected content type.
    ContentType,
    /// T13: HTML type on good JSON.
    HtmlTypeOnJson,
    /// T14: JSON where text was expected.
    WrongKind,
}

/// What the marks say of a 200.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// A file of some sort.
    Present,
    /// Says 200 and is no file: a soft 404.
    SoftAbsent,
}

/// The marks of a body served at `path`.
pub fn marks(path: &str, expect: Expect, content_type: Option<&str>, body: &[u8]) -> Vec<Mark> {
    let _ = (path, expect, content_type, body);
    unimplemented!()
}

/// Whether the marks make the answer a soft 404.
pub fn presence(marks: &[Mark]) -> Presence {
    let _ = marks;
    unimplemented!()
}
