//! What comes into the console, and what it wants done.

use std::sync::Arc;

use engine::crawl::{Command, Update};
use engine::suppress::Entry;
use jiff::Timestamp;

use crate::engine;
use crate::input::Gesture;
use crate::jobs::diff::Pair;
use crate::jobs::{Answer, Question};
use crate::text::Clean;

/// What comes in.
#[derive(Debug)]
pub(crate) enum Msg {
    /// A run began; its promises are changed so.
    Started(Vec<Clean>),
    /// No run is under way until one is asked for; why that cannot be, if so.
    Offline(Option<&'static str>),
    /// What changed in the engine.
    Update(Box<Update>),
    /// A run ended.
    Ended(Clean),
    /// The run could not go on.
    Failed(Clean),
    /// There is nothing left to do.
    AllDone,
    /// A key, a click, a paste.
    Gesture(Gesture),
    /// The size of the screen.
    Size(u16, u16),
    /// Time goes on; engine time, once the engine has told it.
    Clock(Option<Timestamp>),
    /// How many hosts an entry covers, or why that is not known.
    Reach(u64, Entry, Result<u64, Clean>),
    /// What was read from the store, by the number of the question.
    Read(u64, Result<Answer, Clean>),
    /// A command, and how far it got, or why it failed.
    Commanded(Clean, Result<Clean, Clean>),
    /// Something to tell the operator.
    Told(Clean),
    /// Other colours are worn now.
    Themed(&'static str),
    /// An end was asked for from outside.
    Draining,
    /// The program was suspended and goes on.
    Resumed,
}

/// What shall be done.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// A command to the engine, and how to call it.
    Command(Clean, Wanted),
    /// Count the hosts an entry covers; the number names the question.
    Reach(u64, Entry),
    /// Read something from the store.
    Ask(Question),
    /// Start this period's run, or resume it.
    Start,
    /// Finish what is under way and end.
    Drain,
    /// Ctrl-C: drain, or quit at once if that was asked for before.
    Interrupt,
    /// Suspend the program.
    Suspend,
    /// Leave the console.
    Leave,
    /// Text to the clipboard.
    Copy(Clean),
    /// Lines to the clipboard, and what they are.
    CopyLines(Vec<Clean>, Clean),
    /// A patch to a file.
    Save(Save),
    /// The next set of colours.
    NextTheme,
    /// Take the mouse, or give it to the terminal.
    Mouse(bool),
    /// Draw the whole screen anew.
    Redraw,
}

/// A patch and where it goes.
#[derive(Clone, Debug)]
pub(crate) struct Save {
    pub(crate) path: String,
    pub(crate) pair: Arc<Pair>,
}

impl PartialEq for Save {
    fn eq(&self, other: &Save) -> bool {
        self.path == other.path && Arc::ptr_eq(&self.pair, &other.pair)
    }
}

/// A command that can be compared, for tests.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Wanted {
    Pause,
    Resume,
    Hold(Entry),
    Release(Entry),
    Suppress(Entry),
}

impl From<Wanted> for Command {
    fn from(wanted: Wanted) -> Command {
        match wanted {
            Wanted::Pause => Command::Pause,
            Wanted::Resume => Command::Resume,
            Wanted::Hold(entry) => Command::Hold(entry),
            Wanted::Release(entry) => Command::Release(entry),
            Wanted::Suppress(entry) => Command::Suppress(entry),
        }
    }
}
