//! What the visits of a site were told of robots.txt: each page of it is asked once a run, and another
//! visit goes on from the answer (rule 1).

use std::collections::HashMap;

use super::asked::{Asked, Moment};
use super::leave::ROBOTS;
use super::visit::{Progress, Visit};
use crate::store::HostId;

/// One answer.
#[derive(Clone, Debug)]
struct Answer {
    host: HostId,
    /// Whose visit asked.
    visit_host: HostId,
    progress: Progress,
    began: Moment,
    ended: Moment,
    body_bytes: u64,
}

/// The answers of a site so far, by host and target.
#[derive(Clone, Debug, Default)]
pub(super) struct Told(HashMap<(String, String), Answer>);

impl Told {
    /// Remembers the answer to a page of robots.txt.
    pub(super) fn note(&mut self, asked: &Asked<'_>, visit: &Visit) {
        let Some(ended) = asked.end else { return };
        let row = asked.row;
        let answer = Answer {
            host: row.host,
            visit_host: row.visit_host,
            progress: visit.chain.progress.clone(),
            began: asked.start,
            ended,
            body_bytes: row.body_bytes,
        };
        let page = (row.host_name.to_string(), row.target.clone());
        self.0.insert(page, answer);
    }

    /// Moves the chain of a visit on over what others were told, up to the page that is asked now.
    pub(super) fn go_on(&self, asked: &Asked<'_>, visit: &mut Visit) {
        // Each answer is taken once at most: redirects may lead in a circle.
        for _ in 0..=self.0.len() {
            let next = match &visit.chain.progress {
                Progress::NotAsked => self.own(asked.row.visit_host),
                Progress::Redirected(Some(page)) | Progress::NoAnswer(page) => {
                    self.0.get_key_value(page)
                }
                _ => None,
            };
            let Some((page, answer)) = next else { return };
            let is_asked = asked.row.host == answer.host && asked.row.target == page.1;
            let own = answer.visit_host == asked.row.visit_host;
            if is_asked || own || !answer.is_good(asked) {
                return;
            }
            let chain = &mut visit.chain;
            match chain.progress {
                Progress::NotAsked => chain.began = Some(answer.began),
                // The hop was counted when it was asked.
                Progress::NoAnswer(_) => {}
                _ => chain.hops += 1,
            }
            chain.elsewhere = page.1 != ROBOTS;
            if !chain.elsewhere {
                chain.host = answer.host;
            }
            chain.ended = Some(answer.ended);
            chain.body_bytes = answer.body_bytes;
            chain.process = Some(asked.row.process);
            chain.progress = answer.progress.clone();
        }
    }

    fn own(&self, host: HostId) -> Option<(&(String, String), &Answer)> {
        let mut answers = self.0.iter();
        answers.find(|((_, target), answer)| answer.host == host && target == ROBOTS)
    }
}

impl Answer {
    /// RB9: whether it has not run out, and does not lie in the future (rule 3).
    fn is_good(&self, asked: &Asked<'_>) -> bool {
        let valid = i64::try_from(asked.policy.robots.valid.as_millis()).unwrap_or(i64::MAX);
        (0..=valid).contains(&asked.start.since(&self.ended))
    }
}
