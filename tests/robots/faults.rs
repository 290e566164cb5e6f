//! Faults that other crawlers had, by row of tests/data/known-faults.md.

use std::time::Duration;

use lamplighter::robots::{GroupKind, Reading, gap};

use super::gaps::pace;
use super::{LIMIT, read};

#[test]
fn fault_1_a_byte_order_mark_does_not_hide_the_first_group() {
    let file = read(b"\xEF\xBB\xBFUser-agent: *\nDisallow: /\n");
    let verdict = file.verdict("/llms.txt");
    assert!(!verdict.allowed);
    assert_eq!(verdict.line, Some(2));
    assert_eq!(verdict.reading, Reading::Rfc);
}

#[test]
fn fault_2_a_group_for_another_bot_is_not_ours() {
    let file = read(
        "User-agent: Route\nDisallow: /1\nUser-agent: IntentRoute\nDisallow: /2\n\
         User-agent: IntentRouteBot-Images\nDisallow: /3\nUser-agent: *\nDisallow: /4\n",
    );
    let allowed = ["/1", "/2", "/3", "/4"].map(|path| file.verdict(path).allowed);
    assert_eq!(allowed, [true, true, true, false]);
    assert_eq!(file.verdict("/4").group, GroupKind::Star);

    let file = read("User-agent: IntentRouteBot/0.1\nDisallow: /a\nUser-agent: *\nDisallow: /b\n");
    assert!(!file.verdict("/a").allowed);
    assert!(file.verdict("/b").allowed);
    assert!(
        file.notes().iter().any(|note| note.contains("line 1")),
        "{:?}",
        file.notes()
    );
}

#[test]
fn fault_3_no_crawl_delay_kills_or_misleads() {
    let rows = [
        ("inf", None),
        ("nan", None),
        ("1e300", Some(1e300)),
        ("-5", None),
        ("0", Some(0.0)),
        ("10s", Some(10.0)),
        ("1,5", Some(1.5)),
        ("1,000", None),
        ("86400", Some(86_400.0)),
    ];
    for (value, expected) in rows {
        let file = read(format!(
            "User-agent: *\nCrawl-delay: {value}\nDisallow: /x\n"
        ));
        assert_eq!(file.delay().map(|delay| delay.seconds), expected, "{value}");
        assert_eq!(file.delay().map(|delay| delay.line), expected.map(|_| 2));
        let noted = file
            .notes()
            .iter()
            .any(|note| note.contains("no readable wait"));
        assert_eq!(noted, expected.is_none(), "{value}: {:?}", file.notes());
        assert!(gap(&pace("intentroute", 2.0), file.delay()).duration >= Duration::from_secs(2));
    }
}

#[test]
fn fault_4_up_to_the_limit_every_line_is_obeyed() {
    for size in [511_999, 512_000, 512_001] {
        let head = "User-agent: *\n";
        let rule = "Disallow: /last\n";
        let fill = size - head.len() - rule.len();
        let file = read(format!("{head}{}\n{rule}", "#".repeat(fill - 1)));
        let whole = size <= LIMIT;
        // Over the limit only the rule's own line end is: the line itself is whole.
        assert!(!file.verdict("/last").allowed, "{size}");
        assert_eq!(
            file.notes().iter().any(|n| n.contains("limit")),
            !whole,
            "{size}"
        );
    }
    let over = "User-agent: *\n".to_owned() + &"#".repeat(LIMIT) + "\nDisallow: /last\n";
    let file = read(over);
    assert!(file.verdict("/last").allowed, "beyond the limit");
    assert!(file.notes().iter().any(|note| note.contains("limit")));
}
