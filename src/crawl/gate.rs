//! The last check before a request leaves: pause, hold, suppression, stop, window (rule 2, OO4).
//!
//! The check and the note that a request is under way are one step under one lock, so that what is
//! *reached* can be told from what is *requested*: once the state is set and the connecting permits
//! are revoked, nothing leaves any more.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, watch};

use crate::fetch::{Permit, Revocation};
use crate::hosts::Host;
use crate::suppress::{Entry, List};

/// Why a request may not leave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The run stands still.
    Paused,
    /// The run drains.
    Stopping,
    /// Held by the operator.
    Held,
    /// Never to be asked.
    Suppressed,
    /// The window of the run is over (AS9).
    WindowOver,
    /// robots.txt ran out while the gap was kept (RB9).
    Expired,
}

/// State that decides, as last set.
#[derive(Default)]
struct State {
    paused: bool,
    /// Nothing may leave because something cannot be trusted: an unreadable suppression list.
    doubt: Option<String>,
    stopping: bool,
    /// Why the run cannot go on, if so.
    fault: Option<String>,
    holds: List,
    /// Counts the changes of the holds.
    holds_set: u64,
    suppressed: List,
    under_way: HashMap<u64, (Host, String, Revocation)>,
    next_pass: u64,
}

impl State {
    fn refusal(&self, host: &Host, path: &str) -> Option<Refusal> {
        if self.suppressed.covers_page(host, path).is_some() {
            Some(Refusal::Suppressed) // OO4
        } else if self.stopping {
            Some(Refusal::Stopping)
        } else if self.holds.covers_page(host, path).is_some() {
            Some(Refusal::Held)
        } else if self.paused || self.doubt.is_some() {
            Some(Refusal::Paused)
        } else {
            None
        }
    }
}

/// Shared by every walk of a run.
#[derive(Clone)]
pub(crate) struct Gate {
    state: Arc<Mutex<State>>,
    changes: watch::Sender<u64>,
    ended: Arc<Notify>,
}

/// Leave for one request, noted as under way until dropped.
pub(crate) struct Pass {
    gate: Gate,
    number: u64,
    permit: Option<Permit>,
}

impl Pass {
    /// The permit, once.
    pub(crate) fn permit(&mut self) -> Option<Permit> {
        self.permit.take()
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.gate.lock().under_way.remove(&self.number);
        self.gate.ended.notify_waiters();
    }
}

impl Gate {
    /// An open gate.
    pub(crate) fn new() -> Gate {
        Gate {
            state: Arc::default(),
            changes: watch::Sender::new(0),
            ended: Arc::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic under this lock leaves plain data behind; the check itself stays sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Told of every change of state, and of nothing else: thousands of resting visits listen.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Why a request to this page may not leave now, if so.
    pub(crate) fn refusal(&self, host: &Host, path: &str) -> Option<Refusal> {
        self.lock().refusal(host, path)
    }

    /// Leave for one request: the check and the note that it is under way are one step.
    pub(crate) fn leave(&self, host: &Host, path: &str) -> Result<Pass, Refusal> {
        let mut state = self.lock();
        if let Some(refusal) = state.refusal(host, path) {
            return Err(refusal);
        }
        let number = state.next_pass;
        state.next_pass += 1;
        let (permit, revocation) = Permit::grant(host.clone());
        state
            .under_way
            .insert(number, (host.clone(), path.to_owned(), revocation));
        Ok(Pass {
            gate: self.clone(),
            number,
            permit: Some(permit),
        })
    }

    /// Requests under way.
    pub(crate) fn under_way(&self) -> usize {
        self.lock().under_way.len()
    }

    /// Resolves when no request is under way.
    pub(crate) async fn quiet(&self) {
        loop {
            let ended = self.ended.notified();
            if self.under_way() == 0 {
                return;
            }
            ended.await;
        }
    }

    /// Changes the state and revokes every permit that it no longer covers: a request still
    /// connecting then never leaves, one already sent is waited for.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        for (host, path, revocation) in state.under_way.values() {
            if state.refusal(host, path).is_some() {
                revocation.revoke();
            }
        }
        drop(state);
        self.changes
            .send_modify(|count| *count = count.wrapping_add(1));
    }

    /// Pause or resume.
    pub(crate) fn set_paused(&self, paused: bool) {
        self.change(|state| state.paused = paused);
    }

