use std::fmt::Write as _;
use std::sync::LazyLock;

use engine::crawl::{RunState, Update};
use engine::suppress::Entry;
use proptest::prelude::*;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::style::Style;

use super::*;
use crate::engine;
use crate::input::{Code, Gesture, Key};
use crate::msg::Msg;
use crate::test_kit::{changes, host, page, press, press_key, running, runs, told, trouble};
use crate::theme::{ASCII, Source, Stage, UNICODE};
use crate::update::update;

const SIZES: [(u16, u16); 4] = [(60, 15), (80, 24), (120, 36), (200, 60)];
static COLOUR: LazyLock<Theme> =
    LazyLock::new(|| Theme::fitted(&Source::load("terminal").unwrap(), Stage::Sixteen, &UNICODE));
static MONO: LazyLock<Theme> =
    LazyLock::new(|| Theme::fitted(&Source::load("mono").unwrap(), Stage::None, &UNICODE));

fn drawn(state: &State, theme: &Theme) -> Buffer {
    let (width, height) = state.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| {
            draw(frame, state, theme);
        })
        .unwrap();
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut x = 0;
        while x < buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            line.push_str(symbol);
            x += u16::try_from(unicode_width::UnicodeWidthStr::width(symbol).max(1)).unwrap();
        }
        writeln!(out, "{}", line.trim_end()).unwrap();
    }
    out
}

/// Where each style but the plain one begins and ends.
fn styles(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut runs: Vec<(u16, u16, Style)> = Vec::new();
        for x in 0..buffer.area.width {
            let style = buffer[(x, y)].style();
            match runs.last_mut() {
                Some((_, end, last)) if *end == x && *last == style => *end = x + 1,
                _ => runs.push((x, x + 1, style)),
            }
        }
        let plain = drawn_plain();
        for (from, to, style) in runs.into_iter().filter(|(_, _, style)| *style != plain) {
            let fg = style.fg.map(|color| format!("{color:?}"));
            let words = fg.filter(|word| word != "Reset").unwrap_or_default();
            writeln!(out, "{y}:{from}-{to} {words} {:?}", style.add_modifier).unwrap();
        }
    }
    out
}

fn drawn_plain() -> Style {
    Buffer::empty(Rect::new(0, 0, 1, 1))[(0, 0)].style()
}

fn with_state(said: RunState) -> Update {
    Update {
        state: Some(said),
        ..running()
    }
}

fn scenes(size: (u16, u16)) -> Vec<(&'static str, State)> {
    let mut confirm = told(size, running());
    press(&mut confirm, "jjx");
    let alone = Entry::Host(host("docs.alder.test"));
    let domain = Entry::Domain("alder.test".to_owned());
    update(&mut confirm, Msg::Reach(1, alone, Ok(1)));
    update(&mut confirm, Msg::Reach(1, domain, Ok(12_003)));
    let mut help = told(size, running());
    press(&mut help, "?");
    let mut commands = told(size, running());
    press(&mut commands, ":ho");
    let mut menu = told(size, running());
    press(&mut menu, "s");
    let mut filter = told(size, running());
    press(&mut filter, "/test minimum");
    let mut frozen = told(size, running());
    press(&mut frozen, "f");
    let later = Update {
        done: 500_000,
        rows: Vec::new(),
        ..running()
    };
    update(&mut frozen, Msg::Update(Box::new(later)));
    let mut notices = told(size, running());
    update(
        &mut notices,
        Msg::Commanded(
            crate::text::Clean::new("pause"),
            Ok(crate::text::Clean::new("reached")),
        ),
    );
    let problem = Err(crate::text::Clean::new("the store is locked"));
    update(
        &mut notices,
        Msg::Commanded(crate::text::Clean::new("hold a.test"), problem),
    );
    press(&mut notices, "N");
    let mut paused = with_state(RunState::Paused);
    paused.rows.clear();
    paused.in_flight = 0;
    let empty = Update {
        policy: "intentroute".to_owned(),
        run: "2026-W49".to_owned(),
        now: running().now,
        started: running().started,
        state: Some(RunState::Running),
        ..Update::default()
    };
    let starting = State {
        size,
        ..State::default()
    };
    vec![
        ("running", told(size, running())),
        ("trouble", told(size, trouble())),
        ("empty", told(size, empty)),
        ("starting", starting),
        ("pausing", told(size, with_state(RunState::Pausing))),
        ("paused", told(size, paused)),
        ("confirm", confirm),
        ("help", help),
        ("commands", commands),
        ("menu", menu),
        ("filter", filter),
        ("frozen", frozen),
        ("notices", notices),
        ("hosts", all_hosts(size)),
    ]
    .into_iter()
    .chain(page_scenes(size))
    .chain(diff_scenes(size))
    .chain(change_scenes(size))
    .chain(runs_scenes(size))
    .collect()
}

