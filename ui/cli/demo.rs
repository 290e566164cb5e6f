//! `demo`: live runs over a mini web on this machine, in a store of their own.

use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use engine::crawl::{Clock, Event, Settings, Summary};
use engine::failpoint::Failpoints;
use engine::fetch::Web;
use engine::hosts::{Entry, Host, NameRules};
use engine::miniweb::{MiniWeb, Source};
use engine::policy::Policy;
use engine::store::{self, Store, StoreError};
use engine::suppress::SuppressFile;
use jiff::{SignedDuration, Timestamp};

use super::drive::{self, Begin, Face, Job};
use super::output::{Out, say};
use super::place::Global;
use super::policy::warn_weakened;
use super::run::{block_on, overridden};
use super::{audit, when};
use crate::engine;
use crate::exit::{Exit, Failure};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --store the demo's store is a temporary directory, removed at the end. \
                  With --store DIR it is kept: run the demo again to resume, or look into it with \
                  `log`, `history` and `audit`. A store that holds other hosts is refused."
)]
pub(crate) struct Args {
    /// Serve this folder (sites/HOST/VERSION/PATH) instead of the built-in sites
    #[arg(long, value_name = "DIR")]
    web: Option<PathBuf>,
    /// Begin with version N of every site
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    week: u32,
    /// Add N generated hosts
    #[arg(long, value_name = "N", default_value_t = 0)]
    hosts: usize,
    /// Play N weeks one after another
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    weeks: u32,
    /// Divide every pace value by 100
    #[arg(long)]
    fast: bool,
    /// Change one value of the policy
    #[arg(long = "set", value_name = "K=V")]
    set: Vec<String>,
    /// Write what the servers saw, a JSON line a request
    #[arg(long, value_name = "FILE")]
    web_log: Option<PathBuf>,
    /// No console: progress as lines on stderr
    #[arg(long)]
    headless: bool,
}

pub(crate) fn demo(global: &Global, args: Args) -> Result<Exit, Failure> {
    global.refuse_read_only()?;
    let policy = global.policy()?;
    let weakened = warn_weakened(&policy);
    let (policy, mut overrides) = overridden(policy, &args.set, args.fast)?;
    overrides.splice(0..0, weakened);
    let place = match global.given()? {
        Some(directory) => Place::Given(directory),
        None => Place::temporary()?,
    };
    refuse_foreign(place.path())?;
    block_on(play(global, args, &policy, overrides, place.path()))?
}

/// What the store says where the hosts of a demo come from.
const OURS: &str = "mini web";
/// Hosts fetched from the store at a time.
const PAGE: usize = 5_000;

/// A store of real hosts is no place to play in: refused before anything in it is changed.
fn refuse_foreign(directory: &Path) -> Result<(), Failure> {
    let store = match Store::existing(directory) {
        Err(StoreError::Missing { .. }) => return Ok(()),
        opened => opened?,
    };
    let reader = store.reader()?;
    let ours = format!("list {OURS} ");
    let mut after = None;
    loop {
        let page = reader.hosts(after, PAGE)?;
        let Some(last) = page.last() else {
            return Ok(());
        };
        after = Some(last.id);
        // What a redirect of ours led to is ours too.
        let foreign = page
            .iter()
            .find(|row| !row.source.starts_with(&ours) && !row.source.starts_with("redirect of "));
        if let Some(row) = foreign {
            return Err(Failure::Usage(format!(
                "{}: this store holds hosts that are not the demo's, such as {}; \
                 give --store another directory, or leave it out",
                directory.display(),
                row.host
            )));
        }
    }
}

async fn play(
    global: &Global,
    args: Args,
    policy: &Policy,
    overrides: Vec<String>,
    directory: &Path,
) -> Result<Exit, Failure> {
    let source = args.web.map_or(Source::BuiltIn, Source::Folder);
    // The web first: no store is made for one that cannot be served.
    let web = MiniWeb::start(source, args.hosts, args.web_log).await?;
    let store = &Store::open(directory, &policy.name)?;
    let now = Timestamp::now();
    import(store, &web, when::monday(now, 0).unwrap_or(now))?;
    let rounds = (0..args.weeks).map(|week| {
        web.choose_version((args.week + week) as usize);
        settings(policy, store, &web, week)
    });
    let job = Job {
        store: store.clone(),
        rounds,
        begin: Begin::Now,
        overrides,
        json: global.json,
        face: Face::of(global, args.headless),
        looks: global.looks.clone(),
    };
    let (exit, summaries) = drive::drive(job).await?;
    web.flush();
    let audited = match audit_all(global.json, store, &summaries) {
        // The run ended as it did, whoever is left to read of it.
        Err(Failure::ReaderGone) => Exit::Done,
        audited => audited?,
    };
    Ok(if exit == Exit::Done { audited } else { exit })
}

