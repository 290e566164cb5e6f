//! Plain host lists: one entry a line; comments, BOM, CRLF, URLs, hosts-file lines, `*.name` and `.name`.

use std::io::BufRead;

use super::{Host, NameError, NameRules};

/// Kind of host list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListKind {
    /// One entry a line.
    Plain,
}

/// One accepted line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// 1-based line number.
    pub line: u64,
    /// The host.
    pub host: Host,
}

/// One refused line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reject {
    /// 1-based line number.
    pub line: u64,
    /// The line as read, cut at 200 characters; invalid UTF-8 replaced.
    pub text: String,
    /// Why.
    pub reason: NameError,
}

/// Reads a plain list line by line with bounded memory; blank and comment lines yield nothing.
/// An I/O error ends the iteration and is found in [`ListReader::finish`].
pub struct ListReader<R> {
    input: R,
    rules: NameRules,
}

impl<R: BufRead> ListReader<R> {
    /// A reader over `input`.
    pub fn new(input: R, rules: NameRules) -> Self {
        Self { input, rules }
    }

    /// SHA-256 (hex) of all bytes read and the I/O error, if any, that ended reading.
    pub fn finish(self) -> (String, Option<std::io::Error>) {
        let _ = (self.input, self.rules);
        unimplemented!()
    }
}

impl<R: BufRead> Iterator for ListReader<R> {
    type Item = Result<Entry, Reject>;

    fn next(&mut self) -> Option<Self::Item> {
        unimplemented!()
    }
}
