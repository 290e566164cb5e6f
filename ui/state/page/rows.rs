//! Rows of the page's lists, their texts cleaned once.

use engine::crawl::Lamp;
use engine::robots::{Access, Closed};
use engine::store::{Change, HostVisit, JournalEntry, RobotsRow, SpanState, Version};

use super::facts::Fact;
use crate::cli::log::hex;
use crate::engine;
use crate::text::{Clean, fit, words};
use crate::theme::Role;

/// One visit.
#[derive(Debug)]
pub(crate) struct Visit {
    pub(crate) visit: HostVisit,
    pub(crate) run: Clean,
    pub(crate) ended: Clean,
    pub(crate) outcome: Clean,
    pub(crate) lamps: Vec<Lamp>,
}

impl Visit {
    /// Of a visit as read.
    pub(crate) fn new(visit: HostVisit) -> Visit {
        let record = &visit.record;
        let mut run = visit.label.clone();
        if record.turn > 1 {
            run.push_str(&format!(" turn {}", record.turn));
        }
        Visit {
            run: Clean::new(run),
            ended: Clean::new(fit::second(record.ended)),
            outcome: Clean::new(words::plain(&record.outcome.word())),
            lamps: record
                .locations
                .iter()
                .map(|state| Lamp::of(*state, Change::None))
                .collect(),
            visit,
        }
    }

    /// Locations by what became of them, the denied ones with their line.
    pub(crate) fn facts(&self, locations: &[String]) -> Vec<Fact> {
        let record = &self.visit.record;
        let mut facts: Vec<(&'static str, Vec<String>)> = Vec::new();
        for (at, state) in record.locations.iter().enumerate() {
            let name = locations.get(at).map_or("?", String::as_str);
            let denied = record.denied.iter().find(|(path, ..)| path == name);
            let text = match denied {
                Some((_, _, 0)) => format!("{name} (closed as a whole)"),
                Some((_, _, line)) => format!("{name} (line {line})"),
                None => name.to_owned(),
            };
            let word = span(*state);
            match facts.iter_mut().find(|(known, _)| *known == word) {
                Some((_, names)) => names.push(text),
                None => facts.push((word, vec![text])),
            }
        }
        // What is told most often says least.
        facts.sort_by_key(|(_, names)| names.len());
        let facts = facts.into_iter();
        facts
            .map(|(word, names)| Fact::new(word, names.join(", ")))
            .collect()
    }
}

fn span(state: SpanState) -> &'static str {
    match state {
        SpanState::Present => "present",
        SpanState::Absent => "absent",
        SpanState::SoftAbsent => "soft 404",
        SpanState::Denied => "denied",
        SpanState::Blocked => "blocked",
        SpanState::Challenge => "challenge",
        SpanState::Limited => "limited",
        SpanState::Redirect => "redirect",
        SpanState::TooLarge => "too large",
        SpanState::Error => "error",
        SpanState::NotAsked => "not asked",
        SpanState::Interrupted => "interrupted",
    }
}

/// One fetch of robots.txt.
#[derive(Debug)]
pub(crate) struct Fetch {
    pub(crate) row: RobotsRow,
    pub(crate) access: Option<Access>,
}

impl Fetch {
    /// Of a fetch as read.
    pub(crate) fn new(row: RobotsRow) -> Fetch {
        Fetch {
            access: Access::from_word(&row.fetch.access),
            row,
        }
    }

    /// When and how it ended: `2026-11-30 06:00:01Z, 200, 312 B, 1 hop`.
    pub(crate) fn ended(&self) -> String {
        let fetch = &self.row.fetch;
        let mut text = fit::milli(fetch.at);
        match fetch.status {
            Some(status) => text.push_str(&format!(", status {status}")),
            None => text.push_str(", no answer"),
        }
        if let Some(bytes) = self.row.bytes {
            text.push_str(&format!(", {}", fit::bytes(bytes)));
        }
        match fetch.redirects {
            0 => text.push_str(", no hops"),
            1 => text.push_str(", 1 hop"),
            hops => text.push_str(&format!(", {hops} hops")),
        }
        text
    }

    /// What it means for the whole host.
    pub(crate) fn means(&self) -> String {
        let reason = self.reason();
        match self.access {
            Some(Access::Rules) => reason,
            Some(Access::Open) => format!("no restrictions: {reason}"),
            Some(Access::Closed(_)) | None => format!("nothing may be asked: {reason}"),
        }
    }

