//! `changes`: what a run found new, changed, back and gone, grouped by site.

use engine::store::{
    ChangeCounts, ChangeFacts, ChangeKey, ChangeKind, ChangeLine, ChangeSpan, Reader, Run,
};
use serde::Serialize;

use super::audit::choose;
use super::output::{Out, say};
use super::place::{self, Global};
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit};

/// Changes read at once.
const PAGE: usize = 1_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The run, such as 2026-W49 (default: the newest)
    #[arg(long, value_name = "W")]
    run: Option<String>,
    /// Compare with the end of this older run (default: with what was known before)
    #[arg(long, value_name = "W")]
    since: Option<String>,
    /// This location alone, such as /llms.txt
    #[arg(long, value_name = "PATH")]
    location: Option<String>,
    /// This kind alone; may be given more than once
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Vec<ChangeKind>,
    /// Hosts with this text in their name
    #[arg(long, value_name = "TEXT")]
    host: Option<String>,
    /// Only where the size changed by at least so many bytes, up or down
    #[arg(long, value_name = "BYTES")]
    size: Option<u64>,
}

/// A kind by its word.
fn kind(text: &str) -> Result<ChangeKind, String> {
    let found = ChangeKind::ALL.into_iter().find(|kind| kind.word() == text);
    found.ok_or_else(|| {
        let words: Vec<&str> = ChangeKind::ALL.iter().map(|kind| kind.word()).collect();
        format!("the kinds are {}", words.join(", "))
    })
}

#[derive(Serialize)]
struct Fields<'a> {
    run: &'a str,
    since: Option<&'a str>,
    site: &'a str,
    host: &'a str,
    location: &'a str,
    kind: &'a str,
    was_gone: bool,
    seen_at: String,
    from_version: Option<u32>,
    to_version: Option<u32>,
    from_bytes: Option<u64>,
    to_bytes: Option<u64>,
    same_as: Option<u32>,
    shared: Option<u64>,
}

/// The runs compared.
struct Compared {
    to: Run,
    since: Option<Run>,
}

impl Compared {
    fn choose(reader: &Reader, args: &Args) -> Result<Compared, Failure> {
        let to = choose(reader, args.run.as_deref())?;
        let since = args.since.as_deref();
        let since = since.map(|label| choose(reader, Some(label))).transpose()?;
        if let Some(since) = &since
            && since.id >= to.id
        {
            return Err(Failure::Usage(format!(
                "{} is not older than {}; --since names the older run",
                since.start.label, to.start.label
            )));
        }
        Ok(Compared { to, since })
    }

    fn span(&self) -> ChangeSpan {
        ChangeSpan {
            since: self.since.as_ref().map(|run| run.id),
            to: self.to.id,
        }
    }

    fn heading(&self) -> String {
        let to = &self.to.start.label;
        match &self.since {
            Some(since) => format!("changes from {} to {to}", since.start.label),
            None => format!("changes of {to}"),
        }
    }
}

pub(crate) fn changes(global: &Global, args: &Args) -> Result<Exit, Failure> {
    let location = args.location.as_deref().map(place::location).transpose()?;
    let reader = global.reading()?.reader()?;
    let compared = Compared::choose(&reader, args)?;
    let host = args.host.as_deref().map(str::to_lowercase);
    let mut keep = |facts: &ChangeFacts<'_>| {
        location.is_none_or(|wanted| wanted == facts.location)
            && (args.kind.is_empty() || args.kind.contains(&facts.kind))
            && host.as_ref().is_none_or(|text| facts.host.contains(text))
            && args
                .size
                .is_none_or(|size| facts.grown().unsigned_abs() >= size)
    };
    let mut out = Out::new(global.json);
    if !out.is_json() {
        out.line(&Clean::new(compared.heading()))?;
    }
    let (mut counts, mut after) = (ChangeCounts::default(), None::<ChangeKey>);
    loop {
        let page = reader.changes_after(compared.span(), after, PAGE, &mut keep)?;
        for line in &page {
            if out.is_json() {
                out.object(&fields(&compared, line))?;
            } else {
                if after.is_none_or(|last| last.site != line.key.site) {
                    out.line(&Clean::new(line.site.as_str()))?;
                }
                out.line(&Clean::new(text(line)))?;
            }
            after = Some(line.key);
            *counts.of_mut(line.kind) += 1;
        }
        if page.len() < PAGE {
            break;
        }
    }
    if !out.is_json() {
        out.line(&Clean::new(told(&counts)))?;
    }
    out.finish()?;
    if compared.since.is_none() && reader.is_sparse(compared.to.id)? {
        say(&Clean::new(format!(
            "{} began before full costs were written down: what was unchanged at full cost is not known",
            compared.to.start.label
        )));
    }
    Ok(Exit::Done)
}

