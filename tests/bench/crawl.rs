//! The engine against a loopback web: CPU a request, rate, politeness, memory. Prints one JSON object.
//!
//! The web and the yardstick loop are programs of their own, given by path:
//!
//! ```sh
//! cargo bench --bench crawl -- unpaced --web PATH --yardstick PATH [--sites 1000] [--rounds 5]
//! cargo bench --bench crawl -- paced   --web PATH [--sites 5000] [--in-flight 5000]
//! cargo bench --bench crawl -- waiting --web PATH [--seconds 15]
//! ```
//!
//! `unpaced` takes engine and yardstick in turn and gives the ratio of CPU seconds a request (P3);
//! `paced` keeps the real gap over TLS and asks the server for its own audit (P1, P2, P5, P10);
//! `waiting` compares memory with few and with many hosts waiting. Linux only: it reads /proc.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a bench prints what it found and stops where it cannot go on"
)]

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let Some((what, rest)) = words.split_first() else {
        eprintln!("say what to measure: unpaced, paced or waiting; see the head of this file");
        std::process::exit(2);
    };
    let options = Options::read(rest);
    let found = match what.as_str() {
        "unpaced" => unpaced(&options),
        "paced" => paced(&options),
        "waiting" => waiting(&options),
        other => panic!("{other}: measure unpaced, paced or waiting"),
    };
    println!("{found:#}");
}

struct Options(HashMap<String, String>);

impl Options {
    fn read(words: &[String]) -> Options {
        let pairs = words.chunks(2).map(|pair| match pair {
            [key, value] => (key.trim_start_matches("--").to_owned(), value.clone()),
            _ => panic!("{pair:?}: an option and its value, please"),
        });
        Options(pairs.collect())
    }

    fn path(&self, key: &str) -> PathBuf {
        PathBuf::from(
            self.0
                .get(key)
                .unwrap_or_else(|| panic!("give --{key} PATH")),
        )
    }

    fn number(&self, key: &str, default: u64) -> u64 {
        self.0
            .get(key)
            .map_or(default, |text| text.parse().unwrap())
    }
}

