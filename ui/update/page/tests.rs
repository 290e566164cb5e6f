use engine::store::{HostId, HostState, RobotsId};
use engine::suppress::Entry;

use super::*;
use crate::engine;
use crate::input::{Code, Gesture, Key};
use crate::jobs::Question;
use crate::msg::{Msg, Wanted};
use crate::state::page::facts::Fact;
use crate::test_kit::page::{ROBOTS, answer, asked, card, hold, opened, parts, said, section};
use crate::test_kit::{press, press_key, running, told};
use crate::update::update;

const SIZE: (u16, u16) = (80, 24);

fn questions(effects: &[Effect]) -> Vec<&Question> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Ask(question) => Some(question),
            _ => None,
        })
        .collect()
}

/// How often the page is asked for.
fn pages(effects: &[Effect]) -> usize {
    let asked = questions(effects).into_iter();
    asked
        .filter(|question| matches!(question.what, What::Page(..)))
        .count()
}

fn page(state: &State) -> &HostPage {
    state.page.as_ref().unwrap()
}

fn head(state: &State) -> String {
    let lines = page(state).robots_head((200, 60));
    let lines: Vec<String> = lines
        .iter()
        .map(|Fact { text, .. }| text.to_string())
        .collect();
    lines.join("\n")
}

fn write(state: &mut State, text: &str) {
    update(state, Msg::Gesture(Gesture::Key(Key::ctrl('u'))));
    for char in text.chars() {
        let effects = press(state, &char.to_string());
        answer(state, effects, ROBOTS);
    }
}

#[test]
fn a_page_is_left_for_the_same_row_of_the_same_list() {
    for out in [Code::Esc, Code::Backspace] {
        let mut state = told(SIZE, running());
        press(&mut state, "jj");
        let before = state.live.selected;
        press_key(&mut state, Code::Enter);
        assert_eq!(Some(page(&state).id), before);
        press(&mut state, "jjG");
        press_key(&mut state, out);
        assert!(state.page.is_none());
        assert_eq!((state.pane, state.live.selected), (Pane::Live, before));
    }
}

#[test]
fn what_is_done_on_a_page_is_done_to_its_host() {
    let mut state = opened(SIZE);
    // Whatever moves in the list below it.
    state.live.selected = Some(HostId(3));
    let domain = Entry::Domain("alder.test".to_owned());
    let effects = press(&mut state, "h");
    assert!(matches!(&effects[..], [Effect::Command(_, Wanted::Hold(entry))] if *entry == domain));
    let number = questions(&ask(&mut state))[0].number;
    let mut held = parts();
    let mut card = card("docs.alder.test", HostState::Held);
    card.holds = vec![hold()];
    held.card = Ok(card);
    update(
        &mut state,
        Msg::Read(number, Ok(Answer::Page(Box::new(held)))),
    );
    assert!(state.is_held());
    let effects = press(&mut state, "h");
    assert!(matches!(&effects[0], Effect::Command(_, Wanted::Release(entry)) if *entry == domain));
}

#[test]
fn a_command_that_was_reached_is_shown_at_once() {
    let mut state = opened(SIZE);
    let effects = update(
        &mut state,
        Msg::Commanded(Clean::new("hold a"), Ok(Clean::new("reached"))),
    );
    assert!(matches!(
        questions(&effects)[..],
        [Question {
            what: What::Page(HostId(1), None),
            ..
        }]
    ));
}

#[test]
fn a_late_answer_is_dropped() {
    let mut state = told(SIZE, running());
    state.live.selected = Some(HostId(1));
    press_key(&mut state, Code::Enter);
    let old = page(&state).asked;
    press(&mut state, "R");
    let mut stale = parts();
    stale.versions = Ok(Vec::new());
    update(
        &mut state,
        Msg::Read(old, Ok(Answer::Page(Box::new(stale)))),
    );
    assert!(page(&state).versions.ready().is_none());
    press_key(&mut state, Code::Esc);
    let late = Msg::Read(old + 1, Ok(Answer::Page(Box::new(parts()))));
    assert_eq!(update(&mut state, late), []);
    assert!(state.page.is_none());
}

