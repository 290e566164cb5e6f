//! What a row answers when a filter asks.

use std::time::Duration;

use jiff::Timestamp;

/// A row that can be filtered. It is a borrowed look at the row, so that nothing is copied:
///
/// ```ignore
/// impl Facts for Looked<'_> {
///     fn text(&self, piece: usize) -> Option<&str> {
///         [self.row.host.as_str(), &self.row.why].get(piece).copied()
///     }
///     fn fact(&self, field: &str) -> Fact<'_> {
///         match field {
///             "state" => Fact::Word(self.row.state.word()),
///             "size" => Fact::Number(self.row.bytes),
///             "due" => Fact::time(self.row.next_visit),
///             _ => Fact::None,
///         }
///     }
///     fn now(&self) -> Timestamp { self.now }
/// }
/// ```
pub(crate) trait Facts {
    /// The row's text, piece by piece from 0; none after the last. A bare word looks in each.
    fn text(&self, piece: usize) -> Option<&str>;
    /// The row's answer for a field of its schema, by name.
    fn fact(&self, field: &str) -> Fact<'_>;
    /// The time that ages and waits are counted from.
    fn now(&self) -> Timestamp;
}

/// One answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fact<'a> {
    /// The row has no such thing; only `field:none` and negations match it.
    None,
    /// A word.
    Word(&'a str),
    /// A text.
    Text(&'a str),
    /// A number in its base unit (things, bytes).
    Number(u64),
    /// Statuses; one that fits is enough.
    Statuses(&'a [u16]),
    /// A status.
    Status(u16),
    /// A length of time.
    Duration(Duration),
    /// A time.
    Time(Timestamp),
}

impl<'a> Fact<'a> {
    /// A text, if there is one.
    pub(crate) fn text(text: impl Into<Option<&'a str>>) -> Fact<'a> {
        text.into().map_or(Fact::None, Fact::Text)
    }

    /// A status, if there is one.
    pub(crate) fn status(status: impl Into<Option<u16>>) -> Fact<'a> {
        status.into().map_or(Fact::None, Fact::Status)
    }

    /// A time, if there is one.
    pub(crate) fn time(time: impl Into<Option<Timestamp>>) -> Fact<'a> {
        time.into().map_or(Fact::None, Fact::Time)
    }

    /// Whether there is nothing to compare with.
    pub(super) fn is_none(self) -> bool {
        match self {
            Fact::None => true,
            Fact::Statuses(statuses) => statuses.is_empty(),
            _ => false,
        }
    }
}
