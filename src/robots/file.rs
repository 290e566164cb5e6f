//! One robots.txt as read for one token.

use super::groups;
use super::notes::{Note, Notes};
use super::rules::{INTENT, RFC, Rule, Rules, deciding};
use super::second::Second;
use super::signals::SignalLine;
use super::text::Text;
use super::track::Chosen;
use super::{Evidence, GroupKind, Reading, SecondOpinion, Signals, Verdict};
use super::{canonical, look, signals, text};

/// A declared Crawl-delay that could be read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// Seconds, finite and not negative.
    pub seconds: f64,
    /// 1-based line.
    pub line: u32,
}

/// Rules shown as evidence at most; how many matched is told beside them.
const MATCHING_SHOWN: usize = 100;

/// Signal lines shown at most: they are stored with each fetch, and the whole file is, too.
const SIGNALS_SHOWN: usize = 100;

/// A robots.txt read for one token. Cheap to drop; never stored in parsed form.
pub struct RobotsFile {
    text: Text,
    rules: Rules,
    second: Second,
    rfc: Chosen,
    intent: Chosen,
    delay: Option<Delay>,
    sitemaps: Vec<String>,
    signals: Vec<SignalLine>,
    not_robots: bool,
    notes: Vec<String>,
}

impl RobotsFile {
    /// Reads `bytes` for `token`. At most `max_bytes` are read, a line cut there is dropped.
    pub fn read(bytes: &[u8], token: &str, max_bytes: usize) -> RobotsFile {
        let text = Text::take(bytes, max_bytes);
        let mut notes = Notes::default();
        let not_robots = look::is_not_robots(&text.bytes);
        let whole = [
            (Note::NotRobots, not_robots),
            (Note::Cut, text.cut),
            (Note::Utf16, text.utf16),
        ];
        for (note, _) in whole.into_iter().filter(|(_, so)| *so) {
            notes.take_whole(note);
        }
        let read = groups::read(&text, token, &mut notes);
        RobotsFile {
            second: Second::of(&read.rules),
            notes: notes.sentences(),
            text,
            rules: read.rules,
            rfc: read.rfc,
            intent: read.intent,
            delay: read.delay,
            sitemaps: read.sitemaps,
            signals: read.signals,
            not_robots,
        }
    }

    /// May `path` (path and query, as it would be asked) be fetched, and which line says so.
    ///
    /// A whole http(s) URL is taken by its path. Allowed only if both readings and the second
    /// opinion allow; `/robots.txt` itself always is (RFC 9309 2.2.2).
    pub fn verdict(&self, path: &str) -> Verdict {
        let path = canonical::path(path);
        let matched = match path.as_str() {
            "/robots.txt" => Vec::new(),
            path => self.rules.matching(path),
        };
        let allows = |flag| deciding(&matched, flag).is_none_or(|rule| rule.allow);
        let (rfc, intent) = (allows(RFC), allows(INTENT));
        // RB2 by both readings: the line named is RFC's unless only Intent refuses.
        let (reading, flag, group) = if rfc && !intent {
            (Reading::Intent, INTENT, &self.intent)
        } else {
            (Reading::Rfc, RFC, &self.rfc)
        };
        let second_opinion = self.second.opinion(&self.rules, &path, &matched);
        let agreed = matches!(
            second_opinion,
            SecondOpinion::Agrees | SecondOpinion::NotAsked
        );
        let ranked = || matched.iter().filter(|rule| rule.flags & flag != 0);
        let matching: Vec<Evidence> = ranked()
            .take(MATCHING_SHOWN)
            .map(|rule| self.evidence(rule))
            .collect();
        Verdict {
            allowed: rfc && intent && agreed,
            line: matching.first().map(|first| first.line),
            rule: matching.first().map(|first| first.text.clone()),
            group: group.kind,
            agent_lines: group.agent_lines.clone(),
            reading,
            matched: ranked().count(),
            path,
            matching,
            second_opinion,
        }
    }

