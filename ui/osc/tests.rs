use std::num::NonZeroU16;

use proptest::prelude::*;
use ratatui::backend::CrosstermBackend;
use ratatui::style::{Color, Style};
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget};
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};
use unicode_width::UnicodeWidthChar;

use super::*;

fn osc(pairs: &[(&str, &str)]) -> Osc {
    Osc::of(|name| {
        let found = pairs.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| (*value).to_owned())
    })
}

fn xterm() -> Osc {
    osc(&[("TERM", "xterm-256color")])
}

fn copied(osc: Osc, text: &str) -> Result<String, CopyError> {
    osc.copy([&Clean::new(text)])
        .map(|bytes| String::from_utf8(bytes).unwrap())
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

#[test]
fn copies_plainly_and_through_tmux_and_screen() {
    assert_eq!(copied(xterm(), "foobar").unwrap(), "\x1b]52;c;Zm9vYmFy\x07");
    let tmux = osc(&[("TERM", "tmux"), ("TMUX", "/tmp/t,1,0"), ("STY", "1.x")]);
    assert_eq!(
        copied(tmux, "fo").unwrap(),
        "\x1bPtmux;\x1b\x1b]52;c;Zm8=\x07\x1b\\"
    );
    let screen = osc(&[("TERM", "screen"), ("STY", "1.x")]);
    let payload = STANDARD.encode("x".repeat(60));
    assert_eq!(
        copied(screen, &"x".repeat(60)).unwrap(),
        format!(
            "\x1bP\x1b]52;c;{}\x1b\\\x1bP{}\x07\x1b\\",
            &payload[..76],
            &payload[76..]
        )
    );
    let lines = [Clean::new("one"), Clean::new("t\x1bwo")];
    let bytes = xterm().copy(&lines).unwrap();
    assert_eq!(
        bytes,
        xterm().wrapped(&STANDARD.encode("one\nt^[wo")).into_bytes()
    );
}

#[test]
fn copies_no_more_than_terminals_take() {
    let full = Clean::new("x".repeat(4_000));
    let lines = |last: usize| {
        let mut lines = vec![full.clone(); 18];
        lines.push(Clean::new("x".repeat(last)));
        xterm().copy(&lines)
    };
    assert_eq!(lines(2_976).map(|bytes| bytes.len()), Ok(100_000));
    let error = lines(2_977).unwrap_err();
    assert_eq!(error, CopyError::TooLarge { size: 74_995 });
    assert_eq!(
        error.to_string(),
        "74995 bytes are more than the 74994 that terminals take: copy a smaller part, or write it to a file with lamplighter show"
    );
}

#[test]
fn links_only_our_own_kind_of_address() {
    let link = xterm()
        .link(&url("https://example.com/a b/ä?q=\u{202e}#part"))
        .unwrap();
    let address = link.open.rsplit(';').next().unwrap();
    assert_eq!(
        address,
        "https://example.com/a%20b/%C3%A4?q=%E2%80%AE\x1b\\"
    );
    for refused in [
        "ftp://example.com/",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "https://user@example.com/",
        "https://:secret@example.com/",
    ] {
        assert_eq!(xterm().link(&url(refused)), None, "{refused}");
    }
    assert_eq!(
        xterm().link(&url(&format!("https://a.test/{}", "x".repeat(2_048)))),
        None
    );
    let page = url("https://example.com/");
    for deaf in [
        osc(&[]),
        osc(&[("TERM", "dumb")]),
        osc(&[("TERM", "linux")]),
        osc(&[("TERM", "screen"), ("STY", "1.x")]),
    ] {
        assert_eq!(deaf.link(&page), None);
    }
    assert!(
        osc(&[("TERM", "tmux-256color"), ("TMUX", "x")])
            .link(&page)
            .is_some()
    );
}

/// What a terminal makes of our bytes: the text and the address of each cell.
#[derive(Debug, PartialEq, Eq)]
struct Screen {
    cells: Vec<Vec<(String, String)>>,
}

impl Screen {
    fn of(bytes: &[u8], width: u16, height: u16) -> Screen {
        let blank = (" ".to_owned(), String::new());
        let mut cells = vec![vec![blank; usize::from(width)]; usize::from(height)];
        let (mut x, mut y, mut address) = (0, 0, String::new());
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let mut rest = text.as_str();
        while let Some(char) = rest.chars().next() {
            if let Some(link) = rest.strip_prefix("\x1b]8;") {
                let (inside, after) = link.split_once("\x1b\\").expect("a link ends");
                address = inside
                    .split_once(';')
                    .expect("parameters and address")
                    .1
                    .to_owned();
                rest = after;
            } else if let Some(sequence) = rest.strip_prefix("\x1b[") {
                let end = sequence
                    .find(|char: char| char.is_ascii_alphabetic())
                    .unwrap();
                if sequence.as_bytes()[end] == b'H' {
                    let (row, column) = sequence[..end].split_once(';').unwrap();
                    y = row.parse::<usize>().unwrap() - 1;
                    x = column.parse::<usize>().unwrap() - 1;
                }
                rest = &sequence[end + 1..];
            } else {
                assert!(!char.is_control(), "{char:?} in {text:?}");
                let columns = char.width().unwrap();
                assert!(columns > 0);
                erase(&mut cells[y], x);
                cells[y][x] = (char.to_string(), address.clone());
                if columns == 2 {
                    erase(&mut cells[y], x + 1);
                    cells[y][x + 1] = (String::new(), address.clone());
                }
                x += columns;
                rest = &rest[char.len_utf8()..];
            }
        }
        assert_eq!(address, "", "a link was left open");
        Screen { cells }
    }

    fn row(&self, y: usize) -> String {
        self.cells[y]
            .iter()
            .map(|(text, _)| text.as_str())
            .collect()
    }

    /// The last letter of each cell's address.
    fn linked(&self, y: usize) -> String {
        self.cells[y]
            .iter()
            .map(|(_, address)| address.chars().next_back().unwrap_or('.'))
            .collect()
    }
}

/// Writing on one half of a wide character blanks the other.
fn erase(row: &mut [(String, String)], x: usize) {
    let blank = (" ".to_owned(), String::new());
    if row[x].0.is_empty() && x > 0 {
        row[x - 1] = blank.clone();
    }
    if row.get(x + 1).is_some_and(|(text, _)| text.is_empty()) {
        row[x + 1] = blank;
    }
}

const WIDTH: u16 = 24;

type Draw<'a> = &'a dyn Fn(&mut Frame<'_>);

/// The screen after some frames.
fn after(frames: &[Draw<'_>]) -> Screen {
    let mut out = Vec::new();
    let options = TerminalOptions {
        viewport: Viewport::Fixed(Rect::new(0, 0, WIDTH, 2)),
    };
    let mut terminal = Terminal::with_options(CrosstermBackend::new(&mut out), options).unwrap();
    for draw in frames {
        terminal.draw(|frame| draw(frame)).unwrap();
    }
    drop(terminal);
    Screen::of(&out, WIDTH, 2)
}

fn text(frame: &mut Frame<'_>, x: u16, text: &str) -> Rect {
    let area = Rect::new(x, 0, u16::try_from(Clean::new(text).width()).unwrap(), 1);
    Clear.render(area, frame.buffer_mut());
    Line::styled(text.to_owned(), Style::new().fg(Color::Cyan)).render(area, frame.buffer_mut());
    area
}

fn linked(frame: &mut Frame<'_>, x: u16, shown: &str, to: &str) {
    let area = text(frame, x, shown);
    let link = xterm().link(&url(to)).unwrap();
    link.lay(area, frame.buffer_mut());
}

fn link(frame: &mut Frame<'_>) {
    linked(frame, 2, "docs 中文 x", "https://docs.test/a");
    text(frame, 14, "end");
}

#[test]
fn a_link_goes_through_cells_and_leaves_with_them() {
    let shown = after(&[&link]);
    assert_eq!(shown.row(0).trim_end(), "  docs 中文 x end");
    assert_eq!(shown.linked(0), "..aaaaaaaaaaa...........");

    let bare: Draw<'_> = &|frame| {
        text(frame, 2, "docs 中文 x");
        text(frame, 14, "end");
    };
    assert_eq!(
        after(&[&link, bare]),
        after(&[bare]),
        "the same letters, no old address"
    );
    let other: Draw<'_> = &|frame| {
        linked(frame, 2, "docs 中文 x", "https://docs.test/b");
        text(frame, 14, "end");
    };
    assert_eq!(after(&[&link, other]), after(&[other]));
}

#[test]
fn what_is_drawn_over_a_part_of_a_link_is_seen() {
    let covered: Draw<'_> = &|frame| {
        link(frame);
        text(frame, 5, "|ok| ");
    };
    for frames in [
        vec![covered],
        vec![&link, covered],
        vec![covered, &link, covered],
    ] {
        let shown = after(&frames);
        assert_eq!(shown.row(0).trim_end(), "  doc|ok|   x end");
        assert_eq!(shown.linked(0), "..aaa......aa...........");
    }
    assert_eq!(after(&[covered, &link]), after(&[&link]));
}

