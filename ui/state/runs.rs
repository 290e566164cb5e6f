//! The Runs pane: each run as a whole, and what is different between two.

mod figures;

use engine::store::{RunId, RunSummary};

use super::hosts::Load;
use super::page::facts::Fact;
use crate::cli::runs::unchanged;
use crate::engine;
use crate::text::{Clean, fit, words};
use crate::theme::Role;
pub(crate) use figures::{FIGURES, Figure};

/// Heights from which on there is room for the sparklines, and for all figures of a run.
const TALL: u16 = 20;
const TALLER: u16 = 30;

/// A run as the screen shows it.
#[derive(Clone, Debug)]
pub(crate) struct RunRow {
    pub(crate) summary: RunSummary,
    pub(crate) label: Clean,
    pub(crate) started: Clean,
    pub(crate) ended: Clean,
    pub(crate) requests: Clean,
    pub(crate) wire: Clean,
    pub(crate) changed: Clean,
    pub(crate) unchanged: Clean,
    pub(crate) not_asked: Clean,
}

impl RunRow {
    fn new(summary: RunSummary) -> RunRow {
        let (run, totals) = (&summary.run, &summary.totals);
        let changes = &summary.changes;
        let different = changes.new + changes.changed + changes.back + changes.gone;
        let ended = run.ended.map_or_else(|| "not yet".to_owned(), fit::minute);
        RunRow {
            label: Clean::new(&run.start.label),
            started: Clean::new(fit::minute(run.start.at)),
            ended: Clean::new(ended),
            requests: Clean::new(fit::count(totals.requests)),
            wire: Clean::new(fit::bytes(totals.wire_bytes)),
            changed: Clean::new(fit::count(different)),
            unchanged: Clean::new(unchanged(&summary)),
            not_asked: Clean::new(fit::count(totals.not_asked.values().sum())),
            summary,
        }
    }

    /// What was not asked and why: `12: limited 7, closed 5; denied by robots.txt 3`.
    pub(crate) fn left_out(&self) -> String {
        let totals = &self.summary.totals;
        let reasons = totals.not_asked.iter().filter(|(_, n)| **n > 0);
        let reasons: Vec<String> = reasons
            .map(|(word, n)| format!("{} {}", words::plain(word), fit::count(*n)))
            .collect();
        let told = match reasons.is_empty() {
            true => "none".to_owned(),
            false => reasons.join(", "),
        };
        format!("{told}; denied by robots.txt {}", fit::count(totals.denied))
    }

    /// Everything that is kept of it.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let (run, totals) = (&self.summary.run, &self.summary.totals);
        let mut facts = vec![
            Fact::new("started", fit::second(run.start.at)),
            Fact::new("ended", run.ended.map_or("not yet".to_owned(), fit::second)),
            Fact::new("window ends", fit::second(run.start.window_ends)),
            Fact::new("agent", &run.start.user_agent),
        ];
        if run.start.loopback {
            facts.push(Fact::new(
                "loopback",
                "a loopback run: no host of others was asked",
            ));
        }
        if let Some((first, last)) = self.summary.asked {
            let text = format!("first {}, last {}", fit::second(first), fit::second(last));
            facts.push(Fact::new("requests", text));
        }
        for figure in &FIGURES {
            facts.push(Fact::new(figure.name, figure.told(&self.summary)));
        }
        facts.push(Fact::new("unchanged", self.unchanged.as_str()));
        facts.push(Fact::new(
            "visits by end",
            listed(&totals.hosts, |word: &String| words::plain(word)),
        ));
        facts.push(Fact::new(
            "answers",
            listed(&totals.outcomes, |word: &String| words::outcome(word)),
        ));
        facts.push(Fact::new(
            "statuses",
            listed(&totals.statuses, |status| status.to_string()),
        ));
        facts.push(Fact::new("why not", self.left_out()));
        if self.summary.sparse {
            let text = "what was unchanged is not known: it began before that was written down";
            facts.push(Fact::new("", text).role(Role::Dim));
        }
        facts
    }
}

fn listed<K, W: AsRef<str>>(
    counts: &std::collections::BTreeMap<K, u64>,
    word: impl Fn(&K) -> W,
) -> String {
    let counts = counts.iter().filter(|(_, n)| **n > 0);
    let told: Vec<String> = counts
        .map(|(key, n)| format!("{} {}", word(key).as_ref(), fit::count(*n)))
        .collect();
    match told.is_empty() {
        true => "none".to_owned(),
        false => told.join(", "),
    }
}

/// The pane.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub(crate) load: Load,
    /// All runs, the newest first.
    pub(crate) rows: Vec<RunRow>,
    /// Number of the newest question.
    pub(crate) asked: u64,
    /// Place of the cursor.
    pub(crate) at: usize,
    /// First row on the screen.
    pub(crate) top: usize,
    /// The run all others are compared with; none for the one before each.
    pub(crate) marked: Option<RunId>,
}

impl Runs {
    /// The run under the cursor.
    pub(crate) fn selected(&self) -> Option<&RunRow> {
        self.rows.get(self.at)
    }

    /// The run that the one under the cursor is compared with.
    pub(crate) fn other(&self) -> Option<&RunRow> {
        match self.marked {
            Some(id) => {
                let found = self.rows.iter().find(|row| row.summary.run.id == id);
                found.filter(|_| self.selected().is_some_and(|row| row.summary.run.id != id))
            }
            None => self.rows.get(self.at + 1),
        }
    }

    /// Takes the runs as they are; the cursor stays on its run.
    pub(crate) fn take(&mut self, summaries: Vec<RunSummary>, size: (u16, u16)) {
        let before = self.selected().map(|row| row.summary.run.id);
        self.rows = summaries.into_iter().map(RunRow::new).collect();
        let found = self
            .rows
            .iter()
            .position(|row| Some(row.summary.run.id) == before);
        self.at = found.unwrap_or(0);
        self.step(0, size);
    }

    /// Moves the cursor.
    pub(crate) fn step(&mut self, by: isize, size: (u16, u16)) {
        self.put(self.at.saturating_add_signed(by), size);
    }

    /// Puts the cursor on a row.
    pub(crate) fn put(&mut self, at: usize, size: (u16, u16)) {
        let room = room(size);
        self.at = at.min(self.rows.len().saturating_sub(1));
        self.top = self
            .top
            .min(self.at)
            .max((self.at + 1).saturating_sub(room));
    }
}

/// Lines of sparklines, and about the run under the cursor, on a screen of this size.
pub(crate) fn around((_, rows): (u16, u16)) -> (u16, u16) {
    match rows {
        ..TALL => (0, 2),
        TALL..TALLER => (3, 5),
        _ => (3, 8),
    }
}

/// Rows of the list: the rest is header, names of the panes, heading, head, footer, and what is around.
pub(crate) fn room(size: (u16, u16)) -> usize {
    let (above, below) = around(size);
    usize::from(size.1.saturating_sub(5 + above + below)).max(1)
}
