//! A small store with hosts, and the records an engine would write.

use std::path::Path;

use jiff::Timestamp;
use lamplighter::fetch::{Outcome, Validators};
use lamplighter::hosts::{Entry, Host, NameRules, Reject};
use lamplighter::policy::Method;
use lamplighter::store::{
    Finished, HostId, ImportReport, Intent, Leave, Observation, ProcessId, Reader, RequestKey, Run,
    RunStart, SiteId, Source, SpanState, Stamp, Store, Stored, VisitEnd, VisitOutcome, Writer,
};
use sha2::{Digest, Sha256};

/// 2026-11-30 06:00:00Z, a Monday.
pub(super) const MONDAY: i64 = 1_796_018_400_000;

pub(super) fn at(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(MONDAY + ms).unwrap()
}

pub(super) fn stamp(ms: i64) -> Stamp {
    Stamp {
        utc: at(ms),
        mono_ms: ms,
    }
}

pub(super) fn host(name: &str) -> Host {
    Host::parse(name, NameRules::Loopback).unwrap()
}

pub(super) fn import(store: &Store, names: &[&str]) -> ImportReport {
    let mut entries = names.iter().zip(1..).map(|(name, line)| {
        Host::parse(name, NameRules::Loopback)
            .map(|host| Entry { line, host })
            .map_err(|reason| Reject {
                line,
                text: (*name).to_owned(),
                reason,
            })
    });
    let source = Source {
        kind: "list".to_owned(),
        name: "hosts.txt".to_owned(),
        date: at(-86_400_000),
        imported: at(-1000),
    };
    store
        .import(&source, &mut entries, &mut |_| {}, &mut || {
            Ok("5e".repeat(32))
        })
        .unwrap()
}

pub(super) fn run_start() -> RunStart {
    RunStart {
        label: "2026-W49".to_owned(),
        policy_toml: "name = \"intentroute\"".to_owned(),
        loopback: true,
        scheme: "http".to_owned(),
        user_agent: "IntentRouteBot/0.1".to_owned(),
        source_ip: Some("127.0.0.1".parse().unwrap()),
        at: at(0),
        window_ends: at(86_400_000),
    }
}

/// A store at work.
pub(super) struct Work {
    pub(super) store: Store,
    pub(super) writer: Writer,
    pub(super) reader: Reader,
    pub(super) run: Run,
    pub(super) process: ProcessId,
    pub(super) clock: std::cell::Cell<i64>,
}

impl Work {
    /// In a new directory, which is removed when the first of the two is dropped.
    pub(super) async fn fresh(names: &[&str]) -> (tempfile::TempDir, Work) {
        let directory = tempfile::tempdir().unwrap();
        let work = Work::begin(directory.path(), names).await;
        (directory, work)
    }

    pub(super) async fn begin(directory: &Path, names: &[&str]) -> Work {
        let store = Store::open(directory, "intentroute").unwrap();
        Work::resume(store, names).await
    }

    pub(super) async fn resume(store: Store, names: &[&str]) -> Work {
        import(&store, names);
        let writer = store.writer().unwrap();
        let run = writer.begin_run(run_start()).await.unwrap();
        let process = writer
            .begin_process(run.id, at(0), "name = \"intentroute\"".to_owned())
            .await
            .unwrap();
        Work {
            reader: store.reader().unwrap(),
            store,
            writer,
            run,
            process,
            clock: std::cell::Cell::new(1000),
        }
    }

    pub(super) fn id(&self, name: &str) -> (HostId, SiteId) {
        self.reader.host(&host(name)).unwrap().unwrap()
    }

    /// Time goes on by a second with each request.
    pub(super) fn tick(&self) -> i64 {
        self.clock.set(self.clock.get() + 1000);
        self.clock.get()
    }

    pub(super) fn intent(&self, name: &str, target: &str) -> Intent {
        let (host, site) = self.id(name);
        Intent {
            run: self.run.id,
            process: self.process,
            site,
            host,
            visit_host: host,
            turn: 1,
            target: target.to_owned(),
            method: Method::Get,
            attempt: 1,
            at: stamp(self.tick()),
            leave: Leave::Robots,
            held: None,
            conditional: false,
            gap_ms: 2000,
        }
    }

    pub(super) fn finished(&self, key: RequestKey, name: &str, target: &str) -> Finished {
        let sent = key.at_ms - MONDAY;
        Finished {
            key,
            host: self.id(name).0,
            target: target.to_owned(),
            run: self.run.id,
            sent: stamp(sent + 2),
            ended: stamp(sent + 40),
            outcome: Outcome::Present,
            status: Some(200),
            remote: Some("127.0.0.1:8080".parse().unwrap()),
            coding: String::new(),
            wire_bytes: 0,
            body_bytes: 0,
            sha256: None,
            connection: 1,
            redirect: None,
            retry_after_ms: None,
            detail: None,
            observation: Observation::Nothing,
            robots: None,
            site_wait: None,
        }
    }

    /// One whole request with what it means for history.
    pub(super) async fn ask(
        &self,
        name: &str,
        target: &str,
        outcome: Outcome,
        observation: Observation,
    ) -> Stored {
        let key = self.writer.intent(self.intent(name, target)).await.unwrap();
        let mut finished = self.finished(key, name, target);
        finished.outcome = outcome;
        finished.observation = observation;
        self.writer.finish(finished).await.unwrap()
    }

    pub(super) fn visit_end(&self, name: &str, outcome: VisitOutcome) -> VisitEnd {
        let ended = self.tick();
        VisitEnd {
            run: self.run.id,
            host: self.id(name).0,
            turn: 1,
            outcome,
            at: at(ended),
            locations: Vec::new(),
            due: at(ended + 6 * 86_400_000),
            alias: None,
            denied: Vec::new(),
        }
    }
}

pub(super) fn sha(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

pub(super) fn validators(etag: Option<&str>, modified: Option<&str>) -> Validators {
    Validators {
        etag: etag.map(str::to_owned),
        last_modified: modified.map(str::to_owned),
    }
}

pub(super) fn body(bytes: &[u8], etag: Option<&str>) -> Observation {
    Observation::Body {
        bytes: bytes.to_vec(),
        sha256: sha(bytes),
        media_type: Some("text/plain".to_owned()),
        coding: String::new(),
        validators: validators(etag, None),
        marks: Vec::new(),
    }
}

/// The observation of a body that is not kept.
pub(super) fn digest(bytes: &[u8], etag: Option<&str>, state: SpanState) -> Observation {
    Observation::Digest {
        sha256: sha(bytes),
        bytes: bytes.len() as u64,
        validators: validators(etag, None),
        marks: Vec::new(),
        state,
    }
}