/// The page of a host, by section, and what can be done on it.
fn page_scenes(size: (u16, u16)) -> Vec<(&'static str, State)> {
    let mut tried = page::section(size, 1);
    let effects = press(&mut tried, "t");
    page::answer(&mut tried, effects, page::ROBOTS);
    for char in "\u{15}/.well-known/ucp as OtherBot".chars() {
        let effects = match char {
            '\u{15}' => update(&mut tried, Msg::Gesture(Gesture::Key(Key::ctrl('u')))),
            char => press(&mut tried, &char.to_string()),
        };
        page::answer(&mut tried, effects, page::ROBOTS);
    }
    let mut wrong = page::section(size, 1);
    press(&mut wrong, "t");
    update(&mut wrong, Msg::Gesture(Gesture::Key(Key::ctrl('u'))));
    press(&mut wrong, "llms.txt");
    let mut older = page::section(size, 1);
    let effects = press(&mut older, "[[");
    page::answer(&mut older, effects, page::ROBOTS);
    let mut past = page::opened(size);
    let effects = press(&mut past, "<");
    page::answer(&mut past, effects, page::ROBOTS);
    let mut reading = told(size, running());
    press_key(&mut reading, Code::Enter);
    let mut failed = told(size, running());
    press_key(&mut failed, Code::Enter);
    press_key(&mut failed, Code::Tab);
    let asked = failed.page.as_ref().unwrap().asked;
    let problem = crate::text::Clean::new("the store is locked by another program");
    update(&mut failed, Msg::Read(asked, Err(problem)));
    vec![
        ("page_overview", page::opened(size)),
        ("page_robots", page::section(size, 1)),
        ("page_tried", tried),
        ("page_wrong_path", wrong),
        ("page_older_robots", older),
        ("page_visits", page::section(size, 2)),
        ("page_requests", page::section(size, 3)),
        ("page_versions", page::section(size, 4)),
        ("page_journal", page::section(size, 5)),
        ("page_past", past),
        ("page_reading", reading),
        ("page_failed", failed),
    ]
}

