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
        Suppress::Add { entry, why } => change(global, &entry.parse()?, &why, true),
        Suppress::Remove { entry, why } => change(global, &entry.parse()?, &why, false),
        Suppress::List => list(global),
    }
}

fn change(global: &Global, entry: &Entry, why: &str, add: bool) -> Result<Exit, Failure> {
    global.refuse_read_only()?;
    let directory = global.directory()?;
    // An opt-out must not fail because no run was made yet: the list stands beside the store.
    let before = there(&directory)?;
    if let Some(store) = &before {
        reach::tell(store, entry)?;
    }
    std::fs::create_dir_all(&directory).map_err(|source| StoreError::Io {
        path: directory.clone(),
        source,
    })?;
    let file = SuppressFile::in_directory(&directory);
    let changed = if add {
        file.add(entry)?
    } else {
        file.remove(entry)?
    };
    if !changed && !add {
        return Err(Failure::Failed(format!(
            "{entry} is not on the list; `lamplighter suppress list` shows what is"
        )));
    }
    if !changed {
        say(&Clean::new(format!("{entry} was on the list already")));
    }
    // A run may have begun meanwhile and have read the list as it was.
    let store = match before {
        Some(store) => Some(store),
        None => there(&directory)?,
    };
    match store {
        Some(store) => reached(&store, &file, entry, why, add, changed)?,
        None => say(&Clean::new(format!(
            "{}: there is no store here yet; the list holds from the first run on",
            directory.display()
        ))),
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

fn reached(
    store: &Store,
    file: &SuppressFile,
    entry: &Entry,
    why: &str,
    add: bool,
    changed: bool,
) -> Result<(), Failure> {
    let (action, inverse) = if add {
        ("suppress add", "suppress remove")
    } else {
        ("suppress remove", "suppress add")
    };
    if changed {
        let desk = store.desk()?;
        desk.journal(
            &operator(),
            desk.now()?,
            &format!("{action} {entry}"),
            why,
            &format!("{inverse} {entry}"),
        )?;
    }
    // The list may change again meanwhile: a newer stamp holds what this one did.
    let ours = file.stamp()?;
    reach::wait(store, PATIENCE, &format!("{action} {entry}"), |control| {
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
    out.finish()?;
    Ok(Exit::Done)
}
