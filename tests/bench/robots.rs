//! Hostile robots.txt files of 500 KiB: time to read one and give 13 verdicts, and memory.
//!
//! Prints one JSON array. Each kind is measured in a process of its own, since memory is read
//! from /proc/self/status (Linux; elsewhere it is null): `live` is what the process grew by with
//! the file held parsed, `peak` what it grew by at most while reading and judging.
//! With `--kind NAME` only that kind is measured, in this process.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a bench prints what it found"
)]

use std::process::Command;
use std::time::Instant;

use lamplighter::robots::RobotsFile;
use serde_json::{Value, json};

const LIMIT: usize = 512_000;
const TOKEN: &str = "IntentRouteBot";
const ROUNDS: u32 = 7;

/// The locations of a fixed list of files, and some made to be close to the hostile rules.
const PATHS: [&str; 13] = [
    "/llms.txt",
    "/llms-full.txt",
    "/.well-known/agent-card.json",
    "/.well-known/agent.json",
    "/.well-known/mcp.json",
    "/.well-known/ai-plugin.json",
    "/.well-known/api-catalog",
    "/.well-known/agent-skills/index.json",
    "/.well-known/security.txt",
    "/openapi.json",
    "/rule/123456/x/19999",
    "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "/caf%C3%A9/24000x?q=12345",
];

const KINDS: [&str; 15] = [
    "ordinary",
    "plain",
    "star_n_dollar",
    "star_n_star_x",
    "thousand_stars",
    "thousand_stars_dollar",
    "groups",
    "agents",
    "nul",
    "non_ascii_dollar",
    "shortest_rules",
    "shortest_star_rules",
    "two_views",
    "signals",
    "delays",
];

/// Lines made by `line` until the limit.
fn filled(head: &str, mut line: impl FnMut(usize) -> String) -> Vec<u8> {
    let mut text = head.to_owned();
    for n in 0.. {
        let next = line(n);
        if text.len() + next.len() > LIMIT {
            break;
        }
        text += &next;
    }
    text.into_bytes()
}

/// The nth word over 64 characters, as short as can be.
fn word(n: usize) -> String {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut n = n;
    let mut word = String::new();
    loop {
        word.push(char::from(DIGITS[n % DIGITS.len()]));
        n /= DIGITS.len();
        if n == 0 {
            return word;
        }
    }
}

fn file(kind: &str) -> Option<Vec<u8>> {
    let star = "User-agent: *\n";
    Some(match kind {
        "ordinary" => b"User-agent: *\nDisallow: /wp-admin/\nAllow: /wp-admin/admin-ajax.php\n\
            Disallow: /*.pdf$\nCrawl-delay: 2\nSitemap: https://h.example/s.xml\n"
            .to_vec(),
        "plain" => filled(star, |n| format!("Disallow: /r{n:05}\n\n")),
        "star_n_dollar" => filled(star, |n| format!("Disallow: /*{n}$\n")),
        "star_n_star_x" => filled(star, |n| format!("Disallow: /*{n}*x\n")),
        "thousand_stars" => filled(star, |_| format!("Disallow: /{}b\n", "a*".repeat(1000))),
        "thousand_stars_dollar" => {
            filled(star, |_| format!("Disallow: /{}b$\n", "a*".repeat(1000)))
        }
        "groups" => filled("", |_| "User-agent: b\nAllow: /a\n\n".to_owned()),
        "agents" => filled("", |n| format!("User-agent: b{n:x}\n")),
        "nul" => vec![0; LIMIT],
        "non_ascii_dollar" => filled(star, |n| format!("Disallow: /é{n}é$\n")),
        "shortest_rules" => filled(star, |n| format!("allow:/{}\n", word(n))),
        "shortest_star_rules" => filled(star, |n| format!("allow:*{}\n", word(n))),
        // Both readings have rules of their own and share all the others.
        "two_views" => filled(
            "User-agent: *\nDisallow: /rfc\n\nUser-agent: *\nUser-agent: a, IntentRouteBot\n",
            |n| format!("Allow: /{n}\n"),
        ),
        "signals" => filled(star, |n| format!("Content-Signal: /{n} search=no\n")),
        "delays" => filled(star, |_| "crawldelay:1\n".to_owned()),
        _ => return None,
    })
}

/// A value of /proc/self/status in bytes.
fn status(key: &str) -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(key))?;
    let kilobytes: i64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn mib(bytes: Option<i64>) -> Value {
    bytes.map_or(Value::Null, |bytes| {
        let hundredths = bytes * 100 / (1024 * 1024);
        json!(hundredths as f64 / 100.0)
    })
}

fn measure(kind: &str) -> Option<Value> {
    let bytes = file(kind)?;
    // What libraries set up once is not the file's.
    RobotsFile::read(b"User-agent: *\nDisallow: /*a$\n", TOKEN, LIMIT).verdict("/a");
    // Sets the high-water mark back to now.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = status("VmRSS:");
    let grown = |key: &str| Some(status(key)? - before?);

    let mut best = (f64::MAX, f64::MAX);
    let mut memory = None;
    let mut denied = 0;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let robots = RobotsFile::read(&bytes, TOKEN, LIMIT);
        let read = start.elapsed().as_secs_f64() * 1000.0;
        let start = Instant::now();
        denied = PATHS
            .iter()
            .filter(|path| !robots.verdict(path).allowed)
            .count();
        let verdicts = start.elapsed().as_secs_f64() * 1000.0;
        if read + verdicts < best.0 + best.1 {
            best = (read, verdicts);
        }
        // Memory of the first round only: later ones find the heap grown.
        memory.get_or_insert_with(|| (grown("VmRSS:"), grown("VmHWM:")));
    }
    let (live, peak) = memory.unwrap_or_default();
    let round = |ms: f64| (ms * 100.0).round() / 100.0;
    Some(json!({
        "kind": kind,
        "bytes": bytes.len(),
        "read_ms": round(best.0),
        "verdicts_13_ms": round(best.1),
        "total_ms": round(best.0 + best.1),
        "live_mib": mib(live),
        "peak_mib": mib(peak),
        "denied": denied,
    }))
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--kind") {
        let kind = arguments.get(at + 1).map_or("", String::as_str);
        match measure(kind) {
            Some(found) => println!("{found}"),
            None => eprintln!("no such kind: {kind}; there are {}", KINDS.join(", ")),
        }
        return;
    }
    let found: Vec<Value> = KINDS
        .iter()
        .filter_map(|kind| in_own_process(kind))
        .collect();
    println!("{:#}", Value::Array(found));
}

fn in_own_process(kind: &str) -> Option<Value> {
    let this = std::env::current_exe().ok()?;
    let output = Command::new(this).args(["--kind", kind]).output().ok()?;
    serde_json::from_slice(&output.stdout).ok()
}
