//! `pause` and `resume`: the run in progress, from another terminal.

use std::time::Duration;

use jiff::Timestamp;

use super::place::{Global, operator};
use super::reach;
use crate::exit::{Exit, Failure};

/// A pause waits for answers under way.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn pause(global: &Global, paused: bool) -> Result<Exit, Failure> {
    let store = global.writing()?;
    let wanted = store
        .desk()?
        .request_pause(paused, &operator(), Timestamp::now())?;
    let what = if paused { "pause" } else { "resume" };
    reach::wait(&store, PATIENCE, what, |control| {
        Ok(reach::number_reached(&control.pause.reached, &wanted))
    })?;
    Ok(Exit::Done)
}
