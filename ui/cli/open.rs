//! The console on a store, with no run under way: `r` starts this period's run, or resumes it. Without a
//! terminal the store is told in lines.

use std::path::Path;

use engine::policy;

use super::drive::{self, Begin, Face, Job};
use super::place::Global;
use super::{facts, run};
use crate::engine;
use crate::exit::{Exit, Failure};

pub(crate) fn open(global: &Global) -> Result<Exit, Failure> {
    let store = global.reading()?;
    if Face::of(global, false) != Face::Console {
        facts::tell(&store, global.read_only)?;
        return Ok(Exit::Done);
    }
    let name = store.policy()?;
    let refusal = global
        .read_only
        .then_some("the store was opened with --read-only");
    let from = store.clone();
    let chosen = global.policy.clone();
    let settings = move || {
        let policy = policy::load(chosen.as_deref().unwrap_or(Path::new(&name)))?;
        run::plain(policy, &from)
    };
    let job = Job {
        store,
        rounds: std::iter::once_with(settings),
        begin: Begin::Asked(refusal),
        overrides: Vec::new(),
        json: false,
        face: Face::Console,
        looks: global.looks.clone(),
    };
    let (exit, _) = run::block_on(drive::drive(job))??;
    Ok(exit)
}
