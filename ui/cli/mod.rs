//! The command line: one file a command.

mod audit;
pub(crate) mod changes;
mod completions;
mod demo;
mod diff;
mod drive;
mod events;
mod facts;
mod history;
mod hold;
mod hosts;
mod import;
pub(crate) mod log;
mod man;
mod open;
pub(crate) mod output;
mod pause;
mod place;
mod policy;
pub(crate) mod reach;
mod report;
mod robots;
mod run;
pub(crate) mod runs;
mod show;
mod signals;
mod store;
mod suppress;
mod table;
mod when;

use clap::{Parser, Subcommand};

use crate::exit::{Exit, Failure};
use place::Global;

pub(crate) use place::{operator, settings_file};
pub(crate) use reach::covered;
pub(crate) use signals::{Ending, Stop};

/// A polite crawler that keeps its published promises and can prove it.
#[derive(Debug, Parser)]
#[command(name = "lamplighter", version, about, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// A live run over the built-in mini web, in a store of its own
    Demo(demo::Args),
    /// This period's run: start it, or resume it
    Run(run::Args),
    /// The hosts of a store
    #[command(subcommand)]
    Hosts(hosts::Hosts),
    /// The request log of a host, newest first
    Log(log::Args),
    /// Versions of a host's files
    History(history::Args),
    /// What a run found new, changed, back and gone
    Changes(changes::Args),
    /// The runs of a store, with their totals
    Runs,
    /// A run as a Markdown report
    Report(report::Args),
    /// The exact bytes of a stored file
    Show(show::Args),
    /// What changed between two versions of a file, as a patch
    Diff(diff::Args),
    /// What a robots.txt says, with evidence
    #[command(subcommand)]
    Robots(robots::Robots),
    /// The promises, checked against the request log
    Audit(audit::Args),
    /// The store itself
    #[command(subcommand)]
    Store(store::StoreCommand),
    /// Let the run in progress stand still
    Pause,
    /// Let it go on
    Resume,
    /// Names never to be asked again
    #[command(subcommand)]
    Suppress(suppress::Suppress),
    /// Names not to be asked now
    #[command(subcommand)]
    Hold(hold::HoldCommand),
    /// What each crawler promises
    #[command(subcommand)]
    Policy(policy::PolicyCommand),
    /// Completions for a shell, on stdout
    Completions(completions::Args),
    /// The man page, on stdout
    Man,
}

impl Cli {
    /// Does what was asked.
    pub(crate) fn dispatch(self) -> Result<Exit, Failure> {
        let global = self.global;
        let Some(command) = self.command else {
            return open::open(&global);
        };
        match command {
            Command::Demo(args) => demo::demo(&global, args),
            Command::Run(args) => run::run(&global, args),
            Command::Hosts(command) => hosts::hosts(&global, command),
            Command::Log(args) => log::log(&global, &args),
            Command::History(args) => history::history(&global, &args),
            Command::Changes(args) => changes::changes(&global, &args),
            Command::Runs => runs::runs(&global),
            Command::Report(args) => report::report(&global, &args),
            Command::Show(args) => show::show(&global, &args),
            Command::Diff(args) => diff::diff(&global, &args),
            Command::Robots(command) => robots::robots(&global, command),
            Command::Audit(args) => audit::audit(&global, &args),
            Command::Store(command) => store::store(&global, command),
            Command::Pause => pause::pause(&global, true),
            Command::Resume => pause::pause(&global, false),
            Command::Suppress(command) => suppress::suppress(&global, command),
            Command::Hold(command) => hold::hold(&global, command),
            Command::Policy(command) => policy::policy(&global, command),
            Command::Completions(args) => completions::completions(&args),
            Command::Man => man::man(),
        }
    }
}