    /// Why it means that.
    pub(crate) fn reason(&self) -> String {
        let status = self.row.fetch.status;
        let status = status.map_or_else(|| "no answer".to_owned(), |status| status.to_string());
        match self.access {
            Some(Access::Rules) => "its rules are followed".to_owned(),
            Some(Access::Open) => format!("the policy takes {status} as no robots.txt"),
            Some(Access::Closed(why)) => closed(why, &status),
            None => format!(
                "{} is a word this version does not know",
                self.row.fetch.access
            ),
        }
    }

    /// Both in one sentence.
    pub(crate) fn sentence(&self) -> String {
        format!("{} ({})", self.means(), self.ended())
    }

    /// Whether that is as it should be.
    pub(crate) fn role(&self) -> Role {
        match self.access {
            Some(Access::Rules | Access::Open) => Role::Plain,
            Some(Access::Closed(_)) | None => Role::Told,
        }
    }

    /// The digest of its text, hex.
    pub(crate) fn digest(&self) -> Option<String> {
        self.row.fetch.sha256.as_ref().map(hex)
    }

    /// Until when it may be used.
    pub(crate) fn valid(&self) -> String {
        fit::second(self.row.fetch.valid_until)
    }
}

fn closed(why: Closed, status: &str) -> String {
    match why {
        Closed::TooManyRequests => "the host asked for fewer requests (429)".to_owned(),
        Closed::Status => format!("the policy takes {status} as closed"),
        Closed::Unreachable => "robots.txt could not be reached".to_owned(),
        Closed::Redirects => "its redirects could not be followed".to_owned(),
        Closed::TooLarge => "robots.txt is larger than the policy reads".to_owned(),
        Closed::NotRobots => "what came is no robots.txt but a page or binary data".to_owned(),
        Closed::Challenge => "a challenge came instead of robots.txt".to_owned(),
        Closed::Broken => format!("the answer was broken ({status})"),
    }
}

/// One version.
#[derive(Debug)]
pub(crate) struct VersionRow {
    /// Location and number, as they are stored.
    pub(crate) which: (String, u32),
    pub(crate) location: Clean,
    pub(crate) number: Clean,
    pub(crate) first_seen: Clean,
    pub(crate) last_seen: Clean,
    pub(crate) bytes: Clean,
    pub(crate) media_type: Clean,
    /// Its first twelve digits.
    pub(crate) digest: Clean,
    whole: String,
    marks: String,
}

impl VersionRow {
    fn new(version: Version) -> VersionRow {
        let whole = hex(&version.sha256);
        let marks: Vec<&str> = version.marks.iter().map(|mark| mark.word()).collect();
        VersionRow {
            which: (version.location.clone(), version.number),
            location: Clean::new(&version.location),
            number: Clean::new(version.number.to_string()),
            first_seen: Clean::new(fit::second(version.first_seen)),
            last_seen: Clean::new(fit::second(version.last_seen)),
            bytes: Clean::new(fit::bytes(version.bytes)),
            media_type: Clean::new(version.media_type.as_deref().unwrap_or("-")),
            digest: Clean::new(whole.get(..12).unwrap_or(&whole)),
            marks: words::plain(&marks.join(", ")),
            whole,
        }
    }

    /// What the row has no room for.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![Fact::new("sha256", &self.whole)];
        let mut seen = format!("first {}, last {}", self.first_seen, self.last_seen);
        seen.push_str(&format!(", {}", self.media_type));
        facts.push(Fact::new("seen", seen));
        if !self.marks.is_empty() {
            facts.push(Fact::new("marks", &self.marks));
        }
        facts
    }
}

/// Versions by location, the newest of each first.
pub(super) fn versions(mut versions: Vec<Version>) -> Vec<VersionRow> {
    versions.sort_by(|a, b| a.location.cmp(&b.location).then(b.number.cmp(&a.number)));
    versions.into_iter().map(VersionRow::new).collect()
}

/// One action of an operator.
#[derive(Debug)]
pub(crate) struct Journaled {
    pub(crate) at: Clean,
    pub(crate) by: Clean,
    pub(crate) action: Clean,
    why: String,
    inverse: String,
}

impl Journaled {
    /// What the row has no room for.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let why = if self.why.is_empty() {
            "not given"
        } else {
            &self.why
        };
        let mut facts = vec![Fact::new("why", why)];
        if !self.inverse.is_empty() {
            let text = format!("lamplighter {}", self.inverse);
            facts.push(Fact::new("undone by", text));
        }
        facts
    }
}

/// The journal, newest first.
pub(super) fn journal(entries: Vec<JournalEntry>) -> Vec<Journaled> {
    let newest = entries.into_iter().rev();
    newest
        .map(|entry| Journaled {
            at: Clean::new(fit::second(entry.at)),
            by: Clean::new(&entry.by),
            action: Clean::new(&entry.action),
            why: entry.why,
            inverse: entry.inverse,
        })
        .collect()
}
