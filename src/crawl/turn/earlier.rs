//! What other visits of this run were told. A robots.txt, or a hop of one, is asked once a period,
//! whoever's visit asked it: another visit goes on from the answer (rule 1).

use super::Turn;
use super::open::{in_force, is_good};
use crate::crawl::CrawlError;
use crate::crawl::visit::{Hop, Known, NextHop, Robots, next_hop, span_state};
use crate::fetch::{Outcome, Redirect};
use crate::robots::Closed;
use crate::store::{Change, HostId, Leave, LogRow, VisitOutcome};

impl Turn<'_> {
    /// Whether the host was visited in this run, or is in the middle of its visit: one that was left
    /// (held) goes on by itself, and what it has asked is not asked again. // AS3
    pub(super) async fn had_its_turn(&self, host: &Known) -> Result<bool, CrawlError> {
        let (run, site, id) = (self.round.run.id, self.site.id, host.id);
        let begun = move |row: &LogRow| {
            let visited = row.visit_host == id;
            let moved_to = row.host == id && row.leave != Leave::Robots;
            (visited || moved_to) && row.outcome != Some(Outcome::Withdrawn)
        };
        self.round
            .read(move |reader| {
                Ok(reader.visited(run, id)? || reader.site_requests(site, run)?.iter().any(begun))
            })
            .await
    }

    /// The answer another visit had to this hop, while it is good. // RB9
    pub(super) async fn told_another(
        &self,
        hop: &Hop,
        host: &Known,
    ) -> Result<Option<LogRow>, CrawlError> {
        if hop.redirects == 0 && !self.asked_by_others {
            return Ok(None);
        }
        let (run, site, listed) = (self.round.run.id, self.site.id, self.visit.listed.id);
        let (id, path, now) = (host.id, hop.path.clone(), self.round.clock.now());
        let (valid, ours) = (self.round.policy.robots.valid, self.round.process);
        let tells = move |row: &LogRow| {
            // As with the file itself: what another process was told in the future is in doubt.
            let good = |ended: jiff::Timestamp| {
                let in_time = ended.checked_add(valid).is_ok_and(|end| now < end);
                in_time && (ended <= now || row.process == ours)
            };
            is_told_to_another(row, listed)
                && row.host == id
                && row.target == path
                && row.ended.is_some_and(|ended| good(ended.utc))
        };
        self.round
            .read(move |reader| {
                let rows = reader.site_requests(site, run)?;
                Ok(rows.into_iter().rfind(tells))
            })
            .await
    }

    /// Goes on from an answer that another visit had; false if it has to be asked for after all.
    pub(super) async fn go_on_from(&mut self, row: LogRow, hop: &Hop) -> Result<bool, CrawlError> {
        if let Some(redirect) = redirect_of(&row) {
            match next_hop(&self.round.policy, self.round.rules, hop, &redirect) {
                NextHop::Follow(next) => self.visit.robots = Robots::Ask(next),
                NextHop::Closed(_) => self.visit.end(closed()),
            }
            return Ok(true);
        }
        let owner = self.known(&hop.speaks_for).await?;
        let id = owner.id;
        let stored = self.round.read(move |reader| reader.robots(id)).await?;
        let since = row.ended.unwrap_or(row.intent).utc;
        let taken = stored
            .filter(|stored| {
                stored.fetch.at >= since && is_good(&self.round, &stored.fetch, Some(row.process))
            })
            .and_then(|stored| in_force(&self.round, &stored, row.process));
        match taken {
            Some(rules) => {
                let outcome = row.outcome.unwrap_or(Outcome::Withdrawn);
                let state = span_state(outcome);
                self.put_in_force(rules, outcome, row.status, (state, Change::None), owner)
                    .await?;
                Ok(true)
            }
            // What it says by this path was for another host: for this one nothing is known.
            None if !hop.is_proper() => {
                self.visit.end(closed());
                Ok(true)
            }
            None => Ok(false),
        }
    }
}

/// Whether a row answers a question about robots.txt that another visit asked.
pub(super) fn is_told_to_another(row: &LogRow, listed: HostId) -> bool {
    row.leave == Leave::Robots
        && row.visit_host != listed
        && !matches!(row.outcome, None | Some(Outcome::Withdrawn))
}

fn redirect_of(row: &LogRow) -> Option<Redirect> {
    if row.outcome != Some(Outcome::Redirect) {
        return None;
    }
    let text = row.redirect.clone().unwrap_or_default();
    let url = url::Url::parse(&text).map_or(Redirect::Nowhere(text), Redirect::To);
    Some(url)
}

fn closed() -> VisitOutcome {
    VisitOutcome::Closed(Closed::Redirects.word().to_owned())
}
