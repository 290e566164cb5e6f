//! Hosts from a list file into the store, each refused line told with its reason.

use std::cell::RefCell;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::rc::Rc;

use engine::hosts::{Entry, ListReader, NameRules, Reject};
use engine::remedy;
use engine::store::{ImportReport, Source, Store};
use jiff::Timestamp;

use crate::engine;
use crate::exit::Failure;

/// The reader is asked twice: for its entries, and at the end for the digest of what it read.
type Shared = Rc<RefCell<Option<ListReader<BufReader<File>>>>>;

struct Entries(Shared);

impl Iterator for Entries {
    type Item = Result<Entry, Reject>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.borrow_mut().as_mut()?.next()
    }
}

/// Imports a plain list. `rejected` gets every refused line.
pub(crate) fn list(
    store: &Store,
    file: &Path,
    rules: NameRules,
    now: Timestamp,
    rejected: &mut dyn FnMut(&Reject),
) -> Result<ImportReport, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::Failed(format!("{}: {}", file.display(), remedy::told(&error)))
    };
    let input = File::open(file).map_err(unreadable)?;
    let meta = input.metadata().map_err(unreadable)?;
    if meta.is_dir() {
        return Err(Failure::Failed(format!(
            "{}: is a directory; give a file of one host a line",
            file.display()
        )));
    }
    let source = Source {
        kind: "list".to_owned(),
        name: file.file_name().map_or_else(
            || file.display().to_string(),
            |name| name.to_string_lossy().into_owned(),
        ),
        date: meta
            .modified()
            .ok()
            .and_then(|time| Timestamp::try_from(time).ok())
            .unwrap_or(now),
        imported: now,
    };
    let reader = ListReader::new(BufReader::new(input), rules);
    let shared: Shared = Rc::new(RefCell::new(Some(reader)));
    let mut digest = || match shared.borrow_mut().take().map(ListReader::finish) {
        Some((digest, None)) => Ok(digest),
        Some((_, Some(error))) => Err(error),
        None => Err(std::io::Error::other("the list was read twice")),
    };
    let mut entries = Entries(Rc::clone(&shared));
    Ok(store.import(&source, &mut entries, rejected, &mut digest)?)
}
