//! How large a store is, and what `lore doctor` says of one.

use std::fs;

use lore_memory::contract::{atom, feature, project};
use lore_memory::model::Status;
use lore_memory::store::Memory;
use lore_memory::testing::numbered;
use lore_seam::Health;

use super::Kept;
use crate::sql::connection::open;

#[test]
fn l17_a_thousand_atoms_take_a_few_megabytes() {
    let kept = Kept::new();
    kept.store
        .write(&mut |unit| {
            unit.put_project(&project(1, "Shop"), None)?;
            (0..1_000).try_for_each(|number| {
                let mut atom = atom(10 + number, numbered(1), &format!("Area {number}"));
                atom.knowledge = format!("What is known of area {number}: it waits, retries and answers. ").repeat(10);
                unit.put_atom(&atom, None)
            })
        })
        .expect("written");
    let path = kept.directory.path().join("data/lore.db");
    let truncate = open(&path, false)
        .expect("open")
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    truncate.expect("all in the file");
    let bytes = fs::metadata(&path).expect("there").len();
    assert!((1_000_000..4_000_000).contains(&bytes), "{bytes} bytes");
    assert_eq!(
        kept.store
            .place()
            .map(|place| (place.exists, place.schema, place.bytes >= bytes)),
        Ok((true, 5, true))
    );
}

#[test]
fn l18_the_doctor_says_how_the_store_is() {
    let kept = Kept::new();
    let path = kept.directory.path().join("data/lore.db");
    let told = || {
        let checks = kept.store.check();
        let told: Vec<String> = checks
            .into_iter()
            .map(|check| format!("{} {}: {}", if check.ok { "+" } else { "-" }, check.name, check.detail))
            .collect();
        told.join("\n").replace(&path.display().to_string(), "FILE")
    };
    assert_eq!(told(), "+ memory: FILE: the memory is empty");
    kept.store
        .write(&mut |unit| {
            unit.put_project(&project(1, "Shop"), None)?;
            unit.put_atom(&atom(2, numbered(1), "Handler"), None)
        })
        .expect("written");
    let well = "+ memory: FILE: schema 5, 1 projects, 0 tasks, 1 atoms
+ memory.pages: every page is whole
+ memory.references: every reference has its target
+ memory.index: the index of words is whole
+ memory.states: every state is known
+ memory.patterns: every pattern of an atom is one
+ memory.journal: readers do not wait for writers";
    assert_eq!(told(), well);
    // A row that was written behind its back.
    let connection = rusqlite::Connection::open(&path).expect("open");
    connection
        .execute_batch("PRAGMA foreign_keys = OFF; UPDATE graph_atoms SET molecule_id = 'gone', seq = 77;")
        .expect("spoiled");
    let mut lost = feature(3, None);
    lost.status = Status::Other("IN_LIMBO".to_owned());
    kept.store
        .write(&mut |unit| unit.put_feature(&lost, None))
        .expect("written");
    let told = told();
    assert!(
        told.contains("- memory.references: 1 rows refer to what is not there"),
        "{told}"
    );
    assert!(
        told.contains("- memory.index: 1 atoms or molecules are not in the index of words"),
        "{told}"
    );
    assert!(
        told.contains("- memory.states: 1 tasks or features are in states that no pipeline knows"),
        "{told}"
    );
}
