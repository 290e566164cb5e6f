//! robots.txt of a turn: one hop asked, judged and put in force (RB1 to RB11).

use std::collections::HashMap;
use std::sync::Arc;

use super::open::read_rules;
use super::tell::lamp;
use super::{Turn, gap_why};
use crate::crawl::CrawlError;
use crate::crawl::ask::{Asked, Question};
use crate::crawl::gate::Refusal;
use crate::crawl::visit::{
    Hop, InForce, Known, NextHop, ROBOTS_PATH, Robots, detail_of, next_hop, robots_answer,
    span_state, url_of,
};
use crate::fetch::{Answer, Limits, Outcome, Validators};
use crate::hosts::Host;
use crate::policy::{Method, TooLarge};
use crate::robots::{self, Access, Closed, Decision, Delay, RobotsFile, gap};
use crate::store::{
    Change, HostId, Leave, Observation, RobotsFetch, RobotsSession, SpanState, VisitOutcome,
};

/// Over this many bytes a robots.txt is read off the async threads.
const READ_ELSEWHERE: usize = 64 * 1024;

/// An answer judged: what it means, and the text in force if rules are followed.
struct Read {
    decision: Decision,
    file: Option<RobotsFile>,
    sha256: Option<[u8; 32]>,
    observation: Observation,
    why: Option<String>,
}

