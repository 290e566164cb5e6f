//! Why a text is not a host.

/// Why a text is not a host we may visit: one sentence each, saying what was wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing there.
    #[error("the entry is empty")]
    Empty,
    /// A `#` comment.
    #[error("the entry is a comment")]
    Comment,
    /// White space or a control character inside the entry.
    #[error("the entry holds white space or a control character; write one name a line")]
    WhiteSpace,
    /// A line of a list over the bound of its reader.
    #[error("the line is longer than 64 KiB")]
    LineTooLong,
    /// A line of a list that is not UTF-8.
    #[error("the line is not valid UTF-8; save the list as UTF-8")]
    NotUtf8,
    /// A URL of a scheme other than http and https.
    #[error("the URL is neither http nor https")]
    Scheme,
    /// Neither a name nor a URL.
    #[error("the entry is neither a host name nor a URL")]
    Unreadable,
    /// A URL without a path, where an entry may mean a host or one page of it.
    #[error("the URL has no path, so that the whole host or one page may be meant")]
    NoPath,
    /// A port that is not the scheme's own.
    #[error("the entry names port {0}; only the default port is a public site")]
    Port(u16),
    /// An IP address, also one that a URL parser reads out of `0x7f.1` or `2130706433`.
    #[error("the entry is an IP address, not a name")]
    Address,
    /// An empty label: `a..b`, a leading dot, two trailing dots.
    #[error("the name has an empty part between two dots or at its start or end")]
    EmptyLabel,
    /// A `*` in the name.
    #[error("the name holds the wildcard *")]
    Wildcard,
    /// A brace: a URL template such as `{tenant}.example.com`.
    #[error("the name is a template with {{ and }}, not a name")]
    Template,
    /// An underscore.
    #[error("the name holds an underscore, which no host name has")]
    Underscore,
    /// A label that starts or ends with a hyphen.
    #[error("a part of the name starts or ends with a hyphen")]
    Hyphen,
    /// A label over 63 bytes.
    #[error("a part of the name is longer than 63 bytes")]
    LabelTooLong,
    /// A name over 253 bytes.
    #[error("the name is longer than 253 bytes")]
    NameTooLong,
    /// A character no host name has, or punycode that decodes to nothing valid.
    #[error("the name holds a character or an encoding (IDNA) that no host name has")]
    BadName,
    /// No dot.
    #[error("the name has one part only; a public host has a dot")]
    SingleLabel,
    /// Under a special-use domain.
    #[error("names under {0} are reserved for special use and are not public")]
    SpecialUse(&'static str),
    /// A public suffix, not a host of somebody.
    #[error("the name is a public suffix, under which others register names, not a site")]
    PublicSuffix,
}
