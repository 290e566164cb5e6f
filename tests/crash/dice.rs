//! Random moments that can be had again: the seed is printed, and `CRASH_SEED` sets it.

use std::time::{SystemTime, UNIX_EPOCH};

/// SplitMix64.
pub(super) struct Dice(u64);

impl Dice {
    /// Dice of one scenario under a seed.
    pub(super) fn new(seed: u64, scenario: u64) -> Dice {
        Dice(seed ^ scenario.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number below `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

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
