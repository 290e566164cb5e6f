use super::*;
use crate::input::{Code, Gesture, Key};
use crate::jobs::diff::Asked;
use crate::msg::Msg;
use crate::test_kit::{diff, page, press, press_key, running, told};
use crate::update::update;

const SIZE: (u16, u16) = (120, 36);
const OLD: &[u8] = b"# Alder\n\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";
const NEW: &[u8] =
    b"# Alder\n\none\nTWO\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\n";

fn opened() -> State {
    let mut state = told(SIZE, running());
    diff::open(&mut state, Some(OLD), NEW);
    state
}

fn shown(state: &State) -> &Diff {
    state.diff.as_ref().unwrap()
}

fn wanted(effects: &[Effect]) -> &Asked {
    match effects {
        [Effect::Ask(question)] => match &question.what {
            What::Diff(asked) => asked,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

fn notice(state: &State) -> &str {
    state
        .notices
        .shown()
        .map_or("", |notice| notice.text.as_str())
}

#[test]
fn enter_on_a_version_opens_what_changed_and_esc_goes_back() {
    let mut state = page::section(SIZE, 4);
    let effects = press_key(&mut state, Code::Enter);
    let asked = wanted(&effects);
    let (location, number) = state.page.as_ref().unwrap().versions.ready().unwrap()[0]
        .which
        .clone();
    assert_eq!(
        asked.new,
        Which {
            location: location.clone(),
            number: Some(number)
        }
    );
    assert_eq!(
        asked.old,
        Which {
            location,
            number: None
        }
    );
    press_key(&mut state, Code::Esc);
    assert!(state.diff.is_none() && state.page.is_some());
    press_key(&mut state, Code::Enter);
    press(&mut state, "q");
    assert!(state.diff.is_none() && state.page.is_some());
}

#[test]
fn keys_go_through_changes_and_places() {
    let mut state = opened();
    assert_eq!(
        shown(&state).row().unwrap().kind,
        Kind::Removed,
        "the first change"
    );
    press(&mut state, "n");
    assert_eq!(shown(&state).row().unwrap().new, Some(12));
    press(&mut state, "n");
    assert_eq!(notice(&state), "this is the last change");
    press(&mut state, "N");
    assert_eq!(shown(&state).row().unwrap().old, Some(3));
    press(&mut state, "/T");
    press_key(&mut state, Code::Enter);
    let found: Vec<usize> = (0..4)
        .map(|_| {
            let at = shown(&state).place.at;
            press(&mut state, "n");
            at
        })
        .collect();
    assert!(found.windows(2).all(|pair| pair[0] != pair[1]), "{found:?}");
    press(&mut state, "/zzz");
    press_key(&mut state, Code::Enter);
    assert!(
        notice(&state).contains("stands in none"),
        "{}",
        notice(&state)
    );
    // Esc gives back what was looked for before.
    press(&mut state, "/x");
    press_key(&mut state, Code::Esc);
    assert_eq!(shown(&state).search, "Tzzz");
}

#[test]
fn more_lines_are_shown_and_the_cursor_stays_on_its_line() {
    let mut state = opened();
    press(&mut state, "n");
    let before = shown(&state).rows().len();
    press(&mut state, "-----");
    assert_eq!(notice(&state), "no line is shown but those that changed");
    assert!(shown(&state).rows().len() < before);
    assert_eq!(shown(&state).row().unwrap().new, Some(12));
    press(&mut state, "+++++++++");
    assert_eq!(notice(&state), "every line is shown");
    assert_eq!(shown(&state).row().unwrap().new, Some(12));
    assert_eq!(shown(&state).rows().len(), 1 + 14, "a head and all lines");
}

#[test]
fn late_answers_are_dropped_and_finer_ones_keep_the_place() {
    let mut state = told(SIZE, running());
    diff::open(&mut state, Some(OLD), NEW);
    press(&mut state, "n");
    let (at, number) = (shown(&state).place.at, shown(&state).asked);
    let pair = diff::pair(Some(OLD), NEW);
    let all = diff::told(&pair, &shown(&state).wanted.clone());
    assert!(all[0].fine.is_none(), "lines come first");
    assert!(all.last().unwrap().fine.is_some());
    for told in all.clone() {
        update(
            &mut state,
            Msg::Read(number, Ok(Answer::Diff(Box::new(told)))),
        );
        assert_eq!(shown(&state).place.at, at);
    }
    press(&mut state, "R");
    let problem = || Err(Clean::new("the store is locked"));
    update(&mut state, Msg::Read(number, problem()));
    assert!(
        shown(&state).told.ready().is_some(),
        "an answer to the question before"
    );
    let number = shown(&state).asked;
    update(&mut state, Msg::Read(number, problem()));
    assert!(matches!(shown(&state).told, Part::Failed(_)));
}

#[test]
fn versions_are_chosen_stepped_through_and_followed() {
    let mut state = opened();
    let effects = press(&mut state, "]");
    assert_eq!(wanted(&effects).new.number, Some(3));
    // From the version asked for, which is not there yet.
    let effects = press(&mut state, "[");
    assert_eq!(wanted(&effects).new.number, Some(2));
    let effects = press(&mut state, "[");
    assert_eq!(wanted(&effects).new.number, Some(1));
    diff::answer(&mut state, Some(OLD), NEW);
    press(&mut state, "v");
    let Some(Overlay::Pick(pick)) = &state.overlay else {
        panic!("no list");
    };
    assert_eq!(pick.entries.len(), 4);
    press(&mut state, "jjj");
    let effects = press_key(&mut state, Code::Enter);
    assert_eq!(wanted(&effects).old.number, Some(1), "the last of the list");
    press(&mut state, "V");
    let Some(Overlay::Pick(pick)) = &mut state.overlay else {
        panic!("no list");
    };
    pick.marked = 0;
    let effects = press_key(&mut state, Code::Enter);
    assert_eq!(
        wanted(&effects).new.number,
        None,
        "a pinned version against the newest"
    );
    assert_eq!(wanted(&effects).old.number, Some(1));
}

#[test]
fn a_change_is_copied_cleaned_and_a_version_cited() {
    let mut state = told(SIZE, running());
    diff::open(&mut state, Some(b"a\nb\n"), b"a\nb\x1b[2J\r\n");
    let effects = press(&mut state, "y");
    let [Effect::CopyLines(lines, what)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let lines: Vec<&str> = lines.iter().map(Clean::as_str).collect();
    assert_eq!(lines, [" a", "-b", "+b^[[2J^M"]);
    assert_eq!(what.as_str(), "change 1");
    let effects = press(&mut state, "Y");
    let cite = format!("docs.alder.test, 2026-11-02, {}", "ab".repeat(32));
    assert_eq!(effects, [Effect::Copy(Clean::new(cite))]);
}

#[test]
fn a_patch_is_saved_exactly_and_never_over_a_file() {
    let mut state = opened();
    press(&mut state, "W");
    let name = state.prompt.as_ref().unwrap().line.text().to_owned();
    assert_eq!(name, "docs.alder.test-llms.txt-1-2.patch");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.patch");
    update(&mut state, Msg::Gesture(Gesture::Key(Key::ctrl('u'))));
    press(&mut state, path.to_str().unwrap());
    let effects = press_key(&mut state, Code::Enter);
    let [Effect::Save(save)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    assert!(crate::patch::save(save).unwrap().contains("it.patch"));
    let written = std::fs::read(&path).unwrap();
    assert_eq!(engine::history::apply(OLD, &written).unwrap(), NEW);
    let problem = crate::patch::save(save).unwrap_err();
    assert!(problem.contains("is there already"), "{problem}");
    assert_eq!(std::fs::read(&path).unwrap(), written);
}

#[test]
fn other_looks_are_asked_for_and_left_again() {
    let mut state = opened();
    assert_eq!(wanted(&press(&mut state, "f")).look, Look::Laid);
    diff::answer(&mut state, Some(OLD), NEW);
    let notes = shown(&state).notes();
    assert_eq!(
        notes[0].as_str(),
        "not reflowed: it is neither JSON nor XML"
    );
    assert_eq!(wanted(&press(&mut state, "b")).look, Look::Bytes);
    assert_eq!(wanted(&press(&mut state, "b")).look, Look::Text);
    diff::answer(&mut state, Some(OLD), NEW);
    assert_eq!(press(&mut state, "e"), [], "there is nothing to decode");
    let mut state = told(SIZE, running());
    diff::open(&mut state, Some(b"caf\xe9\n"), b"caf\xe9s\n");
    assert!(
        shown(&state).notes()[0]
            .as_str()
            .starts_with("Latin-1, guessed")
    );
    assert!(wanted(&press(&mut state, "e")).raw);
}

#[test]
fn a_giant_line_of_json_shows_its_three_changed_values() {
    let item = |at: usize, value: usize| format!("{{\"id\":{at},\"value\":{value}}}");
    let giant = |changed: &[usize]| {
        let items: Vec<String> = (0..40_000)
            .map(|at| item(at, at * 7 + usize::from(changed.contains(&at))))
            .collect();
        format!("[{}]", items.join(",")).into_bytes()
    };
    let (old, new) = (giant(&[]), giant(&[3, 20_000, 39_999]));
    assert!(old.len() > 1_000_000);
    for keys in ["", "f"] {
        let mut state = told(SIZE, running());
        diff::open(&mut state, Some(&old), &new);
        if !keys.is_empty() {
            press(&mut state, keys);
            diff::answer(&mut state, Some(&old), &new);
        }
        let compared = shown(&state).compared().unwrap();
        assert_eq!(compared.script.changes.len(), 3, "{keys}");
        assert!(shown(&state).rows().len() < 60, "{keys}");
    }
}

#[test]
fn what_looks_the_same_is_told_apart() {
    let (old, new) = ("e\u{301}\nx\n", "é\nx\n");
    let told = diff::told(
        &diff::pair(Some(old.as_bytes()), new.as_bytes()),
        &diff::asked(),
    );
    let fine = told.last().unwrap().fine.clone().unwrap();
    assert_eq!(
        (fine.old_alike.get(&0), fine.new_alike.get(&0)),
        (Some(&0), Some(&0))
    );
    let told = diff::told(&diff::pair(Some(b"a"), b"a\n"), &diff::asked());
    let fine = told.last().unwrap().fine.clone().unwrap();
    assert!(
        fine.old_alike.is_empty(),
        "a missing line end is told by itself"
    );
    let (old, new) = (b"a\x1bb\n", b"a^[b\n");
    let told = diff::told(&diff::pair(Some(old), new), &diff::asked());
    let fine = told.last().unwrap().fine.clone().unwrap();
    assert_eq!(fine.new_alike.get(&0), Some(&1));
    assert_eq!(fine.old_alike.get(&0), Some(&1));
}

#[test]
fn large_bodies_are_told_by_digest_and_cut_off_work_tells_nothing() {
    let large = vec![b'a'; crate::jobs::diff::LARGEST + 1];
    let told = diff::told(&diff::pair(Some(b"a"), &large), &diff::asked());
    assert_eq!(told.len(), 1);
    assert!(told[0].too_large() && told[0].compared.is_none());
    let stop = engine::history::Stop::never();
    stop.end();
    let mut told = 0;
    let pair = diff::pair(Some(OLD), NEW);
    crate::jobs::diff::steps(pair, &diff::asked(), &stop, &mut |_| told += 1);
    assert_eq!(told, 0);
}
