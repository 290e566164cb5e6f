//! The frontier: draws sites with hosts due from the store, page by page, in id order, and keeps at
//! most N of them in flight. Its memory does not depend on how many hosts wait.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;

use super::CrawlError;
use super::round::Round;
use super::walk::{Walked, walk};
use crate::store::{DueSite, SiteId};

/// Sites read from the store at once.
const PAGE: usize = 256;
/// Sites with a held host that are remembered, to go on as soon as it is released.
const PARKED: usize = 4_096;

/// Why the frontier has nothing more to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drained {
    /// Everything due was done, as far as holds and waits allow, or the window ended.
    Complete,
    /// The run was stopped.
    Stopped,
}

/// Walks every site due, pass after pass, until a pass finds nothing to do.
pub(crate) async fn walk_all(round: &Arc<Round>, in_flight: usize) -> Result<Drained, CrawlError> {
    loop {
        let visits = one_pass(round, in_flight).await?;
        if round.gate.is_stopping() {
            return Ok(Drained::Stopped);
        }
        if visits == 0 || round.clock.now() >= round.window_ends {
            return Ok(Drained::Complete);
        }
    }
}

/// One pass over all sites due; answers how many visits were begun or ended.
async fn one_pass(round: &Arc<Round>, in_flight: usize) -> Result<u64, CrawlError> {
    let mut pass = Pass {
        round,
        room: Arc::new(Semaphore::new(in_flight.max(1))),
        walks: JoinSet::new(),
        parked: Parked::default(),
        visits: 0,
    };
    let mut after: Option<SiteId> = None;
    while may_draw(round) {
        let (run, now) = (round.run.id, round.clock.now());
        let sites = round
            .read(move |reader| reader.due_sites(run, after, now, PAGE))
            .await?;
        let Some(last) = sites.last() else { break };
        after = Some(last.id);
        for site in sites {
            let Some(place) = wait_for_room(round, &pass.room).await else {
                break;
            };
            pass.collect_ended()?;
            if is_told_to_wait(round, &site).await? {
                continue;
            }
            pass.begin(site, place);
            pass.go_on_with_released();
        }
    }
    pass.finish().await
}

/// A pass under way.
struct Pass<'a> {
    round: &'a Arc<Round>,
    room: Arc<Semaphore>,
    walks: JoinSet<Result<Walked, CrawlError>>,
    parked: Parked,
    visits: u64,
}

impl Pass<'_> {
    fn begin(&mut self, site: DueSite, place: OwnedSemaphorePermit) {
        let round = Arc::clone(self.round);
        self.walks.spawn(async move {
            let walked = walk(round, site).await;
            drop(place);
            walked
        });
    }

    fn collect_ended(&mut self) -> Result<(), CrawlError> {
        while let Some(ended) = self.walks.try_join_next() {
            self.ended(ended)?;
        }
        Ok(())
    }

    fn ended(
        &mut self,
        ended: Result<Result<Walked, CrawlError>, tokio::task::JoinError>,
    ) -> Result<(), CrawlError> {
        let walked = ended.map_err(|fault| CrawlError::Fault(fault.to_string()))??;
        self.visits += walked.visits;
        if let Some((site, holds)) = walked.held {
            self.parked.park(site, holds);
        }
        Ok(())
    }

    /// Sites whose hosts may have been released are walked again, as far as there is room.
    fn go_on_with_released(&mut self) {
        self.parked.look(self.round.gate.holds_set());
        while may_draw(self.round) && !self.parked.released.is_empty() {
            let Ok(place) = Arc::clone(&self.room).try_acquire_owned() else {
                return;
            };
            if let Some(site) = self.parked.released.pop() {
                self.begin(site, place);
            }
        }
    }

    /// Waits for every walk; what is released meanwhile goes on.
    async fn finish(mut self) -> Result<u64, CrawlError> {
        let mut changes = self.round.gate.changes();
        let mut listening = true;
        loop {
            changes.borrow_and_update();
            self.go_on_with_released();
            tokio::select! {
                ended = self.walks.join_next() => match ended {
                    Some(ended) => self.ended(ended)?,
                    None => return Ok(self.visits),
                },
                changed = changes.changed(), if listening => listening = changed.is_ok(),
            }
        }
    }
}

/// Sites set aside because a host of theirs is held, until the holds change.
#[derive(Default)]
struct Parked {
    /// Each with the number of the holds it was walked under.
    waiting: Vec<(DueSite, u64)>,
    released: Vec<DueSite>,
}

impl Parked {
    /// Sets a site aside; with more than a few it is left to the next pass.
    fn park(&mut self, site: DueSite, holds: u64) {
        if self.waiting.len() < PARKED {
            self.waiting.push((site, holds));
        }
    }

    /// Under other holds than those it was walked under a site may have been released.
    fn look(&mut self, holds: u64) {
        let others = self.waiting.extract_if(.., |(_, seen)| *seen != holds);
        self.released.extend(others.map(|(site, _)| site));
    }
}

/// A place in flight; none once nothing new may be drawn.
async fn wait_for_room(round: &Arc<Round>, room: &Arc<Semaphore>) -> Option<OwnedSemaphorePermit> {
    let mut changes = round.gate.changes();
    loop {
        changes.borrow_and_update();
        if !may_draw(round) {
            return None;
        }
        tokio::select! {
            place = Arc::clone(room).acquire_owned(), if !round.gate.is_paused() => return place.ok(),
            changed = changes.changed() => changed.ok()?,
        }
    }
}

fn may_draw(round: &Round) -> bool {
    !round.gate.is_stopping() && round.clock.now() < round.window_ends // AS9
}

/// A wait still stands (PC4). A site that was limited in this run is walked all the same, so that
/// its other hosts are ended without asking; one that waits since an earlier run stays due.
async fn is_told_to_wait(round: &Arc<Round>, site: &DueSite) -> Result<bool, CrawlError> {
    match &site.wait {
        Some(wait) if wait.until > round.clock.now() => {
            let (id, run) = (site.id, round.run.id);
            let rows = round
                .read(move |reader| reader.site_requests(id, run))
                .await?;
            Ok(!round.is_limited_by(&rows))
        }
        _ => Ok(false),
    }
}
