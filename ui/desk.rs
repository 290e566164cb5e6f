//! What the console does at the desk of a store while no run of its own is under way: the same as
//! the commands do, in one sentence and without printing.

use std::time::Duration;

use engine::store::{Control, Hold, Store};
use engine::suppress::{Entry, SuppressFile};

use crate::cli::operator;
use crate::cli::reach::{self, Reached};
use crate::engine;
use crate::exit::Failure;
use crate::msg::Wanted;

/// How long a run in another terminal is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Does it and says what holds from when.
pub(crate) fn act(store: &Store, wanted: Wanted) -> Result<String, Failure> {
    match wanted {
        Wanted::Hold(scope) => hold(store, scope),
        Wanted::Release(scope) => release(store, &scope),
        Wanted::Suppress(entry) => suppress(store, &entry),
        Wanted::Pause => pause(store, true),
        Wanted::Resume => pause(store, false),
    }
}

fn hold(store: &Store, scope: Entry) -> Result<String, Failure> {
    let desk = store.desk()?;
    let hold = Hold {
        scope,
        since: desk.now()?,
        by: operator(),
        why: String::new(),
    };
    match desk.hold(&hold)? {
        Some(number) => by_number(store, &number, |control| &control.holds.reached),
        None => Ok("held already".to_owned()),
    }
}

fn release(store: &Store, scope: &Entry) -> Result<String, Failure> {
    let desk = store.desk()?;
    match desk.release(scope, &operator(), desk.now()?)? {
        Some(number) => by_number(store, &number, |control| &control.holds.reached),
        None => Ok("not held under that name".to_owned()),
    }
}

/// OO4: the list first.
fn suppress(store: &Store, entry: &Entry) -> Result<String, Failure> {
    let file = SuppressFile::in_directory(store.directory());
    if !file.add(entry)? {
        return Ok("on the list already".to_owned());
    }
    let (added, removed) = (
        format!("suppress add {entry}"),
        format!("suppress remove {entry}"),
    );
    let desk = store.desk()?;
    desk.journal(&operator(), desk.now()?, &added, "", &removed)?;
    let ours = file.stamp()?;
    let reached = reach::reached(store, PATIENCE, |control| {
        let reached = &control.suppressed.reached;
        Ok(*reached == ours || *reached == file.stamp()?)
    })?;
    Ok(words(reached))
}

fn pause(store: &Store, paused: bool) -> Result<String, Failure> {
    let desk = store.desk()?;
    let number = desk.request_pause(paused, &operator(), desk.now()?)?;
    by_number(store, &number, |control| &control.pause.reached)
}

fn by_number(
    store: &Store,
    number: &str,
    of: impl Fn(&Control) -> &String,
) -> Result<String, Failure> {
    let reached = reach::reached(store, PATIENCE, |control| {
        Ok(reach::number_reached(of(control), number))
    })?;
    Ok(words(reached))
}

fn words(reached: Reached) -> String {
    match reached {
        Reached::After(_) => "reached by the run of another terminal".to_owned(),
        Reached::NoEngine => "no run is under way; in force from the next one on".to_owned(),
        Reached::NotYet => {
            "written down; the run of another terminal has not reached it yet".to_owned()
        }
    }
}
