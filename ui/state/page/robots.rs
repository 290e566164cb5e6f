//! robots.txt as evidence: which fetch, which path, which token, what was found, and the text.

use std::collections::BTreeMap;

use engine::robots::{Access, GapReason, GroupKind, Reading, SecondOpinion, Verdict};
use engine::store::{RobotsId, RunId};

use super::Part;
use super::facts::{Fact, short, wrapped};
use super::rows::Fetch;
use crate::engine;
use crate::jobs::page::{Asked, Explained, Explanation};
use crate::text::{Clean, fit};
use crate::theme::Role;

/// Bytes of a line that are shown; a giant one costs no more than this.
const SHOWN: usize = 500;

/// Bytes of the rule that decides in the sentence about it; the line itself stands below.
const RULE: usize = 200;
/// Sitemaps that are listed.
const SITEMAPS: usize = 50;

/// What a line had to say about the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It decides.
    Decides,
    /// It matches, and so many come before it.
    Loses(usize),
    /// It makes the group ours.
    Agent,
}

/// The section.
#[derive(Debug, Default)]
pub(crate) struct Robots {
    /// Which fetch; none for the newest, whichever that is.
    pub(crate) fetch: Option<RobotsId>,
    /// What was tried; none for the path chosen by itself and the policy's token.
    pub(crate) path: Option<String>,
    pub(crate) token: Option<String>,
    /// Number of the newest question.
    pub(crate) asked: u64,
    /// What that question was, and what was answered.
    pub(crate) question: Option<Asked>,
    pub(crate) evidence: Part<Evidence>,
}

/// What was found.
#[derive(Debug)]
pub(crate) struct Evidence {
    pub(crate) said: Explained,
    pub(crate) marks: BTreeMap<u32, Mark>,
    below: Vec<Fact>,
}

impl Evidence {
    /// Of an answer.
    pub(crate) fn new(said: Explained) -> Evidence {
        let marks = said.file.as_ref().map(|file| marks(&file.verdict));
        Evidence {
            marks: marks.unwrap_or_default(),
            below: said.file.as_ref().map(below).unwrap_or_default(),
            said,
        }
    }

    /// The line to look at first, from 0.
    pub(crate) fn first(&self) -> usize {
        let decides = self.marks.iter().find(|(_, mark)| **mark == Mark::Decides);
        let line = decides.or_else(|| self.marks.first_key_value());
        line.map_or(0, |(line, _)| (*line as usize).saturating_sub(1))
    }
}

fn marks(verdict: &Verdict) -> BTreeMap<u32, Mark> {
    let mut marks: BTreeMap<u32, Mark> = BTreeMap::new();
    for line in &verdict.agent_lines {
        marks.insert(*line, Mark::Agent);
    }
    for (rank, rule) in verdict.matching.iter().enumerate() {
        let mark = if rank == 0 {
            Mark::Decides
        } else {
            Mark::Loses(rank)
        };
        marks.entry(rule.line).or_insert(mark);
    }
    marks
}

impl Robots {
    /// What is asked of a fetch.
    pub(crate) fn wanted(&self, fetch: RobotsId, run: Option<RunId>) -> Asked {
        Asked {
            fetch,
            run,
            path: self.path.clone(),
            token: self.token.clone(),
        }
    }

    /// The path and token as they would be written.
    pub(crate) fn tried(&self) -> String {
        let Some(evidence) = self.evidence.ready() else {
            return self.path.clone().unwrap_or_else(|| "/".to_owned());
        };
        let said = &evidence.said;
        if said.own_token {
            said.path.clone()
        } else {
            format!("{} as {}", said.path, said.token)
        }
    }

    fn file(&self) -> Option<&Explanation> {
        self.evidence.ready()?.said.file.as_ref()
    }

    /// Lines of the text and of what stands below it.
    pub(crate) fn length(&self, width: usize, below: &[Fact]) -> usize {
        let count = wrapped(below.to_vec(), width).len();
        self.file().map_or(0, |file| file.text.len() + count)
    }

    /// A line of the text, from 0, with its mark; no more of it than can be shown.
    pub(crate) fn line(&self, at: usize) -> Option<(Clean, Option<Mark>)> {
        let evidence = self.evidence.ready()?;
        let text = &evidence.said.file.as_ref()?.text;
        if at >= text.len() {
            return None;
        }
        let clean = short(text.line(at), SHOWN);
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        Some((clean, evidence.marks.get(&number).copied()))
    }

    /// What stands below the text.
    pub(crate) fn below(&self) -> &[Fact] {
        self.evidence
            .ready()
            .map_or(&[], |evidence| evidence.below.as_slice())
    }

    /// The verdict and how it came about.
    pub(crate) fn says(&self, fetch: &Fetch, (at, count): (usize, usize)) -> Vec<Fact> {
        let mut facts = Vec::new();
        if let Some(evidence) = self.evidence.ready() {
            facts.extend(verdict(&evidence.said, fetch));
        }
        let which = match at {
            0 => format!("newest of {count}"),
            _ => format!("{} of {count}", at + 1),
        };
        facts.push(Fact::new("fetch", format!("{which}: {}", fetch.ended())));
        facts
    }
}

