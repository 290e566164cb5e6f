//! What the page shows of its parts on a screen of some size: how many lines there are, and how many
//! there is room for.

use super::facts::{Fact, wrapped, wrapped_to};
use super::{BESIDE, HostPage, Part, Section, robots};
use crate::theme::Role;

impl HostPage {
    /// Rows of the section shown.
    pub(super) fn count(&self, size: (u16, u16)) -> usize {
        let width = usize::from(size.0);
        match self.section {
            Section::Overview => self.overview_lines(width).len(),
            Section::Robots => self.robots.length(width, &self.robots_below(size)),
            Section::Visits => self.visits.ready().map_or(0, Vec::len),
            Section::Requests => self.requests.ready().map_or(0, |found| found.rows.len()),
            Section::Versions => self.versions.ready().map_or(0, Vec::len),
            Section::Journal => self.journal.ready().map_or(0, Vec::len),
        }
    }

    /// Rows there is room for in the section shown.
    pub(crate) fn room(&self, size: (u16, u16)) -> usize {
        // Header, names of the panes, rule, names of the sections, footer.
        let content = usize::from(size.1.saturating_sub(5));
        let around = match self.section {
            // One more for what it does at this moment.
            Section::Overview => 1,
            Section::Robots => self.robots_head(size).len() + 1,
            Section::Requests if size.0 >= BESIDE => 1,
            _ => 1 + self.detail(size),
        };
        content.saturating_sub(around)
    }

    /// All there is to say of what is selected in the section shown.
    pub(crate) fn details(&self, size: (u16, u16)) -> Vec<Fact> {
        let scheme = self
            .promised
            .ready()
            .map_or("", |promised| &promised.scheme);
        let locations = self
            .promised
            .ready()
            .map(|promised| promised.locations.as_slice());
        let at = self.place().at;
        let facts = match self.section {
            Section::Overview => None,
            Section::Robots => self.fetch().map(|(at, fetch)| {
                let count = self.fetches.ready().map_or(0, Vec::len);
                let mut facts = self.robots.says(fetch, (at, count));
                facts.extend(robots::evidence(fetch));
                facts.extend_from_slice(self.robots.below());
                facts
            }),
            Section::Visits => {
                let visit = self.visits.ready().and_then(|visits| visits.get(at));
                visit.map(|visit| visit.facts(locations.unwrap_or_default()))
            }
            Section::Requests => self.request().map(|request| request.facts(scheme)),
            Section::Versions => {
                let version = self.versions.ready().and_then(|versions| versions.get(at));
                version.map(|version| version.facts())
            }
            Section::Journal => {
                let entry = self.journal.ready().and_then(|journal| journal.get(at));
                entry.map(|entry| entry.facts())
            }
        };
        facts.unwrap_or_else(|| self.overview_lines(usize::from(size.0)))
    }

    /// The overview in lines.
    pub(crate) fn overview_lines(&self, width: usize) -> Vec<Fact> {
        let facts = self.overview.ready().map(|overview| {
            let scheme = self
                .promised
                .ready()
                .map(|promised| promised.scheme.as_str());
            let robots = self.fetches.ready().and_then(|list| list.first());
            if self.past.run().is_some() {
                return self.past_facts(overview, scheme, robots);
            }
            overview.facts((self.course, self.under_way), scheme, robots)
        });
        let mut facts = facts.unwrap_or_default();
        if let Part::Failed(problem) = &self.promised {
            facts.push(Fact::new("policy", problem.as_str()).role(Role::Bad));
        }
        wrapped(facts, width)
    }

    /// What stands above the text of a robots.txt: never more than half of the room, with a mark if
    /// that is not all.
    pub(crate) fn robots_head(&self, size: (u16, u16)) -> Vec<Fact> {
        let count = self.fetches.ready().map_or(0, Vec::len);
        let Some((at, fetch)) = self.fetch() else {
            return Vec::new();
        };
        let mut facts = self.robots.says(fetch, (at, count));
        if self.robots_whole(size) {
            facts.extend(robots::evidence(fetch));
        }
        let width = usize::from(size.0);
        wrapped_to(
            facts,
            width,
            usize::from(size.1.saturating_sub(5)) / 2,
            &self.more,
        )
    }

    /// What stands below it.
    pub(crate) fn robots_below(&self, size: (u16, u16)) -> Vec<Fact> {
        let mut facts = Vec::new();
        if let Some((_, fetch)) = self.fetch().filter(|_| !self.robots_whole(size)) {
            facts.extend(robots::evidence(fetch));
        }
        facts.extend_from_slice(self.robots.below());
        if !facts.is_empty() {
            facts.insert(0, Fact::new("", ""));
        }
        facts
    }

    /// Whether all evidence stands above the text: there is room, or no text.
    fn robots_whole(&self, size: (u16, u16)) -> bool {
        let evidence = self.robots.evidence.ready();
        size.1 >= 36 || evidence.is_some_and(|evidence| evidence.said.file.is_none())
    }

    /// Lines about the row under the cursor below a list.
    pub(crate) fn detail(&self, size: (u16, u16)) -> usize {
        match (self.section, size.1) {
            (Section::Visits, 20..) => 7,
            (_, ..20) => 2,
            (_, 20..36) => 3,
            _ => 6,
        }
    }
}
