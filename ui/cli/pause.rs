//! `pause` and `resume`: the run in progress, from another terminal.

use std::time::Duration;

use super::output::say;
use super::place::{Global, operator};
use super::reach;
use crate::exit::{Exit, Failure};
use crate::text::Clean;

/// A pause waits for answers under way.
const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) fn pause(global: &Global, paused: bool) -> Result<Exit, Failure> {
    let store = global.writing()?;
    if !paused && !reach::engine_runs(&store)? && !store.reader()?.control()?.paused {
        return Err(Failure::Failed(
            "no run is in progress on this store and none is paused; `lamplighter run` starts one, \
             or give the --store of the run"
                .to_owned(),
        ));
    }
    let desk = store.desk()?;
    let wanted = desk.request_pause(paused, &operator(), desk.now()?)?;
    if !reach::engine_runs(&store)? {
        say(&Clean::new(if paused {
            "no run is in progress; the next one begins paused, until `lamplighter resume`"
        } else {
            "no longer paused; no run is in progress: `lamplighter run` goes on with it"
        }));
        return Ok(Exit::Done);
    }
    let what = if paused { "pause" } else { "resume" };
    reach::wait(&store, PATIENCE, what, |control| {
        Ok(reach::number_reached(&control.pause.reached, &wanted))
    })?;
    Ok(Exit::Done)
}
