//! What any file of 500 KiB may take: 8 MiB at the peak, the file itself not counted.
//!
//! Each kind is read in a process of its own, which the kernel tells how far it grew.

use lamplighter::robots::RobotsFile;

#[path = "../bench/hostile.rs"]
mod hostile;

/// Names the kind for the child processes of the test below.
const KIND: &str = "LAMPLIGHTER_TEST_ROBOTS_KIND";

const MOST_PEAK: u64 = 8 * 1024 * 1024;

/// One or two of each idea how to fill memory; the bench knows all kinds.
const FILLING: [&str; 13] = [
    "shortest_star_rules",
    "same_rule",
    "unseen",
    "utf16",
    "utf16_octets",
    "one_rule_of_octets",
    "one_rule_of_stars",
    "two_views",
    "our_agents",
    "shortest_signals",
    "one_usage",
    "usage_inner_list",
    "sitemaps",
];

#[test]
fn no_file_takes_more_than_8_mib() {
    if let Some(kind) = std::env::var_os(KIND) {
        println!("grew by {} octets", growth(kind.to_str().unwrap()));
        return;
    }
    if own("VmHWM:").is_none() {
        eprintln!("SKIPPED: this system does not tell how far a process grew");
        return;
    }
    for kind in FILLING {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let this = "robots::memory::no_file_takes_more_than_8_mib";
        child.args([this, "--exact", "--nocapture"]).env(KIND, kind);
        let output = child.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let grown = text.split("grew by ").nth(1).unwrap_or_default();
        let grown: u64 = grown.split(' ').next().unwrap().parse().unwrap();
        assert!(
            grown > 0 && grown <= MOST_PEAK,
            "{kind} took {grown} octets"
        );
    }
}

/// Octets by which this process grew at most while the file was read and judged.
fn growth(kind: &str) -> u64 {
    let bytes = hostile::file(kind).unwrap();
    // What libraries set up once is not the file's.
    let once = RobotsFile::read(
        b"User-agent: *\nDisallow: /*a$\n",
        hostile::TOKEN,
        hostile::LIMIT,
    );
    once.verdict("/a");
    // Sets the high-water mark back to now.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = own("VmRSS:").unwrap();
    let file = RobotsFile::read(&bytes, hostile::TOKEN, hostile::LIMIT);
    for path in hostile::PATHS {
        file.verdict(path);
    }
    file.signals("/");
    own("VmHWM:").unwrap().saturating_sub(before)
}

/// A value of /proc/self/status in octets.
fn own(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(key))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
