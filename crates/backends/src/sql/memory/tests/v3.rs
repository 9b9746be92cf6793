//! A store of the version 3 of the orchestrator, with what such stores are seen to hold.

use std::fs;
use std::path::{Path, PathBuf};

use lore_memory::contract::everything;
use lore_memory::envelope::code_of;
use lore_memory::model::{Blocker, Record, Status};
use lore_memory::store::Memory;
use rusqlite::Connection;

use super::Kept;
use crate::SqlMemory;

/// The tables of version 3.
const TABLES: &str = "
CREATE TABLE _meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO _meta VALUES ('schema_id', 'task-orchestrator-v3');
CREATE TABLE _pipeline_config (id INTEGER PRIMARY KEY, config_json TEXT NOT NULL);
CREATE TABLE projects (id TEXT PRIMARY KEY, name TEXT, summary TEXT, description TEXT, version INTEGER, created_at TEXT, modified_at TEXT, search_vector TEXT);
CREATE TABLE features (id TEXT PRIMARY KEY, project_id TEXT, name TEXT, summary TEXT, description TEXT, status TEXT, priority TEXT, blocked_by TEXT, blocked_reason TEXT,
  related_to TEXT, version INTEGER, created_at TEXT, modified_at TEXT, search_vector TEXT);
CREATE TABLE tasks (id TEXT PRIMARY KEY, project_id TEXT, feature_id TEXT, title TEXT, summary TEXT, description TEXT, status TEXT, priority TEXT, complexity INTEGER,
  blocked_by TEXT, blocked_reason TEXT, related_to TEXT, last_modified_by TEXT, version INTEGER, created_at TEXT, modified_at TEXT, search_vector TEXT);
CREATE TABLE sections (id TEXT PRIMARY KEY, entity_type TEXT, entity_id TEXT, title TEXT, usage_description TEXT, content TEXT, content_format TEXT, ordinal INTEGER, tags TEXT,
  version INTEGER, created_at TEXT, modified_at TEXT);
CREATE TABLE templates (id TEXT PRIMARY KEY, name TEXT, description TEXT, target_entity_type TEXT, is_built_in INTEGER, is_protected INTEGER, is_enabled INTEGER, created_by TEXT,
  tags TEXT, created_at TEXT, modified_at TEXT);
CREATE TABLE template_sections (id TEXT PRIMARY KEY, template_id TEXT, title TEXT, usage_description TEXT, content_sample TEXT, content_format TEXT, ordinal INTEGER,
  is_required INTEGER, tags TEXT);
CREATE TABLE entity_tags (id TEXT, entity_id TEXT, entity_type TEXT, tag TEXT, created_at TEXT);
";
const GRAPH: &str = "
CREATE TABLE graph_molecules (id TEXT PRIMARY KEY, project_id TEXT, name TEXT, knowledge TEXT, related_molecules TEXT, created_by_task_id TEXT, last_task_id TEXT,
  version INTEGER, created_at TEXT, updated_at TEXT);
CREATE TABLE graph_atoms (id TEXT PRIMARY KEY, project_id TEXT, molecule_id TEXT, name TEXT, paths TEXT, knowledge TEXT, related_atoms TEXT, created_by_task_id TEXT,
  last_task_id TEXT, version INTEGER, created_at TEXT, updated_at TEXT);
CREATE TABLE graph_changelog (id TEXT PRIMARY KEY, parent_type TEXT, parent_id TEXT, task_id TEXT, summary TEXT, created_at TEXT);
";

/// Dashless identifiers, as version 3 has them.
const P: &str = "a0000000000040008000000000000001";
const F: &str = "a0000000000040008000000000000002";
const T: &str = "a0000000000040008000000000000003";
const T2: &str = "a0000000000040008000000000000004";
const M: &str = "a0000000000040008000000000000005";
const A: &str = "a0000000000040008000000000000006";
const GONE: &str = "a00000000000400080000000000000ff";

fn foreign(directory: &Path, script: &str) -> PathBuf {
    let path = directory.join("tasks.db");
    let connection = Connection::open(&path).expect("made");
    // What the orchestrator wrote last may stand in its journal alone.
    let _: String = connection
        .query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))
        .expect("set");
    connection.execute_batch("PRAGMA wal_autocheckpoint = 0").expect("set");
    connection.execute_batch(script).expect("written");
    // A connection that is closed would bring the journal in.
    let copy = directory.join("copy.db");
    for suffix in ["", "-wal"] {
        fs::copy(crate::sql::beside(&path, suffix), crate::sql::beside(&copy, suffix)).expect("copied");
    }
    copy
}

