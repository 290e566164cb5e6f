use engine::store::RunId;

use super::*;
use crate::engine;
use crate::input::Code;
use crate::jobs::changes::Begun;
use crate::msg::Msg;
use crate::state::changes::Changes;
use crate::test_kit::changes::{answer, line, pressed, shown};
use crate::test_kit::{press, press_key, running, told};
use crate::update::update;

const SIZE: (u16, u16) = (80, 24);
const LENGTH: usize = 10_000;

fn changes(state: &State) -> &Changes {
    &state.changes
}

/// What the first question of some effects asks for.
fn asked(effects: &[Effect]) -> Asked {
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Ask(question) => match &question.what {
            What::Changes(asked) => Some(asked.clone()),
            _ => None,
        },
        _ => None,
    });
    asked.unwrap_or_else(|| panic!("{effects:?}"))
}

#[test]
fn the_cursor_is_always_seen_and_its_row_is_read_wherever_it_goes() {
    let mut state = shown(SIZE, LENGTH);
    for keys in [
        "j",
        "jjjjjjjjjjjjjjjjjjjjjjj",
        "G",
        "k",
        "g",
        "n",
        "N",
        "Gkkkkkkkkkkkkkkkkkkkkkkkkk",
    ] {
        pressed(&mut state, keys, LENGTH);
        let changes = changes(&state);
        let seen = changes.top..changes.top + changes.visible(changes.top, room(SIZE));
        assert!(
            seen.contains(&changes.at),
            "{keys}: {} in {seen:?}",
            changes.at
        );
        for at in seen {
            let row = changes
                .row(at)
                .unwrap_or_else(|| panic!("{keys}: row {at} is not read"));
            assert_eq!(row.line.key, line(at).key);
        }
    }
    for key in [Code::PageDown, Code::End, Code::PageUp, Code::Home] {
        let effects = press_key(&mut state, key);
        answer(&mut state, effects, LENGTH);
        assert!(changes(&state).selected_row().is_some(), "{key:?}");
    }
}

#[test]
fn a_long_list_is_never_held_whole() {
    let mut state = shown(SIZE, LENGTH);
    let mut most = 0;
    for _ in 0..LENGTH / 50 {
        for _ in 0..5 {
            let effects = press_key(&mut state, Code::PageDown);
            answer(&mut state, effects, LENGTH);
        }
        let held = (0..LENGTH).filter(|at| changes(&state).row(*at).is_some());
        most = most.max(held.count());
    }
    assert_eq!(changes(&state).at, LENGTH - 1);
    assert!(most < 1_500, "{most} rows held");
}

#[test]
fn next_goes_past_what_is_the_same() {
    let mut state = shown(SIZE, LENGTH);
    pressed(&mut state, "n", LENGTH);
    assert_eq!(changes(&state).at, 2, "1 was sent whole and is the same");
    pressed(&mut state, "nnnn", LENGTH);
    assert_eq!(changes(&state).at, 6);
    pressed(&mut state, "n", LENGTH);
    assert_eq!(changes(&state).at, 8);
    pressed(&mut state, "NNNNNNNNNN", LENGTH);
    assert_eq!(changes(&state).at, 0);
}

#[test]
fn a_run_is_chosen_and_compared_with_older_ones_only() {
    let mut state = shown(SIZE, 20);
    pressed(&mut state, "w", 20);
    let effects = press(&mut state, "jj");
    assert!(effects.is_empty());
    let effects = press_key(&mut state, Code::Enter);
    assert_eq!(asked(&effects).to, Some(RunId(1)));
    answer(&mut state, effects, 20);
    assert!(changes(&state).sparse);
    pressed(&mut state, "b", 20);
    let Some(Overlay::Runs(pick)) = &state.overlay else {
        panic!("no choice")
    };
    assert_eq!(pick.entries.len(), 1, "nothing is older than the first run");
    press_key(&mut state, Code::Esc);
    // The newest one, compared with the oldest.
    pressed(&mut state, "wk", 20);
    pressed(&mut state, "k", 20);
    let effects = press_key(&mut state, Code::Enter);
    assert_eq!(asked(&effects).to, Some(RunId(3)));
    answer(&mut state, effects, 20);
    pressed(&mut state, "bjj", 20);
    let effects = press_key(&mut state, Code::Enter);
    assert_eq!(asked(&effects).since, Some(RunId(1)));
    answer(&mut state, effects, 20);
    // Another run takes the older one away where it is none.
    pressed(&mut state, "wjj", 20);
    let effects = press_key(&mut state, Code::Enter);
    let asked = asked(&effects);
    assert_eq!((asked.to, asked.since), (Some(RunId(1)), None));
}