fn fields<'a>(compared: &'a Compared, line: &'a ChangeLine) -> Fields<'a> {
    Fields {
        run: &compared.to.start.label,
        since: compared.since.as_ref().map(|run| run.start.label.as_str()),
        site: line.site.as_str(),
        host: line.host.as_str(),
        location: &line.location,
        kind: line.kind.word(),
        was_gone: line.was_gone,
        seen_at: fit::rfc3339(line.at),
        from_version: line.before,
        to_version: line.now,
        from_bytes: line.bytes_before,
        to_bytes: line.bytes_now,
        same_as: line.same_as,
        shared: line.shared,
    }
}

/// `  changed   docs.alder.test/llms.txt  version 1 to 2, 4,100 to 4,350 bytes (+250)`.
fn text(line: &ChangeLine) -> String {
    let kind = match line.kind {
        ChangeKind::UnchangedByContent => "same bytes",
        kind => kind.word(),
    };
    let what = what(line);
    format!("  {kind:<10}  {}{}  {what}", line.host, line.location)
}

/// What became of a location, in words.
pub(crate) fn what(line: &ChangeLine) -> String {
    let bytes = |bytes: Option<u64>| fit::count(bytes.unwrap_or(0));
    let (before, now) = (bytes(line.bytes_before), bytes(line.bytes_now));
    let versions = match (line.before, line.now) {
        (Some(before), Some(now)) if before != now => format!("version {before} to {now}, "),
        (_, Some(version)) | (Some(version), None) => format!("version {version}, "),
        (None, None) => String::new(),
    };
    let sizes = match line.kind {
        ChangeKind::Gone => format!("{before} bytes"),
        ChangeKind::Changed | ChangeKind::Back if !line.was_gone => {
            format!("{before} to {now} bytes ({})", signed(line.grown()))
        }
        _ => format!("{now} bytes"),
    };
    let mut words = format!("{versions}{sizes}");
    if line.was_gone {
        words.push_str(if line.before == line.now {
            ", was gone, the same bytes"
        } else {
            ", was gone"
        });
    }
    if let (ChangeKind::Back, Some(older)) = (line.kind, line.same_as) {
        words.push_str(&format!(", the bytes of version {older}"));
    }
    words
}

/// `+1,250`, `-3`, `0`.
pub(crate) fn signed(number: i64) -> String {
    let digits = fit::count(number.unsigned_abs());
    match number {
        0 => digits,
        1.. => format!("+{digits}"),
        _ => format!("-{digits}"),
    }
}

/// `3 new, 1 changed, 0 back, 0 gone, 12 unchanged at full cost`.
pub(crate) fn told(counts: &ChangeCounts) -> String {
    let parts = ChangeKind::ALL.map(|kind| {
        let word = match kind {
            ChangeKind::UnchangedByContent => "unchanged at full cost",
            kind => kind.word(),
        };
        format!("{} {word}", fit::count(counts.of(kind)))
    });
    parts.join(", ")
}
