//! The Changes pane: what a run found different, or what is different between two runs.
//!
//! Of any number of changes it holds a screen or two of rows and where the others begin, nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use engine::store::{ChangeIndex, ChangeKind, ChangeLine, ChangeSpan, Run, RunId};

use super::hosts::Load;
use crate::cli::changes::{signed, what};
use crate::engine;
use crate::filter::Written;
use crate::jobs::changes::{Begun, Window};
use crate::text::{Clean, fit};

/// Rows kept beyond those seen, before older ones are let go.
const KEPT: usize = 1_000;
/// Rows read beyond the screen, above and below it.
const MARGIN: usize = 40;

/// A change as the screen shows it.
#[derive(Clone, Debug)]
pub(crate) struct ChangeRow {
    pub(crate) line: ChangeLine,
    pub(crate) site: Clean,
    /// Host and location.
    pub(crate) place: Clean,
    /// `1 > 2`.
    pub(crate) versions: Clean,
    pub(crate) bytes: Clean,
    /// How many bytes more or fewer.
    pub(crate) grown: Clean,
    pub(crate) seen: Clean,
    /// What became of it, in words.
    pub(crate) what: Clean,
}

impl ChangeRow {
    fn new(line: ChangeLine) -> ChangeRow {
        let versions = match (line.before, line.now) {
            (Some(before), Some(now)) if before != now => format!("{before} > {now}"),
            (_, Some(now)) => now.to_string(),
            (Some(before), None) => format!("{before} > -"),
            (None, None) => "-".to_owned(),
        };
        let mut words = what(&line);
        if let Some(shared) = line.shared.filter(|shared| *shared > 0) {
            let hosts = fit::count(shared);
            words.push_str(&format!(
                ", the same bytes as {hosts} versions of other hosts"
            ));
        }
        ChangeRow {
            site: Clean::new(line.site.as_str()),
            place: Clean::new(format!("{}{}", line.host, line.location)),
            versions: Clean::new(versions),
            bytes: Clean::new(line.bytes_now.map_or_else(|| "-".to_owned(), fit::bytes)),
            grown: Clean::new(signed(line.grown())),
            seen: Clean::new(fit::second(line.at)),
            what: Clean::new(words),
            line,
        }
    }

    /// Whether anything is different.
    pub(crate) fn differs(&self) -> bool {
        self.line.kind != ChangeKind::UnchangedByContent
    }
}

/// The pane.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    /// Only what matches is shown.
    pub(crate) filter: Written,
    /// The run chosen; none for the newest.
    pub(crate) to: Option<RunId>,
    /// The older run it is compared with; none for what was known before.
    pub(crate) since: Option<RunId>,
    pub(crate) load: Load,
    /// All runs, newest first.
    pub(crate) runs: Vec<Run>,
    /// The runs whose changes are shown.
    pub(crate) span: Option<ChangeSpan>,
    /// What was unchanged at full cost is not known of this run.
    pub(crate) sparse: bool,
    /// How long the list is, once that is known.
    pub(crate) index: Option<Arc<ChangeIndex>>,
    /// Number of the question about the list, and of the one about rows.
    pub(crate) list_asked: u64,
    pub(crate) rows_asked: u64,
    rows: BTreeMap<usize, ChangeRow>,
    /// Place of the cursor in the list.
    pub(crate) at: usize,
    /// First row on the screen.
    pub(crate) top: usize,
}

impl Changes {
    /// Rows in the list, as far as known.
    pub(crate) fn len(&self) -> usize {
        match &self.index {
            Some(index) => usize::try_from(index.counts.all()).unwrap_or(usize::MAX),
            None => self.rows.len(),
        }
    }

    /// The row at a place, if it has been read.
    pub(crate) fn row(&self, at: usize) -> Option<&ChangeRow> {
        self.rows.get(&at)
    }

    /// The row under the cursor.
    pub(crate) fn selected_row(&self) -> Option<&ChangeRow> {
        self.row(self.at)
    }

    /// The label of a run.
    pub(crate) fn label(&self, id: RunId) -> Option<&str> {
        let run = self.runs.iter().find(|run| run.id == id);
        run.map(|run| run.start.label.as_str())
    }

    /// Whether the name of its site stands above a row, `top` being the first one on the screen.
    pub(crate) fn is_headed(&self, at: usize, top: usize) -> bool {
        let Some(row) = self.row(at) else {
            return false;
        };
        let before = at.checked_sub(1).filter(|_| at > top);
        let before = before.and_then(|before| self.row(before));
        before.is_none_or(|before| before.line.key.site != row.line.key.site)
    }

    /// How many rows a screen shows from `top` on, with the names of their sites.
    pub(crate) fn visible(&self, top: usize, room: usize) -> usize {
        let (mut lines, mut rows) = (0, 0);
        for at in top..self.len() {
            lines += 1 + usize::from(self.is_headed(at, top));
            if lines > room {
                break;
            }
            rows += 1;
        }
        rows
    }