    /// Nothing leaves while there is doubt.
    pub(crate) fn set_doubt(&self, doubt: Option<String>) {
        self.change(|state| state.doubt = doubt);
    }

    /// What is doubted.
    pub(crate) fn doubt(&self) -> Option<String> {
        self.lock().doubt.clone()
    }

    /// Nothing new leaves from now on.
    pub(crate) fn stop(&self) {
        self.change(|state| state.stopping = true);
    }

    /// Nothing new leaves, and the run ends with this fault.
    pub(crate) fn fail(&self, fault: String) {
        self.change(|state| {
            state.stopping = true;
            state.fault.get_or_insert(fault);
        });
    }

    /// Why the run cannot go on, if so.
    pub(crate) fn fault(&self) -> Option<String> {
        self.lock().fault.clone()
    }

    /// Whether the run drains.
    pub(crate) fn is_stopping(&self) -> bool {
        self.lock().stopping
    }

    /// Whether the run stands still.
    pub(crate) fn is_paused(&self) -> bool {
        let state = self.lock();
        state.paused || state.doubt.is_some()
    }

    /// Holds in force.
    pub(crate) fn set_holds(&self, holds: impl IntoIterator<Item = Entry>) {
        let holds = List::new(holds);
        self.change(|state| {
            state.holds = holds;
            state.holds_set += 1;
        });
    }

    /// How often the holds have been set: another number may have released somebody.
    pub(crate) fn holds_set(&self) -> u64 {
        self.lock().holds_set
    }

    /// The suppression list in force.
    pub(crate) fn set_suppressed(&self, list: List) {
        self.change(|state| state.suppressed = list);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::NameRules;

    fn host(name: &str) -> Host {
        Host::parse(name, NameRules::Loopback).unwrap()
    }

    #[test]
    fn each_state_refuses_and_its_end_allows_again() {
        let gate = Gate::new();
        let docs = host("docs.alder.test");
        assert_eq!(gate.refusal(&docs, "/llms.txt"), None);
        gate.set_paused(true);
        assert_eq!(gate.refusal(&docs, "/llms.txt"), Some(Refusal::Paused));
        gate.set_paused(false);
        gate.set_holds(["alder.test".parse().unwrap()]);
        assert_eq!(gate.refusal(&docs, "/llms.txt"), Some(Refusal::Held));
        assert_eq!(gate.refusal(&host("bramble.test"), "/llms.txt"), None);
        gate.set_holds([]);
        gate.set_doubt(Some("the list cannot be read".to_owned()));
        assert_eq!(gate.refusal(&docs, "/llms.txt"), Some(Refusal::Paused));
        gate.set_doubt(None);
        gate.set_suppressed(List::new(["https://docs.alder.test/llms.txt"
            .parse()
            .unwrap()]));
        assert_eq!(gate.refusal(&docs, "/llms.txt"), Some(Refusal::Suppressed));
        assert_eq!(gate.refusal(&docs, "/robots.txt"), None);
        gate.stop();
        assert_eq!(gate.refusal(&docs, "/robots.txt"), Some(Refusal::Stopping));
    }

    #[test]
    fn a_change_of_state_revokes_the_permits_it_no_longer_covers_and_no_other() {
        let gate = Gate::new();
        let mut docs = gate
            .leave(&host("docs.alder.test"), "/llms.txt")
            .ok()
            .unwrap();
        let mut shop = gate
            .leave(&host("shop.bramble.test"), "/llms.txt")
            .ok()
            .unwrap();
        gate.set_suppressed(List::new(["alder.test".parse().unwrap()]));
        assert!(docs.permit().unwrap().revocation().is_revoked());
        assert!(!shop.permit().unwrap().revocation().is_revoked());
        assert_eq!(gate.under_way(), 2);
        drop(docs);
        assert_eq!(gate.under_way(), 1);
    }

    #[tokio::test]
    async fn quiet_waits_for_the_last_request_under_way() {
        let gate = Gate::new();
        let pass = gate
            .leave(&host("docs.alder.test"), "/llms.txt")
            .ok()
            .unwrap();
        let waiter = tokio::spawn({
            let gate = gate.clone();
            async move { gate.quiet().await }
        });
        tokio::task::yield_now().await;
        assert!(!waiter.is_finished());
        drop(pass);
        waiter.await.unwrap();
    }
}
