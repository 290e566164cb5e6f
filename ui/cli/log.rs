//! `log`: what was asked of a host, newest first, with what a complaint needs.

use std::collections::HashMap;
use std::time::Duration;

use engine::store::{Leave, LogRow, Run, RunId};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::output::{Out, say};
use super::place::{self, Global};
use super::table::Table;
use super::when;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit, words};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The host
    host: String,
    /// Around this time (UTC)
    #[arg(long, value_parser = when::time, value_name = "T")]
    at: Option<Timestamp>,
    /// How far around it, such as 15m
    #[arg(long, value_parser = when::duration, value_name = "D", default_value = "15m", requires = "at")]
    within: Duration,
}

#[derive(Serialize)]
struct Fields<'a> {
    #[serde(skip)]
    sent: Timestamp,
    sent_at: String,
    host: &'a str,
    method: &'static str,
    url: String,
    status: Option<u16>,
    outcome: &'static str,
    wire_bytes: u64,
    body_bytes: u64,
    sha256: Option<String>,
    duration_ms: Option<i64>,
    source_ip: Option<String>,
    remote_ip: Option<String>,
    user_agent: Option<&'a str>,
    robots_line: Option<u32>,
    conditional: bool,
    #[serde(skip)]
    allowed: String,
}

/// Digest as people and scripts write it.
pub(crate) fn hex(digest: &[u8; 32]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl<'a> Fields<'a> {
    fn of(row: &'a LogRow, run: Option<&'a Run>) -> Fields<'a> {
        let start = run.map(|run| &run.start);
        let scheme = start.map_or("https", |start| start.scheme.as_str());
        // A row without a send time may have been sent all the same: its intent is what is known.
        let sent = row.sent.unwrap_or(row.intent).utc;
        Fields {
            sent,
            sent_at: fit::rfc3339(sent),
            host: row.host_name.as_str(),
            method: match row.method {
                engine::policy::Method::Get => "GET",
                engine::policy::Method::Head => "HEAD",
            },
            url: format!("{scheme}://{}{}", row.host_name, row.target),
            status: row.status,
            outcome: row.outcome.map_or("interrupted", |outcome| outcome.word()),
            wire_bytes: row.wire_bytes,
            body_bytes: row.body_bytes,
            sha256: row.sha256.as_ref().map(hex),
            duration_ms: row
                .sent
                .zip(row.ended)
                .map(|(sent, ended)| ended.mono_ms - sent.mono_ms),
            source_ip: start.and_then(|start| Some(start.source_ip?.to_string())),
            remote_ip: row.remote.map(|remote| remote.ip().to_string()),
            user_agent: start.map(|start| start.user_agent.as_str()),
            robots_line: match row.leave {
                Leave::Rule(_, line) => Some(line),
                Leave::Robots | Leave::NoRule(_) | Leave::Open(_) => None,
            },
            conditional: row.conditional,
            allowed: match row.leave {
                Leave::Robots => "is robots.txt".to_owned(),
                Leave::NoRule(_) => "no rule matched".to_owned(),
                Leave::Rule(_, line) => format!("line {line}"),
                Leave::Open(_) => "no robots.txt".to_owned(),
            },
        }
    }
}

pub(crate) fn log(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let reader = global.reading()?.reader()?;
    let host = place::host(&reader, &args.host)?;
    let around = SignedDuration::try_from(args.within).unwrap_or(SignedDuration::MAX);
    let from = args
        .at
        .map(|at| at.checked_sub(around).unwrap_or(Timestamp::MIN));
    let to = args
        .at
        .map(|at| at.checked_add(around).unwrap_or(Timestamp::MAX));
    let runs: HashMap<RunId, Run> = reader
        .runs()?
        .into_iter()
        .map(|run| (run.id, run))
        .collect();
    let rows = reader.log(host, from, to)?;
    let fields: Vec<Fields<'_>> = rows
        .iter()
        .map(|row| Fields::of(row, runs.get(&row.run)))
        .collect();
    let mut out = Out::new(global.json);
    write(&mut out, &fields)?;
    out.finish()?;
    Ok(Exit::Done)
}

fn write(out: &mut Out, rows: &[Fields<'_>]) -> Result<(), Failure> {
    if out.is_json() {
        return rows.iter().try_for_each(|row| out.object(row));
    }
    if rows.is_empty() {
        say(&Clean::new("nothing was asked of this host in that time"));
        return Ok(());
    }
    let mut table = Table::new(&[
        "sent",
        "method",
        ">status",
        "outcome",
        ">bytes",
        ">ms",
        "from",
        "to",
        "allowed by",
        "url",
    ]);
    let dash = || "-".to_owned();
    for row in rows {
        table.row([
            fit::milli(row.sent),
            row.method.to_owned(),
            row.status.map_or_else(dash, |status| status.to_string()),
            words::outcome(row.outcome),
            fit::count(row.body_bytes),
            row.duration_ms.map_or_else(dash, |ms| ms.to_string()),
            row.source_ip.clone().unwrap_or_else(dash),
            row.remote_ip.clone().unwrap_or_else(dash),
            row.allowed.clone(),
            row.url.clone(),
        ]);
    }
    out.table(&table)?;
    let mut agents: Vec<&str> = rows.iter().filter_map(|row| row.user_agent).collect();
    agents.sort_unstable();
    agents.dedup();
    for agent in agents {
        say(&Clean::new(format!("User-Agent: {agent}")));
    }
    Ok(())
}
