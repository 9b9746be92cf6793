//! One store and several processes: each writes at once with others, or is killed while it writes. The test program starts itself as those processes.
//!
//! With `LORE_LONG` in the environment both go on for long.
#![expect(clippy::disallowed_methods, reason = "tests make files and start processes")]

mod child;
mod crash;
mod writers;

use std::path::Path;

use lore_backends::SqlMemory;
use lore_seam::Health;

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
