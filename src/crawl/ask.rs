//! One request, from the wait before it to the answer after it. Every request of the engine goes
//! through [`ask`]: there is no other way to send one.
//!
//! Order: wait for pace and gate, commit the intent, pass the gate again, send, note the end.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::time::Instant;
use url::Url;

use super::gate::Refusal;
use super::pace::SitePace;
use super::round::Round;
use super::visit::{Known, Visit};
use super::{CrawlError, HostState};
use crate::fetch::{Answer, Client, Limits, Outcome, Redirect, Request, RetryAfter, Validators};
use crate::policy::Method;
use crate::store::{Finished, Intent, Leave, Observation, RequestKey, RunId, SiteId, Stamp};

/// How often a request that never left may be tried again in one visit.
const UNSENT_TRIES: u32 = 3;

/// Shows the state of the visit on the board.
pub(crate) type Show<'a> = &'a (dyn Fn(&Visit, HostState) + Sync);

/// A site during its walk: its pace, and what the wait is for.
pub(crate) struct SiteInWalk {
    pub(crate) id: SiteId,
    pub(crate) pace: SitePace,
    /// It was asked in this run, by whatever process. Before that, days lie behind its last answer.
    pub(crate) asked: bool,
    /// The gap in one sentence: `minimum gap, no Crawl-delay declared`.
    pub(crate) gap_why: String,
}

/// What is asked.
pub(crate) struct Question {
    pub(crate) host: Known,
    pub(crate) target: String,
    pub(crate) url: Url,
    pub(crate) method: Method,
    pub(crate) leave: Leave,
    pub(crate) held: Option<Validators>,
    pub(crate) limits: Limits,
    /// robots.txt in force runs out then; none for robots.txt itself. // RB9
    pub(crate) valid_until: Option<Timestamp>,
}

/// A request that left and came back.
pub(crate) struct Asked {
    pub(crate) key: RequestKey,
    pub(crate) sent: Stamp,
    pub(crate) ended: Stamp,
    pub(crate) answer: Answer,
}

impl Asked {
    /// The end of the request as it is stored, before anybody has judged it.
    pub(crate) fn finished(&self, question: &Question, run: RunId) -> Finished {
        let answer = &self.answer;
        Finished {
            key: self.key,
            host: question.host.id,
            target: question.target.clone(),
            run,
            sent: self.sent,
            ended: self.ended,
            outcome: answer.outcome,
            status: answer.status,
            remote: answer.remote,
            coding: answer.coding.clone(),
            wire_bytes: answer.wire_bytes,
            body_bytes: answer.body_bytes,
            sha256: answer.body.as_ref().map(|body| body.sha256),
            connection: answer.connection,
            redirect: answer.redirect.as_ref().map(|redirect| match redirect {
                Redirect::To(url) => url.to_string(),
                Redirect::Nowhere(text) => text.clone(),
            }),
            retry_after_ms: answer.retry_after.map(|retry_after| match retry_after {
                RetryAfter::Wait(wait) => i64::try_from(wait.as_millis()).unwrap_or(i64::MAX),
                RetryAfter::Unclear => -1,
            }),
            detail: None,
            observation: Observation::Nothing,
            robots: None,
            site_wait: None,
        }
    }
}

