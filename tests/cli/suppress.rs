//! `suppress`: the list is what stops, whatever state the store is in.

use std::path::Path;

use lamplighter::store::Store;

use super::{in_store, list_file, out, said};

fn listed(store: &Path) -> String {
    std::fs::read_to_string(store.join("suppressed.list")).unwrap_or_default()
}

fn store_of(place: &Path, hosts: &str) -> std::path::PathBuf {
    let store = place.join("store");
    let list = list_file(place, hosts);
    let imported = in_store(&store, &["hosts", "import", "list", &list]);
    assert!(imported.status.success(), "{}", said(&imported));
    store
}

/// Ways in which a store cannot be used; the list stands beside it all the same.
#[test]
fn a_name_is_on_the_list_before_anything_can_fail() {
    type Break = fn(&Path);
    let table: [(&str, Break, &str); 5] = [
        (
            "cut short",
            |file| std::fs::write(file, "").unwrap(),
            "is empty",
        ),
        (
            "not a database",
            |file| std::fs::write(file, "x".repeat(5_000)).unwrap(),
            "not a database",
        ),
        (
            "damaged inside",
            |file| {
                let mut bytes = std::fs::read(file).unwrap();
                bytes[100..].fill(0xff);
                std::fs::write(file, bytes).unwrap();
            },
            "damaged",
        ),
        (
            "of a newer version",
            |file| {
                let conn = rusqlite::Connection::open(file).unwrap();
                conn.pragma_update(None, "user_version", 99).unwrap();
            },
            "newer version",
        ),
        (
            "without its tables",
            |file| {
                let conn = rusqlite::Connection::open(file).unwrap();
                conn.execute_batch("DROP TABLE journal; DROP TABLE holds")
                    .unwrap();
            },
            "journal",
        ),
    ];
    for (what, damage, word) in table {
        let place = tempfile::tempdir().unwrap();
        let store = store_of(place.path(), "docs.example.com\n");
        damage(&store.join("lamplighter.db"));
        let added = in_store(&store, &["suppress", "add", "example.com"]);
        let told = said(&added);
        assert_eq!(added.status.code(), Some(1), "{what}: {told}");
        assert_eq!(listed(&store), "example.com\n", "{what}: {told}");
        assert!(
            told.contains("example.com is on the list"),
            "{what}: {told}"
        );
        assert!(told.contains(word), "{what}: {told}");
        // Nothing is taken off a list where that cannot be written down.
        let removed = in_store(&store, &["suppress", "remove", "example.com"]);
        assert_eq!(removed.status.code(), Some(1), "{what}");
        assert_eq!(
            listed(&store),
            "example.com\n",
            "{what}: {}",
            said(&removed)
        );
        assert!(said(&removed).contains("stays on the list"), "{what}");
    }
}

/// A near miss is asked back or remarked; it never stops less than was meant in silence.
#[test]
fn near_misses_are_told() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    for text in [
        "https://example.com",
        "http://example.com",
        "example.com/",
        "*.example.com",
    ] {
        let refused = in_store(&store, &["suppress", "add", text]);
        assert_eq!(refused.status.code(), Some(2), "{text}");
        let told = said(&refused);
        assert!(
            told.contains("write example.com (with all names below it)"),
            "{told}"
        );
        assert_eq!(listed(&store), "", "{text}");
        let held = in_store(&store, &["hold", "add", text]);
        assert_eq!(held.status.code(), Some(2), "{text}");
        assert!(
            said(&held).contains("write example.com (with"),
            "{}",
            said(&held)
        );
    }
    for (text, entry, word) in [
        (
            "http://example.com/",
            "https://example.com/",
            "one page alone",
        ),
        (
            "WWW.Example.com. ",
            "www.example.com",
            "write example.com for all",
        ),
        ("bücher.de", "xn--bcher-kva.de", "read as xn--bcher-kva.de"),
        ("example.org", "example.org", "is on the list now"),
    ] {
        let added = in_store(&store, &["suppress", "add", text]);
        assert_eq!(added.status.code(), Some(0), "{text}: {}", said(&added));
        assert!(said(&added).contains(word), "{text}: {}", said(&added));
        assert!(listed(&store).lines().any(|line| line == entry), "{text}");
    }
    // A list that was written by hand says the same, and nothing is asked.
    std::fs::write(store.join("suppressed.list"), "https://example.com\n").unwrap();
    let read = in_store(&store, &["suppress", "list"]);
    assert_eq!(read.status.code(), Some(1));
    assert!(said(&read).contains("suppressed.list:1"), "{}", said(&read));
}

#[test]
fn a_locked_store_delays_the_journal_and_not_the_list() {
    let place = tempfile::tempdir().unwrap();
    let store = store_of(place.path(), "docs.example.com\n");
    let conn = rusqlite::Connection::open(store.join("lamplighter.db")).unwrap();
    conn.execute_batch("BEGIN IMMEDIATE").unwrap();
    let added = in_store(&store, &["suppress", "add", "example.com"]);
    assert_eq!(added.status.code(), Some(1), "{}", said(&added));
    assert_eq!(listed(&store), "example.com\n");
    assert!(
        said(&added).contains("not in the journal"),
        "{}",
        said(&added)
    );
    conn.execute_batch("ROLLBACK").unwrap();
    drop(conn);
    let journal = || {
        let reader = Store::existing(&store).unwrap().reader().unwrap();
        let entries = reader.journal().unwrap().into_iter();
        entries.map(|entry| entry.action).collect::<Vec<_>>()
    };
    assert_eq!(journal(), [""; 0]);
    // As the sentence says: the same command again, and then no second entry.
    for _ in 0..2 {
        let again = in_store(&store, &["suppress", "add", "example.com"]);
        assert_eq!(again.status.code(), Some(0), "{}", said(&again));
        assert!(said(&again).contains("already"), "{}", said(&again));
        assert_eq!(journal(), ["suppress add example.com"]);
    }
    assert_eq!(
        out(&in_store(&store, &["suppress", "list"])),
        "example.com\n"
    );
}