fn filled() -> String {
    let time = "2026-01-02T03:04:05.678Z";
    format!(
        "{TABLES}{GRAPH}
         INSERT INTO _pipeline_config VALUES (1, '{{\"feature\":[\"NEW\",\"ACTIVE\",\"CLOSED\"],\"task\":[\"NEW\",\"ACTIVE\",\"TO_BE_TESTED\",\"CLOSED\"]}}');
         INSERT INTO projects VALUES ('{P}', 'Shop', 'sells', NULL, 4, '{time}', '2026-01-02 03:04:05', 'shop sells');
         INSERT INTO entity_tags VALUES ('x', '{P}', 'PROJECT', 'web', '{time}');
         INSERT INTO features VALUES ('{F}', '{P}', 'Cart', 's', 'd', 'ACTIVE', 'HIGH', '[\"{GONE}\"]', NULL, '[]', 2, '{time}', '{time}', '');
         INSERT INTO tasks VALUES ('{T}', '{P}', '{F}', 'Buy', 's', NULL, 'IN_PROGRESS', 'LOW', 3, 'NO_OP', 'waiting', '[]', 'me', 1, '{time}', '{time}', '');
         INSERT INTO tasks VALUES ('{T2}', '{P}', NULL, 'Sell', 's', NULL, 'NEW', 'URGENT', 3, '[\"{T}\", 7]', NULL, '[\"{F}\"]', NULL, 1, '{time}', '{time}', '');
         INSERT INTO sections VALUES ('b0000000000040008000000000000001', 'TASK', '{T}', 'Context Files', 'u', 'src/a.ts', 'MARKDOWN', 0, 'one, two', 1, '{time}', '{time}');
         INSERT INTO sections VALUES ('b0000000000040008000000000000002', 'TASK', '{GONE}', 'Lost', 'u', 'x', 'MARKDOWN', 0, '', 1, '{time}', '{time}');
         INSERT INTO templates VALUES ('b0000000000040008000000000000003', 'Form', 'd', 'TASK', 0, 1, 1, NULL, 'a,b', '{time}', '{time}');
         INSERT INTO template_sections VALUES ('b0000000000040008000000000000004', 'b0000000000040008000000000000003', 't', 'u', 'c', 'WORD', 0, 1, '');
         INSERT INTO graph_molecules VALUES ('{M}', '{P}', 'Domain', 'k', '[{{\"moleculeId\":\"{GONE}\",\"reason\":\"r\"}}, \"x\"]', '{T}', '{T}', 1, '{time}', '{time}');
         INSERT INTO graph_atoms VALUES ('{A}', '{P}', '{M}', 'Handler', '[\"src/[\", 7, \"!x\"]', 'k', '[]', '{T}', '{GONE}', 9, '{time}', '{time}');
         INSERT INTO graph_changelog VALUES ('b0000000000040008000000000000005', 'atom', '{A}', '{T}', 'why', '{time}');
         INSERT INTO graph_changelog VALUES ('b0000000000040008000000000000006', 'atom', '{GONE}', '{T}', 'lost', '{time}');"
    )
}

fn dashed(id: &str) -> String {
    id.parse::<lore_memory::id::Id>().expect("an identifier").to_string()
}

