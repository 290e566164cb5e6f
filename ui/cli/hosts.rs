//! `hosts import` and `hosts list`.

use std::path::PathBuf;

use engine::hosts::{NameRules, Reject};
use engine::store::{Flight, HostRow, Store, StoreError};
use engine::suppress::SuppressFile;
use jiff::Timestamp;
use serde::Serialize;

use super::import::List;
use super::output::{Out, say};
use super::place::Global;
use super::reach;
use super::table::Table;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit};

/// Hosts fetched from the store at a time.
const PAGE: usize = 1_000;

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Hosts {
    /// Import hosts from a list; each refused line is told with its number and reason
    Import {
        /// Kind of list; this version reads plain lists only
        kind: Kind,
        /// The file
        file: PathBuf,
        /// Accept .test names and ports, for a store of loopback runs
        #[arg(long)]
        loopback_names: bool,
    },
    /// Every host of the store
    List,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Kind {
    /// One host a line
    List,
    /// Majestic Million
    #[value(hide = true)]
    Majestic,
    /// Tranco
    #[value(hide = true)]
    Tranco,
    /// MCP Registry
    #[value(hide = true)]
    Mcp,
}

pub(crate) fn hosts(global: &Global, command: Hosts) -> Result<Exit, Failure> {
    match command {
        Hosts::Import {
            kind,
            file,
            loopback_names,
        } => {
            if !matches!(kind, Kind::List) {
                return Err(Failure::Usage(
                    "this version imports plain lists only; make a list of one host a line and \
                     use `hosts import list FILE`"
                        .to_owned(),
                ));
            }
            import_list(global, &file, loopback_names)
        }
        Hosts::List => list(global),
    }
}

/// The store as it is, or a new one of the policy asked for.
fn open(global: &Global) -> Result<Store, Failure> {
    let directory = global.directory()?;
    if global.policy.is_none() {
        match Store::existing(&directory) {
            Err(StoreError::Missing { .. }) => {}
            opened => return Ok(opened?),
        }
    }
    Ok(Store::open(&directory, &global.policy()?.name)?)
}

#[derive(Serialize)]
struct RejectFields<'a> {
    line: u64,
    text: &'a str,
    reason: String,
}

#[derive(Serialize)]
struct ReportFields<'a> {
    added: u64,
    known: u64,
    rejected: u64,
    sha256: &'a str,
}

fn import_list(global: &Global, file: &std::path::Path, loopback: bool) -> Result<Exit, Failure> {
    global.refuse_read_only()?;
    let rules = if loopback {
        NameRules::Loopback
    } else {
        NameRules::Public
    };
    let mut out = Out::new(global.json);
    let mut trouble = Ok(());
    let mut tell = |reject: &Reject| {
        if trouble.is_ok() && out.is_json() {
            trouble = out.object(&RejectFields {
                line: reject.line,
                text: &reject.text,
                reason: reject.reason.to_string(),
            });
        } else {
            say(&Clean::new(format!(
                "line {}: \"{}\": {}",
                reject.line, reject.text, reject.reason
            )));
        }
    };
    let list = List::open(file, rules, Timestamp::now(), &mut tell)?;
    let report = list.import(|| open(global), &mut tell)?;
    trouble?;
    if out.is_json() {
        out.object(&ReportFields {
            added: report.added,
            known: report.known,
            rejected: report.rejected,
            sha256: &report.sha256,
        })?;
    } else {
        out.line(&Clean::new(format!(
            "{} added, {} known already, {} refused",
            fit::counted(report.added, "host"),
            fit::count(report.known),
            fit::counted(report.rejected, "line"),
        )))?;
    }
    out.finish()?;
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct HostFields<'a> {
    host: &'a str,
    site: &'a str,
    source: &'a str,
    state: &'a str,
    /// Null while no visit will come.
    next_visit: Option<String>,
}

/// A host as it is listed: the suppression list stands beside the store and holds at once.
struct Listed<'a> {
    row: &'a HostRow,
    suppressed: bool,
    flight: Option<Flight>,
    now: Timestamp,
}

impl Listed<'_> {
    fn state(&self) -> &str {
        match (self.row.state.as_str(), self.flight) {
            _ if self.suppressed => "suppressed",
            ("waiting" | "offered", Some(flight)) => flight.word(),
            (state, _) => state,
        }
    }

    /// None if no visit will come: the host is suppressed, held, or only offered. Never in the past:
    /// what is due is due now.
    fn next_visit(&self) -> Option<Timestamp> {
        let visited = self.row.is_due && !matches!(self.state(), "suppressed" | "held");
        visited.then_some(self.row.next_visit.max(self.now))
    }

    /// The same for people.
    fn next_visit_text(&self) -> String {
        match self.next_visit() {
            None => "-".to_owned(),
            Some(next) if next <= self.now => "now".to_owned(),
            Some(next) => fit::second(next),
        }
    }
}

fn list(global: &Global) -> Result<Exit, Failure> {
    let store = global.reading()?;
    let (suppressed, _) = SuppressFile::in_directory(store.directory()).read()?;
    let reader = store.reader()?;
    let mut out = Out::new(global.json);
    let now = reader.now()?;
    let mut live = None;
    let mut after = None;
    loop {
        let page = reader.hosts(after, PAGE)?;
        let Some(last) = page.last() else { break };
        let mut flights = reader.in_flight(after, PAGE)?;
        if !flights.is_empty() && !*live.get_or_insert_with(|| is_live(global, &store)) {
            flights.clear();
        }
        let first = after.is_none();
        after = Some(last.id);
        let listed = page.iter().map(|row| Listed {
            row,
            suppressed: suppressed.covers(&row.host).is_some(),
            flight: flights.get(&row.id).copied(),
            now,
        });
        write_page(&mut out, listed, first)?;
    }
    if after.is_none() && !out.is_json() {
        say(&Clean::new(
            "there is no host in this store yet; `lamplighter hosts import list FILE` adds some",
        ));
    }
    out.finish()?;
    Ok(Exit::Done)
}

/// Whether an engine works on this store; of a copy, or where that cannot be seen, none does.
fn is_live(global: &Global, store: &Store) -> bool {
    !global.read_only && reach::engine_runs(store).unwrap_or(false)
}

fn write_page<'a>(
    out: &mut Out,
    page: impl Iterator<Item = Listed<'a>>,
    first: bool,
) -> Result<(), Failure> {
    if !out.is_json() {
        let mut table = Table::new(&["host", "site", "state", "next visit", "source"]);
        for listed in page {
            table.row([
                listed.row.host.as_str(),
                listed.row.site.as_str(),
                listed.state(),
                &listed.next_visit_text(),
                &listed.row.source,
            ]);
        }
        let lines = table.lines();
        for line in lines.iter().skip(usize::from(!first)) {
            out.bytes(line.as_bytes())?;
            out.bytes(b"\n")?;
        }
        return Ok(());
    }
    for listed in page {
        out.object(&HostFields {
            host: listed.row.host.as_str(),
            site: listed.row.site.as_str(),
            source: &listed.row.source,
            state: listed.state(),
            next_visit: listed.next_visit().map(fit::rfc3339),
        })?;
    }
    Ok(())
}