/// Asks, or says why nothing left.
pub(crate) async fn ask(
    round: &Arc<Round>,
    site: &mut SiteInWalk,
    client: &mut Client,
    visit: &mut Visit,
    show: Show<'_>,
    question: &Question,
) -> Result<Result<Asked, Refusal>, CrawlError> {
    let mut unsent = 0;
    loop {
        if let Err(refusal) = wait_for_leave(round, site, visit, show, question).await {
            return Ok(Err(refusal));
        }
        if question
            .valid_until
            .is_some_and(|until| round.clock.now() >= until)
        {
            return Ok(Err(Refusal::Expired));
        }
        round.failpoints.hit("intent.before");
        let key = round
            .writer
            .intent(intent(round, site, visit, question))
            .await?;
        round.failpoints.hit("intent.committed");
        let mut pass = match round.gate.leave(&question.host.host, &question.target) {
            Ok(pass) => pass,
            Err(refusal) => {
                round.writer.withdraw(round.run.id, key).await?;
                match refusal {
                    Refusal::Paused => continue,
                    refusal => return Ok(Err(refusal)),
                }
            }
        };
        let Some(permit) = pass.permit() else {
            return Err(CrawlError::Fault("a pass without a permit".to_owned()));
        };
        show(
            visit,
            HostState::Asking {
                path: question.target.clone(),
            },
        );
        round.failpoints.hit("send.before");
        let sent = round.clock.stamp();
        if sent.utc >= round.window_ends {
            // The window ended while the intent was committed. // AS9
            drop(pass);
            round.writer.withdraw(round.run.id, key).await?;
            return Ok(Err(Refusal::WindowOver));
        }
        let began = Instant::now();
        let mut answer = client.send(permit, request(question)).await;
        // The log's end comes first: the gap counts from the later of the two, however long this thread
        // is kept waiting in between. // PC2
        let ended = round.clock.stamp();
        let now = Instant::now();
        drop(pass);
        site.asked = true;
        site.pace
            .answered(now, now - began, is_good(answer.outcome));
        round.failpoints.hit("answer.after");
        if answer.outcome == Outcome::Withdrawn {
            let stopped = round
                .gate
                .refusal(&question.host.host, &question.target)
                .is_some();
            unsent += u32::from(!stopped);
            if unsent < UNSENT_TRIES {
                round.writer.withdraw(round.run.id, key).await?;
                continue;
            }
            // It never leaves: the connection is refused as soon as it is made.
            answer.outcome = Outcome::Reset;
        }
        visit.spend();
        return Ok(Ok(Asked {
            key,
            sent,
            ended,
            answer,
        }));
    }
}

/// Waits until the site may be asked and nothing forbids it.
async fn wait_for_leave(
    round: &Arc<Round>,
    site: &SiteInWalk,
    visit: &Visit,
    show: Show<'_>,
    question: &Question,
) -> Result<(), Refusal> {
    let mut changes = round.gate.changes();
    loop {
        changes.borrow_and_update();
        let now = round.clock.now();
        if now >= round.window_ends {
            return Err(Refusal::WindowOver); // AS9
        }
        let ready = site.pace.ready_at().filter(|ready| *ready > Instant::now());
        let until = match round.gate.refusal(&question.host.host, &question.target) {
            Some(Refusal::Paused) => {
                let why = round
                    .gate
                    .doubt()
                    .unwrap_or_else(|| "the run is paused".to_owned());
                show(visit, HostState::Paused { why });
                Instant::now() + Duration::from_secs(60)
            }
            Some(refusal) => return Err(refusal),
            None => match ready {
                None => return Ok(()),
                Some(ready) => {
                    let rest = ready.saturating_duration_since(Instant::now());
                    let until = now.checked_add(rest).unwrap_or(round.window_ends);
                    if until >= round.window_ends {
                        return Err(Refusal::WindowOver);
                    }
                    let why = site.gap_why.clone();
                    show(visit, HostState::Resting { until, why });
                    ready
                }
            },
        };
        tokio::select! {
            () = tokio::time::sleep_until(until) => {}
            changed = changes.changed() => if changed.is_err() { return Err(Refusal::Stopping) },
        }
    }
}

fn intent(round: &Round, site: &SiteInWalk, visit: &mut Visit, question: &Question) -> Intent {
    Intent {
        run: round.run.id,
        process: round.process,
        site: site.id,
        host: question.host.id,
        visit_host: visit.listed.id,
        turn: visit.turn,
        target: question.target.clone(),
        method: question.method,
        attempt: visit.attempt(question.host.id, &question.target),
        at: round.clock.stamp(),
        leave: question.leave,
        held: question.held.clone(),
        conditional: question.held.is_some(), // TR1
        gap_ms: i64::try_from(site.pace.gap().as_millis()).unwrap_or(i64::MAX),
    }
}

fn request(question: &Question) -> Request {
    Request {
        method: question.method,
        url: question.url.clone(),
        validators: question.held.clone(),
        limits: question.limits,
    }
}

/// Whether the site coped: anything it answered by itself, but no failure and no limit. // PC6
fn is_good(outcome: Outcome) -> bool {
    !outcome.is_failure()
        && !matches!(
            outcome,
            Outcome::Limited | Outcome::ServerError | Outcome::Truncated
        )
}
