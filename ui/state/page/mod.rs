//! The page of one host, over the pane it was opened from: what was read, and where the operator
//! looks.

pub(crate) mod facts;
mod layout;
pub(crate) mod overview;
pub(crate) mod past;
pub(crate) mod requests;
pub(crate) mod robots;
pub(crate) mod rows;

use engine::hosts::Host;
use engine::store::{HostId, HostState, RobotsId};

use crate::engine;
use crate::jobs::page::{PageParts, Promised, Read};
use crate::state::course::Course;
use crate::text::Clean;
use overview::Overview;
use past::Past;
use requests::{Request, Requests};
use robots::Robots;
use rows::{Fetch, Journaled, VersionRow, Visit};

/// From this width on the selected request has a pane beside the list.
pub(crate) const BESIDE: u16 = 140;
/// Columns of that pane.
pub(crate) const PANE: u16 = 50;

/// The parts of the page, in the order of their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Section {
    #[default]
    Overview,
    Robots,
    Visits,
    Requests,
    Versions,
    Journal,
}

impl Section {
    /// All of them.
    pub(crate) const ALL: [Section; 6] = [
        Section::Overview,
        Section::Robots,
        Section::Visits,
        Section::Requests,
        Section::Versions,
        Section::Journal,
    ];

    /// Its name.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Section::Overview => "Overview",
            Section::Robots => "Robots",
            Section::Visits => "Visits",
            Section::Requests => "Requests",
            Section::Versions => "Versions",
            Section::Journal => "Journal",
        }
    }

    /// The one so many places further on.
    pub(crate) fn moved(self, by: isize) -> Section {
        let count = Section::ALL.len() as isize;
        let to = (self as isize + by).rem_euclid(count);
        Section::ALL[to.unsigned_abs()]
    }
}

/// A part of the page as it was read.
#[derive(Debug, Default)]
pub(crate) enum Part<T> {
    /// Nothing was asked yet.
    #[default]
    Not,
    /// Asked, and not answered yet.
    Reading,
    /// It could not be read.
    Failed(Clean),
    /// Here it is.
    Ready(T),
}

impl<T> Part<T> {
    /// What was read.
    pub(crate) fn ready(&self) -> Option<&T> {
        match self {
            Part::Ready(value) => Some(value),
            _ => None,
        }
    }

    /// It was asked for; what was read before stays until the answer is here.
    pub(crate) fn ask(&mut self) {
        if self.ready().is_none() {
            *self = Part::Reading;
        }
    }

    fn take<U>(&mut self, read: Read<U>, make: impl FnOnce(U) -> T) {
        *self = match read {
            Ok(value) => Part::Ready(make(value)),
            Err(problem) => Part::Failed(problem),
        };
    }
}

/// Where the operator looks in a section.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Place {
    /// The row under the cursor; in a text the first line shown.
    pub(crate) at: usize,
    /// First row on the screen.
    pub(crate) top: usize,
}

impl Place {
    pub(crate) fn scroll(&mut self, count: usize, room: usize) {
        let room = room.max(1);
        self.at = self.at.min(count.saturating_sub(1));
        let least = (self.at + 1).saturating_sub(room);
        self.top = self
            .top
            .min(self.at)
            .max(least)
            .min(count.saturating_sub(room));
    }
}

/// What was looked at before something led elsewhere.
#[derive(Debug)]
struct Step {
    section: Section,
    fetch: Option<RobotsId>,
    path: Option<String>,
    token: Option<String>,
}

/// The page.
#[derive(Debug)]
pub(crate) struct HostPage {
    pub(crate) id: HostId,
    pub(crate) host: Host,
    pub(crate) name: Clean,
    pub(crate) section: Section,
    /// Number of the question about all parts, and whether its answer is still to come.
    pub(crate) asked: u64,
    pub(crate) pending: bool,
    /// The engine has it in flight, whatever the store says of it.
    pub(crate) under_way: bool,
    /// Whether a run is under way at all, as last looked.
    pub(crate) course: Course,
    /// How the pane showed it, until the page itself knows.
    before: (bool, bool),
    pub(crate) overview: Part<Overview>,
    pub(crate) visits: Part<Vec<Visit>>,
    pub(crate) fetches: Part<Vec<Fetch>>,
    pub(crate) robots: Robots,
    pub(crate) requests: Part<Requests>,
    pub(crate) versions: Part<Vec<VersionRow>>,
    pub(crate) journal: Part<Vec<Journaled>>,
    pub(crate) promised: Part<Promised>,
    /// The moment it tells of.
    pub(crate) past: Past,
    /// What a text cut short ends in: the key that shows all of it.
    pub(crate) more: Clean,
    /// Where a step back leads, the last one first to be taken.
    trail: Vec<Step>,
    places: [Place; Section::ALL.len()],
}

impl HostPage {
    /// A page of which nothing was read; `held` and `suppressed` as the pane shows it.
    pub(crate) fn new(id: HostId, host: Host, held: bool, suppressed: bool) -> HostPage {
        HostPage {
            id,
            name: Clean::new(host.as_str()),
            host,
            section: Section::Overview,
            asked: 0,
            pending: false,
            under_way: false,
            course: Course::default(),
            before: (held, suppressed),
            overview: Part::Not,
            visits: Part::Not,
            fetches: Part::Not,
            robots: Robots::default(),
            requests: Part::Not,
            versions: Part::Not,
            journal: Part::Not,
            promised: Part::Not,
            past: Past::default(),
            more: Clean::new(" (more)"),
            trail: Vec::new(),
            places: [Place::default(); Section::ALL.len()],
        }
    }

