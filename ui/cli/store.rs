//! `store copy` and `store check`.

use std::path::PathBuf;

use engine::store::{CheckReport, StoreError};
use engine::suppress::SuppressFile;
use serde::Serialize;

use super::output::{Out, say};
use super::place::Global;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum StoreCommand {
    /// A clean copy in a new directory, for reading elsewhere
    Copy {
        /// The new directory
        dest: PathBuf,
    },
    /// Integrity of the file, every digest, every reference
    Check,
}

#[derive(Serialize)]
struct Fields<'a> {
    blobs: u64,
    integrity: &'a [String],
    bad_blobs: &'a [String],
    bad_references: &'a [String],
}

pub(crate) fn store(global: &Global, command: StoreCommand) -> Result<Exit, Failure> {
    match command {
        StoreCommand::Copy { dest } => {
            let store = global.reading()?;
            store.copy(&dest)?;
            let mut out = Out::new(false);
            out.line(&Clean::new(format!(
                "copied to {}; open it with --store and --read-only",
                dest.display()
            )))?;
            out.finish()?;
            // DESIGN: the list stands outside any backup, so that no older one comes back with it.
            let list = SuppressFile::in_directory(store.directory());
            say(&Clean::new(format!(
                "the suppressed names stay in {}: they belong to no copy, and hold for any store there",
                list.path().display()
            )));
            Ok(Exit::Done)
        }
        StoreCommand::Check => {
            let report = check(global)?;
            write(global.json, &report)?;
            let problems = problems(&report);
            if problems == 0 {
                return Ok(Exit::Done);
            }
            Err(Failure::Failed(format!(
                "faults found in this store: {problems}; go back to a copy, or import its hosts into a new store"
            )))
        }
    }
}

/// What was found; a store too damaged to be opened is a finding too.
fn check(global: &Global) -> Result<CheckReport, Failure> {
    let directory = global.directory()?;
    match global.opened(&directory).and_then(|store| store.check()) {
        Err(StoreError::Damaged { problem, .. }) => Ok(CheckReport {
            integrity: vec![problem],
            ..CheckReport::default()
        }),
        checked => Ok(checked?),
    }
}

fn problems(report: &CheckReport) -> usize {
    report.integrity.len() + report.bad_blobs.len() + report.bad_references.len()
}

fn write(json: bool, report: &CheckReport) -> Result<(), Failure> {
    let mut out = Out::new(json);
    if json {
        out.object(&Fields {
            blobs: report.blobs,
            integrity: &report.integrity,
            bad_blobs: &report.bad_blobs,
            bad_references: &report.bad_references,
        })?;
    } else {
        let lists = [&report.integrity, &report.bad_blobs, &report.bad_references];
        for problem in lists.into_iter().flatten() {
            out.line(&Clean::new(problem))?;
        }
        let verdict = if problems(report) == 0 {
            "sound"
        } else {
            "damaged"
        };
        out.line(&Clean::new(format!(
            "{verdict}: {} read back",
            match report.blobs {
                1 => "1 body".to_owned(),
                count => format!("{} bodies", fit::count(count)),
            }
        )))?;
    }
    out.finish()
}
