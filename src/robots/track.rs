//! The groups of one reading, as they come by, and which of them speak for us.

use super::GroupKind;
use super::agents::Who;

/// The group that speaks in one reading.
pub(super) struct Chosen {
    pub(super) kind: GroupKind,
    /// Lines that name us, or `*` if none does.
    pub(super) agent_lines: Vec<u32>,
}

/// The groups of one reading.
#[derive(Default)]
pub(super) struct Track {
    pub(super) groups: Vec<Who>,
    /// The last group's list of agents has not ended.
    pub(super) open: bool,
    pub(super) named_lines: Vec<u32>,
    pub(super) star_lines: Vec<u32>,
}

impl Track {
    /// A User-agent line: it joins the open list or begins a group.
    pub(super) fn agent(&mut self, who: Who, line: u32) {
        match self.groups.last_mut().filter(|_| self.open) {
            Some(group) => *group = group.and(who),
            None => self.groups.push(who),
        }
        self.open = true;
        if who.named {
            self.named_lines.push(line);
        }
        if who.star {
            self.star_lines.push(line);
        }
    }

    /// The list of agents ends; the group goes on.
    pub(super) fn end_list(&mut self) {
        self.open = false;
    }

    /// The group that lines now belong to, none before the first.
    pub(super) fn current(&self) -> Option<usize> {
        self.groups.len().checked_sub(1)
    }

    /// Whom that group is for.
    pub(super) fn current_who(&self) -> Who {
        self.groups.last().copied().unwrap_or_default()
    }

    /// A group names us, so that the `*` groups are not ours (RB2).
    pub(super) fn names_us(&self) -> bool {
        !self.named_lines.is_empty()
    }

    /// Whether a group of this reading speaks for us.
    pub(super) fn speaks(&self, group: usize) -> bool {
        let who = self.groups.get(group).copied().unwrap_or_default();
        if self.names_us() { who.named } else { who.star }
    }

    /// Whether a group is for all.
    pub(super) fn is_star(&self, group: usize) -> bool {
        self.groups.get(group).is_some_and(|who| who.star)
    }

    /// How many groups speak for us; they are read as one.
    pub(super) fn speakers(&self) -> usize {
        (0..self.groups.len()).filter(|g| self.speaks(*g)).count()
    }

    /// The outcome.
    pub(super) fn chosen(self) -> Chosen {
        if !self.named_lines.is_empty() {
            Chosen {
                kind: GroupKind::Named,
                agent_lines: self.named_lines,
            }
        } else if !self.star_lines.is_empty() {
            Chosen {
                kind: GroupKind::Star,
                agent_lines: self.star_lines,
            }
        } else {
            Chosen {
                kind: GroupKind::None,
                agent_lines: Vec::new(),
            }
        }
    }
}