/// P3: engine and yardstick in turn, pace 0, log and bodies on.
fn unpaced(options: &Options) -> Value {
    let (sites, rounds) = (options.number("sites", 1000), options.number("rounds", 5));
    let in_flight = options.number("in-flight", 300);
    let web = Web::start(
        &options.path("web"),
        &["--slow", "0", "--limited", "0"],
        false,
    );
    let mut turns = Vec::new();
    for _ in 0..rounds {
        let folder = tempfile::tempdir().unwrap();
        import(&folder, sites);
        let mut engine = run(&folder, &web, in_flight, "0s");
        let before = web.requests();
        let ours = Finished::wait(engine.stdout(Stdio::piped()).spawn().unwrap());
        let requests = web.requests() - before;
        let mut yardstick = Command::new(options.path("yardstick"));
        yardstick
            .args(["--client", "shared", "--store"])
            .arg(folder.path().join("yardstick.db"))
            .args([
                "--sites",
                &sites.to_string(),
                "--conc",
                &in_flight.to_string(),
            ])
            .args(["--port", &web.port.to_string()]);
        let theirs = Finished::wait(yardstick.stdout(Stdio::piped()).spawn().unwrap());
        let their_summary: Value = serde_json::from_str(theirs.output.trim()).unwrap();
        let our_cost = ours.cpu / requests * 1000.0;
        let their_cost = theirs.cpu / their_summary["requests"].as_f64().unwrap() * 1000.0;
        turns.push(json!({
            "requests": requests,
            "requests_a_second": requests / ours.wall,
            "cpu_s_per_1000": our_cost,
            "peak_rss_mb": ours.peak_mb,
            "yardstick_cpu_s_per_1000": their_cost,
            "ratio": our_cost / their_cost,
        }));
    }
    let median = |key: &str| {
        let mut values: Vec<f64> = turns
            .iter()
            .map(|turn| turn[key].as_f64().unwrap())
            .collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    json!({
        "bench": "unpaced",
        "sites": sites,
        "in_flight": in_flight,
        "median_ratio": median("ratio"),
        "median_cpu_s_per_1000": median("cpu_s_per_1000"),
        "median_requests_a_second": median("requests_a_second"),
        "goal": "P3: ratio at most 2.0, at least 8000 requests a second",
        "turns": turns,
    })
}

/// P1, P2, P5, P10: the real gap over TLS.
fn paced(options: &Options) -> Value {
    let sites = options.number("sites", 5000);
    let in_flight = options.number("in-flight", sites);
    let gap = "2000";
    let web = Web::start(
        &options.path("web"),
        &["--audit-gap-ms", gap, "--addrs", "1"],
        true,
    );
    let folder = tempfile::tempdir().unwrap();
    import(&folder, sites);
    let mut command = run(&folder, &web, in_flight, "2s");
    let child = command
        .arg("--json")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let wal = folder.path().join("store/lamplighter.db-wal");
    let ours = Finished::watch(child, Some(&wal));
    let summary = last_event(&ours.output);
    let stats = web.stats();
    let requests = summary["requests"].as_f64().unwrap();
    json!({
        "bench": "paced",
        "sites": sites,
        "in_flight": in_flight,
        "requests": requests,
        "requests_a_second": requests / ours.wall,
        "cpu_share_of_one_core": ours.cpu / ours.wall,
        "cpu_s_per_1000": ours.cpu / requests * 1000.0,
        "peak_rss_mb": ours.peak_mb,
        "peak_wal_mb": ours.peak_wal_mb,
        "rss_mb_each_tenth": ours.tenths(),
        "server": stats,
        "goal": "P1: >= 2000 requests/s, <= 0.60 of a core, <= 600 MB; P2: overlaps 0, too_soon 0; P10: WAL <= 64 MB",
    })
}

/// Memory with 2,000 and with 200,000 hosts waiting, the same number in flight.
fn waiting(options: &Options) -> Value {
    let seconds = options.number("seconds", 15);
    let in_flight = options.number("in-flight", 400);
    let web = Web::start(&options.path("web"), &[], false);
    let peak = |hosts: u64| {
        let folder = tempfile::tempdir().unwrap();
        import(&folder, hosts);
        let mut command = run(&folder, &web, in_flight, "2s");
        let mut child = command.stdout(Stdio::null()).spawn().unwrap();
        let mut largest: f64 = 0.0;
        let end = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < end {
            largest = largest.max(status_mb(child.id(), "VmRSS:"));
            std::thread::sleep(Duration::from_millis(100));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        largest
    };
    let (few, many) = (peak(2_000), peak(200_000));
    json!({
        "bench": "waiting",
        "in_flight": in_flight,
        "rss_mb_2000_waiting": few,
        "rss_mb_200000_waiting": many,
        "ratio": many / few,
        "goal": "ratio between 0.8 and 1.2",
    })
}

fn lamplighter(folder: &tempfile::TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
    command.arg("--store").arg(folder.path().join("store"));
    command
}

fn import(folder: &tempfile::TempDir, sites: u64) {
    let list = folder.path().join("hosts.txt");
    let mut names = String::new();
    for number in 1..=sites {
        writeln!(names, "site-{number:06}.test").unwrap();
    }
    std::fs::write(&list, names).unwrap();
    let done = lamplighter(folder)
        .args(["hosts", "import", "--loopback-names", "list"])
        .arg(&list)
        .stdout(Stdio::null())
        .status()
        .unwrap();
    assert!(done.success(), "the import failed");
}

fn run(folder: &tempfile::TempDir, web: &Web, in_flight: u64, gap: &str) -> Command {
    let mut command = lamplighter(folder);
    command
        .args(["run", "--headless", "--loopback"])
        .arg(format!("127.0.0.1:{}", web.port))
        .args(["--in-flight", &in_flight.to_string()])
        .args(["--set", &format!("pace.min_gap={gap}")])
        .stderr(Stdio::null());
    if let Some(ca) = &web.ca {
        command.arg("--loopback-ca").arg(ca);
    }
    command
}

/// The loopback web; it ends when dropped.
struct Web {
    child: Child,
    port: u16,
    plain_port: u16,
    ca: Option<PathBuf>,
    _folder: tempfile::TempDir,
}

impl Web {
    fn start(program: &Path, flags: &[&str], tls: bool) -> Web {
        let folder = tempfile::tempdir().unwrap();
        let (plain_port, tls_port) = (free_port(), free_port());
        let ca = folder.path().join("ca.pem");
        let mut command = Command::new(program);
        command
            .args(["--port", &plain_port.to_string()])
            .args(flags);
        if tls {
            command
                .args(["--tls-port", &tls_port.to_string(), "--ca-out"])
                .arg(&ca);
        }
        let child = command.stdout(Stdio::null()).spawn().unwrap();
        let port = if tls { tls_port } else { plain_port };
        let end = Instant::now() + Duration::from_secs(10);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < end, "the web does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        Web {
            child,
            port,
            plain_port,
            ca: tls.then_some(ca),
            _folder: folder,
        }
    }

    fn requests(&self) -> f64 {
        self.stats()["requests"].as_f64().unwrap()
    }

    /// What the server itself counted.
    fn stats(&self) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.plain_port)).unwrap();
        stream
            .write_all(b"GET /__stats HTTP/1.1\r\nHost: stats.test\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let start = answer.find('{').unwrap();
        let end = answer.rfind('}').unwrap();
        serde_json::from_str(&answer[start..=end]).unwrap()
    }
}

