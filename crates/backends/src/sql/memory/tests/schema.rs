//! The file: its schema, its rights, and what happens to it.

use std::fs;

use lore_memory::contract::{atom, everything, project, walk};
use lore_memory::envelope::code_of;
use lore_memory::store::Memory;
use lore_memory::testing::{StoreInMemory, numbered};
use rusqlite::Connection;

use super::{Kept, faults};
use crate::SqlMemory;
use crate::sql::connection::{open, open_empty, open_unwritable};
use crate::sql::migrate::{MIGRATIONS, migrate, schema};

/// The tables of the graph as its specification writes them.
const SEED: &str = "
CREATE TABLE projects (id TEXT PRIMARY KEY);
CREATE TABLE graph_molecules (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects(id),
  name TEXT NOT NULL,
  knowledge TEXT NOT NULL DEFAULT '',
  related_molecules TEXT NOT NULL DEFAULT '[]',
  created_by_task_id TEXT NOT NULL,
  last_task_id TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE TABLE graph_atoms (
  id TEXT PRIMARY KEY,
  project_id TEXT NOT NULL REFERENCES projects(id),
  molecule_id TEXT REFERENCES graph_molecules(id),
  name TEXT NOT NULL,
  paths TEXT NOT NULL DEFAULT '[]',
  knowledge TEXT NOT NULL DEFAULT '',
  related_atoms TEXT NOT NULL DEFAULT '[]',
  created_by_task_id TEXT NOT NULL,
  last_task_id TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE TABLE graph_changelog (
  id TEXT PRIMARY KEY,
  parent_type TEXT NOT NULL CHECK(parent_type IN ('atom', 'molecule')),
  parent_id TEXT NOT NULL,
  task_id TEXT NOT NULL,
  summary TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX idx_graph_molecules_project ON graph_molecules(project_id);
CREATE INDEX idx_graph_atoms_project ON graph_atoms(project_id);
CREATE INDEX idx_graph_atoms_molecule ON graph_atoms(molecule_id);
CREATE INDEX idx_graph_changelog_parent ON graph_changelog(parent_type, parent_id);
CREATE INDEX idx_graph_changelog_task ON graph_changelog(task_id);
";

fn lines(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).expect(sql);
    let columns = statement.column_count();
    let rows = statement.query_map([], |row| {
        let values = (0..columns).map(|column| Ok(format!("{:?}", row.get::<_, rusqlite::types::Value>(column)?)));
        Ok(values.collect::<rusqlite::Result<Vec<_>>>()?.join(" "))
    });
    rows.expect(sql).map(|row| row.expect(sql)).collect()
}

/// What a database knows of the tables of the graph.
fn shape(connection: &Connection) -> Vec<String> {
    let mut shape = Vec::new();
    for table in ["graph_molecules", "graph_atoms", "graph_changelog"] {
        for pragma in ["table_info", "index_list", "foreign_key_list"] {
            shape.extend(lines(connection, &format!("PRAGMA {pragma}({table})")));
        }
    }
    let sql = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name LIKE 'graph%' ORDER BY name";
    shape.extend(lines(connection, sql));
    shape
}

#[test]
fn s1_a_file_that_may_not_be_written_is_read() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("a store #1?.db");
    let memory = SqlMemory::new(Some(path.clone()), false);
    memory
        .write(&mut |store| store.put_project(&project(1, "Shop"), None))
        .expect("written");
    for is_at_rest in [false, true] {
        if is_at_rest {
            let connection = open(&path, false).expect("opened");
            connection
                .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
                .expect("at rest");
        }
        let connection = open_unwritable(&path).expect("opened");
        assert_eq!(lines(&connection, "SELECT name FROM projects"), ["Text(\"Shop\")"]);
        assert!(connection.execute("DELETE FROM projects", []).is_err());
    }
}

#[test]
fn s1_connections_wait_share_and_check_references() {
    let kept = Kept::new();
    kept.store.write(&mut |_| Ok(())).expect("made");
    let path = kept.directory.path().join("data/lore.db");
    for (is_synchronous, wanted) in [(false, "Integer(1)"), (true, "Integer(2)")] {
        let connection = open(&path, is_synchronous).expect("open");
        assert_eq!(lines(&connection, "PRAGMA journal_mode"), ["Text(\"wal\")"]);
        assert_eq!(lines(&connection, "PRAGMA foreign_keys"), ["Integer(1)"]);
        assert_eq!(lines(&connection, "PRAGMA synchronous"), [wanted]);
    }
}

#[test]
fn s2_a_step_that_fails_leaves_the_one_before() {
    let connection = Connection::open_in_memory().expect("open");
    let steps = [
        MIGRATIONS[0],
        MIGRATIONS[1],
        "CREATE TABLE half (id TEXT); CREATE NONSENSE;",
    ];
    assert!(migrate(&connection, &steps).is_err());
    assert_eq!(schema(&connection), Ok(2));
    assert!(lines(&connection, "SELECT 1 FROM sqlite_master WHERE name = 'half'").is_empty());
    migrate(&connection, MIGRATIONS).expect("the right steps");
    assert_eq!(schema(&connection), Ok(MIGRATIONS.len() as u32));
}

#[test]
fn s2_a_store_of_a_newer_lore_is_not_touched() {
    let kept = Kept::new();
    kept.store
        .write(&mut |unit| unit.put_project(&project(1, "Shop"), None))
        .expect("written");
    let path = kept.directory.path().join("data/lore.db");
    let connection = Connection::open(&path).expect("open");
    let newer = format!("PRAGMA user_version = {}", MIGRATIONS.len() + 1);
    connection.execute_batch(&newer).expect("set");
    let error = kept.again().write(&mut |_| Ok(())).expect_err("newer");
    assert_eq!(code_of(&error), "UNAVAILABLE");
    assert!(error.message.contains("written by a newer Lore"), "{error}");
    assert_eq!(lines(&connection, "SELECT name FROM projects"), ["Text(\"Shop\")"]);
}

#[test]
fn s3_the_tables_of_the_graph_are_those_of_the_text() {
    let (seed, own) = (
        Connection::open_in_memory().expect("open"),
        Connection::open_in_memory().expect("open"),
    );
    seed.execute_batch(SEED).expect("the text's own");
    migrate(&own, &MIGRATIONS[..2]).expect("two steps");
    assert_eq!(shape(&own), shape(&seed));
}

#[test]
fn d11_the_graph_comes_with_a_step_of_its_own() {
    let connection = Connection::open_in_memory().expect("open");
    let tables = "SELECT name FROM sqlite_master WHERE name LIKE 'graph%' AND type = 'table'";
    migrate(&connection, &MIGRATIONS[..1]).expect("the first step");
    assert!(lines(&connection, tables).is_empty());
    migrate(&connection, &MIGRATIONS[..2]).expect("the second step");
    assert_eq!(lines(&connection, tables).len(), 3);
}

#[test]
fn s4_tasks_of_the_graph_are_plain_text() {
    let connection = open_empty().expect("open");
    for table in ["graph_molecules", "graph_atoms", "graph_changelog"] {
        let keys = lines(
            &connection,
            &format!("SELECT \"from\" FROM pragma_foreign_key_list('{table}')"),
        );
        assert!(keys.iter().all(|column| !column.contains("task")), "{table}: {keys:?}");
    }
}

#[test]
fn s6_many_may_open_a_new_store_at_once() {
    let kept = Kept::new();
    let stores: Vec<SqlMemory> = (0..8).map(|_| kept.again()).collect();
    let threads: Vec<_> = stores
        .into_iter()
        .enumerate()
        .map(|(number, store)| {
            std::thread::spawn(move || store.write(&mut |unit| unit.put_project(&project(number as u64, "Shop"), None)))
        })
        .collect();
    for thread in threads {
        assert_eq!(lore_testing::join(thread, "a writer ends"), Ok(()));
    }
    assert_eq!(everything(&kept.store).map(|all| all.len()), Ok(8));
}

#[test]
fn s7_a_read_makes_no_file_and_files_are_the_owners() {
    let kept = Kept::new();
    let directory = kept.directory.path().join("data");
    assert_eq!(everything(&kept.store), Ok(Vec::new()));
    assert_eq!(kept.store.place().map(|place| place.exists), Ok(false));
    assert_eq!(faults(&kept.store), Vec::<String>::new());
    assert!(!directory.exists());
    kept.store
        .write(&mut |unit| unit.put_project(&project(1, "Shop"), None))
        .expect("written");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &std::path::Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&directory), 0o700);
        for file in fs::read_dir(&directory).expect("there") {
            assert_eq!(mode(&file.expect("there").path()), 0o600);
        }
    }
}