/// Two versions of a file, looked at in every way.
fn diff_scenes(size: (u16, u16)) -> Vec<(&'static str, State)> {
    use crate::test_kit::diff;
    let opened = |old: Option<&[u8]>, new: &[u8], keys: &str| {
        let mut state = page::section(size, 4);
        diff::open(&mut state, old, new);
        for key in keys.chars() {
            let effects = press(&mut state, &key.to_string());
            if matches!(effects.as_slice(), [crate::msg::Effect::Ask(_)]) {
                diff::answer(&mut state, old, new);
            }
        }
        state
    };
    let lines = |changed: &str, last: &str| {
        let mut text = String::from("# Alder\n\n> What Alder is about.\n\n");
        for at in 1..=30 {
            let word = if at == 20 { changed } else { "usual" };
            text.push_str(&format!(
                "- [Page {at}](https://docs.alder.test/{at}): the {word} text\n"
            ));
        }
        text.push_str(last);
        text.into_bytes()
    };
    let (old, new) = (
        lines("former", "the end"),
        lines("present", "the end\n\nMore\n"),
    );
    let hidden = (
        "\u{feff}Allow: /\nDisallow: /a \nname: pay\u{202e}lap\n\tindent\nraw \u{1b}[2J\n",
        "Allow: /\r\nDisallow: /a\nname: payl\u{200b}ap\n        indent\nraw ^[[2J\nend",
    );
    let json = (
        br#"{"name":"alder","skills":[{"id":"search","tags":["a","b"]},{"id":"read"}],"v":1}"#,
        br#"{"name":"alder","skills":[{"id":"search","tags":["a","c"]},{"id":"read"}],"v":2}"#,
    );
    let mut reading = page::section(size, 4);
    press_key(&mut reading, Code::Enter);
    let mut failed = page::section(size, 4);
    press_key(&mut failed, Code::Enter);
    let asked = failed.diff.as_ref().unwrap().asked;
    let problem = crate::text::Clean::new("there is no version 3 of /llms.txt any more");
    update(&mut failed, Msg::Read(asked, Err(problem)));
    let large = vec![b'a'; crate::jobs::diff::LARGEST + 1];
    let mut searched = opened(Some(&old), &new, "/page");
    press_key(&mut searched, Code::Enter);
    vec![
        ("diff_lines", opened(Some(&old), &new, "")),
        (
            "diff_beside",
            opened(Some(&old), &new, if size.0 >= 140 { "" } else { "s" }),
        ),
        (
            "diff_below",
            opened(Some(&old), &new, if size.0 >= 140 { "s" } else { "" }),
        ),
        ("diff_searched", searched),
        (
            "diff_hidden",
            opened(Some(hidden.0.as_bytes()), hidden.1.as_bytes(), ""),
        ),
        ("diff_reflowed", opened(Some(json.0), json.1, "f")),
        ("diff_wrapped", opened(Some(json.0), json.1, "w")),
        (
            "diff_bytes",
            opened(Some(b"\x89PNG\0\x01\x02"), b"\x89PNG\0\x01\x03\xff", ""),
        ),
        (
            "diff_encoded",
            opened(Some(b"caf\xe9\n"), "café\n".as_bytes(), ""),
        ),
        ("diff_first", opened(None, &new, "")),
        ("diff_same", opened(Some(&new), &new, "")),
        ("diff_large", opened(Some(b"a"), &large, "")),
        ("diff_versions", opened(Some(&old), &new, "v")),
        ("diff_saving", opened(Some(&old), &new, "W")),
        ("diff_reading", reading),
        ("diff_failed", failed),
    ]
}

/// What changed in a run, and what can be said where nothing is shown.
fn change_scenes(size: (u16, u16)) -> Vec<(&'static str, State)> {
    let mut between = changes::shown(size, 12_345);
    changes::pressed(&mut between, "bjj", 12_345);
    let effects = press_key(&mut between, Code::Enter);
    changes::answer(&mut between, effects, 12_345);
    changes::pressed(&mut between, "jjjj", 12_345);
    let mut last = changes::shown(size, 12_345);
    changes::pressed(&mut last, "G", 12_345);
    let mut pick = changes::shown(size, 18);
    press(&mut pick, "w");
    let mut none = changes::shown(size, 18);
    press(&mut none, "/nothing like it");
    let effects = press(&mut none, "!");
    changes::answer(&mut none, effects, 0);
    press_key(&mut none, Code::Enter);
    let mut loading = told(size, running());
    press(&mut loading, "3");
    let mut failed = told(size, running());
    press(&mut failed, "3");
    let problem = crate::text::Clean::new("the store is locked by another program");
    let asked = failed.changes.list_asked;
    update(&mut failed, Msg::Read(asked, Err(problem)));
    let mut older = changes::shown(size, 18);
    changes::pressed(&mut older, "wjj", 18);
    let effects = press_key(&mut older, Code::Enter);
    changes::answer(&mut older, effects, 18);
    vec![
        ("changes", changes::shown(size, 18)),
        ("changes_between", between),
        ("changes_last", last),
        ("changes_pick", pick),
        ("changes_none", none),
        ("changes_loading", loading),
        ("changes_failed", failed),
        ("changes_sparse", older),
    ]
}