#[test]
fn a_page_is_read_anew_while_a_run_is_under_way_and_never_twice_at_once() {
    let mut state = opened(SIZE);
    let mut asked = 0;
    for _ in 0..12 {
        asked += pages(&update(&mut state, Msg::Clock(None)));
    }
    assert_eq!(asked, 1, "the first is not answered yet");
    update(&mut state, Msg::AllDone);
    let number = page(&state).asked;
    update(
        &mut state,
        Msg::Read(number, Ok(Answer::Page(Box::new(parts())))),
    );
    for _ in 0..12 {
        assert_eq!(pages(&update(&mut state, Msg::Clock(None))), 0);
    }
    assert_eq!(questions(&press(&mut state, "R")).len(), 1);
}

#[test]
fn one_part_that_cannot_be_read_hides_no_other() {
    let mut state = opened(SIZE);
    let mut broken = parts();
    broken.versions = Err(Clean::new("the file is damaged"));
    let number = questions(&press(&mut state, "R"))[0].number;
    update(
        &mut state,
        Msg::Read(number, Ok(Answer::Page(Box::new(broken)))),
    );
    assert!(matches!(page(&state).versions, Part::Failed(_)));
    assert!(page(&state).visits.ready().is_some());
}

#[test]
fn robots_says_what_decides_and_shows_it() {
    let state = section(SIZE, 1);
    let head = head(&state);
    for fact in [
        "/.well-known/ucp must not be asked: line 12 `Disallow: /.well-known/ucp` decides, longest of 2 that match",
        "line 5 names IntentRouteBot; read by RFC 9309; second opinion agrees",
        "2 s: Crawl-delay 2 of line 7",
        "newest of 3",
        "1 hop",
        &"ab".repeat(32),
    ] {
        assert!(head.contains(fact), "{fact} is missing:\n{head}");
    }
    let page = page(&state);
    let room = page.room(SIZE);
    let top = page.place().top;
    assert!((top..top + room).contains(&11), "line 12 is on the screen");
}

#[test]
fn any_path_and_token_can_be_tried_as_they_are_written() {
    let mut state = section(SIZE, 1);
    press(&mut state, "t");
    write(&mut state, "/a.txt");
    assert!(head(&state).starts_with("/a.txt must not be asked: line 10 `Disallow: /*.txt$`"));
    write(&mut state, "/llms.txt");
    assert!(
        head(&state)
            .starts_with("/llms.txt may be asked: line 8 `Allow: /llms.txt` decides, longest of 2")
    );
    write(&mut state, "/llms.txt as SomeBot");
    let said = head(&state);
    assert!(
        said.starts_with("/llms.txt must not be asked: line 3"),
        "{said}"
    );
    assert!(
        said.contains("SomeBot is not named, * is (line 2)"),
        "{said}"
    );
    press_key(&mut state, Code::Enter);
    assert!(state.prompt.is_none());
    press(&mut state, "t");
    // A new path begins from nothing; the one before is a key away.
    let written = |state: &State| state.prompt.as_ref().unwrap().line.text().to_owned();
    assert_eq!(written(&state), "");
    let hint = state.prompt.as_ref().unwrap().hint.clone().unwrap();
    assert!(
        hint.as_str().ends_with("Tab takes /llms.txt as SomeBot"),
        "{hint}"
    );
    press_key(&mut state, Code::Tab);
    assert_eq!(written(&state), "/llms.txt as SomeBot");
    assert!(state.prompt.as_ref().unwrap().hint.is_none());
    write(&mut state, "/other");
    let effects = press_key(&mut state, Code::Esc);
    answer(&mut state, effects, ROBOTS);
    assert!(
        head(&state).starts_with("/llms.txt must not be asked: line 3"),
        "Esc goes back"
    );
    press(&mut state, "t");
    press_key(&mut state, Code::Enter);
    assert!(state.prompt.is_none(), "nothing written, nothing tried");
    assert!(head(&state).starts_with("/llms.txt must not be asked: line 3"));
}

