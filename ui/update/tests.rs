use engine::crawl::{HostState, RunState, Update};
use engine::store::HostId;
use engine::suppress::Entry;

use super::*;
use crate::action::Action;
use crate::input::{Code, Gesture, Key, Mouse, MouseKind};
use crate::jobs::{Answer, What};
use crate::msg::Wanted;
use crate::state::alarms::{Around, Room};
use crate::state::live::{Focus, Sort};
use crate::test_kit::{asking, host, press, press_key, row, running, told};
use crate::view::{Hit, Hits};

const SIZE: (u16, u16) = (80, 24);

fn command(effects: &[Effect]) -> Vec<Wanted> {
    effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Command(_, wanted) => Some(wanted.clone()),
            _ => None,
        })
        .collect()
}

fn select(state: &mut State, id: i64) {
    state.live.selected = Some(HostId(id));
}

#[test]
fn the_cursor_stays_on_its_host() {
    let mut state = told(SIZE, running());
    assert_eq!(state.live.order, [2, 4, 1, 5, 3].map(HostId), "by turn");
    press(&mut state, "jj");
    let chosen = state.live.selected;
    press(&mut state, "sj");
    press_key(&mut state, Code::Enter);
    assert_eq!(state.live.sort, Sort::Host);
    assert_eq!(state.live.order, [3, 1, 5, 2, 4].map(HostId), "by name");
    assert_eq!(state.live.selected, chosen);
}

#[test]
fn a_host_that_goes_leaves_the_cursor_in_place() {
    let mut state = told(SIZE, running());
    select(&mut state, 1);
    let mut news = running();
    news.rows.clear();
    news.gone = vec![HostId(1)];
    update(&mut state, Msg::Update(Box::new(news)));
    assert_eq!(state.live.selected, Some(HostId(5)));
}

#[test]
fn movement_stays_inside() {
    let mut state = told(SIZE, running());
    press(&mut state, "G");
    assert_eq!(state.live.cursor(), Some(4));
    press(&mut state, "jjj");
    press_key(&mut state, Code::PageDown);
    assert_eq!(state.live.cursor(), Some(4));
    press(&mut state, "g");
    press(&mut state, "k");
    press_key(&mut state, Code::PageUp);
    assert_eq!(state.live.cursor(), Some(0));
    press_key(&mut state, Code::Tab);
    assert_eq!(state.live.focus, Focus::Log);
    press(&mut state, "g");
    assert_eq!(state.live.log_up, 2);
    press(&mut state, "G");
    assert_eq!(state.live.log_up, 0);
}

#[test]
fn pause_asks_and_shows_only_what_was_reached() {
    let mut state = told(SIZE, running());
    assert_eq!(command(&press(&mut state, "p")), [Wanted::Pause]);
    assert_eq!(state.live.run_state, Some(RunState::Running));
    for said in [RunState::Pausing, RunState::Paused] {
        let news = Update {
            state: Some(said),
            ..running()
        };
        update(&mut state, Msg::Update(Box::new(news)));
        assert_eq!(command(&press(&mut state, "p")), [Wanted::Resume]);
    }
}

#[test]
fn news_without_a_state_keeps_the_last_one() {
    let mut state = told(SIZE, running());
    let news = Update {
        state: None,
        ..running()
    };
    update(&mut state, Msg::Update(Box::new(news)));
    assert_eq!(state.live.run_state, Some(RunState::Running));
}

#[test]
fn hold_and_release() {
    let mut state = told(SIZE, running());
    select(&mut state, 1);
    let domain = |name: &str| Entry::Domain(name.to_owned());
    assert_eq!(
        command(&press(&mut state, "h")),
        [Wanted::Hold(domain("alder.test"))]
    );
    select(&mut state, 5);
    assert_eq!(
        command(&press(&mut state, "h")),
        [
            Wanted::Release(domain("elder.test")),
            Wanted::Release(Entry::Host(host("held.elder.test"))),
        ]
    );
}

