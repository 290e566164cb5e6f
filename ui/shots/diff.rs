//! What changed between two versions, in the ways there are to look at it.

use crate::state::State;
use crate::test_kit::{diff, page, press};

const OLD: &str = include_str!("diff/old.txt");
const NEW: &str = include_str!("diff/new.txt");
const OLD_CARD: &[u8] = br#"{"name":"Alder","version":"1.4.0","url":"https://docs.alder.test/a2a","capabilities":{"streaming":true},"skills":[{"id":"search","name":"Search","tags":["docs","full text"]},{"id":"read","name":"Read a page","tags":["docs"]}]}"#;
const NEW_CARD: &[u8] = br#"{"name":"Alder","version":"1.5.0","url":"https://docs.alder.test/a2a","capabilities":{"streaming":false},"skills":[{"id":"search","name":"Search","tags":["docs","full text"]},{"id":"read","name":"Read a page","tags":["docs","markdown"]}]}"#;
const OLD_HIDDEN: &str = "\u{feff}User-agent: *\nAllow: /docs/ \nDisallow:\t/private/\nDisallow: /pay\u{202e}lap\nSitemap: https://docs.alder.test/sitemap.xml\n# caf\u{e9}\n";
const NEW_HIDDEN: &str = "User-agent: *\r\nAllow: /docs/\nDisallow:       /private/\nDisallow: /payl\u{200b}ap\nSitemap: https://docs.alder.test/sitemap.xml\n# cafe\u{301}";

fn opened(state: State, old: &[u8], new: &[u8], keys: &str) -> State {
    let mut state = page::section(state.size, 4);
    diff::open(&mut state, Some(old), new);
    if !keys.is_empty() {
        press(&mut state, keys);
        diff::answer(&mut state, Some(old), new);
    }
    state
}

pub(super) fn lines(state: State) -> State {
    opened(state, OLD.as_bytes(), NEW.as_bytes(), "")
}

pub(super) fn reflowed(state: State) -> State {
    opened(state, OLD_CARD, NEW_CARD, "f")
}

pub(super) fn hidden(state: State) -> State {
    opened(state, OLD_HIDDEN.as_bytes(), NEW_HIDDEN.as_bytes(), "")
}
