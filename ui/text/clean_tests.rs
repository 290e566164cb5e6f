use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use ratatui::backend::{CrosstermBackend, TestBackend};
use ratatui::layout::{Constraint, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph, Row, Table, Widget};
use ratatui::{Terminal, TerminalOptions, Viewport};

use super::*;

#[test]
fn shows_what_a_terminal_would_obey() {
    let table: &[(&[u8], &str)] = &[
        (b"plain text", "plain text"),
        (b"\x1b[2J", "^[[2J"),
        (b"\x1b]52;c;AAAA\x07", "^[]52;c;AAAA^G"),
        (b"a\0b\x7f", "a^@b^?"),
        (b"one\r\ntwo", "one^M^Jtwo"),
        (b"a\tb", "a       b"),
        (b"12345678\t9", "12345678        9"),
        ("中\t|\x1b\t|".as_bytes(), "中      |^[     |"),
        (b"changed\r", "changed^M"),
        (
            b"\xe4\xb8\xff\xed\xa0\x80\xc0\xaf",
            "\\xE4\\xB8\\xFF\\xED\\xA0\\x80\\xC0\\xAF",
        ),
        ("\u{ff9f}x\u{ffa0}".as_bytes(), "<U+FF9F>x<U+FFA0>"),
        ("\u{9b}2J".as_bytes(), "<U+009B>2J"),
        ("a\u{202e}b\u{2066}c".as_bytes(), "a<U+202E>b<U+2066>c"),
        (
            "zero\u{200b}width\u{feff}".as_bytes(),
            "zero<U+200B>width<U+FEFF>",
        ),
        ("soft\u{ad}hyphen".as_bytes(), "soft<U+00AD>hyphen"),
        (
            "\u{e000}\u{fffe}\u{378}".as_bytes(),
            "<U+E000><U+FFFE><U+0378>",
        ),
        ("\u{2028}\u{2029}".as_bytes(), "<U+2028><U+2029>"),
        ("\u{e0041}".as_bytes(), "<U+E0041>"),
        ("カ\u{ff9e}".as_bytes(), "カ<U+FF9E>"),
        (b"bad \xff\xc3 bytes", "bad \\xFF\\xC3 bytes"),
        ("\u{301}start".as_bytes(), "<U+0301>start"),
        ("e\u{301}".as_bytes(), "e\u{301}"),
        (
            "e\u{301}\u{301}\u{301}\u{301}\u{301}".as_bytes(),
            "e\u{301}\u{301}\u{301}\u{301}<U+0301>",
        ),
        ("中文 é ñ".as_bytes(), "中文 é ñ"),
        ("a\u{a0}b".as_bytes(), "a<U+00A0>b"),
    ];
    for (raw, shown) in table {
        assert_eq!(Clean::new(raw).as_str(), *shown, "{raw:?}");
    }
}

#[test]
fn caps_a_giant_line_with_a_mark() {
    let whole = "x".repeat(MOST_COLUMNS);
    assert_eq!(Clean::new(&whole).as_str(), whole);
    assert!(!Clean::new(&whole).is_escaped());
    for giant in [
        "x".repeat(MOST_COLUMNS + 1),
        "x".repeat(100_000),
        "中".repeat(100_000),
        format!("x{}", "中".repeat(100_000)),
        format!("e{}", "\u{301}".repeat(100_000)),
        format!("{whole}\u{301}\u{301}\u{301}\u{301}\u{301}"),
        format!("{whole}\t"),
        format!("x{}", "\t".repeat(1_000)),
        format!("xx{}", "\u{202e}".repeat(1_000)),
        format!("👩{}", "\u{200d}👧".repeat(10_000)),
    ] {
        let clean = Clean::new(&giant);
        let shown = clean.as_str().strip_suffix(CUT).expect("a mark");
        let columns = clean.width() - CUT.len();
        assert!(
            (MOST_COLUMNS - TAB..=MOST_COLUMNS).contains(&columns),
            "{columns}"
        );
        assert!(shown.len() < 5 * MOST_COLUMNS);
        assert!(clean.is_escaped());
    }
    assert_eq!(Clean::new([0xff; 5_000]).width(), MOST_COLUMNS + CUT.len());
}

