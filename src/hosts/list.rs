//! Plain host lists: one entry a line; comments, BOM, CRLF, URLs, hosts-file lines, `*.name` and `.name`.

use std::collections::VecDeque;
use std::io::BufRead;
use std::net::IpAddr;

use super::line::{Line, Lines};
use super::{Host, NameError, NameRules, normalise};

/// Longest text kept of a refused line, characters.
const MAX_REJECT: usize = 200;

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
///
/// A hosts-file line (`0.0.0.0 one.com two.com`) yields one item a name, all with its line number.
/// A comment starts at a `#` at the start of a line or after white space, so that a URL keeps its fragment.
pub struct ListReader<R> {
    lines: Lines<R>,
    rules: NameRules,
    ready: VecDeque<Result<Entry, Reject>>,
}

impl<R: BufRead> ListReader<R> {
    /// A reader over `input`.
    pub fn new(input: R, rules: NameRules) -> Self {
        Self {
            lines: Lines::new(input),
            rules,
            ready: VecDeque::new(),
        }
    }

    /// SHA-256 (hex) of all bytes read and the I/O error, if any, that ended reading. Of the whole
    /// list when the iteration has come to its end.
    pub fn finish(self) -> (String, Option<std::io::Error>) {
        self.lines.finish()
    }

    /// What one line yields, queued in order.
    fn take(&mut self, line: &Line) {
        let reject = |reason| Reject {
            line: line.number,
            text: shown(&line.bytes),
            reason,
        };
        if line.cut {
            self.ready.push_back(Err(reject(NameError::LineTooLong)));
            return;
        }
        let Ok(text) = std::str::from_utf8(&line.bytes) else {
            self.ready.push_back(Err(reject(NameError::NotUtf8)));
            return;
        };
        for name in names(uncommented(normalise::trim(text))) {
            self.ready.push_back(
                Host::parse(without_wildcard(name), self.rules)
                    .map(|host| Entry {
                        line: line.number,
                        host,
                    })
                    .map_err(reject),
            );
        }
    }
}

impl<R: BufRead> Iterator for ListReader<R> {
    type Item = Result<Entry, Reject>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready.is_empty() {
            let line = self.lines.next()?;
            self.take(&line);
        }
        self.ready.pop_front()
    }
}

/// A line for people: without its end, cut, readable.
fn shown(bytes: &[u8]) -> String {
    // Four bytes a character at most, so the rest need not be looked at.
    let head = &bytes[..bytes.len().min(4 * MAX_REJECT)];
    let text = String::from_utf8_lossy(head);
    text.trim_end_matches('\r')
        .chars()
        .take(MAX_REJECT)
        .collect()
}

/// The line before its comment.
fn uncommented(line: &str) -> &str {
    let is_start = |at: usize| at == 0 || line.as_bytes()[at - 1].is_ascii_whitespace();
    let end = line
        .match_indices('#')
        .map(|(at, _)| at)
        .find(|at| is_start(*at));
    line[..end.unwrap_or(line.len())].trim_ascii_end()
}

/// The names of a line: all words after the address of a hosts-file line, else the line as it is.
fn names(line: &str) -> Vec<&str> {
    let mut words = line.split_ascii_whitespace();
    let is_hosts_line = words
        .next()
        .is_some_and(|word| word.parse::<IpAddr>().is_ok());
    let rest: Vec<&str> = words.collect();
    if line.is_empty() {
        Vec::new()
    } else if is_hosts_line && !rest.is_empty() {
        rest
    } else {
        vec![line]
    }
}

