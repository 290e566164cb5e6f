//! `run`: this period's run.

use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

use engine::crawl::{Clock, CrawlError, Settings};
use engine::failpoint::Failpoints;
use engine::fetch::Web;
use engine::hosts::{Host, NameRules, Reject};
use engine::policy::{Override, PlanKind, Policy};
use engine::store::{Store, StoreError};
use engine::suppress::SuppressFile;
use jiff::Timestamp;

use super::drive::{self, Begin, Face, Job};
use super::import::List;
use super::output::say;
use super::place::Global;
use super::policy::warn_weakened;
use super::when;
use crate::engine;
use crate::exit::{Exit, Failure};
use crate::text::{Clean, fit};

/// Sites in flight unless told otherwise.
const IN_FLIGHT: u16 = 400;
/// Hosts looked at to tell a store of real hosts.
const FIRST: usize = 1_000;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Import this list of hosts first
    #[arg(long, value_name = "FILE")]
    hosts: Option<PathBuf>,
    /// No console: progress as lines on stderr
    #[arg(long)]
    headless: bool,
    /// A loopback run: every name is dialled at this address
    #[arg(long, value_name = "ADDR:PORT", value_parser = loopback)]
    loopback: Option<SocketAddr>,
    /// The loopback server speaks TLS with a certificate of this CA
    #[arg(long, value_name = "FILE", requires = "loopback")]
    loopback_ca: Option<PathBuf>,
    /// Change one value of the policy (loopback runs only)
    #[arg(long = "set", value_name = "K=V")]
    set: Vec<String>,
    /// Divide every pace value by 100 (loopback runs only)
    #[arg(long)]
    fast: bool,
    /// The time to begin at, UTC (loopback runs only)
    #[arg(long, value_parser = when::time, value_name = "T")]
    now: Option<Timestamp>,
    /// Address that requests leave from
    #[arg(long, value_name = "ADDRESS", value_parser = source)]
    source: Option<IpAddr>,
    /// Sites in flight at most
    #[arg(long, value_name = "N", default_value_t = IN_FLIGHT, value_parser = clap::value_parser!(u16).range(1..))]
    in_flight: u16,
    /// Die at a named point (crash tests)
    #[arg(long, value_name = "NAME[:HIT]", hide = true)]
    failpoint: Option<String>,
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address = text.parse().ok();
    address
        .filter(|address: &SocketAddr| address.port() != 0)
        .ok_or_else(|| {
            "give an address of this machine and a port, such as 127.0.0.1:8080".to_owned()
        })
}

fn source(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| {
        "give the IP address of this machine that requests shall leave from, such as 192.0.2.10"
            .to_owned()
    })
}

/// A policy with overrides applied, in the order given.
pub(crate) fn overridden(
    mut policy: Policy,
    set: &[String],
    fast: bool,
) -> Result<(Policy, Vec<String>), Failure> {
    let fast = fast.then(|| "pace.scale=0.01".to_owned());
    let changes: Vec<String> = fast.into_iter().chain(set.iter().cloned()).collect();
    for change in &changes {
        policy = policy.with(&change.parse::<Override>()?)?;
    }
    Ok((policy, changes))
}

impl Args {
    /// Rule 8: what weakens a promise exists in loopback runs only.
    fn refuse_overrides(&self) -> Result<(), Failure> {
        let weakening = [
            ("--set", !self.set.is_empty()),
            ("--fast", self.fast),
            ("--now", self.now.is_some()),
            ("--failpoint", self.failpoint.is_some()),
        ];
        match weakening.iter().find(|(_, given)| *given) {
            Some((flag, _)) if self.loopback.is_none() => Err(Failure::Usage(format!(
                "{flag} would weaken what this crawler promises and works in loopback runs only; \
                 add --loopback ADDR:PORT or leave it out"
            ))),
            _ => Ok(()),
        }
    }
}

pub(crate) fn run(global: &Global, args: Args) -> Result<Exit, Failure> {
    args.refuse_overrides()?;
    global.refuse_read_only()?;
    let policy = global.policy()?;
    let weakened = warn_weakened(&policy);
    let (policy, mut overrides) = overridden(policy, &args.set, args.fast)?;
    runnable(&policy)?;
    if args.loopback.is_some() {
        overrides.splice(0..0, weakened);
    }
    let failpoints: Failpoints = match &args.failpoint {
        Some(name) => name.parse()?,
        None => Failpoints::default(),
    };
    let clock = args.now.map_or_else(Clock::system, Clock::starting_at);
    let web = match args.loopback {
        Some(address) => Web::loopback(&policy, address, args.loopback_ca.as_deref())?,
        None => Web::public(&policy, args.source)?,
    };
    let rules = if args.loopback.is_some() {
        NameRules::Loopback
    } else {
        NameRules::Public
    };
    let file = args.hosts.as_deref();
    let store = store_with_hosts(&global.directory()?, &policy, file, rules, clock.now())?;
    let settings = Settings {
        suppress: SuppressFile::in_directory(store.directory()),
        policy,
        loopback: args.loopback.is_some(),
        in_flight: usize::from(args.in_flight),
        store: store.clone(),
        web,
        clock,
        failpoints,
        events: None,
    };
    let job = Job {
        store,
        rounds: std::iter::once(Ok(settings)),
        begin: Begin::Now,
        overrides,
        json: global.json,
        face: Face::of(global, args.headless),
        looks: global.looks.clone(),
    };
    let (exit, _) = block_on(drive::drive(job))??;
    Ok(exit)
}