    fn evidence(&self, rule: &Rule) -> Evidence {
        Evidence {
            line: rule.line,
            allow: rule.allow,
            text: self.text.line_at(rule.at),
            pattern: text::read(self.rules.pattern(rule)),
        }
    }

    /// The lines that were read, in order, without their ends: 1-based number and bytes. Nothing beyond the
    /// limit is among them; UTF-16 is UTF-8 here.
    pub fn lines(&self) -> impl Iterator<Item = (u32, &[u8])> {
        self.text.lines().map(|line| (line.number, line.raw))
    }

    /// The group that speaks for us by RFC 9309, and the lines that name us (or `*`).
    pub fn group(&self) -> (GroupKind, &[u32]) {
        (self.rfc.kind, &self.rfc.agent_lines)
    }

    /// The longest delay declared for us, if any (PC3).
    pub fn delay(&self) -> Option<Delay> {
        self.delay
    }

    /// Values of Sitemap lines in file order.
    pub fn sitemaps(&self) -> &[String] {
        &self.sitemaps
    }

    /// Content signals in force for us at `path` (CS1 to CS3). A path that may not be fetched has
    /// no Content-Usage; its Content-Signal stands, for it may close more than the path.
    pub fn signals(&self, path: &str) -> Signals {
        if self.signals.is_empty() {
            return Signals::default();
        }
        let verdict = self.verdict(path);
        let mut signals = signals::in_force(&self.signals, &verdict.path, verdict.allowed);
        signals.lines = self
            .signals
            .iter()
            .take(SIGNALS_SHOWN)
            .map(|signal| (signal.line, self.text.line_at(signal.at)))
            .collect();
        signals
    }

    /// Whether the bytes look like no robots.txt at all: an HTML page or binary (RB10).
    pub fn is_not_robots(&self) -> bool {
        self.not_robots
    }

    /// What an operator should know of this file: merged groups, comma lists, orphan rules, misspelt keys…
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl std::fmt::Debug for RobotsFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RobotsFile")
            .field("bytes", &self.text.bytes.len())
            .field("group", &self.rfc.kind)
            .field("rules", &self.rules.iter().count())
            .field("delay", &self.delay)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> RobotsFile {
        RobotsFile::read(text.as_bytes(), "x", 1000)
    }

    #[test]
    fn lines_have_the_numbers_of_the_evidence() {
        let file = read("\u{feff}User-agent: *\r\n\rDisallow: /a\n# end");
        let verdict = file.verdict("/a");
        let line = file
            .lines()
            .find(|(number, _)| Some(*number) == verdict.line)
            .unwrap();
        assert_eq!(line, (3, b"Disallow: /a".as_slice()));
        assert_eq!(file.lines().count(), 4);
    }

    #[test]
    fn where_the_readers_differ_the_refusal_wins() {
        let open: fn(&[u8], &str) -> Result<bool, String> = |_, _| Ok(true);
        let shut: fn(&[u8], &str) -> Result<bool, String> = |_, _| Ok(false);
        for (ours, theirs) in [("Allow", shut), ("Disallow", open)] {
            let mut file = read(&format!("User-agent: *\n{ours}: /\n"));
            file.second = file.second.asking(theirs);
            let verdict = file.verdict("/x");
            assert_eq!(verdict.second_opinion, SecondOpinion::Differs);
            assert!(!verdict.allowed);
            assert_eq!(verdict.line, Some(2), "our own evidence stays");
        }
    }

    #[test]
    fn a_second_reader_that_cannot_read_refuses() {
        let mut file = read("User-agent: *\nAllow: /\n");
        file.second = file.second.asking(|_, _| Err("no".to_owned()));
        let verdict = file.verdict("/x");
        assert_eq!(verdict.second_opinion, SecondOpinion::Failed("no".into()));
        assert!(!verdict.allowed);
        assert!(file.verdict("/robots.txt").allowed);
    }
}
