//! A script as text that `git apply` and `patch` read: unified, byte for byte.

use std::io::{self, Write};
use std::ops::Range;

use jiff::Timestamp;

use super::quote::{headed, quoted};
use super::{Hunk, Pieces, Script, hunks};

/// What git looks at to tell text from the rest.
const GIT_LOOKS_AT: usize = 8_000;
const NO_NEWLINE: &[u8] = b"\\ No newline at end of file\n";

/// Git's own rule: a NUL in the first 8,000 bytes.
pub fn is_binary(body: &[u8]) -> bool {
    body[..body.len().min(GIT_LOOKS_AT)].contains(&0)
}

/// A body with the name of its file in a patch ([`super::patch_path`]).
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// The path.
    pub path: &'a str,
    /// The body.
    pub body: &'a [u8],
}

/// What turns the bytes of one file into those of another.
#[derive(Clone, Copy, Debug)]
pub struct Patch<'a> {
    /// The old file.
    pub old: Named<'a>,
    /// The new file.
    pub new: Named<'a>,
    /// Equal lines before and after each change.
    pub context: usize,
}

impl Patch<'_> {
    /// Writes the patch: nothing where nothing changed. The script is one of [`Pieces::lines`], which
    /// are given beside it.
    pub fn write(
        &self,
        (old, new): (&Pieces, &Pieces),
        script: &Script,
        out: &mut impl Write,
    ) -> io::Result<()> {
        if script.changes.is_empty() {
            return Ok(());
        }
        self.write_head(out)?;
        let (old_path, new_path) = (self.old.path, self.new.path);
        writeln!(out, "--- {}", headed("a/", old_path))?;
        writeln!(out, "+++ {}", headed("b/", new_path))?;
        for hunk in hunks(script, self.context, old.len()) {
            self.write_hunk(&hunk, (old, new), script, out)?;
        }
        Ok(())
    }

    /// Says in git's words that these are no texts.
    pub fn write_binary(&self, out: &mut impl Write) -> io::Result<()> {
        self.write_head(out)?;
        writeln!(
            out,
            "Binary files {} and {} differ",
            quoted("a/", self.old.path),
            quoted("b/", self.new.path)
        )
    }

    fn write_head(&self, out: &mut impl Write) -> io::Result<()> {
        let (old, new) = (quoted("a/", self.old.path), quoted("b/", self.new.path));
        writeln!(out, "diff --git {old} {new}")
    }

    fn write_hunk(
        &self,
        hunk: &Hunk,
        (old, new): (&Pieces, &Pieces),
        script: &Script,
        out: &mut impl Write,
    ) -> io::Result<()> {
        writeln!(out, "@@ -{} +{} @@", place(&hunk.old), place(&hunk.new))?;
        let mut at = hunk.old.start;
        for change in &script.changes[hunk.changes.clone()] {
            lines(b' ', self.old.body, old, at..change.old.start, out)?;
            lines(b'-', self.old.body, old, change.old.clone(), out)?;
            lines(b'+', self.new.body, new, change.new.clone(), out)?;
            at = change.old.end;
        }
        lines(b' ', self.old.body, old, at..hunk.old.end, out)
    }
}

/// `4,3`: the first line from 1, and how many. Of none the line before them.
fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        many => format!("{},{many}", lines.start + 1),
    }
}

fn lines(
    sign: u8,
    body: &[u8],
    pieces: &Pieces,
    which: Range<usize>,
    out: &mut impl Write,
) -> io::Result<()> {
    for line in which {
        let bytes = &body[pieces.range(line)];
        out.write_all(&[sign])?;
        out.write_all(bytes)?;
        if bytes.last() != Some(&b'\n') {
            out.write_all(b"\n")?;
            out.write_all(NO_NEWLINE)?;
        }
    }
    Ok(())
}

/// Where a body was had: what stands above a patch, in lines that its readers pass over.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// Host.
    pub host: &'a str,
    /// Path and query.
    pub location: &'a str,
    /// Number of the version, from 1.
    pub number: u32,
    /// First seen.
    pub first_seen: Timestamp,
    /// Size.
    pub bytes: u64,
    /// Digest.
    pub sha256: &'a [u8; 32],
}

impl Origin<'_> {
    /// One line: `# old: docs.alder.test /llms.txt version 3, ..., sha256 ...`.
    pub fn write(&self, which: &str, out: &mut impl Write) -> io::Result<()> {
        write!(
            out,
            "# {which}: {} {} version {}, first seen {:.3}, {} bytes, sha256 ",
            self.host,
            quoted("", self.location),
            self.number,
            self.first_seen,
            self.bytes
        )?;
        for byte in self.sha256 {
            write!(out, "{byte:02x}")?;
        }
        writeln!(out)
    }
}
