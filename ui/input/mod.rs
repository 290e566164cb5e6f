//! What an operator does to the terminal: bytes to keys, clicks and pasted text.

mod decode;
mod key;

pub(crate) use decode::Decoder;
pub(crate) use key::{Code, Key};

/// One thing the operator did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Gesture {
    /// A key.
    Key(Key),
    /// A button pressed, or the wheel turned, on a cell.
    Mouse(Mouse),
    /// Text pasted as a whole; untrusted like everything from outside.
    Paste(String),
}

/// A press or a turn of the wheel on a cell; column and row from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mouse {
    /// What.
    pub(crate) kind: MouseKind,
    /// Column from 0.
    pub(crate) column: u16,
    /// Row from 0.
    pub(crate) row: u16,
}

/// What the mouse did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MouseKind {
    /// The first button went down.
    Press,
    /// The wheel turned up.
    Up,
    /// The wheel turned down.
    Down,
}
