//! Every answer to robots.txt, and what is asked after it (RB3 to RB11).

use super::stage::{CARD, CONDITIONAL, LOCATIONS, Ran, Stage, WEEKS, whole_list};

/// One site: its script, how the visit ends, what robots.txt then means, how many requests it sees.
struct Case {
    host: &'static str,
    script: String,
    outcome: &'static str,
    access: &'static str,
    requests: usize,
}

fn case(
    host: &'static str,
    script: impl Into<String>,
    outcome: &'static str,
    access: &'static str,
    requests: usize,
) -> Case {
    Case {
        host,
        script: script.into(),
        outcome,
        access,
        requests,
    }
}

/// A rule for /robots.txt alone.
fn at_robots(what: &str) -> String {
    format!("[[rule]]\npath = \"/robots.txt\"\n{what}\n")
}

/// A robots.txt with this text.
fn text(text: &str) -> String {
    format!("[[file]]\npath = \"/robots.txt\"\ntext = '''\n{text}'''\n")
}

/// `hops` redirects from /robots.txt on, then rules.
fn chain(hops: usize) -> String {
    let mut script = String::new();
    for hop in 0..hops {
        let from = match hop {
            0 => "/robots.txt".to_owned(),
            hop => format!("/r{hop}"),
        };
        script += &format!(
            "[[rule]]\npath = \"{from}\"\nredirect = \"/r{}\"\n",
            hop + 1
        );
    }
    script
        + &format!(
            "[[file]]\npath = \"/r{hops}\"\ntext = \"User-agent: *\\nDisallow: /llms.txt\\n\"\n"
        )
}

