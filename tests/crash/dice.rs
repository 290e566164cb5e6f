//! Random moments that can be had again: the seed is printed, and `CRASH_SEED` sets it.

use std::time::{SystemTime, UNIX_EPOCH};

pub(super) use crate::support::dice::Dice;

/// The seed of this test run, told on stderr.
pub(super) fn seed() -> u64 {
    let given = std::env::var("CRASH_SEED").ok();
    let seed = given.map_or_else(
        || {
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
            since.as_secs() % 1_000_000
        },
        |text| text.parse().unwrap(),
    );
    eprintln!("CRASH_SEED={seed}");
    seed
}
