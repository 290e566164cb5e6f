//! `show`: exact bytes to a file or a pipe, escaped on a terminal.

use super::output::{Out, stdout_is_terminal};
use super::place::{self, Global};
use crate::exit::{Exit, Failure};
use crate::text::Clean;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The host
    host: String,
    /// The location, such as /llms.txt
    location: String,
    /// Version N (default: the newest)
    #[arg(long, value_name = "N")]
    version: Option<u32>,
}

pub(crate) fn show(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let location = place::location(&args.location)?;
    let reader = global.reading()?.reader()?;
    let host = place::host(&reader, &args.host)?;
    let body = reader.body(host, location, args.version)?;
    let mut out = Out::new(false);
    if stdout_is_terminal() {
        for line in body.split(|byte| *byte == b'\n') {
            out.line(&Clean::new(line))?;
        }
    } else {
        out.bytes(&body)?;
    }
    out.finish()?;
    Ok(Exit::Done)
}
