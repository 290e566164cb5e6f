//! How far a command reaches: hosts it covers, and whether a running engine has reached it (rule 2).

use std::time::{Duration, Instant};

use engine::store::{Control, Store, StoreError};
use engine::suppress::{Entry, List};

use super::output::say;
use crate::engine;
use crate::exit::Failure;
use crate::text::{Clean, fit};

/// How often the engine's answer is looked for.
const POLL: Duration = Duration::from_millis(50);
/// Hosts fetched from the store at a time.
const PAGE: usize = 5_000;

/// How many hosts of the store an entry covers.
pub(crate) fn covered(store: &Store, entry: &Entry) -> Result<u64, StoreError> {
    let list = List::new([entry.clone()]);
    let page = match entry {
        Entry::Page(_, path) => path.as_str(),
        Entry::Domain(_) | Entry::Host(_) => "/",
    };
    let reader = store.reader()?;
    let mut after = None;
    let mut count = 0;
    loop {
        let hosts = reader.hosts(after, PAGE)?;
        let Some(last) = hosts.last() else {
            return Ok(count);
        };
        after = Some(last.id);
        let covered = |host| list.covers_page(host, page).is_some();
        count += hosts.iter().filter(|row| covered(&row.host)).count() as u64;
    }
}

/// Says the reach of an entry before it is acted on.
pub(crate) fn tell(store: &Store, entry: &Entry) -> Result<(), Failure> {
    let hosts = fit::counted(covered(store, entry)?, "host");
    say(&Clean::new(match entry {
        Entry::Domain(name) => {
            format!("{name} and every name below it: {hosts} of this store")
        }
        Entry::Host(host) => format!("{host} alone: {hosts} of this store"),
        Entry::Page(host, path) => {
            format!("the page {path} of {host}: {hosts} of this store")
        }
    }));
    Ok(())
}

/// Whether an engine runs on this store: it holds the run lock.
pub(crate) fn engine_runs(store: &Store) -> Result<bool, StoreError> {
    match store.lock_engine() {
        Ok(lock) => {
            drop(lock);
            Ok(false)
        }
        Err(StoreError::Locked { .. }) => Ok(true),
        Err(error) => Err(error),
    }
}

/// How far what was asked has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reached {
    /// The running engine reached it after this long.
    After(Duration),
    /// No engine runs on this store.
    NoEngine,
    /// An engine runs and has not reached it in the time given.
    NotYet,
}

/// Waits until the running engine has reached what was asked; no longer than `patience`.
pub(crate) fn reached(
    store: &Store,
    patience: Duration,
    mut reached: impl FnMut(&Control) -> Result<bool, Failure>,
) -> Result<Reached, Failure> {
    let begun = Instant::now();
    let reader = store.reader()?;
    loop {
        if reached(&reader.control()?)? {
            return Ok(Reached::After(begun.elapsed()));
        }
        if !engine_runs(store)? {
            return Ok(Reached::NoEngine);
        }
        if begun.elapsed() >= patience {
            return Ok(Reached::NotYet);
        }
        std::thread::sleep(POLL);
    }
}

/// Waits until the running engine has reached what was asked, and says so; with no engine running,
/// says when it will hold.
pub(crate) fn wait(
    store: &Store,
    patience: Duration,
    what: &str,
    look: impl FnMut(&Control) -> Result<bool, Failure>,
) -> Result<(), Failure> {
    let said = match reached(store, patience, look)? {
        Reached::After(time) => format!(
            "{what}: reached by the running engine after {} ms",
            time.as_millis()
        ),
        Reached::NoEngine => {
            format!("{what}: no engine runs on this store; in force from the next run on")
        }
        Reached::NotYet => {
            return Err(Failure::Failed(format!(
                "{what}: asked for and recorded, but the running engine has not reached it after {} s; \
                 it may wait for an answer under way: look again, or stop it",
                patience.as_secs()
            )));
        }
    };
    say(&Clean::new(said));
    Ok(())
}

/// Whether a request's number has been reached; numbers grow.
pub(crate) fn number_reached(reached: &str, wanted: &str) -> bool {
    match (reached.parse::<u64>(), wanted.parse::<u64>()) {
        (Ok(reached), Ok(wanted)) => reached >= wanted,
        _ => !wanted.is_empty() && reached == wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_grow() {
        for (reached, wanted, yes) in [
            ("", "1", false),
            ("9", "10", false),
            ("10", "10", true),
            ("11", "10", true),
            ("a", "a", true),
            ("", "", false),
        ] {
            assert_eq!(number_reached(reached, wanted), yes, "{reached} {wanted}");
        }
    }
}