impl Drop for Web {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// A child that has ended, and what it took.
struct Finished {
    output: String,
    cpu: f64,
    wall: f64,
    peak_mb: f64,
    peak_wal_mb: f64,
    rss: Vec<f64>,
}

impl Finished {
    fn wait(child: Child) -> Finished {
        Finished::watch(child, None)
    }

    fn watch(mut child: Child, wal: Option<&Path>) -> Finished {
        let began = Instant::now();
        let before = children_cpu();
        let mut pipe = child.stdout.take().unwrap();
        // Only the end of the output matters, and a full pipe must not slow the child.
        let reader = std::thread::spawn(move || {
            let mut tail = Vec::new();
            let mut chunk = [0; 64 * 1024];
            while let Ok(read) = pipe.read(&mut chunk) {
                if read == 0 {
                    break;
                }
                tail.extend_from_slice(&chunk[..read]);
                let surplus = tail.len().saturating_sub(16 * 1024);
                tail.drain(..surplus);
            }
            String::from_utf8_lossy(&tail).into_owned()
        });
        let (mut peak_mb, mut peak_wal_mb, mut rss) = (0.0_f64, 0.0_f64, Vec::new());
        while child.try_wait().unwrap().is_none() {
            let now = status_mb(child.id(), "VmRSS:");
            rss.push(now);
            peak_mb = peak_mb.max(now).max(status_mb(child.id(), "VmHWM:"));
            let size = wal
                .and_then(|wal| std::fs::metadata(wal).ok())
                .map_or(0, |wal| wal.len());
            peak_wal_mb = peak_wal_mb.max(size as f64 / 1e6);
            std::thread::sleep(Duration::from_millis(20));
        }
        let wall = began.elapsed().as_secs_f64();
        let cpu = children_cpu() - before;
        Finished {
            output: reader.join().unwrap(),
            cpu,
            wall,
            peak_mb,
            peak_wal_mb,
            rss,
        }
    }

    fn tenths(&self) -> Vec<f64> {
        (1..=10)
            .map(|tenth| self.rss[(self.rss.len() * tenth / 10).saturating_sub(1)])
            .collect()
    }
}

fn last_event(output: &str) -> Value {
    let line = output.lines().rfind(|line| line.contains("run_finished"));
    serde_json::from_str(line.expect("the run did not finish")).unwrap()
}

/// CPU seconds of all children waited for so far (user and system).
fn children_cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let after_name = &stat[stat.rfind(')').unwrap() + 2..];
    let fields: Vec<&str> = after_name.split(' ').collect();
    let ticks: f64 = fields[13].parse::<f64>().unwrap() + fields[14].parse::<f64>().unwrap();
    ticks / 100.0
}

fn status_mb(id: u32, key: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(key));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok())
        .unwrap_or(0.0)
        / 1000.0
}
