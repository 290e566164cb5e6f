//! Data on stdout, talk on stderr.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use engine::remedy;
use rustix::fs::FileType;
use rustix::io::Errno;
use serde::Serialize;

use super::table::Table;
use crate::engine;
use crate::exit::Failure;
use crate::text::Clean;

/// Says one line on stderr. A stderr that is gone is nobody's loss.
pub(crate) fn say(line: &Clean) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Stdout, in the form that was asked for.
pub(crate) struct Out {
    json: bool,
    inner: BufWriter<StdoutLock<'static>>,
}

impl Out {
    /// JSON Lines or text.
    pub(crate) fn new(json: bool) -> Out {
        Out {
            json,
            inner: BufWriter::with_capacity(64 * 1024, io::stdout().lock()),
        }
    }

    /// JSON Lines were asked for.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// One object a line.
    pub(crate) fn object(&mut self, object: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(object).map_err(|error| {
            Failure::Failed(format!("the output could not be written: {error}"))
        })?;
        self.bytes(text.as_bytes())?;
        self.bytes(b"\n")
    }

    /// An aligned table.
    pub(crate) fn table(&mut self, table: &Table) -> Result<(), Failure> {
        for line in table.lines() {
            self.bytes(line.as_bytes())?;
            self.bytes(b"\n")?;
        }
        Ok(())
    }

    /// One line of text.
    pub(crate) fn line(&mut self, line: &Clean) -> Result<(), Failure> {
        self.bytes(line.as_str().as_bytes())?;
        self.bytes(b"\n")
    }

    /// Bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.inner.write_all(bytes).map_err(written)
    }

    /// Everything is out.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.inner.flush().map_err(written)
    }
}

/// What a failed write to stdout means.
pub(crate) fn written(error: io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe || is_lost_terminal(&error) {
        return Failure::ReaderGone;
    }
    Failure::Failed(format!(
        "the output could not be written: {}",
        remedy::told(&error)
    ))
}

/// A terminal that was hung up answers as a broken disk does, and is no longer known as a terminal.
fn is_lost_terminal(error: &io::Error) -> bool {
    let is_device = || {
        rustix::fs::fstat(io::stdout())
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice)
    };
    error.raw_os_error() == Some(Errno::IO.raw_os_error()) && is_device()
}

/// Columns that text is wrapped to: those of the terminal. Elsewhere a line stays one, to be searched.
pub(crate) fn width() -> usize {
    let size = stdout_is_terminal().then(crossterm::terminal::size);
    match size {
        Some(Ok((columns, _))) if columns > 0 => usize::from(columns),
        _ => usize::MAX,
    }
}

/// Whether stdout is a terminal.
pub(crate) fn stdout_is_terminal() -> bool {
    io::stdout().is_terminal()
}
