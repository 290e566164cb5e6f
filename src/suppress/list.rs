//! The list in memory and how names are matched.

use std::collections::HashMap;
use std::sync::Arc;

use super::Entry;
use super::entry::page_path;
use crate::hosts::Host;

/// An immutable list; matching costs one hash look-up a label. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct List(Arc<Inner>);

/// Entries in file order, and by what they are matched with their place in it.
#[derive(Debug, Default)]
struct Inner {
    entries: Vec<Entry>,
    domains: HashMap<String, usize>,
    hosts: HashMap<String, usize>,
    pages: HashMap<String, HashMap<String, usize>>,
}

impl List {
    /// A list of these entries.
    pub fn new(entries: impl IntoIterator<Item = Entry>) -> List {
        let mut inner = Inner::default();
        for entry in entries {
            let place = inner.entries.len();
            // The first of equal entries is the one shown.
            match &entry {
                Entry::Domain(name) => {
                    inner.domains.entry(name.clone()).or_insert(place);
                }
                Entry::Host(host) => {
                    let name = host.as_str().to_owned();
                    inner.hosts.entry(name).or_insert(place);
                }
                Entry::Page(host, path) => {
                    let pages = inner.pages.entry(host.as_str().to_owned()).or_default();
                    pages.entry(page_path(path)).or_insert(place);
                }
            }
            inner.entries.push(entry);
        }
        List(Arc::new(inner))
    }

    /// Entries in file order.
    pub fn entries(&self) -> &[Entry] {
        &self.0.entries
    }

    /// The entry that forbids every request to `host`, if any.
    pub fn covers(&self, host: &Host) -> Option<&Entry> {
        self.covers_parts(host.as_str(), host.name())
    }

    /// [`List::covers`] of a host as [`Host::as_str`] spells it: for lists of a million of them.
    pub fn covers_text(&self, host: &str) -> Option<&Entry> {
        if self.0.domains.is_empty() && self.0.hosts.is_empty() {
            return None;
        }
        // As in `Host`: a port, where there is one, stands behind the last bracket.
        let from = host.find(']').unwrap_or(0);
        let name_len = host[from..].find(':').map_or(host.len(), |at| from + at);
        self.covers_parts(host, &host[..name_len])
    }

    fn covers_parts(&self, text: &str, name: &str) -> Option<&Entry> {
        // OO4: the domain and every name below it, on label boundaries, every port.
        if !self.0.domains.is_empty() {
            let mut part = name;
            loop {
                if let Some(place) = self.0.domains.get(part) {
                    return self.0.entries.get(*place);
                }
                match part.split_once('.') {
                    Some((_, parent)) => part = parent,
                    None => break,
                }
            }
        }
        self.find(text, name, |name| self.0.hosts.get(name))
    }

    /// The entry that forbids this page (or its host), if any. `path` is path and query.
    pub fn covers_page(&self, host: &Host, path: &str) -> Option<&Entry> {
        self.covers(host).or_else(|| {
            if self.0.pages.is_empty() {
                return None;
            }
            let path = page_path(path);
            self.find(host.as_str(), host.name(), |name| {
                self.0.pages.get(name)?.get(&path)
            })
        })
    }

    /// An entry that names a port is about that port, one without is about every port.
    fn find<'a>(
        &'a self,
        text: &str,
        name: &str,
        look_up: impl Fn(&str) -> Option<&'a usize>,
    ) -> Option<&'a Entry> {
        let place = look_up(text).or_else(|| look_up(name))?;
        self.0.entries.get(*place)
    }
}
