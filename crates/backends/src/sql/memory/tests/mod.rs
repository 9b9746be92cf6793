//! The store against its contract, and what is its own: the schema, the two ways to search, the patterns that it keeps.

mod figures;
mod schema;
mod v3;
mod words;

use std::path::Path;
use std::sync::Arc;

use lore_memory::contract::{CASES, run_case, walk};
use lore_memory::store::Memory;
use lore_memory::testing::StoreInMemory;
use tempfile::TempDir;

use crate::SqlMemory;

/// A store in a directory of its own.
pub(crate) struct Kept {
    pub(crate) directory: TempDir,
    pub(crate) store: SqlMemory,
}

impl Kept {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let store = SqlMemory::new(Some(directory.path().join("data/lore.db")), false);
        Self { directory, store }
    }

    /// The same file, as another process has it.
    pub(crate) fn again(&self) -> SqlMemory {
        SqlMemory::new(self.store.database.path().ok().map(Path::to_path_buf), false)
    }
}

/// What is wrong with a file. States that no pipeline knows are no fault of it.
pub(crate) fn faults(store: &SqlMemory) -> Vec<String> {
    use lore_seam::Health;
    let checks = store.check().into_iter();
    let checks = checks.filter(|check| !check.ok && check.name != "memory.states");
    checks.map(|check| check.detail).collect()
}

#[test]
fn the_store_keeps_the_contract() {
    for (what, case) in CASES {
        let kept = Kept::new();
        assert_eq!(case(&kept.store), Ok(()), "{what}");
        assert_eq!(faults(&kept.store), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn the_store_says_what_the_shelf_says() {
    let seeds = if lore_testing::is_long() { 400 } else { 12 };
    for seed in 1..=seeds {
        let (kept, shelf) = (Kept::new(), StoreInMemory::default());
        assert_eq!(walk(&kept.store, &shelf, seed, 60), Ok(()));
        assert_eq!(faults(&kept.store), Vec::<String>::new(), "seed {seed}");
        // Another process, which kept nothing, says the same.
        assert_eq!(walk(&kept.again(), &shelf, seed + 1_000, 10), Ok(()));
    }
}

#[test]
fn s5_the_changelog_is_in_the_order_in_which_it_was_told() {
    let kept = Kept::new();
    let case = "the order is the one in which things were made";
    assert_eq!(run_case(&kept.store, case), Ok(()));
}

#[test]
fn e21_equal_times_keep_the_order_of_making() {
    for store in [&Kept::new().store as &dyn Memory, &StoreInMemory::default()] {
        let case = "the order is the one in which things were made";
        assert_eq!(run_case(store, case), Ok(()));
    }
}

#[test]
fn e24_two_stores_on_one_file_see_what_the_other_writes() {
    let kept = Kept::new();
    let other: Arc<dyn Memory> = Arc::new(kept.again());
    let shelf = StoreInMemory::default();
    for seed in 1..=10 {
        let (one, shelf): (&dyn Memory, &dyn Memory) = (&kept.store, &shelf);
        let asked = if seed % 2 == 0 { one } else { other.as_ref() };
        assert_eq!(walk(asked, shelf, seed, 10), Ok(()));
    }
}