    /// Whether the host is held.
    pub(crate) fn is_held(&self) -> bool {
        let card = self.overview.ready().map(|overview| &overview.card);
        card.map_or(self.before.0, |card| {
            card.line.state == HostState::Held || !card.holds.is_empty()
        })
    }

    /// Whether it is suppressed.
    pub(crate) fn is_suppressed(&self) -> bool {
        let card = self.overview.ready().map(|overview| &overview.card);
        card.map_or(self.before.1, |card| {
            card.line.state == HostState::Suppressed
        })
    }

    /// Notes where it stands, for a step back.
    pub(crate) fn note(&mut self) {
        let robots = &self.robots;
        self.trail.push(Step {
            section: self.section,
            fetch: robots.fetch,
            path: robots.path.clone(),
            token: robots.token.clone(),
        });
    }

    /// A path was tried: a step only where that led to another section.
    pub(crate) fn tried(&mut self) {
        let here = self.section;
        self.trail.pop_if(|step| step.section == here);
    }

    /// Goes one step back; false if there is none on this page.
    pub(crate) fn step_back(&mut self) -> bool {
        let Some(step) = self.trail.pop() else {
            return false;
        };
        self.section = step.section;
        self.robots.fetch = step.fetch;
        self.robots.path = step.path;
        self.robots.token = step.token;
        true
    }

    /// Everything was asked for.
    pub(crate) fn ask(&mut self, number: u64) {
        self.asked = number;
        self.pending = true;
        self.overview.ask();
        self.visits.ask();
        self.fetches.ask();
        self.requests.ask();
        self.versions.ask();
        self.journal.ask();
        self.promised.ask();
    }

    /// Nothing could be read.
    pub(crate) fn fail(&mut self, problem: &Clean) {
        let failed = || problem.clone();
        self.overview = Part::Failed(failed());
        self.visits = Part::Failed(failed());
        self.fetches = Part::Failed(failed());
        self.requests = Part::Failed(failed());
        self.versions = Part::Failed(failed());
        self.journal = Part::Failed(failed());
    }

    /// Takes what was read; cursors stay on their rows.
    pub(crate) fn take(&mut self, parts: PageParts) {
        self.pending = false;
        let request = self.request().map(|request| request.line.row.key);
        self.promised.take(parts.promised, |promised| promised);
        if let Ok((runs, horizon)) = parts.time {
            self.past.take(runs, horizon);
        }
        self.overview.take(parts.card, Overview::new);
        self.visits.take(parts.visits, |visits| {
            visits.into_iter().map(Visit::new).collect()
        });
        self.fetches.take(parts.fetches, |rows| {
            rows.into_iter().map(Fetch::new).collect()
        });
        match (&mut self.requests, parts.requests) {
            (Part::Ready(requests), Ok(newest)) => requests.renew(newest),
            (part, read) => part.take(read, Requests::new),
        }
        self.versions.take(parts.versions, rows::versions);
        self.journal.take(parts.journal, rows::journal);
        if let (Some(key), Some(requests)) = (request, self.requests.ready())
            && let Some(at) = requests.rows.iter().position(|row| row.line.row.key == key)
        {
            let place = &mut self.places[Section::Requests as usize];
            // The rows round it stay where they are too.
            place.top = (place.top + at).saturating_sub(place.at);
            place.at = at;
        }
    }

    /// Where the operator looks in the section shown.
    pub(crate) fn place(&self) -> Place {
        self.places[self.section as usize]
    }

    /// Looks elsewhere in a section.
    pub(crate) fn put(&mut self, section: Section, place: Place) {
        self.places[section as usize] = place;
    }

    /// The request under the cursor.
    pub(crate) fn request(&self) -> Option<&Request> {
        let at = self.places[Section::Requests as usize].at;
        self.requests.ready()?.rows.get(at)
    }

    /// The address of the request under the cursor, while the requests are looked at.
    pub(crate) fn url(&self) -> Option<Clean> {
        let request = self
            .request()
            .filter(|_| self.section == Section::Requests)?;
        Some(request.url(&self.promised.ready()?.scheme))
    }

    /// The fetch of robots.txt looked at, and its place among those read, the newest being 0.
    pub(crate) fn fetch(&self) -> Option<(usize, &Fetch)> {
        let fetches = self.fetches.ready()?;
        match self.robots.fetch {
            Some(id) => {
                let found = fetches.iter().enumerate();
                found.into_iter().find(|(_, fetch)| fetch.row.id == id)
            }
            None => fetches.first().map(|fetch| (0, fetch)),
        }
    }

    /// Moves by so many rows in the section shown.
    pub(crate) fn step(&mut self, by: isize, size: (u16, u16)) {
        let (count, room) = (self.count(size), self.room(size));
        let is_text = matches!(self.section, Section::Overview | Section::Robots);
        let place = &mut self.places[self.section as usize];
        if is_text {
            let last = count.saturating_sub(room);
            place.top = place.top.saturating_add_signed(by).min(last);
        } else {
            place.at = place
                .at
                .saturating_add_signed(by)
                .min(count.saturating_sub(1));
            place.scroll(count, room);
        }
    }

    /// Puts the cursor on a row.
    pub(crate) fn point(&mut self, at: usize, size: (u16, u16)) {
        self.places[self.section as usize].at = at;
        self.step(0, size);
    }
}
