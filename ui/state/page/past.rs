//! Stepping back in time: the page as it would have been when a past run was over.

use engine::store::{Horizon, RunId};

use super::facts::Fact;
use super::overview::Overview;
use super::rows::Fetch;
use super::{HostPage, Part, Place, Section};
use crate::engine;
use crate::jobs::page::RunName;
use crate::text::{Clean, fit};
use crate::theme::Role;

/// The moment the page tells of, if it is not now.
#[derive(Debug, Default)]
pub(crate) struct Past {
    /// The run after which it stands still; none for now.
    run: Option<RunId>,
    /// All runs, the newest first.
    runs: Vec<RunName>,
    /// Where what was known then ends.
    horizon: Option<Horizon>,
}

impl Past {
    /// The run asked for; none for now.
    pub(crate) fn run(&self) -> Option<RunId> {
        self.run
    }

    /// Its name, if the page stands in the past.
    pub(crate) fn label(&self) -> Option<&str> {
        let run = self.run?;
        let named = self.runs.iter().find(|known| known.id == run)?;
        Some(&named.label)
    }

    /// Until when things were known, in a sentence.
    pub(crate) fn sentence(&self) -> Option<String> {
        let (label, horizon) = (self.label()?, self.horizon?);
        let next = self.runs.iter().find(|known| known.id == horizon.next)?;
        Some(format!(
            "what was known with {label}, before {} began {}",
            next.label,
            fit::second(horizon.before)
        ))
    }

    pub(super) fn take(&mut self, runs: Vec<RunName>, horizon: Option<Horizon>) {
        (self.runs, self.horizon) = (runs, horizon);
    }

    /// The run so many further back; none if there is none.
    fn moved(&self, back: isize) -> Option<Option<RunId>> {
        let found = |run| self.runs.iter().position(|known| known.id == run);
        let at = self.run.and_then(found).unwrap_or(0);
        let to = at.checked_add_signed(back)?;
        let run = self.runs.get(to)?.id;
        // With the newest run everything is known: that is now.
        Some((to > 0).then_some(run))
    }
}

impl HostPage {
    /// Steps so many runs back; false if there is none.
    pub(crate) fn step_in_time(&mut self, back: isize) -> bool {
        let Some(run) = self.past.moved(back) else {
            return false;
        };
        self.stand(run);
        true
    }

    /// Whether it tells of the past; then it tells of now.
    pub(crate) fn return_to_now(&mut self) -> bool {
        let past = self.past.run.is_some();
        if past {
            self.stand(None);
        }
        past
    }

    /// Nothing read so far is shown as if it were of another time.
    fn stand(&mut self, run: Option<RunId>) {
        self.past.run = run;
        self.past.horizon = None;
        self.overview = Part::Not;
        self.visits = Part::Not;
        self.fetches = Part::Not;
        self.requests = Part::Not;
        self.versions = Part::Not;
        self.journal = Part::Not;
        self.robots.fetch = None;
        self.robots.question = None;
        self.robots.evidence = Part::Not;
        self.places = [Place::default(); Section::ALL.len()];
    }

    /// What the host was then.
    pub(super) fn past_facts(
        &self,
        overview: &Overview,
        scheme: Option<&str>,
        robots: Option<&Fetch>,
    ) -> Vec<Fact> {
        let line = &overview.card.line;
        let mut facts = vec![match overview.url(scheme) {
            Some(url) => Fact::new("address", url).role(Role::Link),
            None => Fact::new("host", line.host.as_str()),
        }];
        if let Some(sentence) = self.past.sentence() {
            facts.push(Fact::new("as of", sentence).role(Role::Told));
        }
        let visit = self.visits.ready().and_then(|visits| visits.first());
        facts.push(match visit {
            Some(visit) => {
                let text = format!("{} in {}, ended {}", visit.outcome, visit.run, visit.ended);
                Fact::new("last visit", text)
            }
            None => Fact::new("last visit", "none yet"),
        });
        facts.push(match robots {
            Some(fetch) => Fact::new("robots.txt", fetch.sentence()).role(fetch.role()),
            None => Fact::new("robots.txt", "not asked for yet"),
        });
        facts.extend(overview.origin());
        facts.push(Fact::new("site", line.site.as_str()));
        let now = "holds, suppression and the next visit are those of now, not of then";
        facts.push(Fact::new("", now).role(Role::Dim));
        facts
    }

    /// What the head of the page says of its time.
    pub(crate) fn as_of(&self) -> Option<Clean> {
        let label = self.past.label()?;
        Some(Clean::new(format!("as of {label}")))
    }
}
