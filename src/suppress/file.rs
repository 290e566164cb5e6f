//! The file: read whole, changed whole, noticed when it changes.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::{Entry, List};

/// Stamp of a list that is not there.
const ABSENT: &str = "absent";

/// A list file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SuppressError {
    /// Reading or writing failed.
    #[error("{}: {}; nothing is asked until the suppression list can be read", path.display(), crate::remedy::told(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Something else than a file stands in its place; it was not opened.
    #[error("{}: this is {what}, not a file of text; put a file in its place: nothing is asked until then", path.display())]
    NotAFile {
        /// Where it stands.
        path: PathBuf,
        /// What it is, with its article.
        what: &'static str,
    },
    /// A list that was read before is not there any more; for whoever knows that it was.
    #[error("{}: the suppression list was there and is gone; put it back, or make an empty file if nothing is suppressed: nothing is asked until then", path.display())]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// A line is no entry.
    #[error("{}:{line}: {problem}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// 1-based line.
        line: usize,
        /// What is wrong and what to write.
        problem: String,
    },
}

/// The list file of a data directory.
#[derive(Clone, Debug)]
pub struct SuppressFile {
    path: PathBuf,
}

impl SuppressFile {
    /// The file in `directory`; it need not exist, which is an empty list.
    pub fn in_directory(directory: &Path) -> SuppressFile {
        SuppressFile {
            path: directory.join("suppressed.list"),
        }
    }

    /// The stamp of a list that is not there.
    pub fn absent_stamp() -> &'static str {
        ABSENT
    }

    /// Where the list stands.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the list, with a stamp that changes whenever the file does (mtime, ctime, size, inode).
    /// Comments and blank lines are passed over; any other line that is no entry is an error.
    /// Never waits: what is no regular file is refused unopened.
    pub fn read(&self) -> Result<(List, String), SuppressError> {
        let (lines, stamp) = self.lines()?;
        let entries = lines.into_iter().filter_map(|line| line.entry);
        Ok((List::new(entries), stamp))
    }

    /// The present stamp, cheap enough to ask for five times a second; an unreadable file is an error.
    pub fn stamp(&self) -> Result<String, SuppressError> {
        match std::fs::metadata(&self.path) {
            Ok(data) => {
                regular(&self.path, &data)?;
                Ok(stamp(&data))
            }
            Err(error) => self.absent(error),
        }
    }

    /// Refuses a list that was there, by the stamp known before, and is gone now: nobody can tell
    /// what it held, and doubt means no (OO4).
    pub fn refuse_gone(&self, before: &str, now: &str) -> Result<(), SuppressError> {
        let absent = SuppressFile::absent_stamp();
        if now == absent && !before.is_empty() && before != absent {
            return Err(SuppressError::Gone {
                path: self.path.clone(),
            });
        }
        Ok(())
    }

    /// Adds an entry; false if it stood there already.
    pub fn add(&self, entry: &Entry) -> Result<bool, SuppressError> {
        self.change(|lines| {
            if lines.iter().any(|line| line.entry.as_ref() == Some(entry)) {
                return false;
            }
            lines.push(Line {
                text: entry.to_string(),
                entry: Some(entry.clone()),
            });
            true
        })
    }

    /// Removes an entry; false if it was not there.
    pub fn remove(&self, entry: &Entry) -> Result<bool, SuppressError> {
        self.change(|lines| {
            let before = lines.len();
            lines.retain(|line| line.entry.as_ref() != Some(entry));
            lines.len() < before
        })
    }

    /// No file is an empty list; a link that leads nowhere is a list we cannot read.
    fn absent(&self, error: std::io::Error) -> Result<String, SuppressError> {
        let missing = error.kind() == ErrorKind::NotFound
            && std::fs::symlink_metadata(&self.path)
                .is_err_and(|error| error.kind() == ErrorKind::NotFound);
        if missing {
            return Ok(ABSENT.to_owned());
        }
        Err(self.io(error))
    }

    fn io(&self, source: std::io::Error) -> SuppressError {
        SuppressError::Io {
            path: self.path.clone(),
            source,
        }
    }

    fn lines(&self) -> Result<(Vec<Line>, String), SuppressError> {
        // Opening a pipe or a device may wait for somebody else, or do something.
        let opened = match std::fs::metadata(&self.path) {
            Ok(data) => regular(&self.path, &data).map(|()| open_at_once(&self.path))?,
            Err(error) => Err(error),
        };
        let mut file = match opened {
            Ok(file) => file,
            Err(error) => return Ok((Vec::new(), self.absent(error)?)),
        };
        // The stamp is taken before the text: a change in between is seen as one.
        let data = file.metadata().map_err(|error| self.io(error))?;
        // What was opened need not be what was looked at.
        regular(&self.path, &data)?;
        let stamp = stamp(&data);
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .map_err(|error| self.io(error))?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let mut lines: Vec<Line> = bytes
            .split(|byte| *byte == b'\n')
            .enumerate()
            .map(|(index, line)| self.line(index + 1, line))
            .collect::<Result<_, _>>()?;
        // What follows the last line end is no line.
        if lines.last().is_some_and(|line| line.text.is_empty()) {
            lines.pop();
        }
        Ok((lines, stamp))
    }

    fn line(&self, number: usize, bytes: &[u8]) -> Result<Line, SuppressError> {
        let wrong = |problem: String| SuppressError::Line {
            path: self.path.clone(),
            line: number,
            problem,
        };
        let text = std::str::from_utf8(bytes)
            .map_err(|_| {
                wrong("this line is not UTF-8; write one entry a line, as text".to_owned())
            })?
            .trim_end_matches('\r');
        let content = text.trim();
        let entry = if content.is_empty() || content.starts_with('#') {
            None
        } else {
            let parsed = content.parse().map_err(|error: super::EntryError| {
                wrong(format!(
                    "{error}; nothing is asked until this line is mended"
                ))
            })?;
            Some(parsed)
        };
        Ok(Line {
            text: text.to_owned(),
            entry,
        })
    }

    /// Reads, changes and writes the list whole, alone by a lock of its own.
    fn change(&self, change: impl FnOnce(&mut Vec<Line>) -> bool) -> Result<bool, SuppressError> {
        let failed = |error| self.io(error);
        let directory = self.path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(directory).map_err(failed)?;
        let path = self.path.with_extension("list.lock");
        if let Ok(data) = std::fs::metadata(&path) {
            regular(&path, &data)?;
        }
        let lock = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        lock.lock().map_err(failed)?;
        let (mut lines, _) = self.lines()?;
        if !change(&mut lines) {
            return Ok(false);
        }
        self.write(&lines).map_err(failed)?;
        Ok(true)
    }

    /// Whole, to a file beside it, then renamed: a reader sees the old list or the new one.
    fn write(&self, lines: &[Line]) -> Result<(), std::io::Error> {
        // The list may be a link to one shared between stores; the link stays.
        let path = match std::fs::canonicalize(&self.path) {
            Ok(path) => path,
            Err(error) if error.kind() == ErrorKind::NotFound => self.path.clone(),
            Err(error) => return Err(error),
        };
        let mut text = String::new();
        for line in lines {
            text.push_str(&line.text);
            text.push('\n');
        }
        let temporary = path.with_extension("list.new");
        let mut file = File::create(&temporary)?;
        if let Ok(old) = std::fs::metadata(&path) {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        drop(file);
        std::fs::rename(&temporary, &path)?;
        #[cfg(unix)]
        if let Some(directory) = path.parent().filter(|path| !path.as_os_str().is_empty()) {
            File::open(directory)?.sync_all()?;
        }
        Ok(())
    }
}