#[test]
fn suppressing_asks_first_and_no_is_the_default() {
    let mut state = told(SIZE, running());
    select(&mut state, 1);
    let asked = press(&mut state, "x");
    let alone = Entry::Host(host("docs.alder.test"));
    let domain = Entry::Domain("alder.test".to_owned());
    assert_eq!(
        asked,
        [
            Effect::Reach(1, alone.clone()),
            Effect::Reach(1, domain.clone())
        ]
    );
    assert_eq!(press_key(&mut state, Code::Enter), []);
    assert!(state.overlay.is_none());
    for (keys, wanted) in [("l", alone), ("ll", domain.clone()), ("h", domain)] {
        press(&mut state, "x");
        press(&mut state, keys);
        let chosen = press_key(&mut state, Code::Enter);
        assert_eq!(command(&chosen), [Wanted::Suppress(wanted)]);
    }
    press(&mut state, "xl");
    assert_eq!(press_key(&mut state, Code::Esc), []);
    assert!(state.overlay.is_none());
}

#[test]
fn a_late_count_of_an_old_question_is_dropped() {
    let mut state = told(SIZE, running());
    select(&mut state, 1);
    press(&mut state, "x");
    press_key(&mut state, Code::Esc);
    press(&mut state, "x");
    let domain = Entry::Domain("alder.test".to_owned());
    let reach = |state: &State| match &state.overlay {
        Some(Overlay::Question(question)) => match &question.about {
            About::Suppress(scopes) => scopes[1].reach.clone(),
            About::Quit => None,
        },
        _ => None,
    };
    update(&mut state, Msg::Reach(1, domain.clone(), Ok(7)));
    assert_eq!(reach(&state), None);
    update(&mut state, Msg::Reach(2, domain, Ok(3)));
    assert_eq!(reach(&state), Some(Ok(3)));
}

#[test]
fn quitting_a_run_under_way_asks_then_drains_then_leaves() {
    let mut state = told(SIZE, running());
    assert_eq!(press(&mut state, "q"), []);
    assert_eq!(press_key(&mut state, Code::Enter), [], "No is the default");
    press(&mut state, "q");
    press(&mut state, "j");
    assert_eq!(press_key(&mut state, Code::Enter), [Effect::Drain]);
    assert_eq!(update(&mut state, Msg::AllDone), [Effect::Leave]);
}

#[test]
fn a_run_that_ended_is_left_at_once() {
    let mut state = told(SIZE, running());
    assert_eq!(update(&mut state, Msg::AllDone), []);
    assert_eq!(press(&mut state, "q"), [Effect::Leave]);
}

#[test]
fn interrupting_works_under_every_overlay() {
    for opened in ["", "?", "q", "x"] {
        let mut state = told(SIZE, running());
        press(&mut state, opened);
        let effects = update(&mut state, Msg::Gesture(Gesture::Key(Key::ctrl('c'))));
        assert_eq!(effects, [Effect::Interrupt], "{opened}");
    }
}

#[test]
fn what_cannot_be_done_says_why() {
    let mut state = State::default();
    assert_eq!(press(&mut state, "p"), []);
    assert_eq!(
        state.notices.shown().unwrap().text.as_str(),
        "the run has not started yet"
    );
    let mut news = running();
    news.rows = vec![row(1, "a.test", "@", 2, HostState::Suppressed)];
    let mut state = told(SIZE, news);
    assert_eq!(press(&mut state, "x"), []);
    assert!(state.overlay.is_none());
}

#[test]
fn a_second_run_starts_with_an_empty_table() {
    let mut state = told(SIZE, running());
    press(&mut state, "sj");
    press_key(&mut state, Code::Enter);
    update(&mut state, Msg::Ended(Clean::new("2026-W49 finished")));
    update(&mut state, Msg::Started(Vec::new()));
    assert!(state.live.rows.is_empty());
    assert_eq!(state.live.run_state, None);
    assert_eq!(state.live.sort, Sort::Host);
    let mut news = running();
    news.rows = vec![row(9, "b.test", "@", 2, asking("/llms.txt"))];
    update(&mut state, Msg::Update(Box::new(news)));
    assert_eq!(state.live.selected, Some(HostId(9)));
}

#[test]
fn the_log_is_bounded_and_scrolled_lines_stay() {
    let mut state = told(SIZE, running());
    press_key(&mut state, Code::Tab);
    press(&mut state, "k");
    for _ in 0..1_000 {
        update(&mut state, Msg::Update(Box::new(running())));
    }
    assert_eq!(state.live.log.len(), 1_000);
    assert!(state.live.log_up > 1);
}

