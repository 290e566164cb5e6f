//! What is true for the console. Changed only by `update`, read only by `view`.

pub(crate) mod alarms;
pub(crate) mod changes;
pub(crate) mod course;
pub(crate) mod details;
pub(crate) mod diff;
pub(crate) mod host_row;
pub(crate) mod hosts;
pub(crate) mod left;
pub(crate) mod line;
pub(crate) mod live;
pub(crate) mod menu;
pub(crate) mod notices;
pub(crate) mod page;
pub(crate) mod palette;
pub(crate) mod prompt;
pub(crate) mod question;
pub(crate) mod rates;
pub(crate) mod runs;
pub(crate) mod undo;

use engine::hosts::Host;
use engine::{crawl, store};
use jiff::Timestamp;

use crate::action::Context;
use crate::engine;
use crate::keymap::{Keymap, STACKS};
use crate::osc::Osc;
use crate::text::Clean;
use crate::view::Hits;
use alarms::Beside;
use changes::{Changes, RunPick};
use course::{Course, Stands};
use details::Details;
use diff::Diff;
use diff::pick::Pick;
use host_row::HostRow;
use hosts::Hosts;
use live::Live;
use menu::Menu;
use notices::Notices;
use page::HostPage;
use palette::Palette;
use prompt::Prompt;
use question::Question;
use runs::Runs;
use undo::Undo;

/// The whole state.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// The pane shown.
    pub(crate) pane: Pane,
    /// The Live pane: what the engine told.
    pub(crate) live: Live,
    /// The Live pane as it stood when the view was frozen.
    pub(crate) frozen: Option<Box<Live>>,
    /// The Hosts pane: what was read from the store.
    pub(crate) hosts: Hosts,
    /// The Changes pane: what was read from the store.
    pub(crate) changes: Changes,
    /// The Runs pane: what was read from the store.
    pub(crate) runs: Runs,
    /// The page of one host, over the pane it was opened from.
    pub(crate) page: Option<HostPage>,
    /// What changed between two versions, over the page or the pane.
    pub(crate) diff: Option<Diff>,
    /// What lies over the pane.
    pub(crate) overlay: Option<Overlay>,
    /// A line being written.
    pub(crate) prompt: Option<Prompt>,
    /// What alarms are told from beside the run itself.
    pub(crate) beside: Beside,
    /// Notices, shown and kept.
    pub(crate) notices: Notices,
    /// What can be taken back.
    pub(crate) undo: Undo,
    /// Which key means what.
    pub(crate) keymap: Keymap,
    /// What the terminal understands beside text, once that is known: links.
    pub(crate) osc: Option<Osc>,
    /// The mouse is ours, and not the terminal's for its own selection.
    pub(crate) mouse: bool,
    /// The colours chosen, if any were.
    pub(crate) theme: Option<String>,
    /// Where things stand on the last frame, for the mouse.
    pub(crate) hits: Hits,
    /// Columns and rows.
    pub(crate) size: (u16, u16),
    /// Engine time.
    pub(crate) now: Option<Timestamp>,
    /// No run is under way, and none begins by itself.
    pub(crate) offline: Option<Offline>,
    /// Nothing may be changed; why.
    pub(crate) read_only: Option<&'static str>,
    /// A run has started.
    pub(crate) connected: bool,
    /// There is nothing left to do.
    pub(crate) all_done: bool,
    /// Leave as soon as all is done.
    pub(crate) leaving: bool,
    /// Clock ticks so far, for what is read anew from time to time.
    pub(crate) ticks: u64,
    /// Numbers questions, so that a late answer to an old one is dropped.
    pub(crate) asked: u64,
    /// Something changed since the last frame.
    pub(crate) dirty: bool,
}

/// The panes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    /// The run under way.
    #[default]
    Live,
    /// All hosts of the store.
    Hosts,
    /// What changed.
    Changes,
    /// All runs.
    Runs,
}

impl Pane {
    /// Its name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Pane::Live => "Live",
            Pane::Hosts => "Hosts",
            Pane::Changes => "Changes",
            Pane::Runs => "Runs",
        }
    }
}

/// A console with no run under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Offline {
    /// A run can be asked for.
    Ready,
    /// It cannot; why.
    Never(&'static str),
    /// It was asked for and has not begun yet.
    Asked,
}

/// What lies over the pane.
#[derive(Debug)]
pub(crate) enum Overlay {
    /// The help, scrolled by so many lines, and the words looked for.
    Help { top: usize, search: String },
    /// Every notice, scrolled by so many lines.
    Notices { top: usize },
    /// Everything that is not as it should be.
    Alarms { top: usize },
    /// All there is to say of what is selected.
    Details(Details),
    /// Every command by name.
    Palette(Palette),
    /// A list to choose from.
    Menu(Menu),
    /// A question.
    Question(Question),
    /// Versions to choose one side of a diff from.
    Pick(Pick),
    /// Runs to choose from.
    Runs(RunPick),
}