#[test]
fn esc_goes_back_exactly_one_step() {
    let mut state = section(SIZE, 3);
    press(&mut state, "jj");
    let at = page(&state).place().at;
    let effects = press_key(&mut state, Code::Enter);
    answer(&mut state, effects, ROBOTS);
    assert_eq!(page(&state).section, Section::Robots);
    for keys in ["t", "t/a.txt"] {
        for key in keys.chars() {
            let effects = press(&mut state, &key.to_string());
            answer(&mut state, effects, ROBOTS);
        }
        let effects = press_key(&mut state, Code::Esc);
        answer(&mut state, effects, ROBOTS);
        let said = head(&state);
        assert!(said.starts_with("/llms.txt may be asked"), "{keys}: {said}");
        assert_eq!(page(&state).section, Section::Robots, "{keys}");
    }
    // A path that is taken is looked at in the same place: one step back from there is the request.
    press(&mut state, "t/a.txt");
    press_key(&mut state, Code::Enter);
    press_key(&mut state, Code::Esc);
    assert_eq!(page(&state).section, Section::Requests);
    assert_eq!(page(&state).place().at, at);
    for keys in ["t", "t/a.txt"] {
        press(&mut state, keys);
        if keys.len() > 1 {
            press_key(&mut state, Code::Enter);
        }
        assert_eq!(page(&state).section, Section::Robots);
        press_key(&mut state, Code::Esc);
        let back = page(&state).section;
        assert_eq!(back, Section::Requests, "back to where the box was opened");
    }
    press_key(&mut state, Code::Esc);
    assert!(state.page.is_none());
}

#[test]
fn what_is_cut_short_names_the_key_that_shows_all_of_it() {
    use crate::state::Overlay;
    for tabs in 0..6 {
        let mut state = section((60, 15), tabs);
        press(&mut state, "d");
        let Some(Overlay::Details(details)) = &state.overlay else {
            panic!("{:?}: no details", page(&state).section);
        };
        assert!(!details.facts.is_empty());
        press(&mut state, "G");
        press_key(&mut state, Code::Esc);
        assert!(state.overlay.is_none() && state.page.is_some());
    }
    let state = section((60, 15), 1);
    let head = page(&state).robots_head((60, 15));
    let last = head.last().unwrap().text.as_str();
    assert!(last.ends_with("(more: d)"), "{last}");
}

#[test]
fn what_is_no_path_is_told_while_it_is_written_and_not_taken() {
    let mut state = section(SIZE, 1);
    press(&mut state, "t");
    let before = page(&state).robots.question.clone();
    for text in ["llms.txt", " ", "/a as", "/a as two words"] {
        update(&mut state, Msg::Gesture(Gesture::Key(Key::ctrl('u'))));
        let asked = text
            .chars()
            .map(|char| press(&mut state, &char.to_string()));
        let last = asked.last().unwrap_or_default();
        assert_eq!(questions(&last).len(), 0, "{text}");
        assert!(state.prompt.as_ref().unwrap().wrong.is_some(), "{text}");
        press_key(&mut state, Code::Enter);
        assert!(state.prompt.is_some(), "{text}");
    }
    press_key(&mut state, Code::Esc);
    assert_eq!(page(&state).robots.question, before);
}

