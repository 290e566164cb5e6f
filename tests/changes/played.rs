//! Every version of the corpus, a week each, played once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use lamplighter::policy;
use lamplighter::robots::RobotsFile;
use serde_json::Value;

use crate::support;

/// The most versions that a site of the corpus has.
pub(super) const WEEKS: usize = 9;
/// Its robots.txt is over the size that RB8 allows: the host is closed.
const CLOSED: &str = "docs.robots-o.test";

/// A location of a host.
pub(super) type Place = (String, String);

/// The nine weeks.
pub(super) struct Played {
    corpus: PathBuf,
    manifest: Value,
    pub(super) store: PathBuf,
    /// Labels of the runs, oldest first.
    pub(super) labels: Vec<String>,
    /// Locations that are always asked if robots.txt allows them, robots.txt first.
    locations: Vec<String>,
    _place: tempfile::TempDir,
}

pub(super) fn lamplighter(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lamplighter"));
    command.args(arguments).output().unwrap()
}

pub(super) fn json_lines(output: &Output) -> Vec<Value> {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    let text = std::str::from_utf8(&output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// None where the corpus is not at hand.
pub(super) fn played() -> Option<&'static Played> {
    static PLAYED: OnceLock<Option<Played>> = OnceLock::new();
    PLAYED
        .get_or_init(|| {
            support::corpus().map(|corpus| Played::play(corpus.canonicalize().unwrap()))
        })
        .as_ref()
}

impl Played {
    fn play(corpus: PathBuf) -> Played {
        let place = tempfile::tempdir().unwrap();
        let store = place.path().join("store");
        let weeks = WEEKS.to_string();
        let mut arguments = vec!["demo", "--headless", "--fast", "--json", "--weeks", &weeks];
        let [web, at] = [&corpus, &store].map(|path| path.to_str().unwrap());
        arguments.extend(["--web", web, "--store", at]);
        let events = json_lines(&lamplighter(&arguments));
        let finished = events
            .iter()
            .filter(|event| event["event"] == "run_finished");
        let labels: Vec<String> = finished
            .map(|event| event["run"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(labels.len(), WEEKS);
        let manifest = std::fs::read(corpus.join("manifest.json")).unwrap();
        let policy = policy::builtin("intentroute").unwrap();
        let locations = policy.plan.locations.iter();
        let always = locations.filter(|location| location.only_if_absent.is_none());
        let paths = always.map(|location| location.path.clone());
        Played {
            corpus,
            manifest: serde_json::from_slice(&manifest).unwrap(),
            store,
            labels,
            locations: std::iter::once("/robots.txt".to_owned())
                .chain(paths)
                .collect(),
            _place: place,
        }
    }

    /// The hosts of the corpus, the closed one aside, with their versions as the manifest tells them.
    fn sites(&self) -> impl Iterator<Item = (&str, &Vec<Value>)> {
        self.manifest["sites"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|site| {
                let host = site["host"].as_str().unwrap();
                (host != CLOSED).then(|| (host, site["versions"].as_array().unwrap()))
            })
    }

    fn folder(&self, host: &str, versions: &[Value], week: usize) -> PathBuf {
        let version = &versions[week.min(versions.len() - 1)]["version"];
        let site = self.corpus.join("sites").join(host);
        site.join(version.as_str().unwrap())
    }

    fn asked(&self, folder: &Path, path: &str) -> bool {
        match std::fs::read(folder.join("robots.txt")) {
            Err(_) => true,
            Ok(text) => {
                let rules = RobotsFile::read(&text, "IntentRouteBot", 512_000);
                path == "/robots.txt" || rules.verdict(path).allowed
            }
        }
    }

    /// What stood at each location in each week, for the locations that were asked every week.
    pub(super) fn published(&self) -> BTreeMap<Place, Vec<Option<Vec<u8>>>> {
        let mut published = BTreeMap::new();
        let mut denied = 0;
        for (host, versions) in self.sites() {
            for path in &self.locations {
                let folders: Vec<_> = (0..WEEKS)
                    .map(|week| self.folder(host, versions, week))
                    .collect();
                if !folders.iter().all(|folder| self.asked(folder, path)) {
                    denied += 1;
                    continue;
                }
                let read = |folder: &PathBuf| std::fs::read(folder.join(&path[1..])).ok();
                let files = folders.iter().map(read).collect();
                published.insert((host.to_owned(), path.clone()), files);
            }
        }
        assert!((1..20).contains(&denied), "{denied} locations denied");
        published
    }

    /// Added, removed and changed locations of a week as the manifest tells them.
    pub(super) fn told(&self, week: usize, places: &BTreeSet<Place>) -> [BTreeSet<Place>; 3] {
        let mut found = [const { BTreeSet::new() }; 3];
        for (host, versions) in self.sites().filter(|(_, versions)| week < versions.len()) {
            let version = &versions[week];
            let changes = &version["changes_from_previous"];
            let lists = match week {
                0 => [Some(&version["files"]), None, None],
                _ => ["added", "removed", "changed"].map(|kind| Some(&changes[kind])),
            };
            for (found, list) in found.iter_mut().zip(lists) {
                for entry in list.into_iter().flat_map(|list| list.as_array().unwrap()) {
                    let path = entry.as_str().or(entry["url_path"].as_str()).unwrap();
                    let place = (host.to_owned(), path.to_owned());
                    if places.contains(&place) {
                        found.insert(place);
                    }
                }
            }
        }
        found
    }
}