impl State {
    /// Shows a notice for a while, and keeps it.
    pub(crate) fn tell(&mut self, text: Clean, bad: bool) {
        self.notices.tell(self.now, text, bad);
    }

    /// The Live pane as it is shown: as it is, or as it stood.
    pub(crate) fn shown(&self) -> &Live {
        self.frozen.as_deref().unwrap_or(&self.live)
    }

    /// The same, to move about in.
    pub(crate) fn shown_mut(&mut self) -> &mut Live {
        self.frozen.as_deref_mut().unwrap_or(&mut self.live)
    }

    /// The host that an action is about.
    pub(crate) fn host(&self) -> Option<&Host> {
        if let Some(page) = &self.page {
            return Some(&page.host);
        }
        match self.pane {
            Pane::Live => self.shown().target().map(|(_, host)| host),
            Pane::Hosts => self.hosts.selected_row().map(|row| &row.line.host),
            Pane::Changes => self.changes.selected_row().map(|row| &row.line.host),
            // A run is of no one host.
            Pane::Runs => None,
        }
    }

    /// Whether that host is held.
    pub(crate) fn is_held(&self) -> bool {
        if let Some(page) = &self.page {
            return page.is_held();
        }
        match self.pane {
            Pane::Live => self.is_told(crawl::HostState::Held, store::HostState::Held),
            Pane::Hosts => {
                let row = self.hosts.selected_row();
                row.is_some_and(|row| row.line.state == store::HostState::Held)
            }
            // Not read for this list.
            Pane::Changes | Pane::Runs => false,
        }
    }

    /// Whether that host is suppressed.
    pub(crate) fn is_suppressed(&self) -> bool {
        if let Some(page) = &self.page {
            return page.is_suppressed();
        }
        match self.pane {
            Pane::Live => self.is_told(crawl::HostState::Suppressed, store::HostState::Suppressed),
            Pane::Hosts => {
                let row = self.hosts.selected_row();
                row.is_some_and(|row| row.line.state == store::HostState::Suppressed)
            }
            Pane::Changes | Pane::Runs => false,
        }
    }

    /// Whether the host under the cursor of the Live pane stands so: as the engine tells, or for one
    /// that is not in flight, as far as it was read from the store.
    fn is_told(&self, told: crawl::HostState, read: store::HostState) -> bool {
        let live = self.shown();
        let Some((id, _)) = live.target() else {
            return false;
        };
        match (live.rows.get(&id), self.hosts.row(id)) {
            (Some(row), _) => row.visit.state == told,
            (None, row) => row.is_some_and(|row| row.line.state == read),
        }
    }

    /// Whether a run of another terminal is under way on this store.
    pub(crate) fn elsewhere(&self) -> bool {
        self.offline.is_some() && self.beside.around.is_some_and(|around| around.engine)
    }

    /// Whether a run is under way.
    pub(crate) fn course(&self) -> Course {
        let ended = matches!(
            self.live.run_state,
            Some(crawl::RunState::Finished | crawl::RunState::Stopped)
        );
        match self.now {
            None => Course::Unknown,
            Some(now) if self.elsewhere() => Course::Elsewhere(now),
            Some(now) if self.connected && !self.all_done && !ended => {
                Course::Ours(now, self.live.window_ends)
            }
            Some(now) => Course::Idle(now),
        }
    }

    /// Where a host of the list stands.
    pub(crate) fn stands(&self, row: &HostRow) -> Stands {
        self.course().of(row, self.live.rows.get(&row.line.id))
    }

    /// What is not as it should be, the gravest first.
    pub(crate) fn alarms(&self) -> Vec<Clean> {
        alarms::alarms(&self.live, &self.beside, self.now)
    }

    /// The contexts of the pane itself, whatever lies over it.
    pub(crate) fn pane_stack(&self) -> &'static [Context] {
        match self.pane {
            _ if self.diff.is_some() => STACKS[7],
            _ if self.page.is_some() => STACKS[2],
            Pane::Live => STACKS[0],
            Pane::Hosts => STACKS[1],
            Pane::Changes => STACKS[8],
            Pane::Runs => STACKS[9],
        }
    }

    /// The contexts in force, the nearest first.
    pub(crate) fn stack(&self) -> &'static [Context] {
        if self.prompt.is_some() {
            return STACKS[5];
        }
        match &self.overlay {
            Some(
                Overlay::Help { .. }
                | Overlay::Notices { .. }
                | Overlay::Alarms { .. }
                | Overlay::Details(_),
            ) => STACKS[3],
            Some(Overlay::Palette(_)) => STACKS[6],
            Some(Overlay::Menu(_) | Overlay::Question(_) | Overlay::Pick(_) | Overlay::Runs(_)) => {
                STACKS[4]
            }
            None => self.pane_stack(),
        }
    }
}
