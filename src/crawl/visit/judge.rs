//! An answer to a location: its outcome, its state, what history is told. Pure.

use crate::fetch::{Answer, Outcome, Redirect};
use crate::policy::{Expect, KeepMode, Location};
use crate::robots;
use crate::store::{Observation, SpanState};
use crate::validate;

/// What an answer means.
pub(crate) struct Judged {
    /// How the request ended, soft 404s recognised.
    pub(crate) outcome: Outcome,
    /// State of the location; after a 304 that of a file, unless the store knows better.
    pub(crate) state: SpanState,
    /// For history.
    pub(crate) observation: Observation,
    /// In plain words, where there is something to say.
    pub(crate) detail: Option<String>,
}

/// Judges the answer to a location. `earlier` are the bodies of this visit so far, for the
/// catch-all mark (T11).
pub(crate) fn judge_location(
    location: &Location,
    answer: Answer,
    earlier: &[(&str, Expect, [u8; 32])],
) -> Judged {
    let detail = detail_of(&answer);
    match (answer.outcome, answer.body) {
        (Outcome::Present, Some(body)) => {
            let mut marks = validate::marks(
                &location.path,
                location.expect,
                answer.content_type.as_deref(),
                &body.bytes,
            );
            if is_catch_all(location, &body.sha256, earlier) {
                marks.push(validate::Mark::CatchAll);
            }
            let soft = validate::presence(&marks) == validate::Presence::SoftAbsent;
            let outcome = if soft {
                Outcome::SoftAbsent
            } else {
                Outcome::Present
            };
            let state = span_state(outcome);
            let observation = if soft || location.keep != KeepMode::Exact {
                Observation::Digest {
                    sha256: body.sha256,
                    bytes: answer.body_bytes,
                    validators: answer.validators,
                    marks,
                    state,
                }
            } else {
                Observation::Body {
                    bytes: body.bytes, // KP1
                    sha256: body.sha256,
                    media_type: answer.content_type,
                    coding: answer.coding,
                    validators: answer.validators,
                    marks,
                }
            };
            Judged {
                outcome,
                state,
                observation,
                detail,
            }
        }
        (Outcome::NotModified, _) => Judged {
            outcome: Outcome::NotModified,
            state: SpanState::Present,
            observation: Observation::NotModified(answer.validators),
            detail,
        },
        (outcome, _) => {
            let state = span_state(outcome);
            let observation = match outcome {
                Outcome::Withdrawn => Observation::Nothing,
                _ => Observation::State(state),
            };
            Judged {
                outcome,
                state,
                observation,
                detail,
            }
        }
    }
}

/// Whether an answer asks us to stop, whatever else it is: a challenge too. One whose head cannot be
/// read may be a 429, and doubt means no. // PC4
pub(crate) fn is_limit(outcome: Outcome, status: Option<u16>) -> bool {
    match status {
        Some(status) => matches!(status, 429 | 503),
        None => outcome == Outcome::Malformed,
    }
}

/// The state of a location after this outcome.
pub(crate) fn span_state(outcome: Outcome) -> SpanState {
    match outcome {
        Outcome::Present | Outcome::NotModified => SpanState::Present,
        Outcome::Absent => SpanState::Absent,
        Outcome::SoftAbsent => SpanState::SoftAbsent,
        Outcome::Blocked => SpanState::Blocked,
        Outcome::Limited => SpanState::Limited,
        Outcome::Challenge => SpanState::Challenge,
        Outcome::Redirect => SpanState::Redirect,
        Outcome::TooLarge => SpanState::TooLarge,
        Outcome::Withdrawn => SpanState::NotAsked,
        _ => SpanState::Error,
    }
}

/// The answer in the terms that decide about robots.txt; a redirect is judged before. `held` says
/// whether a stored copy is at hand.
pub(crate) fn robots_answer(answer: &Answer, not_robots: bool, held: bool) -> robots::Answer {
    if answer.challenge.is_some() {
        return robots::Answer::Status {
            status: answer.status.unwrap_or_default(),
            bytes: answer.body_bytes,
            not_robots,
            challenge: true, // PC7 RB11
        };
    }
    match (answer.outcome, answer.status) {
        (Outcome::NotModified, _) => robots::Answer::NotModified { held },
        (Outcome::Redirect, _) => robots::Answer::Redirects,
        (
            Outcome::Partial
            | Outcome::Truncated
            | Outcome::Coding
            | Outcome::UnexpectedNotModified,
            _,
        ) => robots::Answer::Broken,
        (outcome, _) if outcome.is_failure() => robots::Answer::Failed,
        // Bytes came that were not kept whole: rules that cannot be read are not "no rules".
        (outcome, Some(200..=299))
            if outcome != Outcome::TooLarge && answer.body.is_none() && answer.body_bytes > 0 =>
        {
            robots::Answer::Broken
        }
        (Outcome::TooLarge, Some(status)) => robots::Answer::Status {
            status,
            bytes: u64::MAX,
            not_robots,
            challenge: false,
        },
        (_, Some(status)) => robots::Answer::Status {
            status,
            bytes: answer.body_bytes,
            not_robots,
            challenge: false,
        },
        (_, None) => robots::Answer::Failed,
    }
}

fn is_catch_all(
    location: &Location,
    sha256: &[u8; 32],
    earlier: &[(&str, Expect, [u8; 32])],
) -> bool {
    let mut bodies = earlier.to_vec();
    bodies.push((&location.path, location.expect, *sha256));
    validate::catch_all(&bodies).contains(&(bodies.len() - 1))
}

/// Everything worth a word beside the numbers.
pub(crate) fn detail_of(answer: &Answer) -> Option<String> {
    let mut words = Vec::new();
    if let Some(challenge) = &answer.challenge {
        words.push(format!(
            "challenge of {} ({})",
            challenge.vendor, challenge.marker
        ));
    }
    if let Some(Redirect::To(url)) = &answer.redirect
        && validate::redirected_home(url)
    {
        words.push("redirected_home".to_owned());
    }
    words.extend(answer.detail.clone());
    words.extend(
        answer
            .signals
            .iter()
            .map(|(name, value)| format!("{name}: {value}")),
    );
    (!words.is_empty()).then(|| words.join("; "))
}
