//! Every command by name: those that can be taken now first, the others with the reason why not.

use super::State;
use super::line::Line;
use crate::action::{self, Spec};

/// What is written, and the entry marked.
#[derive(Debug, Default)]
pub(crate) struct Palette {
    /// The words looked for.
    pub(crate) line: Line,
    /// The entry marked, from the top of what is left.
    pub(crate) marked: usize,
}

/// One command.
#[derive(Debug)]
pub(crate) struct Entry {
    /// What.
    pub(crate) spec: &'static Spec,
    /// Why not now, if so.
    pub(crate) refusal: Option<&'static str>,
}

/// The commands of the pane that hold every word, the possible ones first.
pub(crate) fn entries(state: &State, words: &str) -> Vec<Entry> {
    let words = words.to_lowercase();
    let stack = state.pane_stack();
    let mut entries: Vec<Entry> = stack
        .iter()
        .flat_map(|context| action::of(*context))
        .filter(|spec| {
            let text = format!("{} {}", spec.id, spec.help).to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
        })
        .map(|spec| Entry {
            spec,
            refusal: action::refusal(spec.action, state),
        })
        .collect();
    // A command named by the words comes before one that only tells of them.
    entries.sort_by_key(|entry| {
        let named = words
            .split_whitespace()
            .all(|word| entry.spec.id.contains(word));
        (entry.refusal.is_some(), !named)
    });
    entries
}
