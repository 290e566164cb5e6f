//! A visit: one host's turn in a run, as a small state machine. Pure: it never asks, waits or stores.
//!
//! It knows what has been seen so far and answers what comes next; the walk does it and tells the
//! result back. A resumed visit folds the stored log through the same functions.

mod judge;
mod resume;
mod robots;
#[cfg(test)]
mod tests;

pub(crate) use judge::{detail_of, is_limit, judge_location, robots_answer, span_state};
pub(crate) use resume::resume;
pub(crate) use robots::{Hop, InForce, NextHop, ROBOTS_PATH, host_of, next_hop, url_of};

use jiff::Timestamp;

use super::plan::Plan;
use crate::fetch::Outcome;
use crate::hosts::Host;
use crate::policy::{Ends, Policy};
use crate::robots::{Access, Verdict};
use crate::store::{HostId, Leave, RobotsId, SpanState, VisitOutcome};
use crate::validate::catch_all;

/// A host with its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) id: HostId,
    pub(crate) host: Host,
}

/// Where the reading of robots.txt stands.
pub(crate) enum Robots {
    /// To be asked, here. // RB1
    Ask(Hop),
    /// In force.
    InForce(InForce),
}

/// What comes next.
pub(crate) enum Next {
    /// robots.txt, or a hop of it.
    Robots(Hop),
    /// A location that may be asked, and why.
    Location { index: usize, leave: Leave },
    /// The two robots readers differ on this location; it was denied. Ask again what is next.
    ReadersDisagree { index: usize },
    /// The visit is over.
    End(VisitOutcome),
}

/// One visit so far.
pub(crate) struct Visit {
    /// Host whose turn it is.
    pub(crate) listed: Known,
    /// Host being asked; another one after the visit moved.
    pub(crate) asked: Known,
    /// Turn in this run, from 1.
    pub(crate) turn: u32,
    /// robots.txt.
    pub(crate) robots: Robots,
    /// State of robots.txt itself, for the record.
    pub(crate) robots_state: SpanState,
    /// State of each location of the plan; none while not considered.
    pub(crate) states: Vec<Option<SpanState>>,
    /// Paths denied, with the file and line that denied them.
    pub(crate) denied: Vec<(String, RobotsId, u32)>,
    /// Digests of bodies seen in this visit, by location, for the catch-all mark.
    pub(crate) bodies: Vec<Option<[u8; 32]>>,
    spent: u32,
    attempts: Vec<(HostId, String, u32)>,
    blocks_in_a_row: u32,
    ended: Option<VisitOutcome>,
}

impl Visit {
    /// A visit that has not begun.
    pub(crate) fn new(listed: Known, turn: u32, locations: usize) -> Visit {
        Visit {
            asked: listed.clone(),
            robots: Robots::Ask(Hop::first(&listed.host)),
            listed,
            turn,
            robots_state: SpanState::NotAsked,
            states: vec![None; locations],
            denied: Vec::new(),
            bodies: vec![None; locations],
            spent: 0,
            attempts: Vec::new(),
            blocks_in_a_row: 0,
            ended: None,
        }
    }

    /// What comes next at `now`.
    pub(crate) fn next(&mut self, policy: &Policy, plan: &dyn Plan, now: Timestamp) -> Next {
        if let Some(outcome) = &self.ended {
            return Next::End(outcome.clone());
        }
        let expired = matches!(&self.robots, Robots::InForce(rules) if now >= rules.valid_until);
        if expired {
            self.robots = Robots::Ask(Hop::first(&self.asked.host)); // RB9
        }
        match &self.robots {
            Robots::Ask(_) if self.spent >= policy.plan.budget => {
                Next::End(VisitOutcome::BudgetSpent)
            }
            Robots::Ask(hop) => Next::Robots(hop.clone()),
            Robots::InForce(rules) => match rules.access {
                Access::Closed(why) => Next::End(VisitOutcome::Closed(why.word().to_owned())),
                Access::Rules | Access::Open => self.next_location(policy, plan),
            },
        }
    }

