//! One host's turn: the visit's steps done one by one, each answer told back to it.

mod earlier;
mod limit;
mod open;
mod robots;
mod tell;

use std::collections::HashMap;
use std::sync::Arc;

use super::ask::{Asked, Question, SiteInWalk, ask};
use super::board::Counted;
use super::gate::Refusal;
use super::plan::Plan;
use super::round::Round;
use super::visit::{Next, ROBOTS_PATH, Robots, Visit, host_of, judge_location, url_of};
use super::{CrawlError, Event, HostState, Lamp, VisitRow};
use crate::fetch::{Client, Limits, Redirect, Validators};
use crate::policy::{Expect, Method};
use crate::robots::{GapReason, gap};
use crate::store::{
    Change, Finished, HostId, Leave, SiteWait, SpanState, Stored, VisitEnd, VisitOutcome,
};
use tell::{Told, lamp};

/// How a turn ended.
pub(crate) enum TurnEnd {
    /// Over for this run; the wait a 429 or 503 asked of the whole site, if any.
    Ended { limited: Option<SiteWait> },
    /// Left where it stands: it goes on when the reason is gone. Whether anything was asked.
    Left { why: Refusal, asked: bool },
}

/// A turn under way.
pub(crate) struct Turn<'walk> {
    pub(super) round: Arc<Round>,
    pub(super) site: &'walk mut SiteInWalk,
    pub(super) visit: Visit,
    /// The one connection of the visit is kept by this, to this host.
    pub(super) client: Client,
    pub(super) connected_to: HostId,
    /// Validators held for the host being asked.
    pub(super) held: HashMap<String, Validators>,
    pub(super) lamps: Vec<Lamp>,
    pub(super) limited: Option<SiteWait>,
    /// Another visit of this run asked robots.txt of the host listed here.
    pub(super) asked_by_others: bool,
}