/// Why `lay` does not put a whole link into one cell. Should this fail with another version of
/// ratatui, the cheaper way may have become safe.
#[test]
fn a_whole_link_in_one_cell_hides_what_is_drawn_over_it() {
    let whole: Draw<'_> = &|frame| {
        let area = text(frame, 2, "docs");
        let open = xterm().link(&url("https://docs.test/a")).unwrap().open;
        let cell = &mut frame.buffer_mut()[(2, 0)];
        cell.set_symbol(&format!("{open}docs{CLOSE}"));
        cell.set_diff_option(CellDiffOption::ForcedWidth(
            NonZeroU16::new(area.width).unwrap(),
        ));
        text(frame, 4, "XY");
    };
    assert_eq!(after(&[whole]).row(0).trim_end(), "  docs");
}

fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        2 => any::<String>().prop_map(String::into_bytes),
        2 => prop::sample::select(vec!["\x1b\\", "\x07", "\x1b]0;x\x07", "\u{9c}", "\u{9d}52;c;?\x07", ";", "\n", "%"])
            .prop_map(|text| text.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..40),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn environments() -> [Osc; 3] {
    let tmux = osc(&[("TERM", "tmux"), ("TMUX", "x")]);
    [xterm(), tmux, osc(&[("TERM", "screen"), ("STY", "x")])]
}

