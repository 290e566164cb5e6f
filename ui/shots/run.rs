//! A Monday morning of the weekly run, as the engine would tell it.

use engine::crawl::{HostState, LogLine, RunState, Update, VisitRow};
use engine::store::{Change, HostId, Totals};
use jiff::{SignedDuration, Timestamp};

use crate::engine;
use crate::msg::Msg;
use crate::state::State;
use crate::state::alarms::{Around, Room};
use crate::test_kit::{at, host, row};
use crate::update::update;

const NOW: &str = "2026-11-30T08:14:07.200Z";

/// Requests in each of the last seconds.
const SECONDS: [u64; 24] = [
    9, 11, 12, 10, 13, 14, 12, 13, 15, 13, 11, 8, 6, 9, 12, 14, 15, 14, 13, 15, 16, 14, 12, 14,
];

/// Host, lamps, gap in seconds, and what comes next: a path is being asked now, a number of
/// milliseconds is a rest, the rest is said in words.
const ROWS: [(&str, &str, u64, &str, &str); 22] = [
    (
        "docs.alder.example",
        "●●=○○○●○=○○◐·",
        2,
        "/",
        "/.well-known/agent-skills/index.json",
    ),
    (
        "www.birch.example",
        "●○○◐·········",
        2,
        "/",
        "/llms-full.txt",
    ),
    (
        "shop.bramble.example",
        "●○○×○○◐······",
        60,
        "/",
        "/.well-known/mcp.json",
    ),
    (
        "xn--lbaum-iua.example",
        "=○◐··········",
        2,
        "/",
        "/llms.txt",
    ),
    ("cherry.example", "●=···········", 2, "ready", ""),
    ("api.cedar.example", "=○==○○·······", 2, "200", GAP),
    ("elm.example", "●○○○○········", 2, "400", GAP),
    (
        "developer.dogwood.example",
        "=×=○○○=○○○···",
        5,
        "600",
        "Crawl-delay 5, robots.txt line 12",
    ),
    ("fern.example", "●············", 2, "700", GAP),
    ("www.ginkgo.example", "●○○○○○○○○○○○·", 2, "900", GAP),
    ("hawthorn.example", "●=○○○○○······", 2, "1100", GAP),
    ("ivy.example", "=×××○○×······", 2, "1200", GAP),
    (
        "docs.juniper.example",
        "●!○○·········",
        10,
        "1300",
        "Crawl-delay 10, robots.txt line 3",
    ),
    ("larch.example", "==○○○○=○○○○··", 2, "1500", GAP),
    ("status.maple.example", "●○···········", 2, "1600", GAP),
    ("nettle.example", "●○○○○○●······", 2, "1800", GAP),
    ("oak.example", "=○○○○○=○○····", 2, "1900", GAP),
    (
        "blog.quince.example",
        "●!···········",
        30,
        "21000",
        "Crawl-delay 30, robots.txt line 7",
    ),
    (
        "reed.example",
        "=○○··········",
        60,
        "48000",
        "Crawl-delay 60, robots.txt line 2",
    ),
    ("willow.example", "●○○○·········", 2, "held", ""),
    (
        "thistle.example",
        "●!···········",
        2,
        "done",
        "429 on /llms.txt, Retry-After 600: next week",
    ),
    (
        "yew.example",
        "×············",
        2,
        "done",
        "closed by robots.txt: 503, tried again next week",
    ),
];

const GAP: &str = "minimum gap, no Crawl-delay declared";

/// Milliseconds before now, host, path, status, bytes, and how history changed.
const LOG: [(i64, &str, &str, u16, u64, Change); 12] = [
    (
        1_905,
        "larch.example",
        "/llms.txt",
        304,
        0,
        Change::Unchanged,
    ),
    (
        1_790,
        "www.ginkgo.example",
        "/.well-known/agents.json",
        404,
        1_204,
        Change::None,
    ),
    (1_622, "thistle.example", "/llms.txt", 429, 0, Change::None),
    (
        1_490,
        "oak.example",
        "/llms-full.txt",
        304,
        0,
        Change::Unchanged,
    ),
    (
        1_218,
        "elm.example",
        "/.well-known/ai-plugin.json",
        404,
        312,
        Change::None,
    ),
    (
        1_104,
        "docs.alder.example",
        "/AGENTS.md",
        200,
        18_204,
        Change::Changed,
    ),
    (987, "nettle.example", "/llms.txt", 200, 2_310, Change::New),
    (
        811,
        "hawthorn.example",
        "/.well-known/mcp.json",
        404,
        9_120,
        Change::None,
    ),
    (
        640,
        "fern.example",
        "/robots.txt",
        200,
        1_022,
        Change::Unchanged,
    ),
    (
        412,
        "api.cedar.example",
        "/openapi.json",
        304,
        0,
        Change::Unchanged,
    ),
    (
        233,
        "docs.juniper.example",
        "/llms.txt",
        200,
        40_990,
        Change::Back,
    ),
    (
        88,
        "status.maple.example",
        "/skill.md",
        404,
        620,
        Change::None,
    ),
];