impl Turn<'_> {
    /// Does the visit's steps until it is over or must be left.
    pub(crate) async fn take(mut self) -> Result<TurnEnd, CrawlError> {
        let end = self.steps().await;
        let held = matches!(
            &end,
            Ok(TurnEnd::Left {
                why: Refusal::Held,
                ..
            })
        );
        if held {
            // It stays in sight, so that the operator can release it.
            self.show(HostState::Held);
        } else {
            self.round.board.gone(self.visit.listed.id);
        }
        end
    }

    async fn steps(&mut self) -> Result<TurnEnd, CrawlError> {
        self.round.board.begin();
        let end = self.steps_in_flight().await;
        self.round
            .board
            .leave(matches!(end, Ok(TurnEnd::Left { .. })));
        end
    }

    async fn steps_in_flight(&mut self) -> Result<TurnEnd, CrawlError> {
        let spent = self.visit.spent();
        loop {
            let now = self.round.clock.now();
            let round = Arc::clone(&self.round);
            let refused = match self.visit.next(&round.policy, &round.plan, now) {
                Next::Robots(hop) => self.read_robots(hop).await?,
                Next::Location { index, leave } => self.ask_location(index, leave).await?,
                Next::ReadersDisagree { index } => {
                    self.tell_disagreement(index);
                    None
                }
                Next::End(outcome) => return self.end(outcome).await,
            };
            match refused {
                None => {}
                Some(Refusal::Suppressed) => return self.end(VisitOutcome::Suppressed).await,
                Some(Refusal::WindowOver) => return self.end(VisitOutcome::WindowOver).await,
                Some(why) => {
                    let asked = self.visit.spent() > spent;
                    return Ok(TurnEnd::Left { why, asked });
                }
            }
        }
    }

    fn show(&self, state: HostState) {
        self.round.board.row(|| VisitRow {
            id: self.visit.listed.id,
            host: self.visit.asked.host.clone(),
            lamps: self.lamps.clone(),
            gap: self.site.pace.gap(),
            state,
        });
    }

    /// Asks one location. Says why nothing left, if so.
    async fn ask_location(
        &mut self,
        index: usize,
        leave: Leave,
    ) -> Result<Option<Refusal>, CrawlError> {
        let location = self.round.plan.locations()[index].clone();
        let url = url_of(
            self.round.web.scheme(),
            &self.visit.asked.host,
            &location.path,
        )
        .map_err(|error| CrawlError::Fault(format!("{}: {error}", location.path)))?;
        let question = Question {
            host: self.visit.asked.clone(),
            target: location.path.clone(),
            url,
            method: Method::Get, // AS1
            leave,
            held: self.held.get(&location.path).cloned(),
            limits: Limits {
                max_bytes: self.round.policy.transfer.max_bytes,
                keep_prefix: false,
            },
            valid_until: match &self.visit.robots {
                Robots::InForce(rules) => Some(rules.valid_until),
                Robots::Ask(_) => None,
            },
        };
        let asked = match self.ask(&question, index + 1).await? {
            Ok(asked) => asked,
            Err(Refusal::Suppressed) if !self.is_host_suppressed() => {
                // OO4: this page alone is never asked; the rest of the host may be.
                self.visit.states[index] = Some(SpanState::NotAsked);
                return Ok(None);
            }
            // What comes next is robots.txt, fetched anew.
            Err(Refusal::Expired) => return Ok(None),
            Err(refusal) => return Ok(Some(refusal)),
        };
        let mut finished = asked.finished(&question, self.round.run.id);
        finished.site_wait = self.site_wait(&asked, &location.path);
        let (redirect, status) = (asked.answer.redirect.clone(), asked.answer.status);
        let judged = judge_location(&location, asked.answer, &self.bodies_so_far());
        let (outcome, body) = (judged.outcome, finished.sha256);
        finished.outcome = outcome;
        finished.observation = judged.observation;
        finished.detail = judged.detail;
        let stored = self.finish(finished, &question).await?;
        let (state, sha256) = match stored.confirmed {
            Some(confirmed) => (confirmed.state, confirmed.sha256),
            None => (judged.state, body),
        };
        self.visit.bodies[index] = sha256;
        self.lamps[index + 1] = lamp(state, stored.change);
        let policy = &self.round.policy;
        self.visit
            .location_answered(policy, index, Some(outcome), status, state);
        for (lamp, state) in self.lamps[1..].iter_mut().zip(&self.visit.states) {
            if *state == Some(SpanState::SoftAbsent) {
                *lamp = Lamp::Absent; // T11: also of an earlier location.
            }
        }
        if let Some(Redirect::To(url)) = redirect {
            self.offer_host(&url).await?;
        }
        Ok(None)
    }

    fn is_host_suppressed(&self) -> bool {
        let robots = self.round.gate.refusal(&self.visit.asked.host, ROBOTS_PATH);
        robots == Some(Refusal::Suppressed)
    }

    /// Bodies of this visit so far, for the catch-all mark.
    fn bodies_so_far(&self) -> Vec<(&str, Expect, [u8; 32])> {
        self.visit
            .bodies
            .iter()
            .zip(self.round.plan.locations())
            .filter_map(|(body, at)| body.map(|sha256| (at.path.as_str(), at.expect, sha256)))
            .collect()
    }

    /// Sends the question through the one way there is; this lamp is lit meanwhile.
    pub(super) async fn ask(
        &mut self,
        question: &Question,
        lamp: usize,
    ) -> Result<Result<Asked, Refusal>, CrawlError> {
        let round = Arc::clone(&self.round);
        if self.connected_to != question.host.id {
            // Another host, another connection: the old one must not stay open. // PC1
            self.client = round.web.client();
            self.connected_to = question.host.id;
        }
        let (so_far, gap) = (self.lamps.clone(), self.site.pace.gap());
        let show = |visit: &Visit, state: HostState| {
            round.board.row(|| {
                let mut lamps = so_far.clone();
                if matches!(state, HostState::Asking { .. }) {
                    lamps[lamp] = Lamp::Asking;
                }
                let host = visit.asked.host.clone();
                VisitRow {
                    id: visit.listed.id,
                    host,
                    lamps,
                    gap,
                    state,
                }
            });
        };
        ask(
            &self.round,
            self.site,
            &mut self.client,
            &mut self.visit,
            &show,
            question,
        )
        .await
    }

    /// Commits the end of a request and tells board and events.
    pub(super) async fn finish(
        &mut self,
        finished: Finished,
        question: &Question,
    ) -> Result<Stored, CrawlError> {
        let told = Told::of(&finished);
        if let Some(wait) = &finished.site_wait {
            self.limited = Some(wait.clone());
            self.round.board.change(|update| update.told_to_wait += 1);
        }
        let counted = Counted::of(&finished, Change::None);
        let stored = self.round.writer.finish(finished).await?;
        self.round.failpoints.hit("commit.after");
        let counted = Counted {
            change: stored.change,
            ..counted
        };
        self.round
            .board
            .request(&counted, || told.line(question, stored.change));
        self.round
            .events
            .send(|| told.event(question, stored.change));
        Ok(stored)
    }

    /// The gap of the host being asked is in force from now on. // PC3
    pub(super) fn keep_gap(&mut self) {
        let Robots::InForce(rules) = &self.visit.robots else {
            return;
        };
        let kept = gap(&self.round.policy.pace, rules.delay());
        self.site.gap_why = gap_why(&kept.reason);
        self.site.pace.in_force(kept);
    }

    /// A redirect to an unlisted host of the same site is offered to the operator as a new host.
    async fn offer_host(&mut self, url: &url::Url) -> Result<(), CrawlError> {
        let Ok(host) = host_of(url, self.round.rules) else {
            return Ok(());
        };
        if host != self.visit.asked.host && host.site() == self.visit.asked.host.site() {
            let (from, at) = (self.visit.asked.id, self.round.clock.now());
            self.round.writer.discover(host, from, at).await?;
        }
        Ok(())
    }

    /// Records the end of the visit; for a moved one first that of the host it moved to.
    async fn end(&mut self, outcome: VisitOutcome) -> Result<TurnEnd, CrawlError> {
        let at = self.round.clock.now();
        let not_before = self.limited.as_ref().map(|wait| wait.until);
        let due = self.round.next_turn(&outcome, at, not_before);
        let asked = self.visit.asked.clone();
        let moved = asked.id != self.visit.listed.id;
        let end = VisitEnd {
            run: self.round.run.id,
            host: asked.id,
            turn: self.visit.turn,
            outcome: outcome.clone(),
            at,
            locations: self.visit.location_states(),
            due,
            alias: match outcome {
                VisitOutcome::SameAs(other) => Some(other),
                _ => None,
            },
            denied: std::mem::take(&mut self.visit.denied),
        };
        let locations = end.locations.len();
        self.round.end_visit(&asked.host, end).await?;
        if moved {
            let listed = self.visit.listed.clone();
            let end = VisitEnd {
                run: self.round.run.id,
                host: listed.id,
                turn: self.visit.turn,
                outcome: VisitOutcome::Moved(asked.id),
                at,
                locations: vec![SpanState::NotAsked; locations],
                due,
                alias: Some(asked.id),
                denied: Vec::new(),
            };
            self.round.end_visit(&listed.host, end).await?;
        }
        Ok(TurnEnd::Ended {
            limited: self.limited.take(),
        })
    }

    fn tell_disagreement(&self, index: usize) {
        let path = self.round.plan.locations()[index].path.clone();
        let host = self.visit.asked.host.to_string();
        self.round.board.change(|update| {
            update.notice = Some(format!(
                "robots readers disagree on {host}{path}; not asked"
            ));
        });
        self.round
            .events
            .send(|| Event::ReadersDisagree { host, path });
    }
}

/// A gap in one sentence.
fn gap_why(reason: &GapReason) -> String {
    match reason {
        GapReason::Minimum => "minimum gap, no Crawl-delay declared".to_owned(),
        GapReason::Declared(delay) => {
            format!(
                "Crawl-delay {}, robots.txt line {}",
                delay.seconds, delay.line
            )
        }
        GapReason::Clamped(delay) => format!(
            "Crawl-delay {} brought into the policy's bounds, robots.txt line {}",
            delay.seconds, delay.line
        ),
    }
}
