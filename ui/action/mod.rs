//! The one registry of actions: it feeds keys, footer, help, palette and the printed table of keys.

mod enabled;
mod registry;
#[cfg(test)]
mod table;

pub(crate) use enabled::refusal;
pub(crate) use registry::ACTIONS;

/// What an operator can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Down,
    Up,
    First,
    Last,
    PageDown,
    PageUp,
    Open,
    Back,
    ShowLive,
    ShowHosts,
    ShowChanges,
    ShowRuns,
    Mark,
    RunChanges,
    NextDiffering,
    PreviousDiffering,
    PickRun,
    PickSince,
    Section,
    SectionBack,
    Start,
    Pause,
    Hold,
    Suppress,
    Filter,
    Clear,
    Sort,
    Turn,
    Columns,
    Freeze,
    Retry,
    TryPath,
    Details,
    Older,
    Newer,
    StepBack,
    StepForward,
    Copy,
    Undo,
    Alarms,
    Notices,
    Theme,
    Mouse,
    Palette,
    Help,
    Quit,
    Interrupt,
    Suspend,
    Redraw,
    Close,
    Next,
    Previous,
    Choose,
    Complete,
    NextPlace,
    PreviousPlace,
    NextChange,
    PreviousChange,
    MoreContext,
    LessContext,
    Beside,
    Wrap,
    Left,
    Right,
    Raw,
    Laid,
    Bytes,
    PickOld,
    PickNew,
    Cite,
    Save,
}

/// Where an action can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Context {
    /// On any screen, whatever lies over it.
    Everywhere,
    /// On any pane, while nothing lies over it.
    Pane,
    /// In any list.
    List,
    /// On the Live pane.
    Live,
    /// On the Hosts pane.
    Hosts,
    /// On the Changes pane.
    Changes,
    /// On the Runs pane.
    Runs,
    /// On the page of one host.
    Host,
    /// In what changed between two versions.
    Diff,
    /// In a line being written.
    Line,
    /// In the help, and in the list of notices.
    Help,
    /// In a list to choose from: columns, answers.
    Choice,
    /// In the list of commands, where letters are typed.
    Palette,
}

impl Context {
    /// All of them, in the order of the help.
    pub(crate) const ALL: [Context; 13] = [
        Context::Live,
        Context::Hosts,
        Context::Changes,
        Context::Runs,
        Context::Host,
        Context::Diff,
        Context::List,
        Context::Pane,
        Context::Choice,
        Context::Palette,
        Context::Line,
        Context::Help,
        Context::Everywhere,
    ];

    /// Its name in the keymap file and in the help.
    pub(crate) fn id(self) -> &'static str {
        match self {
            Context::Everywhere => "everywhere",
            Context::Pane => "pane",
            Context::List => "list",
            Context::Live => "live",
            Context::Hosts => "hosts",
            Context::Changes => "changes",
            Context::Runs => "runs",
            Context::Host => "host",
            Context::Diff => "diff",
            Context::Line => "line",
            Context::Help => "help",
            Context::Choice => "choice",
            Context::Palette => "commands",
        }
    }

    /// Its heading in the help.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Context::Everywhere => "Everywhere",
            Context::Pane => "On every pane",
            Context::List => "In a list",
            Context::Live => "Live",
            Context::Hosts => "Hosts",
            Context::Changes => "Changes",
            Context::Runs => "Runs",
            Context::Host => "One host",
            Context::Diff => "What changed between two versions",
            Context::Line => "While writing a line",
            Context::Help => "In the help",
            Context::Choice => "In a list of choices",
            Context::Palette => "In the list of commands",
        }
    }
}

/// How much can be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Danger {
    /// Nothing: the same key, or undo, takes it back.
    None,
    /// Its reach is shown and it is asked back, with No as the default.
    Confirm,
}

/// One action.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) action: Action,
    /// Its name in the keymap file and for the list of commands.
    pub(crate) id: &'static str,
    pub(crate) contexts: &'static [Context],
    /// Names of the keys it has unless the keymap file says otherwise.
    pub(crate) keys: &'static [&'static str],
    /// A word or two, for the footer; empty keeps it out of there.
    pub(crate) short: &'static str,
    /// One sentence.
    pub(crate) help: &'static str,
    pub(crate) danger: Danger,
}

/// Actions of a context.
pub(crate) fn of(context: Context) -> impl Iterator<Item = &'static Spec> {
    ACTIONS
        .iter()
        .filter(move |spec| spec.contexts.contains(&context))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_action_has_a_name_and_a_sentence() {
        for spec in ACTIONS {
            assert!(spec.help.len() > 5, "{}", spec.id);
            assert!(!spec.keys.is_empty(), "{}", spec.id);
            let plain = |char: char| char.is_ascii_lowercase() || char == '-';
            assert!(spec.id.chars().all(plain), "{}", spec.id);
        }
    }

    #[test]
    fn a_name_means_one_action_in_its_context() {
        for context in Context::ALL {
            let mut seen = HashSet::new();
            for spec in of(context) {
                assert!(
                    seen.insert(spec.id),
                    "{} twice in {}",
                    spec.id,
                    context.id()
                );
            }
        }
    }
}
