//! `robots explain`: a verdict with everything that led to it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use engine::policy::Policy;
use engine::robots::{
    Access, Answer, GapReason, GroupKind, RobotsFile, SecondOpinion, access, gap,
};
use serde::Serialize;

use super::output::Out;
use super::place::Global;
use super::table::Table;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{fit, words};

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Robots {
    /// May PATH be fetched by the rules of FILE, and which line says so
    Explain {
        /// Token to look for instead of the policy's
        #[arg(long, value_name = "T")]
        token: Option<String>,
        /// A robots.txt
        file: PathBuf,
        /// Path and query, as they would be asked
        path: String,
    },
}

#[derive(Serialize)]
struct Fields {
    allowed: bool,
    line: Option<u32>,
    rule: Option<String>,
    group: &'static str,
    crawl_delay: Option<serde_json::Number>,
    gap: Option<serde_json::Number>,
    sitemaps: Vec<String>,
    signals: SignalFields,
    second_opinion: String,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct SignalFields {
    content_signal: BTreeMap<String, String>,
    content_usage: BTreeMap<String, String>,
}

pub(crate) fn robots(global: &Global, command: Robots) -> Result<Exit, Failure> {
    let Robots::Explain { token, file, path } = command;
    if !path.starts_with('/') {
        return Err(Failure::Usage(format!(
            "\"{path}\" is not a path; it begins with a slash, such as /llms.txt"
        )));
    }
    let policy = global.policy()?;
    let bytes = std::fs::read(&file).map_err(|error| Failure::unreadable(&file, &error))?;
    let token = token.as_deref().unwrap_or(&policy.identity.token);
    let (fields, why_gap) = explain(&policy, token, &bytes, &path);
    let mut out = Out::new(global.json);
    if out.is_json() {
        out.object(&fields)?;
    } else {
        out.table(&table(&fields, &path, token, &why_gap))?;
    }
    out.finish()?;
    Ok(Exit::Done)
}

fn explain(policy: &Policy, token: &str, bytes: &[u8], path: &str) -> (Fields, String) {
    let most = usize::try_from(policy.robots.max_bytes).unwrap_or(usize::MAX);
    let file = RobotsFile::read(bytes, token, most);
    let verdict = file.verdict(path);
    let decision = access(
        &policy.robots,
        &Answer::Status {
            status: 200,
            bytes: bytes.len() as u64,
            not_robots: file.is_not_robots(),
            challenge: false,
        },
    );
    let mut notes = file.notes().to_vec();
    let closed = matches!(decision.access, Access::Closed(_));
    if let Access::Closed(reason) = decision.access {
        notes.push(format!(
            "the policy {} takes this file as closed ({}): nothing may be asked",
            policy.name,
            words::plain(reason.word())
        ));
    }
    let declared = file.delay();
    let kept = gap(&policy.pace, declared);
    let why_gap = match kept.reason {
        GapReason::Minimum => "the policy's minimum".to_owned(),
        GapReason::Declared(delay) => format!("Crawl-delay, line {}", delay.line),
        GapReason::Clamped(delay) => {
            format!(
                "Crawl-delay of line {} within the policy's bounds",
                delay.line
            )
        }
    };
    let signals = file.signals(path);
    let fields = Fields {
        allowed: verdict.allowed && !closed,
        line: verdict.line,
        rule: verdict.rule,
        group: match verdict.group {
            GroupKind::Named => "named",
            GroupKind::Star => "star",
            GroupKind::None => "none",
        },
        crawl_delay: declared.and_then(|delay| number(delay.seconds)),
        gap: number(kept.duration.as_secs_f64()),
        sitemaps: file.sitemaps().to_vec(),
        signals: SignalFields {
            content_signal: signals.content_signal,
            content_usage: signals.content_usage,
        },
        second_opinion: match verdict.second_opinion {
            SecondOpinion::Agrees => "agrees".to_owned(),
            SecondOpinion::Differs => "differs".to_owned(),
            SecondOpinion::Failed(problem) => format!("failed: {problem}"),
            SecondOpinion::NotAsked => "not_asked".to_owned(),
        },
        notes,
    };
    (fields, why_gap)
}

/// Seconds as JSON: `60`, not `60.0`, where they are whole.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be whole and within range"
)]
fn number(seconds: f64) -> Option<serde_json::Number> {
    if seconds.fract() == 0.0 && (0.0..1e15).contains(&seconds) {
        return Some(serde_json::Number::from(seconds as u64));
    }
    serde_json::Number::from_f64(seconds)
}

fn table(fields: &Fields, path: &str, token: &str, why_gap: &str) -> Table {
    let mut table = Table::new(&["what", "value"]);
    let none = || "-".to_owned();
    let gap = fields.gap.as_ref().and_then(serde_json::Number::as_f64);
    let gap = std::time::Duration::try_from_secs_f64(gap.unwrap_or(0.0)).unwrap_or_default();
    let mut row = |what: &str, value: String| table.row([what, value.as_str()]);
    row("path", path.to_owned());
    row("token", token.to_owned());
    row(
        "allowed",
        if fields.allowed { "yes" } else { "no" }.to_owned(),
    );
    row(
        "line",
        fields.line.map_or_else(none, |line| line.to_string()),
    );
    row("rule", fields.rule.clone().unwrap_or_else(none));
    row(
        "group",
        match fields.group {
            "named" => format!("it names {token}"),
            "star" => format!("the one for *: {token} is not named"),
            _ => format!("none, neither for {token} nor for *"),
        },
    );
    let delay = fields.crawl_delay.as_ref();
    row(
        "crawl delay",
        delay.map_or_else(none, |delay| format!("{delay} s declared")),
    );
    row("gap", format!("{} ({why_gap})", fit::gap(gap)));
    for sitemap in &fields.sitemaps {
        row("sitemap", sitemap.clone());
    }
    for (key, value) in &fields.signals.content_signal {
        row("content signal", format!("{key}={value}"));
    }
    for (key, value) in &fields.signals.content_usage {
        row("content usage", format!("{key}={value}"));
    }
    row("second opinion", words::plain(&fields.second_opinion));
    for note in &fields.notes {
        row("note", note.clone());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_seconds_have_no_fraction() {
        for (seconds, text) in [(60.0, "60"), (0.0, "0"), (1.5, "1.5")] {
            assert_eq!(number(seconds).unwrap().to_string(), text);
        }
        assert!(number(f64::NAN).is_none());
    }
}
