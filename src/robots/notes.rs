//! What an operator should know of a file, one sentence a kind, with the first lines it concerns.

use std::collections::BTreeMap;

/// Kinds of oddities, in the order in which they are told.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Note {
    NotRobots,
    Cut,
    Utf16,
    MergedGroups,
    TokenWithMore,
    CommaList,
    ListGoesOn,
    OrphansIgnored,
    OrphansApplied,
    Misspelt,
    MissingSlash,
    FullUrl,
    Unseen,
    Nul,
    UnreadableDelay,
    SeveralDelays,
    EarlySignal,
    UnreadableSignal,
}

/// Notes taken while reading. A kind remembers its first lines and counts the others.
#[derive(Default)]
pub(super) struct Notes(BTreeMap<Note, Lines>);

#[derive(Default)]
struct Lines {
    first: Vec<u32>,
    more: usize,
}

const SHOWN: usize = 8;

impl Notes {
    /// Takes a note on a line; the same line counts once a kind if noted again at once.
    pub(super) fn take(&mut self, note: Note, line: u32) {
        let lines = self.0.entry(note).or_default();
        if lines.first.last() == Some(&line) {
            return;
        }
        if lines.first.len() < SHOWN {
            lines.first.push(line);
        } else {
            lines.more += 1;
        }
    }

    /// Takes a note on the file as a whole.
    pub(super) fn take_whole(&mut self, note: Note) {
        self.0.entry(note).or_default();
    }

    /// Drops what turned out not to be so.
    pub(super) fn drop(&mut self, note: Note) {
        self.0.remove(&note);
    }

    /// The sentences.
    pub(super) fn sentences(&self) -> Vec<String> {
        self.0
            .iter()
            .map(|(note, lines)| match lines.named() {
                Some(lines) => format!("{} ({lines})", note.words()),
                None => note.words().to_owned(),
            })
            .collect()
    }
}

impl Lines {
    fn named(&self) -> Option<String> {
        let word = match self.first.len() {
            0 => return None,
            1 => "line",
            _ => "lines",
        };
        let numbers: Vec<String> = self.first.iter().map(u32::to_string).collect();
        let more = match self.more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        Some(format!("{word} {}{more}", numbers.join(", ")))
    }
}

impl Note {
    fn words(self) -> &'static str {
        match self {
            Note::NotRobots => "this looks like an HTML page or binary data, not a robots.txt",
            Note::Cut => {
                "longer than the limit: what lies beyond it, and a line cut there, is not read"
            }
            Note::Utf16 => "sent as UTF-16 and read as such",
            Note::MergedGroups => "several groups are for us and are read as one",
            Note::TokenWithMore => "a group name says more than our token and is read as ours",
            Note::CommaList => {
                "several names on one User-agent line: RFC 9309 sees the first, \
                 we are refused what either reading refuses"
            }
            Note::ListGoesOn => {
                "a list of User-agent lines goes on after a delay or signal line: by RFC 9309 all of \
                 them share the rules that follow, perhaps not as meant"
            }
            Note::OrphansIgnored => {
                "rules before the first User-agent line belong to no group and are ignored"
            }
            Note::OrphansApplied => {
                "rules without any User-agent line: refusals are taken as meant for all"
            }
            Note::Misspelt => "a misspelt key is read as it was meant",
            Note::MissingSlash => "a Disallow without its first slash is read as if it had one",
            Note::FullUrl => {
                "a whole URL as a rule: rules are paths, so it matches nothing of that URL"
            }
            Note::Unseen => "invisible characters: a rule is kept with and without them",
            Note::Nul => "a NUL octet: the rest of its line is dropped",
            Note::UnreadableDelay => "a Crawl-delay that is no readable wait counts as not set",
            Note::SeveralDelays => "several Crawl-delay lines are for us: the longest counts",
            Note::EarlySignal => {
                "a signal before the first User-agent line: its refusals count for all, its grants for nobody"
            }
            Note::UnreadableSignal => {
                "a signal line that cannot be read as its specification says, so it may state less than \
                 meant; perhaps a refusal"
            }
        }
    }
}
