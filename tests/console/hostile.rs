//! A site that writes to the operator's terminal whatever it can: nothing of it arrives there.

use lamplighter::store::Store;

use super::folder;
use super::pty::{Modes, Session};

/// What a terminal would obey, by its name.
const ATTACKS: [(&str, &str); 12] = [
    ("clipboard", "\u{1b}]52;c;cHduZWQ=\u{7}"),
    ("title", "\u{1b}]0;pwned\u{7}"),
    ("name", "\u{1b}]2;pwned\u{1b}\\"),
    ("clear", "\u{1b}[2J\u{1b}[H"),
    ("leave", "\u{1b}[?1049l"),
    ("cursor", "\u{1b}[?25h"),
    ("mouse", "\u{1b}[?1000l\u{1b}[?2004l\u{1b}[?7h"),
    ("reset", "\u{1b}c\u{1b}[!p"),
    ("c1", "\u{9b}2J\u{9d}0;pwned\u{9c}\u{90}+q\u{9c}"),
    ("bidi", "\u{202e}txt.sbew\u{202c}\u{2066}\u{200b}"),
    ("bell", "\u{7}\u{8}\u{8}\u{8}\u{d}"),
    ("keypad", "\u{1b}=\u{1b}(0\u{e}"),
];

/// All of them in a row.
fn all() -> String {
    ATTACKS.iter().map(|(_, bytes)| *bytes).collect()
}

/// A TOML string of these characters.
fn quoted(text: &str) -> String {
    let inner: String = text
        .chars()
        .map(|char| match char {
            '"' | '\\' => format!("\\{char}"),
            ' '..='~' => char.to_string(),
            other => format!("\\U{:08X}", u32::from(other)),
        })
        .collect();
    format!("\"{inner}\"")
}

/// What a header may hold: no control characters but those that are more than one byte.
fn for_head(text: &str) -> String {
    text.chars().filter(|char| *char >= ' ').collect()
}

fn marks(count: usize) -> String {
    format!("z{}", "\u{301}".repeat(count))
}

/// Robots.txt, bodies, paths and headers that attack.
fn attacker() -> String {
    let evil = all();
    let robots = format!(
        "User-agent: *\n# {evil}\nDisallow: /{evil}\nDisallow: /private{evil}\nAllow: /\n\
         Disallow: /{}\nDisalow: {evil}\n{evil}: x\nSitemap: https://evil.test/{evil}\n\
         Content-Signal: {evil}=yes\nCrawl-delay: {evil}\n",
        marks(100_000)
    );
    let head = for_head(&evil);
    let body = format!("# {evil}\n{}\n", marks(100_000));
    let file = |path: &str, text: &str| {
        format!(
            "[[file]]\npath = {}\ntext = {}\n",
            quoted(path),
            quoted(text)
        )
    };
    let headers = format!(
        "[[rule]]\npath = \"/llms.txt\"\netag = {}\nheaders = [[\"Content-Type\", {}], [\"X-Note\", {}]]\n",
        quoted(&format!("\"{head}{}\"", marks(1_000))),
        quoted(&format!("text/plain; charset={head}")),
        quoted(&head),
    );
    let moved = format!(
        "[[rule]]\npath = \"/llms-full.txt\"\nstatus = 302\nredirect = {}\n",
        quoted(&format!("http://evil.test/{head}/{}", marks(1_000)))
    );
    let later = format!(
        "[[rule]]\npath = \"/.well-known/agent.json\"\nstatus = 429\nretry_after = {}\n",
        quoted(&format!("600{head}"))
    );
    headers + &moved + &later + &file("/robots.txt", &robots) + &file("/llms.txt", &body)
}

/// A robots.txt that is elsewhere.
fn moving() -> String {
    let to = format!("http://moved.test/to{}", for_head(&all()));
    format!(
        "[[rule]]\npath = \"/robots.txt\"\nstatus = 301\nredirect = {}\n\
         [[rule]]\npath = \"*\"\nstatus = 200\nbody = \"User-agent: *\\nAllow: /\\n\"\n",
        quoted(&to)
    )
}

/// Heads that are none: control characters in status line and headers.
fn broken() -> String {
    let evil = quoted(&format!("HTTP/1.1 200 {}", all().replace('\r', "")));
    let line = quoted(&format!("X-Note: {}", all().replace('\r', "")));
    format!(
        "[[rule]]\npath = \"/robots.txt\"\n\
         [[rule]]\npath = \"/llms.txt\"\nfault = {{ kind = \"status_line\", line = {evil} }}\n\
         [[rule]]\npath = \"*\"\nfault = {{ kind = \"header_line\", line = {line} }}\n"
    )
}