#[test]
fn older_and_newer_fetches_are_chosen_and_the_newest_is_followed() {
    let mut state = section(SIZE, 1);
    for (key, id, says) in [
        (
            "[",
            6,
            "may be asked: the policy takes 404 as no robots.txt",
        ),
        ("[", 5, "must not be asked: the policy takes 503 as closed"),
        ("[", 5, "must not be asked"),
        ("]", 6, "may be asked"),
        ("]", 7, "must not be asked: line 12"),
    ] {
        let effects = press(&mut state, key);
        answer(&mut state, effects, ROBOTS);
        let question = page(&state).robots.question.as_ref().unwrap();
        assert_eq!(question.fetch, RobotsId(id), "{key}");
        let said = head(&state);
        assert!(said.contains(says), "{says} is missing:\n{said}");
    }
    let mut newer = parts();
    let fetch = crate::test_kit::page::fetch(8, Some(404), "open", None);
    newer.fetches.as_mut().unwrap().insert(0, fetch);
    let number = questions(&press(&mut state, "R"))[0].number;
    let effects = update(
        &mut state,
        Msg::Read(number, Ok(Answer::Page(Box::new(newer)))),
    );
    answer(&mut state, effects, ROBOTS);
    assert_eq!(
        page(&state).robots.question.as_ref().unwrap().fetch,
        RobotsId(8)
    );
    press_key(&mut state, Code::Tab);
    assert_eq!(press(&mut state, "["), [], "it belongs to one part");
}

#[test]
fn a_path_is_explained_once_and_not_with_every_reading() {
    let mut state = section(SIZE, 1);
    let number = questions(&press(&mut state, "R"))[0].number;
    answer(&mut state, Vec::new(), ROBOTS);
    let asked = page(&state).robots.asked;
    update(
        &mut state,
        Msg::Read(number, Ok(Answer::Page(Box::new(parts())))),
    );
    assert_eq!(page(&state).robots.asked, asked);
}

fn long(count: i64) -> Vec<engine::store::LogLine> {
    (0..count)
        .rev()
        .map(|at| asked(at * 2_100, "/llms.txt", Some(2_013)))
        .collect()
}

#[test]
fn older_requests_are_read_when_the_last_ones_come_near() {
    let mut state = section(SIZE, 3);
    let all = long(250);
    let mut first = parts();
    first.requests = Ok(all[..100].to_vec());
    let number = questions(&press(&mut state, "R"))[0].number;
    let effects = update(
        &mut state,
        Msg::Read(number, Ok(Answer::Page(Box::new(first)))),
    );
    assert_eq!(questions(&effects).len(), 0);
    let effects = press(&mut state, "G");
    let [
        Question {
            number,
            what: What::Requests(HostId(1), before),
            ..
        },
    ] = questions(&effects)[..]
    else {
        panic!("{effects:?}");
    };
    assert_eq!(*before, all[99].row.key);
    assert_eq!(press(&mut state, "k"), [], "asked once");
    update(
        &mut state,
        Msg::Read(*number, Ok(Answer::Requests(all[100..200].to_vec()))),
    );
    assert_eq!(page(&state).requests.ready().unwrap().rows.len(), 200);
    // Newer ones come in above: the cursor stays on its request, nothing is lost or doubled.
    let selected = page(&state).request().unwrap().line.row.key;
    let mut newest = parts();
    let newer = asked(250 * 2_100, "/robots.txt", Some(2_013));
    newest.requests = Ok(std::iter::once(newer).chain(all[..99].to_vec()).collect());
    let number = questions(&press(&mut state, "R"))[0].number;
    update(
        &mut state,
        Msg::Read(number, Ok(Answer::Page(Box::new(newest)))),
    );
    let requests = page(&state).requests.ready().unwrap();
    let keys: Vec<_> = requests.rows.iter().map(|row| row.line.row.key).collect();
    assert_eq!(keys.len(), 201);
    assert!(keys.is_sorted_by(|a, b| a > b));
    assert_eq!(page(&state).request().unwrap().line.row.key, selected);
}

#[test]
fn a_hole_between_old_and_new_requests_is_not_papered_over() {
    let mut state = section(SIZE, 3);
    let all = long(400);
    for (range, rows) in [(300..400, 100), (0..100, 100)] {
        let mut read = parts();
        read.requests = Ok(all[range].to_vec());
        let number = questions(&press(&mut state, "R"))[0].number;
        update(
            &mut state,
            Msg::Read(number, Ok(Answer::Page(Box::new(read)))),
        );
        assert_eq!(page(&state).requests.ready().unwrap().rows.len(), rows);
    }
}

