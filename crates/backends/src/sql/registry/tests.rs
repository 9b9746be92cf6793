//! The store against its contract, and what is its own: the file, several that write to it at once, and what it costs when there is much in it.

mod many;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use lore_ckgp::registry_store::bodies::Bodies;
use lore_ckgp::registry_store::contract::{CASES, everything, good, pending, repository, walk};
use lore_ckgp::registry_store::shelf::{BodyShelf, Shelf};
use lore_ckgp::registry_store::status::Status;
use lore_ckgp::registry_store::store::{Claim, Filter, Registry, Wanted, reading, writing};
use lore_memory::contract::project;
use lore_memory::store::Memory;
use lore_seam::Health;
use tempfile::TempDir;

use super::{HeldBodies, SqlRegistry};
use crate::SqlMemory;

/// A store in a directory of its own.
struct Kept {
    directory: TempDir,
    store: SqlRegistry,
}

impl Kept {
    fn new() -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let store = SqlRegistry::new(Some(directory.path().join("data/lore.db")), false);
        Self { directory, store }
    }

    /// The same file, as another process has it.
    fn again(&self) -> SqlRegistry {
        SqlRegistry::new(self.store.database.path().ok().map(Path::to_path_buf), false)
    }

    fn memory(&self) -> SqlMemory {
        SqlMemory::new(self.store.database.path().ok().map(Path::to_path_buf), false)
    }

    /// What is wrong with the file.
    fn faults(&self) -> Vec<String> {
        let checks = self.store.check().into_iter().chain(self.memory().check());
        checks.filter(|check| !check.ok).map(|check| check.detail).collect()
    }
}

#[test]
fn the_store_keeps_the_contract() {
    for (what, case) in CASES {
        let kept = Kept::new();
        assert_eq!(case(&kept.store), Ok(()), "{what}");
        assert_eq!(kept.faults(), Vec::<String>::new(), "{what}");
    }
}

#[test]
fn the_store_says_what_the_shelf_says() {
    let seeds = if lore_testing::is_long() { 400 } else { 12 };
    for seed in 1..=seeds {
        let (kept, shelf) = (Kept::new(), Shelf::default());
        assert_eq!(walk(&kept.store, &shelf, seed, 80), Ok(()));
        assert_eq!(kept.faults(), Vec::<String>::new(), "seed {seed}");
        // Another process says the same.
        assert_eq!(walk(&kept.again(), &shelf, seed + 1_000, 10), Ok(()));
    }
}

#[test]
fn a_read_makes_no_file_and_sees_nothing() {
    let kept = Kept::new();
    let nothing = everything(&Shelf::default());
    assert_eq!(everything(&kept.store), nothing);
    assert_eq!(kept.faults(), Vec::<String>::new());
    assert!(!kept.directory.path().join("data").exists());
    assert!(kept.store.place().is_ok_and(|place| place.ends_with("data/lore.db")));
    let nowhere = SqlRegistry::new(None, false)
        .read(&mut |_| Ok(()))
        .expect_err("nowhere");
    assert_eq!(nowhere.hints, ["set a file with --db or LORE_DB"]);
}

#[test]
fn a_registry_and_memory_share_a_file_and_leave_each_other_alone() {
    let kept = Kept::new();
    let memory = kept.memory();
    memory
        .write(&mut |unit| unit.put_project(&project(1, "Shop"), None))
        .expect("written");
    // A file that memory alone was kept in has no registry, and `lore doctor` speaks of none.
    assert_eq!(kept.store.check(), Vec::new());
    writing(&kept.store, |unit| {
        unit.put(&good("a/b", &["web"], &["rust"]), "github.com", Some(0))
    })
    .expect("written");
    let before = everything(&kept.store);
    memory.set_aside("20261116-080000").expect("set aside");
    assert_eq!(everything(&kept.store), before);
    assert_eq!(kept.faults(), Vec::<String>::new());
    let names: Vec<String> = kept.store.check().into_iter().map(|check| check.name).collect();
    assert_eq!(
        names,
        ["registry", "registry.counts", "registry.index", "registry.jobs"]
    );
}

#[test]
fn sums_that_are_wrong_are_told() {
    let kept = Kept::new();
    writing(&kept.store, |unit| {
        unit.put(&good("a/b", &[], &["rust"]), "github.com", Some(0))
    })
    .expect("written");
    for (damage, wanted) in [
        (
            "UPDATE registry_count SET entries = 7 WHERE what = 'language'",
            "1 counts differ from the entries",
        ),
        (
            "UPDATE registry_count SET entries = 2 WHERE what = 'status'",
            "3 counts differ from the entries",
        ),
        (
            "INSERT INTO registry_text (key, format, symbols) VALUES ('a/b', 'ccg@1', x'')",
            "1 graphs can be searched, the index has 0",
        ),
        ("DELETE FROM registry_job", "1 entries are never visited"),
    ] {
        kept.store
            .database
            .with_writer(|connection, _| {
                connection.execute_batch(damage).expect("damaged");
                Ok(())
            })
            .expect("written");
        let faults = kept.faults();
        assert!(faults.iter().any(|fault| fault == wanted), "{damage}: {faults:?}");
    }
}