/// `*.name` and `.name` mean the name and all below it; a list of hosts takes the name.
fn without_wildcard(entry: &str) -> &str {
    entry
        .strip_prefix("*.")
        .or_else(|| entry.strip_prefix('.'))
        .unwrap_or(entry)
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Read};

    use super::*;

    type Shown = Result<(u64, String), (u64, String, NameError)>;

    fn read(bytes: &[u8]) -> Vec<Shown> {
        // A tiny buffer, so that every line crosses its edge.
        ListReader::new(BufReader::with_capacity(3, bytes), NameRules::Public)
            .map(|item| match item {
                Ok(entry) => Ok((entry.line, entry.host.to_string())),
                Err(reject) => Err((reject.line, reject.text, reject.reason)),
            })
            .collect()
    }

    #[test]
    fn every_shape_of_line_is_read() {
        let list = "\u{feff}alder.com\r\n# a comment\n\n   \t\nhttps://bramble.org/x#part\n\
            0.0.0.0 cedar.net dogwood.net # blocked\n::1 elm.net\n*.fir.com\n.gorse.com\n\
            hazel.com   # why\n\tivy.com\t\nlast.com";
        let hosts: Vec<(u64, String)> = read(list.as_bytes())
            .into_iter()
            .map(Result::unwrap)
            .collect();
        let expected = [
            (1, "alder.com"),
            (5, "bramble.org"),
            (6, "cedar.net"),
            (6, "dogwood.net"),
            (7, "elm.net"),
            (8, "fir.com"),
            (9, "gorse.com"),
            (10, "hazel.com"),
            (11, "ivy.com"),
            (12, "last.com"),
        ];
        let expected: Vec<(u64, String)> = expected
            .into_iter()
            .map(|(line, host)| (line, host.to_owned()))
            .collect();
        assert_eq!(hosts, expected);
    }

    #[test]
    fn each_refused_line_has_its_number_text_and_reason() {
        let items = read(
            b"good.com\n127.0.0.1 localhost\n\xff\xfea\x00\r\n8.8.8.8\na.com b.com\n..c.com\n",
        );
        let reject = |line, text: &str, reason| Err((line, text.to_owned(), reason));
        assert_eq!(
            items,
            [
                Ok((1, "good.com".to_owned())),
                reject(2, "127.0.0.1 localhost", NameError::SpecialUse("localhost")),
                reject(3, "\u{fffd}\u{fffd}a\u{0}", NameError::NotUtf8),
                reject(4, "8.8.8.8", NameError::Address),
                reject(5, "a.com b.com", NameError::WhiteSpace),
                reject(6, "..c.com", NameError::EmptyLabel),
            ]
        );
    }

    #[test]
    fn a_giant_line_is_refused_in_bounded_memory_and_the_next_one_is_read() {
        let input = std::io::repeat(b'a')
            .take(5_000_000)
            .chain(&b"\ngood.com\n"[..]);
        let items: Vec<_> = ListReader::new(BufReader::new(input), NameRules::Public).collect();
        let Err(reject) = &items[0] else {
            panic!("taken: {items:?}")
        };
        assert_eq!((reject.line, &reject.reason), (1, &NameError::LineTooLong));
        assert_eq!(reject.text, "a".repeat(200));
        assert!(matches!(&items[1], Ok(entry) if entry.line == 2));
        assert_eq!(items.len(), 2);
    }

    #[test]
    fn the_digest_covers_every_byte() {
        // SHA-256 of "abc" is a published test vector.
        let mut list = ListReader::new(&b"abc"[..], NameRules::Public);
        assert!(list.by_ref().all(|item| item.is_err()));
        let (digest, error) = list.finish();
        assert_eq!(
            digest,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(error.is_none());
    }

    #[test]
    fn an_input_error_ends_the_list_and_is_reported() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::Error::other("the disk is gone"))
            }
        }
        let input = BufReader::new((&b"good.com\nhalf"[..]).chain(Broken));
        let mut list = ListReader::new(input, NameRules::Public);
        assert!(matches!(list.next(), Some(Ok(_))));
        assert!(
            list.next().is_none(),
            "a line cut by an error is not an entry"
        );
        assert!(list.next().is_none());
        let (_, error) = list.finish();
        assert_eq!(error.unwrap().to_string(), "the disk is gone");
    }
}
