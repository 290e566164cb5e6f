//! The suppression list: matching, and the file it lives in.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests stop at the first fault"
)]

use lamplighter::hosts::{Host, NameRules};
use lamplighter::suppress::{Entry, List, SuppressError, SuppressFile};
use proptest::prelude::*;

fn host(text: &str) -> Host {
    Host::parse(text, NameRules::Loopback).unwrap()
}

fn list(entries: &[&str]) -> List {
    List::new(entries.iter().map(|text| text.parse().unwrap()))
}

#[test]
fn names_are_matched_on_label_boundaries() {
    let list = list(&[
        "alder.test",
        "=docs.bramble.test",
        "=api.cedar.test:8080",
        "https://dill.test/a?b=1",
    ]);
    for (name, covered) in [
        ("alder.test", true),
        ("docs.alder.test", true),
        ("a.b.c.alder.test:8443", true),
        ("ALDER.test.", true),
        ("notalder.test", false),
        ("alder.test.example.com", false),
        ("docs.bramble.test", true),
        ("docs.bramble.test:8080", true),
        ("bramble.test", false),
        ("x.docs.bramble.test", false),
        ("api.cedar.test:8080", true),
        ("api.cedar.test", false),
        ("dill.test", false),
    ] {
        assert_eq!(list.covers(&host(name)).is_some(), covered, "{name}");
    }
    for (name, path, covered) in [
        ("dill.test", "/a?b=1", true),
        ("dill.test:8080", "/a?b=1", true),
        ("dill.test", "/%61?b=1", true),
        ("dill.test", "/a", false),
        ("dill.test", "/a?b=2", false),
        ("www.dill.test", "/a?b=1", false),
        ("docs.alder.test", "/anything", true),
    ] {
        let found = list.covers_page(&host(name), path);
        assert_eq!(found.is_some(), covered, "{name}{path}");
    }
    assert_eq!(
        list.covers(&host("x.alder.test")).unwrap().to_string(),
        "alder.test"
    );
}

proptest! {
    #[test]
    fn every_name_below_is_covered_and_no_sibling(
        domain in "[a-z][a-z0-9]{0,8}",
        below in prop::collection::vec("[a-z][a-z0-9]{0,5}", 0..4),
        port in prop::option::of(1024_u16..60000),
        joined in "[a-z]{1,5}",
    ) {
        let suppressed = list(&[&format!("{domain}.test")]);
        let mut name = below.join(".");
        if !name.is_empty() {
            name.push('.');
        }
        let port = port.map(|port| format!(":{port}")).unwrap_or_default();
        let inside = format!("{name}{domain}.test{port}");
        prop_assert!(suppressed.covers(&host(&inside)).is_some(), "{}", inside);
        prop_assert!(suppressed.covers_page(&host(&inside), "/x?y").is_some());
        for outside in [
            format!("{joined}{domain}.test{port}"),
            format!("{domain}{joined}.test{port}"),
            format!("{domain}.x{domain}.test{port}"),
        ] {
            prop_assert!(suppressed.covers(&host(&outside)).is_none(), "{}", outside);
        }
    }
}

#[test]
fn the_file_is_changed_whole_and_stamped() {
    let directory = tempfile::tempdir().unwrap();
    let file = SuppressFile::in_directory(directory.path());
    let path = directory.path().join("suppressed.list");
    let (empty, absent) = file.read().unwrap();
    assert!(empty.entries().is_empty());
    assert_eq!(file.stamp().unwrap(), absent);

    let entry: Entry = "alder.test".parse().unwrap();
    assert!(file.add(&entry).unwrap());
    assert!(!file.add(&entry).unwrap(), "it stood there already");
    let (list, stamp) = file.read().unwrap();
    assert_eq!(list.entries(), std::slice::from_ref(&entry));
    assert_ne!(stamp, absent);
    assert_eq!(file.stamp().unwrap(), stamp);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "alder.test\n");

    std::fs::write(
        &path,
        "\u{feff}# by hand\r\n\r\nBRAMBLE.test\n  =docs.cedar.test\n",
    )
    .unwrap();
    assert_ne!(file.stamp().unwrap(), stamp);
    assert!(file.add(&entry).unwrap());
    let shown: Vec<String> = file
        .read()
        .unwrap()
        .0
        .entries()
        .iter()
        .map(Entry::to_string)
        .collect();
    assert_eq!(shown, ["bramble.test", "=docs.cedar.test", "alder.test"]);
    assert!(file.remove(&"bramble.test".parse().unwrap()).unwrap());
    assert!(!file.remove(&"bramble.test".parse().unwrap()).unwrap());
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "# by hand\n\n  =docs.cedar.test\nalder.test\n");
}

