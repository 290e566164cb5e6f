//! `audit`: every promise that a log can prove, with the worst value seen.

use engine::audit::Finding;
use engine::policy::Policy;
use engine::store::{Reader, Run, RunStart};
use serde::Serialize;

use super::output::{self, Out};
use super::place::Global;
use super::table::Table;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run, such as 2026-W49 (default: the newest)
    #[arg(long, value_name = "W")]
    run: Option<String>,
}

#[derive(Serialize)]
struct Fields<'a> {
    promise: &'a str,
    checked: u64,
    worst: &'a str,
    breaches: u64,
}

pub(crate) fn audit(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let reader = global.reading()?.reader()?;
    let run = choose(&reader, args.run.as_deref())?;
    let findings = engine::audit::audit(&reader, run.id)?;
    let mut out = Out::new(global.json);
    if out.is_json() {
        for finding in &findings {
            out.object(&Fields {
                promise: &finding.promise,
                checked: finding.checked,
                worst: &finding.worst,
                breaches: finding.breaches,
            })?;
        }
    } else {
        for line in text(&run, &weakened(&reader, &run)?, &findings) {
            out.line(&line)?;
        }
    }
    out.finish()?;
    Ok(exit(&findings))
}

/// The run of a label, or the newest.
pub(super) fn choose(reader: &Reader, label: Option<&str>) -> Result<Run, Failure> {
    let found = match label {
        Some(label) => reader.run(label)?,
        None => reader.runs()?.into_iter().next(),
    };
    if let Some(run) = found {
        return Ok(run);
    }
    let newest = reader.runs()?.into_iter().next();
    Err(Failure::Failed(match (label, newest) {
        (Some(label), Some(newest)) => format!(
            "there is no run \"{label}\" in this store; the newest is {}",
            newest.start.label
        ),
        _ => "there is no run in this store yet; `lamplighter run` makes one".to_owned(),
    }))
}

/// What the policies recorded with a run promised less than the crawler in whose name they spoke.
pub(crate) fn weakened(reader: &Reader, run: &Run) -> Result<Vec<String>, Failure> {
    let processes = reader.processes(run.id)?;
    let texts = processes.iter().map(|(_, _, policy)| policy);
    let mut all = Vec::new();
    for text in texts.chain([&run.start.policy_toml]) {
        // The audit itself says so where a recorded policy cannot be read.
        let Ok(policy) = Policy::parse(text, &run.start.label) else {
            continue;
        };
        for weakness in policy.weaknesses() {
            let text = weakness.to_string();
            if !all.contains(&text) {
                all.push(text);
            }
        }
    }
    Ok(all)
}

/// Whether a promise was breached.
pub(crate) fn exit(findings: &[Finding]) -> Exit {
    if findings.iter().any(|finding| finding.breaches > 0) {
        Exit::Breached
    } else {
        Exit::Done
    }
}

/// Each promise in words, with the worst value seen below them.
fn table(findings: &[Finding]) -> Vec<String> {
    let ledger = engine::audit::ledger().unwrap_or_default();
    let mut table = Table::new(&[
        "promise",
        ">checked",
        ">breaches",
        "what was promised / worst seen",
    ]);
    for finding in findings {
        let promise = ledger.iter().find(|promise| promise.id == finding.promise);
        let words = promise.map_or("", |promise| &promise.words);
        let counts = [fit::count(finding.checked), fit::count(finding.breaches)];
        table.row([finding.promise.as_str(), &counts[0], &counts[1], words]);
        table.row(["", "", "", &finding.worst]);
    }
    table.wrapped(output::width())
}

/// The findings as a table, breaches told one by one below it.
pub(crate) fn text(run: &Run, weakened: &[String], findings: &[Finding]) -> Vec<Clean> {
    let RunStart {
        label, loopback, ..
    } = &run.start;
    let kind = if *loopback { ", loopback run" } else { "" };
    let mut lines = vec![Clean::new(format!("audit of {label}{kind}"))];
    if !weakened.is_empty() {
        lines.push(Clean::new(
            "checked against the policy it recorded, which promised less than the crawler of that name:",
        ));
        lines.extend(
            weakened
                .iter()
                .map(|value| Clean::new(format!("  {value}"))),
        );
    }
    lines.extend(table(findings).iter().map(Clean::new));
    for breach in findings.iter().flat_map(|finding| &finding.first) {
        lines.push(Clean::new(format!("{}: {}", breach.promise, breach.what)));
    }
    let breaches: u64 = findings.iter().map(|finding| finding.breaches).sum();
    lines.push(if breaches == 0 {
        Clean::new("every promise that the log can prove was kept")
    } else {
        Clean::new(format!("breaches: {}", fit::count(breaches)))
    });
    lines
}
