//! The figures of a run that two runs are compared by.

use engine::store::RunSummary;

use crate::engine;
use crate::text::fit;

/// One figure; none where it was not written down.
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    of: fn(&RunSummary) -> Option<u64>,
    told: fn(u64) -> String,
}

const fn counted(name: &'static str, of: fn(&RunSummary) -> Option<u64>) -> Figure {
    Figure {
        name,
        of,
        told: fit::count,
    }
}

const fn sized(name: &'static str, of: fn(&RunSummary) -> Option<u64>) -> Figure {
    Figure {
        name,
        of,
        told: fit::bytes,
    }
}

/// All of them, in the order they are told.
pub(crate) static FIGURES: [Figure; 14] = [
    counted("asked", |run| Some(run.totals.requests)),
    counted("visits", |run| Some(run.totals.hosts.values().sum())),
    counted("new", |run| Some(run.changes.new)),
    counted("changed", |run| Some(run.changes.changed)),
    counted("back", |run| Some(run.changes.back)),
    counted("gone", |run| Some(run.changes.gone)),
    counted("304 answers", |run| (!run.sparse).then_some(run.confirmed)),
    counted("same bytes", |run| {
        (!run.sparse).then_some(run.changes.unchanged_by_content)
    }),
    counted("new versions", |run| Some(run.totals.versions_new)),
    sized("on the wire", |run| Some(run.totals.wire_bytes)),
    sized("decoded", |run| Some(run.totals.body_bytes)),
    counted("denied", |run| Some(run.totals.denied)),
    counted("not asked", |run| Some(run.totals.not_asked.values().sum())),
    counted("processes", |run| Some(run.processes)),
];

impl Figure {
    /// Its value, if it is known.
    pub(crate) fn value(&self, run: &RunSummary) -> Option<u64> {
        (self.of)(run)
    }

    /// Its value in words.
    pub(crate) fn told(&self, run: &RunSummary) -> String {
        self.value(run)
            .map_or_else(|| "not known".to_owned(), self.told)
    }

    /// How it differs from another run's: `+1,204`, `-3`, `=`; none if either is not known.
    pub(crate) fn difference(&self, run: &RunSummary, other: &RunSummary) -> Option<String> {
        let (now, before) = (self.value(run)?, self.value(other)?);
        let told = (self.told)(now.abs_diff(before));
        Some(match now.cmp(&before) {
            std::cmp::Ordering::Less => format!("-{told}"),
            std::cmp::Ordering::Equal => "=".to_owned(),
            std::cmp::Ordering::Greater => format!("+{told}"),
        })
    }
}