#[test]
fn says_whether_anything_is_escaped() {
    for plain in ["", "plain", "中文 e\u{301} 한", "a\tb", "^[ <U+202E>"] {
        assert!(!Clean::new(plain).is_escaped(), "{plain:?}");
    }
    for escaped in [&b"a\x1b"[..], b"\xff", "a\u{200b}b".as_bytes(), b"line\r"] {
        assert!(Clean::new(escaped).is_escaped(), "{escaped:?}");
    }
}

#[test]
fn cuts_by_columns_on_borders_of_characters() {
    let wide = Clean::new("ab中文字");
    assert_eq!(wide.fit(8, "…"), wide);
    assert_eq!(wide.fit(7, "…").as_str(), "ab中文…");
    assert_eq!(wide.fit(6, "…").as_str(), "ab中…");
    assert_eq!(wide.fit(4, "…").as_str(), "ab…");
    assert_eq!(wide.fit(1, "…").as_str(), "…");
    assert_eq!(wide.fit(0, "…").as_str(), "");
}

/// Strings that mix letters with everything that has ever misled a terminal.
fn hostile(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => "[a-z /.]{1,6}".prop_map(String::into_bytes),
        4 => any::<char>().prop_map(|char| char.to_string().into_bytes()),
        2 => prop::sample::select(vec![
            "\x1b[2J", "\x1b]0;title\x07", "\u{9b}31m", "\u{202e}", "\u{2066}", "\u{200d}",
            "\u{feff}", "\u{ff9e}", "\u{301}", "\u{20e3}", "\u{fe0f}", "👩\u{200d}👧", "🇩🇪", "🇩",
            "한", "\u{1100}", "\u{1161}", "\u{11a8}", "\u{644}\u{627}", "क\u{94d}ष", "\u{e01}\u{e33}",
            "\u{600}", "\u{d4e}", "👍🏽", "🏽", "\r\n", "\t", "\0", "\u{a4f8}\u{a4fc}", "\u{17d2}\u{178a}",
        ]).prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 1..6),
    ];
    prop::collection::vec(piece, 0..most).prop_map(|pieces| pieces.concat())
}

/// Anything that must never reach a terminal.
fn forbidden(text: &str) -> Option<char> {
    text.chars()
        .find(|char| *char != '\n' && (char.is_control() || hidden(*char)))
}

fn drawn_columns(clean: &Clean) -> usize {
    let mut terminal = Terminal::new(TestBackend::new(600, 1)).unwrap();
    let mut spans: Vec<Span<'_>> = clean
        .spans(Style::new(), Style::new().add_modifier(Modifier::DIM))
        .collect();
    spans.push(Span::raw("|"));
    terminal
        .draw(|frame| Line::from(spans).render(frame.area(), frame.buffer_mut()))
        .unwrap();
    let buffer = terminal.backend().buffer();
    (0..600u16)
        .rev()
        .find(|x| buffer[(*x, 0)].symbol() == "|")
        .map_or(usize::MAX, usize::from)
}

fn wire(clean: &Clean) -> String {
    let mut out = Vec::new();
    let area = Rect::new(0, 0, 600, 4);
    let options = TerminalOptions {
        viewport: Viewport::Fixed(area),
    };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(&mut out), options).unwrap();
    terminal
        .draw(|frame| {
            let row = |y| Rect::new(0, y, 600, 1);
            Line::from(clean.as_str()).render(row(0), frame.buffer_mut());
            Paragraph::new(clean.as_str()).render(row(1), frame.buffer_mut());
            Table::new([Row::new([clean.as_str()])], [Constraint::Fill(1)])
                .render(row(2), frame.buffer_mut());
            Block::new()
                .title(clean.as_str())
                .render(row(3), frame.buffer_mut());
        })
        .unwrap();
    drop(terminal);
    strip_own_sequences(&String::from_utf8(out).unwrap())
}

