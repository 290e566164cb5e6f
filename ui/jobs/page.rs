//! What the page of one host is read from: every part by itself, so that one that cannot be read
//! hides no other; and what a stored robots.txt says of a path.

use std::path::Path;

use engine::policy::Policy;
use engine::robots::{Gap, RobotsFile, Signals, Verdict, gap};
use engine::store::{
    Horizon, HostCard, HostId, HostView, HostVisit, JournalEntry, LogLine, Reader, RobotsId,
    RobotsRow, RunId, Store, StoreError, Version,
};

use crate::engine;
use crate::text::Clean;

/// Visits, and fetches of robots.txt, that are read.
const PAST: usize = 200;
/// Requests read at a time.
pub(crate) const REQUESTS: usize = 100;

/// A part as read, or why it could not be.
pub(crate) type Read<T> = Result<T, Clean>;

/// All small parts of the page.
#[derive(Debug)]
pub(crate) struct PageParts {
    pub(crate) card: Read<HostCard>,
    pub(crate) visits: Read<Vec<HostVisit>>,
    pub(crate) fetches: Read<Vec<RobotsRow>>,
    /// The newest requests.
    pub(crate) requests: Read<Vec<LogLine>>,
    pub(crate) versions: Read<Vec<Version>>,
    pub(crate) journal: Read<Vec<JournalEntry>>,
    pub(crate) promised: Read<Promised>,
    /// All runs, the newest first, and where what was known ends, if that is not now.
    pub(crate) time: Read<(Vec<RunName>, Option<Horizon>)>,
}

/// A run by its name.
#[derive(Clone, Debug)]
pub(crate) struct RunName {
    pub(crate) id: RunId,
    pub(crate) label: String,
}

/// What the run looked at promised, or the store's policy where there was none.
#[derive(Clone, Debug)]
pub(crate) struct Promised {
    /// Scheme of every URL.
    pub(crate) scheme: String,
    /// Locations of a visit, robots.txt first, as its lamps are.
    pub(crate) locations: Vec<String>,
}

/// What is asked of a stored robots.txt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    /// Which fetch.
    pub(crate) fetch: RobotsId,
    /// About which path; none for the first location of the plan that is denied, else the first.
    pub(crate) path: Option<String>,
    /// For which token; none for the policy's.
    pub(crate) token: Option<String>,
    /// By the policy of which run; none for the newest.
    pub(crate) run: Option<RunId>,
}

/// What a stored robots.txt says.
#[derive(Debug)]
pub(crate) struct Explained {
    pub(crate) path: String,
    pub(crate) token: String,
    /// It is the policy's own token.
    pub(crate) own_token: bool,
    /// The gap in force, scaled, and by what factor.
    pub(crate) gap: Gap,
    pub(crate) scale: f64,
    /// None if no text was kept.
    pub(crate) file: Option<Explanation>,
}

/// What its text says.
#[derive(Debug)]
pub(crate) struct Explanation {
    pub(crate) text: Text,
    pub(crate) verdict: Verdict,
    pub(crate) notes: Vec<String>,
    pub(crate) sitemaps: Vec<String>,
    pub(crate) signals: Signals,
}

/// A text by its lines.
#[derive(Debug, Default)]
pub(crate) struct Text {
    bytes: Vec<u8>,
    /// Where each line ends.
    ends: Vec<u32>,
}

impl Text {
    /// Of lines without their ends.
    pub(crate) fn of<'a>(lines: impl Iterator<Item = &'a [u8]>) -> Text {
        let mut text = Text::default();
        for line in lines {
            text.bytes.extend_from_slice(line);
            text.ends
                .push(u32::try_from(text.bytes.len()).unwrap_or(u32::MAX));
        }
        text
    }

    /// How many lines it has.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// A line, counted from 0.
    pub(crate) fn line(&self, at: usize) -> &[u8] {
        let from = at.checked_sub(1).and_then(|before| self.ends.get(before));
        let to = self.ends.get(at).copied().unwrap_or_default();
        let from = from.copied().unwrap_or_default();
        self.bytes
            .get(from as usize..to as usize)
            .unwrap_or_default()
    }
}

fn told<T>(read: Result<T, StoreError>) -> Read<T> {
    read.map_err(|error| Clean::new(error.to_string()))
}

