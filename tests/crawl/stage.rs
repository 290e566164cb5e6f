//! A small web, a store, and weeks played over them.

use std::cell::Cell;
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use lamplighter::audit::audit;
use lamplighter::crawl::{Clock, Engine, Event, Handle, Settings};
use lamplighter::failpoint::Failpoints;
use lamplighter::fetch::Web;
use lamplighter::hosts::{Entry, Host, NameRules};
use lamplighter::miniweb::{MiniWeb, Seen, Source};
use lamplighter::policy::Policy;
use lamplighter::store::{self, HostId, LogRow, Reader, Run, SpanState, Store, VisitRecord};
use lamplighter::suppress::SuppressFile;
use tokio::sync::mpsc;

use crate::support::policies;

/// Mondays at 06:00 UTC, one after another, the first of them in 2026-W49.
pub(super) const WEEKS: [&str; 6] = [
    "2026-11-30T06:00:00Z",
    "2026-12-07T06:00:00Z",
    "2026-12-14T06:00:00Z",
    "2026-12-21T06:00:00Z",
    "2026-12-28T06:00:00Z",
    "2027-01-04T06:00:00Z",
];

/// The locations of the policy that are asked whatever the others answer, in order.
pub(super) const LOCATIONS: [&str; 12] = [
    "/llms.txt",
    "/.well-known/agent-card.json",
    "/.well-known/mcp/server-card.json",
    "/.well-known/ard.json",
    "/.well-known/ai-catalog.json",
    "/.well-known/agent-skills/index.json",
    "/.well-known/api-catalog",
    "/.well-known/oauth-protected-resource",
    "/.well-known/ucp",
    "/openapi.json",
    "/agents.md",
    "/llms-full.txt",
];
/// The one asked only where the agent card is plainly absent.
pub(super) const CONDITIONAL: &str = "/.well-known/agent.json";

/// Everything a host without restrictions and without files is asked, in order.
pub(super) fn whole_list() -> Vec<&'static str> {
    let mut all = vec!["/robots.txt"];
    all.extend(LOCATIONS);
    all.push(CONDITIONAL);
    all
}

/// An agent card that is one, so that the conditional location is not asked.
pub(super) const CARD: &str = r#"
[[file]]
path = "/.well-known/agent-card.json"
text = '{"name": "Berth Agent", "description": "Books berths.", "supportedInterfaces": [{"url": "https://berth.example/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}], "version": "2.1.0", "capabilities": {}, "defaultInputModes": ["text/plain"], "defaultOutputModes": ["text/plain"], "skills": [{"id": "book", "name": "Book", "description": "Books.", "tags": ["booking"]}]}'
"#;

