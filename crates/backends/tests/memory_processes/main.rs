//! One store and several processes: each writes at once with others, or is killed while it writes. The test program starts itself as those processes.
//!
//! With `LORE_LONG` in the environment both go on for long.

mod child;
mod crash;
mod writers;

use std::path::Path;

use lore_backends::SqlMemory;
use lore_specs::seam::Health;

fn is_long() -> bool {
    lore_testing::is_long()
}

fn store(path: &Path) -> SqlMemory {
    SqlMemory::new(Some(path.to_owned()), false)
}

/// What is wrong with a store.
fn faults(store: &SqlMemory) -> Vec<String> {
    let checks = store.check().into_iter().filter(|check| !check.ok);
    checks
        .map(|check| format!("{}: {}", check.name, check.detail))
        .collect()
}

/// Numbers that look like chance and are the same each time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}