    /// Moves the cursor by so many rows.
    pub(crate) fn step(&mut self, by: isize, room: usize) {
        self.put(self.at.saturating_add_signed(by), room);
    }

    /// Moves the cursor to the next row, or the one before, in which something is different; over
    /// rows that have not been read it does not look.
    pub(crate) fn step_differing(&mut self, forward: bool, room: usize) {
        let mut at = self.at;
        loop {
            let next = if forward {
                at.checked_add(1)
            } else {
                at.checked_sub(1)
            };
            let Some(next) = next.filter(|next| *next < self.len()) else {
                return;
            };
            at = next;
            if self.row(at).is_none_or(ChangeRow::differs) {
                return self.put(at, room);
            }
        }
    }

    /// Puts the cursor on a row.
    pub(crate) fn put(&mut self, at: usize, room: usize) {
        self.at = at.min(self.len().saturating_sub(1));
        self.scroll(room);
    }

    /// Keeps the cursor on the screen, and the screen inside the list.
    pub(crate) fn scroll(&mut self, room: usize) {
        let room = room.max(1);
        self.at = self.at.min(self.len().saturating_sub(1));
        self.top = self
            .top
            .min(self.at)
            .max((self.at + 1).saturating_sub(room));
        while self.top < self.at && self.at >= self.top + self.visible(self.top, room) {
            self.top += 1;
        }
    }

    /// Forgets the list, for another one.
    pub(crate) fn begin(&mut self) {
        self.rows.clear();
        self.index = None;
        (self.at, self.top) = (0, 0);
    }

    /// Takes what is known at once. What stood there of the same list is left standing.
    pub(crate) fn take_begun(&mut self, begun: Begun, room: usize) {
        if self.span != begun.span || self.index.is_none() {
            self.begin();
        }
        self.runs = begun.runs;
        self.span = begun.span;
        self.sparse = begun.sparse;
        self.take_rows(0, begun.lines);
        self.scroll(room);
    }

    /// Takes the length of the list.
    pub(crate) fn take_index(&mut self, index: Arc<ChangeIndex>, room: usize) {
        let all = usize::try_from(index.counts.all()).unwrap_or(usize::MAX);
        self.rows.split_off(&all);
        self.index = Some(index);
        self.scroll(room);
    }

    /// Takes rows that were read, from this place on.
    pub(crate) fn take_rows(&mut self, first: usize, lines: Vec<ChangeLine>) {
        if self.rows.len() > KEPT {
            self.rows.clear();
        }
        for (at, line) in (first..).zip(lines) {
            self.rows.insert(at, ChangeRow::new(line));
        }
    }

    /// The rows worth reading, if one that is seen has not been read.
    pub(crate) fn lacking(&self, room: usize) -> Option<Window> {
        let (span, index) = (self.span?, self.index.as_ref()?);
        let seen = self.top..(self.top + room).min(self.len());
        if seen.into_iter().all(|at| self.rows.contains_key(&at)) {
            return None;
        }
        Some(Window {
            span,
            filter: self.filter.filter.clone(),
            index: Arc::clone(index),
            first: self.top.saturating_sub(MARGIN),
            limit: room + 2 * MARGIN,
        })
    }
}

/// Runs to choose from: the one shown, or the one it is compared with.
#[derive(Clone, Debug)]
pub(crate) struct RunPick {
    /// The older run is chosen, and not the run shown.
    pub(crate) since: bool,
    /// The runs, newest first; none for what was known before, whatever run that is from.
    pub(crate) entries: Vec<(Option<RunId>, Clean)>,
    /// The entry marked.
    pub(crate) marked: usize,
}

impl RunPick {
    /// The runs that may be chosen now, the one in force marked.
    pub(crate) fn new(changes: &Changes, since: bool) -> RunPick {
        let shown = changes.span.map(|span| span.to);
        let told = |run: &Run| {
            let label = &run.start.label;
            let text = format!("{label}  {}", fit::minute(run.start.at));
            (Some(run.id), Clean::new(text))
        };
        let may = |run: &&Run| !since || shown.is_some_and(|shown| run.id < shown);
        let mut entries = Vec::new();
        if since {
            entries.push((None, Clean::new("what was known before it")));
        }
        entries.extend(changes.runs.iter().filter(may).map(told));
        let chosen = if since { changes.since } else { shown };
        let marked = entries.iter().position(|(id, _)| *id == chosen);
        RunPick {
            since,
            entries,
            marked: marked.unwrap_or(0),
        }
    }

    /// Its heading.
    pub(crate) fn title(&self) -> &'static str {
        if self.since {
            "Compare with the end of"
        } else {
            "Changes of the run"
        }
    }
}
