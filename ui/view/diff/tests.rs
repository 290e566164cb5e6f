use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::test_kit::{diff, mono, press, running, told};

/// What lines are made of: much of it looks like something else, or like nothing.
const PARTS: &[&[u8]] = &[
    b"a",
    b"b",
    b" ",
    b"  ",
    b"\t",
    b"^[",
    b"\x1b",
    b"\r",
    b"^M",
    b"\\xFF",
    b"\xff",
    b"<U+202E>",
    "\u{202e}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{feff}".as_bytes(),
    "é".as_bytes(),
    "e\u{301}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{3000}".as_bytes(),
    "日".as_bytes(),
    "\u{ff21}".as_bytes(),
    b"A",
    "→".as_bytes(),
    "·".as_bytes(),
    b"<cut>",
    b"<no newline at the end>",
    b"\xc3",
    "\u{301}".as_bytes(),
    "ﬁ".as_bytes(),
    b"fi",
];

fn rows(state: &State) -> Vec<String> {
    let (width, height) = state.size;
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    let theme = mono();
    terminal
        .draw(|frame| {
            crate::view::draw(frame, state, &theme);
        })
        .unwrap();
    let buffer = terminal.backend().buffer();
    let row = |y: u16| {
        (0..width)
            .map(|x| buffer[(x, y)].symbol())
            .collect::<String>()
    };
    (0..height).map(row).collect()
}

/// The text behind the sign of a row.
fn signed<'a>(rows: &'a [String], sign: &str) -> Vec<&'a str> {
    let from = rows.iter().position(|row| row.contains("@@ ")).unwrap() + 1;
    // Pointer, two numbers of three digits with a blank each.
    let text = |row: &'a String| row.char_indices().nth(9).map(|(at, _)| &row[at..]);
    let rows = rows[from..].iter().filter_map(text);
    rows.filter_map(|row| row.strip_prefix(sign))
        .map(str::trim_end)
        .collect()
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    vec(select(PARTS), 0..12).prop_map(|parts| parts.concat())
}

/// A line, and the same with one part put in, taken out, or become another.
fn edited() -> impl Strategy<Value = (Vec<u8>, Vec<u8>)> {
    (
        vec(select(PARTS), 1..12),
        any::<usize>(),
        select(PARTS),
        0..3_u8,
    )
        .prop_map(|(mut parts, at, part, kind)| {
            let old = parts.concat();
            let at = at % parts.len();
            match kind {
                0 => parts.insert(at, part),
                1 => drop(parts.remove(at)),
                _ => parts[at] = part,
            }
            (old, parts.concat())
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn two_lines_that_differ_never_look_the_same(
        (old, new) in prop_oneof![edited(), (line(), line())],
        ends in select(&[("\n", "\n"), ("", "\n"), ("\n", ""), ("", "")][..]),
    ) {
        let old = [&b"x\n"[..], &old, ends.0.as_bytes()].concat();
        let new = [&b"x\n"[..], &new, ends.1.as_bytes()].concat();
        prop_assume!(old != new);
        let mut state = told((139, 40), running());
        diff::open(&mut state, Some(&old), &new);
        // Decoded from different encodings two texts may be one, and the view says so: raw they differ.
        let text = |body: &[u8]| std::str::from_utf8(body).is_ok();
        if !text(&old) || !text(&new) {
            press(&mut state, "e");
            diff::answer(&mut state, Some(&old), &new);
        }
        let rows = rows(&state);
        let (removed, added) = (signed(&rows, "-"), signed(&rows, "+"));
        prop_assert!(removed.len() + added.len() > 0, "{}", rows.join("\n"));
        prop_assert!(
            removed.iter().all(|removed| !added.contains(removed)),
            "{:?} and {:?}:\n{}", old, new, rows.join("\n")
        );
    }

    #[test]
    fn any_two_bodies_are_drawn_at_any_size(
        old in vec(any::<u8>(), 0..400),
        new in vec(line(), 0..20),
        width in 1..220_u16,
        height in 1..60_u16,
        keys in "[nNsw{}+\\-bfejkGgvV]{0,12}",
    ) {
        let new = new.join(&b'\n');
        let mut state = told((width, height), running());
        diff::open(&mut state, Some(&old), &new);
        for key in keys.chars() {
            let effects = press(&mut state, &key.to_string());
            if matches!(effects.as_slice(), [crate::msg::Effect::Ask(_)]) {
                diff::answer(&mut state, Some(&old), &new);
            }
            for row in rows(&state) {
                let bad = row.chars().find(|char| char.is_control() || *char == '\u{202e}');
                prop_assert_eq!(bad, None);
            }
        }
    }
}

#[test]
fn the_row_under_the_cursor_is_seen_where_lines_go_on_below() {
    let body = |word: &str| -> Vec<u8> {
        let lines = (0..40).map(|at| format!("{at} {}\n", word.repeat(60 + at)));
        lines.collect::<String>().into_bytes()
    };
    let (old, new) = (body("old "), body("new "));
    for keys in ["w", "sw"] {
        let mut state = told((80, 24), running());
        diff::open(&mut state, Some(&old), &new);
        press(&mut state, keys);
        for _ in 0..90 {
            let shown = rows(&state);
            let pointer = mono().symbols.pointer;
            assert!(
                shown.iter().any(|row| row.starts_with(pointer)),
                "{}",
                shown.join("\n")
            );
            press(&mut state, "j");
        }
    }
}
