//! `hold add`, `remove`, `list`: not now, until released.

use std::time::Duration;

use engine::store::{Hold, Store};
use engine::suppress::{Entry, EntryError};
use serde::Serialize;

use super::output::{Out, say};
use super::place::{Global, operator};
use super::reach;
use super::table::Table;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit};

const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Subcommand)]
pub(crate) enum HoldCommand {
    /// Do not ask now
    Add {
        /// example.com with all names below it, or =host.example.com alone
        scope: String,
        /// Why
        #[arg(long, default_value = "")]
        why: String,
    },
    /// Release
    Remove {
        /// The scope as it is listed
        scope: String,
    },
    /// What is held
    List,
}

#[derive(Serialize)]
struct Fields<'a> {
    scope: String,
    since: String,
    by: &'a str,
    why: &'a str,
}

pub(crate) fn hold(global: &Global, command: HoldCommand) -> Result<Exit, Failure> {
    match command {
        HoldCommand::Add { scope, why } => add(global, &scope, why),
        HoldCommand::Remove { scope } => remove(&global.writing()?, &read(&scope)?),
        HoldCommand::List => list(global),
    }
}

/// Holds are written as entries of the suppression list are, but are not its.
fn read(scope: &str) -> Result<Entry, Failure> {
    scope.parse().map_err(|error: EntryError| {
        let name = error.meant.as_deref();
        Failure::Usage(format!(
            "\"{}\" cannot be held: {}; write {} (with all names below it) or ={} (alone)",
            error.text,
            error.reason,
            name.unwrap_or("example.com"),
            name.unwrap_or("host.example.com"),
        ))
    })
}

fn add(global: &Global, scope: &str, why: String) -> Result<Exit, Failure> {
    let written = scope;
    let scope = read(scope)?;
    if matches!(scope, Entry::Page(..)) {
        return Err(Failure::Usage(
            "a single page cannot be held; hold its host (=host.example.com), or suppress the page"
                .to_owned(),
        ));
    }
    let store = &global.writing()?;
    reach::tell(store, &scope)?;
    for remark in scope.remarks(written) {
        say(&Clean::new(remark));
    }
    let desk = store.desk()?;
    let hold = Hold {
        scope,
        since: desk.now()?,
        by: operator(),
        why,
    };
    match desk.hold(&hold)? {
        Some(number) => wait(store, &format!("hold {}", hold.scope), &number)?,
        None => say(&Clean::new(format!("{} is held already", hold.scope))),
    }
    Ok(Exit::Done)
}

fn remove(store: &Store, scope: &Entry) -> Result<Exit, Failure> {
    let desk = store.desk()?;
    let released = desk.release(scope, &operator(), desk.now()?)?;
    let Some(number) = released else {
        return Err(Failure::Failed(format!(
            "{scope} is not held; `lamplighter hold list` shows what is"
        )));
    };
    wait(store, &format!("release {scope}"), &number)?;
    Ok(Exit::Done)
}

fn wait(store: &Store, what: &str, number: &str) -> Result<(), Failure> {
    reach::wait(store, PATIENCE, what, |control| {
        Ok(reach::number_reached(&control.holds.reached, number))
    })
}

fn list(global: &Global) -> Result<Exit, Failure> {
    let holds = global.reading()?.reader()?.holds()?;
    let mut out = Out::new(global.json);
    let mut table = Table::new(&["scope", "since", "by", "why"]);
    for hold in &holds {
        let scope = hold.scope.to_string();
        if out.is_json() {
            out.object(&Fields {
                scope,
                since: fit::rfc3339(hold.since),
                by: &hold.by,
                why: &hold.why,
            })?;
        } else {
            table.row([&scope, &fit::second(hold.since), &hold.by, &hold.why]);
        }
    }
    if !table.is_empty() {
        out.table(&table)?;
    } else if !out.is_json() {
        say(&Clean::new("nothing is held"));
    }
    out.finish()?;
    Ok(Exit::Done)
}
