//! `completions`: what a shell needs to complete our words.

use clap::CommandFactory;
use clap_complete::Shell;

use super::Cli;
use super::output::Out;
use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Args)]
#[command(after_help = "For bash: lamplighter completions bash > \
                  ~/.local/share/bash-completion/completions/lamplighter")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn completions(args: &Args) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "lamplighter", &mut script);
    let mut out = Out::new(false);
    out.bytes(&script)?;
    out.finish()?;
    Ok(Exit::Done)
}