#[test]
fn a_gap_that_was_not_kept_is_told() {
    let state = section(SIZE, 3);
    let requests = page(&state).requests.ready().unwrap();
    let words: Vec<&str> = requests.rows.iter().map(|row| row.kept.word()).collect();
    assert_eq!(words, ["short", "", "", ""]);
    let facts = requests.rows[0].facts("https");
    assert!(
        facts
            .iter()
            .any(|fact| fact.text.as_str() == "too short: 1.250 s of 2 s")
    );
}

#[test]
fn the_address_of_the_selected_request_is_copied() {
    let mut state = section(SIZE, 3);
    let effects = press(&mut state, "jy");
    let url = Clean::new("https://docs.alder.test/.well-known/ard.json");
    assert_eq!(effects, [Effect::Copy(url)]);
    press_key(&mut state, Code::Tab);
    assert_eq!(
        press(&mut state, "y"),
        [Effect::Copy(Clean::new("docs.alder.test"))]
    );
}

#[test]
fn sections_go_round_and_keep_their_place() {
    let mut state = section((80, 12), 3);
    press(&mut state, "jj");
    press_key(&mut state, Code::BackTab);
    assert_eq!(page(&state).section, Section::Visits);
    press_key(&mut state, Code::Tab);
    assert_eq!(page(&state).place().at, 2);
    for _ in 0..6 {
        press_key(&mut state, Code::Tab);
    }
    assert_eq!(page(&state).section, Section::Requests);
}

#[test]
fn a_giant_hostile_robots_txt_is_scrolled_to_its_end() {
    let giant = format!(
        "User-agent: *\n{}\n{}Disallow: /\n",
        "e".to_owned() + &"\u{301}".repeat(100_000),
        "#\u{1b}]0;x\u{7}\n".repeat(20_000)
    );
    let mut state = section(SIZE, 0);
    let effects = press_key(&mut state, Code::Tab);
    answer(&mut state, effects, &giant);
    press(&mut state, "G");
    let page = page(&state);
    let length = page.robots.length(80, &page.robots_below(SIZE));
    assert!(length >= 20_003);
    assert_eq!(page.place().top + page.room(SIZE), length);
    let (line, _) = page.robots.line(1).unwrap();
    assert!(line.width() < 4_000 && line.as_str().ends_with("more bytes>"));
    let question = page.robots.question.clone().unwrap();
    assert_eq!(
        said(Some(&giant), &question).file.unwrap().verdict.line,
        Some(20_003)
    );
}

#[test]
fn a_request_leads_to_the_line_that_allowed_it() {
    let mut state = section(SIZE, 3);
    press(&mut state, "jj");
    let effects = press_key(&mut state, Code::Enter);
    answer(&mut state, effects, ROBOTS);
    assert_eq!(page(&state).section, Section::Robots);
    let said = head(&state);
    assert!(said.starts_with("/llms.txt may be asked: line 8"), "{said}");
    press_key(&mut state, Code::Tab);
    press_key(&mut state, Code::Tab);
    press(&mut state, "G");
    assert_eq!(press_key(&mut state, Code::Enter), [], "robots.txt itself");
    assert_eq!(page(&state).section, Section::Requests);
    press_key(&mut state, Code::Tab);
    press_key(&mut state, Code::Tab);
    assert_eq!(press_key(&mut state, Code::Enter), [], "no request there");
}

#[test]
fn a_policy_that_cannot_be_read_is_told_and_takes_nothing_else_away() {
    let mut state = section(SIZE, 3);
    let mut broken = parts();
    broken.promised = Err(Clean::new("the policy of 2026-W49 cannot be read"));
    let number = questions(&press(&mut state, "R"))[0].number;
    let read = Ok(Answer::Page(Box::new(broken)));
    update(&mut state, Msg::Read(number, read));
    let lines = page(&state).overview_lines(80);
    let told = |fact: &Fact| fact.label == "policy" && fact.text.as_str().contains("2026-W49");
    assert!(lines.iter().any(told));
    let url = page(&state).request().unwrap().url("");
    assert_eq!(url.as_str(), "docs.alder.test/openapi.json");
}

