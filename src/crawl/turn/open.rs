//! A turn begun, or taken up where an earlier process left it.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use jiff::Timestamp;

use super::Turn;
use super::earlier::is_told_to_another;
use super::tell::lamp;
use crate::crawl::CrawlError;
use crate::crawl::ask::SiteInWalk;
use crate::crawl::plan::Plan;
use crate::crawl::round::Round;
use crate::crawl::visit::{InForce, Known, Robots, Visit, resume};
use crate::fetch::Validators;
use crate::robots::{Access, RobotsFile};
use crate::store::{
    Change, HostId, LogRow, ProcessId, Reader, RobotsFetch, RobotsSession, StoreError, VisitOutcome,
};

impl<'walk> Turn<'walk> {
    /// Opens the turn of a host.
    pub(crate) async fn open(
        round: Arc<Round>,
        site: &'walk mut SiteInWalk,
        listed: Known,
        turn: u32,
    ) -> Result<Turn<'walk>, CrawlError> {
        let (id, host) = (site.id, listed.id);
        let worker = Arc::clone(&round);
        let opened = round.read(move |reader| {
            let rows = reader.site_requests(id, worker.run.id)?;
            let visit = visit_so_far(&worker, reader, listed, turn, &rows)?;
            let held: HashMap<String, Validators> =
                reader.validators(visit.asked.id)?.into_iter().collect();
            let asked_by_others = rows
                .iter()
                .any(|row| is_told_to_another(row, host) && row.host == host);
            Ok((visit, held, asked_by_others))
        });
        let (visit, held, asked_by_others) = opened.await?;
        let lamps = visit
            .location_states()
            .into_iter()
            .map(|state| lamp(state, Change::None))
            .collect();
        let client = round.web.client();
        let mut turn = Turn {
            round,
            site,
            connected_to: visit.asked.id,
            visit,
            client,
            held,
            lamps,
            limited: None,
            asked_by_others,
        };
        turn.keep_gap();
        Ok(turn)
    }
}

/// Folds the log of this run into the visit; takes a stored robots session that still holds.
fn visit_so_far(
    round: &Round,
    reader: &Reader,
    listed: Known,
    turn: u32,
    rows: &[LogRow],
) -> Result<Visit, StoreError> {
    let failed = Cell::new(None);
    let mut session = |owner: HostId, row: &LogRow| match reader.robots(owner) {
        Ok(stored) => stored
            .filter(|stored| row.ended.is_some_and(|ended| stored.fetch.at >= ended.utc))
            .and_then(|stored| in_force(round, &stored, row.process)),
        Err(error) => {
            failed.set(Some(error));
            None
        }
    };
    let mut confirmed = |row: &LogRow| {
        let found = reader.confirmed(row.host, &row.target);
        found
            .map_err(|error| failed.set(Some(error)))
            .ok()
            .flatten()
    };
    let visit = Visit::new(listed, turn, round.plan.locations().len());
    let mut visit = resume(
        visit,
        &round.policy,
        &round.plan,
        round.rules,
        rows,
        &mut session,
        &mut confirmed,
    );
    if let Some(error) = failed.take() {
        return Err(error);
    }
    // It moved to a host that has ended a turn of its own meanwhile.
    let asked = visit.asked.id;
    if asked != visit.listed.id && reader.visited(round.run.id, asked)? {
        visit.asked = visit.listed.clone();
        visit.end(VisitOutcome::SameAs(asked));
    }
    // RB9: a policy whose robots.txt serves more than one visit may have one in force already.
    let unread = matches!(&visit.robots, Robots::Ask(hop) if hop.redirects == 0);
    if !round.policy.robots.one_visit
        && unread
        && let Some(stored) = reader.robots(visit.asked.id)?
        && is_good(round, &stored.fetch, None)
        && let Some(rules) = in_force(round, &stored, round.process)
    {
        visit.robots = Robots::InForce(rules);
    }
    Ok(visit)
}

/// Whether a stored robots.txt is still good. One that another process fetched in what is the future
/// now was timed by another clock: nobody knows how old it is, and doubt means that it is fetched
/// anew (rule 3). The age of our own is known, whatever the clock does. // RB9
pub(super) fn is_good(round: &Round, fetch: &RobotsFetch, by: Option<ProcessId>) -> bool {
    let now = round.clock.now();
    fetch.valid_until > now && (fetch.at <= now || by == Some(round.process))
}

/// A stored session that process `by` got, as rules in force; none if it cannot be taken up exactly as
/// it was. One that is no longer good has run out.
pub(super) fn in_force(round: &Round, stored: &RobotsSession, by: ProcessId) -> Option<InForce> {
    let valid_until = if is_good(round, &stored.fetch, Some(by)) {
        stored.fetch.valid_until
    } else {
        Timestamp::MIN
    };
    let access = Access::from_word(&stored.fetch.access)?;
    let file = match access {
        Access::Rules => Some(read_rules(round, stored.text.as_deref()?)),
        Access::Open | Access::Closed(_) => None,
    };
    Some(InForce {
        id: stored.id,
        access,
        file,
        valid_until,
    })
}

/// Reads rules for the policy's token.
pub(super) fn read_rules(round: &Round, text: &[u8]) -> RobotsFile {
    let limit = usize::try_from(round.policy.robots.max_bytes).unwrap_or(usize::MAX);
    RobotsFile::read(text, &round.policy.identity.token, limit)
}