/// All runs, and what can be done with them.
fn runs_scenes(size: (u16, u16)) -> Vec<(&'static str, State)> {
    let all = runs::summaries();
    let mut marked = runs::opened(size, &all);
    press(&mut marked, "jjbg");
    let mut details = runs::opened(size, &all);
    press_key(&mut details, Code::Enter);
    let mut reading = told(size, running());
    press(&mut reading, "6");
    let mut failed = told(size, running());
    press(&mut failed, "6");
    let asked = failed.runs.asked;
    let problem = crate::text::Clean::new("the store is locked by another program");
    update(&mut failed, Msg::Read(asked, Err(problem)));
    vec![
        ("runs", runs::opened(size, &all)),
        ("runs_marked", marked),
        ("runs_details", details),
        ("runs_none", runs::opened(size, &[])),
        ("runs_reading", reading),
        ("runs_failed", failed),
    ]
}

#[test]
fn scenes_look_as_before() {
    for size in SIZES {
        for (name, state) in scenes(size) {
            let (columns, rows) = size;
            let colour = drawn(&state, &COLOUR);
            let mono = drawn(&state, &MONO);
            insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), text(&colour));
            insta::assert_snapshot!(format!("{name}_{columns}x{rows}_colour"), styles(&colour));
            insta::assert_snapshot!(format!("{name}_{columns}x{rows}_mono"), styles(&mono));
            assert_eq!(
                text(&colour),
                text(&mono),
                "{name}: a fact told by colour alone"
            );
        }
    }
}

#[test]
fn mono_uses_no_colour_and_still_marks_the_cursor() {
    let state = told((80, 24), running());
    let buffer = drawn(&state, &MONO);
    for cell in &buffer.content {
        assert_eq!(cell.fg, ratatui::style::Color::Reset);
        assert_eq!(cell.bg, ratatui::style::Color::Reset);
    }
    assert!(styles(&buffer).contains("REVERSED"));
}

#[test]
fn the_ascii_set_is_ascii() {
    let theme = Theme::fitted(&Source::load("mono").unwrap(), Stage::None, &ASCII);
    for (name, state) in scenes((80, 24)) {
        let shown = text(&drawn(&state, &theme));
        assert!(shown.is_ascii(), "{name}: {shown}");
    }
}

#[test]
fn hostile_text_stays_text() {
    for size in SIZES {
        let shown = text(&drawn(&told(size, trouble()), &COLOUR));
        let bad = shown
            .chars()
            .find(|char| *char != '\n' && (char.is_control() || *char == '\u{202e}'));
        assert_eq!(bad, None, "{shown}");
        assert!(shown.contains("^["), "shown as an escape: {shown}");
    }
}

/// All hosts of a store as their states may be, read.
fn all_hosts(size: (u16, u16)) -> State {
    use crate::jobs::Answer;
    use engine::store::{HostId, HostState as Stands, VisitKind, VisitOutcome};
    let mut state = told(size, running());
    press(&mut state, "2");
    let states = [
        (
            "docs.alder.test",
            Stands::Done(Some(VisitKind::Done)),
            VisitOutcome::Done,
        ),
        (
            "shop.bramble.test",
            Stands::Done(Some(VisitKind::Closed)),
            VisitOutcome::Closed("too_large".to_owned()),
        ),
        (
            "api.cedar.test",
            Stands::Done(Some(VisitKind::Limited)),
            VisitOutcome::Limited,
        ),
        ("held.elder.test", Stands::Held, VisitOutcome::Done),
        ("fir.test", Stands::Waiting, VisitOutcome::Done),
    ];
    // The first one is in flight: the run knows more of it.
    let ids = [1, 12, 13, 14, 15].map(HostId).to_vec();
    let lines = states
        .into_iter()
        .zip(&ids)
        .map(|((name, stands, outcome), id)| {
            let mut line = page::card(name, stands).line;
            line.id = *id;
            line.outcome = Some(outcome);
            line.locations = vec![engine::store::SpanState::Absent; 14];
            line
        });
    let order = state.hosts.order_asked;
    let read = Msg::Read(order, Ok(Answer::Order(ids.clone())));
    update(&mut state, read);
    let rows = state.hosts.rows_asked;
    update(
        &mut state,
        Msg::Read(rows, Ok(Answer::Rows(lines.collect()))),
    );
    state
}

