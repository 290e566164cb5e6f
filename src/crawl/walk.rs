//! The walk of one site: its hosts one after another, one request at a time (PC1).

use std::sync::Arc;
use std::time::Duration;

use super::CrawlError;
use super::ask::SiteInWalk;
use super::gate::Refusal;
use super::pace::SitePace;
use super::plan::Plan;
use super::round::Round;
use super::turn::{Turn, TurnEnd};
use super::visit::Known;
use crate::fetch::Outcome;
use crate::policy::next_due;
use crate::store::{DueHost, DueSite, HostId, SiteWait, SpanState, VisitEnd, VisitOutcome};

/// Hosts of a site read at once.
const PAGE: usize = 64;

/// What became of a walk.
#[derive(Clone, Debug)]
pub(crate) struct Walked {
    /// Visits begun or ended without asking; zero means that nothing could be done here now.
    pub(crate) visits: u64,
    /// The site, if a host of it was passed over because it is held, and the number of the holds in
    /// force when the walk began.
    pub(crate) held: Option<(DueSite, u64)>,
}

/// Walks the hosts of a site that are due.
pub(crate) async fn walk(round: Arc<Round>, due: DueSite) -> Result<Walked, CrawlError> {
    let seen = (due.clone(), round.gate.holds_set());
    let mut walk = Walk::open(round, due).await?;
    walk.all().await?;
    Ok(Walked {
        visits: walk.visits,
        held: walk.held.then_some(seen),
    })
}

struct Walk {
    round: Arc<Round>,
    site: SiteInWalk,
    /// Set once a host of the site answered 429 or 503 in this run. // PC4
    limited: Option<SiteWait>,
    visits: u64,
    /// A host was passed over because it is held.
    held: bool,
}

impl Walk {
    async fn open(round: Arc<Round>, due: DueSite) -> Result<Walk, CrawlError> {
        let (id, run) = (due.id, round.run.id);
        // A site never asked has no rows of this run to look at.
        let (earlier, rows) = round
            .read(move |reader| match reader.site_gap(id)? {
                None => Ok((None, Vec::new())),
                gap => Ok((gap, reader.site_requests(id, run)?)),
            })
            .await?;
        let earlier =
            earlier.map(|gap| Duration::from_millis(u64::try_from(gap).unwrap_or_default()));
        let pace = SitePace::open(&round.policy.pace, earlier, round.last_heard(&rows));
        let asked = rows
            .iter()
            .any(|row| row.outcome != Some(Outcome::Withdrawn));
        let limited = due.wait.filter(|_| round.is_limited_by(&rows));
        let gap_why = "minimum gap, robots.txt not read yet".to_owned();
        Ok(Walk {
            site: SiteInWalk {
                id,
                pace,
                asked,
                gap_why,
            },
            limited,
            round,
            visits: 0,
            held: false,
        })
    }

    /// The hosts one after another, as long as the walk may go on.
    async fn all(&mut self) -> Result<(), CrawlError> {
        let mut after = None;
        loop {
            let hosts = self.due_hosts(after).await?;
            let is_last = hosts.len() < PAGE;
            for (place, due) in hosts.into_iter().enumerate() {
                after = Some(due.id);
                // Only a host read some time ago may have been taken by a moved visit meanwhile.
                let moved_on = place > 0 && self.is_visited(&due).await?;
                if !moved_on && self.host(due).await?.is_break() {
                    return Ok(());
                }
            }
            if is_last {
                return Ok(());
            }
        }
    }

    async fn due_hosts(&self, after: Option<HostId>) -> Result<Vec<DueHost>, CrawlError> {
        let (run, site, now) = (self.round.run.id, self.site.id, self.round.clock.now());
        self.round
            .read(move |reader| reader.due_hosts(run, site, after, now, PAGE))
            .await
    }

    async fn is_visited(&self, due: &DueHost) -> Result<bool, CrawlError> {
        let (run, id) = (self.round.run.id, due.id);
        let visited = self
            .round
            .read(move |reader| reader.visited(run, id))
            .await?;
        Ok(visited && due.turn == 1)
    }

    /// One host's turn. Breaks when the walk must not go on.
    async fn host(&mut self, due: DueHost) -> Result<std::ops::ControlFlow<()>, CrawlError> {
        use std::ops::ControlFlow::{Break, Continue};
        let known = Known {
            id: due.id,
            host: due.host,
        };
        if self.round.clock.now() >= self.round.window_ends {
            return Ok(Break(()));
        }
        match self.round.gate.refusal(&known.host, "/robots.txt") {
            Some(Refusal::Suppressed) => {
                self.pass_over(&known, due.turn, VisitOutcome::Suppressed)
                    .await?; // OO4
                return Ok(Continue(()));
            }
            Some(Refusal::Held) => {
                self.held = true;
                return Ok(Continue(()));
            }
            Some(Refusal::Stopping) => return Ok(Break(())),
            _ => {}
        }
        if self.limited.is_some() {
            self.pass_over(&known, due.turn, VisitOutcome::SiteLimited)
                .await?; // PC4
            return Ok(Continue(()));
        }
        self.visits += 1;
        let turn = Turn::open(Arc::clone(&self.round), &mut self.site, known, due.turn).await?;
        match turn.take().await? {
            TurnEnd::Ended { limited } => {
                self.limited = self.limited.take().or(limited);
                Ok(Continue(()))
            }
            TurnEnd::Left {
                why: Refusal::Held,
                asked,
            } => {
                // The host it moved to is held: a turn that could do nothing asks for no other pass.
                self.visits -= u64::from(!asked);
                self.held = true;
                Ok(Continue(()))
            }
            TurnEnd::Left { .. } => Ok(Break(())),
        }
    }

    /// Ends a host's turn without asking it anything.
    async fn pass_over(
        &mut self,
        known: &Known,
        turn: u32,
        outcome: VisitOutcome,
    ) -> Result<(), CrawlError> {
        self.visits += 1;
        let at = self.round.clock.now();
        let not_before = self.limited.as_ref().map(|wait| wait.until);
        let end = VisitEnd {
            run: self.round.run.id,
            host: known.id,
            turn,
            outcome,
            at,
            locations: vec![SpanState::NotAsked; self.round.plan.locations().len() + 1],
            due: next_due(&self.round.policy.schedule, at, not_before),
            alias: None,
            denied: Vec::new(),
        };
        self.round.end_visit(&known.host, end).await
    }
}
