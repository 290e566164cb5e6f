//! The small table through which other terminals act on a running engine: requested, reached.

use jiff::Timestamp;

use super::StoreError;

/// One thing that can be asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wish {
    /// What is asked: a number that grows with each request, or a stamp; empty if never.
    pub requested: String,
    /// What the engine reached last.
    pub reached: String,
}

/// The table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// Whether the run shall stand still.
    pub paused: bool,
    /// Pause and resume.
    pub pause: Wish,
    /// Holds: grows with each hold and release.
    pub holds: Wish,
    /// Suppression list stamp reached; `requested` is not used, the file is the request.
    pub suppressed: Wish,
}

/// A host or domain that must not be asked now (durable until released).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hold {
    /// In the notation of the suppression list: `example.com`, `=host.example.com`.
    pub scope: crate::suppress::Entry,
    /// Since when.
    pub since: Timestamp,
    /// Who.
    pub by: String,
    /// Why.
    pub why: String,
}

/// Desk work: changes asked for by a command, each with a journal entry (who, when, why, inverse).
pub struct Desk {}

impl Desk {
    /// Asks for pause or resume; returns the request's number.
    pub fn request_pause(
        &self,
        paused: bool,
        by: &str,
        at: Timestamp,
    ) -> Result<String, StoreError> {
        let _ = (paused, by, at);
        unimplemented!()
    }

    /// Adds a hold; returns the request's number, or none if it stood already.
    pub fn hold(&self, hold: &Hold) -> Result<Option<String>, StoreError> {
        let _ = hold;
        unimplemented!()
    }

    /// Releases a hold; none if there was no such hold.
    pub fn release(
        &self,
        scope: &crate::suppress::Entry,
        by: &str,
        at: Timestamp,
    ) -> Result<Option<String>, StoreError> {
        let _ = (scope, by, at);
        unimplemented!()
    }

    /// Records an action in the journal.
    pub fn journal(
        &self,
        by: &str,
        at: Timestamp,
        action: &str,
        why: &str,
        inverse: &str,
    ) -> Result<(), StoreError> {
        let _ = (by, at, action, why, inverse);
        unimplemented!()
    }
}
