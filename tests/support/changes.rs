//! The changes a store has written, against those that its versions and states tell by themselves.

use std::path::Path;

use lamplighter::store::{
    ChangeFacts, ChangeKey, ChangeKind, ChangeLine, ChangeSpan, Reader, RunId, Store,
};

/// One change as both ways tell it: run, place, kind, whether it was gone, versions.
pub(crate) type Told = (RunId, ChangeKey, ChangeKind, bool, Option<u32>, Option<u32>);

/// All changes of all runs, less what was sent whole and unchanged: that leaves no trace elsewhere.
pub(crate) fn listed(reader: &Reader) -> Vec<(Told, ChangeLine)> {
    let differs = &mut |facts: &ChangeFacts<'_>| facts.kind != ChangeKind::UnchangedByContent;
    let mut runs = reader.runs().unwrap();
    runs.sort_by_key(|run| run.id);
    let of = |line: ChangeLine, run| {
        let told = (
            run,
            line.key,
            line.kind,
            line.was_gone,
            line.before,
            line.now,
        );
        (told, line)
    };
    let mut all = Vec::new();
    for run in runs {
        let span = ChangeSpan {
            since: None,
            to: run.id,
        };
        let lines = reader
            .changes_after(span, None, usize::MAX, differs)
            .unwrap();
        all.extend(lines.into_iter().map(|line| of(line, run.id)));
    }
    all
}

/// Takes a store back to what an older version would have left.
pub(crate) fn as_of_schema_3(file: &Path) {
    let conn = rusqlite::Connection::open(file).unwrap();
    conn.execute_batch(
        "DROP TABLE changes; ALTER TABLE runs DROP COLUMN sparse;
         ALTER TABLE spans DROP COLUMN status;
         DELETE FROM totals WHERE kind IN ('change', 'not_asked'); PRAGMA user_version = 3;",
    )
    .unwrap();
}

/// Nothing of what changed is missing or made up, and the counts are those of the lists.
pub(crate) fn agree(store: &Store) -> usize {
    let place = tempfile::tempdir().unwrap();
    let copy = place.path().join("copy");
    store.copy(&copy).unwrap();
    as_of_schema_3(&copy.join("lamplighter.db"));
    let anew = Store::existing(&copy).unwrap().reader().unwrap();
    let reader = store.reader().unwrap();
    let told = |reader: &Reader| -> Vec<Told> {
        listed(reader).into_iter().map(|(told, _)| told).collect()
    };
    let written = told(&reader);
    assert_eq!(
        written,
        told(&anew),
        "written, and told by versions and states"
    );
    for run in reader.runs().unwrap() {
        let span = ChangeSpan {
            since: None,
            to: run.id,
        };
        let index = reader.change_index(span, &mut |_: &ChangeFacts<'_>| true);
        assert_eq!(index.unwrap().counts, reader.change_counts(run.id).unwrap());
    }
    written.len()
}
