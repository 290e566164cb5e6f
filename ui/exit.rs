//! How a command ends: one exit code, and at most one plain sentence.

use std::process::ExitCode;

use engine::crawl::CrawlError;
use engine::fetch::WebError;
use engine::miniweb::MiniWebError;
use engine::policy::{OverrideError, PolicyError};
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

macro_rules! failed {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Failed(error.to_string())
            }
        })*
    };
}
failed!(
    CrawlError,
    WebError,
    MiniWebError,
    PolicyError,
    StoreError,
    SuppressError
);

macro_rules! usage {
    ($($error:ty),*) => {
        $(impl From<$error> for Failure {
            fn from(error: $error) -> Failure {
                Failure::Usage(error.to_string())
            }
        })*
    };
}
usage!(OverrideError, EntryError, engine::failpoint::FailpointError);
