//! The one registry of actions: it feeds keys, footer and help.

use engine::crawl::{HostState, RunState};

use crate::engine;
use crate::keymap::{Code, Key};
use crate::state::{Overlay, State};

/// What an operator can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Action {
    Down,
    Up,
    First,
    Last,
    PageDown,
    PageUp,
    Pause,
    Hold,
    Suppress,
    Sort,
    Focus,
    Help,
    Quit,
    Interrupt,
    Suspend,
    Close,
    Next,
    Previous,
    Choose,
}

/// Where an action can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Context {
    /// On any screen.
    Everywhere,
    /// On the Live pane.
    Live,
    /// In the help.
    Help,
    /// In a question.
    Question,
}

/// How much can be lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Danger {
    /// Nothing: the same key takes it back.
    None,
    /// Asked back, with No as the default.
    Confirm,
}

/// One action.
#[derive(Debug)]
pub(crate) struct Spec {
    pub(crate) action: Action,
    pub(crate) context: Context,
    pub(crate) keys: &'static [(&'static str, Key)],
    /// A word or two, for the footer; empty keeps it out of there.
    pub(crate) short: &'static str,
    /// One sentence.
    pub(crate) help: &'static str,
    pub(crate) danger: Danger,
}

const fn key(code: Code) -> Key {
    Key { code, ctrl: false }
}

const fn char(char: char) -> Key {
    key(Code::Char(char))
}

const fn ctrl(char: char) -> Key {
    Key {
        code: Code::Char(char),
        ctrl: true,
    }
}

macro_rules! spec {
    ($action:ident, $context:ident, [$(($name:literal, $key:expr)),*], $short:literal, $help:literal) => {
        spec!($action, $context, [$(($name, $key)),*], $short, $help, None)
    };
    ($action:ident, $context:ident, [$(($name:literal, $key:expr)),*], $short:literal, $help:literal, $danger:ident) => {
        Spec {
            action: Action::$action,
            context: Context::$context,
            keys: &[$(($name, $key)),*],
            short: $short,
            help: $help,
            danger: Danger::$danger,
        }
    };
}

/// Every action, in the order of the footer and the help.
pub(crate) static ACTIONS: &[Spec] = &[
    spec!(
        Pause,
        Live,
        [("p", char('p'))],
        "pause",
        "Pause the whole run, or let it go on; no request leaves once the pause is reached"
    ),
    spec!(
        Hold,
        Live,
        [("h", char('h'))],
        "hold",
        "Hold the selected site, or release it: not asked now, until released"
    ),
    spec!(
        Suppress,
        Live,
        [("x", char('x'))],
        "suppress",
        "Suppress the selected host or its whole domain: never asked again",
        Confirm
    ),
    spec!(
        Sort,
        Live,
        [("s", char('s'))],
        "sort",
        "Sort by the next request, or by host"
    ),
    spec!(
        Focus,
        Live,
        [("Tab", key(Code::Tab)), ("Shift-Tab", key(Code::BackTab))],
        "pane",
        "Go to the log, or back to the hosts in flight"
    ),
    spec!(
        Down,
        Live,
        [("j", char('j')), ("Down", key(Code::Down))],
        "",
        "Next row"
    ),
    spec!(
        Up,
        Live,
        [("k", char('k')), ("Up", key(Code::Up))],
        "",
        "Previous row"
    ),
    spec!(
        First,
        Live,
        [("g", char('g')), ("Home", key(Code::Home))],
        "",
        "First row"
    ),
    spec!(
        Last,
        Live,
        [("G", char('G')), ("End", key(Code::End))],
        "",
        "Last row"
    ),
    spec!(
        PageDown,
        Live,
        [("PgDn", key(Code::PageDown)), ("Ctrl-D", ctrl('d'))],
        "",
        "A page down"
    ),
    spec!(
        PageUp,
        Live,
        [("PgUp", key(Code::PageUp)), ("Ctrl-U", ctrl('u'))],
        "",
        "A page up"
    ),
    spec!(Help, Live, [("?", char('?'))], "help", "This help"),
    spec!(
        Quit,
        Live,
        [("q", char('q'))],
        "quit",
        "Quit; if the run is under way it is asked to finish what it has begun",
        Confirm
    ),
    spec!(
        Interrupt,
        Everywhere,
        [("Ctrl-C", ctrl('c'))],
        "",
        "Finish what is under way and quit; a second time quits at once"
    ),
    spec!(
        Suspend,
        Everywhere,
        [("Ctrl-Z", ctrl('z'))],
        "",
        "Suspend the program, run and all, until `fg`"
    ),
    spec!(
        Down,
        Help,
        [("j", char('j')), ("Down", key(Code::Down))],
        "",
        "Scroll down"
    ),
    spec!(
        Up,
        Help,
        [("k", char('k')), ("Up", key(Code::Up))],
        "",
        "Scroll up"
    ),
    spec!(
        PageDown,
        Help,
        [("PgDn", key(Code::PageDown))],
        "",
        "A page down"
    ),
    spec!(PageUp, Help, [("PgUp", key(Code::PageUp))], "", "A page up"),
    spec!(
        Close,
        Help,
        [("Esc", key(Code::Esc)), ("?", char('?')), ("q", char('q'))],
        "close",
        "Close the help"
    ),
    spec!(
        Next,
        Question,
        [
            ("Tab", key(Code::Tab)),
            ("Right", key(Code::Right)),
            ("l", char('l')),
            ("Down", key(Code::Down)),
            ("j", char('j'))
        ],
        "next",
        "Next answer"
    ),
    spec!(
        Previous,
        Question,
        [
            ("Shift-Tab", key(Code::BackTab)),
            ("Left", key(Code::Left)),
            ("h", char('h')),
            ("Up", key(Code::Up)),
            ("k", char('k'))
        ],
        "",
        "Previous answer"
    ),
    spec!(
        Choose,
        Question,
        [("Enter", key(Code::Enter))],
        "choose",
        "Take the answer marked"
    ),
    spec!(
        Close,
        Question,
        [("Esc", key(Code::Esc)), ("n", char('n')), ("q", char('q'))],
        "no",
        "Do nothing"
    ),
];

