//! What the system's errors mean and what to do about them, one plain sentence each.

use std::io::{Error, ErrorKind};

/// What happened and what to do: `permission is denied; check its owner and permissions`.
///
/// The words follow a path or a subject and a colon; no full stop, no number of the system's.
pub fn told(error: &Error) -> String {
    match known(error) {
        Some(sentence) => sentence.to_owned(),
        None => format!("{}; try again, or use another place", words(error)),
    }
}

/// The system's own words without its number.
fn words(error: &Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error") {
        Some((words, _)) => words.to_lowercase(),
        None => text,
    }
}

/// Errors that people meet.
fn known(error: &Error) -> Option<&'static str> {
    if let Some(sentence) = error.raw_os_error().and_then(numbered) {
        return Some(sentence);
    }
    Some(match error.kind() {
        ErrorKind::PermissionDenied => "permission is denied; check its owner and permissions",
        ErrorKind::ReadOnlyFilesystem => {
            "its file system is mounted read-only; mount it for writing, or use another place"
        }
        ErrorKind::StorageFull => "the disk is full; free some space and run again",
        ErrorKind::QuotaExceeded => {
            "the quota of this user is used up; free some space and run again"
        }
        ErrorKind::FileTooLarge => {
            "a file may not grow that large here; raise the limit (ulimit -f), or use another place"
        }
        ErrorKind::NotFound => "it is not there; check the path",
        ErrorKind::NotADirectory => {
            "a part of this path is a file, not a directory; check the path"
        }
        ErrorKind::IsADirectory => "it is a directory, not a file; check the path",
        ErrorKind::InvalidFilename => "the path is too long or holds what no name may; use another",
        ErrorKind::StaleNetworkFileHandle | ErrorKind::TimedOut => {
            "its file system does not answer; check the mount and run again"
        }
        ErrorKind::OutOfMemory => "there is no memory left; end other programs and run again",
        _ => return None,
    })
}

/// Errors without a kind of their own, by their number on Unix.
#[cfg(unix)]
fn numbered(number: i32) -> Option<&'static str> {
    const EIO: i32 = 5;
    const ENFILE: i32 = 23;
    const EMFILE: i32 = 24;
    const ELOOP: i32 = 40;
    match number {
        EIO => Some(
            "the disk could not be read or written; look into the system's messages (dmesg), and go \
             back to a copy if it happens again",
        ),
        EMFILE | ENFILE => Some(
            "too many files are open; raise the limit (ulimit -n) or end other programs, and run again",
        ),
        ELOOP => Some("its links lead in a circle; mend them, or use another place"),
        _ => None,
    }
}

#[cfg(not(unix))]
fn numbered(_: i32) -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn every_error_people_meet_says_what_to_do() {
        for (number, word) in [
            (1, "permissions"),
            (2, "check the path"),
            (5, "copy"),
            (13, "permissions"),
            (20, "check the path"),
            (21, "check the path"),
            (23, "ulimit -n"),
            (24, "ulimit -n"),
            (27, "ulimit -f"),
            (28, "free some space"),
            (30, "read-only"),
            (36, "too long"),
            (40, "circle"),
            (116, "mount"),
            (122, "quota"),
            // One that nobody thought of still says something to do.
            (71, "try again"),
        ] {
            let said = told(&Error::from_raw_os_error(number));
            assert!(said.contains(word), "{number}: {said}");
            assert!(said.contains("; "), "{number}: {said}");
            assert!(!said.contains("os error"), "{number}: {said}");
        }
    }
}
