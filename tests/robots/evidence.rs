//! The verdict says what led to it.

use lamplighter::robots::{Delay, GroupKind, Reading, SecondOpinion};

use super::read;

#[test]
fn the_verdict_carries_its_evidence() {
    let file = read(
        "# ours\nUser-agent: IntentRouteBot\nDisallow: /a\nDISALLOW : /a/*.json$ # why\n\
         Allow: /a/b\nCrawl-delay: 3\n",
    );
    let verdict = file.verdict("/a/b.json?x#y");
    assert!(verdict.allowed);
    assert_eq!(verdict.path, "/a/b.json?x");
    assert_eq!(verdict.line, Some(5));
    let verdict = file.verdict("https://h.example/a/b.json");
    assert!(!verdict.allowed);
    assert_eq!(verdict.line, Some(4));
    assert_eq!(verdict.rule.as_deref(), Some("DISALLOW : /a/*.json$ # why"));
    assert_eq!(verdict.group, GroupKind::Named);
    assert_eq!(verdict.agent_lines, [2]);
    assert_eq!(verdict.second_opinion, SecondOpinion::Agrees);
    let lines: Vec<u32> = verdict.matching.iter().map(|rule| rule.line).collect();
    assert_eq!(lines, [4, 5, 3]);
    assert_eq!(verdict.matching[0].pattern, "/a/*.json$");
    assert_eq!(verdict.matched, 3);
}

#[test]
fn robots_txt_itself_is_always_allowed() {
    let file = read("User-agent: *\nDisallow: /\n");
    let verdict = file.verdict("/robots.txt");
    assert!(verdict.allowed);
    assert_eq!(verdict.second_opinion, SecondOpinion::NotAsked);
    assert!(!file.verdict("/robots.txt?x=1").allowed);
}

#[test]
fn intent_closes_what_the_owner_meant_and_says_so() {
    let rows = [
        (
            "User-agent: a, IntentRouteBot\nDisallow: /x\n",
            "several names",
        ),
        ("User-agent: *\nDisallow: x\n", "first slash"),
        ("Disallow: /x\n", "without any User-agent"),
        ("User-agent: *\nDisallow: /\u{200B}x\n", "invisible"),
        (
            "User-agent: b\nDisallow: /\n\u{FEFF}User-agent: *\nDisallow: /x\n",
            "invisible",
        ),
    ];
    for (text, note) in rows {
        let file = read(text);
        let verdict = file.verdict("/x");
        assert!(!verdict.allowed, "{text:?}");
        assert_eq!(verdict.reading, Reading::Intent, "{text:?}");
        assert!(
            file.notes().iter().any(|n| n.contains(note)),
            "{text:?}: {:?}",
            file.notes()
        );
        assert!(file.verdict("/y").allowed, "{text:?}");
    }
}

#[test]
fn a_delay_line_between_agents_neither_opens_nor_shortens() {
    let text = "User-agent: *\nCrawl-delay: 5\nUser-agent: BadBot\nDisallow: /\n";
    let file = read(text);
    assert!(!file.verdict("/x").allowed);
    assert_eq!(
        file.delay(),
        Some(Delay {
            seconds: 5.0,
            line: 2
        })
    );
    assert!(
        file.notes().iter().any(|note| note.contains("goes on")),
        "{:?}",
        file.notes()
    );
}