/// An instant from text.
pub(super) fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// A host of a loopback run.
pub(super) fn host(name: &str) -> Host {
    Host::parse(name, NameRules::Loopback).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A policy with a gap that a test can wait for, and what else is changed.
pub(super) fn quick(changes: &[&str]) -> Policy {
    let changes = [&["pace.min_gap=4ms"], changes].concat();
    policies::changed(&changes)
}

/// A web of scripted sites and a store that has their hosts.
pub(super) struct Stage {
    pub(super) web: MiniWeb,
    pub(super) store: Store,
    pub(super) policy: Policy,
    pub(super) in_flight: usize,
    told: Cell<usize>,
    place: tempfile::TempDir,
}

/// One run over the stage.
pub(super) struct Ran {
    pub(super) run: Run,
    pub(super) events: Vec<Event>,
    /// What the servers saw of it, in the order the requests began.
    pub(super) seen: Vec<Seen>,
}

impl Stage {
    /// Sites as (host, script of a one-file site), all of them listed.
    pub(super) async fn new(sites: &[(&str, &str)], changes: &[&str]) -> Stage {
        let stage = Stage::unlisted(sites, changes).await;
        let hosts = stage.web.hosts();
        stage.list(&hosts.iter().map(String::as_str).collect::<Vec<_>>());
        stage
    }

    /// The same with an empty list of hosts.
    pub(super) async fn unlisted(sites: &[(&str, &str)], changes: &[&str]) -> Stage {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("sites");
        std::fs::create_dir(&folder).unwrap();
        for (host, script) in sites {
            std::fs::write(folder.join(format!("{host}.toml")), script).unwrap();
        }
        Stage::over(place, changes).await
    }

    /// A web laid out by the test, in `place/sites`.
    pub(super) async fn over(place: tempfile::TempDir, changes: &[&str]) -> Stage {
        let source = Source::Folder(place.path().to_path_buf());
        let web = MiniWeb::start(source, 0, None)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        let policy = quick(changes);
        let store = Store::open(&place.path().join("store"), &policy.name).unwrap();
        Stage {
            web,
            store,
            policy,
            in_flight: 400,
            told: Cell::new(0),
            place,
        }
    }

    /// A place for files of the test, removed with the stage.
    pub(super) fn place(&self) -> &Path {
        self.place.path()
    }

    /// Lists hosts, due from the first week on.
    pub(super) fn list(&self, names: &[&str]) {
        list(&self.store, names);
    }

    /// Holds a scope, as another terminal does.
    pub(super) fn hold(&self, scope: &lamplighter::suppress::Entry) {
        hold(&self.store, scope);
    }

    pub(super) fn settings(&self, now: &str) -> (Settings, mpsc::Receiver<Event>) {
        settings_of(
            &self.policy,
            &self.store,
            self.web.address(),
            self.in_flight,
            now,
        )
    }

    /// Starts a run at `now` and leaves it running.
    pub(super) async fn start(&self, now: &str) -> Running<'_> {
        let (settings, events) = self.settings(now);
        let engine = Engine::start(settings)
            .await
            .unwrap_or_else(|error| panic!("{error}"));
        Running {
            stage: self,
            handle: engine.handle(),
            engine,
            events,
        }
    }

    /// Plays a run at `now` over version N of every site, and has it audited: every run of these
    /// tests must be one in which every promise was kept.
    pub(super) async fn week(&self, version: usize, now: &str) -> Ran {
        self.web.choose_version(version);
        let ran = self.start(now).await.finished().await;
        self.audited(&ran);
        ran
    }

    pub(super) fn audited(&self, ran: &Ran) {
        let findings = audit(&self.reader(), ran.run.id).unwrap();
        let breaches: Vec<_> = findings
            .iter()
            .filter(|finding| finding.breaches > 0)
            .collect();
        assert!(breaches.is_empty(), "{breaches:#?}");
        assert!(findings.len() > 20, "an audit that looked at nothing");
    }

    pub(super) fn reader(&self) -> Reader {
        self.store.reader().unwrap()
    }

    pub(super) fn id(&self, name: &str) -> HostId {
        let found = self.reader().host(&host(name)).unwrap();
        found
            .unwrap_or_else(|| panic!("{name} is not in the store"))
            .0
    }

    /// The log of a host, oldest first.
    pub(super) fn log(&self, name: &str) -> Vec<LogRow> {
        let mut rows = self.reader().log(self.id(name), None, None).unwrap();
        rows.reverse();
        rows
    }

    /// Versions kept of a location, as text, oldest first.
    pub(super) fn versions(&self, name: &str, location: &str) -> Vec<Vec<u8>> {
        let (reader, id) = (self.reader(), self.id(name));
        let versions = reader.versions(id, Some(location)).unwrap();
        versions
            .iter()
            .map(|version| reader.body(id, location, Some(version.number)).unwrap())
            .collect()
    }

    /// States a location went through, oldest first.
    pub(super) fn states(&self, name: &str, location: &str) -> Vec<SpanState> {
        let spans = self.reader().spans(self.id(name), location).unwrap();
        spans.iter().map(|span| span.state).collect()
    }

    /// Access by the newest robots.txt of a host, in the store's word.
    pub(super) fn access(&self, name: &str) -> String {
        let session = self.reader().robots(self.id(name)).unwrap();
        session.map_or("never read".to_owned(), |session| session.fetch.access)
    }

    /// When a host is due, and its state as listings say it.
    pub(super) fn listed(&self, name: &str) -> (Timestamp, String) {
        let id = self.id(name);
        let row = self.reader().hosts(None, 10_000).unwrap();
        let row = row.into_iter().find(|row| row.id == id).unwrap();
        (row.next_visit, row.state)
    }

    pub(super) fn visits(&self, run: &Run) -> Vec<VisitRecord> {
        let mut visits = Vec::new();
        let mut each = |visit| {
            visits.push(visit);
            true
        };
        self.reader().each_visit(run.id, &mut each).unwrap();
        visits
    }

    /// What the servers saw since the last look, once every request has ended there too.
    async fn fresh(&self) -> Vec<Seen> {
        let begun = Instant::now();
        let mut seen = self.web.seen();
        while seen.len() as u64 != self.web.requests() {
            assert!(
                begun.elapsed() < Duration::from_secs(10),
                "no end: {seen:?}"
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
            seen = self.web.seen();
        }
        let mut fresh = seen.split_off(self.told.get());
        self.told.set(self.told.get() + fresh.len());
        fresh.sort_by_key(|seen| seen.at_ms);
        fresh
    }
}

/// A run under way.
pub(super) struct Running<'stage> {
    stage: &'stage Stage,
    pub(super) handle: Handle,
    engine: Engine,
    pub(super) events: mpsc::Receiver<Event>,
}