#[test]
fn l10_a_store_of_version_3_is_read_and_what_cannot_be_kept_is_told() {
    let kept = Kept::new();
    kept.store.write(&mut |_| Ok(())).expect("made");
    let path = foreign(kept.directory.path(), &filled());
    let before: Vec<Vec<u8>> = ["", "-wal"]
        .map(|suffix| fs::read(crate::sql::beside(&path, suffix)).expect("read"))
        .into();
    let dump = kept.store.read_v3(path.to_str().expect("text")).expect("read");
    let after: Vec<Vec<u8>> = ["", "-wal"]
        .map(|suffix| fs::read(crate::sql::beside(&path, suffix)).expect("read"))
        .into();
    assert_eq!(before, after, "the file is somebody else's");
    assert_eq!(
        dump.remarks,
        [
            format!("task {}: the state `IN_PROGRESS` is unknown; imported unchanged", dashed(T)),
            format!("task {}: the priority `URGENT` is unknown; imported as MEDIUM", dashed(T2)),
            format!("task {}: the blocker 7 is not an identifier; dropped", dashed(T2)),
            format!("feature {}: 1 blockers or relations have no target; dropped", dashed(F)),
            format!("section b0000000-0000-4000-8000-000000000002: there is no task {}; left out", dashed(GONE)),
            "section b0000000-0000-4000-8000-000000000004 of a template: the format `WORD` is unknown; imported as PLAIN_TEXT".to_owned(),
            format!("molecule {}: an entry of related_molecules is empty; dropped", dashed(M)),
            format!("atom {}: the pattern 7 is not a string; dropped", dashed(A)),
            format!("entry b0000000-0000-4000-8000-000000000006 of a changelog: there is no atom {}; left out", dashed(GONE)),
        ]
    );
    let pipelines = dump.pipelines.expect("pipelines");
    assert_eq!(pipelines.task.len(), 4);
    let kinds: Vec<String> = dump.records.iter().map(|record| format!("{record:?}")).collect();
    let kinds: Vec<&str> = kinds.iter().filter_map(|text| text.split('(').next()).collect();
    assert_eq!(
        kinds,
        [
            "Project",
            "Feature",
            "Task",
            "Task",
            "Section",
            "Template",
            "TemplateSection",
            "Molecule",
            "Atom",
            "Changelog"
        ]
    );
    for record in &dump.records {
        match record {
            Record::Project(project) => {
                assert_eq!((project.version, project.tags.as_slice()), (4, &["web".to_owned()][..]));
                assert_eq!(project.modified_at, "2026-01-02T03:04:05.000Z");
            }
            Record::Task(task) if task.title == "Buy" => {
                assert_eq!(task.status, Status::Other("IN_PROGRESS".to_owned()));
                assert_eq!(task.blocked_by, [Blocker::NoOp]);
            }
            Record::Section(section) => assert_eq!(section.tags, ["one", "two"]),
            Record::Atom(atom) => {
                assert_eq!(atom.paths, ["src/[", "!x"]);
                assert_eq!((atom.version, atom.last_task_id.to_string()), (9, dashed(GONE)));
                assert_eq!(atom.molecule_id.map(|id| id.to_string()), Some(dashed(M)));
            }
            _ => {}
        }
    }
    assert_eq!(everything(&kept.store), Ok(Vec::new()), "reading writes nothing");
    assert!(
        fs::read_dir(kept.directory.path().join("data"))
            .expect("there")
            .all(|entry| {
                !entry
                    .expect("there")
                    .file_name()
                    .to_string_lossy()
                    .starts_with(".import")
            })
    );
}

#[test]
fn l10_what_is_no_store_of_version_3_is_refused() {
    let kept = Kept::new();
    kept.store.write(&mut |_| Ok(())).expect("made");
    let directory = tempfile::tempdir().expect("a directory");
    let older = tempfile::tempdir().expect("a directory");
    let v2 = foreign(
        older.path(),
        "CREATE TABLE projects (id TEXT, status TEXT); CREATE TABLE tasks (id TEXT);",
    );
    let other = foreign(
        directory.path(),
        "CREATE TABLE tasks (id TEXT); CREATE TABLE projects (id TEXT);",
    );
    let garbage = directory.path().join("garbage.db");
    fs::write(&garbage, "no database").expect("written");
    let own = kept.directory.path().join("data/lore.db");
    for (path, code, message) in [
        (
            v2,
            "VALIDATION_ERROR",
            "the file is a store of the version 2 of the orchestrator, which is not read",
        ),
        (
            other,
            "VALIDATION_ERROR",
            "the file is not a store of version 3 of the orchestrator",
        ),
        (
            own,
            "VALIDATION_ERROR",
            "the file is a store of Lore's own, not one of the orchestrator",
        ),
        (garbage, "UNAVAILABLE", "the store is not an SQLite database"),
        (directory.path().join("nowhere"), "UNAVAILABLE", "cannot be read"),
    ] {
        let error = kept.store.read_v3(path.to_str().expect("text")).expect_err(message);
        assert_eq!(code_of(&error), code, "{error}");
        assert!(error.message.contains(message), "{error}");
    }
}

#[test]
fn l10_a_store_without_a_graph_is_read_too() {
    let directory = tempfile::tempdir().expect("a directory");
    let store = SqlMemory::new(Some(directory.path().join("data/lore.db")), false);
    let path = foreign(directory.path(), TABLES);
    let dump = store.read_v3(path.to_str().expect("text")).expect("read");
    assert!(dump.records.is_empty());
    assert_eq!(
        dump.remarks,
        ["the store is older than the knowledge graph: it has no molecules, atoms and changelog"]
    );
}