/// Removes the CSI sequences the backend itself writes (`ESC [ parameters letter`).
fn strip_own_sequences(wire: &str) -> String {
    let mut rest = String::new();
    let mut chars = wire.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '\x1b' && chars.peek() == Some(&'[') {
            chars.next();
            while chars.next_if(|char| !char.is_ascii_alphabetic()).is_some() {}
            chars.next();
        } else {
            rest.push(char);
        }
    }
    rest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn nothing_forbidden_is_left(raw in hostile(24)) {
        let clean = Clean::new(&raw);
        prop_assert_eq!(forbidden(clean.as_str()), None, "{:?}", clean);
        prop_assert!(clean.width() <= 600, "the strategy grew: widen the test screen");
    }

    #[test]
    fn takes_the_columns_it_says(raw in hostile(24)) {
        let clean = Clean::new(&raw);
        prop_assert_eq!(drawn_columns(&clean), clean.width(), "{:?}", clean);
        let spans: usize = clean.spans(Style::new(), Style::new()).map(|span| span.width()).sum();
        prop_assert_eq!(spans, clean.width(), "{:?}", clean);
    }

    #[test]
    fn cutting_never_exceeds(raw in hostile(24), columns in 0usize..40) {
        let clean = Clean::new(&raw);
        let cut = clean.fit(columns, "…");
        prop_assert!(cut.width() <= columns);
        prop_assert_eq!(drawn_columns(&cut), cut.width(), "{:?}", cut);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_forbidden_is_on_the_wire(raw in hostile(24)) {
        let wire = wire(&Clean::new(&raw));
        prop_assert_eq!(forbidden(&wire), None, "{:?}", wire);
    }
}

/// By the Unicode tables of another crate: control, format, surrogate, private use, unassigned, line
/// and paragraph separators, and what is invisible for other reasons.
fn misleads(char: char) -> bool {
    use GeneralCategory as Category;
    if matches!(char, ' '..='~') {
        return false;
    }
    let category = CodePointMapData::<Category>::new().get(char);
    matches!(
        category,
        Category::Control
            | Category::Format
            | Category::Surrogate
            | Category::PrivateUse
            | Category::Unassigned
            | Category::LineSeparator
            | Category::ParagraphSeparator
    ) || matches!(char, '\u{fe00}'..='\u{fe0f}' | '\u{ff9e}' | '\u{ff9f}' | '\u{e0000}'..='\u{e0fff}')
        || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(char)
}

#[test]
fn the_other_tables_hide_no_more_than_ours() {
    for char in '\u{0}'..=char::MAX {
        let ours = char.is_control() || hidden(char);
        assert!(ours || !misleads(char), "{:04X}", u32::from(char));
    }
}

/// Strings drawn at once, each as a line, a paragraph and a row of a table.
const BATCH: u16 = 50;
const COLUMNS: u16 = 200;

/// Draws a batch; gives what went to the terminal, and the columns before the bar behind each text.
fn drawn_each_way(batch: &[Clean]) -> (String, Vec<usize>) {
    let mut out = Vec::new();
    let mut columns = Vec::new();
    let viewport = Viewport::Fixed(Rect::new(0, 0, COLUMNS, 3 * BATCH));
    let options = TerminalOptions { viewport };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(&mut out), options).unwrap();
    let escaped = Style::new().add_modifier(Modifier::DIM);
    terminal
        .draw(|frame| {
            let buffer = frame.buffer_mut();
            for (clean, y) in batch.iter().zip((0..).step_by(3)) {
                let spans = clean.spans(Style::new(), escaped).chain([Span::raw("|")]);
                let line: Line<'_> = spans.collect();
                let row = |at| Rect::new(0, y + at, COLUMNS, 1);
                Paragraph::new(line.clone()).render(row(1), buffer);
                Table::new([Row::new([line.clone()])], [Constraint::Fill(1)])
                    .render(row(2), buffer);
                line.render(row(0), buffer);
                columns.extend((y..y + 3).map(|y| {
                    let bar = (0..COLUMNS).rev().find(|x| buffer[(*x, y)].symbol() == "|");
                    bar.map_or(usize::MAX, usize::from)
                }));
            }
        })
        .unwrap();
    drop(terminal);
    (
        strip_own_sequences(&String::from_utf8(out).unwrap()),
        columns,
    )
}

