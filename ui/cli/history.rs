//! `history`: versions of a host's files.

use engine::store::{HostId, Reader, Version};
use engine::validate::{Presence, presence};
use serde::Serialize;

use super::log::hex;
use super::output::{Out, say};
use super::place::{self, Global};
use super::table::Table;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit, words};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The host
    host: String,
    /// One location of it, such as /llms.txt
    location: Option<String>,
    /// What the location was like since when (present, absent, denied…), instead of its versions
    #[arg(long, requires = "location")]
    states: bool,
}

#[derive(Serialize)]
struct Fields<'a> {
    host: &'a str,
    location: &'a str,
    version: u32,
    first_seen: String,
    last_seen: String,
    sha256: String,
    bytes: u64,
    media_type: Option<&'a str>,
    coding: Option<&'a str>,
    verdict: String,
}

/// A stretch of time in one state.
#[derive(Serialize)]
struct State<'a> {
    host: &'a str,
    location: &'a str,
    state: &'static str,
    since: String,
    until: Option<String>,
    status: Option<u16>,
}

pub(crate) fn history(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let location = args.location.as_deref().map(place::location).transpose()?;
    let reader = global.reading()?.reader()?;
    let host = place::host(&reader, &args.host)?;
    if let (true, Some(location)) = (args.states, location) {
        return states(global, &reader, host, (&args.host, location));
    }
    let versions = reader.versions(host, location)?;
    if let (true, Some(location)) = (versions.is_empty(), location) {
        return Err(Failure::Failed(format!(
            "no version of {location} is stored for {host}; `lamplighter history {host}` shows what is",
            host = args.host
        )));
    }
    let mut out = Out::new(global.json);
    if out.is_json() {
        for version in &versions {
            out.object(&Fields {
                host: version.host.as_str(),
                location: &version.location,
                version: version.number,
                first_seen: fit::rfc3339(version.first_seen),
                last_seen: fit::rfc3339(version.last_seen),
                sha256: hex(&version.sha256),
                bytes: version.bytes,
                media_type: version.media_type.as_deref(),
                coding: version.coding.as_deref(),
                verdict: verdict(version),
            })?;
        }
    } else if versions.is_empty() {
        say(&Clean::new("no version is stored"));
    } else {
        out.table(&table(&versions))?;
    }
    out.finish()?;
    Ok(Exit::Done)
}

/// The life of a location by its state, oldest first. A failure says nothing of what is there, and
/// ends no version.
fn states(
    global: &Global,
    reader: &Reader,
    id: HostId,
    (host, location): (&str, &str),
) -> Result<Exit, Failure> {
    let spans = reader.spans(id, location)?;
    if spans.is_empty() {
        return Err(Failure::Failed(format!(
            "nothing is known of {location} on {host}; `lamplighter history {host}` shows what is"
        )));
    }
    let ends = spans.iter().skip(1).map(|span| Some(span.since));
    let spans = spans.iter().zip(ends.chain([None]));
    let mut out = Out::new(global.json);
    let mut table = Table::new(&["since", "until", "state", ">status"]);
    for (span, until) in spans {
        let state = State {
            host,
            location,
            state: span.state.word(),
            since: fit::rfc3339(span.since),
            until: until.map(fit::rfc3339),
            status: span.status,
        };
        if out.is_json() {
            out.object(&state)?;
            continue;
        }
        table.row([
            fit::second(span.since),
            until.map_or_else(|| "now".to_owned(), fit::second),
            state.state.to_owned(),
            span.status
                .map_or_else(|| "-".to_owned(), |status| status.to_string()),
        ]);
    }
    if !out.is_json() {
        out.table(&table)?;
    }
    out.finish()?;
    Ok(Exit::Done)
}

fn table(versions: &[Version]) -> Table {
    let mut table = Table::new(&[
        "location",
        ">version",
        "first seen",
        "last seen",
        ">bytes",
        "sha256",
        "type",
        "verdict",
    ]);
    for version in versions {
        let digest = hex(&version.sha256);
        table.row([
            version.location.clone(),
            version.number.to_string(),
            fit::second(version.first_seen),
            fit::second(version.last_seen),
            fit::count(version.bytes),
            digest[..12].to_owned(),
            version.media_type.clone().unwrap_or_else(|| "-".to_owned()),
            words::plain(&verdict(version).replace("soft_absent", "soft 404")),
        ]);
    }
    table
}

/// `ok`, or the marks as words: `byte_order_mark, content_type`.
fn verdict(version: &Version) -> String {
    if version.marks.is_empty() {
        return "ok".to_owned();
    }
    let words: Vec<String> = version
        .marks
        .iter()
        .map(|mark| words(&format!("{mark:?}")))
        .collect();
    match presence(&version.marks) {
        Presence::Present => words.join(", "),
        Presence::SoftAbsent => format!("soft_absent: {}", words.join(", ")),
    }
}

fn words(name: &str) -> String {
    let mut out = String::new();
    for char in name.chars() {
        if char.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(char.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_words() {
        assert_eq!(words("ByteOrderMark"), "byte_order_mark");
    }
}
