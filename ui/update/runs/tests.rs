use super::*;
use crate::input::Code;
use crate::jobs::Question;
use crate::msg::Msg;
use crate::state::Overlay;
use crate::test_kit::runs::{answer, id, opened, summaries};
use crate::test_kit::{press, press_key, running, told};
use crate::update::update;

const SIZE: (u16, u16) = (80, 24);

fn asks(effects: &[Effect]) -> usize {
    let asked = effects.iter().filter(
        |effect| matches!(effect, Effect::Ask(Question { what, .. }) if *what == What::Runs),
    );
    asked.count()
}

#[test]
fn a_run_is_compared_with_the_one_before_it_or_with_the_marked_one() {
    let mut state = opened(SIZE, &summaries());
    let other = |state: &State| state.runs.other().map(|row| row.summary.run.id);
    assert_eq!(other(&state), Some(id(1)));
    press(&mut state, "j");
    assert_eq!(other(&state), Some(id(2)));
    press(&mut state, "j");
    assert_eq!(other(&state), None, "nothing stands before the oldest");
    press(&mut state, "b");
    assert_eq!(other(&state), None, "it is not compared with itself");
    press(&mut state, "g");
    assert_eq!(other(&state), Some(id(2)));
    press(&mut state, "Gb");
    assert_eq!(state.runs.marked, None);
}

#[test]
fn the_cursor_stays_on_its_run_when_another_begins() {
    let mut state = opened(SIZE, &summaries()[1..]);
    press(&mut state, "j");
    let before = state.runs.selected().unwrap().summary.run.id;
    let effects = press(&mut state, "R");
    answer(&mut state, effects, &summaries());
    assert_eq!(state.runs.selected().unwrap().summary.run.id, before);
    assert_eq!(state.runs.at, 2);
}

#[test]
fn a_late_answer_is_dropped_and_a_failed_one_told() {
    let mut state = told(SIZE, running());
    let effects = press(&mut state, "6");
    assert_eq!(asks(&effects), 1);
    let old = state.runs.asked;
    press(&mut state, "R");
    let late = Msg::Read(old, Ok(Answer::Runs(summaries())));
    update(&mut state, late);
    assert!(state.runs.rows.is_empty());
    let problem = Clean::new("the store is locked by another program");
    let number = state.runs.asked;
    update(&mut state, Msg::Read(number, Err(problem.clone())));
    assert_eq!(state.runs.load, Load::Failed(problem));
}

#[test]
fn figures_are_read_anew_while_a_run_goes_on_and_the_pane_is_seen() {
    let mut state = opened(SIZE, &summaries());
    let ticks = |state: &mut State| -> usize {
        (0..REREAD)
            .map(|_| asks(&update(state, Msg::Clock(None))))
            .sum()
    };
    assert_eq!(ticks(&mut state), 1);
    press(&mut state, "1");
    assert_eq!(ticks(&mut state), 0);
    press(&mut state, "6");
    update(&mut state, Msg::AllDone);
    assert_eq!(ticks(&mut state), 0);
}

#[test]
fn enter_tells_all_figures_and_c_goes_to_the_changes() {
    let mut state = opened(SIZE, &summaries());
    press_key(&mut state, Code::Enter);
    let Some(Overlay::Details(details)) = &state.overlay else {
        panic!("no details");
    };
    let told: Vec<&str> = details
        .facts
        .iter()
        .map(|fact| fact.text.as_str())
        .collect();
    assert!(told.contains(&"14,200"), "{told:?}");
    press_key(&mut state, Code::Esc);
    press(&mut state, "Gbg");
    let effects = press(&mut state, "c");
    assert_eq!(state.pane, Pane::Changes);
    assert_eq!(
        (state.changes.to, state.changes.since),
        (Some(id(0)), Some(id(2)))
    );
    assert_eq!(effects.len(), 1);
}

#[test]
fn an_empty_store_has_no_run_to_act_on() {
    let mut state = opened(SIZE, &[]);
    for key in ["b", "c", "y"] {
        assert!(press(&mut state, key).is_empty());
        assert_eq!(state.pane, Pane::Runs);
    }
    press_key(&mut state, Code::Enter);
    assert!(state.overlay.is_none());
}