#[test]
fn twenty_thousand_hostile_strings_mislead_nobody() {
    let mut runner = TestRunner::deterministic();
    let strategy = hostile(9);
    let mut escaped = 0;
    for _ in 0..20_000 / BATCH {
        let raw: Vec<Vec<u8>> = (0..BATCH)
            .map(|_| strategy.new_tree(&mut runner).unwrap().current())
            .collect();
        let batch: Vec<Clean> = raw.iter().map(Clean::new).collect();
        let (wire, columns) = drawn_each_way(&batch);
        let found = wire.chars().find(|char| misleads(*char));
        assert_eq!(found, None, "{batch:?}");
        for ((clean, raw), columns) in batch.iter().zip(&raw).zip(columns.chunks(3)) {
            assert!(clean.width() < usize::from(COLUMNS), "widen the screen");
            assert_eq!(columns, [clean.width(); 3], "{raw:?} {clean:?}");
            escaped += usize::from(clean.is_escaped());
        }
    }
    assert!(escaped > 10_000, "the strings are not hostile: {escaped}");
}

#[test]
fn a_text_is_wrapped_at_blanks_and_nothing_of_it_is_lost() {
    let table: &[(&str, usize, &[&str])] = &[
        ("", 5, &[""]),
        ("one two three", 7, &["one two", "three"]),
        ("one two", 7, &["one two"]),
        ("onetwothree", 4, &["onet", "woth", "ree"]),
        ("a \u{1b}[2J b", 4, &["a", "^[[2", "J b"]),
        ("中文字", 5, &["中文", "字"]),
    ];
    for (raw, columns, expected) in table {
        let lines = Clean::new(raw).wrap(*columns);
        let shown: Vec<&str> = lines.iter().map(Clean::as_str).collect();
        assert_eq!(shown, *expected, "{raw:?}");
    }
}

proptest! {
    #[test]
    fn wrapped_lines_fit_and_hold_everything(raw in "\\PC{0,60}", columns in 2usize..20) {
        let clean = Clean::new(&raw);
        let lines = clean.wrap(columns);
        let mut text = String::new();
        for line in &lines {
            assert!(line.width() <= columns.max(4), "{line:?}");
            text.push_str(line.as_str());
        }
        let solid = |text: &str| text.replace(' ', "");
        assert_eq!(solid(&text), solid(clean.as_str()));
    }
}

#[test]
fn a_text_cut_in_its_middle_keeps_both_ends() {
    let path = Clean::new("/.well-known/agent-skills/index.json");
    let cut = path.middle(20, "~");
    assert_eq!(cut.as_str(), "/.wel~lls/index.json");
    assert_eq!(cut.width(), 20);
    assert_eq!(path.middle(36, "~"), path);
    assert_eq!(path.middle(3, "~").as_str(), "/.~");
}

proptest::proptest! {
    #[test]
    fn no_text_cut_in_its_middle_is_too_wide(raw in "\\PC{0,60}", columns in 0_usize..40) {
        let text = Clean::new(raw);
        let cut = text.middle(columns, "~");
        proptest::prop_assert!(cut.width() <= columns.max(text.width().min(columns)));
        let drawn: usize = cut.spans(Default::default(), Default::default()).map(|span| span.width()).sum();
        proptest::prop_assert_eq!(drawn, cut.width());
    }
}
