//! The page of one host, as a store would give it.

use engine::fetch::{Outcome, Validators};
use engine::hosts::Host;
use engine::policy::{Method, builtin};
use engine::store::{
    Gap, Hold, Horizon, HostCard, HostId, HostLine, HostSource, HostState, HostVisit, JournalEntry,
    Leave, LogLine, LogRow, ProcessId, RequestKey, RobotsFetch, RobotsId, RobotsRow, RunId, SiteId,
    SpanState, Stamp, Version, VisitFacts, VisitKind, VisitOutcome, VisitRecord,
};

use super::{at, host, press_key, running, told};
use crate::engine;
use crate::input::Code;
use crate::jobs::Answer;
use crate::jobs::page::{Asked, Explained, PageParts, Promised, RunName, explained};
use crate::msg::{Effect, Msg};
use crate::state::State;
use crate::update::update;

/// A robots.txt with something of everything.
pub(crate) const ROBOTS: &str = "\
# robots.txt of docs.alder.test
User-agent: *
Disallow: /

User-agent: IntentRouteBot
User-agent: OtherBot
Crawl-delay: 2
Allow: /llms.txt
Disallow: /llms-full.txt
Disallow: /*.txt$
Allow: /.well-known/
Disallow: /.well-known/ucp
Disalow: /private

Sitemap: https://docs.alder.test/sitemap.xml
Content-Signal: search=yes, ai-train=no
";

pub(crate) fn fetch(id: i64, status: Option<u16>, access: &str, bytes: Option<u64>) -> RobotsRow {
    RobotsRow {
        id: RobotsId(id),
        fetch: RobotsFetch {
            host: HostId(1),
            at: at("2026-11-30T08:13:50.120Z"),
            status,
            access: access.to_owned(),
            redirects: 1,
            url: "https://docs.alder.test/robots.txt".to_owned(),
            sha256: bytes.map(|_| [0xab; 32]),
            valid_until: at("2026-12-01T08:13:50Z"),
            delay: None,
            signals: String::new(),
        },
        bytes,
    }
}

/// The request that was sent so many milliseconds after 08:13:50, and the gap before it.
pub(crate) fn asked(ms: i64, path: &str, gap: Option<i64>) -> LogLine {
    let utc = at("2026-11-30T08:13:50Z") + jiff::SignedDuration::from_millis(ms);
    let stamp = |ms: i64| Stamp {
        utc,
        mono_ms: 1_000 + ms,
    };
    let key = |ms: i64| RequestKey {
        site: SiteId(1),
        at_ms: utc.as_millisecond() - ms,
        seq: 1,
    };
    let absent = path.contains("json");
    let line = LogRow {
        key: key(0),
        run: RunId(1),
        process: ProcessId(1),
        host: HostId(1),
        host_name: host("docs.alder.test"),
        visit_host: HostId(1),
        turn: 1,
        target: path.to_owned(),
        method: Method::Get,
        attempt: 1,
        intent: stamp(0),
        sent: Some(stamp(0)),
        ended: Some(stamp(87)),
        outcome: Some(if absent {
            Outcome::Absent
        } else {
            Outcome::Present
        }),
        status: Some(if absent { 404 } else { 200 }),
        remote: Some("192.0.2.7:443".parse().unwrap()),
        leave: match path {
            "/robots.txt" => Leave::Robots,
            "/openapi.json" => Leave::NoRule(RobotsId(7)),
            _ => Leave::Rule(RobotsId(7), 8),
        },
        held: (path == "/llms.txt").then(|| Validators {
            etag: Some("\"a1b2\"".to_owned()),
            last_modified: None,
        }),
        conditional: path == "/llms.txt",
        gap_ms: 2_000,
        coding: "gzip".to_owned(),
        wire_bytes: 700,
        body_bytes: 4_100,
        sha256: (!absent).then_some([0x5e; 32]),
        connection: 1,
        redirect: None,
        retry_after_ms: None,
        detail: None,
    };
    LogLine {
        row: line,
        gap: gap.map(|ms| Gap {
            ms,
            monotonic: true,
            previous: key(2_000),
        }),
    }
}

fn visit(label: &str, run: i64, ended: &str, outcome: VisitOutcome) -> HostVisit {
    use SpanState::{Absent, Denied, NotAsked, Present};
    HostVisit {
        label: label.to_owned(),
        record: VisitRecord {
            run: RunId(run),
            host: HostId(1),
            host_name: host("docs.alder.test"),
            turn: 1,
            outcome,
            ended: at(ended),
            locations: vec![
                Present, Present, Absent, Absent, Absent, Present, Absent, Absent, Absent, Denied,
                Absent, Absent, Denied, NotAsked,
            ],
            denied: vec![
                ("/.well-known/ucp".to_owned(), RobotsId(7), 12),
                ("/llms-full.txt".to_owned(), RobotsId(7), 9),
            ],
            source_known: true,
            previous: None,
        },
    }
}

pub(crate) fn card(name: &str, state: HostState) -> HostCard {
    let host: Host = host(name);
    HostCard {
        line: HostLine {
            id: HostId(1),
            site: host.site(),
            host,
            site_id: SiteId(1),
            state,
            again: false,
            resting: None,
            source: HostSource::List {
                kind: "list".to_owned(),
                name: "hosts.txt".to_owned(),
                date: at("2026-11-29T00:00:00Z"),
                line: Some(14),
            },
            due: Some(at("2026-12-07T06:00:00Z")),
            visited: Some(at("2026-11-30T08:14:06Z")),
            outcome: Some(VisitOutcome::Done),
            locations: Vec::new(),
            newest: Some(VisitFacts {
                kind: VisitKind::Done,
                reason: String::new(),
                requests: 12,
                errors: 0,
                denied: 2,
                largest: 4_100,
                statuses: vec![200, 404],
            }),
        },
        imported: Some(("5e".repeat(32), at("2026-11-29T10:00:00Z"))),
        found_from: Some((
            HostId(3),
            self::host("alder.test"),
            at("2026-11-23T07:00:00Z"),
        )),
        alias: None,
        siblings: vec![
            (HostId(3), self::host("alder.test")),
            (HostId(4), self::host("www.alder.test")),
        ],
        sibling_count: 2,
        holds: Vec::new(),
    }
}

fn version(location: &str, number: u32) -> Version {
    Version {
        host: host("docs.alder.test"),
        location: location.to_owned(),
        number,
        first_seen: at("2026-11-23T08:14:02Z"),
        last_seen: at("2026-11-30T08:14:02Z"),
        sha256: [0x5e; 32],
        bytes: 4_100,
        media_type: Some("text/plain; charset=utf-8".to_owned()),
        coding: None,
        marks: Vec::new(),
    }
}

/// All parts of a page.
pub(crate) fn parts() -> PageParts {
    let paths = [
        "/openapi.json",
        "/.well-known/ard.json",
        "/llms.txt",
        "/robots.txt",
    ];
    let gaps = [Some(1_250), Some(2_003), Some(2_034), None];
    let requests = paths.iter().zip(gaps).zip([6_200, 4_200, 2_120, 0]);
    PageParts {
        card: Ok(card(
            "docs.alder.test",
            HostState::Done(Some(VisitKind::Done)),
        )),
        visits: Ok(vec![
            visit("2026-W49", 2, "2026-11-30T08:14:06Z", VisitOutcome::Done),
            visit("2026-W48", 1, "2026-11-23T08:14:06Z", VisitOutcome::Limited),
        ]),
        fetches: Ok(vec![
            fetch(7, Some(200), "rules", Some(ROBOTS.len() as u64)),
            fetch(6, Some(404), "open", None),
            fetch(5, Some(503), "closed:status", None),
        ]),
        requests: Ok(requests
            .map(|((path, gap), ms)| asked(ms, path, gap))
            .collect()),
        versions: Ok(vec![
            version("/.well-known/oauth-protected-resource/v1", 1),
            version("/llms.txt", 1),
            version("/llms.txt", 2),
            version("/robots.txt", 1),
        ]),
        journal: Ok(vec![JournalEntry {
            at: at("2026-11-24T09:00:00Z"),
            by: "anna".to_owned(),
            action: "hold add alder.test".to_owned(),
            why: "complaint 14".to_owned(),
            inverse: "hold remove alder.test".to_owned(),
            shift_ms: 0,
        }]),
        promised: Ok(Promised {
            scheme: "https".to_owned(),
            locations: locations(),
        }),
        time: Ok((runs(), None)),
    }
}

fn runs() -> Vec<RunName> {
    let run = |id, label: &str| RunName {
        id: RunId(id),
        label: label.to_owned(),
    };
    vec![run(3, "2026-W49"), run(2, "2026-W48"), run(1, "2026-W47")]
}

/// The same as they were known with a run before the newest.
pub(crate) fn parts_as_of(run: RunId) -> PageParts {
    let mut parts = parts();
    parts.visits = Ok(match run {
        RunId(2) => vec![visit(
            "2026-W48",
            1,
            "2026-11-23T08:14:06Z",
            VisitOutcome::Limited,
        )],
        _ => Vec::new(),
    });
    parts.versions = Ok(vec![version("/llms.txt", 1)]);
    parts.requests = Ok(Vec::new());
    parts.time = Ok((
        runs(),
        Some(Horizon {
            next: RunId(run.0 + 1),
            before: at("2026-11-30T06:00:00Z"),
        }),
    ));
    parts
}

fn locations() -> Vec<String> {
    let plan = builtin("intentroute").unwrap().plan;
    let paths = plan.locations.into_iter().map(|location| location.path);
    std::iter::once("/robots.txt".to_owned())
        .chain(paths)
        .collect()
}

/// A hold that covers the host.
pub(crate) fn hold() -> Hold {
    Hold {
        scope: "alder.test".parse().unwrap(),
        since: at("2026-11-30T08:00:00Z"),
        by: "anna".to_owned(),
        why: "complaint 14".to_owned(),
    }
}

/// What a robots.txt says, without a store.
pub(crate) fn said(text: Option<&str>, asked: &Asked) -> Explained {
    let policy = builtin("intentroute").unwrap();
    explained(&policy, text.map(str::as_bytes), asked)
}

/// Answers every question about the page among these effects; of fetch 7 the text is `robots`.
pub(crate) fn answer(state: &mut State, effects: Vec<Effect>, robots: &str) {
    use crate::jobs::What;
    let mut left = effects;
    while let Some(effect) = left.pop() {
        let Effect::Ask(question) = effect else {
            continue;
        };
        let answer = match question.what {
            What::Page(_, None) => Answer::Page(Box::new(parts())),
            What::Page(_, Some(run)) => Answer::Page(Box::new(parts_as_of(run))),
            What::Robots(asked) => {
                let text = (asked.fetch == RobotsId(7)).then_some(robots);
                Answer::Robots(Box::new(said(text, &asked)))
            }
            _ => continue,
        };
        left.extend(update(state, Msg::Read(question.number, Ok(answer))));
    }
}

/// A page opened from the Live pane and read.
pub(crate) fn opened(size: (u16, u16)) -> State {
    let mut state = told(size, running());
    state.live.selected = Some(HostId(1));
    let effects = press_key(&mut state, Code::Enter);
    answer(&mut state, effects, ROBOTS);
    state
}

/// The same, so many sections further on.
pub(crate) fn section(size: (u16, u16), tabs: usize) -> State {
    let mut state = opened(size);
    for _ in 0..tabs {
        let effects = press_key(&mut state, Code::Tab);
        answer(&mut state, effects, ROBOTS);
    }
    state
}
