//! `diff`: what changed between two versions, as a patch that `git apply` and `patch` take in.

use std::io::{self, Write};

use engine::history::Stop;
use engine::store::{HostId, Reader, Version};

use super::output::{Out, say, stdout_is_terminal};
use super::place::{self, Global};
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::patch::{self, Body};
use crate::text::Clean;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The host
    host: String,
    /// The location, such as /llms.txt
    location: String,
    /// Old version N (default: the one before the new version)
    #[arg(long, value_name = "N")]
    from: Option<u32>,
    /// New version N (default: the newest)
    #[arg(long, value_name = "N")]
    to: Option<u32>,
    /// Take the new version from another location of the host (default of --from: the newest)
    #[arg(long, value_name = "LOCATION")]
    with: Option<String>,
    /// Equal lines shown around each change
    #[arg(long, value_name = "LINES", default_value_t = 3)]
    context: usize,
}

fn read(reader: &Reader, host: HostId, version: Version) -> Result<Body, Failure> {
    let bytes = reader.body(host, &version.location, Some(version.number))?;
    Ok(Body { version, bytes })
}

pub(crate) fn diff(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let location = place::location(&args.location)?;
    let with = args.with.as_deref().map(place::location).transpose()?;
    let reader = global.reading()?.reader()?;
    let host = place::host(&reader, &args.host)?;
    let versions = stored(&reader, host, &args.host, location)?;
    let (old, new) = match with {
        Some(with) if with != location => {
            let others = stored(&reader, host, &args.host, with)?;
            (one(versions, args.from)?, one(others, args.to)?)
        }
        _ => two(versions, args.from, args.to)?,
    };
    let old = read(&reader, host, old)?;
    let new = read(&reader, host, new)?;
    // The store is let go before anything is compared or written: a slow reader of our output holds
    // nothing back.
    drop(reader);
    if old.bytes == new.bytes {
        say(&Clean::new("the two are the same, byte for byte"));
        return Ok(Exit::Done);
    }
    let out = Out::new(false);
    let mut sink = Sink {
        out,
        is_terminal: stdout_is_terminal(),
        line: Vec::new(),
        failure: None,
    };
    let stop = Stop::after(Stop::LONGEST);
    let written = patch::write(Some(&old), &new, args.context, &stop, &mut sink);
    sink.end()?;
    if written.map_err(|error| Failure::Failed(error.to_string()))? {
        say(&Clean::new(
            "approximate: the search for the smallest changes was cut short; the patch is whole",
        ));
    }
    Ok(Exit::Done)
}

/// The versions of a location, oldest first, at least one.
fn stored(
    reader: &Reader,
    host: HostId,
    name: &str,
    location: &str,
) -> Result<Vec<Version>, Failure> {
    let versions = reader.versions(host, Some(location))?;
    if versions.is_empty() {
        return Err(Failure::Failed(format!(
            "no version of {location} is stored for {name}; `lamplighter history {name}` shows what is"
        )));
    }
    Ok(versions)
}

/// The version of this number, or the newest.
fn one(mut versions: Vec<Version>, number: Option<u32>) -> Result<Version, Failure> {
    let location = versions.first().map(|version| version.location.clone());
    let at = match number {
        None => versions.len().checked_sub(1),
        Some(number) => versions.iter().position(|version| version.number == number),
    };
    at.map(|at| versions.swap_remove(at)).ok_or_else(|| {
        Failure::Failed(format!(
            "there is no version {} of {}; `lamplighter history` lists them",
            number.unwrap_or(0),
            location.unwrap_or_default()
        ))
    })
}

/// The versions of these numbers, or the newest and the one before it.
fn two(
    versions: Vec<Version>,
    from: Option<u32>,
    to: Option<u32>,
) -> Result<(Version, Version), Failure> {
    let new = one(versions.clone(), to)?;
    let before = versions
        .iter()
        .rev()
        .find(|version| version.number < new.number);
    let from = from.or(before.map(|version| version.number));
    let Some(from) = from else {
        return Err(Failure::Failed(format!(
            "version {} of {} is the first one, with nothing before it to compare; `lamplighter show` writes it out",
            new.number, new.location
        )));
    };
    Ok((one(versions, Some(from))?, new))
}

/// Exact bytes to a file or a pipe, escaped line by line on a terminal.
struct Sink {
    out: Out,
    is_terminal: bool,
    line: Vec<u8>,
    failure: Option<Failure>,
}

impl Sink {
    fn take(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        if !self.is_terminal {
            return self.out.bytes(bytes);
        }
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line.extend_from_slice(part);
            if self.line.last() == Some(&b'\n') {
                self.line.pop();
                let line = std::mem::take(&mut self.line);
                self.out.line(&Clean::new(line))?;
            }
        }
        Ok(())
    }

    /// Everything is out, or why not.
    fn end(self) -> Result<(), Failure> {
        match self.failure {
            Some(failure) => Err(failure),
            None => self.out.finish(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.take(bytes) {
            Ok(()) => Ok(bytes.len()),
            Err(failure) => {
                self.failure = Some(failure);
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