#[test]
fn a_filter_counts_while_it_is_written_and_esc_takes_it_back() {
    let mut state = told(SIZE, running());
    press(&mut state, "/cedar");
    assert_eq!(state.live.order, [HostId(3)]);
    assert_eq!(state.live.selected, Some(HostId(3)));
    press_key(&mut state, Code::Esc);
    assert_eq!(state.live.order.len(), 5);
    press(&mut state, "/429");
    press_key(&mut state, Code::Enter);
    assert_eq!(state.live.order, [HostId(3)]);
    press(&mut state, "u");
    assert_eq!(state.live.order.len(), 5);
    press(&mut state, "/nothing");
    press_key(&mut state, Code::Enter);
    assert!(state.live.order.is_empty());
    assert_eq!(press(&mut state, "h"), [], "nothing is held unseen");
    press_key(&mut state, Code::Esc);
    assert_eq!(state.live.order.len(), 5);
}

#[test]
fn letters_of_a_line_are_no_commands() {
    let mut state = told(SIZE, running());
    assert_eq!(press(&mut state, "/pqhx?:"), []);
    assert_eq!(state.live.filter.text, "pqhx?:");
    press_key(&mut state, Code::Esc);
    assert_eq!(press(&mut state, ":quit"), []);
    assert!(matches!(state.overlay, Some(Overlay::Palette(_))));
    press_key(&mut state, Code::Enter);
    assert!(
        matches!(state.overlay, Some(Overlay::Question(_))),
        "the question of quitting"
    );
}

#[test]
fn pasted_text_goes_into_a_line_and_nowhere_else() {
    let mut state = told(SIZE, running());
    let paste = || Msg::Gesture(Gesture::Paste("q\ny\u{1b}".to_owned()));
    assert_eq!(update(&mut state, paste()), []);
    assert!(state.overlay.is_none());
    press(&mut state, "/");
    update(&mut state, paste());
    assert_eq!(state.live.filter.text, "q y ");
}

#[test]
fn a_frozen_view_stands_still_while_the_run_goes_on() {
    let mut state = told(SIZE, running());
    press(&mut state, "fj");
    let mut news = running();
    news.rows.clear();
    news.gone = vec![HostId(1), HostId(2)];
    news.state = Some(RunState::Paused);
    update(&mut state, Msg::Update(Box::new(news)));
    assert_eq!(state.shown().order.len(), 5);
    assert_eq!(state.live.order.len(), 3);
    assert_eq!(
        state.live.run_state,
        Some(RunState::Paused),
        "the state is told"
    );
    press(&mut state, "f");
    assert_eq!(state.shown().order.len(), 3);
    assert!(state.live.cursor().is_some());
}

#[test]
fn a_hold_is_taken_back() {
    let mut state = told(SIZE, running());
    select(&mut state, 1);
    press(&mut state, "h");
    let domain = Entry::Domain("alder.test".to_owned());
    assert_eq!(command(&press(&mut state, "u")), [Wanted::Release(domain)]);
    assert_eq!(press(&mut state, "u"), []);
    let said = state.notices.shown().unwrap().text.as_str();
    assert_eq!(said, "there is nothing to take back");
}

#[test]
fn commands_are_found_by_their_words_and_say_why_not() {
    let mut state = told(SIZE, running());
    press(&mut state, ":");
    press(&mut state, "never asked");
    let found = palette_ids(&state);
    assert_eq!(found, ["suppress"]);
    press_key(&mut state, Code::Esc);
    assert!(state.overlay.is_none());
    update(&mut state, Msg::AllDone);
    press(&mut state, ":pause");
    press_key(&mut state, Code::Enter);
    let said = state.notices.shown().unwrap().text.as_str();
    assert_eq!(said, "the run has ended");
}

fn palette_ids(state: &State) -> Vec<&'static str> {
    let Some(Overlay::Palette(palette)) = &state.overlay else {
        return Vec::new();
    };
    let entries = crate::state::palette::entries(state, palette.line.text());
    entries.iter().map(|entry| entry.spec.id).collect()
}

fn click(state: &mut State, at: impl Fn(Hit) -> bool) -> Vec<Effect> {
    let backend = ratatui::backend::TestBackend::new(state.size.0, state.size.1);
    let mut terminal = ratatui::Terminal::new(backend).unwrap();
    let theme = crate::test_kit::mono();
    let mut hits = Hits::default();
    terminal
        .draw(|frame| hits = crate::view::draw(frame, state, &theme))
        .unwrap();
    state.hits = hits;
    for row in 0..state.size.1 {
        for column in 0..state.size.0 {
            if state.hits.at(column, row).is_some_and(&at) {
                let kind = MouseKind::Press;
                let mouse = Mouse { kind, column, row };
                return update(state, Msg::Gesture(Gesture::Mouse(mouse)));
            }
        }
    }
    panic!("it is nowhere on the screen");
}