/// What is left once our own framing is taken off.
fn payload(sequence: &str) -> Option<String> {
    if let Some(inner) = sequence.strip_prefix("\x1bPtmux;\x1b") {
        return payload(inner.strip_suffix("\x1b\\")?);
    }
    if let Some(inner) = sequence.strip_prefix("\x1bP") {
        return payload(&inner.strip_suffix("\x1b\\")?.replace("\x1b\\\x1bP", ""));
    }
    let inner = sequence.strip_prefix("\x1b]52;c;")?.strip_suffix('\x07')?;
    Some(inner.to_owned())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn whatever_is_copied_only_base64_comes_out(raw in hostile()) {
        let clean = Clean::new(&raw);
        for osc in environments() {
            let bytes = osc.copy([&clean]).unwrap();
            let payload = payload(std::str::from_utf8(&bytes).unwrap());
            let payload = payload.ok_or_else(|| TestCaseError::fail("other framing"))?;
            let decoded = STANDARD.decode(&payload).unwrap_or_default();
            prop_assert_eq!(decoded, clean.as_str().as_bytes());
        }
    }

    #[test]
    fn whatever_is_linked_only_printable_ascii_comes_out(raw in hostile(), scheme in "https?|ftp|data") {
        let text = format!("{scheme}://docs.test/{}", String::from_utf8_lossy(&raw));
        let Ok(url) = Url::parse(&text) else { return Ok(()) };
        for osc in environments() {
            if let Some(link) = osc.link(&url) {
                let inner = link.open.strip_prefix("\x1b]8;id=").and_then(|rest| rest.strip_suffix("\x1b\\"));
                let inner = inner.ok_or_else(|| TestCaseError::fail("other framing"))?;
                prop_assert!(inner.bytes().all(|byte| byte.is_ascii_graphic()), "{:?}", inner);
                prop_assert!(inner[16..].starts_with(";http"));
            }
        }
    }

    #[test]
    fn any_frames_end_as_the_last_of_them(
        frames in prop::collection::vec(
            prop::collection::vec((0u16..20, "[ab中]{1,6}", prop::option::of("[ab]")), 0..5), 1..5)
    ) {
        let draws: Vec<_> = frames
            .iter()
            .map(|pieces| move |frame: &mut Frame<'_>| {
                for (x, shown, to) in pieces {
                    // A wide character covered by half is lost to ratatui, linked or not.
                    Clear.render(Rect::new(x.saturating_sub(1), 0, 1, 1), frame.buffer_mut());
                    match to {
                        Some(to) => linked(frame, *x, shown, &format!("https://docs.test/{to}")),
                        None => drop(text(frame, *x, shown)),
                    }
                }
            })
            .collect();
        let all: Vec<Draw<'_>> = draws.iter().map(|draw| draw as Draw<'_>).collect();
        let last = &all[all.len() - 1..];
        prop_assert_eq!(after(&all), after(last));
    }
}