/// Reads all small parts, as they were known when `run` was over; as they are if that is none.
pub(super) fn parts(
    (store, reader): (&Store, &Reader),
    (host, run): (HostId, Option<RunId>),
    view: HostView<'_>,
) -> PageParts {
    let horizon = told(run.map_or(Ok(None), |run| reader.horizon(run)));
    let until = horizon.as_ref().ok().copied().flatten();
    let next = until.map(|horizon| horizon.next);
    let before = until.map(|horizon| horizon.before);
    let mut parts = PageParts {
        card: told(reader.host_card(host, view)),
        visits: told(reader.visits_of(host, next, PAST)),
        fetches: told(reader.robots_fetches(host, before, PAST)),
        requests: told(requests(reader, host, until)),
        versions: told(match until {
            Some(horizon) => reader.versions_known(host, horizon),
            None => reader.versions(host, None),
        }),
        journal: told(reader.journal_of(host)),
        promised: promised(store, reader, run),
        time: horizon.and_then(|horizon| Ok((names(reader)?, horizon))),
    };
    if let (Ok(journal), Some(before)) = (&mut parts.journal, before) {
        journal.retain(|entry| entry.at < before);
    }
    parts
}

/// The newest requests known then.
fn requests(
    reader: &Reader,
    host: HostId,
    until: Option<Horizon>,
) -> Result<Vec<LogLine>, StoreError> {
    let Some(horizon) = until else {
        return reader.log_page(host, None, REQUESTS);
    };
    reader.log_page(host, Some(horizon.requests()), REQUESTS)
}

fn names(reader: &Reader) -> Read<Vec<RunName>> {
    let runs = told(reader.runs())?.into_iter();
    Ok(runs
        .map(|run| RunName {
            id: run.id,
            label: run.start.label,
        })
        .collect())
}

fn promised(store: &Store, reader: &Reader, run: Option<RunId>) -> Read<Promised> {
    let (policy, scheme) = in_force(store, reader, run)?;
    let locations = policy
        .plan
        .locations
        .into_iter()
        .map(|location| location.path);
    Ok(Promised {
        scheme,
        locations: std::iter::once("/robots.txt".to_owned())
            .chain(locations)
            .collect(),
    })
}

/// The policy as a run recorded it (rule 8), the newest if none is named, with the scheme of its URLs.
pub(super) fn in_force(
    store: &Store,
    reader: &Reader,
    run: Option<RunId>,
) -> Read<(Policy, String)> {
    let problem = |error: engine::policy::PolicyError| Clean::new(error.to_string());
    let mut runs = told(reader.runs())?.into_iter();
    if let Some(run) = runs.find(|known| run.is_none_or(|run| known.id == run)) {
        let label = format!("the policy of {}", run.start.label);
        let policy = Policy::parse(&run.start.policy_toml, &label).map_err(problem)?;
        return Ok((policy, run.start.scheme));
    }
    let name = told(store.policy())?;
    let policy = engine::policy::load(Path::new(&name)).map_err(problem)?;
    Ok((policy, "https".to_owned()))
}

/// Reads a stored robots.txt for a token and asks it about a path.
pub(super) fn explain(store: &Store, reader: &Reader, asked: &Asked) -> Read<Explained> {
    let (policy, _) = in_force(store, reader, asked.run)?;
    let bytes = told(reader.robots_bytes(asked.fetch))?;
    Ok(explained(&policy, bytes.as_deref(), asked))
}

/// What a text says; nothing is read from anywhere.
pub(crate) fn explained(policy: &Policy, bytes: Option<&[u8]>, asked: &Asked) -> Explained {
    let own = &policy.identity.token;
    let token = asked.token.clone().unwrap_or_else(|| own.clone());
    let most = usize::try_from(policy.robots.max_bytes).unwrap_or(usize::MAX);
    let file = bytes.map(|bytes| RobotsFile::read(bytes, &token, most));
    let path = asked
        .path
        .clone()
        .unwrap_or_else(|| telling(policy, file.as_ref()));
    Explained {
        own_token: token == *own,
        token,
        gap: gap(&policy.pace, file.as_ref().and_then(RobotsFile::delay)),
        scale: policy.pace.scale,
        file: file.map(|file| Explanation {
            text: Text::of(file.lines().map(|(_, line)| line)),
            verdict: file.verdict(&path),
            notes: file.notes().to_vec(),
            sitemaps: file.sitemaps().to_vec(),
            signals: file.signals(&path),
        }),
        path,
    }
}

/// The first location of the plan that is denied, else the first.
fn telling(policy: &Policy, file: Option<&RobotsFile>) -> String {
    let mut paths = policy.plan.locations.iter().map(|location| &location.path);
    let first = paths.clone().next();
    let denied = file.and_then(|file| paths.find(|path| !file.verdict(path).allowed));
    denied
        .or(first)
        .map_or_else(|| "/".to_owned(), Clone::clone)
}

#[cfg(test)]
mod tests;