#[test]
fn a_store_without_a_place_says_so() {
    let error = SqlMemory::new(None, false).read(&mut |_| Ok(())).expect_err("nowhere");
    assert_eq!(code_of(&error), "UNAVAILABLE");
    assert_eq!(error.hints, ["set a file with --db or LORE_DB"]);
}

#[test]
fn a_file_that_is_no_store_is_left_as_it_is() {
    let kept = Kept::new();
    let path = kept.directory.path().join("data/lore.db");
    fs::create_dir(kept.directory.path().join("data")).expect("made");
    let garbage = "no database at all, but long enough to be looked at".repeat(100);
    fs::write(&path, &garbage).expect("written");
    for outcome in [kept.store.read(&mut |_| Ok(())), kept.store.write(&mut |_| Ok(()))] {
        let error = outcome.expect_err("garbage");
        assert_eq!(
            (code_of(&error), error.message.as_str()),
            ("UNAVAILABLE", "the store is not an SQLite database")
        );
    }
    assert_eq!(fs::read_to_string(&path).ok(), Some(garbage));
    assert_eq!(faults(&kept.store).len(), 1);
}

#[test]
fn a_file_that_was_cut_is_told_and_not_repaired_in_silence() {
    let kept = Kept::new();
    kept.store
        .write(&mut |unit| {
            unit.put_project(&project(1, "Shop"), None)?;
            (10..60).try_for_each(|number| {
                let mut atom = atom(number, numbered(1), "Handler");
                atom.knowledge = "k".repeat(2_000);
                unit.put_atom(&atom, None)
            })
        })
        .expect("written");
    let path = kept.directory.path().join("data/lore.db");
    open(&path, false)
        .expect("open")
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .expect("all in the file");
    let whole = fs::read(&path).expect("read");
    for pages in (1..whole.len() / 4_096).step_by(7) {
        let cut = tempfile::tempdir().expect("a directory");
        let copy = cut.path().join("lore.db");
        fs::write(&copy, &whole[..pages * 4_096]).expect("written");
        let store = SqlMemory::new(Some(copy), false);
        assert!(!faults(&store).is_empty(), "{pages} pages");
        // Whatever it says, it says it as an error that has a code.
        if let Err(error) = store.write(&mut |unit| unit.put_project(&project(2, "Other"), None)) {
            assert_eq!(code_of(&error), "UNAVAILABLE", "{pages} pages: {error}");
        }
    }
}

