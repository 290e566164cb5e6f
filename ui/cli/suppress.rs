//! `suppress add`, `remove`, `list`: names never to be asked again (OO4).

use std::path::Path;
use std::time::Duration;

use engine::store::{Store, StoreError};
use engine::suppress::{Entry, SuppressFile};
use serde::Serialize;

use super::output::{Out, say};
use super::place::{Global, operator};
use super::reach;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::Clean;

const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Suppress {
    /// From now on, never again: no request at all, robots.txt included
    Add {
        /// example.com with all names below it, =host.example.com alone, or https://host/path
        entry: String,
        /// Why, for the journal
        #[arg(long, default_value = "")]
        why: String,
    },
    /// Take a name off the list
    Remove {
        /// The entry as it is listed
        entry: String,
        /// Why, for the journal
        #[arg(long, default_value = "")]
        why: String,
    },
    /// The list
    List,
}

#[derive(Serialize)]
struct Fields {
    entry: String,
}

pub(crate) fn suppress(global: &Global, command: Suppress) -> Result<Exit, Failure> {
    match command {
        Suppress::Add { entry, why } => add(global, &entry, &why),
        Suppress::Remove { entry, why } => remove(global, &entry.parse()?, &why),
        Suppress::List => list(global),
    }
}

/// OO4: the list first. An opt-out must not fail because no run was made yet, or because the store
/// cannot be read: the list stands beside it and is what stops.
fn add(global: &Global, written: &str, why: &str) -> Result<Exit, Failure> {
    global.refuse_read_only()?;
    let entry: &Entry = &written.parse()?;
    let directory = global.directory()?;
    std::fs::create_dir_all(&directory).map_err(|source| StoreError::io(&directory, source))?;
    let file = SuppressFile::in_directory(&directory);
    let state = if file.add(entry)? {
        "is on the list now"
    } else {
        "was on the list already"
    };
    say(&Clean::new(format!("{entry} {state}")));
    for remark in entry.remarks(written) {
        say(&Clean::new(remark));
    }
    let undone = after(&directory, &file, entry, why);
    if undone.is_empty() {
        return Ok(Exit::Done);
    }
    Err(Failure::Failed(format!(
        "{entry} is on the list and no run asks it, but {}; the same command again does what is left",
        undone.join("; and ")
    )))
}

/// What follows once a name is on the list; what could not be done is told, and the rest done.
fn after(directory: &Path, file: &SuppressFile, entry: &Entry, why: &str) -> Vec<String> {
    let store = match there(directory) {
        Ok(Some(store)) => store,
        Ok(None) => {
            say(&Clean::new(format!(
                "{}: there is no store here yet; the list holds from the first run on",
                directory.display()
            )));
            return Vec::new();
        }
        Err(error) => {
            return vec![format!(
                "it is not in the journal, and whether a run has reached it is not known: {error}"
            )];
        }
    };
    let steps: [(&str, Result<(), Failure>); 3] = [
        ("its hosts could not be counted", reach::tell(&store, entry)),
        (
            "it is not in the journal",
            journal_added(&store, entry, why),
        ),
        (
            "whether a run has reached it is not known",
            reached(&store, file, &format!("suppress add {entry}")),
        ),
    ];
    let undone = steps.into_iter().filter_map(|(what, done)| {
        let failure = done.err()?;
        Some(format!("{what}: {}", failure.sentence()))
    });
    undone.collect()
}

/// In the journal once, also where the name came on the list before it could be written there.
fn journal_added(store: &Store, entry: &Entry, why: &str) -> Result<(), Failure> {
    let added = format!("suppress add {entry}");
    let removed = format!("suppress remove {entry}");
    let journal = store.reader()?.journal()?;
    let mut actions = journal.iter().rev().map(|noted| &noted.action);
    if actions.find(|action| **action == added || **action == removed) == Some(&added) {
        return Ok(());
    }
    let desk = store.desk()?;
    Ok(desk.journal(&operator(), desk.now()?, &added, why, &removed)?)
}

/// A name comes off the list only if that can be written down: nothing is removed otherwise.
fn remove(global: &Global, entry: &Entry, why: &str) -> Result<Exit, Failure> {
    global.refuse_read_only()?;
    let directory = global.directory()?;
    let file = SuppressFile::in_directory(&directory);
    let unlisted = || {
        Failure::Failed(format!(
            "{entry} is not on the list; `lamplighter suppress list` shows what is"
        ))
    };
    if !file.read()?.0.entries().contains(entry) {
        return Err(unlisted());
    }
    let kept = |failure: Failure| {
        Failure::Failed(format!(
            "{entry} stays on the list, since its removal could not be written down: {}",
            failure.sentence()
        ))
    };
    let store = there(&directory).map_err(|error| kept(error.into()))?;
    let desk = match &store {
        Some(store) => {
            reach::tell(store, entry).map_err(kept)?;
            Some(store.desk().map_err(|error| kept(error.into()))?)
        }
        None => None,
    };
    if !file.remove(entry)? {
        return Err(unlisted());
    }
    let what = format!("suppress remove {entry}");
    if let Some(desk) = desk {
        let inverse = format!("suppress add {entry}");
        desk.journal(&operator(), desk.now()?, &what, why, &inverse)?;
    }
    if let Some(store) = &store {
        reached(store, &file, &what)?;
    }
    Ok(Exit::Done)
}

/// The store, if there is one.
fn there(directory: &Path) -> Result<Option<Store>, StoreError> {
    match Store::existing(directory) {
        Err(StoreError::Missing { .. }) => Ok(None),
        opened => opened.map(Some),
    }
}

fn reached(store: &Store, file: &SuppressFile, what: &str) -> Result<(), Failure> {
    // The list may change again meanwhile: a newer stamp holds what this one did.
    let ours = file.stamp()?;
    reach::wait(store, PATIENCE, what, |control| {
        let reached = &control.suppressed.reached;
        Ok(*reached == ours || *reached == file.stamp()?)
    })
}

fn list(global: &Global) -> Result<Exit, Failure> {
    let (list, _) = SuppressFile::in_directory(&global.directory()?).read()?;
    let mut out = Out::new(global.json);
    for entry in list.entries() {
        if out.is_json() {
            out.object(&Fields {
                entry: entry.to_string(),
            })?;
        } else {
            out.line(&Clean::new(entry.to_string()))?;
        }
    }
    if list.entries().is_empty() && !out.is_json() {
        say(&Clean::new("nothing is suppressed"));
    }
    out.finish()?;
    Ok(Exit::Done)
}