/// Nothing of an attack has arrived: modes, title, clipboard, and every byte that was sent.
fn unharmed(session: &Session) {
    unharmed_in(session, Modes::CONSOLE);
}

fn unharmed_in(session: &Session, modes: Modes) {
    assert_eq!(session.modes(), modes, "{}", session.text());
    session.heard(|heard| {
        assert!(heard.titles.is_empty(), "{:?}", heard.titles);
        assert!(heard.copied.is_empty(), "{:?}", heard.copied);
        assert!(heard.strange.is_empty(), "{:?}", heard.strange);
    });
    let bytes = session.bytes();
    for (name, attack) in ATTACKS {
        // What a terminal obeys of it begins with the first sequence.
        let found = bytes.windows(attack.len()).any(|window| {
            window == attack.as_bytes() && !matches!(name, "clear" | "leave" | "cursor")
        });
        assert!(!found, "{name} arrived");
    }
    let text = String::from_utf8_lossy(&bytes);
    let hidden = |char: &char| matches!(char, '\u{80}'..='\u{9f}' | '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert_eq!(text.chars().find(hidden), None);
    // Nobody's marks pile up in a cell.
    assert!(!text.contains(&"\u{301}".repeat(5)));
}

#[test]
fn a_site_writes_nothing_to_the_terminal() {
    let place = tempfile::tempdir().unwrap();
    let web = folder(
        place.path(),
        &[
            ("evil.test", attacker()),
            ("moved.test", moving()),
            ("worse.test", broken()),
        ],
    );
    let store = place.path().join("store");
    let arguments = [
        "demo",
        "--fast",
        "--web",
        &web,
        "--store",
        store.to_str().unwrap(),
    ];
    let mut session = Session::start(&arguments, 120, 36);
    session.wait_for("In flight");
    session.wait_for("finished");
    unharmed(&session);
    session.press("\t\t");
    session.press("2");
    session.wait_for("evil.test");
    unharmed(&session);
    session.press("/evil\r");
    session.wait_for("that match evil");
    session.press("\r");
    session.wait_for("Hosts > evil.test");
    session.wait_for("its rules are followed");
    unharmed(&session);
    session.press("\t");
    // As escapes, each where it stood.
    session.wait_for("^[]52;c;cHduZWQ=^G");
    unharmed(&session);
    for _ in 0..3 {
        let before = session.pieces();
        session.press("\x04");
        session.wait_for_more(before);
        unharmed(&session);
    }
    session.press("t\x15/private\x1b[200~\x1b]0;pasted\x07\u{202e}\x1b[201~");
    session.wait_for("]0;pasted <U+202E>");
    // The cursor stands where the next letter goes.
    let writing = Modes {
        cursor_hidden: false,
        ..Modes::CONSOLE
    };
    unharmed_in(&session, writing);
    session.press("\x1b");
    session.wait_without("]0;pasted <U+202E>");
    session.press("\t\t");
    session.wait_for("GET /robots.txt");
    unharmed(&session);
    for _ in 0..12 {
        let before = session.pieces();
        session.press("j");
        session.wait_for_more(before);
    }
    unharmed(&session);
    session.press("\t");
    session.wait_for("charset=]52;c;");
    unharmed(&session);
    session.press("\x1b");
    session.wait_for("that match evil");
    session.press("/\x15moved\r");
    session.wait_for("that match moved");
    session.press("\r\t");
    session.wait_for("its redirects could not be followed");
    unharmed(&session);
    session.press("\x1b");
    session.wait_for("that match moved");
    session.press("/\x15evil\r");
    session.wait_for("that match evil");
    session.press("N");
    session.wait_for("Notices");
    unharmed(&session);
    session.press("\x1b");
    session.wait_for("that match evil");
    // Ours alone: the name of a host.
    session.press("y");
    session.wait_for("copied evil.test");
    let copied = session.heard(|heard| heard.copied.clone());
    assert_eq!(copied, [b"ZXZpbC50ZXN0".to_vec()]);
    session.press("q");
    assert_eq!(session.ended(), 0);
    session.given_back();
    assert!(session.heard(|heard| heard.titles.is_empty()));
    // It was all there to be shown.
    let reader = Store::existing(&store).unwrap().reader().unwrap();
    let run = reader.runs().unwrap()[0].id;
    let totals = reader.totals(run).unwrap();
    assert!(totals.outcomes.contains_key("present"), "{totals:?}");
    assert!(totals.outcomes.contains_key("redirect"), "{totals:?}");
}