#[test]
fn clicks_mean_what_they_point_at() {
    let mut state = told(SIZE, running());
    click(&mut state, |hit| hit == Hit::InFlight(3));
    assert_eq!(state.live.selected, Some(HostId(5)));
    click(&mut state, |hit| hit == Hit::LiveHeader(Sort::Host));
    assert_eq!((state.live.sort, state.live.turned), (Sort::Host, false));
    click(&mut state, |hit| hit == Hit::LiveHeader(Sort::Host));
    assert!(state.live.turned);
    click(&mut state, |hit| hit == Hit::Log);
    assert_eq!(state.live.focus, Focus::Log);
    let pressed = click(&mut state, |hit| hit == Hit::Action(Action::Pause));
    assert_eq!(command(&pressed), [Wanted::Pause]);
    click(&mut state, |hit| hit == Hit::Action(Action::Quit));
    click(&mut state, |hit| hit == Hit::Choice(1));
    assert!(state.overlay.is_some(), "a click marks, Enter answers");
    assert_eq!(press_key(&mut state, Code::Enter), [Effect::Drain]);
}

#[test]
fn a_page_is_opened_by_a_second_click_and_its_sections_by_one() {
    use crate::state::page::Section;
    use crate::test_kit::page::{ROBOTS, answer};
    let mut state = told(SIZE, running());
    click(&mut state, |hit| hit == Hit::InFlight(2));
    assert!(state.page.is_none());
    let effects = click(&mut state, |hit| hit == Hit::InFlight(2));
    answer(&mut state, effects, ROBOTS);
    let effects = click(&mut state, |hit| hit == Hit::Section(Section::Requests));
    answer(&mut state, effects, ROBOTS);
    click(&mut state, |hit| hit == Hit::PageRow(2));
    let page = state.page.as_ref().unwrap();
    assert_eq!((page.section, page.place().at), (Section::Requests, 2));
    click(&mut state, |hit| hit == Hit::Action(Action::Back));
    assert!(state.page.is_none());
    assert_eq!(state.live.selected, Some(HostId(1)));
}

fn around(engine: bool, paused: bool) -> Answer {
    Answer::Around(Around {
        room: Room {
            free: 1_000_000_000_000,
            whole: 2_000_000_000_000,
        },
        engine,
        paused,
        loopback: false,
    })
}

#[test]
fn a_run_of_another_terminal_is_told_and_acted_on() {
    let mut state = State {
        size: SIZE,
        now: running().now,
        ..State::default()
    };
    let asked = update(&mut state, Msg::Offline(None));
    let looked = asked
        .iter()
        .filter_map(|effect| match effect {
            Effect::Ask(question) => Some(question.what.clone()),
            _ => None,
        })
        .collect::<Vec<_>>();
    assert!(looked.contains(&What::Around), "{looked:?}");
    let said = |state: &mut State, key: &str| {
        let effects = press(state, key);
        let said = state.notices.shown().map(|notice| notice.text.clone());
        (effects, said.unwrap_or_default().as_str().to_owned())
    };
    assert_eq!(said(&mut state, "p").1, "no run is under way");
    update(&mut state, Msg::Read(99, Ok(around(true, false))));
    assert_eq!(command(&said(&mut state, "p").0), [Wanted::Pause]);
    let (effects, words) = said(&mut state, "r");
    assert_eq!(effects, []);
    assert_eq!(words, "a run is under way in another terminal");
    update(&mut state, Msg::Read(99, Ok(around(true, true))));
    assert_eq!(command(&said(&mut state, "p").0), [Wanted::Resume]);
    update(&mut state, Msg::Read(99, Ok(around(false, false))));
    assert_eq!(said(&mut state, "r").0, [Effect::Start]);
}

