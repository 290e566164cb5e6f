//! All there is to say of what is selected, where the pane has no room for it: read at leisure, as it
//! stood when it was asked for.

use super::page::facts::{Fact, wrapped};
use super::{Pane, State};
use crate::text::name::unicode;
use crate::text::{Clean, fit};

/// Columns around the text of a box.
pub(crate) const AROUND: u16 = 6;
/// Most columns of that text.
pub(crate) const WIDEST: u16 = 116;

/// What is said, and how far down it is read.
#[derive(Debug)]
pub(crate) struct Details {
    /// What about.
    pub(crate) title: Clean,
    pub(crate) facts: Vec<Fact>,
    pub(crate) top: usize,
}

impl Details {
    /// Of what is selected; none if nothing is.
    pub(crate) fn of(state: &State) -> Option<Details> {
        let facts = match (&state.page, state.pane) {
            (Some(page), _) => {
                let mut facts = page.details(state.size);
                if let Some(row) = state.live.rows.get(&page.id) {
                    facts.push(Fact::new("now", row.sentence().as_str()));
                }
                facts
            }
            (None, Pane::Live) => live(state),
            (None, Pane::Hosts) => hosts(state),
            (None, Pane::Changes) => changes(state),
            (None, Pane::Runs) => {
                let run = state.runs.selected()?;
                return Some(Details {
                    title: run.label.clone(),
                    facts: run.facts(),
                    top: 0,
                });
            }
        };
        let host = state.host()?.as_str();
        let title = match unicode(host) {
            Some(name) => Clean::new(format!("{host} ({name})")),
            None => Clean::new(host),
        };
        (!facts.is_empty()).then_some(Details {
            title,
            facts,
            top: 0,
        })
    }

    /// Its lines on a screen of this width.
    pub(crate) fn lines(&self, width: u16) -> usize {
        wrapped(self.facts.clone(), text_width(width)).len()
    }
}

/// Columns of the text on a screen of this width.
pub(crate) fn text_width(width: u16) -> usize {
    usize::from(width.saturating_sub(AROUND).min(WIDEST))
}

fn live(state: &State) -> Vec<Fact> {
    let live = state.shown();
    let mut facts = Vec::new();
    if let Some(told) = live.picked() {
        let line = told.shown();
        facts.push(Fact::new("asked", line.what.as_str()));
        facts.push(Fact::new(
            "answer",
            format!("{}, {}", line.result, line.size),
        ));
        facts.push(Fact::new("ended", fit::milli(told.line.at)));
    }
    let row = live.target().and_then(|(id, _)| live.rows.get(&id));
    if let Some(row) = row {
        facts.push(Fact::new("now", row.sentence().as_str()));
        facts.push(Fact::new("gap", fit::gap(row.visit.gap)));
    }
    facts
}

fn changes(state: &State) -> Vec<Fact> {
    let Some(row) = state.changes.selected_row() else {
        return Vec::new();
    };
    vec![
        Fact::new("location", row.place.as_str()),
        Fact::new("kind", row.line.kind.word()),
        Fact::new("what", row.what.as_str()),
        Fact::new("seen", row.seen.as_str()),
        Fact::new("site", row.site.as_str()),
    ]
}

fn hosts(state: &State) -> Vec<Fact> {
    let Some(row) = state.hosts.selected_row() else {
        return Vec::new();
    };
    let now = state.stands(row);
    vec![
        Fact::new("state", now.sentence().as_str()),
        Fact::new("next visit", now.due.as_str()),
        Fact::new("visited", row.visited.as_str()),
        Fact::new("requests", row.requests.as_str()),
        Fact::new("largest", row.size.as_str()),
        Fact::new("statuses", row.statuses.as_str()),
        Fact::new("site", row.line.site.as_str()),
        Fact::new("source", row.source.as_str()),
    ]
}
