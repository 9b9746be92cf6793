//! Seeds and sizes of randomised tests. `cargo xtask check` runs them from a fixed seed, so that the same code has the same
//! result everywhere. `LORE_LONG` draws a fresh seed and runs more cases; `LORE_SEED` sets the seed.

use std::hash::{BuildHasher, RandomState};
use std::sync::OnceLock;

use proptest::test_runner::{Config, RngSeed};

use crate::watchdog;

/// The seed of every check.
const FIXED: u64 = 0x1012_5eed;
/// How many times more cases a long run has.
const LONGER: u32 = 30;

/// Whether `LORE_LONG` asks for a long run.
pub fn is_long() -> bool {
    std::env::var_os("LORE_LONG").is_some()
}

/// The seed of all randomised tests of this process. The test's output names it where it is not the fixed one; a failing
/// test shows its output.
#[expect(clippy::print_stderr, reason = "the test runner shows it with a failing test")]
pub fn seed() -> u64 {
    watchdog::goes_on();
    static SEED: OnceLock<u64> = OnceLock::new();
    let seed = *SEED.get_or_init(|| match std::env::var("LORE_SEED") {
        Ok(text) => text.trim().parse().expect("LORE_SEED holds a number"),
        // Every `RandomState` has keys of its own from the system.
        Err(_) if is_long() => RandomState::new().hash_one(0),
        Err(_) => FIXED,
    });
    if seed != FIXED {
        eprintln!("randomised with LORE_SEED={seed}");
    }
    seed
}

/// The configuration of a property test with so many cases, and thirty times as many in a long run.
pub fn cases(count: u32) -> Config {
    cases_or_long(count, count.saturating_mul(LONGER))
}

/// The configuration of a property test with so many cases, and with so many in a long run.
///
/// A failing case is written to `proptest-regressions` beside the crate's sources; every later run replays it first.
pub fn cases_or_long(count: u32, long: u32) -> Config {
    Config {
        cases: if is_long() { long } else { count },
        rng_seed: RngSeed::Fixed(seed()),
        ..Config::default()
    }
}

/// So many rounds of a test, or so many in a long run.
pub fn rounds(count: usize, long: usize) -> usize {
    if is_long() { long } else { count }
}

/// Numbers drawn from `seed`, for tests that are no property tests. The same seed and salt draw the same numbers.
pub struct Dice(u64);

impl Dice {
    /// Dice of one test; the salt tells the tests of a process apart.
    pub fn new(salt: u64) -> Self {
        Self(seed() ^ salt.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next number: SplitMix64.
    pub fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// As `below`, with numbers of 64 bits.
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.next_number() % sides.max(1)
    }

    /// A number below a limit; 0 if the limit is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next_number() % limit.max(1) as u64) as usize
    }
}