#[test]
fn what_another_terminal_does_is_told_once_and_what_we_do_is_not_told_again() {
    let mut state = State {
        size: SIZE,
        now: running().now,
        ..State::default()
    };
    update(&mut state, Msg::Offline(None));
    let newest = |state: &State| {
        let notice = state.notices.newest().next();
        notice.map_or_else(String::new, |notice| notice.text.to_string())
    };
    let look = |state: &mut State, engine, paused| {
        update(state, Msg::Read(99, Ok(around(engine, paused))));
        (state.notices.len(), newest(state))
    };
    assert_eq!(look(&mut state, false, false), (0, String::new()));
    let (count, said) = look(&mut state, true, false);
    assert_eq!(
        (count, said.as_str()),
        (1, "a run has begun in another terminal")
    );
    assert_eq!(look(&mut state, true, false).0, 1);
    let (count, said) = look(&mut state, true, true);
    assert_eq!(count, 2);
    assert_eq!(said, "a pause of the run in another terminal was asked for");
    update(
        &mut state,
        Msg::Commanded(Clean::new("resume"), Ok(Clean::new("reached"))),
    );
    let (count, said) = look(&mut state, true, false);
    assert_eq!((count, said.as_str()), (3, "resume: reached"));
    let (_, said) = look(&mut state, false, false);
    assert_eq!(said, "the run of the other terminal has ended");
}

#[test]
fn a_store_of_loopback_runs_says_at_once_why_none_starts_here() {
    let mut state = State {
        size: SIZE,
        now: running().now,
        ..State::default()
    };
    update(&mut state, Msg::Offline(None));
    let Answer::Around(mut there) = around(false, false) else {
        unreachable!()
    };
    there.loopback = true;
    update(&mut state, Msg::Read(99, Ok(Answer::Around(there))));
    assert_eq!(press(&mut state, "r"), []);
    let said = state.notices.shown().unwrap().text.to_string();
    assert!(
        said.contains("`lamplighter run --loopback` resumes them"),
        "{said}"
    );
}

#[test]
fn what_is_done_in_the_log_is_done_to_the_host_of_its_line() {
    let mut state = told(SIZE, running());
    select(&mut state, 1);
    press_key(&mut state, Code::Tab);
    let name = |state: &State| state.host().unwrap().to_string();
    assert_eq!(name(&state), "api.cedar.test", "the newest line");
    press(&mut state, "k");
    assert_eq!(name(&state), "shop.bramble.test");
    // New lines, and more than are kept, take nothing away from under the cursor.
    let mut news = running();
    news.log = vec![news.log[0].clone(); 700];
    for _ in 0..2 {
        update(&mut state, Msg::Update(Box::new(news.clone())));
        assert_eq!(name(&state), "shop.bramble.test");
    }
    assert_eq!(
        command(&press(&mut state, "h")),
        [Wanted::Hold(Entry::Domain("bramble.test".to_owned()))]
    );
    assert_eq!(
        press(&mut state, "y"),
        [Effect::Copy(Clean::new(
            "https://shop.bramble.test/llms.txt"
        ))]
    );
    press(&mut state, "x");
    assert!(matches!(
        &state.overlay,
        Some(Overlay::Question(question)) if matches!(&question.about, About::Suppress(scopes)
            if scopes[0].entry == Entry::Host(host("shop.bramble.test")))
    ));
    press_key(&mut state, Code::Esc);
    press_key(&mut state, Code::Enter);
    assert_eq!(state.page.as_ref().unwrap().id, HostId(2));
    press_key(&mut state, Code::Esc);
    press_key(&mut state, Code::Tab);
    assert_eq!(name(&state), "docs.alder.test");
    assert_eq!(state.live.log_up, 0, "the log follows the run again");
}

#[test]
fn the_end_of_a_run_is_audited_and_the_figures_stay() {
    use crate::state::alarms::Audited;
    let mut state = told(SIZE, running());
    let asked = update(&mut state, Msg::Ended(Clean::new("2026-W49 finished")));
    let number = asked.iter().find_map(|effect| match effect {
        Effect::Ask(question) => match &question.what {
            What::Audit(run) if run == "2026-W49" => Some(question.number),
            _ => None,
        },
        _ => None,
    });
    assert!(state.beside.auditing);
    let found = |breaches| Audited {
        run: "2026-W49".to_owned(),
        promises: 31,
        checks: 12_400,
        breaches,
    };
    let tell = |state: &mut State, breaches| {
        let answer = Answer::Audited(Some(found(breaches)));
        update(state, Msg::Read(number.unwrap(), Ok(answer)));
        let notice = state.notices.shown().unwrap();
        (notice.text.to_string(), notice.bad)
    };
    assert_eq!(
        tell(&mut state, Vec::new()),
        (
            "audit of 2026-W49: 31 promises checked 12,400 times, none broken".to_owned(),
            false
        )
    );
    assert!(!state.beside.auditing && !state.beside.is_breached());
    let (said, bad) = tell(&mut state, vec![("PC2".to_owned(), 1)]);
    assert_eq!(
        said,
        "audit of 2026-W49: 31 promises checked 12,400 times, 1 BROKEN, 1 breach"
    );
    assert!(
        bad && state.alarms()[0]
            .as_str()
            .starts_with("promises were broken: PC2")
    );
    update(&mut state, Msg::Started(Vec::new()));
    assert!(state.alarms().is_empty(), "a new run is another");
}

