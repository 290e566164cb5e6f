//! From lines to what concerns us: groups chosen, rules, delays, sitemaps, signals.
//!
//! Two readings are kept at once. **RFC** is RFC 9309 with Google's leniency. **Intent** is what
//! the owner most likely meant: comma lists, a forgotten slash, invisible characters, rules
//! without any agent, and a delay or signal line that ends a list of agents.

use super::agents::{self, Who};
use super::file::Delay;
use super::line::{self, Key, Record};
use super::notes::{Note, Notes};
use super::rules::{INTENT, RFC, Rules};
use super::signals::{Kind, SignalLine, Tier};
use super::text::{Line, Text};
use super::track::{Chosen, Track};
use super::{delay, invisible};

/// All that concerns us in a file.
pub(super) struct Read {
    pub(super) rules: Rules,
    pub(super) rfc: Chosen,
    pub(super) intent: Chosen,
    pub(super) delay: Option<Delay>,
    pub(super) sitemaps: Vec<String>,
    pub(super) signals: Vec<SignalLine>,
}

/// Reads a text for a token.
pub(super) fn read(text: &Text, token: &str, notes: &mut Notes) -> Read {
    let mut reader = Reader {
        token: agents::token(token.trim().as_bytes()),
        notes,
        rfc: Track::default(),
        intent: Track::default(),
        rules: Rules::default(),
        delays: Vec::new(),
        signals: Vec::new(),
        sitemaps: Vec::new(),
    };
    for line in text.lines() {
        reader.line(line);
    }
    reader.finish()
}

// Flags of a rule while reading: the kinds of group it stands in, by reading.
const RFC_NAMED: u8 = 1;
const RFC_STAR: u8 = 2;
const INTENT_NAMED: u8 = 4;
const INTENT_STAR: u8 = 8;
const ORPHAN: u8 = 16;

/// Where a line stands: its group in each reading, none before the first User-agent line.
#[derive(Clone, Copy)]
struct Place {
    line: u32,
    at: u32,
    rfc: Option<usize>,
    intent: Option<usize>,
}

struct Reader<'n> {
    token: &'n [u8],
    notes: &'n mut Notes,
    rfc: Track,
    intent: Track,
    rules: Rules,
    delays: Vec<(Place, Option<f64>)>,
    signals: Vec<(Place, Kind, Box<[u8]>)>,
    sitemaps: Vec<String>,
}