fn ago(milliseconds: i64) -> Timestamp {
    at(NOW) - SignedDuration::from_millis(milliseconds)
}

fn visits() -> Vec<VisitRow> {
    let state = |next: &str, why: &str| match next {
        "/" => HostState::Asking {
            path: why.to_owned(),
        },
        "ready" => HostState::Ready,
        "held" => HostState::Held,
        "done" => HostState::Done {
            outcome: why.to_owned(),
        },
        rest => HostState::Resting {
            until: ago(-rest.parse::<i64>().unwrap()),
            why: why.to_owned(),
        },
    };
    let symbols = |lamps: &str| {
        let ascii = [('●', '@'), ('○', 'o'), ('×', 'x'), ('◐', '?'), ('·', '.')];
        let fold = |lamps: String, (from, to): (char, char)| lamps.replace(from, &to.to_string());
        ascii.into_iter().fold(lamps.to_owned(), fold)
    };
    let rows = (1..).zip(ROWS);
    rows.map(|(id, (name, lamps, gap, next, why))| {
        row(id, name, &symbols(lamps), gap, state(next, why))
    })
    .collect()
}

fn lines() -> Vec<LogLine> {
    let line = |(before, name, path, status, bytes, change): (_, &str, &str, _, _, _)| LogLine {
        at: ago(before),
        id: HostId(1),
        host: host(name),
        method: "GET",
        path: path.to_owned(),
        status: Some(status),
        outcome: match status {
            200 => "present",
            304 => "not_modified",
            404 => "absent",
            _ => "limited",
        },
        bytes,
        change,
    };
    LOG.into_iter().map(line).collect()
}

fn totals() -> Totals {
    let outcomes = [
        ("present", 9_214),
        ("not_modified", 21_020),
        ("absent", 69_811),
        ("soft_absent", 312),
        ("redirect", 2_907),
        ("blocked", 402),
        ("timeout", 290),
        ("limited", 21),
        ("server_error", 101),
        ("dns", 78),
    ];
    Totals {
        requests: outcomes.iter().map(|(_, count)| count).sum(),
        outcomes: outcomes
            .map(|(word, count)| (word.to_owned(), count))
            .into(),
        denied: 1_482,
        versions_new: 604,
        wire_bytes: 412_000_000,
        ..Totals::default()
    }
}

fn news() -> Update {
    Update {
        policy: "intentroute".to_owned(),
        run: "2026-W49".to_owned(),
        now: Some(at(NOW)),
        started: Some(at("2026-11-30T06:00:00Z")),
        state: Some(RunState::Running),
        totals: totals(),
        done: 8_012,
        in_flight: ROWS.len() as u64 - 2,
        waiting: 11_870,
        told_to_wait: 21,
        robots: [7_611, 310, 91],
        window_ends: Some(at("2026-12-01T06:00:00Z")),
        rows: visits(),
        log: lines(),
        ..Update::default()
    }
}

/// The state after the last half minute of news, ending with these.
fn after(mut state: State, last: Update) -> State {
    update(&mut state, Msg::Started(Vec::new()));
    let mut left: u64 = SECONDS.iter().sum();
    for (back, requests) in (0..SECONDS.len()).rev().zip(SECONDS) {
        left -= requests;
        let mut news = last.clone();
        news.now = Some(last.now.unwrap() - SignedDuration::from_secs(back as i64));
        news.totals.requests -= left;
        news.totals.wire_bytes -= left * 3_950;
        news.done -= left / 13;
        if back > 0 {
            news.rows.clear();
            news.log.clear();
            news.dropped = 0;
        }
        update(&mut state, Msg::Update(Box::new(news)));
    }
    state
}

/// All is well.
pub(super) fn running(state: State) -> State {
    after(state, news())
}

/// Much is not: a disk that fills up, timeouts, a site with errors, hostile names of files.
pub(super) fn trouble(mut state: State) -> State {
    let mut last = news();
    last.totals.outcomes.insert("timeout".to_owned(), 9_400);
    last.totals.requests += 9_110;
    last.told_to_wait = 902;
    for row in last.rows.iter_mut().skip(5).step_by(5) {
        row.lamps = crate::test_kit::lamps("@!!!!o.......");
    }
    for (line, path) in last.log.iter_mut().rev().zip([
        "/llms.txt\x1b[2J\x1b]0;owned\x07",
        "/\u{202e}txt.smll/",
        "/a\u{200b}gents.json\r\nSet-Cookie: x",
    ]) {
        line.path = path.to_owned();
        (line.status, line.outcome) = (None, "timeout");
        (line.bytes, line.change) = (0, Change::None);
    }
    last.dropped = 26;
    state.beside.around = Some(Around {
        room: Room {
            free: 412_000_000,
            whole: 500_000_000_000,
        },
        engine: true,
        paused: false,
        loopback: false,
    });
    after(state, last)
}