/// Where the keys go now.
pub(crate) fn context(state: &State) -> Context {
    match state.overlay {
        None => Context::Live,
        Some(Overlay::Help { .. }) => Context::Help,
        Some(Overlay::Question(_)) => Context::Question,
    }
}

/// Actions of a context, and those of everywhere.
pub(crate) fn of(context: Context) -> impl Iterator<Item = &'static Spec> {
    ACTIONS
        .iter()
        .filter(move |spec| spec.context == context || spec.context == Context::Everywhere)
}

/// The action a key means now.
pub(crate) fn find(context: Context, pressed: Key) -> Option<&'static Spec> {
    of(context).find(|spec| spec.keys.iter().any(|(_, key)| *key == pressed))
}

/// Why an action cannot be taken now, if so.
pub(crate) fn refusal(action: Action, state: &State) -> Option<&'static str> {
    let live = &state.live;
    let over =
        state.all_done || matches!(live.run_state, Some(RunState::Finished | RunState::Stopped));
    match action {
        Action::Pause | Action::Hold | Action::Suppress if !state.connected => {
            Some("the run has not started yet")
        }
        Action::Pause | Action::Hold | Action::Suppress if over => Some("the run has ended"),
        Action::Pause if live.run_state == Some(RunState::Stopping) => {
            Some("the run is about to stop")
        }
        Action::Hold | Action::Suppress => match live.selected_row() {
            None => Some("no host is selected"),
            Some(row) if row.visit.state == HostState::Suppressed => {
                Some("this host is suppressed already")
            }
            Some(_) => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_action_has_a_key_and_a_sentence() {
        for spec in ACTIONS {
            assert!(!spec.keys.is_empty(), "{:?}", spec.action);
            assert!(spec.help.len() > 5, "{:?}", spec.action);
        }
    }

    #[test]
    fn no_key_means_two_things() {
        for context in [Context::Live, Context::Help, Context::Question] {
            let mut seen = HashSet::new();
            for (name, key) in of(context).flat_map(|spec| spec.keys) {
                assert!(seen.insert(*key), "{name} twice in {context:?}");
            }
        }
    }
}