#[test]
fn eighty_columns_tell_where_every_host_stands() {
    let shown = text(&drawn(&all_hosts((80, 24)), &MONO));
    for fact in [
        "shop.bramble.test",
        "done: closed by robots",
        "done: limited",
        "resting until 08:14:08Z: minimum gap, no Crawl-delay declared",
        "held",
        "○○○○○○○○○○○○○○",
        "2026-12-07 06:00Z",
    ] {
        assert!(shown.contains(fact), "{fact} is missing:\n{shown}");
    }
    let wide = text(&drawn(&all_hosts((200, 60)), &MONO));
    assert!(
        wide.contains("2026-12-07 06:00:00Z") && wide.contains("200 404"),
        "{wide}"
    );
}

#[test]
fn long_locations_cut_no_other_column() {
    for size in SIZES {
        let shown = text(&drawn(&page::section(size, 4), &MONO));
        let digests = shown.matches(&"5e".repeat(6)).count();
        assert!(digests >= 4, "{size:?}:\n{shown}");
    }
}

#[test]
fn the_address_of_a_host_is_a_link_where_the_terminal_allows() {
    let mut state = page::opened((80, 24));
    let linked = |state: &State| {
        let buffer = drawn(state, &MONO);
        let cells = buffer.content.iter();
        cells
            .filter(|cell| cell.symbol().contains("\u{1b}]8;"))
            .count()
    };
    assert_eq!(
        linked(&state),
        0,
        "what the terminal understands is not known"
    );
    state.osc = Some(crate::osc::Osc::of(|name| {
        (name == "TERM").then(|| "xterm-256color".to_owned())
    }));
    assert_eq!(linked(&state), "https://docs.alder.test/".len());
    state.osc = Some(crate::osc::Osc::of(|_| None));
    assert_eq!(linked(&state), 0);
}

#[test]
fn hostile_robots_txt_stays_text() {
    let evil = "\x1b[2J\x1b]0;pwned\x07\u{202e}gnp\u{200b}";
    let marks = "\u{301}".repeat(50_000);
    let robots = format!(
        "User-agent: *\nDisallow: /{evil}{marks}\nDisallow: /*{evil}\nDisallow: /\nSitemap: {evil}{marks}\n"
    );
    for size in SIZES {
        let mut state = page::opened(size);
        for keys in ["", "G"] {
            let effects = press_key(&mut state, Code::Tab);
            page::answer(&mut state, effects, &robots);
            press(&mut state, keys);
            let shown = text(&drawn(&state, &COLOUR));
            let bad = shown
                .chars()
                .find(|char| *char != '\n' && (char.is_control() || *char == '\u{202e}'));
            assert_eq!(bad, None, "{shown}");
            press_key(&mut state, Code::BackTab);
        }
    }
}

#[test]
fn the_help_cuts_nothing_off() {
    for (width, _) in SIZES {
        let mut state = told((width, 500), running());
        press(&mut state, "?");
        let shown = text(&drawn(&state, &MONO));
        let inside = shown.lines().filter_map(|line| line.split('│').nth(1));
        let inside: Vec<&str> = inside.collect();
        assert!(inside.iter().any(|line| line.contains("Space")), "{shown}");
        let cut = inside.iter().find(|line| line.contains(UNICODE.cut));
        assert_eq!(cut, None, "{width} columns");
    }
}

/// At 80x24 every fact of the pane is there.
#[test]
fn eighty_columns_tell_everything() {
    let shown = text(&drawn(&told((80, 24), running()), &MONO));
    for fact in [
        "intentroute",
        "2026-W49",
        "running",
        "08:14:07Z",
        "412,310 done",
        "587,102 waiting",
        "61,204 present",
        "288,110 unchanged",
        "4,400,021 absent",
        "20,411 denied",
        "4,114 errors",
        "98.1 % read",
        "88 told to wait",
        "docs.alder.test",
        "asking /.well-known/agent-skills/index.json",
        "429 limited",
        "q quit",
    ] {
        assert!(shown.contains(fact), "{fact} is missing:\n{shown}");
    }
}