#[test]
fn a_disk_that_is_full_loses_nothing() {
    let kept = Kept::new();
    kept.store
        .write(&mut |unit| unit.put_project(&project(1, "Shop"), None))
        .expect("written");
    let before = everything(&kept.store);
    let pages: i64 = kept
        .store
        .database
        .with_writer(|connection, _| {
            Ok(connection
                .query_row("PRAGMA page_count", [], |row| row.get(0))
                .expect("a count"))
        })
        .expect("asked");
    let limit = |pages: i64| {
        kept.store
            .database
            .with_writer(|connection, _| {
                let sql = format!("PRAGMA max_page_count = {pages}");
                let _: i64 = connection.query_row(&sql, [], |row| row.get(0)).expect("set");
                Ok(())
            })
            .expect("asked");
    };
    limit(pages + 2);
    let mut big = atom(10, numbered(1), "Handler");
    big.knowledge = "k".repeat(100_000);
    let outcome = kept.store.write(&mut |unit| {
        unit.put_project(&project(2, "Other"), None)?;
        unit.put_atom(&big, None)
    });
    let error = outcome.expect_err("full");
    assert_eq!(
        (code_of(&error), error.message.as_str()),
        ("UNAVAILABLE", "the disk is full; nothing was written")
    );
    assert_eq!(everything(&kept.store), before);
    limit(1_000_000);
    assert_eq!(kept.store.write(&mut |unit| unit.put_atom(&big, None)), Ok(()));
    assert_eq!(faults(&kept.store), Vec::<String>::new());
}

#[test]
fn a_file_that_takes_the_place_of_another_is_noticed() {
    let (kept, other) = (Kept::new(), Kept::new());
    for (store, name) in [(&kept, "Old"), (&other, "New")] {
        store
            .store
            .write(&mut |unit| {
                unit.put_project(&project(1, name), None)?;
                unit.put_atom(&atom(10, numbered(1), name), None)
            })
            .expect("written");
        store
            .store
            .read(&mut |unit| unit.patterns(numbered(1)).map(drop))
            .expect("kept");
    }
    let path = |kept: &Kept| kept.directory.path().join("data/lore.db");
    open(&path(&other), false)
        .expect("open")
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
        .expect("all in the file");
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(crate::sql::beside(&path(&kept), suffix));
    }
    fs::rename(path(&other), path(&kept)).expect("renamed");
    let mut name = String::new();
    kept.store
        .read(&mut |unit| {
            name = unit
                .project(numbered(1))?
                .map(|project| project.name)
                .unwrap_or_default();
            Ok(())
        })
        .expect("read");
    assert_eq!(name, "New");
}

#[test]
fn a_backup_is_a_store_and_the_old_one_is_empty() {
    let (kept, shelf) = (Kept::new(), StoreInMemory::default());
    assert_eq!(walk(&kept.store, &shelf, 7, 60), Ok(()));
    let other = kept.again();
    for project in 100..106 {
        other
            .read(&mut |unit| unit.patterns(numbered(project)).map(drop))
            .expect("kept");
    }
    let before = everything(&kept.store).expect("read");
    let first = kept.store.set_aside("20261116-080000").expect("set aside");
    assert!(first.ends_with("data/memory-20261116-080000.db"), "{first}");
    assert_eq!(everything(&kept.store), Ok(Vec::new()));
    assert_eq!(faults(&kept.store), Vec::<String>::new());
    let backup = SqlMemory::new(Some(first.into()), false);
    assert_eq!(everything(&backup), Ok(before));
    assert_eq!(faults(&backup), Vec::<String>::new());
    assert_eq!(walk(&backup, &shelf, 8, 20), Ok(()));
    // A second one at the same time has another name, and the emptied store works on, in every process.
    let second = kept.store.set_aside("20261116-080000").expect("set aside");
    assert!(second.ends_with("data/memory-20261116-080000-2.db"), "{second}");
    let empty = StoreInMemory::default();
    assert_eq!(walk(&kept.store, &empty, 9, 30), Ok(()));
    assert_eq!(walk(&other, &empty, 10, 30), Ok(()));
}