/// How long after the last time known of a run its resumed clock begins.
const MOMENT: SignedDuration = SignedDuration::from_secs(1);

/// A run that was begun before goes on in its own time: requests and journal stay in one order.
fn going_on(policy: &Policy, store: &Store, monday: Timestamp) -> Result<Timestamp, Failure> {
    let label = policy.schedule.period.containing(monday).label;
    let reader = store.reader()?;
    let Some(run) = reader.run(&label)? else {
        return Ok(monday);
    };
    let last = reader.last_seen(run.id)?;
    Ok(last.checked_add(MOMENT).unwrap_or(last).max(monday))
}

/// Each week begins on its Monday at 06:00 UTC, the first one in the present week (AS9).
fn settings(policy: &Policy, store: &Store, web: &MiniWeb, week: u32) -> Result<Settings, Failure> {
    let begin = when::monday(Timestamp::now(), week).ok_or_else(|| {
        Failure::Usage("--weeks reaches past the calendar; play fewer".to_owned())
    })?;
    let begin = going_on(policy, store, begin)?;
    Ok(Settings {
        policy: policy.clone(),
        loopback: true,
        in_flight: 400,
        store: store.clone(),
        suppress: SuppressFile::in_directory(store.directory()),
        web: Web::loopback(policy, web.address(), None)?,
        clock: Clock::starting_at(begin),
        failpoints: Failpoints::default(),
        events: None,
    })
}

/// `at` is the time of the first week: hosts added then are due in it.
fn import(store: &Store, web: &MiniWeb, at: Timestamp) -> Result<(), Failure> {
    let source = store::Source {
        kind: "list".to_owned(),
        name: OURS.to_owned(),
        date: at,
        imported: at,
    };
    let mut hosts = Vec::new();
    for (line, name) in (1..).zip(web.hosts()) {
        let host = Host::parse(&name, NameRules::Loopback)
            .map_err(|error| Failure::Failed(format!("\"{name}\" is no host name: {error}")))?;
        hosts.push(Ok(Entry { line, host }));
    }
    // The mini web names its hosts itself: there is no list file to take a digest of.
    store.import(&source, &mut hosts.into_iter(), &mut |_| {}, &mut || {
        Ok(String::new())
    })?;
    Ok(())
}

fn audit_all(json: bool, store: &Store, summaries: &[Summary]) -> Result<Exit, Failure> {
    let reader = store.reader()?;
    let mut exit = Exit::Done;
    let mut out = Out::new(false);
    for summary in summaries {
        let Event::RunFinished { run, .. } = &summary.finished else {
            continue;
        };
        let Some(run) = reader.run(run)? else {
            continue;
        };
        let findings = engine::audit::audit(&reader, run.id)?;
        for line in audit::text(&run, &audit::weakened(&reader, &run)?, &findings) {
            // With --json, stdout carries events and nothing else.
            if json {
                say(&line);
            } else {
                out.line(&line)?;
            }
        }
        if audit::exit(&findings) == Exit::Breached {
            exit = Exit::Breached;
        }
    }
    out.finish()?;
    Ok(exit)
}

/// Where the store of a demo stands.
enum Place {
    Given(PathBuf),
    /// Removed at the end.
    Temporary(PathBuf),
}

impl Place {
    fn temporary() -> Result<Place, Failure> {
        let stamp = Timestamp::now().as_nanosecond();
        let name = format!("lamplighter-demo-{}-{stamp}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .map_err(|error| {
                Failure::Failed(format!(
                    "{}: {}; or give --store DIR",
                    path.display(),
                    engine::remedy::told(&error)
                ))
            })?;
        Ok(Place::Temporary(path))
    }

    fn path(&self) -> &Path {
        match self {
            Place::Given(path) | Place::Temporary(path) => path,
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Place::Temporary(path) = self {
            // What cannot be removed is left to the system's own cleaning of temporary files.
            let _ = std::fs::remove_dir_all(path);
        }
    }
}