#[test]
fn the_smallest_screens_show_a_notice() {
    for width in 1..45 {
        for height in 1..12 {
            drawn(&told((width, height), trouble()), &COLOUR);
        }
    }
    let shown = text(&drawn(&told((30, 3), running()), &COLOUR));
    assert!(
        shown.contains("running") && shown.contains("40x10"),
        "{shown}"
    );
}

fn anything() -> impl Strategy<Value = Msg> {
    let codes = prop::sample::select(vec![
        Code::Enter,
        Code::Tab,
        Code::BackTab,
        Code::Backspace,
        Code::Esc,
        Code::Up,
        Code::Down,
        Code::Left,
        Code::Right,
        Code::Home,
        Code::End,
        Code::PageUp,
        Code::PageDown,
    ]);
    prop_oneof![
        6 => prop::sample::select("jkgGphxs?qnlyz1/: t[]r".chars().collect::<Vec<_>>())
            .prop_map(|char| Msg::Gesture(Gesture::Key(Key::from(Code::Char(char))))),
        4 => codes.prop_map(|code| Msg::Gesture(Gesture::Key(Key::from(code)))),
        1 => prop::sample::select(vec!['c', 'z', 'd', 'u']).prop_map(|char| Msg::Gesture(Gesture::Key(Key::ctrl(char)))),
        2 => (1u16..=500, 1u16..=200).prop_map(|(width, height)| Msg::Size(width, height)),
        2 => (1u16..=90, 1u16..=26).prop_map(|(width, height)| Msg::Size(width, height)),
        1 => Just(()).prop_map(|()| Msg::Update(Box::new(running()))),
        1 => Just(()).prop_map(|()| Msg::Update(Box::new(trouble()))),
        1 => Just(()).prop_map(|()| Msg::Update(Box::default())),
        1 => Just(()).prop_map(|()| Msg::Started(Vec::new())),
        1 => Just(()).prop_map(|()| Msg::AllDone),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn no_keys_and_no_size_break_it(msgs in prop::collection::vec(anything(), 1..60)) {
        let mut state = told((80, 24), running());
        for msg in msgs {
            let effects = update(&mut state, msg);
            page::answer(&mut state, effects, page::ROBOTS);
            drawn(&state, &COLOUR);
        }
    }
}

#[test]
fn the_part_that_has_the_keys_is_marked_without_colours_too() {
    let mut state = told((80, 24), running());
    let marked = |state: &State| -> Vec<String> {
        let shown = text(&drawn(state, &MONO));
        let lines = shown
            .lines()
            .filter(|line| line.starts_with("▸ ") && line.contains('━'));
        lines
            .map(|line| line.split(' ').nth(1).unwrap().to_owned())
            .collect()
    };
    assert_eq!(marked(&state), ["In"]);
    press_key(&mut state, Code::Tab);
    assert_eq!(marked(&state), ["Log"]);
    let shown = text(&drawn(&state, &MONO));
    assert!(shown.contains("▸08:14:06.900Z  api.cedar.test"), "{shown}");
}

#[test]
fn what_is_wrong_with_a_filter_is_told_whole_under_its_column() {
    for size in [(40, 12), (60, 15), (80, 24)] {
        let mut state = told(size, running());
        press(&mut state, "2");
        press(&mut state, "/state:held stauts:429");
        let shown = text(&drawn(&state, &MONO));
        let problem = state.prompt.as_ref().unwrap().wrong.clone().unwrap().1;
        let flat: Vec<&str> = shown.split_whitespace().collect();
        let flat = flat.join(" ");
        assert!(
            flat.contains(problem.as_str()),
            "{size:?}: {problem}\n{shown}"
        );
        let lines: Vec<&str> = shown.lines().collect();
        let caret = lines.iter().position(|line| line.trim() == "^").unwrap();
        let column = lines[caret].find('^').unwrap();
        assert_eq!(&lines[caret - 1][column..column + 6], "stauts", "{shown}");
    }
}

#[test]
fn the_smallest_usable_screen_names_its_hosts_and_cuts_no_dialogue() {
    let size = (40, 12);
    let shown = text(&drawn(&told(size, running()), &MONO));
    assert!(
        shown.contains("docs.alder.test") && shown.contains("shop.bramble.test"),
        "{shown}"
    );
    let shown = text(&drawn(&all_hosts(size), &MONO));
    assert!(
        shown.contains("docs.alder.test") && shown.contains("resting"),
        "{shown}"
    );
    let mut state = told(size, running());
    press(&mut state, "x");
    let alone = Entry::Host(host("shop.bramble.test"));
    let asked = state.asked;
    update(&mut state, Msg::Reach(asked, alone, Ok(1)));
    let shown = text(&drawn(&state, &MONO));
    for fact in [
        "Suppress",
        "shop.bramble.test",
        "alone: 1 host of this store",
        "▸ No",
        "The whole domain",
    ] {
        assert!(shown.contains(fact), "{fact}:\n{shown}");
    }
    for keys in ["q", "x", "s", "2c", "2s", "?", ":", "a", "N"] {
        let mut state = told(size, running());
        press(&mut state, keys);
        let shown = text(&drawn(&state, &MONO));
        let inside = shown.lines().filter_map(|line| line.split('│').nth(1));
        let cut: Vec<&str> = inside
            .filter(|line| line.trim_end().ends_with(UNICODE.cut))
            .collect();
        // Commands are listed in a line each; what the marked one does stands whole below them.
        assert!(cut.is_empty() || keys == ":", "{keys}: {cut:?}\n{shown}");
    }
}

#[test]
fn columns_say_which_are_on() {
    let mut state = all_hosts((80, 24));
    press(&mut state, "c");
    press_key(&mut state, Code::Enter);
    let shown = text(&drawn(&state, &MONO));
    assert!(
        shown.contains("[ ] state") && shown.contains("[x] lamps"),
        "{shown}"
    );
    assert!(shown.contains("[x] source (no room here)"), "{shown}");
}

#[test]
fn the_help_tells_lamps_and_filters() {
    let mut state = told((120, 500), running());
    press(&mut state, "?");
    let shown = text(&drawn(&state, &MONO));
    for fact in [
        "◐",
        "being asked",
        "denied by robots.txt",
        "status:429 or status>=500",
    ] {
        assert!(shown.contains(fact), "{fact}");
    }
}

#[test]
fn a_long_notice_is_told_whole() {
    let mut state = told((60, 15), running());
    let text_told =
        "this store is of loopback runs and cannot take a real one; use another --store";
    update(&mut state, Msg::Failed(crate::text::Clean::new(text_told)));
    let shown = text(&drawn(&state, &MONO));
    let foot: Vec<&str> = shown.lines().rev().take(2).collect();
    let foot = format!("{} {}", foot[1].trim(), foot[0].trim());
    assert_eq!(foot, format!("! {text_told}"), "{shown}");
}

#[test]
fn the_end_of_a_path_is_seen_in_the_log() {
    let shown = text(&drawn(&told((80, 24), running()), &MONO));
    assert!(shown.contains("skills/index.json"), "{shown}");
}

#[test]
fn a_broken_promise_is_told_on_every_pane() {
    use crate::state::alarms::Audited;
    let mut state = told((80, 24), running());
    state.beside.audited = Some(Audited {
        run: "2026-W49".to_owned(),
        promises: 31,
        checks: 10,
        breaches: vec![("PC2".to_owned(), 1)],
    });
    for key in ["1", "2"] {
        press(&mut state, key);
        let shown = text(&drawn(&state, &MONO));
        assert!(shown.contains("PROMISE BROKEN"), "{shown}");
    }
}

#[test]
fn no_word_of_a_program_is_on_any_screen() {
    for (name, state) in scenes((200, 60)) {
        let shown = text(&drawn(&state, &MONO));
        for word in [
            "soft_absent",
            "not_modified",
            "content_type",
            "site_limited",
            "too_large",
        ] {
            assert!(!shown.contains(word), "{name}: {word}\n{shown}");
        }
        for wrong in [
            " 1 hosts",
            " 1 requests",
            " 1 locations",
            " 1 errors",
            " 1 visits",
        ] {
            assert!(!shown.contains(wrong), "{name}: {wrong}\n{shown}");
        }
    }
}
