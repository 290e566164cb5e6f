//! Numbers from a seed, so that what chance found can be had again.

/// SplitMix64.
pub(crate) struct Dice(u64);

impl Dice {
    /// Dice of one scenario under a seed.
    pub(crate) fn new(seed: u64, scenario: u64) -> Dice {
        Dice(seed ^ scenario.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}
