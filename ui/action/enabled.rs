//! Why an action cannot be taken now. Nothing is hidden: what is impossible says so.

use engine::crawl::RunState;

use super::Action;
use crate::engine;
use crate::state::details::Details;
use crate::state::page::Section;
use crate::state::page::requests::Request;
use crate::state::{Offline, Pane, State};

/// Why an action cannot be taken now, if so.
pub(crate) fn refusal(action: Action, state: &State) -> Option<&'static str> {
    match action {
        Action::Start if state.elsewhere() => Some("a run is under way in another terminal"),
        Action::Pause if state.elsewhere() => state.read_only,
        Action::Start => match state.offline {
            Some(Offline::Ready) if state.beside.around.is_some_and(|around| around.loopback) => {
                Some("this store is of loopback runs; `lamplighter run --loopback` resumes them")
            }
            Some(Offline::Ready) => None,
            Some(Offline::Never(why)) => Some(why),
            Some(Offline::Asked) => Some("the run is about to start"),
            None if state.all_done => Some("the run has ended; start the program again"),
            None => Some("the run is under way"),
        },
        Action::Pause => over(state).or_else(|| {
            let stopping = state.live.run_state == Some(RunState::Stopping);
            stopping.then_some("the run is about to stop")
        }),
        Action::Hold | Action::Suppress if state.read_only.is_some() => state.read_only,
        Action::Hold | Action::Suppress if !state.connected && state.offline.is_none() => {
            Some("the run has not started yet")
        }
        Action::Hold | Action::Suppress => of_host(state),
        Action::Open if on_version(state) => None,
        Action::Copy | Action::Older | Action::Newer if state.diff.is_some() => None,
        Action::Save
            if state
                .diff
                .as_ref()
                .is_some_and(|diff| diff.compared().is_none()) =>
        {
            Some("nothing is compared here; `lamplighter diff` writes the patch")
        }
        Action::Open if state.page.is_some() => match request(state) {
            None => Some(
                "no request or version is selected: it shows what allowed one, or what changed with it",
            ),
            Some(_) => None,
        },
        Action::TryPath
            if state
                .page
                .as_ref()
                .is_some_and(|page| page.fetch().is_none()) =>
        {
            Some("there is no robots.txt of this host to try a path on")
        }
        Action::Open | Action::Copy if state.host().is_none() => match state.pane {
            Pane::Changes => Some("no change is selected"),
            Pane::Runs if action == Action::Open => {
                let none = state.runs.selected().is_none();
                none.then_some("there is no run in this store yet")
            }
            Pane::Runs => Some("a run has no address to copy"),
            Pane::Live | Pane::Hosts => Some("no host is selected"),
        },
        Action::PickRun | Action::PickSince if state.changes.runs.is_empty() => {
            Some("there is no run in this store yet")
        }
        Action::Mark | Action::RunChanges if state.runs.selected().is_none() => {
            Some("there is no run in this store yet")
        }
        Action::ShowRuns if state.now.is_none() => Some("the run has not started yet"),
        Action::ShowChanges if state.now.is_none() => Some("the run has not started yet"),
        Action::Details if Details::of(state).is_none() => Some("nothing is selected"),
        Action::Older | Action::Newer if !on_robots(state) => {
            Some("it chooses between fetches of robots.txt, in the part Robots")
        }
        Action::ShowHosts if state.now.is_none() => Some("the run has not started yet"),
        Action::Undo if state.undo.is_empty() => Some("there is nothing to take back"),
        _ => None,
    }
}

/// Whether a version is under the cursor.
fn on_version(state: &State) -> bool {
    let page = state.page.as_ref().filter(|_| state.diff.is_none());
    page.is_some_and(|page| {
        let some = page
            .versions
            .ready()
            .is_some_and(|versions| !versions.is_empty());
        page.section == Section::Versions && some
    })
}

/// The request under the cursor, while requests are looked at.
fn request(state: &State) -> Option<&Request> {
    let page = state.page.as_ref()?;
    page.request().filter(|_| page.section == Section::Requests)
}

fn on_robots(state: &State) -> bool {
    let page = state.page.as_ref();
    page.is_some_and(|page| page.section == Section::Robots)
}

fn over(state: &State) -> Option<&'static str> {
    let ended = matches!(
        state.live.run_state,
        Some(RunState::Finished | RunState::Stopped)
    );
    if state.all_done || ended {
        Some("the run has ended")
    } else if state.offline.is_some() {
        Some("no run is under way")
    } else if !state.connected {
        Some("the run has not started yet")
    } else {
        None
    }
}

fn of_host(state: &State) -> Option<&'static str> {
    if state.host().is_none() {
        Some("no host is selected")
    } else if state.is_suppressed() {
        Some("this host is suppressed already")
    } else {
        None
    }
}
