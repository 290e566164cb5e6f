//! Hosts from a list file into the store, each refused line told with its reason.

use std::cell::RefCell;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use engine::hosts::{Entry, ListReader, NameRules, Reject};
use engine::store::{ImportReport, Source, Store};
use jiff::Timestamp;

use crate::engine;
use crate::exit::Failure;

type Lines = ListReader<BufReader<File>>;

/// A plain list, read as far as its first host, so that nothing is made for one that has none. It is
/// read once only: it may be a pipe.
pub(crate) struct List {
    source: Source,
    /// Lines refused before the first host.
    refused: u64,
    rest: Rest,
}

enum Rest {
    /// The first host, and what follows it.
    Hosts(Entry, Box<Lines>),
    /// No host: the digest of the whole list.
    Nothing(String),
}

impl List {
    /// Opens a list. `rejected` gets every line refused before the first host.
    pub(crate) fn open(
        file: &Path,
        rules: NameRules,
        now: Timestamp,
        rejected: &mut dyn FnMut(&Reject),
    ) -> Result<List, Failure> {
        let failed = |error| Failure::unreadable(file, &error);
        let input = File::open(file).map_err(failed)?;
        let meta = input.metadata().map_err(failed)?;
        if meta.is_dir() {
            return Err(Failure::Usage(format!(
                "{}: is a directory; give a file of one host a line",
                file.display()
            )));
        }
        let source = source(file, &meta, now);
        let mut lines = ListReader::new(BufReader::new(input), rules);
        let mut refused = 0;
        let rest = loop {
            match lines.next() {
                Some(Ok(first)) => break Rest::Hosts(first, Box::new(lines)),
                Some(Err(reject)) => {
                    refused += 1;
                    rejected(&reject);
                }
                None => match lines.finish() {
                    (digest, None) => break Rest::Nothing(digest),
                    (_, Some(error)) => return Err(failed(error)),
                },
            }
        };
        Ok(List {
            source,
            refused,
            rest,
        })
    }

    /// Whether it names a host at all.
    pub(crate) fn has_host(&self) -> bool {
        matches!(self.rest, Rest::Hosts(..))
    }

    /// Imports it into the store that `open` gives, which is not asked for if there is nothing to
    /// import. `rejected` gets the other refused lines.
    pub(crate) fn import(
        self,
        open: impl FnOnce() -> Result<Store, Failure>,
        rejected: &mut dyn FnMut(&Reject),
    ) -> Result<ImportReport, Failure> {
        let (first, lines) = match self.rest {
            Rest::Hosts(first, lines) => (first, *lines),
            Rest::Nothing(sha256) => {
                return Ok(ImportReport {
                    rejected: self.refused,
                    sha256,
                    ..ImportReport::default()
                });
            }
        };
        let store = open()?;
        // Asked twice: for its entries, and at the end for the digest of what it read.
        let lines = RefCell::new(Some(lines));
        let mut entries = std::iter::once(Ok(first))
            .chain(std::iter::from_fn(|| lines.borrow_mut().as_mut()?.next()));
        let mut digest = || match lines.borrow_mut().take().map(ListReader::finish) {
            Some((digest, None)) => Ok(digest),
            Some((_, Some(error))) => Err(error),
            None => Err(std::io::Error::other("the list was read twice")),
        };
        let mut report = store.import(&self.source, &mut entries, rejected, &mut digest)?;
        report.rejected += self.refused;
        Ok(report)
    }
}

fn source(file: &Path, meta: &std::fs::Metadata, now: Timestamp) -> Source {
    let name = file.file_name().map_or_else(
        || file.display().to_string(),
        |name| name.to_string_lossy().into_owned(),
    );
    let modified = meta.modified().ok();
    Source {
        kind: "list".to_owned(),
        name,
        date: modified
            .and_then(|time| Timestamp::try_from(time).ok())
            .unwrap_or(now),
        imported: now,
    }
}
