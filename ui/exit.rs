//! How a command ends: one exit code, and at most one plain sentence.

use std::io;
use std::path::Path;
use std::process::ExitCode;

use engine::crawl::CrawlError;
use engine::failpoint::FailpointError;
use engine::fetch::WebError;
use engine::miniweb::MiniWebError;
use engine::policy::{OverrideError, PolicyError};
use engine::remedy;
use engine::store::StoreError;
use engine::suppress::{EntryError, SuppressError};

use crate::engine;
use crate::text::Clean;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done,
    /// Done, but a promise was breached.
    Breached,
    /// Interrupted, after a clean drain.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(match exit {
            Exit::Done => 0,
            Exit::Breached => 3,
            Exit::Interrupted => 130,
        })
    }
}

/// Why a command did not do its work.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line asks for something that cannot be: exit 2.
    Usage(String),
    /// It failed: exit 1.
    Failed(String),
    /// Whoever read our output has gone, which is no error.
    ReaderGone,
}

impl Failure {
    /// What it says, if anything.
    pub(crate) fn sentence(&self) -> &str {
        match self {
            Failure::Usage(sentence) | Failure::Failed(sentence) => sentence,
            Failure::ReaderGone => "",
        }
    }

    /// Tells it on stderr and gives the exit code.
    pub(crate) fn end(self) -> ExitCode {
        match self {
            Failure::Usage(sentence) => {
                crate::cli::output::say(&Clean::new(sentence));
                ExitCode::from(2)
            }
            Failure::Failed(sentence) => {
                crate::cli::output::say(&Clean::new(sentence));
                ExitCode::FAILURE
            }
            Failure::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

/// Whose mistake an error is. 2: the command line itself, which must be another one whatever the state
/// of things: words that mean nothing, and things of the wrong kind (a directory for a file, the store
/// of another policy). 1: the command is right, and failed: what it names is not there, is damaged or
/// full, or does not answer. This is the one place that decides.
trait Mistake: std::fmt::Display {
    fn is_usage(&self) -> bool;
}

impl Mistake for StoreError {
    fn is_usage(&self) -> bool {
        match self {
            StoreError::Io { source, .. } => is_wrong_kind(source),
            StoreError::OtherPolicy { .. }
            | StoreError::OtherReach { .. }
            | StoreError::ReadOnly
            | StoreError::Occupied { .. } => true,
            _ => false,
        }
    }
}

impl Mistake for CrawlError {
    fn is_usage(&self) -> bool {
        match self {
            CrawlError::Store(error) => error.is_usage(),
            CrawlError::Suppress(error) => error.is_usage(),
            CrawlError::Plan { .. } => true,
            CrawlError::Fault(_) => false,
        }
    }
}

impl Mistake for WebError {
    fn is_usage(&self) -> bool {
        match self {
            WebError::NotLoopback(_) | WebError::Source(_) | WebError::NoSource => true,
            WebError::Ca { .. } | WebError::Setup(_) => false,
        }
    }
}

impl Mistake for PolicyError {
    fn is_usage(&self) -> bool {
        match self {
            PolicyError::Unknown { .. } => true,
            PolicyError::Read { source, .. } => is_wrong_kind(source),
            PolicyError::Invalid { .. } => false,
        }
    }
}

impl Mistake for MiniWebError {
    fn is_usage(&self) -> bool {
        false
    }
}

impl Mistake for SuppressError {
    fn is_usage(&self) -> bool {
        false
    }
}

impl Mistake for OverrideError {
    fn is_usage(&self) -> bool {
        true
    }
}

impl Mistake for EntryError {
    fn is_usage(&self) -> bool {
        true
    }
}

impl Mistake for FailpointError {
    fn is_usage(&self) -> bool {
        true
    }
}

/// A directory where a file is asked for, or the other way round.
fn is_wrong_kind(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory
    )
}

impl<E: Mistake> From<E> for Failure {
    fn from(error: E) -> Failure {
        if error.is_usage() {
            Failure::Usage(error.to_string())
        } else {
            Failure::Failed(error.to_string())
        }
    }
}

impl Failure {
    /// A file named on the command line that cannot be read.
    pub(crate) fn unreadable(file: &Path, error: &io::Error) -> Failure {
        let sentence = format!("{}: {}", file.display(), remedy::told(error));
        if is_wrong_kind(error) {
            Failure::Usage(sentence)
        } else {
            Failure::Failed(sentence)
        }
    }
}
