//! One observation about a body, and how it is stored.

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
    /// T11: the same bytes as another location of another kind.
    CatchAll,
    /// T13: unexpected content type.
    ContentType,
    /// T13: HTML type on good JSON.
    HtmlTypeOnJson,
    /// T14: JSON where text was expected.
    WrongKind,
}

/// Every mark.
const ALL: [Mark; 12] = [
    Mark::DoubleCompressed,
    Mark::Empty,
    Mark::NotUtf8Wide,
    Mark::ByteOrderMark,
    Mark::NotUtf8,
    Mark::SoftAbsentHtml,
    Mark::SoftAbsentJson,
    Mark::SoftAbsentStub,
    Mark::CatchAll,
    Mark::ContentType,
    Mark::HtmlTypeOnJson,
    Mark::WrongKind,
];

impl Mark {
    /// The number under which a mark is stored. It never changes and is never given to another mark.
    pub fn code(self) -> u8 {
        match self {
            Mark::DoubleCompressed => 2,
            Mark::Empty => 3,
            Mark::NotUtf8Wide => 4,
            Mark::ByteOrderMark => 5,
            Mark::NotUtf8 => 6,
            Mark::SoftAbsentHtml => 7,
            Mark::SoftAbsentJson => 8,
            Mark::SoftAbsentStub => 9,
            Mark::CatchAll => 11,
            Mark::ContentType => 13,
            Mark::WrongKind => 14,
            Mark::HtmlTypeOnJson => 15,
        }
    }

    /// The mark of a stored number; `None` for a number this version does not know.
    pub fn from_code(code: u8) -> Option<Mark> {
        ALL.into_iter().find(|mark| mark.code() == code)
    }

    /// The word in listings and exports, such as `soft_404_html`.
    pub fn word(self) -> &'static str {
        match self {
            Mark::DoubleCompressed => "double_compressed",
            Mark::Empty => "empty_200",
            Mark::NotUtf8Wide => "not_utf8_wide",
            Mark::ByteOrderMark => "byte_order_mark",
            Mark::NotUtf8 => "not_utf8",
            Mark::SoftAbsentHtml => "soft_404_html",
            Mark::SoftAbsentJson => "soft_404_json",
            Mark::SoftAbsentStub => "soft_404_stub",
            Mark::CatchAll => "catch_all",
            Mark::ContentType => "content_type",
            Mark::WrongKind => "wrong_kind",
            Mark::HtmlTypeOnJson => "html_type_on_json",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn codes_and_words_are_stable_and_one_to_one() {
        // What stores hold already: an entry may be added here, never changed.
        let stored = [
            (2, "double_compressed"),
            (3, "empty_200"),
            (4, "not_utf8_wide"),
            (5, "byte_order_mark"),
            (6, "not_utf8"),
            (7, "soft_404_html"),
            (8, "soft_404_json"),
            (9, "soft_404_stub"),
            (11, "catch_all"),
            (13, "content_type"),
            (14, "wrong_kind"),
            (15, "html_type_on_json"),
        ];
        for (code, word) in stored {
            let mark = Mark::from_code(code).unwrap();
            assert_eq!((mark.code(), mark.word()), (code, word));
        }
        let distinct: BTreeSet<Mark> = ALL.into_iter().collect();
        assert_eq!(distinct.len(), stored.len());
        assert_eq!(Mark::from_code(0), None);
        assert_eq!(Mark::from_code(12), None);
    }
}