impl Turn<'_> {
    /// Asks one hop of robots.txt. Says why nothing left, if so.
    pub(super) async fn read_robots(&mut self, hop: Hop) -> Result<Option<Refusal>, CrawlError> {
        let host = self.known(&hop.host).await?;
        let moves = hop.is_proper() && host.id != self.visit.listed.id;
        if moves && self.visit.asked.id != host.id && self.had_its_turn(&host).await? {
            self.visit.end(VisitOutcome::SameAs(host.id));
            return Ok(None);
        }
        if let Some(row) = self.told_another(&hop, &host).await?
            && self.go_on_from(row, &hop).await?
        {
            return Ok(None);
        }
        let id = host.id;
        let session = self.round.read(move |reader| reader.robots(id)).await?;
        self.keep_declared(session.as_ref());
        let session = session.filter(|session| session.text.is_some() && hop.is_proper());
        let question = self.robots_question(&hop, &host, session.is_some()).await?;
        let asked = match self.ask(&question, 0).await? {
            Ok(asked) => asked,
            Err(refusal) if [self.visit.listed.id, self.visit.asked.id].contains(&host.id) => {
                return Ok(Some(refusal));
            }
            Err(Refusal::Suppressed) => {
                // A redirect may not lead where we must never ask: nothing is known, so closed.
                self.visit
                    .end(VisitOutcome::Closed(Closed::Redirects.word().to_owned()));
                return Ok(None);
            }
            Err(refusal) => return Ok(Some(refusal)),
        };
        if let Some(redirect) = &asked.answer.redirect {
            match next_hop(&self.round.policy, self.round.rules, &hop, redirect) {
                NextHop::Follow(next) => return self.follow(asked, &question, next).await,
                NextHop::Closed(why) => {
                    let decision = self.decide(&robots::Answer::Redirects);
                    let state = Observation::State(SpanState::Redirect);
                    let read = Read {
                        decision,
                        file: None,
                        sha256: None,
                        observation: state,
                        why: Some(why),
                    };
                    return self.in_force(asked, &question, hop, read).await;
                }
            }
        }
        let read = self.judge(&asked.answer, session).await?;
        self.in_force(asked, &question, hop, read).await
    }

    /// The delay that a host declared last holds for its robots.txt and for hops to it too. The first
    /// request of a run to the site is apart: it comes days after the last one. // PC3
    fn keep_declared(&mut self, session: Option<&RobotsSession>) {
        let delay = session.and_then(|session| session.fetch.delay);
        let Some((seconds, line)) = delay.filter(|_| self.site.asked) else {
            return;
        };
        let declared = Some(Delay { seconds, line });
        let kept = gap(&self.round.policy.pace, declared);
        let why = gap_why(&kept.reason);
        if self.site.pace.at_least(kept) {
            self.site.gap_why = why;
        }
    }

    /// A host of the chain, with its id.
    pub(super) async fn known(&self, host: &Host) -> Result<Known, CrawlError> {
        for known in [&self.visit.asked, &self.visit.listed] {
            if known.host == *host {
                return Ok(known.clone());
            }
        }
        let (from, at) = (self.visit.listed.id, self.round.clock.now());
        let id = self.round.writer.discover(host.clone(), from, at).await?;
        Ok(Known {
            id,
            host: host.clone(),
        })
    }

    async fn validators_of(&self, host: HostId) -> Result<HashMap<String, Validators>, CrawlError> {
        let held = self
            .round
            .read(move |reader| reader.validators(host))
            .await?;
        Ok(held.into_iter().collect())
    }

    async fn robots_question(
        &mut self,
        hop: &Hop,
        host: &Known,
        copy_held: bool,
    ) -> Result<Question, CrawlError> {
        let url = url_of(self.round.web.scheme(), &hop.host, &hop.path)
            .map_err(|error| CrawlError::Fault(format!("{}: {error}", hop.path)))?;
        let held = if !copy_held {
            None
        } else if host.id == self.visit.asked.id && self.visit.robots_state == SpanState::NotAsked {
            self.held.get(&hop.path).cloned()
        } else {
            self.validators_of(host.id).await?.remove(&hop.path)
        };
        let limits = Limits {
            max_bytes: self.round.policy.robots.max_bytes,
            keep_prefix: self.round.policy.robots.on_too_large == TooLarge::Prefix, // RB8
        };
        Ok(Question {
            host: host.clone(),
            target: hop.path.clone(),
            url,
            method: Method::Get,
            leave: Leave::Robots,
            held,
            limits,
            valid_until: None,
        })
    }

    fn decide(&self, answer: &robots::Answer) -> Decision {
        robots::access(&self.round.policy.robots, answer)
    }

    /// Judges an answer that is no redirect.
    async fn judge(
        &self,
        answer: &Answer,
        session: Option<RobotsSession>,
    ) -> Result<Read, CrawlError> {
        let stored = session.as_ref().and_then(|session| session.text.clone());
        let text = match answer.outcome {
            Outcome::NotModified => stored.clone(),
            _ => Some(
                answer
                    .body
                    .as_ref()
                    .map(|body| body.bytes.clone())
                    .unwrap_or_default(),
            ),
        };
        let file = self.read_text(text.unwrap_or_default()).await?;
        let terms = robots_answer(answer, file.is_not_robots(), stored.is_some());
        let decision = self.decide(&terms);
        let sha256 = match answer.outcome {
            Outcome::NotModified => session.and_then(|session| session.fetch.sha256),
            _ => answer.body.as_ref().map(|body| body.sha256),
        };
        let followed = decision.access == Access::Rules;
        Ok(Read {
            decision,
            file: followed.then_some(file),
            sha256: sha256.filter(|_| followed),
            observation: robots_observation(answer),
            why: detail_of(answer),
        })
    }

    async fn read_text(&self, text: Vec<u8>) -> Result<RobotsFile, CrawlError> {
        if text.len() <= READ_ELSEWHERE {
            return Ok(read_rules(&self.round, &text));
        }
        let round = Arc::clone(&self.round);
        tokio::task::spawn_blocking(move || read_rules(&round, &text))
            .await
            .map_err(|fault| CrawlError::Fault(fault.to_string()))
    }

    /// One more hop.
    async fn follow(
        &mut self,
        asked: Asked,
        question: &Question,
        next: Hop,
    ) -> Result<Option<Refusal>, CrawlError> {
        let mut finished = asked.finished(question, self.round.run.id);
        if question.target == ROBOTS_PATH {
            finished.observation = Observation::State(SpanState::Redirect);
        }
        finished.detail = detail_of(&asked.answer);
        self.finish(finished, question).await?;
        self.visit.robots = Robots::Ask(next);
        Ok(None)
    }

    /// Commits the answer that ends the chain and puts it in force.
    async fn in_force(
        &mut self,
        asked: Asked,
        question: &Question,
        hop: Hop,
        read: Read,
    ) -> Result<Option<Refusal>, CrawlError> {
        let proper = hop.is_proper();
        let owner = self.known(&hop.speaks_for).await?;
        let now = asked.ended.utc;
        let valid_until = now
            .checked_add(read.decision.valid)
            .unwrap_or(jiff::Timestamp::MAX);
        let delay = read.file.as_ref().and_then(RobotsFile::delay);
        let signals = read
            .file
            .as_ref()
            .map(|file| file.signals("/"))
            .unwrap_or_default();
        let mut finished = asked.finished(question, self.round.run.id);
        finished.observation = read.observation;
        finished.detail = read.why;
        finished.site_wait = self.site_wait(&asked, &hop.path);
        finished.robots = Some(RobotsFetch {
            host: owner.id,
            at: now,
            status: asked.answer.status,
            access: read.decision.access.word(),
            redirects: hop.redirects,
            url: question.url.to_string(),
            sha256: read.sha256,
            valid_until,
            delay: delay.map(|delay| (delay.seconds, delay.line)),
            signals: serde_json::to_string(&signals).unwrap_or_default(),
        });
        if !proper {
            // Validators belong to the URL that sent them, and that is not this host's robots.txt.
            finished.host = owner.id;
            finished.target = ROBOTS_PATH.to_owned();
            if let Observation::Body { validators, .. } = &mut finished.observation {
                *validators = Validators::default();
            }
        }
        let (outcome, status) = (finished.outcome, finished.status);
        let stored = self.finish(finished, question).await?;
        let Some(id) = stored.robots else {
            return Err(CrawlError::Fault(
                "a robots fetch was stored without id".to_owned(),
            ));
        };
        self.round.board.robots(
            read.decision.access,
            outcome == Outcome::Present || outcome == Outcome::NotModified,
        );
        let rules = InForce {
            id,
            access: read.decision.access,
            file: read.file,
            valid_until,
        };
        let told = (span_state(outcome), stored.change);
        self.put_in_force(rules, outcome, status, told, owner)
            .await?;
        Ok(None)
    }

    /// From now on these rules decide, and it is their owner that is asked.
    pub(super) async fn put_in_force(
        &mut self,
        rules: InForce,
        outcome: Outcome,
        status: Option<u16>,
        (state, change): (SpanState, Change),
        owner: Known,
    ) -> Result<(), CrawlError> {
        self.lamps[0] = lamp(state, change);
        let moved = (owner.id != self.visit.asked.id).then_some(owner);
        if let Some(known) = &moved {
            self.held = self.validators_of(known.id).await?;
        }
        let policy = &self.round.policy;
        self.visit
            .robots_decided(policy, rules, Some(outcome), status, state, moved);
        self.keep_gap();
        Ok(())
    }
}

/// What history is told of a robots.txt: its exact text, never judged as a soft 404 (RB10).
fn robots_observation(answer: &Answer) -> Observation {
    match (answer.outcome, &answer.body) {
        (Outcome::Present | Outcome::NoContent, Some(body)) => Observation::Body {
            bytes: body.bytes.clone(),
            sha256: body.sha256,
            media_type: answer.content_type.clone(),
            coding: answer.coding.clone(),
            validators: answer.validators.clone(),
            marks: Vec::new(),
        },
        (Outcome::NotModified, _) => Observation::NotModified(answer.validators.clone()),
        (outcome, _) => Observation::State(span_state(outcome)),
    }
}