/// Settings of a run with nothing but what its policy says, for hosts that the store holds already.
pub(crate) fn plain(policy: Policy, store: &Store) -> Result<Settings, Failure> {
    runnable(&policy)?;
    Ok(Settings {
        suppress: SuppressFile::in_directory(store.directory()),
        web: Web::public(&policy, None)?,
        policy,
        loopback: false,
        in_flight: usize::from(IN_FLIGHT),
        store: store.clone(),
        clock: Clock::system(),
        failpoints: Failpoints::default(),
        events: None,
    })
}

/// Refuses a plan this version cannot run before anything is opened.
fn runnable(policy: &Policy) -> Result<(), Failure> {
    if policy.plan.kind == PlanKind::Files {
        return Ok(());
    }
    Err(CrawlError::Plan {
        policy: policy.name.clone(),
        kind: policy.plan.kind.word().to_owned(),
    }
    .into())
}

/// Hosts imported for real runs are no hosts to play with: refused before anything is changed. What a
/// store with runs may take is told by those.
fn refuse_real_hosts(directory: &Path) -> Result<(), Failure> {
    let store = match Store::existing(directory) {
        Err(StoreError::Missing { .. }) => return Ok(()),
        opened => opened?,
    };
    let reader = store.reader()?;
    if !reader.runs()?.is_empty() {
        return Ok(());
    }
    let hosts = reader.hosts(None, FIRST)?;
    // A real import takes no name of a loopback web.
    let real = |name: &str| Host::parse(name, NameRules::Public).is_ok();
    match hosts.first() {
        Some(first) if hosts.iter().all(|row| real(row.host.as_str())) => {
            Err(Failure::Usage(format!(
                "{}: this store holds hosts of the real web, such as {}, and a loopback run of them \
                 would be taken for their visit of the week; give --store another directory",
                directory.display(),
                first.host
            )))
        }
        _ => Ok(()),
    }
}

/// The store with the hosts of the list, if one is given; none is made where there is no host to visit.
fn store_with_hosts(
    directory: &Path,
    policy: &Policy,
    file: Option<&Path>,
    rules: NameRules,
    now: Timestamp,
) -> Result<Store, Failure> {
    let open = || Ok::<_, Failure>(Store::open(directory, &policy.name)?);
    let is_new = match Store::existing(directory) {
        Err(StoreError::Missing { .. }) => true,
        opened => opened.map(|_| false)?,
    };
    let fitting = || {
        if rules == NameRules::Loopback && !is_new {
            refuse_real_hosts(directory)?;
        }
        open()
    };
    let mut has_host = false;
    if let Some(file) = file {
        has_host = add_hosts(fitting, file, rules, now)?;
    }
    if !has_host && (is_new || fitting()?.reader()?.hosts(None, 1)?.is_empty()) {
        return Err(Failure::Failed(
            "there is no host in this store to visit; add some with \
             `lamplighter hosts import list FILE`, or give --hosts FILE (one host a line)"
                .to_owned(),
        ));
    }
    open()
}

/// Whether the list names a host.
fn add_hosts(
    open: impl FnOnce() -> Result<Store, Failure>,
    file: &Path,
    rules: NameRules,
    now: Timestamp,
) -> Result<bool, Failure> {
    let mut tell = |reject: &Reject| {
        say(&Clean::new(format!(
            "{}:{}: \"{}\": {}",
            file.display(),
            reject.line,
            reject.text,
            reject.reason
        )));
    };
    let list = List::open(file, rules, now, &mut tell)?;
    let has_host = list.has_host();
    let report = list.import(open, &mut tell)?;
    say(&Clean::new(format!(
        "{}: {} added, {} known already, {} refused",
        file.display(),
        fit::counted(report.added, "host"),
        fit::count(report.known),
        fit::counted(report.rejected, "line"),
    )));
    Ok(has_host)
}

/// A runtime for one command. Tasks that are left over end with it, waiting for none.
pub(crate) fn block_on<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    // One thread asks, the store's own thread writes: a second one would only wake the first.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .map_err(|error| Failure::Failed(format!("no thread could be started: {error}")))?;
    let done = runtime.block_on(work);
    runtime.shutdown_background();
    Ok(done)
}
