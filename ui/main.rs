//! The console and the command line of Lamplighter: parse, dispatch, exit.

use std::process::ExitCode;

use clap::Parser;
use lamplighter as engine;

mod action;
mod cli;
mod desk;
mod exit;
mod filter;
mod input;
mod jobs;
mod keymap;
mod msg;
mod osc;
mod patch;
mod plain;
mod run;
mod screen;
mod settings;
#[cfg(test)]
#[path = "../tests/support/shot.rs"]
mod shot;
#[cfg(test)]
mod shots;
mod state;
mod term;
#[cfg(test)]
mod test_kit;
mod text;
mod theme;
mod update;
mod view;
mod widget;

fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let code = ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
            return match error.print() {
                // Help and version are data; a complaint that cannot be written is still one.
                Err(lost) if !error.use_stderr() => cli::output::written(lost).end(),
                _ => code,
            };
        }
    };
    match cli.dispatch() {
        Ok(exit) => exit.into(),
        Err(failure) => failure.end(),
    }
}
