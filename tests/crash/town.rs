//! A small web that shows most of what a run meets, and what each host of it is promised.

use std::collections::BTreeMap;

/// `pace.scale` of these runs: 2 s become 20 ms.
pub(super) const SET: [&str; 2] = ["--set", "pace.scale=0.01"];
/// PC2 under that scale, ms.
pub(super) const MIN_GAP: u64 = 20;
/// The Crawl-delay of `slow.birch.test` under that scale, ms.
const DELAY: u64 = 150;

/// The gap a host is promised once its robots.txt is known, ms. // PC3
pub(super) fn gap(host: &str) -> u64 {
    if host == "slow.birch.test" {
        DELAY
    } else {
        MIN_GAP
    }
}

/// How long a host waits before each answer, ms.
pub(super) fn delay(host: &str) -> u64 {
    if host == "fir.test" { 30 } else { 0 }
}

/// The site of a host here: the last two labels.
pub(super) fn site(host: &str) -> &str {
    let mut dots = host.rmatch_indices('.').map(|(at, _)| at);
    dots.nth(1).map_or(host, |at| &host[at + 1..])
}

/// Sites, and the list of hosts to visit.
pub(super) struct Town {
    pub(super) sites: Vec<(String, String)>,
    pub(super) list: String,
    /// Bytes by (host, path, version).
    files: BTreeMap<(String, String, usize), String>,
}

/// Robots.txt that lets us in, and what else a host has.
struct Host<'a> {
    town: &'a mut Town,
    name: &'static str,
    script: String,
}

impl Host<'_> {
    fn file(mut self, path: &str, versions: &[usize], text: String) -> Self {
        self.script += &format!(
            "[[file]]\npath = \"{path}\"\nversions = {versions:?}\ntext = '''\n{text}'''\n"
        );
        for version in versions {
            let key = (self.name.to_owned(), path.to_owned(), *version);
            self.town.files.insert(key, text.clone());
        }
        self
    }

    fn robots(self, text: &str) -> Self {
        self.file(
            "/robots.txt",
            &[1, 2, 3],
            format!("User-agent: *\n{text}\n"),
        )
    }

    fn rule(mut self, rule: &str) -> Self {
        self.script += &format!("[[rule]]\n{rule}\n");
        self
    }

    /// The usual files, new bytes in each version.
    fn usual(mut self) -> Self {
        let name = self.name;
        for version in 1..=3 {
            for path in ["/llms.txt", "/agents.md", "/llms-full.txt"] {
                self = self.file(path, &[version], text(name, path, version));
            }
            let json = format!("{{\"name\": \"{name}\", \"version\": \"{version}\"}}\n");
            self = self.file("/.well-known/ucp", &[version], json);
        }
        self
    }

    fn listed(self) {
        self.town.list += &format!("{}\n", self.name);
        self.unlisted();
    }

    fn unlisted(self) {
        self.town.sites.push((self.name.to_owned(), self.script));
    }
}

/// A Markdown text; the long one takes more than one packet.
fn text(name: &str, path: &str, version: usize) -> String {
    let lines = if path == "/llms-full.txt" { 900 } else { 6 };
    let mut text = format!("# {name}\n\n> Version {version} of {path}.\n\n");
    for line in 0..lines {
        // Digits that no coding shortens much.
        let noise = (line as u64 + 7 * version as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        text += &format!(
            "- [{line}](https://{name}/{noise:x}): {:x}\n",
            noise.rotate_left(17)
        );
    }
    text
}

impl Town {
    pub(super) fn new() -> Town {
        let mut town = Town {
            sites: Vec::new(),
            list: String::new(),
            files: BTreeMap::new(),
        };
        let open = "Disallow: /private/";
        for name in ["api.alder.test", "docs.alder.test"] {
            town.host(name).robots(open).usual().listed();
        }
        let patient = "Crawl-delay: 15\nDisallow: /.well-known/";
        town.host("slow.birch.test")
            .robots(patient)
            .usual()
            .listed();
        town.host("docs.birch.test")
            .robots(patient.split_once('\n').unwrap().1)
            .usual()
            .listed();
        // The visit moves to a listed host, and to one that no list names.
        for (from, to) in [
            ("cedar.test", "www.cedar.test"),
            ("dogwood.test", "www.dogwood.test"),
        ] {
            let moves = format!(
                "path = \"/robots.txt\"\nstatus = 301\nredirect = \"http://{to}/robots.txt\""
            );
            town.host(from).rule(&moves).listed();
        }
        town.host("www.cedar.test").robots(open).usual().listed();
        town.host("www.dogwood.test")
            .robots(open)
            .usual()
            .unlisted();
        let limited = "path = \"/.well-known/ard.json\"\nstatus = 429\nretry_after = \"600\"";
        town.host("elm.test")
            .robots(open)
            .usual()
            .rule(limited)
            .listed();
        town.host("www.elm.test").robots(open).usual().listed();
        let slow = "path = \"*\"\ndelay_ms = 30";
        town.host("fir.test")
            .robots(open)
            .usual()
            .rule(slow)
            .listed();
        town.host("gorse.test")
            .rule("path = \"/none\"\nstatus = 404")
            .listed();
        town.host("hazel.test").robots("Disallow: /").listed();
        town.host("ivy.test")
            .rule("path = \"/robots.txt\"\nstatus = 500")
            .listed();
        let cut = "path = \"/llms.txt\"\nfault = { kind = \"truncate\", send = 40 }";
        let silent = "path = \"/agents.md\"\nfault = { kind = \"hang_up\" }";
        town.host("larch.test")
            .robots(open)
            .usual()
            .rule(cut)
            .rule(silent)
            .listed();
        town
    }

    fn host(&mut self, name: &'static str) -> Host<'_> {
        Host {
            town: self,
            name,
            script: String::new(),
        }
    }

    /// The bytes a host serves at a path in a version.
    pub(super) fn bytes(&self, host: &str, path: &str, version: usize) -> Option<&str> {
        let key = (host.to_owned(), path.to_owned(), version);
        self.files.get(&key).map(String::as_str)
    }

    /// Number of hosts whose visit must end.
    pub(super) fn listed(&self) -> usize {
        self.list.lines().count()
    }
}
