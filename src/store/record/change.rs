//! What changed between two runs: kinds, rows, counts.

use jiff::Timestamp;

use super::{HostId, RunId, SiteId};
use crate::hosts::{Host, Site};

/// What became of a location. Compared is what was known before with what is known now: a failure, a
/// refusal or a denial tells nothing of what is there and is no change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeKind {
    /// There for the first time.
    New,
    /// Bytes it never had before.
    Changed,
    /// There again after it was gone, or bytes that an older version had.
    Back,
    /// Proved absent: 404, 410, a soft 404.
    Gone,
    /// The same bytes, sent whole: nothing changed, at full cost.
    UnchangedByContent,
}

impl ChangeKind {
    /// Every kind, in the order of listings.
    pub const ALL: [ChangeKind; 5] = [
        ChangeKind::New,
        ChangeKind::Changed,
        ChangeKind::Back,
        ChangeKind::Gone,
        ChangeKind::UnchangedByContent,
    ];

    /// `new`, `changed`, `back`, `gone`, `unchanged_by_content`.
    pub fn word(self) -> &'static str {
        match self {
            ChangeKind::New => "new",
            ChangeKind::Changed => "changed",
            ChangeKind::Back => "back",
            ChangeKind::Gone => "gone",
            ChangeKind::UnchangedByContent => "unchanged_by_content",
        }
    }
}

/// Runs whose changes are listed: what is known at the end of `to` against what was known before it,
/// or at the end of `since`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ChangeSpan {
    /// An older run; none for the state before `to`, whatever run that is from.
    pub since: Option<RunId>,
    /// The run.
    pub to: RunId,
}

/// Place of a change in the order of listings: by site, host, location (ids).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChangeKey {
    /// Site.
    pub site: SiteId,
    /// Host.
    pub host: HostId,
    /// Location; an id of this store.
    pub target: i64,
}

/// One change as a pass over all of them sees it: borrowed for the moment of the call.
#[derive(Clone, Copy, Debug)]
pub struct ChangeFacts<'a> {
    /// Its place.
    pub key: ChangeKey,
    /// What became of the location.
    pub kind: ChangeKind,
    /// It was known to be gone before.
    pub was_gone: bool,
    /// Name of the host, as [`Host::as_str`].
    pub host: &'a str,
    /// Path and query.
    pub location: &'a str,
    /// Decoded bytes before; none if nothing was there.
    pub bytes_before: Option<u64>,
    /// Decoded bytes now; none if nothing is there.
    pub bytes_now: Option<u64>,
}

impl ChangeFacts<'_> {
    /// How many bytes more (below zero: fewer) are there now.
    pub fn grown(&self) -> i64 {
        grown(self.bytes_before, self.bytes_now)
    }
}

fn grown(before: Option<u64>, now: Option<u64>) -> i64 {
    let size = |bytes: Option<u64>| i64::try_from(bytes.unwrap_or(0)).unwrap_or(i64::MAX);
    size(now) - size(before)
}

/// One change as listings show it.
#[derive(Clone, Debug)]
pub struct ChangeLine {
    /// Its place.
    pub key: ChangeKey,
    /// Site.
    pub site: Site,
    /// Host.
    pub host: Host,
    /// Path and query.
    pub location: String,
    /// What became of the location.
    pub kind: ChangeKind,
    /// It was known to be gone before.
    pub was_gone: bool,
    /// When this was seen, UTC.
    pub at: Timestamp,
    /// Version before: the last one it had. None if it had none, or only a digest is kept.
    pub before: Option<u32>,
    /// Version now; none if it is gone, or only a digest is kept.
    pub now: Option<u32>,
    /// Decoded bytes before; none if nothing was there.
    pub bytes_before: Option<u64>,
    /// Decoded bytes now; none if nothing is there.
    pub bytes_now: Option<u64>,
    /// The oldest other version with the bytes that are there now, where there is one.
    pub same_as: Option<u32>,
    /// Versions of other hosts with these bytes; none for robots.txt, where that is not counted. Many
    /// of them: a platform's file, not the owner's.
    pub shared: Option<u64>,
}

impl ChangeLine {
    /// How many bytes more (below zero: fewer) are there now.
    pub fn grown(&self) -> i64 {
        grown(self.bytes_before, self.bytes_now)
    }
}

/// How many changes of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeCounts {
    /// [`ChangeKind::New`].
    pub new: u64,
    /// [`ChangeKind::Changed`].
    pub changed: u64,
    /// [`ChangeKind::Back`].
    pub back: u64,
    /// [`ChangeKind::Gone`].
    pub gone: u64,
    /// [`ChangeKind::UnchangedByContent`].
    pub unchanged_by_content: u64,
}

impl ChangeCounts {
    /// The count of a kind.
    pub fn of(&self, kind: ChangeKind) -> u64 {
        match kind {
            ChangeKind::New => self.new,
            ChangeKind::Changed => self.changed,
            ChangeKind::Back => self.back,
            ChangeKind::Gone => self.gone,
            ChangeKind::UnchangedByContent => self.unchanged_by_content,
        }
    }

    /// The count of a kind, to change it.
    pub fn of_mut(&mut self, kind: ChangeKind) -> &mut u64 {
        match kind {
            ChangeKind::New => &mut self.new,
            ChangeKind::Changed => &mut self.changed,
            ChangeKind::Back => &mut self.back,
            ChangeKind::Gone => &mut self.gone,
            ChangeKind::UnchangedByContent => &mut self.unchanged_by_content,
        }
    }

    /// All kinds together.
    pub fn all(&self) -> u64 {
        ChangeKind::ALL.iter().map(|kind| self.of(*kind)).sum()
    }
}

/// Where the windows of a long list begin, and how long it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeIndex {
    /// How many of each kind are in the list.
    pub counts: ChangeCounts,
    /// The last change before every [`ChangeIndex::STRIDE`]th one, in order.
    pub(in crate::store) marks: Vec<ChangeKey>,
}

impl ChangeIndex {
    /// Changes between two marks.
    pub const STRIDE: usize = 256;
}
