//! What a host is: where it came from, when it is asked next, whom it stands beside.

use engine::store::{HostCard, HostSource, HostState};

use super::facts::Fact;
use super::rows::Fetch;
use crate::engine;
use crate::state::course::{Course, Stands};
use crate::state::host_row::HostRow;
use crate::text::name::unicode;
use crate::text::{Clean, fit};
use crate::theme::Role;

/// The card, its row cleaned once.
#[derive(Debug)]
pub(crate) struct Overview {
    pub(crate) card: HostCard,
    pub(crate) row: HostRow,
}

impl Overview {
    /// Of a card as read.
    pub(crate) fn new(card: HostCard) -> Overview {
        Overview {
            row: HostRow::new(card.line.clone()),
            card,
        }
    }

    /// The address of the host; none while the scheme is not known.
    pub(crate) fn url(&self, scheme: Option<&str>) -> Option<String> {
        Some(format!("{}://{}/", scheme?, self.card.line.host))
    }

    /// All there is to say; the address stands first.
    pub(crate) fn facts(
        &self,
        (course, under_way): (Course, bool),
        scheme: Option<&str>,
        robots: Option<&Fetch>,
    ) -> Vec<Fact> {
        let line = &self.card.line;
        let url = self.url(scheme);
        let stands = course.of(&self.row, None);
        // What the store says of a host in flight is older than what the engine does.
        let under_way = under_way && !matches!(line.state, HostState::Held | HostState::Suppressed);
        let state = match under_way {
            true => Clean::new("its visit of this run is under way"),
            false => stands.sentence(),
        };
        let mut facts = vec![match url {
            Some(url) => Fact::new("address", url).role(Role::Link),
            None => Fact::new("host", line.host.as_str()),
        }];
        // A name in another script stands behind the one that is asked, and only if it cannot mislead.
        facts.extend(unicode(line.host.as_str()).map(|name| Fact::new("reads", name.as_str())));
        facts.push(Fact::new("state", state.as_str()).role(stands.role));
        facts.push(Fact::new("next visit", self.due(under_way, &stands)));
        facts.push(Fact::new("last visit", self.visited()));
        facts.push(match robots {
            Some(fetch) => Fact::new("robots.txt", fetch.sentence()).role(fetch.role()),
            None => Fact::new("robots.txt", "not asked for yet"),
        });
        for hold in &self.card.holds {
            let why = if hold.why.is_empty() {
                "no reason given"
            } else {
                &hold.why
            };
            let text = format!(
                "{} since {} by {}: {why}",
                hold.scope,
                fit::second(hold.since),
                hold.by
            );
            facts.push(Fact::new("held", text).role(Role::Told));
        }
        facts.extend(self.origin());
        facts.push(Fact::new("site", line.site.as_str()));
        facts.push(Fact::new("other hosts", self.siblings()));
        facts
    }

    fn due(&self, under_way: bool, stands: &Stands) -> String {
        let line = &self.card.line;
        match (line.state, line.due) {
            _ if under_way => "now".to_owned(),
            (HostState::Held, _) => "not while it is held".to_owned(),
            (HostState::Suppressed, _) => "never".to_owned(),
            (HostState::Offered, _) | (_, None) => "none by itself".to_owned(),
            (_, Some(_)) if !stands.due.as_str().ends_with('Z') => stands.due.to_string(),
            (_, Some(_)) => format!("{} at the earliest", stands.due),
        }
    }

    fn visited(&self) -> String {
        let row = &self.row;
        let Some(visited) = row.line.visited else {
            return "none yet".to_owned();
        };
        let mut text = fit::second(visited);
        if let Some(newest) = &row.line.newest {
            text.push_str(&format!(
                ", {}, {} denied by robots.txt, {}, largest {}, {} {}",
                fit::counted(u64::from(newest.requests), "request"),
                newest.denied,
                fit::counted(u64::from(newest.errors), "error"),
                row.size,
                if newest.statuses.len() == 1 {
                    "status"
                } else {
                    "statuses"
                },
                row.statuses
            ));
        }
        text
    }

    pub(super) fn origin(&self) -> Vec<Fact> {
        let card = &self.card;
        let source = match &card.line.source {
            HostSource::Unknown => "not recorded".to_owned(),
            source => source.to_string(),
        };
        let mut facts = vec![Fact::new("from", source)];
        if let Some((digest, at)) = &card.imported {
            let mut text = format!("imported {}", fit::second(*at));
            if !digest.is_empty() {
                text.push_str(&format!(", sha256 {digest}"));
            }
            facts.push(Fact::new("", text).role(Role::Dim));
        }
        if let Some((_, from, at)) = &card.found_from {
            let text = format!("{from}, by a redirect seen {}", fit::second(*at));
            facts.push(Fact::new("found from", text));
        }
        if let Some((_, to)) = &card.alias {
            facts.push(Fact::new("alias of", format!("{to}: its visits go there")));
        }
        facts
    }

    fn siblings(&self) -> String {
        let card = &self.card;
        if card.siblings.is_empty() {
            return "none: it is the only host of its site here".to_owned();
        }
        let names: Vec<&str> = card
            .siblings
            .iter()
            .map(|(_, host)| host.as_str())
            .collect();
        let mut text = names.join(", ");
        let more = card.sibling_count.saturating_sub(names.len() as u64);
        if more > 0 {
            text.push_str(&format!(" and {} more", fit::count(more)));
        }
        text
    }
}

/// What a state means.
pub(crate) fn standing(state: HostState) -> Role {
    match state {
        HostState::Held | HostState::Suppressed | HostState::Resting => Role::Told,
        HostState::Offered => Role::Dim,
        HostState::Done(_) | HostState::Waiting => Role::Plain,
    }
}