#[test]
fn two_that_claim_at_once_never_share_a_job() {
    let kept = Kept::new();
    writing(&kept.store, |unit| {
        (0..300).try_for_each(|number| unit.put(&pending(&format!("o/r{number}")), "github.com", Some(0)))
    })
    .expect("written");
    let claims = |worker: &'static str| {
        let store = kept.again();
        move || {
            let mut got: Vec<String> = Vec::new();
            loop {
                let claim = Claim {
                    worker,
                    now: 10,
                    until: 1_000,
                    most: 7,
                    wanted: Wanted::Due,
                    without: &[],
                };
                let leased = writing(&store, |unit| unit.claim(&claim)).expect("claimed");
                if leased.is_empty() {
                    return got;
                }
                for leased in leased {
                    got.push(leased.entry.repository.key());
                    let mut entry = leased.entry;
                    entry.graphs[0].status = Status::Missing;
                    let visit = lore_ckgp::registry_store::contract::visit(10, Status::Missing);
                    let is_ended = writing(&store, |unit| unit.finish(worker, &entry, &visit, Some(5_000)));
                    assert_eq!(is_ended, Ok(true));
                }
            }
        }
    };
    let threads: Vec<_> = ["a", "b", "c"]
        .map(|worker| std::thread::spawn(claims(worker)))
        .into_iter()
        .collect();
    let got: Vec<String> = threads
        .into_iter()
        .flat_map(|thread| lore_testing::join(thread, "a worker ends"))
        .collect();
    let once: BTreeSet<&String> = got.iter().collect();
    assert_eq!((got.len(), once.len()), (300, 300));
    let counts = reading(&kept.store, |unit| unit.counts()).expect("read");
    assert_eq!(counts.by_status.get(&Status::Missing), Some(&300));
    let visits = reading(&kept.store, |unit| unit.visits(&repository("o/r7"), 9)).expect("read");
    assert_eq!(visits.len(), 1);
    assert_eq!(kept.faults(), Vec::<String>::new());
}

#[test]
fn what_a_process_that_died_had_leased_is_had_by_another_when_the_lease_ends() {
    let kept = Kept::new();
    writing(&kept.store, |unit| unit.put(&pending("a/b"), "github.com", Some(0))).expect("written");
    let claim = |worker: &'static str, now| Claim {
        worker,
        now,
        until: now + 120,
        most: 1,
        wanted: Wanted::Due,
        without: &[],
    };
    {
        let died = kept.again();
        assert_eq!(
            writing(&died, |unit| unit.claim(&claim("died", 0))).map(|got| got.len()),
            Ok(1)
        );
    }
    assert_eq!(
        writing(&kept.store, |unit| unit.claim(&claim("w", 119))).map(|got| got.len()),
        Ok(0)
    );
    assert_eq!(
        writing(&kept.store, |unit| unit.claim(&claim("w", 120))).map(|got| got.len()),
        Ok(1)
    );
    let page = reading(&kept.store, |unit| unit.page(&Filter::default(), None, 9));
    assert_eq!(page.map(|page| page.len()), Ok(1));
}

#[test]
fn the_doctor_tells_how_many_bodies_nobody_holds() {
    let kept = Kept::new();
    let bodies = Arc::new(BodyShelf::default());
    let held = HeldBodies {
        registry: Arc::new(kept.again()),
        bodies: Arc::clone(&bodies) as Arc<dyn Bodies>,
    };
    let told = || {
        let checks = held.check().into_iter();
        checks
            .map(|check| format!("{} {} {}", check.name, check.ok, check.detail))
            .collect::<Vec<_>>()
    };
    assert_eq!(told(), [""; 0], "there is neither a registry nor a body");
    writing(&kept.store, |unit| {
        unit.put(&good("a/b", &[], &[]), "github.com", Some(0))
    })
    .expect("written");
    bodies.put(&"a".repeat(64), b"held").expect("kept");
    assert_eq!(
        told(),
        ["registry.bodies true 1 bodies, 4 bytes; each belongs to a graph"]
    );
    for number in 0..300 {
        bodies.put(&format!("{number:064x}"), b"left").expect("kept");
    }
    assert_eq!(
        told(),
        [
            "registry.bodies true 301 bodies, 1204 bytes; 300 belong to no graph; `lore registry sync --sweep` removes them when they are an hour old"
        ]
    );
}
