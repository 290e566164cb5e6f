//! The reducer: state and a message to effects. No input, no output, no clock of its own.

mod act;
mod changes;
pub(crate) mod diff;
mod hosts;
mod keys;
mod mouse;
mod page;
mod prompt;
mod runs;

use engine::crawl::RunState;

use crate::engine;
use crate::input::Gesture;
use crate::jobs::Answer;
use crate::msg::{Effect, Msg};
use crate::state::live::Live;
use crate::state::question::About;
use crate::state::{Offline, Overlay, Pane, State};
use crate::text::Clean;

/// Applies one message.
pub(crate) fn update(state: &mut State, msg: Msg) -> Vec<Effect> {
    state.dirty = true;
    match msg {
        Msg::Started(overrides) => started(state, overrides),
        Msg::Offline(refusal) => {
            state.offline = Some(refusal.map_or(Offline::Ready, Offline::Never));
            state.read_only = refusal;
            let mut effects = hosts::show(state);
            effects.extend(hosts::ask_around(state));
            return effects;
        }
        Msg::Update(update) => {
            state.now = update.now.or(state.now);
            state.live.apply(*update);
        }
        Msg::Ended(sentence) => {
            state.tell(sentence, false);
            let mut effects = hosts::audit(state);
            effects.extend(hosts::refresh(state));
            return effects;
        }
        Msg::Failed(sentence) => {
            state.tell(sentence.clone(), true);
            state.live.notice = Some(sentence);
            state.all_done = true;
            if state.offline.is_some() {
                state.offline = Some(Offline::Never("the run could not start"));
            }
            return leave_if_wished(state);
        }
        Msg::AllDone => {
            state.all_done = true;
            return leave_if_wished(state);
        }
        Msg::Gesture(Gesture::Key(key)) => return keys::pressed(state, key),
        Msg::Gesture(Gesture::Mouse(mouse)) => return mouse::moved(state, mouse),
        Msg::Gesture(Gesture::Paste(text)) => return prompt::pasted(state, &text),
        Msg::Size(columns, rows) => {
            state.size = (columns, rows);
            let mut effects = hosts::step(state, 0);
            effects.extend(changes::step(state, 0));
            state.runs.step(0, state.size);
            effects.extend(page::step(state, 0));
            effects.extend(diff::step(state, 0));
            return effects;
        }
        Msg::Clock(now) => {
            if let Some(now) = now {
                state.now = Some(now);
                state.live.rates.roll(now);
            }
            // The clock ticks four times a second while hosts are in flight, else once.
            state
                .notices
                .pass(if state.live.in_flight > 0 { 1 } else { 4 });
            state.ticks += 1;
            let mut effects = hosts::tick(state);
            effects.extend(page::tick(state));
            effects.extend(changes::tick(state));
            effects.extend(runs::tick(state));
            return effects;
        }
        Msg::Read(number, answer) => {
            return match answer {
                Ok(answer @ (Answer::Around(_) | Answer::Audited(_))) => {
                    hosts::beside(state, answer)
                }
                Ok(Answer::First(_) | Answer::Order(_) | Answer::Rows(_)) => {
                    hosts::read(state, number, answer)
                }
                Ok(Answer::Page(_) | Answer::Robots(_) | Answer::Requests(_)) => {
                    page::read(state, number, answer)
                }
                Err(problem) if hosts::is_audit(state, number) => {
                    state.beside.auditing = false;
                    state.tell(problem, true);
                    Vec::new()
                }
                Ok(Answer::Diff(_)) => diff::read(state, number, answer),
                Err(_) if diff::asked(state, number) => diff::read(state, number, answer),
                Ok(Answer::ChangesBegun(_) | Answer::Changes(_) | Answer::ChangeRows(..)) => {
                    changes::read(state, number, answer)
                }
                Ok(Answer::Runs(_)) => {
                    runs::read(state, number, answer);
                    Vec::new()
                }
                Err(_) if runs::asked(state, number) => {
                    runs::read(state, number, answer);
                    Vec::new()
                }
                Err(_) if changes::asked(state, number) => changes::read(state, number, answer),
                Err(_) if hosts::asked(state, number) => hosts::read(state, number, answer),
                Err(_) => page::read(state, number, answer),
            };
        }
        Msg::Reach(id, entry, reach) => {
            if let Some(Overlay::Question(question)) = &mut state.overlay
                && question.id == id
                && let About::Suppress(scopes) = &mut question.about
                && let Some(scope) = scopes.iter_mut().find(|scope| scope.entry == entry)
            {
                scope.reach = Some(reach);
            }
        }
        Msg::Commanded(what, Ok(how)) => {
            let text = format!("{}: {}", what.as_str(), how.as_str());
            state.tell(Clean::new(text), false);
            // Our own doing is not told again as another's.
            if let Some(around) = &mut state.beside.around {
                match what.as_str() {
                    "pause" => around.paused = true,
                    "resume" => around.paused = false,
                    _ => {}
                }
            }
            // What it changed is shown at once.
            let mut effects = match (&state.page, state.pane) {
                (Some(_), _) => page::ask(state),
                (None, Pane::Hosts) => hosts::ask_rows(state),
                (None, Pane::Live | Pane::Changes | Pane::Runs) => Vec::new(),
            };
            if state.offline.is_some() {
                effects.extend(hosts::ask_around(state));
            }
            return effects;
        }
        Msg::Commanded(what, Err(problem)) => {
            let text = format!("{}: {}", what.as_str(), problem.as_str());
            state.tell(Clean::new(text), true);
        }
        Msg::Told(text) => state.tell(text, false),
        Msg::Themed(name) => {
            state.theme = Some(name.to_owned());
            state.tell(Clean::new(format!("colours: {name}")), false);
        }
        Msg::Draining => {
            state.leaving = true;
            return leave_if_wished(state);
        }
        Msg::Resumed => state.tell(Clean::new("went on after a suspension"), false),
    }
    Vec::new()
}

/// A new run: the pane begins anew, the operator's choices stay.
fn started(state: &mut State, overrides: Vec<Clean>) {
    state.connected = true;
    (state.beside.auditing, state.beside.audited) = (false, None);
    state.offline = None;
    state.frozen = None;
    let before = std::mem::take(&mut state.live);
    state.live = Live {
        overrides,
        sort: before.sort,
        turned: before.turned,
        filter: before.filter,
        log_filter: before.log_filter,
        focus: before.focus,
        log: before.log,
        log_up: before.log_up,
        picked: before.picked,
        numbered: before.numbered,
        ..Live::default()
    };
}

/// Whether a run is under way.
fn under_way(state: &State) -> bool {
    let ended = matches!(
        state.live.run_state,
        Some(RunState::Finished | RunState::Stopped)
    );
    state.connected && !state.all_done && !ended
}

fn leave_if_wished(state: &State) -> Vec<Effect> {
    if state.leaving && state.all_done {
        vec![Effect::Leave]
    } else {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
