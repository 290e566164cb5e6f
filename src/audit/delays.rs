//! PC3: whose Crawl-delay holds for a request.
//!
//! A file is asked with the delay of the robots.txt it refers to. The first request after it keeps that
//! delay too, on whatever host of the site: between two hosts it is the longer gap that holds. A hop of
//! another host's robots.txt keeps what its own host has declared in this run, however long ago.

use std::collections::HashMap;
use std::rc::Rc;

use super::asked::Asked;
use super::leave::ROBOTS;
use super::session::Session;
use crate::store::{HostId, RobotsId};

/// The declared delays of the site being read.
#[derive(Debug, Default)]
pub(super) struct Delays {
    /// The robots fetch whose delay holds for the next request.
    in_force: Option<RobotsId>,
    /// The session looked up last; none inside if it is not stored.
    session: Option<(RobotsId, Option<Rc<Session>>)>,
    /// What each host declared last in this run, in seconds.
    declared: HashMap<HostId, f64>,
}

impl Delays {
    /// This fetch is in force from now on. `since_ms` is the start of the run, UTC milliseconds: only
    /// what was declared after it is known to every process of the run.
    pub(super) fn put_in_force(
        &mut self,
        id: RobotsId,
        since_ms: i64,
        look_up: impl FnOnce(RobotsId) -> Option<Session>,
    ) {
        self.in_force = Some(id);
        if self.session.as_ref().is_none_or(|(known, _)| *known != id) {
            self.session = Some((id, look_up(id).map(Rc::new)));
        }
        let Some(session) = self.session() else {
            return;
        };
        let counts = session.access == "rules" && session.at.as_millisecond() >= since_ms;
        match session.delay.filter(|_| counts) {
            Some(seconds) => self.declared.insert(session.host, seconds),
            None => self.declared.remove(&session.host),
        };
    }

    /// The delay in force was kept once more: it does not bind the hosts that did not declare it.
    pub(super) fn lift(&mut self) {
        self.in_force = None;
    }

    /// The robots.txt of this host was asked anew: what it declared before holds no longer.
    pub(super) fn forget(&mut self, host: HostId) {
        self.declared.remove(&host);
    }

    /// The session in force, if it is stored.
    pub(super) fn session(&self) -> Option<Rc<Session>> {
        let (known, session) = self.session.as_ref()?;
        session
            .clone()
            .filter(|_| Some(known) == self.in_force.as_ref())
    }

    /// The declared delay that holds for this request, in seconds.
    pub(super) fn of(&self, asked: &Asked<'_>) -> Option<f64> {
        let row = asked.row;
        let in_force = self.session().and_then(|session| session.delay);
        let is_hop = asked.is_robots() && (row.target != ROBOTS || row.host != row.visit_host);
        let own = self.declared.get(&row.host).copied().filter(|_| is_hop);
        match (in_force, own) {
            (Some(in_force), Some(own)) => Some(in_force.max(own)),
            (in_force, own) => in_force.or(own),
        }
    }
}
