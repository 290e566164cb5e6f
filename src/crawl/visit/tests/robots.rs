//! robots.txt in a visit: its hops, its session, its end.

use super::*;

#[test]
fn a_new_visit_asks_robots_txt_before_anything_else() {
    let mut visit = Visit::new(apex(), 1, 13);
    assert!(matches!(visit.robots, Robots::Ask(_)));
    assert_eq!(
        next(&mut visit),
        "robots of apex.test: apex.test/robots.txt"
    );
}

#[test]
fn a_session_that_is_not_stored_or_closed_decides_too() {
    let read = [robots(&apex(), Outcome::Present)];
    let mut lost = fold_turn(1, &read, &|_| None);
    assert_eq!(next(&mut lost), "robots of apex.test: apex.test/robots.txt");
    let closed = |_| Some(in_force(Access::Closed(Closed::Status), ""));
    let mut closed = fold_turn(1, &[robots(&apex(), Outcome::ServerError)], &closed);
    assert_eq!(next(&mut closed), "end: closed:status");
    let shut = |_| {
        let rules = "User-agent: *\nDisallow: /\nAllow: /agents.md\n";
        Some(in_force(Access::Rules, rules))
    };
    let mut shut = fold_turn(1, &read, &shut);
    assert_eq!(next(&mut shut), "apex.test/agents.md");
    // Denials are found anew, with the line that denied.
    assert_eq!(shut.denied[0], ("/llms.txt".to_owned(), RobotsId(1), 2));
    assert_eq!(shut.denied.len(), 10);
}

// RB9: a file that ran out is asked for again before anything else, on the host the visit moved to.
#[test]
fn an_expired_robots_txt_is_read_anew_and_the_visit_goes_on() {
    let rows = [
        hop(&apex(), "/robots.txt", "http://www.apex.test/robots.txt"),
        robots(&www(), Outcome::Present),
        file(&www(), "/llms.txt", Outcome::Present),
    ];
    let late = at(86_400);
    let again = "robots of www.apex.test: www.apex.test/robots.txt";
    let mut visit = fold(&rows);
    assert_eq!(next_at(&mut visit, late), again);
    let interrupted = [&rows[..], &[robots(&www(), None)]].concat();
    assert_eq!(next(&mut fold(&interrupted)), again);
    let answered = [&interrupted[..], &[robots(&www(), Outcome::NotModified)]].concat();
    let mut visit = fold(&answered);
    assert_eq!(next(&mut visit), format!("www.apex.test{CARD}"));
    assert_eq!(visit.listed, apex());
}

#[test]
fn hops_are_judged_one_by_one() {
    let follow = |hop: &Hop, to: &str| {
        let redirect = Redirect::To(to.parse().unwrap());
        match next_hop(&policy(), NameRules::Loopback, hop, &redirect) {
            NextHop::Follow(next) => Ok(next),
            NextHop::Closed(why) => Err(why),
        }
    };
    let first = Hop::first(&apex().host);
    for (to, why) in [
        ("http://elsewhere.test/robots.txt", "off the site"),
        ("http://apex.test/robots.txt", "circle"),
        ("http://apex.test/robots.txt?a=1", "query"),
        ("http://192.0.2.7/robots.txt", "no host we ask"),
        ("http://www.apex.test/llms.txt", "location of the plan"),
        ("http://apex.test/%6clms.txt", "location of the plan"),
    ] {
        let said = follow(&first, to).unwrap_err();
        assert!(said.contains(why), "{to}: {said}");
    }
    let mut hop = first;
    for number in 1..=5 {
        hop = follow(&hop, &format!("http://n{number}.apex.test/r")).unwrap();
        assert_eq!(hop.redirects, number);
        assert_eq!(hop.speaks_for, apex().host);
    }
    let said = follow(&hop, "http://apex.test/last").unwrap_err();
    assert!(said.contains("more than 5"), "{said}");
    let moved = follow(&Hop::first(&apex().host), "http://www.apex.test/robots.txt").unwrap();
    assert_eq!(moved.speaks_for, www().host);
    let real = follow(&moved, "http://apex.test/real.txt").unwrap();
    assert_eq!(real.speaks_for, www().host);
}