#[test]
fn the_disk_is_looked_after_while_a_page_is_open() {
    let mut state = opened(SIZE);
    let mut asked = Vec::new();
    for _ in 0..500 {
        asked.extend(update(&mut state, Msg::Clock(None)));
    }
    let asked = questions(&asked);
    assert!(asked.iter().any(|question| question.what == What::Around));
}

#[test]
fn a_page_steps_back_run_by_run_and_returns_to_now() {
    use engine::store::RunId;
    let asked = |effects: &[Effect]| match questions(effects)[..] {
        [
            Question {
                what: What::Page(HostId(1), run),
                ..
            },
        ] => *run,
        _ => panic!("{effects:?}"),
    };
    let mut state = section(SIZE, 2);
    for (expected, rows) in [(Some(RunId(2)), 1), (Some(RunId(1)), 0)] {
        let effects = press(&mut state, "<");
        assert_eq!(asked(&effects), expected);
        assert!(
            page(&state).visits.ready().is_none(),
            "nothing of now is shown as of then"
        );
        answer(&mut state, effects, ROBOTS);
        assert_eq!(page(&state).visits.ready().unwrap().len(), rows);
        assert_eq!(page(&state).section, Section::Visits);
    }
    assert_eq!(page(&state).as_of().unwrap().as_str(), "as of 2026-W47");
    assert_eq!(
        pages(&press(&mut state, "<")),
        0,
        "there is no run before it"
    );
    assert_eq!(
        state.notices.shown().unwrap().text.as_str(),
        "there is no run before this one"
    );
    let effects = press(&mut state, ">");
    assert_eq!(asked(&effects), Some(RunId(2)));
    answer(&mut state, effects, ROBOTS);
    // Escape goes one step: to now, then to the list.
    let effects = press_key(&mut state, Code::Esc);
    assert_eq!(asked(&effects), None);
    answer(&mut state, effects, ROBOTS);
    assert_eq!(page(&state).as_of(), None);
    assert_eq!(page(&state).visits.ready().unwrap().len(), 2);
    assert_eq!(pages(&press(&mut state, ">")), 0, "there is no later");
    press_key(&mut state, Code::Esc);
    assert!(state.page.is_none());
}

/// How often the page is asked for while time goes by.
fn ticks(state: &mut State) -> usize {
    let ticks = (0..20).map(|_| pages(&update(state, Msg::Clock(None))));
    ticks.sum()
}

#[test]
fn the_past_is_not_read_anew_while_a_run_goes_on() {
    let mut state = opened(SIZE);
    let effects = press(&mut state, "<");
    answer(&mut state, effects, ROBOTS);
    let asked = ticks(&mut state);
    assert_eq!(asked, 0);
    let effects = press(&mut state, ">");
    answer(&mut state, effects, ROBOTS);
    let asked = ticks(&mut state);
    assert!(asked > 0, "but now is");
}

#[test]
fn a_name_in_another_script_stands_behind_the_one_that_is_asked() {
    use crate::state::page::overview::Overview;
    let of = |name: &str| {
        let card = crate::test_kit::page::card(name, engine::store::HostState::Held);
        let facts = Overview::new(card).facts(Default::default(), Some("https"), None);
        let reads = facts.iter().find(|fact| fact.label == "reads");
        (
            facts[0].text.to_string(),
            reads.map(|fact| fact.text.to_string()),
        )
    };
    let (address, reads) = of("xn--fiqs8s.test");
    assert_eq!(address, "https://xn--fiqs8s.test/");
    assert_eq!(reads.as_deref(), Some("中国.test"));
    assert_eq!(of("docs.alder.test").1, None);
}

#[test]
fn q_leaves_the_page_and_only_then_the_program() {
    let mut state = section(SIZE, 3);
    press(&mut state, "jj");
    press_key(&mut state, Code::Enter);
    press(&mut state, "q");
    assert!(state.page.is_none() && state.overlay.is_none());
    press(&mut state, "q");
    assert!(state.overlay.is_some(), "a run is under way: it asks first");
}
