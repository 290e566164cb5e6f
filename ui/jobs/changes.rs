//! Reading changes: the runs there are, the first rows at once, then how long the list is.

use std::sync::Arc;

use engine::store::{
    ChangeFacts, ChangeIndex, ChangeLine, ChangeSpan, Reader, Run, RunId, StoreError,
};
use jiff::Timestamp;

use super::Answer;
use crate::engine;
use crate::filter::Filter;
use crate::filter::changes::ChangeLook;

/// Rows of the first screen.
const FIRST: usize = 100;

/// Which changes are asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Asked {
    /// The run; none for the newest.
    pub(crate) to: Option<RunId>,
    /// The older run it is compared with; none for what was known before.
    pub(crate) since: Option<RunId>,
    /// Only what matches.
    pub(crate) filter: Filter,
}

/// Rows of a list that has been passed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Window {
    pub(crate) span: ChangeSpan,
    pub(crate) filter: Filter,
    pub(crate) index: Arc<ChangeIndex>,
    pub(crate) first: usize,
    pub(crate) limit: usize,
}

/// What is known at once.
#[derive(Debug)]
pub(crate) struct Begun {
    /// All runs, newest first.
    pub(crate) runs: Vec<Run>,
    /// The runs compared; none in a store without a run.
    pub(crate) span: Option<ChangeSpan>,
    /// What was unchanged at full cost is not known of this run.
    pub(crate) sparse: bool,
    /// The first rows.
    pub(crate) lines: Vec<ChangeLine>,
}

/// Answers twice: what is known at once, then the length of the list.
pub(super) fn answer(
    reader: &Reader,
    asked: &Asked,
    now: Timestamp,
    tell: &mut dyn FnMut(Answer),
) -> Result<Answer, StoreError> {
    let runs = reader.runs()?;
    let chosen = runs
        .iter()
        .find(|run| asked.to.is_none_or(|to| run.id == to));
    let span = chosen.map(|run| ChangeSpan {
        since: asked.since.filter(|since| *since < run.id),
        to: run.id,
    });
    let Some(span) = span else {
        tell(Answer::ChangesBegun(Box::new(Begun {
            runs,
            span,
            sparse: false,
            lines: Vec::new(),
        })));
        return Ok(Answer::Changes(Arc::default()));
    };
    let mut keep = keep(&asked.filter, now);
    let begun = Begun {
        sparse: reader.is_sparse(span.to)?,
        lines: reader.changes_after(span, None, FIRST, &mut keep)?,
        runs,
        span: Some(span),
    };
    tell(Answer::ChangesBegun(Box::new(begun)));
    let index = reader.change_index(span, &mut keep)?;
    Ok(Answer::Changes(Arc::new(index)))
}

/// The rows of a window, with the place of the first.
pub(super) fn window(
    reader: &Reader,
    asked: &Window,
    now: Timestamp,
) -> Result<Answer, StoreError> {
    let mut keep = keep(&asked.filter, now);
    let lines = reader.change_window(
        asked.span,
        &asked.index,
        asked.first,
        asked.limit,
        &mut keep,
    )?;
    Ok(Answer::ChangeRows(asked.first, lines))
}

fn keep(filter: &Filter, now: Timestamp) -> impl FnMut(&ChangeFacts<'_>) -> bool {
    move |facts| filter.is_all() || filter.matches(&ChangeLook::new(facts, now))
}
