//! The terminal is given back after a panic, in a process and a pty of their own: the child is this
//! test binary once more, with one of the tests that are ignored elsewhere.

use std::io::Read as _;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::*;
use crate::test_kit::{running, told};

/// Says to the tests below that they are children.
const CHILD: &str = "LAMPLIGHTER_TEST_PANICS";

fn entered() -> Term {
    assert!(
        std::env::var_os(CHILD).is_some(),
        "it runs in a terminal of its own, started by another test"
    );
    let (inputs, _) = mpsc::channel(8);
    let themes = Themes::of_process(false, None).unwrap();
    Term::enter(themes, inputs).unwrap()
}

impl Term {
    fn is_busy(&self) -> bool {
        self.writer.as_ref().is_some_and(Writer::is_busy)
    }
}

fn wait(what: impl Fn() -> bool) {
    let begun = std::time::Instant::now();
    while !what() && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
#[ignore = "a child"]
fn panics_on_the_screen() {
    let mut term = entered();
    wait(|| !term.is_busy());
    term.draw(&told((120, 36), running())).unwrap();
    wait(|| !term.is_busy());
    panic!("the screen broke");
}

#[test]
#[ignore = "a child"]
fn panics_at_once() {
    let _term = entered();
    // What takes the terminal is still on its way.
    panic!("the screen broke");
}

#[test]
#[ignore = "a child"]
fn panics_beside_the_screen() {
    let mut term = entered();
    wait(|| !term.is_busy());
    let beside = std::thread::spawn(|| panic!("a reader broke"));
    assert!(beside.join().is_err());
    // The screen goes on.
    term.draw(&told((120, 36), running())).unwrap();
    drop(term);
}

/// Runs a child in a pty: the screen at its end, and the bytes it sent.
fn run(child: &str) -> (vt100::Parser, Vec<u8>) {
    let size = PtySize {
        rows: 36,
        cols: 120,
        ..PtySize::default()
    };
    let pair = native_pty_system().openpty(size).unwrap();
    let before = format!("{:?}", pair.master.get_termios());
    let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
    command.args([
        &format!("term::tests::{child}"),
        "--exact",
        "--ignored",
        "--nocapture",
    ]);
    command.env(CHILD, "1");
    command.env("TERM", "xterm-256color");
    command.env("RUST_BACKTRACE", "0");
    let mut running = pair.slave.spawn_command(command).unwrap();
    let mut terminal = pair.master.try_clone_reader().unwrap();
    let reading = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let mut buffer = [0; 4096];
        while let Ok(count) = terminal.read(&mut buffer) {
            if count == 0 {
                break;
            }
            bytes.extend_from_slice(&buffer[..count]);
        }
        bytes
    });
    running.wait().unwrap();
    let after = format!("{:?}", pair.master.get_termios());
    assert_eq!(before, after, "{child}: lines are treated as before");
    // The reader ends with the last one who could write.
    drop(pair.slave);
    let bytes = reading.join().unwrap();
    let mut parser = vt100::Parser::new(36.try_into().unwrap(), 120.try_into().unwrap(), 0);
    parser.process(&bytes);
    (parser, bytes)
}

fn count(bytes: &[u8], wanted: &str) -> usize {
    let windows = bytes.windows(wanted.len());
    windows
        .filter(|window| *window == wanted.as_bytes())
        .count()
}

fn given_back(child: &str, words: &str) {
    let (parser, bytes) = run(child);
    let (screen, text) = (parser.screen(), parser.screen().contents());
    assert_eq!(count(&bytes, "\x1b[?1049h"), 1, "{child}: it was taken");
    assert_eq!(
        count(&bytes, "\x1b[?1049l"),
        1,
        "{child}: and given back once"
    );
    assert!(
        !screen.alternate_screen() && !screen.hide_cursor(),
        "{child}"
    );
    assert!(!screen.bracketed_paste(), "{child}");
    let mouse = screen.mouse_protocol_mode();
    assert_eq!(mouse, vt100::MouseProtocolMode::None, "{child}");
    assert!(text.contains(words), "{child}:\n{text}");
    assert!(
        !text.contains("In flight"),
        "{child}: a frame stands on the shell's screen:\n{text}"
    );
}

#[test]
fn a_panic_gives_the_terminal_back_and_is_told() {
    given_back("panics_on_the_screen", "the screen broke");
}

#[test]
fn a_panic_elsewhere_is_told_after_the_screen() {
    given_back("panics_beside_the_screen", "a reader broke");
}

#[test]
fn a_panic_before_the_screen_is_taken_leaves_it_as_it_was() {
    // Which of two threads is faster is chance.
    for _ in 0..10 {
        given_back("panics_at_once", "the screen broke");
    }
}