#[test]
fn an_audit_that_fails_is_told() {
    let mut state = told(SIZE, running());
    update(&mut state, Msg::Ended(Clean::new("2026-W49 finished")));
    let number = state.beside.audit_asked;
    update(
        &mut state,
        Msg::Read(number, Err(Clean::new("the store is locked"))),
    );
    assert!(!state.beside.auditing);
    assert_eq!(
        state.notices.shown().unwrap().text.as_str(),
        "the store is locked"
    );
}

#[test]
fn the_list_of_hosts_is_read_anew_and_its_stamp_follows() {
    use crate::state::hosts::Load;
    let mut state = told(SIZE, running());
    press(&mut state, "2");
    let order = state.hosts.order_asked;
    let ids: Vec<HostId> = (1..=5).map(HostId).collect();
    update(&mut state, Msg::Read(order, Ok(Answer::Order(ids.clone()))));
    assert_eq!(state.hosts.load, Load::Ready(running().now.unwrap()));
    let later = crate::test_kit::at("2026-11-30T09:00:00Z");
    let mut orders = 0;
    for _ in 0..80 {
        let asked = update(&mut state, Msg::Clock(Some(later)));
        orders += asked
            .iter()
            .filter(|effect| matches!(effect, Effect::Ask(question) if matches!(question.what, What::Order { .. })))
            .count();
        assert!(
            matches!(state.hosts.load, Load::Ready(_)),
            "no word of it on the screen"
        );
    }
    assert_eq!(orders, 2);
    let order = state.hosts.order_asked;
    update(
        &mut state,
        Msg::Read(order, Ok(Answer::First(ids[..1].to_vec()))),
    );
    assert_eq!(
        state.hosts.order.len(),
        5,
        "the list does not shrink meanwhile"
    );
    update(&mut state, Msg::Read(order, Ok(Answer::Order(ids))));
    assert_eq!(state.hosts.load, Load::Ready(later));
    let last = crate::test_kit::at("2026-11-30T09:00:09Z");
    update(&mut state, Msg::Clock(Some(last)));
    let rows = state.hosts.rows_asked;
    update(&mut state, Msg::Read(rows, Ok(Answer::Rows(Vec::new()))));
    assert_eq!(state.hosts.load, Load::Ready(last));
}

#[test]
fn holding_needs_no_answer_and_what_asks_shows_its_reach() {
    use crate::action::{ACTIONS, Danger};
    let confirmed = ACTIONS.iter().filter(|spec| spec.danger == Danger::Confirm);
    let confirmed: Vec<&str> = confirmed.map(|spec| spec.id).collect();
    assert_eq!(confirmed, ["suppress", "quit"]);
    let mut state = told(SIZE, running());
    assert_eq!(command(&press(&mut state, "h")).len(), 1);
    assert!(state.overlay.is_none(), "undo takes it back");
    let asked = press(&mut state, "x");
    let counted = asked
        .iter()
        .filter(|effect| matches!(effect, Effect::Reach(..)));
    assert_eq!(
        counted.count(),
        2,
        "both reaches are counted before an answer"
    );
}

#[test]
fn a_filter_given_up_leaves_the_cursor_on_the_host_it_stood_on() {
    let mut state = told(SIZE, running());
    press(&mut state, "jj");
    let before = state.live.selected;
    press(&mut state, "/held");
    assert_ne!(state.live.selected, before, "the filter hides it");
    press_key(&mut state, Code::Esc);
    assert_eq!(state.live.selected, before);
}

#[test]
fn undo_never_goes_past_a_suppression_unsaid() {
    let mut state = told(SIZE, running());
    select(&mut state, 1);
    press(&mut state, "h");
    press(&mut state, "xl");
    press_key(&mut state, Code::Enter);
    assert_eq!(press(&mut state, "u"), []);
    let said = state.notices.shown().unwrap();
    assert!(
        said.text
            .as_str()
            .contains("suppress remove =docs.alder.test")
    );
    let next = press(&mut state, "u");
    assert!(matches!(&command(&next)[..], [Wanted::Release(_)]));
}
