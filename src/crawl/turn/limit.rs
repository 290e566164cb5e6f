//! What a site that asks us to stop is granted (PC4).

use std::time::Duration;

use super::Turn;
use crate::crawl::ask::Asked;
use crate::crawl::visit::is_limit;
use crate::fetch::{Answer, RetryAfter};
use crate::policy::{Ends, next_due};
use crate::store::SiteWait;

impl Turn<'_> {
    /// The wait that a 429 or 503 asks of the site. // PC4
    pub(super) fn site_wait(&mut self, asked: &Asked, path: &str) -> Option<SiteWait> {
        let answer = &asked.answer;
        if !is_limit(answer.outcome, answer.status) {
            return None;
        }
        let now = asked.ended.utc;
        let asked_for = match answer.retry_after {
            Some(RetryAfter::Wait(wait)) => wait,
            _ => Duration::ZERO,
        };
        let until = now.checked_add(asked_for).unwrap_or(jiff::Timestamp::MAX);
        let next_run = next_due(&self.round.policy.schedule, now, Some(until));
        let cause = cause_of(answer, path);
        if self.round.policy.retries.limited_ends == Ends::Nothing {
            self.site
                .pace
                .wait_until(tokio::time::Instant::now() + asked_for);
            return None;
        }
        Some(SiteWait {
            until: next_run,
            cause,
        })
    }
}

/// What made a site wait, in words.
fn cause_of(answer: &Answer, path: &str) -> String {
    match (answer.status, answer.retry_after) {
        (None, _) => format!("an answer on {path} that cannot be read and may be a 429"),
        (Some(status), Some(RetryAfter::Wait(wait))) => {
            format!("{status} on {path}, Retry-After {}", wait.as_secs())
        }
        (Some(status), Some(RetryAfter::Unclear)) => {
            format!("{status} on {path}, Retry-After unclear")
        }
        (Some(status), None) => format!("{status} on {path}"),
    }
}