impl Running<'_> {
    /// Waits until the server has answered this many requests of a host since its start.
    pub(super) async fn until_asked(&self, host: &str, count: usize) {
        let begun = Instant::now();
        let of_host = || {
            let seen = self.stage.web.seen();
            seen.iter().filter(|seen| seen.host == host).count()
        };
        while of_host() < count {
            assert!(begun.elapsed() < Duration::from_secs(20), "{host}: in vain");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    /// Waits until this many requests have begun since the server's start.
    pub(super) async fn until_begun(&self, count: u64) {
        let begun = Instant::now();
        while self.stage.web.requests() < count {
            assert!(begun.elapsed() < Duration::from_secs(20), "in vain");
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    pub(super) async fn finished(mut self) -> Ran {
        let summary = tokio::time::timeout(Duration::from_secs(60), self.engine.finished())
            .await
            .unwrap_or_else(|_| panic!("the run does not end"))
            .unwrap_or_else(|error| panic!("{error}"));
        let mut events = Vec::new();
        while let Ok(event) = self.events.try_recv() {
            events.push(event);
        }
        let Event::RunFinished { run, .. } = &summary.finished else {
            panic!("{:?} is no end", summary.finished);
        };
        Ran {
            run: self.stage.reader().run(run).unwrap().unwrap(),
            events,
            seen: self.stage.fresh().await,
        }
    }
}

impl Ran {
    /// Paths a host was asked, in order.
    pub(super) fn asked(&self, host: &str) -> Vec<&str> {
        self.of(host).map(|seen| seen.path.as_str()).collect()
    }

    pub(super) fn of(&self, host: &str) -> impl Iterator<Item = &Seen> {
        self.seen.iter().filter(move |seen| seen.host == host)
    }

    /// How the visit of a host ended; empty while it has not.
    pub(super) fn outcome(&self, name: &str) -> String {
        let ended = self.events.iter().filter_map(|event| match event {
            Event::VisitEnded { host, outcome, .. } if host == name => Some(outcome.as_str()),
            _ => None,
        });
        ended.collect::<Vec<_>>().join(", ")
    }

    /// Outcome and change of the request to a location, as events told them.
    pub(super) fn told(&self, name: &str, path: &str) -> (String, String) {
        let found = self.events.iter().find_map(|event| match event {
            Event::Request {
                host,
                url,
                outcome,
                change,
                ..
            } if host == name && url.ends_with(path) => {
                Some(((*outcome).to_owned(), (*change).to_owned()))
            }
            _ => None,
        });
        found.unwrap_or_else(|| panic!("nothing was told of {name}{path}"))
    }

    /// A header of the request to a location.
    pub(super) fn header(&self, host: &str, path: &str, name: &str) -> Option<&str> {
        let seen = self.of(host).find(|seen| seen.path == path);
        header(
            seen.unwrap_or_else(|| panic!("{host}{path} was not asked")),
            name,
        )
    }

    /// Connections a host saw, in order, each once.
    pub(super) fn connections(&self, host: &str) -> Vec<u64> {
        let mut numbers: Vec<_> = self.of(host).map(|seen| seen.connection).collect();
        numbers.dedup();
        numbers
    }
}

/// A header of a request, if it was sent.
pub(super) fn header<'seen>(seen: &'seen Seen, name: &str) -> Option<&'seen str> {
    let found = seen
        .headers
        .iter()
        .find(|(given, _)| given.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.as_str())
}

/// Holds a scope in a store.
pub(super) fn hold(store: &Store, scope: &lamplighter::suppress::Entry) {
    let hold = store::Hold {
        scope: scope.clone(),
        since: at(WEEKS[0]),
        by: "test".to_owned(),
        why: String::new(),
    };
    store.desk().unwrap().hold(&hold).unwrap();
}

/// Lists hosts in a store, due from the first week on.
pub(super) fn list(store: &Store, names: &[&str]) {
    let first = at("2026-11-30T00:00:00Z");
    let source = store::Source {
        kind: "list".to_owned(),
        name: "hosts.txt".to_owned(),
        date: first,
        imported: first,
    };
    let entries = names.iter().enumerate().map(|(index, name)| {
        Ok(Entry {
            line: index as u64 + 1,
            host: host(name),
        })
    });
    let mut entries = entries.collect::<Vec<_>>().into_iter();
    let digest = &mut || Ok(String::new());
    store
        .import(&source, &mut entries, &mut |_| {}, digest)
        .unwrap();
}

/// Settings of a loopback run at `now`, and where its events arrive.
pub(super) fn settings_of(
    policy: &Policy,
    store: &Store,
    address: SocketAddr,
    in_flight: usize,
    now: &str,
) -> (Settings, mpsc::Receiver<Event>) {
    let (sender, events) = mpsc::channel(10_000);
    let settings = Settings {
        policy: policy.clone(),
        loopback: true,
        in_flight,
        store: store.clone(),
        suppress: SuppressFile::in_directory(store.directory()),
        web: Web::loopback(policy, address, None).unwrap(),
        clock: Clock::starting_at(at(now)),
        failpoints: Failpoints::default(),
        events: Some(sender),
    };
    (settings, events)
}
