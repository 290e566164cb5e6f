//! The operator's own files: keys, and what was chosen last time.

use super::pty::{Home, Session};

const DEMO: [&str; 4] = ["demo", "--fast", "--set", "pace.min_gap=100s"];

#[test]
fn a_changed_key_works_and_is_in_the_footer() {
    let home = Home::new();
    home.write("keymap.toml", "[pane]\npause = \"Ctrl-B\"\n");
    let mut session = Session::at_home(&home, &DEMO, 100, 24);
    session.wait_for("running");
    session.wait_for("Ctrl-B pause");
    session.press("p");
    session.press("\x02");
    session.wait_for("pause: reached");
    session.wait_for("paused");
    // Had `p` paused too, the second key would have let it go on.
    session.press("?/pause");
    session.wait_for("Pause the whole run");
    session.wait_for("Ctrl-B");
    session.signal("TERM");
    assert_eq!(session.ended(), 130);
    session.given_back();
}

#[test]
fn a_wrong_keymap_ends_in_a_sentence_before_the_screen_is_taken() {
    let wrong = [
        (
            "[live]\nfly = \"f\"\n",
            ", line 2: [live] has no action \"fly\"; it has open",
        ),
        (
            "# mine\n\n[live]\nhold = \"p\"\n",
            ", line 4: p would mean both \"hold\" and \"pause\"; give one of them another key",
        ),
        (
            "[live]\nhold = \"Hyper-x\"\n",
            ", line 2: \"Hyper-x\" is no key",
        ),
        ("[nowhere]\n", ", line 1: there is no [nowhere]; use one of"),
        ("[live\n", ", line 1: "),
        ("\u{1b}]0;title\u{7}\n", ", line 1: "),
    ];
    for (text, expected) in wrong {
        let home = Home::new();
        home.write("keymap.toml", text);
        let mut session = Session::at_home(&home, &DEMO, 200, 24);
        assert_eq!(session.ended(), 2, "{text:?}");
        session.wait_for(expected);
        session.given_back();
        let file = home.setting("keymap.toml");
        let shown = session.text();
        assert!(shown.contains(file.to_str().unwrap()), "{shown}");
        assert_eq!(shown.matches(", line ").count(), 1, "{shown}");
        assert!(session.heard(|heard| heard.titles.is_empty()), "{text:?}");
        let bytes = session.bytes();
        let entered = bytes.windows(8).any(|window| window == b"\x1b[?1049h");
        assert!(!entered, "{text:?}: the screen was taken");
    }
}

#[test]
fn what_was_chosen_is_there_in_the_next_session() {
    let home = Home::new();
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("store");
    let store = store.to_str().unwrap();
    let arguments = [&DEMO[..], &["--store", store]].concat();
    let mut session = Session::at_home(&home, &arguments, 100, 24);
    session.wait_for("running");
    session.wait_for("sort: next");
    session.press("sj\r");
    session.wait_for("sort: host");
    session.press("S");
    session.wait_for("sort: host, turned");
    session.press("2");
    session.wait_for("next visit");
    session.press("c");
    session.wait_for("robots");
    session.press("\x1b");
    session.signal("TERM");
    session.ended();
    let kept = std::fs::read_to_string(home.setting("settings.toml")).unwrap();
    assert!(kept.contains("sort = \"host\""), "{kept}");
    let mut session = Session::at_home(&home, &arguments, 100, 24);
    session.wait_for("running");
    session.wait_for("sort: host, turned");
    session.signal("TERM");
    session.ended();
}
