//! Questions asked before something that cannot be taken back.

use engine::suppress::Entry;

use crate::engine;
use crate::text::Clean;

/// A question; its first answer is always No.
#[derive(Debug)]
pub(crate) struct Question {
    /// Which question this is.
    pub(crate) id: u64,
    /// What is asked.
    pub(crate) about: About,
    /// The answer marked.
    pub(crate) marked: usize,
}

/// What is asked.
#[derive(Debug)]
pub(crate) enum About {
    /// Suppress the host alone, or its domain: their scopes in this order.
    Suppress(Box<[Scope; 2]>),
    /// Quit while a run is under way.
    Quit,
}

/// One scope with its reach.
#[derive(Debug)]
pub(crate) struct Scope {
    /// The entry.
    pub(crate) entry: Entry,
    /// Its name.
    pub(crate) name: Clean,
    /// Hosts covered; none while they are counted.
    pub(crate) reach: Option<Result<u64, Clean>>,
}

impl Scope {
    /// A scope not counted yet.
    pub(crate) fn new(entry: Entry) -> Scope {
        let name = match &entry {
            Entry::Domain(name) => Clean::new(name),
            Entry::Host(host) | Entry::Page(host, _) => Clean::new(host.as_str()),
        };
        Scope {
            entry,
            name,
            reach: None,
        }
    }
}

impl Question {
    /// Answers to choose from.
    pub(crate) fn answers(&self) -> &'static [&'static str] {
        match self.about {
            About::Suppress(_) => &["No", "This host alone", "The whole domain"],
            About::Quit => &["No, stay", "Finish what is under way and quit"],
        }
    }
}
