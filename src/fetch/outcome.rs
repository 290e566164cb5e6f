//! The name of every way a request can end. Stored by code; codes never change meaning.

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Outcome {
    /// 200 with a whole body.
    Present = 1,
    /// 304 to a conditional request.
    NotModified = 2,
    /// 304 nobody asked for.
    UnexpectedNotModified = 3,
    /// 404 or 410.
    Absent = 4,
    /// 200 that is no such file: an HTML page, an error object, an empty body (T3, T7 to T11).
    SoftAbsent = 5,
    /// 401, 402, 403, 451: final (PC5).
    Blocked = 6,
    /// 429 or 503 (PC4).
    Limited = 7,
    /// A challenge page, whatever its status (PC7).
    Challenge = 8,
    /// A redirect, recorded with its target.
    Redirect = 9,
    /// 2xx that does not answer for the file: 201 to 205, 207… Its body, if it has one, is kept all
    /// the same: robots.txt is followed with it (RB3).
    NoContent = 10,
    /// 206 nobody asked for.
    Partial = 11,
    /// Any other 4xx.
    ClientError = 12,
    /// Any 5xx but 503, and statuses of 600 or more.
    ServerError = 13,
    /// Over the size cap; the body was discarded (TR3).
    TooLarge = 14,
    /// Under the minimum speed.
    TooSlow = 15,
    /// No byte in time, or the deadline passed.
    Timeout = 16,
    /// The name did not resolve.
    Dns = 17,
    /// Every address of the name is one we do not dial.
    AddressRefused = 18,
    /// No connection.
    Connect = 19,
    /// TLS failed.
    Tls = 20,
    /// The connection was reset or closed before a whole head came.
    Reset = 21,
    /// Not HTTP, or a head that cannot be read.
    Malformed = 22,
    /// Fewer bytes than announced, or a chunked body cut off.
    Truncated = 23,
    /// A content coding that was not offered or does not decode.
    Coding = 24,
    /// Committed, then stopped before sending; nothing left this machine.
    Withdrawn = 25,
}

impl Outcome {
    /// Every outcome, in code order.
    pub const ALL: [Outcome; 25] = [
        Outcome::Present,
        Outcome::NotModified,
        Outcome::UnexpectedNotModified,
        Outcome::Absent,
        Outcome::SoftAbsent,
        Outcome::Blocked,
        Outcome::Limited,
        Outcome::Challenge,
        Outcome::Redirect,
        Outcome::NoContent,
        Outcome::Partial,
        Outcome::ClientError,
        Outcome::ServerError,
        Outcome::TooLarge,
        Outcome::TooSlow,
        Outcome::Timeout,
        Outcome::Dns,
        Outcome::AddressRefused,
        Outcome::Connect,
        Outcome::Tls,
        Outcome::Reset,
        Outcome::Malformed,
        Outcome::Truncated,
        Outcome::Coding,
        Outcome::Withdrawn,
    ];

    /// The code stored.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// The outcome of a stored code.
    pub fn from_code(code: u8) -> Option<Outcome> {
        Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.code() == code)
    }

    /// The word used in the log, on screen and in JSON: `present`, `not_modified`, `too_large`…
    pub fn word(self) -> &'static str {
        match self {
            Outcome::Present => "present",
            Outcome::NotModified => "not_modified",
            Outcome::UnexpectedNotModified => "unexpected_304",
            Outcome::Absent => "absent",
            Outcome::SoftAbsent => "soft_absent",
            Outcome::Blocked => "blocked",
            Outcome::Limited => "limited",
            Outcome::Challenge => "challenge",
            Outcome::Redirect => "redirect",
            Outcome::NoContent => "no_content",
            Outcome::Partial => "partial",
            Outcome::ClientError => "client_error",
            Outcome::ServerError => "server_error",
            Outcome::TooLarge => "too_large",
            Outcome::TooSlow => "too_slow",
            Outcome::Timeout => "timeout",
            Outcome::Dns => "dns",
            Outcome::AddressRefused => "address_refused",
            Outcome::Connect => "connect",
            Outcome::Tls => "tls",
            Outcome::Reset => "reset",
            Outcome::Malformed => "malformed",
            Outcome::Truncated => "truncated",
            Outcome::Coding => "coding",
            Outcome::Withdrawn => "withdrawn",
        }
    }

    /// No usable answer came: for robots.txt this is RB6.
    pub fn is_failure(self) -> bool {
        matches!(
            self,
            Outcome::TooSlow
                | Outcome::Timeout
                | Outcome::Dns
                | Outcome::AddressRefused
                | Outcome::Connect
                | Outcome::Tls
                | Outcome::Reset
                | Outcome::Malformed
        )
    }
}