/// Refuses what is no regular file, or a link to one.
fn regular(path: &Path, data: &Metadata) -> Result<(), SuppressError> {
    if data.is_file() {
        return Ok(());
    }
    Err(SuppressError::NotAFile {
        path: path.to_owned(),
        what: if data.is_dir() {
            "a directory"
        } else {
            "a pipe, socket or device"
        },
    })
}

/// Opens for reading without waiting, should a pipe have taken the file's place just now.
#[cfg(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
))]
fn open_at_once(path: &Path) -> std::io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    /// O_NONBLOCK of these systems.
    const AT_ONCE: i32 = 0o4000;
    OpenOptions::new()
        .read(true)
        .custom_flags(AT_ONCE)
        .open(path)
}

#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64")
)))]
fn open_at_once(path: &Path) -> std::io::Result<File> {
    File::open(path)
}

/// One line as written and what it says; comments are kept as they are.
struct Line {
    text: String,
    entry: Option<Entry>,
}

#[cfg(unix)]
fn stamp(data: &Metadata) -> String {
    use std::os::unix::fs::MetadataExt;
    format!(
        "{}.{:09}-{}.{:09}-{}-{}",
        data.mtime(),
        data.mtime_nsec(),
        data.ctime(),
        data.ctime_nsec(),
        data.size(),
        data.ino()
    )
}

#[cfg(not(unix))]
fn stamp(data: &Metadata) -> String {
    let changed = data
        .modified()
        .ok()
        .and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok())
        .unwrap_or_default();
    format!("{}-{}", changed.as_nanos(), data.len())
}
