//! A store as lines of text, `field: value`: what the console shows with no run under way, for
//! whoever has no terminal or reads with the ears.

use std::collections::{BTreeMap, HashMap};

use engine::store::{HostId, HostQuery, HostSort, HostView, Reader, Run, Store};
use engine::suppress::{List, SuppressFile};

use super::output::Out;
use super::reach::engine_runs;
use crate::engine;
use crate::exit::Failure;
use crate::text::{Clean, fit, words};

/// Says all of it on stdout.
pub(crate) fn tell(store: &Store, read_only: bool) -> Result<(), Failure> {
    let reader = store.reader()?;
    let list = SuppressFile::in_directory(store.directory());
    let (suppressed, _) = list.read()?;
    let newest = reader.runs()?.into_iter().next();
    let mut lines = Lines::default();
    lines.say("store", store.directory().display());
    lines.say("policy", store.policy()?);
    lines.say("now", now(store, &reader, read_only)?);
    match &newest {
        None => lines.say("newest run", "none yet"),
        Some(run) => of_run(&mut lines, &reader, run)?,
    }
    hosts(&mut lines, &reader, &suppressed)?;
    for hold in reader.holds()? {
        lines.say(
            "held",
            format!(
                "{} since {} by {}",
                hold.scope,
                fit::second(hold.since),
                hold.by
            ),
        );
    }
    let names = fit::counted(suppressed.entries().len() as u64, "name");
    lines.say(
        "suppressed",
        format!("{names}, in {}", list.path().display()),
    );
    lines.say(
        "more",
        "`lamplighter hosts list` tells each host, `log HOST` its requests, `audit` the promises",
    );
    let mut out = Out::new(false);
    for line in lines.0 {
        out.line(&line)?;
    }
    out.finish()
}

#[derive(Default)]
struct Lines(Vec<Clean>);

impl Lines {
    fn say(&mut self, field: &str, value: impl std::fmt::Display) {
        self.0.push(Clean::new(format!("{field}: {value}")));
    }
}

fn now(store: &Store, reader: &Reader, read_only: bool) -> Result<String, Failure> {
    let paused = reader.control()?.paused;
    // A copy that may not be written to is locked by nobody.
    let runs = !read_only && engine_runs(store).unwrap_or(false);
    let mut text = match (runs, paused) {
        (true, false) => "a run in another terminal",
        (true, true) => "a paused run in another terminal",
        (false, false) => "no run under way",
        (false, true) => {
            "no run under way; a pause holds for the next one until `lamplighter resume`"
        }
    }
    .to_owned();
    if read_only {
        text.push_str(", read only");
    }
    Ok(text)
}

fn of_run(lines: &mut Lines, reader: &Reader, run: &Run) -> Result<(), Failure> {
    let start = &run.start;
    let totals = reader.totals(run.id)?;
    let kind = if start.loopback { ", loopback run" } else { "" };
    let ended = match run.ended {
        Some(ended) => format!("ended {}", fit::second(ended)),
        None => "not ended: it can be resumed".to_owned(),
    };
    lines.say(
        "newest run",
        format!(
            "{}{kind}, begun {}, {ended}",
            start.label,
            fit::second(start.at)
        ),
    );
    let visits: Vec<String> = totals
        .hosts
        .iter()
        .map(|(word, count)| format!("{} {}", fit::count(*count), words::plain(word)))
        .collect();
    lines.say("visits ended", none(visits.join(", ")));
    let outcomes: Vec<String> = totals
        .outcomes
        .iter()
        .map(|(word, count)| format!("{} {}", fit::count(*count), words::outcome(word)))
        .collect();
    lines.say(
        "requests",
        format!(
            "{}: {}",
            fit::count(totals.requests),
            none(outcomes.join(", "))
        ),
    );
    lines.say(
        "denied by robots.txt",
        fit::counted(totals.denied, "location"),
    );
    lines.say("new versions", fit::count(totals.versions_new));
    lines.say("told to wait", fit::counted(totals.told_to_wait, "time"));
    let [read, none, closed] = totals.robots;
    lines.say(
        "robots.txt",
        format!("{read} read, {none} none, {closed} closed"),
    );
    Ok(())
}

fn none(text: String) -> String {
    if text.is_empty() {
        "none".to_owned()
    } else {
        text
    }
}

/// How many hosts there are, by where they stand.
fn hosts(lines: &mut Lines, reader: &Reader, suppressed: &List) -> Result<(), Failure> {
    let query = HostQuery {
        sort: HostSort::Site,
        descending: false,
        view: HostView {
            now: reader.now()?,
            suppressed,
        },
    };
    // A host may be looked at twice.
    let mut stand: HashMap<HostId, &'static str> = HashMap::new();
    let mut keep = |facts: &engine::store::HostFacts<'_>| {
        stand.insert(facts.id, facts.state().word());
        false
    };
    reader.host_order(&query, &mut keep, &mut |_| {})?;
    let mut states: BTreeMap<&str, u64> = BTreeMap::new();
    for word in stand.values() {
        *states.entry(word).or_default() += 1;
    }
    let states: Vec<String> = states
        .iter()
        .map(|(word, count)| format!("{} {word}", fit::count(*count)))
        .collect();
    let count = fit::counted(stand.len() as u64, "host");
    lines.say("hosts", format!("{count}: {}", none(states.join(", "))));
    Ok(())
}
