//! Reading all runs as wholes: totals that are kept, a few rows for each run.

use engine::store::{Reader, StoreError};

use super::Answer;
use crate::engine;

/// All runs, the newest first.
pub(super) fn answer(reader: &Reader) -> Result<Answer, StoreError> {
    reader.run_summaries().map(Answer::Runs)
}
