//! The screen of the real binary as a picture, and what a picture keeps of a screen.

use std::process::Command;

use crate::console::pty::Session;
use crate::support::shot::{self, Shot};

#[test]
fn shots_of_the_real_binary_look_as_stored() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("hosts.txt");
    std::fs::write(&list, "docs.example.com\nwww.example.net\nexample.org\n").unwrap();
    let store = folder.path().join("store");
    let store = store.to_str().unwrap();
    let imported = Command::new(env!("CARGO_BIN_EXE_lamplighter"))
        .args(["--store", store, "hosts", "import", "list"])
        .arg(&list)
        .output()
        .unwrap();
    assert!(imported.status.success(), "{imported:?}");
    let mut session = Session::start(&["--store", store, "--theme", "dark"], 100, 14);
    session.wait_for("3 as of");
    session.wait_for("www.example.net");
    session.wait_for("its turn comes in the next run");
    let shot = Shot::of(&session.screen()).without_clock();
    session.press("q");
    assert_eq!(session.ended(), 0);
    shot::stands("session", &shot);
}

fn svg(bytes: &str) -> String {
    let mut screen = vt100::Parser::new(2.try_into().unwrap(), 12.try_into().unwrap(), 0);
    screen.process(bytes.as_bytes());
    Shot::of(screen.screen()).svg()
}

#[test]
fn a_picture_keeps_attributes_and_places() {
    let shown = svg("a\x1b[1mb\x1b[0m \x1b[31mred\x1b[0m<&\r\n\x1b[38;2;1;2;3;48;5;231mx\x1b[0m");
    assert!(
        shown.contains(r##"<text x="12" y="26" fill="#d7dce2">a</text>"##),
        "{shown}"
    );
    assert!(shown.contains(r##"<text x="21" y="26" fill="#d7dce2" font-weight="bold">b</text>"##));
    assert!(shown.contains(r##"<text x="39 48 57" y="26" fill="#cd0000">red</text>"##));
    assert!(shown.contains(r##"<text x="66 75" y="26" fill="#d7dce2">&lt;&amp;</text>"##));
    assert!(shown.contains(r##"<rect x="12" y="30" width="9" height="18" fill="#ffffff"/>"##));
    assert!(shown.contains(r##"<text x="12" y="44" fill="#010203">x</text>"##));
}

#[test]
fn a_picture_turns_dims_and_underlines() {
    let shown = svg("\x1b[7mr\x1b[0m\x1b[2md\x1b[0m\x1b[4mu\x1b[0m");
    assert!(
        shown.contains(r##"<rect x="12" y="12" width="9" height="18" fill="#d7dce2"/>"##),
        "{shown}"
    );
    assert!(shown.contains(r##"<text x="12" y="26" fill="#14171c">r</text>"##));
    assert!(shown.contains(r##"<text x="21" y="26" fill="#969aa0">d</text>"##));
    assert!(shown.contains(r##"<rect x="30" y="27" width="9" height="1" fill="#d7dce2"/>"##));
}

#[test]
fn wide_cells_take_two_places_and_joined_ones_one() {
    let shown = svg("\u{706f}b e\u{301}f");
    assert!(
        shown.contains(">\u{706f}</text>") || shown.contains(r##"<text x="12" y"##),
        "{shown}"
    );
    assert!(
        shown.contains(r##"<text x="30" y="26" fill="#d7dce2">b</text>"##),
        "{shown}"
    );
    assert!(shown.contains(">e\u{301}</text>"), "{shown}");
    assert!(
        shown.contains(r##"<text x="57" y="26" fill="#d7dce2">f</text>"##),
        "{shown}"
    );
}

#[test]
fn the_clock_is_no_part_of_a_picture() {
    let mut screen = vt100::Parser::new(1.try_into().unwrap(), 60.try_into().unwrap(), 0);
    screen.process(b"Tue 2026-12-01 23:59:58Z, due 2026-12-07 06:00:01Z, 12:34");
    let hidden = Shot::of(screen.screen()).without_clock().svg();
    for (part, count) in [
        ("2000-01-03", 2),
        ("00:00:00Z", 2),
        (">Mon<", 1),
        (">12:34<", 1),
    ] {
        assert_eq!(hidden.matches(part).count(), count, "{part}: {hidden}");
    }
}
