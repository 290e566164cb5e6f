//! Keys, clicks, pastes and sizes at random over a live run: nothing breaks, and the run is what it
//! would have been.

use super::pty::Session;
use super::unread::{sent, totals};
use crate::support::dice::Dice;
use lamplighter::store::Store;

use super::{command, folder};

const EVENTS: usize = 2_000;
/// Events between two frames that are waited for.
const BURST: usize = 20;
/// Keys that change no run: none of pause, hold, suppress, quit, the list of commands (which has them
/// all), interrupt and suspend.
const KEYS: &[&str] = &[
    "a", "b", "c", "d", "e", "f", "g", "i", "j", "k", "l", "m", "n", "o", "s", "t", "u", "v", "w",
    "y", "z", "r", "R", "S", "T", "M", "N", "G", "F", "1", "2", "3", "0", "/", "?", "[", "]", "!",
    "\"", " ", "\t", "\r", "\x7f", "\x15", "\x04", "\x0c", "\x1b", "\x1b[A", "\x1b[B", "\x1b[C",
    "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~", "\x1b[3~", "\x1b[Z", "ä", "漢", "\u{301}",
    "\x1b[99~", "\x1bOZ", "\0",
];
const SIZES: &[(u16, u16)] = &[
    (1, 1),
    (2, 40),
    (200, 1),
    (39, 9),
    (40, 10),
    (60, 15),
    (80, 24),
    (120, 36),
    (500, 200),
];

/// Events from a seed.
struct Events(Dice);

impl Events {
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.0.below(end as u64)).unwrap()
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// One event as bytes. The footer, where pause and quit are, is out of the mouse's reach.
    fn event(&mut self) -> Vec<u8> {
        match self.below(20) {
            0 => {
                let (column, row) = (self.below(120) + 1, self.below(6) + 1);
                let button = self.one(&[0, 1, 2, 64, 65]);
                let end = self.one(&["M", "m"]);
                format!("\x1b[<{button};{column};{row}{end}").into_bytes()
            }
            1 => {
                let text = self.one(&["fern", "x\r\n\x1b[2J", "\u{202e}漢", "state:held !", ""]);
                format!("\x1b[200~{text}\x1b[201~").into_bytes()
            }
            _ => self.one(KEYS).as_bytes().to_vec(),
        }
    }
}

#[test]
fn random_keys_change_no_run() {
    let place = tempfile::tempdir().unwrap();
    let [alone, watched] = ["alone", "watched"].map(|name| place.path().join(name));
    let web = folder(place.path(), &[("oak.test", String::new())]);
    let demo = ["demo", "--fast", "--web", &web, "--hosts", "300", "--store"];
    let headless = [&demo[..], &[alone.to_str().unwrap(), "--headless"]].concat();
    assert_eq!(command(&headless).status.code(), Some(0));
    let expected = totals(&alone).unwrap();

    let directory = watched.to_str().unwrap();
    let arguments = [&demo[..], &[directory]].concat();
    let mut session = Session::start(&arguments, 120, 36);
    session.wait_for("In flight");
    let mut events = Events(Dice::new(7, 0));
    for at in 0..EVENTS / BURST {
        let before = session.pieces();
        for _ in 0..BURST {
            let event = events.event();
            session.send(&event);
        }
        if at % 5 == 0 {
            let (columns, rows) = events.one(SIZES);
            session.resize(columns, rows);
        }
        session.wait_for_more(before);
    }
    session.wait("the end of the run", |_| totals(&watched).is_some());
    session.resize(80, 24);
    session.wait_for("finished");
    // Out of whatever lies over the pane.
    for _ in 0..4 {
        let before = session.pieces();
        session.press("\x1b");
        session.wait_for_more(before);
    }
    session.press("1");
    session.wait_for("In flight");
    session.press("q");
    let code = session.ended();
    session.given_back();
    assert_eq!(code, 0, "{}", session.text());
    let reader = Store::existing(&watched).unwrap().reader().unwrap();
    let journal = reader.journal().unwrap();
    assert!(journal.is_empty(), "nobody asked for {journal:?}");
    let found = totals(&watched).unwrap();
    assert_eq!(found.requests, expected.requests);
    assert_eq!(sent(&found), sent(&expected));
    assert_eq!(found.hosts, expected.hosts);
    assert_eq!(found.denied, expected.denied);
    let audited = command(&["--store", directory, "audit"]);
    let said = String::from_utf8_lossy(&audited.stdout).into_owned();
    assert_eq!(audited.status.code(), Some(0), "{said}");
}
