//! Invented hosts for load: each its own site, every answer a pure function of host, path and version.

/// Hosts `g000000.test` to `g(count-1).test`; nothing is kept for any of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generated {
    count: usize,
}

/// What an invented host answers.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Made {
    Absent,
    Refused,
    Limited {
        retry_after: u32,
    },
    /// `since` is the version (from 1) since which the text is the same.
    File {
        text: String,
        since: usize,
        slow: bool,
    },
}

const WORDS: [&str; 16] = [
    "alder", "bark", "copse", "dew", "elm", "frond", "grove", "heath", "ivy", "juniper", "knot",
    "leaf", "moss", "nut", "oak", "pine",
];

impl Generated {
    pub(super) fn new(count: usize) -> Generated {
        Generated { count }
    }

    pub(super) fn names(self) -> impl Iterator<Item = String> {
        (0..self.count).map(|index| format!("g{index:06}.test"))
    }

    /// Number of a host of ours.
    pub(super) fn index(self, host: &str) -> Option<usize> {
        let digits = host.strip_prefix('g')?.strip_suffix(".test")?;
        let index: usize = digits.parse().ok()?;
        (index < self.count && format!("{index:06}") == digits).then_some(index)
    }

    /// The answer of a host of ours.
    pub(super) fn make(self, host: &str, path: &str, version: usize) -> Made {
        let of_host = hash(&[host], 0);
        if path == "/robots.txt" {
            return robots(of_host);
        }
        let of_path = hash(&[host, path], 0);
        // Three hosts in a hundred tell us to wait, at one location in four.
        if of_host % 100 < 3 && of_path.is_multiple_of(4) {
            return Made::Limited { retry_after: 600 };
        }
        match of_path % 1000 {
            0..=734 => Made::Absent,
            735..=744 => Made::Refused,
            place => {
                let since = unchanged_since(host, path, version);
                Made::File {
                    text: text(host, path, since),
                    since,
                    slow: place >= 995,
                }
            }
        }
    }
}

/// Half have none; of the rest most allow everything, some ask for patience, some refuse.
fn robots(of_host: u64) -> Made {
    if of_host.is_multiple_of(2) {
        return Made::Absent;
    }
    let rules = match (of_host >> 8) % 100 {
        0..=4 => "Crawl-delay: 3\nDisallow: /private/\n",
        5..=6 => "Crawl-delay: 10\nDisallow:\n",
        7..=9 => "Disallow: /\n",
        10..=14 => "Disallow: /.well-known/\n",
        _ => "Disallow: /private/\n",
    };
    Made::File {
        text: format!("User-agent: *\n{rules}"),
        since: 1,
        slow: false,
    }
}

/// Each later version changes one file in ten.
fn unchanged_since(host: &str, path: &str, version: usize) -> usize {
    (2..=version)
        .rev()
        .find(|v| hash(&[host, path], *v as u64).is_multiple_of(10))
        .unwrap_or(1)
}

fn text(host: &str, path: &str, since: usize) -> String {
    let mut seed = hash(&[host, path], since as u64);
    let lines = 4 + seed % 40;
    let words: Vec<String> = (0..lines)
        .map(|_| {
            let mut line = Vec::with_capacity(8);
            for _ in 0..8 {
                seed = finish(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
                line.push(WORDS[(seed % 16) as usize]);
            }
            line.join(" ")
        })
        .collect();
    if path.ends_with(".md") || path.ends_with(".txt") {
        return format!("# {host}\n\n> Edition {since}.\n\n{}\n", words.join("\n"));
    }
    let notes: Vec<String> = words.iter().map(|line| format!("    \"{line}\"")).collect();
    format!(
        "{{\n  \"name\": \"{host}\",\n  \"version\": \"1.{since}\",\n  \"notes\": [\n{}\n  ]\n}}\n",
        notes.join(",\n")
    )
}

/// FNV-1a with a mixing finish: small, stable across releases, good enough to spread hosts.
fn hash(parts: &[&str], seed: u64) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for part in parts {
        for byte in part.bytes().chain([0]) {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    finish(state)
}

fn finish(mut state: u64) -> u64 {
    state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATHS: [&str; 4] = [
        "/llms.txt",
        "/openapi.json",
        "/agents.md",
        "/.well-known/ucp",
    ];

    #[test]
    fn names_are_ours_alone() {
        let web = Generated::new(3);
        let names: Vec<String> = web.names().collect();
        assert_eq!(names, ["g000000.test", "g000001.test", "g000002.test"]);
        assert_eq!(web.index("g000002.test"), Some(2));
        for other in [
            "g000003.test",
            "g2.test",
            "g+00002.test",
            "x.g000001.test",
            "gale.test",
        ] {
            assert_eq!(web.index(other), None, "{other}");
        }
        assert_eq!(
            Generated::new(2_000_000).index("g1234567.test"),
            Some(1_234_567)
        );
    }

    #[test]
    fn the_mix_is_as_described() {
        let web = Generated::new(4000);
        let (mut files, mut absent, mut changed, mut limited, mut no_robots) = (0, 0, 0, 0, 0);
        for host in web.names() {
            no_robots += usize::from(web.make(&host, "/robots.txt", 1) == Made::Absent);
            for path in PATHS {
                let first = web.make(&host, path, 1);
                match &first {
                    Made::File { .. } => {
                        files += 1;
                        changed += usize::from(web.make(&host, path, 2) != first);
                    }
                    Made::Absent => absent += 1,
                    Made::Limited { .. } => limited += 1,
                    Made::Refused => {}
                }
                assert_eq!(first, web.make(&host, path, 1));
            }
        }
        assert!((3700..4300).contains(&files), "{files}");
        assert!((11_000..12_200).contains(&absent), "{absent}");
        assert!((60..200).contains(&limited), "{limited}");
        assert!((1800..2200).contains(&no_robots), "{no_robots}");
        assert!(
            (changed * 100 / files).abs_diff(10) <= 2,
            "{changed} of {files}"
        );
    }

    #[test]
    fn json_is_json() {
        let text = text("g000001.test", "/openapi.json", 3);
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["version"], "1.3");
    }
}
