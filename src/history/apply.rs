//! Taking a patch in, in code of its own: strict, so that a patch either fits to the byte or is refused.

use std::ops::Range;

use super::pieces::{Pieces, find};

/// Why a patch does not turn this body into another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// It is of files that are no texts.
    #[error("the patch only says that binary files differ; it holds no bytes")]
    Binary,
    /// A line of it (from 1) cannot be read.
    #[error("line {0} of the patch is not what a unified diff has there; make the patch anew")]
    Unreadable(usize),
    /// A hunk (from 1) speaks of other bytes than these.
    #[error("hunk {0} of the patch does not fit this body; it was made from another version")]
    Other(usize),
}

/// The new body a patch of one file makes of `old`.
pub fn apply(old: &[u8], patch: &[u8]) -> Result<Vec<u8>, Misfit> {
    let lines = Pieces::lines(old);
    let mut out = Vec::with_capacity(old.len());
    let mut reader = Reader {
        patch,
        at: 0,
        line: 0,
    };
    let mut taken = 0;
    for number in 1.. {
        let Some(head) = reader.hunk(number > 1)? else {
            break;
        };
        let start = head.old.start;
        if start < taken || start > lines.len() {
            return Err(Misfit::Other(number));
        }
        out.extend_from_slice(&old[lines.span(taken..start)]);
        taken = start;
        let (mut removed, mut added) = (0, 0);
        while removed < head.old.len() || added < head.new.len() {
            let (sign, text) = reader.text()?;
            if sign != b'+' {
                if text != old[lines.range(taken)] {
                    return Err(Misfit::Other(number));
                }
                (taken, removed) = (taken + 1, removed + 1);
            }
            if sign != b'-' {
                added += 1;
                out.extend_from_slice(&text);
            }
        }
        if (removed, added) != (head.old.len(), head.new.len()) {
            return Err(Misfit::Unreadable(reader.line));
        }
    }
    out.extend_from_slice(&old[lines.span(taken..lines.len())]);
    Ok(out)
}

struct Head {
    old: Range<usize>,
    new: Range<usize>,
}

struct Reader<'a> {
    patch: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = &self.patch[self.at..];
        if rest.is_empty() {
            return None;
        }
        let len = find(rest, b'\n').map_or(rest.len(), |found| found + 1);
        self.at += len;
        self.line += 1;
        Some(&rest[..len])
    }

    /// The next hunk's head. Before the first one stands what the file is; `begun` says it is past.
    fn hunk(&mut self, begun: bool) -> Result<Option<Head>, Misfit> {
        while let Some(line) = self.next() {
            if line.starts_with(b"@@ ") {
                return head(line).ok_or(Misfit::Unreadable(self.line)).map(Some);
            }
            if line.starts_with(b"Binary files ") {
                return Err(Misfit::Binary);
            }
            if begun {
                return Err(Misfit::Unreadable(self.line));
            }
        }
        Ok(None)
    }

    /// A line of a hunk: its sign, and its text with or without a line feed at the end.
    fn text(&mut self) -> Result<(u8, Vec<u8>), Misfit> {
        let line = self.next().ok_or(Misfit::Unreadable(self.line + 1))?;
        let (sign, text) = line.split_first().ok_or(Misfit::Unreadable(self.line))?;
        if !matches!(sign, b' ' | b'-' | b'+') {
            return Err(Misfit::Unreadable(self.line));
        }
        let mut text = text.to_vec();
        if self.patch[self.at..].starts_with(b"\\ ") {
            let _ = self.next();
            if text.pop() != Some(b'\n') {
                return Err(Misfit::Unreadable(self.line));
            }
        } else if text.last() != Some(&b'\n') {
            return Err(Misfit::Unreadable(self.line));
        }
        Ok((*sign, text))
    }
}

/// `@@ -4,3 +4,5 @@`
fn head(line: &[u8]) -> Option<Head> {
    let line = std::str::from_utf8(line).ok()?;
    let (places, _) = line.strip_prefix("@@ -")?.split_once(" @@")?;
    let (old, new) = places.split_once(" +")?;
    Some(Head {
        old: place(old)?,
        new: place(new)?,
    })
}

fn place(text: &str) -> Option<Range<usize>> {
    let (first, len) = text.split_once(',').unwrap_or((text, "1"));
    let (first, len): (usize, usize) = (first.parse().ok()?, len.parse().ok()?);
    let start = if len == 0 {
        first
    } else {
        first.checked_sub(1)?
    };
    Some(start..start.checked_add(len)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patch_that_does_not_fit_is_refused() {
        let patch = b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n";
        assert_eq!(apply(b"a\nb\n", patch).unwrap(), b"a\nc\n");
        assert_eq!(apply(b"a\nb\nd", patch).unwrap(), b"a\nc\nd");
        for other in [
            &b"a\nB\n"[..],
            b"a\nb",
            b"a\nb\r\n",
            b"",
            b"a\n",
            b"x\na\nb\n",
        ] {
            assert_eq!(apply(other, patch), Err(Misfit::Other(1)), "{other:?}");
        }
    }

    #[test]
    fn a_torn_patch_is_refused() {
        let patch =
            b"@@ -1,2 +1,2 @@\n a\n-b\n+c\n@@ -4 +4 @@\n-d\n\\ No newline at end of file\n+e\n";
        assert_eq!(apply(b"a\nb\n\nd", patch).unwrap(), b"a\nc\n\ne\n");
        for end in 1..patch.len() {
            // Cut behind its first hunk it is a whole patch of less.
            let whole = end == 25 || end <= 2;
            let got = apply(b"a\nb\n\nd", &patch[..end]);
            assert_eq!(got.is_ok(), whole, "{end}: {got:?}");
        }
        assert_eq!(
            apply(b"a", b"Binary files a/x and b/x differ\n"),
            Err(Misfit::Binary)
        );
        for bad in [
            "@@ -x +1 @@\n",
            "@@ -0,1 +1 @@\n-a\n",
            "@@ -1 +1 @@\n*a\n",
            "@@ -1 +1 @@\n-a\n-a\n",
        ] {
            assert!(apply(b"a\na\n", bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
