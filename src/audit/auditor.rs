//! The core: rows in, findings out. It knows no store.

use std::collections::HashMap;

use super::asked::{Asked, VisitKey};
use super::ended::Ended;
use super::facts::{Evidence, Facts};
use super::finding::{Book, Check, Finding};
use super::leave::ROBOTS;
use super::processes::Processes;
use super::schedule::Previous;
use super::session::Session;
use super::suppressed::Suppressions;
use super::visit::{Before, Expected, Progress, SiteState, Visit};
use super::{leave, pace, plan, schedule, single};
use crate::fetch::Outcome;
use crate::policy::Ends;
use crate::store::{HostId, LogRow, VisitOutcome, VisitRecord};

/// Audits one run. Give it every visit record first, in (site, host, turn) order, then every request
/// in (site, time) order: what a visit says was denied is looked for among the requests.
///
/// Memory: the state of the site being read, a few dozen bytes for each visit that denied something,
/// a bit for each other one, and counters.
pub struct Auditor<E> {
    facts: Facts,
    evidence: E,
    suppressed: Suppressions,
    one_plan: bool,
    book: Book,
    expected: HashMap<VisitKey, Expected>,
    ended: Ended,
    processes: Processes,
    previous: Option<Previous>,
    site: SiteState,
    interrupted: u64,
    withdrawn: u64,
}

impl<E: Evidence> Auditor<E> {
    /// An audit of this run.
    pub fn new(facts: Facts, evidence: E) -> Auditor<E> {
        let mut book = Book::new();
        let run = &facts.run.start;
        single::agent(run, &facts.policy, &mut book);
        single::source(run, &facts.policy.identity, &mut book);
        for process in &facts.processes {
            if process.policy.identity != facts.policy.identity {
                single::agent(run, &process.policy, &mut book);
                single::source(run, &process.policy.identity, &mut book);
            }
        }
        let mut plans = facts.processes.iter().map(|process| &process.policy.plan);
        Auditor {
            one_plan: plans.all(|plan| *plan == facts.policy.plan),
            suppressed: Suppressions::read(&facts.journal),
            facts,
            evidence,
            book,
            expected: HashMap::new(),
            ended: Ended::default(),
            processes: Processes::default(),
            previous: None,
            site: SiteState::default(),
            interrupted: 0,
            withdrawn: 0,
        }
    }

    /// The record of an ended visit.
    pub fn visit(&mut self, record: &VisitRecord) {
        let Facts { run, policy, .. } = &self.facts;
        schedule::visit(record, self.previous.as_ref(), run, policy, &mut self.book);
        self.previous = Some(Previous::of(record));
        // A held visit goes on: its host stays due.
        if record.outcome != VisitOutcome::Held {
            self.ended.add((record.host, record.turn));
        }
        if let Some(expected) = schedule::expected(record, run, policy, self.one_plan) {
            self.expected.insert((record.host, record.turn), expected);
        }
    }

    /// A request.
    pub fn request(&mut self, row: &LogRow) {
        if self.site.id != Some(row.key.site) {
            self.site = SiteState::new(row.key.site);
        }
        let process = self
            .facts
            .processes
            .iter()
            .find(|process| process.id == row.process);
        let policy = process.map_or(&self.facts.policy, |process| &process.policy);
        let shift_ms = process.map_or(0, |process| process.shift_ms);
        let asked = Asked::new(row, policy, shift_ms);
        if row.outcome == Some(Outcome::Withdrawn) {
            self.withdrawn += 1;
            self.site.withdrawn(&asked);
            return;
        }
        self.interrupted += u64::from(row.outcome.is_none());
        self.processes.note(&asked);

        let book = &mut self.book;
        let site = &mut self.site;
        let start = &self.facts.run.start;
        let window_ends = process.map_or(start.window_ends, |process| {
            schedule::window_ends(start, process.started, policy)
        });
        single::request(&asked, start, window_ends, &self.suppressed, book);
        plan::once(&asked, site, book);

        let evidence = &mut self.evidence;
        let token = &policy.identity.token;
        let mut look_up = |id| Some(Session::read(evidence.robots(id)?, token));
        let since_ms = start.at.as_millisecond();
        if let Some(id) = leave::reference(row.leave) {
            site.delays.put_in_force(id, since_ms, &mut look_up);
        }
        let session = site.delays.session();
        pace::before(&asked, site, site.delays.of(&asked), book);

        let expected = &mut self.expected;
        let key = asked.visit();
        let visit = site.visits.entry(key).or_insert_with(|| {
            Visit::new(row.visit_host, expected.remove(&key).unwrap_or_default())
        });
        site.told.go_on(&asked, visit);
        let denying = visit.expected.denied.last().map(|denied| denied.robots);
        in_visit(&asked, visit, &site.before, session.as_deref(), book);
        if asked.is_robots() {
            site.told.note(&asked, visit);
            // Known before the first file only if something was denied under it.
            let answered = matches!(visit.chain.progress, Progress::Answered(_));
            if answered || row.target == ROBOTS {
                site.delays.forget(visit.chain.host);
            }
            match denying.filter(|_| answered) {
                Some(id) => site.delays.put_in_force(id, since_ms, &mut look_up),
                None => site.delays.lift(),
            }
        }
        // PC4 goes by the status. Where it ends nothing, the visit's own record says whether it ended.
        let ended = match policy.retries.limited_ends {
            Ends::Nothing => visit.expected.limited,
            Ends::Site | Ends::Visit => self.ended.contains(key),
        };
        let limited = ended && asked.is_limited();
        pace::after(&asked, site, book);
        if limited && let Some(due) = self.evidence.due(row.visit_host) {
            pace::due(&asked, due.as_millisecond(), book);
        }
    }

    /// What was found, for every promise of the policy that the log can prove, in ledger order.
    pub fn finish(mut self) -> Vec<Finding> {
        let Facts { run, policy, .. } = &self.facts;
        schedule::report(run, policy, &mut self.book);
        self.processes.report(&self.facts.processes, &mut self.book);
        if run.start.loopback {
            let note = "loopback run: not applicable".to_owned();
            self.book.note(Check::Id3, note);
        } else if !policy.identity.addresses_required {
            let note = "the policy in force requires no published address".to_owned();
            self.book.note(Check::Id3, note);
        }
        for (number, what) in [
            (self.interrupted, "without an outcome (interrupted)"),
            (self.withdrawn, "withdrawn before sending"),
        ] {
            if number > 0 {
                self.book.note(Check::As3, format!("{number} {what}"));
            }
        }
        self.book.finish(&self.facts.promises, &policy.name)
    }
}

/// The checks that look at the visit so far.
fn in_visit(
    asked: &Asked<'_>,
    visit: &mut Visit,
    before: &HashMap<(HostId, String), Before>,
    session: Option<&Session>,
    book: &mut Book,
) {
    leave::first(asked, visit, book);
    if visit.requests == 0
        && let Some(not_before) = visit.expected.not_before
    {
        schedule::begins(asked, not_before, book);
    }
    plan::budget(asked, visit, book);
    if asked.is_robots() {
        if !leave::robots(asked, visit, book) {
            plan::no_hop(asked, book);
        }
    } else {
        leave::file(asked, visit, session, book);
        plan::file(asked, visit, before, book);
    }
    plan::outcome(asked, visit, book);
}