impl Reader<'_> {
    fn line(&mut self, line: Line<'_>) {
        let spoken = line.spoken();
        if line.raw.get(spoken.len()) == Some(&0) {
            self.notes.take(Note::Nul, line.number);
        }
        if spoken.is_empty() {
            return;
        }
        let seen = invisible::dropped(spoken);
        let (rfc, intent) = line::readings(spoken, &seen);
        if rfc.is_none() && intent.is_none() {
            return;
        }
        if rfc.map(|r| (r.key, r.value)) != intent.map(|r| (r.key, r.value)) && !spoken.is_ascii() {
            self.notes.take(Note::Unseen, line.number);
        }
        if intent.or(rfc).is_some_and(|record| record.misspelt) {
            self.notes.take(Note::Misspelt, line.number);
        }
        self.agents(line.number, rfc, intent);
        self.rule(&line, rfc, intent);
        if let Some(record) = intent {
            self.other(&line, record);
        }
    }

    fn agents<'l>(&mut self, line: u32, rfc: Option<Record<'l>>, intent: Option<Record<'l>>) {
        let token = self.token;
        let agent = |record: Option<Record<'l>>, who: fn(&[u8], &[u8]) -> Who| {
            record
                .filter(|record| record.key == Key::Agent)
                .map(|record| (who(record.value, token), record.value))
        };
        let (rfc, intent) = (agent(rfc, agents::one), agent(intent, agents::list));
        if let Some((who, value)) = &rfc {
            let goes_on = self.rfc.open && !self.intent.open;
            if goes_on && (self.rfc.current_who().any() || who.any()) {
                self.notes.take(Note::ListGoesOn, line);
            }
            if who.named && !value.eq_ignore_ascii_case(self.token) {
                self.notes.take(Note::TokenWithMore, line);
            }
            self.rfc.agent(*who, line);
        }
        if let Some((who, value)) = &intent {
            let one = rfc.as_ref().map(|(who, _)| *who);
            if value.contains(&b',') && one.is_some_and(|one| one != *who) {
                self.notes.take(Note::CommaList, line);
            }
            self.intent.agent(*who, line);
        }
    }

    fn rule(&mut self, line: &Line<'_>, rfc: Option<Record<'_>>, intent: Option<Record<'_>>) {
        let is_rule = |record: &Record<'_>| matches!(record.key, Key::Allow | Key::Disallow);
        let (rfc, intent) = (rfc.filter(is_rule), intent.filter(is_rule));
        let mut rfc_flags = 0;
        let mut intent_flags = 0;
        if rfc.is_some() {
            self.rfc.end_list();
            rfc_flags = flags(self.rfc.current_who(), RFC_NAMED, RFC_STAR);
        }
        if intent.is_some() {
            self.intent.end_list();
            intent_flags = flags(self.intent.current_who(), INTENT_NAMED, INTENT_STAR);
            if self.intent.groups.is_empty() {
                intent_flags = ORPHAN;
                self.notes.take(Note::OrphansIgnored, line.number);
                self.notes.take(Note::OrphansApplied, line.number);
            }
        }
        let place = (line.number, line.at);
        let same = rfc.is_some_and(|rfc| {
            intent.is_some_and(|i| (i.key, i.value) == (rfc.key, rfc.value)) && rooted(rfc.value)
        });
        if let Some(record) = rfc.filter(|record| rooted(record.value)) {
            let all = if same {
                rfc_flags | intent_flags
            } else {
                rfc_flags
            };
            self.push(place, record, false, all);
        }
        if let Some(record) = intent.filter(|record| !same && !record.value.is_empty()) {
            let slash = !rooted(record.value);
            if !slash {
                self.push(place, record, false, intent_flags);
            } else if record.key == Key::Disallow && intent_flags != 0 {
                let url = record.value.windows(3).any(|three| three == b"://");
                self.notes.take(
                    if url {
                        Note::FullUrl
                    } else {
                        Note::MissingSlash
                    },
                    line.number,
                );
                self.push(place, record, true, intent_flags);
            }
        }
    }

    fn push(&mut self, place: (u32, u32), record: Record<'_>, slash: bool, flags: u8) {
        if flags != 0 {
            let allow = record.key == Key::Allow;
            self.rules.push(place, allow, slash, record.value, flags);
        }
    }

    fn other(&mut self, line: &Line<'_>, record: Record<'_>) {
        let place = Place {
            line: line.number,
            at: line.at,
            rfc: self.rfc.current(),
            intent: self.intent.current(),
        };
        match record.key {
            Key::Agent | Key::Allow | Key::Disallow => return,
            Key::Sitemap => {
                if !record.value.is_empty() {
                    let url = String::from_utf8_lossy(record.value).into_owned();
                    self.sitemaps.push(url);
                }
                return;
            }
            Key::Delay => self.delays.push((place, delay::seconds(record.value))),
            Key::Signal => self
                .signals
                .push((place, Kind::Signal, record.value.into())),
            Key::Usage => self.signals.push((place, Kind::Usage, record.value.into())),
        }
        self.intent.end_list();
    }

    fn finish(mut self) -> Read {
        let orphans = self.intent.groups.is_empty();
        let unfit = if orphans {
            Note::OrphansIgnored
        } else {
            Note::OrphansApplied
        };
        self.notes.drop(unfit);
        if self.rfc.speakers() > 1 {
            let lines = match self.rfc.names_us() {
                true => &self.rfc.named_lines,
                false => &self.rfc.star_lines,
            };
            for line in lines {
                self.notes.take(Note::MergedGroups, *line);
            }
        }
        let rfc_flag = if self.rfc.names_us() {
            RFC_NAMED
        } else {
            RFC_STAR
        };
        let intent_flag = match (orphans, self.intent.names_us()) {
            (true, _) => ORPHAN,
            (false, true) => INTENT_NAMED,
            (false, false) => INTENT_STAR,
        };
        self.rules.settle(|flags| {
            let in_rfc = if flags & rfc_flag != 0 { RFC } else { 0 };
            let in_intent = if flags & intent_flag != 0 { INTENT } else { 0 };
            in_rfc | in_intent
        });
        Read {
            delay: self.delay(),
            signals: self.signal_lines(),
            rules: self.rules,
            rfc: self.rfc.chosen(),
            intent: self.intent.chosen(),
            sitemaps: self.sitemaps,
        }
    }

    /// The longest wait that either reading takes as ours, or that stands before all groups.
    fn delay(&mut self) -> Option<Delay> {
        let mut longest: Option<Delay> = None;
        let mut readable = Vec::new();
        for (place, seconds) in &self.delays {
            let ours = place.rfc.is_none_or(|group| self.rfc.speaks(group))
                || place.intent.is_none_or(|group| self.intent.speaks(group));
            let line = place.line;
            match seconds {
                _ if !ours => {}
                None => self.notes.take(Note::UnreadableDelay, line),
                Some(seconds) => {
                    readable.push(line);
                    if longest.is_none_or(|held| *seconds > held.seconds) {
                        longest = Some(Delay {
                            seconds: *seconds,
                            line,
                        });
                    }
                }
            }
        }
        if readable.len() > 1 {
            for line in readable {
                self.notes.take(Note::SeveralDelays, line);
            }
        }
        longest
    }

    fn signal_lines(&mut self) -> Vec<SignalLine> {
        let mut lines = Vec::new();
        for (place, kind, value) in std::mem::take(&mut self.signals) {
            let Some(tier) = self.tier(place) else {
                continue;
            };
            if place.rfc.is_none() && place.intent.is_none() {
                self.notes.take(Note::EarlySignal, place.line);
            }
            let (line, clear) = SignalLine::read((place.line, place.at), tier, kind, &value);
            if !clear {
                self.notes.take(Note::UnreadableSignal, place.line);
            }
            lines.push(line);
        }
        lines
    }

    fn tier(&self, place: Place) -> Option<Tier> {
        let ours = |track: &Track, group: Option<usize>| group.map(|g| track.speaks(g));
        let rfc = ours(&self.rfc, place.rfc);
        let intent = ours(&self.intent, place.intent);
        if rfc == Some(true) && intent == Some(true) {
            return Some(Tier::Ours);
        }
        // Before all groups (none), or ours by one reading.
        if rfc.unwrap_or(true) || intent.unwrap_or(true) {
            return Some(Tier::RefusalsOnly);
        }
        let star = place.rfc.is_some_and(|group| self.rfc.is_star(group))
            || place.intent.is_some_and(|group| self.intent.is_star(group));
        star.then_some(Tier::WhereWeAreSilent)
    }
}

fn flags(who: Who, named: u8, star: u8) -> u8 {
    let named = if who.named { named } else { 0 };
    let star = if who.star { star } else { 0 };
    named | star
}

/// Whether a rule can match a path at all: paths begin with a slash.
fn rooted(rule: &[u8]) -> bool {
    matches!(rule.first(), Some(b'/' | b'*'))
}
