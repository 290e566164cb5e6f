//! Policies for tests: one that ships with the program, and what a test changes of it.

use lamplighter::policy::{Override, Policy, builtin};

/// A policy that ships with the program.
pub(crate) fn shipped(name: &str) -> Policy {
    builtin(name).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The policy of the weekly run, changed as `--set` does, in this order.
pub(crate) fn changed(changes: &[&str]) -> Policy {
    let change = |policy: Policy, change: &&str| {
        let parsed = change.parse::<Override>();
        parsed
            .and_then(|parsed| policy.with(&parsed))
            .unwrap_or_else(|error| panic!("{change}: {error}"))
    };
    changes.iter().fold(shipped("intentroute"), change)
}