    /// The next location that may be asked; denied ones on the way are noted and passed over. // RB2 RB3
    fn next_location(&mut self, policy: &Policy, plan: &dyn Plan) -> Next {
        while let Some(index) = plan.next(&self.states) {
            let path = &plan.locations()[index].path;
            let Robots::InForce(rules) = &self.robots else {
                break;
            };
            let (leave, verdict) = rules.leave(path);
            let Some(leave) = leave else {
                let line = verdict
                    .as_ref()
                    .and_then(|verdict| verdict.line)
                    .unwrap_or(0);
                self.denied.push((path.clone(), rules.id, line));
                self.states[index] = Some(SpanState::Denied);
                if verdict.is_some_and(|verdict| disagrees(&verdict)) {
                    return Next::ReadersDisagree { index };
                }
                continue;
            };
            if self.spent >= policy.plan.budget {
                return Next::End(VisitOutcome::BudgetSpent); // AS2
            }
            return Next::Location { index, leave };
        }
        Next::End(VisitOutcome::Done)
    }

    /// A request left: it counts towards the budget, whatever comes back. // AS2
    pub(crate) fn spend(&mut self) {
        self.spent += 1;
    }

    /// Requests counted so far.
    pub(crate) fn spent(&self) -> u32 {
        self.spent
    }

    /// Number of the next attempt at a (host, location) of this period, and notes it.
    pub(crate) fn attempt(&mut self, host: HostId, target: &str) -> u32 {
        match self
            .attempts
            .iter_mut()
            .find(|(id, path, _)| *id == host && path == target)
        {
            Some((_, _, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.attempts.push((host, target.to_owned(), 1));
                1
            }
        }
    }

    /// robots.txt was decided: what is in force from now on, and whether the visit moved.
    pub(crate) fn robots_decided(
        &mut self,
        policy: &Policy,
        rules: InForce,
        outcome: Option<Outcome>,
        status: Option<u16>,
        state: SpanState,
        moved: Option<Known>,
    ) {
        if let Some(host) = moved {
            self.asked = host;
        }
        self.robots_state = state;
        self.robots = Robots::InForce(rules);
        match outcome {
            Some(outcome)
                if is_limit(outcome, status) && policy.retries.limited_ends == Ends::Site =>
            {
                self.end(VisitOutcome::Limited); // PC4
            }
            Some(Outcome::Challenge) => self.end(VisitOutcome::Challenge), // PC7
            _ => {}
        }
    }

    /// The visit ends here for this reason, whatever is left.
    pub(crate) fn end(&mut self, outcome: VisitOutcome) {
        self.ended.get_or_insert(outcome);
    }

    /// A location was answered (or interrupted): its state, and what that ends.
    pub(crate) fn location_answered(
        &mut self,
        policy: &Policy,
        index: usize,
        outcome: Option<Outcome>,
        status: Option<u16>,
        state: SpanState,
    ) {
        self.states[index] = Some(state);
        self.note_catch_all(policy);
        self.blocks_in_a_row = if outcome == Some(Outcome::Blocked) {
            self.blocks_in_a_row + 1
        } else {
            0
        };
        match outcome {
            Some(outcome)
                if is_limit(outcome, status) && policy.retries.limited_ends != Ends::Nothing =>
            {
                self.end(VisitOutcome::Limited); // PC4
            }
            Some(Outcome::Challenge) => self.end(VisitOutcome::Challenge), // PC7
            Some(Outcome::Blocked) if self.blocks_in_a_row >= policy.retries.blocks_in_a_row => {
                self.end(VisitOutcome::Blocked); // PC5
            }
            _ => {}
        }
    }

    /// One body at locations of different kinds is no file at any of them; what was kept as one before the
    /// second one came the store has taken back. // T11
    fn note_catch_all(&mut self, policy: &Policy) {
        let bodies = self.bodies.iter().enumerate();
        let answers: Vec<_> = bodies
            .filter_map(|(index, body)| Some((index, policy.plan.locations.get(index)?, (*body)?)))
            .collect();
        let kinds: Vec<_> = answers
            .iter()
            .map(|(_, location, body)| (location.path.as_str(), location.expect, *body))
            .collect();
        for found in catch_all(&kinds) {
            self.states[answers[found].0] = Some(SpanState::SoftAbsent);
        }
    }

    /// State of robots.txt and of every location, for the record of the visit.
    pub(crate) fn location_states(&self) -> Vec<SpanState> {
        std::iter::once(self.robots_state)
            .chain(
                self.states
                    .iter()
                    .map(|state| state.unwrap_or(SpanState::NotAsked)),
            )
            .collect()
    }
}

fn disagrees(verdict: &Verdict) -> bool {
    use crate::robots::SecondOpinion;
    matches!(
        verdict.second_opinion,
        SecondOpinion::Differs | SecondOpinion::Failed(_)
    )
}