#[test]
fn a_filter_reads_another_list_and_undo_takes_it_back() {
    let mut state = shown(SIZE, 20);
    press(&mut state, "/kind:gone");
    let effects = press(&mut state, " size>1kb");
    assert!(!asked(&effects).filter.is_all());
    press_key(&mut state, Code::Enter);
    let effects = press(&mut state, "u");
    assert!(asked(&effects).filter.is_all());
    press(&mut state, "/kind:nonsense");
    assert!(state.prompt.as_ref().unwrap().wrong.is_some());
}

#[test]
fn a_late_answer_to_an_older_question_is_dropped() {
    let mut state = shown(SIZE, 20);
    let effects = press(&mut state, "R");
    let Effect::Ask(older) = &effects[0] else {
        panic!("{effects:?}")
    };
    let newer = press(&mut state, "R");
    let begun = Begun {
        runs: Vec::new(),
        span: None,
        sparse: false,
        lines: Vec::new(),
    };
    let late = Msg::Read(older.number, Ok(Answer::ChangesBegun(Box::new(begun))));
    update(&mut state, late);
    assert_eq!(changes(&state).len(), 20);
    answer(&mut state, newer, 20);
    assert_eq!(changes(&state).len(), 20);
}

#[test]
fn what_stands_on_the_screen_stays_until_the_same_list_is_read_anew() {
    let mut state = shown(SIZE, LENGTH);
    pressed(&mut state, "Gkkk", LENGTH);
    let before = changes(&state).at;
    let effects = press(&mut state, "R");
    assert!(changes(&state).selected_row().is_some());
    answer(&mut state, effects, LENGTH);
    assert_eq!(changes(&state).at, before);
    assert!(changes(&state).selected_row().is_some());
}

#[test]
fn enter_opens_what_changed_or_the_versions_where_nothing_is_compared() {
    // Changed, the same bytes, gone, back with the same bytes, back to older bytes.
    for (at, compared) in [(0, true), (1, false), (3, false), (4, false), (5, true)] {
        let mut state = shown(SIZE, 20);
        pressed(&mut state, &"j".repeat(at), 20);
        press_key(&mut state, Code::Enter);
        assert_eq!(state.diff.is_some(), compared, "row {at}");
        if let Some(diff) = &state.diff {
            let wanted = &diff.wanted;
            assert_eq!((wanted.old.number, wanted.new.number), (Some(2), Some(3)));
            assert_eq!(wanted.new.location, line(at).location);
        } else {
            let page = state.page.as_ref().unwrap();
            assert_eq!(page.host, line(at).host);
            assert_eq!(page.section, Section::Versions);
        }
        press_key(&mut state, Code::Esc);
        assert!(state.diff.is_none() && state.page.is_none());
        assert_eq!((state.pane, changes(&state).at), (Pane::Changes, at));
    }
}

#[test]
fn a_first_version_is_compared_with_nothing() {
    let mut state = shown(SIZE, 20);
    pressed(&mut state, "jj", 20);
    press_key(&mut state, Code::Enter);
    let wanted = &state.diff.as_ref().unwrap().wanted;
    assert_eq!((wanted.old.number, wanted.new.number), (None, Some(1)));
}

#[test]
fn the_url_of_a_location_is_copied() {
    let mut state = shown(SIZE, 20);
    pressed(&mut state, "j", 20);
    let effects = press(&mut state, "y");
    let url = "https://docs.alder.test/llms.txt";
    assert_eq!(effects, [Effect::Copy(Clean::new(url))]);
}

#[test]
fn a_store_without_a_run_and_a_failure_say_so() {
    let mut state = told(SIZE, running());
    let effects = press(&mut state, "3");
    let Effect::Ask(question) = &effects[0] else {
        panic!("{effects:?}")
    };
    let problem = Clean::new("the store is locked");
    update(&mut state, Msg::Read(question.number, Err(problem.clone())));
    assert_eq!(changes(&state).load, Load::Failed(problem));
    // Coming back asks again.
    press(&mut state, "1");
    let effects = press(&mut state, "3");
    assert_eq!(asked(&effects), Asked::default());
    press(&mut state, "w");
    assert!(state.overlay.is_none(), "there is nothing to choose from");
}

#[test]
fn changes_are_read_anew_while_a_run_goes_on_and_when_the_pane_is_come_back_to() {
    let mut state = shown(SIZE, 18);
    let lists = |effects: &[Effect]| {
        let asked = effects.iter().filter(|effect| {
            matches!(effect, Effect::Ask(question) if matches!(question.what, What::Changes(_)))
        });
        asked.count()
    };
    let mut asked = 0;
    for _ in 0..REREAD {
        asked += lists(&update(&mut state, Msg::Clock(None)));
    }
    assert_eq!(asked, 1);
    let effects = press(&mut state, "R");
    answer(&mut state, effects, 18);
    press(&mut state, "1");
    assert_eq!(lists(&press(&mut state, "3")), 1);
}