fn cases() -> Vec<Case> {
    let status = |status: u16| at_robots(&format!("status = {status}"));
    let fault = |fault: &str| {
        text("User-agent: *\nDisallow:\n") + &at_robots(&format!("fault = {{ {fault} }}"))
    };
    vec![
        // RB3
        case(
            "rules.test",
            text("User-agent: *\nDisallow: /llms\n") + CARD,
            "done",
            "rules",
            11,
        ),
        case(
            "named.test",
            text(
                "User-agent: *\nDisallow: /\n\nUser-agent: intentroutebot\nAllow: /agents.md\nDisallow: /\n",
            ),
            "done",
            "rules",
            2,
        ),
        case(
            "shut.test",
            text("User-agent: *\nDisallow: /\n"),
            "done",
            "rules",
            1,
        ),
        case("empty.test", text("") + CARD, "done", "rules", 13),
        case("nothing.test", status(204), "done", "rules", 14),
        // Rules are rules under any success that carries them.
        case(
            "s203.test",
            text("User-agent: *\nDisallow: /\n") + &status(203),
            "done",
            "rules",
            1,
        ),
        // A hop to a location of the plan would ask for it twice. // AS3
        case(
            "tollms.test",
            at_robots("redirect = \"/llms.txt\""),
            "closed:redirects",
            "closed:redirects",
            1,
        ),
        // RB4
        case("s400.test", status(400), "done", "open", 14),
        case("s401.test", status(401), "done", "open", 14),
        case("s403.test", status(403), "done", "open", 14),
        case("s404.test", status(404), "done", "open", 14),
        case("s410.test", status(410), "done", "open", 14),
        case("s451.test", status(451), "done", "open", 14),
        // RB5, and PC4 for a 503
        case(
            "s429.test",
            status(429),
            "limited",
            "closed:too_many_requests",
            1,
        ),
        case("s503.test", status(503), "limited", "closed:status", 1),
        // RB6
        case(
            "s500.test",
            status(500),
            "closed:status",
            "closed:status",
            1,
        ),
        case(
            "s502.test",
            status(502),
            "closed:status",
            "closed:status",
            1,
        ),
        case(
            "hangup.test",
            fault("kind = \"hang_up\""),
            "closed:unreachable",
            "closed:unreachable",
            1,
        ),
        case(
            "reset.test",
            fault("kind = \"reset\""),
            "closed:unreachable",
            "closed:unreachable",
            1,
        ),
        case(
            "silent.test",
            fault("kind = \"silence\", for_ms = 20000"),
            "closed:unreachable",
            "closed:unreachable",
            1,
        ),
        case(
            "garbled.test",
            fault("kind = \"status_line\""),
            "limited",
            "closed:unreachable",
            1,
        ),
        // RB7: five are followed, with the eight requests the budget then has room for; six are not.
        case("five.test", chain(5), "budget_spent", "rules", 14),
        case(
            "six.test",
            chain(6),
            "closed:redirects",
            "closed:redirects",
            6,
        ),
        case(
            "circle.test",
            at_robots("redirect = \"/r\"")
                + "[[rule]]\npath = \"/r\"\nredirect = \"/robots.txt\"\n",
            "closed:redirects",
            "closed:redirects",
            2,
        ),
        case(
            "itself.test",
            at_robots("redirect = \"/robots.txt\""),
            "closed:redirects",
            "closed:redirects",
            1,
        ),
        case(
            "nowhere.test",
            status(302),
            "closed:redirects",
            "closed:redirects",
            1,
        ),
        case(
            "query.test",
            at_robots("redirect = \"/robots.txt?again=1\""),
            "closed:redirects",
            "closed:redirects",
            1,
        ),
        // RB11
        case(
            "offsite.test",
            at_robots("redirect = \"http://elsewhere.test/robots.txt\""),
            "closed:redirects",
            "closed:redirects",
            1,
        ),
        case(
            "checked.test",
            at_robots("challenge = true"),
            "challenge",
            "closed:challenge",
            1,
        ),
        case(
            "partial.test",
            text("User-agent: *\nDisallow:\n") + &at_robots("status = 206"),
            "closed:broken",
            "closed:broken",
            1,
        ),
        case(
            "short.test",
            fault("kind = \"truncate\", send = 5"),
            "closed:broken",
            "closed:broken",
            1,
        ),
        case(
            "chunks.test",
            fault("kind = \"cut_chunks\""),
            "closed:broken",
            "closed:broken",
            1,
        ),
        case(
            "unasked.test",
            status(304),
            "closed:broken",
            "closed:broken",
            1,
        ),
        case(
            "coding.test",
            text("User-agent: *\nDisallow:\n") + &at_robots("coding = \"gzip_cut\""),
            "closed:broken",
            "closed:broken",
            1,
        ),
        // RB10: parsed, mostly without a rule; a rule that stands in it counts.
        case(
            "page.test",
            text("<!DOCTYPE html>\n<html><body><p>Welcome</p></body></html>\n") + CARD,
            "done",
            "rules",
            13,
        ),
        case(
            "ruled-page.test",
            text("<!DOCTYPE html>\n<pre>\nUser-agent: *\nDisallow: /llms.txt\n</pre>\n") + CARD,
            "done",
            "rules",
            12,
        ),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_to_robots_txt_means_what_the_ledger_says() {
    let cases = cases();
    let mut sites: Vec<_> = cases
        .iter()
        .map(|case| (case.host, case.script.as_str()))
        .collect();
    // Served, and led to by a redirect: it must see nothing.
    sites.push(("elsewhere.test", "listed = false\n"));
    let stage = Stage::new(&sites, &["transfer.read_timeout=400ms"]).await;
    let ran = stage.week(1, WEEKS[0]).await;
    for case in &cases {
        let host = case.host;
        assert_eq!(ran.outcome(host), case.outcome, "{host}");
        assert_eq!(stage.access(host), case.access, "{host}");
        let asked = ran.asked(host);
        assert_eq!(asked.len(), case.requests, "{host}: {asked:?}");
        assert_eq!(asked.first(), Some(&"/robots.txt"), "{host}");
        assert_eq!(
            stage.log(host).len(),
            case.requests,
            "{host}: the store's log"
        );
    }
    assert_eq!(ran.asked("elsewhere.test"), [""; 0]);
    assert_eq!(ran.asked("s404.test"), whole_list());
    what_rules_deny_is_not_asked(&ran);
    // What does not read as a robots.txt is kept exactly all the same.
    assert_eq!(stage.versions("page.test", "/robots.txt").len(), 1);
    // A closed host is tried again next week and no sooner.
    assert_eq!(stage.listed("s500.test").0, super::stage::at(WEEKS[1]));
}

fn what_rules_deny_is_not_asked(ran: &Ran) {
    assert_eq!(ran.asked("named.test"), ["/robots.txt", "/agents.md"]);
    let rules = ran.asked("rules.test");
    assert!(
        !rules.iter().any(|path| path.starts_with("/llms")),
        "{rules:?}"
    );
    assert!(!ran.asked("five.test").contains(&"/llms.txt"));
    assert!(!ran.asked("ruled-page.test").contains(&"/llms.txt"));
    let hops = ["/robots.txt", "/r1", "/r2", "/r3", "/r4", "/r5"];
    assert_eq!(ran.asked("five.test")[..6], hops);
    assert_eq!(ran.asked("six.test"), hops);
    // The rest of the budget goes to the list in order: eight of them after the denied first one.
    assert_eq!(ran.asked("five.test")[6..], LOCATIONS[1..9]);
    assert!(ran.asked("s410.test").contains(&CONDITIONAL));
}

/// A robots.txt of `bytes` bytes whose last rule closes /llms.txt.
fn of_size(bytes: usize) -> Vec<u8> {
    let rules = b"User-agent: *\nDisallow: /llms.txt\n";
    let mut file = Vec::with_capacity(bytes);
    let line = b"# a line of padding that says nothing at all to anybody\n";
    while file.len() + line.len() + rules.len() < bytes {
        file.extend(line);
    }
    let rest = bytes - rules.len() - file.len();
    file.extend(std::iter::repeat_n(b'#', rest - 1));
    file.push(b'\n');
    file.extend(rules);
    assert_eq!(file.len(), bytes);
    file
}

// RB8, known fault 4: up to the limit every line counts, above it the host is closed, coded or not.
#[tokio::test(flavor = "multi_thread")]
async fn the_size_limit_of_robots_txt_is_exact_and_no_rule_below_it_is_lost() {
    let sizes = [511_999, 512_000, 512_001];
    let codings = ["identity", "gzip", "brotli"];
    let place = tempfile::tempdir().unwrap();
    for bytes in sizes {
        for coding in codings {
            let site = place.path().join(format!("sites/{coding}-{bytes}.test"));
            std::fs::create_dir_all(site.join("01")).unwrap();
            std::fs::write(site.join("01/robots.txt"), of_size(bytes)).unwrap();
            let script = at_robots(&format!("coding = \"{coding}\""));
            std::fs::write(site.join("_site.toml"), script).unwrap();
        }
    }
    let stage = Stage::over(place, &[]).await;
    let hosts = stage.web.hosts();
    stage.list(&hosts.iter().map(String::as_str).collect::<Vec<_>>());
    let ran = stage.week(1, WEEKS[0]).await;
    for coding in codings {
        for bytes in &sizes[..2] {
            let host = format!("{coding}-{bytes}.test");
            assert_eq!(ran.outcome(&host), "done", "{host}");
            let asked = ran.asked(&host);
            assert_eq!(asked.len(), 13, "{host}");
            assert!(!asked.contains(&"/llms.txt"), "{host}");
            assert_eq!(
                stage.versions(&host, "/robots.txt"),
                [of_size(*bytes)],
                "{host}"
            );
        }
        let host = format!("{coding}-512001.test");
        assert_eq!(ran.outcome(&host), "closed:too_large", "{host}");
        assert_eq!(ran.asked(&host), ["/robots.txt"], "{host}");
        assert!(
            stage.versions(&host, "/robots.txt").is_empty(),
            "{host}: a part was kept"
        );
    }
}