#[test]
fn a_line_that_is_no_entry_stops_everything_and_is_named() {
    let directory = tempfile::tempdir().unwrap();
    let file = SuppressFile::in_directory(directory.path());
    let path = directory.path().join("suppressed.list");
    for bad in ["co.uk", "*.alder.test", "two names.test", "\u{0}"] {
        let text = format!("# first\nalder.test\n{bad}\n");
        std::fs::write(&path, &text).unwrap();
        let error = file.read().unwrap_err();
        assert!(
            matches!(error, SuppressError::Line { line: 3, .. }),
            "{error}"
        );
        assert!(error.to_string().contains("suppressed.list:3"), "{error}");
        assert!(file.add(&"bramble.test".parse().unwrap()).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "untouched");
    }
    std::fs::write(&path, b"alder.test\n\xff\n").unwrap();
    assert!(matches!(
        file.read(),
        Err(SuppressError::Line { line: 2, .. })
    ));
}

#[test]
fn a_list_that_cannot_be_read_is_not_an_empty_one() {
    let directory = tempfile::tempdir().unwrap();
    let file = SuppressFile::in_directory(directory.path());
    let path = directory.path().join("suppressed.list");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(directory.path().join("nowhere"), &path).unwrap();
        assert!(matches!(file.read(), Err(SuppressError::Io { .. })));
        assert!(matches!(file.stamp(), Err(SuppressError::Io { .. })));
    }
}

/// Whatever is asked of the list, it is refused as what it is.
#[cfg(unix)]
fn refused(directory: &std::path::Path, what: &str) {
    let (done, told) = std::sync::mpsc::channel();
    let directory = directory.to_owned();
    // In a thread of its own: a call that waits shall fail the test, not hold it up.
    std::thread::spawn(move || {
        let file = SuppressFile::in_directory(&directory);
        let entry: Entry = "alder.test".parse().unwrap();
        let _ = done.send([
            file.read().map(|_| ()),
            file.stamp().map(|_| ()),
            file.add(&entry).map(|_| ()),
            file.remove(&entry).map(|_| ()),
        ]);
    });
    let answers = told
        .recv_timeout(std::time::Duration::from_secs(5))
        .unwrap_or_else(|_| panic!("{what}: waits"));
    for answer in answers {
        let error = answer.unwrap_err();
        assert!(
            matches!(error, SuppressError::NotAFile { .. }),
            "{what}: {error}"
        );
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_refused_without_waiting() {
    use std::os::unix::fs::symlink;

    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("suppressed.list");
    std::fs::create_dir(&path).unwrap();
    refused(directory.path(), "a directory");
    std::fs::remove_dir(&path).unwrap();

    let socket = std::os::unix::net::UnixListener::bind(&path).unwrap();
    refused(directory.path(), "a pipe, socket or device");
    drop(socket);
    std::fs::remove_file(&path).unwrap();

    symlink("/dev/zero", &path).unwrap();
    refused(directory.path(), "a pipe, socket or device");
    std::fs::remove_file(&path).unwrap();

    let pipe = directory.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    for to in [&path, &path.with_extension("list.lock")] {
        let _ = std::fs::remove_file(to);
        symlink(&pipe, to).unwrap();
        if *to == path {
            refused(directory.path(), "a pipe, socket or device");
        } else {
            let file = SuppressFile::in_directory(directory.path());
            assert!(file.add(&"alder.test".parse().unwrap()).is_err());
        }
        std::fs::remove_file(to).unwrap();
    }

    let real = directory.path().join("shared.list");
    std::fs::write(&real, "alder.test\n").unwrap();
    symlink(&real, &path).unwrap();
    let file = SuppressFile::in_directory(directory.path());
    assert_eq!(file.read().unwrap().0.entries().len(), 1);
    assert!(file.add(&"bramble.test".parse().unwrap()).unwrap());
    assert_eq!(
        std::fs::read_to_string(&real).unwrap(),
        "alder.test\nbramble.test\n"
    );
}

#[test]
fn a_list_that_went_away_can_be_told() {
    let directory = tempfile::tempdir().unwrap();
    let file = SuppressFile::in_directory(directory.path());
    assert_eq!(file.stamp().unwrap(), SuppressFile::absent_stamp());
    assert_eq!(file.read().unwrap().1, SuppressFile::absent_stamp());
    std::fs::write(file.path(), "").unwrap();
    assert_ne!(file.stamp().unwrap(), SuppressFile::absent_stamp());
    assert_ne!(file.read().unwrap().1, SuppressFile::absent_stamp());
    let path = file.path().to_owned();
    let words = SuppressError::Gone { path: path.clone() }.to_string();
    let expected = format!(
        "{}: the suppression list was there and is gone; put it back, or make an empty file if nothing is suppressed: nothing is asked until then",
        path.display()
    );
    assert_eq!(words, expected);
}

#[test]
fn commands_at_the_same_time_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let file = SuppressFile::in_directory(directory.path());
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let file = file.clone();
            scope.spawn(move || {
                for n in 0..10 {
                    let entry = format!("n{n}.worker{worker}.test").parse().unwrap();
                    assert!(file.add(&entry).unwrap());
                    // Whoever reads meanwhile sees a whole list.
                    file.read().unwrap();
                }
            });
        }
    });
    assert_eq!(file.read().unwrap().0.entries().len(), 40);
}
