//! Two versions, compared as the background does.

use std::sync::Arc;

use engine::history::{Facts, Known, Stop};
use engine::store::{HostId, Version};

use super::{at, host};
use crate::engine;
use crate::jobs::Answer;
use crate::jobs::diff::{Asked, Half, Pair, Told, Which, steps};
use crate::msg::Msg;
use crate::patch::Body;
use crate::state::State;
use crate::state::diff::DiffRequest;
use crate::update::diff::open_diff;
use crate::update::update;

pub(crate) const LOCATION: &str = "/llms.txt";

pub(crate) fn version(number: u32, bytes: &[u8]) -> Version {
    Version {
        host: host("docs.alder.test"),
        location: LOCATION.to_owned(),
        number,
        first_seen: at("2026-11-16T06:00:04Z")
            + jiff::SignedDuration::from_hours(i64::from(number) * 168),
        last_seen: at("2026-11-30T08:13:50Z"),
        sha256: [u8::try_from(number).unwrap_or(0); 32],
        bytes: bytes.len() as u64,
        media_type: Some("text/plain".to_owned()),
        coding: None,
        marks: Vec::new(),
    }
}

fn half(number: u32, bytes: &[u8]) -> Half {
    let version = version(number, bytes);
    Half {
        known: Known::of(bytes, version.media_type.as_deref()),
        facts: Facts::of(bytes),
        cite: Some(format!(
            "docs.alder.test, 2026-11-{number:02}, {}",
            "ab".repeat(32)
        )),
        body: Body {
            version,
            bytes: bytes.to_vec(),
        },
    }
}

/// The pair of these bodies; versions 1 and 2, of three.
pub(crate) fn pair(old: Option<&[u8]>, new: &[u8]) -> Arc<Pair> {
    let versions = vec![
        version(3, b"later"),
        version(2, new),
        version(1, old.unwrap_or_default()),
    ];
    Arc::new(Pair {
        old: old.map(|old| half(1, old)),
        new: half(2, new),
        versions,
    })
}

/// Everything that is told of a pair, in order.
pub(crate) fn told(pair: &Arc<Pair>, asked: &Asked) -> Vec<Told> {
    let mut all = Vec::new();
    steps(Arc::clone(pair), asked, &Stop::never(), &mut |told| {
        all.push(told)
    });
    all
}

/// What is asked of two versions.
pub(crate) fn asked() -> Asked {
    let which = |number| Which {
        location: LOCATION.to_owned(),
        number: Some(number),
    };
    Asked {
        host: HostId(1),
        old: which(1),
        new: which(2),
        look: crate::jobs::diff::Look::Text,
        raw: false,
    }
}

/// The view of a pair, opened over whatever the state shows.
pub(crate) fn open(state: &mut State, old: Option<&[u8]>, new: &[u8]) {
    let request = DiffRequest {
        host: HostId(1),
        name: host("docs.alder.test"),
        location: LOCATION.to_owned(),
        from: None,
        to: Some(2),
    };
    open_diff(state, request);
    answer(state, old, new);
}

/// Answers the newest question.
pub(crate) fn answer(state: &mut State, old: Option<&[u8]>, new: &[u8]) {
    let diff = state.diff.as_ref().unwrap();
    let (number, wanted) = (diff.asked, diff.wanted.clone());
    for told in told(&pair(old, new), &wanted) {
        update(state, Msg::Read(number, Ok(Answer::Diff(Box::new(told)))));
    }
}
