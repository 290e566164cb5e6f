//! The effects: a store's reader feeds the [`Auditor`].

use jiff::Timestamp;

use super::auditor::Auditor;
use super::facts::{Evidence, Facts, ProcessFacts};
use super::finding::Finding;
use super::ledger::ledger;
use crate::policy::Policy;
use crate::store::{HostId, Reader, RobotsId, RobotsSession, Run, RunId, StoreError};

/// Evidence from the store. A failure is kept and ends the audit; the callbacks cannot return it.
struct Stored<'a> {
    reader: &'a Reader,
    failed: &'a std::cell::RefCell<Option<StoreError>>,
}

impl Stored<'_> {
    fn keep<T>(&self, result: Result<Option<T>, StoreError>) -> Option<T> {
        result.unwrap_or_else(|error| {
            self.failed.borrow_mut().get_or_insert(error);
            None
        })
    }
}

impl Evidence for Stored<'_> {
    fn robots(&mut self, id: RobotsId) -> Option<RobotsSession> {
        self.keep(self.reader.robots_by_id(id))
    }

    fn due(&mut self, host: HostId) -> Option<Timestamp> {
        let before = HostId(host.0.saturating_sub(1));
        let rows = self.reader.hosts(Some(before), 1).map(Some);
        let row = self.keep(rows)?.into_iter().next()?;
        (row.id == host).then_some(row.next_visit)
    }
}

/// Audits one run against the policy recorded with it, promise by promise, in ledger order.
pub fn audit(reader: &Reader, run: RunId) -> Result<Vec<Finding>, StoreError> {
    let failed = std::cell::RefCell::new(None);
    let evidence = Stored {
        reader,
        failed: &failed,
    };
    let mut auditor = Auditor::new(facts(reader, run)?, evidence);
    reader.each_visit(run, &mut |record| {
        auditor.visit(&record);
        true
    })?;
    reader.each_request(Some(run), &mut |row| {
        auditor.request(&row);
        failed.borrow().is_none()
    })?;
    let findings = auditor.finish();
    match failed.into_inner() {
        Some(error) => Err(error),
        None => Ok(findings),
    }
}

fn facts(reader: &Reader, id: RunId) -> Result<Facts, StoreError> {
    let run = reader
        .runs()?
        .into_iter()
        .find(|run| run.id == id)
        .ok_or_else(|| {
            StoreError::NotFound(
                "there is no such run; `lamplighter audit` without --run takes the last one"
                    .to_owned(),
            )
        })?;
    let shifts = reader.clock_shifts(id)?;
    let processes = reader
        .processes(id)?
        .into_iter()
        .map(|(id, started, text)| {
            let policy = policy(&run, &text)?;
            Ok(ProcessFacts {
                id,
                started,
                policy,
                shift_ms: shifts.get(&id).copied().unwrap_or(0),
            })
        })
        .collect::<Result<Vec<_>, StoreError>>()?;
    Ok(Facts {
        policy: policy(&run, &run.start.policy_toml)?,
        processes,
        journal: reader.journal()?,
        promises: ledger().map_err(|error| StoreError::NotFound(error.to_string()))?,
        run,
    })
}

fn policy(run: &Run, text: &str) -> Result<Policy, StoreError> {
    let name = format!("the policy recorded with run {}", run.start.label);
    Policy::parse(text, &name).map_err(|error| {
        StoreError::NotFound(format!(
            "{error}; without its policy the run cannot be audited: use the version that wrote it"
        ))
    })
}