/// What the file says beside its rules.
fn below(file: &Explanation) -> Vec<Fact> {
    let mut facts = Vec::new();
    for note in &file.notes {
        facts.push(Fact::new("note", note));
    }
    for sitemap in file.sitemaps.iter().take(SITEMAPS) {
        facts.push(Fact::new("sitemap", sitemap));
    }
    let more = file.sitemaps.len().saturating_sub(SITEMAPS);
    if more > 0 {
        facts.push(Fact::new("", format!("and {more} more sitemaps")));
    }
    let signals = &file.signals;
    for (label, values) in [
        ("signal", &signals.content_signal),
        ("usage", &signals.content_usage),
    ] {
        for (key, value) in values {
            facts.push(Fact::new(label, format!("{key}={value}")));
        }
    }
    facts
}

/// What makes a fetch evidence: where it came from, until when it holds, its digest.
pub(crate) fn evidence(fetch: &Fetch) -> Vec<Fact> {
    let mut facts = vec![
        Fact::new("from", &fetch.row.fetch.url),
        Fact::new("valid until", fetch.valid()),
    ];
    if let Some(digest) = fetch.digest() {
        facts.push(Fact::new("sha256", digest));
    }
    facts
}

fn verdict(said: &Explained, fetch: &Fetch) -> Vec<Fact> {
    let path = &said.path;
    let file = said.file.as_ref();
    let rules = fetch.access == Some(Access::Rules);
    let (allowed, why) = match (fetch.access, file) {
        (Some(Access::Rules), Some(file)) => (file.verdict.allowed, decided(&file.verdict)),
        (Some(Access::Rules), None) => (false, "no text of it was kept to decide by".to_owned()),
        (Some(Access::Open), _) => (true, fetch.reason()),
        (Some(Access::Closed(_)) | None, _) => (path == "/robots.txt", fetch.reason()),
    };
    let (may, role) = if allowed {
        ("may be asked", Role::Good)
    } else {
        ("must not be asked", Role::Told)
    };
    let mut facts = vec![Fact::new("verdict", format!("{path} {may}: {why}")).role(role)];
    if let Some(file) = file {
        let verdict = &file.verdict;
        let mut text = format!(
            "{}; read by {}; second opinion {}",
            group(verdict, said),
            reading(verdict.reading),
            verdict.second_opinion
        );
        if !rules {
            let own = if verdict.allowed { "allow" } else { "deny" };
            text.push_str(&format!("; its rules by themselves would {own} the path"));
        }
        let differs = !matches!(
            verdict.second_opinion,
            SecondOpinion::Agrees | SecondOpinion::NotAsked
        );
        let role = if differs { Role::Bad } else { Role::Plain };
        facts.push(Fact::new("read", text).role(role));
    }
    facts.push(Fact::new("gap", gap(said)));
    facts
}

/// Why, by the rules.
fn decided(verdict: &Verdict) -> String {
    let second = matches!(
        verdict.second_opinion,
        SecondOpinion::Differs | SecondOpinion::Failed(_)
    );
    let Some(first) = verdict.matching.first() else {
        return match (verdict.path.as_str(), verdict.group) {
            ("/robots.txt", _) => "robots.txt itself always may".to_owned(),
            _ if second => "no rule of ours matches, but the second opinion differs".to_owned(),
            (_, GroupKind::None) => "no group speaks to us".to_owned(),
            _ => "no rule matches".to_owned(),
        };
    };
    let rank = match verdict.matched {
        1 => "the only one that matches".to_owned(),
        count => format!("longest of {count} that match"),
    };
    let rule = short(first.text.trim().as_bytes(), RULE);
    let mut text = format!("line {} `{rule}` decides, {rank}", first.line);
    if second && first.allow {
        text.push_str(", but the second opinion differs, and a refusal wins");
    }
    text
}

fn group(verdict: &Verdict, said: &Explained) -> String {
    let numbers: Vec<String> = verdict.agent_lines.iter().map(u32::to_string).collect();
    let (word, names) = match numbers.len() {
        1 => ("line", "names"),
        _ => ("lines", "name"),
    };
    let lines = format!("{word} {}", numbers.join(", "));
    match verdict.group {
        GroupKind::Named => format!("{lines} {names} {}", said.token),
        GroupKind::Star => format!("{} is not named, * is ({lines})", said.token),
        GroupKind::None => format!("no group for {} and none for *", said.token),
    }
}

fn reading(reading: Reading) -> &'static str {
    match reading {
        Reading::Rfc => "RFC 9309",
        Reading::Intent => "what the owner most likely meant, which is stricter than RFC 9309",
    }
}

fn gap(said: &Explained) -> String {
    let kept = fit::gap(said.gap.duration);
    let why = match said.gap.reason {
        GapReason::Minimum => "the policy's minimum; no Crawl-delay is declared to us".to_owned(),
        GapReason::Declared(delay) => {
            format!("Crawl-delay {} of line {}", delay.seconds, delay.line)
        }
        GapReason::Clamped(delay) => format!(
            "Crawl-delay {} of line {}, kept within the policy's bounds",
            delay.seconds, delay.line
        ),
    };
    let scale = if said.scale == 1.0 {
        String::new()
    } else {
        format!(", all times {} in this loopback run", said.scale)
    };
    format!("{kept}: {why}{scale}")
}
