//! `report`: one run in Markdown, for people who have no store.

use std::collections::BTreeMap;
use std::fmt::Write;

use engine::store::{
    ChangeFacts, ChangeKey, ChangeKind, ChangeLine, ChangeSpan, Reader, RunSummary,
};

use super::audit::choose;
use super::changes::{told, what};
use super::output::Out;
use super::place::Global;
use super::runs::unchanged;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit};

/// Changes listed one by one; the rest is counted.
const LISTED: usize = 500;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run, such as 2026-W49 (default: the newest)
    #[arg(long, value_name = "W")]
    run: Option<String>,
}

pub(crate) fn report(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let reader = global.reading()?.reader()?;
    let run = choose(&reader, args.run.as_deref())?;
    let summaries = reader.run_summaries()?;
    let Some(at) = summaries.iter().position(|found| found.run.id == run.id) else {
        return Err(Failure::Failed(format!(
            "the run {} is gone; open the store anew",
            run.start.label
        )));
    };
    let mut out = Out::new(false);
    for line in lines(&reader, &summaries[at], summaries.get(at + 1))? {
        out.line(&line)?;
    }
    out.finish()?;
    Ok(Exit::Done)
}

fn lines(
    reader: &Reader,
    summary: &RunSummary,
    before: Option<&RunSummary>,
) -> Result<Vec<Clean>, Failure> {
    let mut text = head(summary, before);
    counts(&mut text, "Visits", &summary.totals.hosts);
    counts(&mut text, "Answers", &summary.totals.outcomes);
    let mut not_asked = summary.totals.not_asked.clone();
    if let Some(n) = not_asked.remove("done") {
        not_asked.insert("done, not needed or suppressed".to_owned(), n);
    }
    not_asked.insert("denied by robots.txt".to_owned(), summary.totals.denied);
    counts(
        &mut text,
        "Locations not asked, by how the visit ended",
        &not_asked,
    );
    let _ = write!(text, "\n## Changes\n\n{}.\n", told(&summary.changes));
    changes(&mut text, reader, summary)?;
    Ok(text.lines().map(Clean::new).collect())
}

/// One figure of a run, in words.
type Figure = dyn Fn(&RunSummary) -> String;

fn head(summary: &RunSummary, before: Option<&RunSummary>) -> String {
    let (run, totals) = (&summary.run, &summary.totals);
    let kind = if run.start.loopback {
        " (loopback run)"
    } else {
        ""
    };
    let ended = run.ended.map_or_else(
        || "not ended".to_owned(),
        |at| format!("ended {}", fit::second(at)),
    );
    let was = |now: String, of: &Figure| match before {
        Some(before) => format!("| {now} | {} |", of(before)),
        None => format!("| {now} |  |"),
    };
    let rows: [(&str, &Figure); 8] = [
        ("requests", &|run| fit::count(run.totals.requests)),
        ("visits", &|run| fit::count(run.totals.hosts.values().sum())),
        ("on the wire", &|run| fit::bytes(run.totals.wire_bytes)),
        ("decoded", &|run| fit::bytes(run.totals.body_bytes)),
        ("new versions", &|run| fit::count(run.totals.versions_new)),
        ("files unchanged", &unchanged),
        ("denied by robots.txt", &|run| fit::count(run.totals.denied)),
        ("processes", &|run| fit::count(run.processes)),
    ];
    let previous = before.map_or("", |run| run.run.start.label.as_str());
    let mut text = format!(
        "# Run {}{kind}\n\nStarted {}, {ended}. User-Agent: `{}`.\n\n|  | {} | {previous} |\n|---|--:|--:|\n",
        run.start.label,
        fit::second(run.start.at),
        run.start.user_agent,
        run.start.label,
    );
    for (name, of) in rows {
        let _ = writeln!(text, "| {name} {}", was(of(summary), of));
    }
    if totals.requests == 0 {
        text.push_str("\nNothing was asked.\n");
    }
    text
}

/// A section with a count a line; nothing where there is nothing.
fn counts(text: &mut String, title: &str, counts: &BTreeMap<String, u64>) {
    if counts.values().all(|n| *n == 0) {
        return;
    }
    let _ = write!(text, "\n## {title}\n\n");
    for (word, n) in counts.iter().filter(|(_, n)| **n > 0) {
        let _ = writeln!(text, "- {word}: {}", fit::count(*n));
    }
}

/// What changed, grouped by site, without what did not.
fn changes(text: &mut String, reader: &Reader, summary: &RunSummary) -> Result<(), Failure> {
    let span = ChangeSpan {
        since: None,
        to: summary.run.id,
    };
    let mut keep = |facts: &ChangeFacts<'_>| facts.kind != ChangeKind::UnchangedByContent;
    let lines: Vec<ChangeLine> = reader.changes_after(span, None, LISTED + 1, &mut keep)?;
    let mut last: Option<ChangeKey> = None;
    for line in lines.iter().take(LISTED) {
        if last.is_none_or(|last| last.site != line.key.site) {
            let _ = write!(text, "\n### {}\n\n", line.site);
        }
        last = Some(line.key);
        let _ = writeln!(
            text,
            "- {} `{}{}`: {}",
            line.kind.word(),
            line.host,
            line.location.replace('`', "%60"),
            what(line)
        );
    }
    if lines.len() > LISTED {
        let _ = write!(
            text,
            "\nOnly the first {LISTED} are listed; `lamplighter changes --run {}` lists all.\n",
            summary.run.start.label
        );
    }
    Ok(())
}
