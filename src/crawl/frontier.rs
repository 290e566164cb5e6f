//! The frontier: draws sites with hosts due from the store, page by page, in id order, and keeps at
//! most N of them in flight. Its memory does not depend on how many hosts wait.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use super::CrawlError;
use super::round::Round;
use super::walk::{Walked, walk};
use crate::store::{DueSite, SiteId};

/// Sites read from the store at once.
const PAGE: usize = 256;

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
    let room = Arc::new(Semaphore::new(in_flight.max(1)));
    let mut walks: JoinSet<Result<Walked, CrawlError>> = JoinSet::new();
    let mut after: Option<SiteId> = None;
    let mut visits = 0;
    while may_draw(round) {
        let (run, now) = (round.run.id, round.clock.now());
        let sites = round
            .read(move |reader| reader.due_sites(run, after, now, PAGE))
            .await?;
        let Some(last) = sites.last() else { break };
        after = Some(last.id);
        for site in sites {
            let Some(place) = wait_for_room(round, &room).await else {
                break;
            };
            visits += collect_ended(&mut walks)?;
            if is_told_to_wait(round, &site).await? {
                continue;
            }
            let round = Arc::clone(round);
            walks.spawn(async move {
                let walked = walk(round, site).await;
                drop(place);
                walked
            });
        }
    }
    while let Some(ended) = walks.join_next().await {
        visits += walked(ended)?;
    }
    Ok(visits)
}

/// A place in flight; none once nothing new may be drawn.
async fn wait_for_room(
    round: &Arc<Round>,
    room: &Arc<Semaphore>,
) -> Option<tokio::sync::OwnedSemaphorePermit> {
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

fn collect_ended(walks: &mut JoinSet<Result<Walked, CrawlError>>) -> Result<u64, CrawlError> {
    let mut visits = 0;
    while let Some(ended) = walks.try_join_next() {
        visits += walked(ended)?;
    }
    Ok(visits)
}

fn walked(
    ended: Result<Result<Walked, CrawlError>, tokio::task::JoinError>,
) -> Result<u64, CrawlError> {
    match ended {
        Ok(walked) => walked.map(|walked| walked.visits),
        Err(fault) => Err(CrawlError::Fault(fault.to_string())),
    }
}
