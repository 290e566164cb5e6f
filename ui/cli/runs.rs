//! `runs`: each run with its times, outcomes, requests, bytes, and what was not asked.

use std::collections::BTreeMap;

use engine::store::RunSummary;
use serde::Serialize;

use super::output::{Out, say};
use super::place::Global;
use super::table::Table;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit};

#[derive(Serialize)]
struct Fields<'a> {
    run: &'a str,
    started_at: String,
    ended_at: Option<String>,
    window_ends: String,
    first_request_at: Option<String>,
    last_request_at: Option<String>,
    loopback: bool,
    processes: u64,
    hosts: &'a BTreeMap<String, u64>,
    requests: u64,
    statuses: &'a BTreeMap<u16, u64>,
    outcomes: &'a BTreeMap<String, u64>,
    denied: u64,
    not_asked: &'a BTreeMap<String, u64>,
    versions_new: u64,
    new: u64,
    changed: u64,
    back: u64,
    gone: u64,
    /// Null in runs that began before these were written down.
    unchanged: Option<u64>,
    unchanged_by_content: Option<u64>,
    share_unchanged: Option<f64>,
    wire_bytes: u64,
    body_bytes: u64,
}

pub(crate) fn runs(global: &Global) -> Result<Exit, Failure> {
    let reader = global.reading()?.reader()?;
    let runs = reader.run_summaries()?;
    let mut out = Out::new(global.json);
    if out.is_json() {
        for run in &runs {
            out.object(&fields(run))?;
        }
    } else if runs.is_empty() {
        say(&Clean::new(
            "there is no run in this store yet; `lamplighter run` makes one",
        ));
    } else {
        out.table(&table(&runs))?;
    }
    out.finish()?;
    Ok(Exit::Done)
}

fn fields(summary: &RunSummary) -> Fields<'_> {
    let (run, totals, changes) = (&summary.run, &summary.totals, &summary.changes);
    let known = !summary.sparse;
    Fields {
        run: &run.start.label,
        started_at: fit::rfc3339(run.start.at),
        ended_at: run.ended.map(fit::rfc3339),
        window_ends: fit::rfc3339(run.start.window_ends),
        first_request_at: summary.asked.map(|(first, _)| fit::rfc3339(first)),
        last_request_at: summary.asked.map(|(_, last)| fit::rfc3339(last)),
        loopback: run.start.loopback,
        processes: summary.processes,
        hosts: &totals.hosts,
        requests: totals.requests,
        statuses: &totals.statuses,
        outcomes: &totals.outcomes,
        denied: totals.denied,
        not_asked: &totals.not_asked,
        versions_new: totals.versions_new,
        new: changes.new,
        changed: changes.changed,
        back: changes.back,
        gone: changes.gone,
        unchanged: known.then_some(summary.confirmed),
        unchanged_by_content: known.then_some(changes.unchanged_by_content),
        share_unchanged: summary
            .unchanged()
            .and_then(|(part, whole)| share(part, whole)),
        wire_bytes: totals.wire_bytes,
        body_bytes: totals.body_bytes,
    }
}

/// A share between 0 and 1, four decimals; none of nothing.
#[allow(clippy::cast_precision_loss, reason = "four decimals are told")]
fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| (part as f64 / whole as f64 * 10_000.0).round() / 10_000.0)
}

fn table(runs: &[RunSummary]) -> Table {
    let mut table = Table::new(&[
        "run",
        "started",
        "ended",
        ">hosts",
        ">requests",
        ">wire",
        ">new",
        ">changed",
        ">back",
        ">gone",
        ">unchanged",
        ">denied",
        ">not asked",
    ]);
    for summary in runs {
        let (totals, changes) = (&summary.totals, &summary.changes);
        let ended = summary.run.ended.map(fit::minute);
        table.row([
            summary.run.start.label.clone(),
            fit::minute(summary.run.start.at),
            ended.unwrap_or_else(|| "not yet".to_owned()),
            fit::count(totals.hosts.values().sum()),
            fit::count(totals.requests),
            fit::bytes(totals.wire_bytes),
            fit::count(changes.new),
            fit::count(changes.changed),
            fit::count(changes.back),
            fit::count(changes.gone),
            unchanged(summary),
            fit::count(totals.denied),
            fit::count(totals.not_asked.values().sum()),
        ]);
    }
    table
}

/// `98.1 %`, or that it is not known.
pub(crate) fn unchanged(summary: &RunSummary) -> String {
    summary.unchanged().map_or_else(
        || "not known".to_owned(),
        |(part, whole)| fit::percent(part, whole),
    )
}
