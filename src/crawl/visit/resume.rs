//! A visit taken up again: the stored log folded through the same functions as the live answers.
//!
//! A row without an outcome was interrupted: its location is not asked again in this period, except
//! robots.txt, which is (rule 1).

use super::judge::span_state;
use super::robots::{Hop, InForce, NextHop, next_hop};
use super::{Known, Plan, Robots, Visit};
use crate::fetch::{Outcome, Redirect};
use crate::hosts::NameRules;
use crate::policy::Policy;
use crate::store::{Confirmed, HostId, Leave, LogRow, SpanState};

/// Folds the rows of this site and run into a visit. `session` gives the stored robots session of a
/// host as rules in force, with the state robots.txt had; `confirmed` what a 304 stood for.
pub(crate) fn resume(
    mut visit: Visit,
    policy: &Policy,
    plan: &dyn Plan,
    rules: NameRules,
    rows: &[LogRow],
    session: &mut dyn FnMut(HostId, &LogRow) -> Option<InForce>,
    confirmed: &mut dyn FnMut(&LogRow) -> Option<Confirmed>,
) -> Visit {
    for row in rows {
        // Whoever's visit it was: attempts are counted by host and location.
        let attempt = visit.attempt(row.host, &row.target);
        debug_assert!(attempt >= 1);
        let mine = row.visit_host == visit.listed.id && row.turn == visit.turn;
        let same_host = row.host == visit.asked.id && row.leave != Leave::Robots;
        if !mine && !same_host {
            continue;
        }
        if mine && row.outcome != Some(Outcome::Withdrawn) {
            visit.spend();
        }
        if row.leave == Leave::Robots {
            fold_robots(&mut visit, policy, rules, rows, row, session);
        } else if let Some(index) = plan
            .locations()
            .iter()
            .position(|location| location.path == row.target)
        {
            fold_location(&mut visit, policy, index, row, confirmed);
        }
    }
    visit
}

fn fold_location(
    visit: &mut Visit,
    policy: &Policy,
    index: usize,
    row: &LogRow,
    confirmed: &mut dyn FnMut(&LogRow) -> Option<Confirmed>,
) {
    match row.outcome {
        Some(Outcome::Withdrawn) => {}
        None => visit.location_answered(policy, index, None, None, SpanState::Interrupted),
        Some(outcome) => {
            let held = (outcome == Outcome::NotModified).then(|| confirmed(row));
            let (state, sha256) = match held.flatten() {
                Some(held) => (held.state, held.sha256),
                None => (span_state(outcome), row.sha256),
            };
            visit.bodies[index] = sha256;
            visit.location_answered(policy, index, Some(outcome), row.status, state);
        }
    }
}

fn fold_robots(
    visit: &mut Visit,
    policy: &Policy,
    rules: NameRules,
    rows: &[LogRow],
    row: &LogRow,
    session: &mut dyn FnMut(HostId, &LogRow) -> Option<InForce>,
) {
    let hop = match &visit.robots {
        Robots::Ask(hop) if hop.host == row.host_name && hop.path == row.target => hop.clone(),
        _ => Hop::first(&row.host_name),
    };
    match row.outcome {
        // Interrupted or never sent: asked again from this hop.
        None | Some(Outcome::Withdrawn) => visit.robots = Robots::Ask(hop),
        Some(Outcome::Redirect) => {
            let target = row
                .redirect
                .as_deref()
                .and_then(|text| url::Url::parse(text).ok());
            if let Some(url) = target
                && let NextHop::Follow(next) = next_hop(policy, rules, &hop, &Redirect::To(url))
            {
                visit.robots = Robots::Ask(next);
            } else {
                decide(visit, policy, rows, row, &hop, session);
            }
        }
        Some(_) => decide(visit, policy, rows, row, &hop, session),
    }
}

fn decide(
    visit: &mut Visit,
    policy: &Policy,
    rows: &[LogRow],
    row: &LogRow,
    hop: &Hop,
    session: &mut dyn FnMut(HostId, &LogRow) -> Option<InForce>,
) {
    // The host that the answer speaks for was asked by name earlier in the chain, or it is this one.
    let owner = [&visit.listed, &visit.asked]
        .into_iter()
        .find(|known| known.host == hop.speaks_for)
        .cloned()
        .or_else(|| {
            let asked = rows.iter().find(|row| row.host_name == hop.speaks_for)?;
            Some(Known {
                id: asked.host,
                host: asked.host_name.clone(),
            })
        });
    let in_force = owner
        .as_ref()
        .and_then(|owner| Some((owner, session(owner.id, row)?)));
    let Some((owner, in_force)) = in_force else {
        visit.robots = Robots::Ask(Hop::first(&visit.listed.host));
        return;
    };
    let moved = (owner.id != visit.asked.id).then(|| owner.clone());
    let state = row.outcome.map_or(SpanState::Interrupted, span_state);
    visit.robots_decided(policy, in_force, row.outcome, row.status, state, moved);
}
