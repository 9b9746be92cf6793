//! Molecules, atoms and their changelog.

use std::collections::BTreeMap;

use lore_memory::fold::fold;
use lore_memory::id::Id;
use lore_memory::model::{Atom, Confirmed, Entry, Molecule, Parent};
use lore_memory::store::{Got, GraphRemoved, Page};
use rusqlite::{Connection, Row, params};

use super::rows::{Key, Listed, Said, Table, all, check_childless, execute, listed, next, one};
use super::search::{Words, index_words, unindex_words};

const MOLECULES: Table = Table {
    name: "graph_molecules",
    what: "Molecule",
};
const ATOMS: Table = Table {
    name: "graph_atoms",
    what: "Atom",
};
const CHANGELOG: Table = Table {
    name: "graph_changelog",
    what: "Changelog entry",
};

const MOLECULE: &str = "id, project_id, name, knowledge, related_molecules, created_by_task_id, last_task_id, version, \
                        created_at, updated_at";
const ATOM: &str = "id, project_id, molecule_id, name, paths, knowledge, related_atoms, created_by_task_id, \
                    last_task_id, version, created_at, updated_at, confirmed_commit, confirmed_at, confirmed_dirty";
const ENTRY: &str = "id, parent_type, parent_id, task_id, summary, created_at";

fn read_molecule(row: &Row<'_>) -> rusqlite::Result<Molecule> {
    Ok(Molecule {
        id: row.get::<_, Key>(0)?.0,
        project_id: row.get::<_, Key>(1)?.0,
        name: row.get(2)?,
        knowledge: row.get(3)?,
        related_molecules: row.get::<_, Listed<_>>(4)?.0,
        created_by_task_id: row.get::<_, Key>(5)?.0,
        last_task_id: row.get::<_, Key>(6)?.0,
        version: row.get(7)?,
        created_at: row.get(8)?,
        updated_at: row.get(9)?,
    })
}

fn read_atom(row: &Row<'_>) -> rusqlite::Result<Atom> {
    let confirmed = match row.get::<_, Option<String>>(12)? {
        Some(commit) => Some(Confirmed {
            commit,
            at: row.get::<_, Option<String>>(13)?.unwrap_or_default(),
            dirty: row
                .get::<_, Option<Listed<BTreeMap<String, String>>>>(14)?
                .map_or_else(BTreeMap::new, |dirty| dirty.0),
        }),
        None => None,
    };
    Ok(Atom {
        id: row.get::<_, Key>(0)?.0,
        project_id: row.get::<_, Key>(1)?.0,
        molecule_id: row.get::<_, Option<Key>>(2)?.map(|key| key.0),
        name: row.get(3)?,
        paths: row.get::<_, Listed<_>>(4)?.0,
        knowledge: row.get(5)?,
        related_atoms: row.get::<_, Listed<_>>(6)?.0,
        created_by_task_id: row.get::<_, Key>(7)?.0,
        last_task_id: row.get::<_, Key>(8)?.0,
        version: row.get(9)?,
        created_at: row.get(10)?,
        updated_at: row.get(11)?,
        confirmed,
    })
}

fn read_entry(row: &Row<'_>) -> rusqlite::Result<Entry> {
    Ok(Entry {
        id: row.get::<_, Key>(0)?.0,
        parent_type: row.get::<_, Said<_>>(1)?.0,
        parent_id: row.get::<_, Key>(2)?.0,
        task_id: row.get::<_, Key>(3)?.0,
        summary: row.get(4)?,
        created_at: row.get(5)?,
    })
}

pub(super) fn molecule(connection: &Connection, id: Id) -> Got<Option<Molecule>> {
    let sql = format!("SELECT {MOLECULE} FROM graph_molecules WHERE id = ?1");
    one(connection, &sql, [Key(id)], read_molecule)
}

pub(super) fn atom(connection: &Connection, id: Id) -> Got<Option<Atom>> {
    let sql = format!("SELECT {ATOM} FROM graph_atoms WHERE id = ?1");
    one(connection, &sql, [Key(id)], read_atom)
}

pub(super) fn members(connection: &Connection, molecule: Id) -> Got<Vec<Atom>> {
    let sql = format!("SELECT {ATOM} FROM graph_atoms WHERE molecule_id = ?1 ORDER BY name_fold, name, id");
    all(connection, &sql, [Key(molecule)], read_atom)
}

/// Molecules in the order in which they were made.
pub(super) fn every_molecule(connection: &Connection, of: Option<Id>) -> Got<Vec<Molecule>> {
    let sql = format!("SELECT {MOLECULE} FROM graph_molecules WHERE ?1 IS NULL OR project_id = ?1 ORDER BY seq");
    all(connection, &sql, [of.map(Key)], read_molecule)
}

/// The atoms after a number of the order in which they were made, a batch at a time, with the number of the last one.
pub(super) fn atoms_after(
    connection: &Connection,
    of: Option<Id>,
    after: i64,
    most: u32,
) -> Got<(Vec<Atom>, Option<i64>)> {
    let sql = format!(
        "SELECT {ATOM}, seq FROM graph_atoms WHERE seq > ?2 AND (?1 IS NULL OR project_id = ?1) ORDER BY seq LIMIT ?3"
    );
    let rows = all(connection, &sql, params![of.map(Key), after, most], |row| {
        Ok((read_atom(row)?, row.get::<_, i64>(15)?))
    })?;
    let last = rows.last().map(|(_, sequence)| *sequence);
    Ok((rows.into_iter().map(|(atom, _)| atom).collect(), last))
}

/// Entries in the order in which they were told.
pub(super) fn every_entry(connection: &Connection, of: Option<Id>) -> Got<Vec<Entry>> {
    let sql = format!(
        "SELECT {ENTRY} FROM graph_changelog WHERE ?1 IS NULL \
         OR parent_type = 'atom' AND parent_id IN (SELECT id FROM graph_atoms WHERE project_id = ?1) \
         OR parent_type = 'molecule' AND parent_id IN (SELECT id FROM graph_molecules WHERE project_id = ?1) \
         ORDER BY seq"
    );
    all(connection, &sql, [of.map(Key)], read_entry)
}

pub(super) fn names(connection: &Connection, ids: &[Id]) -> Got<BTreeMap<Id, String>> {
    let mut found = BTreeMap::new();
    for id in ids {
        let sql = "SELECT name FROM graph_atoms WHERE id = ?1 UNION ALL SELECT name FROM graph_molecules WHERE id = ?1";
        if let Some(name) = one(connection, sql, [Key(*id)], |row| row.get(0))? {
            found.insert(*id, name);
        }
    }
    Ok(found)
}

pub(super) fn entry(connection: &Connection, id: Id) -> Got<Option<Entry>> {
    let sql = format!("SELECT {ENTRY} FROM graph_changelog WHERE id = ?1");
    one(connection, &sql, [Key(id)], read_entry)
}

pub(super) fn changelog(connection: &Connection, of: Parent, page: Page) -> Got<Vec<Entry>> {
    let sql = format!(
        "SELECT {ENTRY} FROM graph_changelog WHERE parent_type = ?1 AND parent_id = ?2 \
         ORDER BY seq DESC LIMIT ?3 OFFSET ?4"
    );
    let values = params![of.kind.word(), Key(of.id), page.limit, page.offset];
    all(connection, &sql, values, read_entry)
}

pub(super) fn put_molecule(connection: &Connection, molecule: &Molecule, expected: Option<i64>) -> Got<()> {
    let words = Words {
        name: fold(&molecule.name),
        knowledge: fold(&molecule.knowledge),
    };
    let related = listed(&molecule.related_molecules)?;
    let (guard, sql) = match expected {
        None => {
            MOLECULES.check_new(connection, molecule.id)?;
            let sequence = next(connection)?;
            index_words(connection, "molecule_words", sequence, &words)?;
            let sql = "INSERT INTO graph_molecules (id, seq, project_id, name, knowledge, related_molecules, \
                       created_by_task_id, last_task_id, version, created_at, updated_at, name_fold, knowledge_fold) \
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)";
            (sequence, sql)
        }
        Some(expected) => {
            reindex(connection, "graph_molecules", "molecule_words", molecule.id, &words)?;
            let sql = "UPDATE graph_molecules SET project_id = ?3, name = ?4, knowledge = ?5, related_molecules = ?6, \
                       created_by_task_id = ?7, last_task_id = ?8, version = ?9, created_at = ?10, updated_at = ?11, \
                       name_fold = ?12, knowledge_fold = ?13 WHERE id = ?1 AND version = ?2";
            (expected, sql)
        }
    };
    let values = params![
        Key(molecule.id),
        guard,
        Key(molecule.project_id),
        molecule.name,
        molecule.knowledge,
        related,
        Key(molecule.created_by_task_id),
        Key(molecule.last_task_id),
        molecule.version,
        molecule.created_at,
        molecule.updated_at,
        words.name,
        words.knowledge
    ];
    let changed = execute(connection, sql, values)?;
    match expected {
        Some(expected) => MOLECULES.check_changed(connection, molecule.id, expected, changed),
        None => Ok(()),
    }
}

pub(super) fn put_atom(connection: &Connection, atom: &Atom, expected: Option<i64>) -> Got<()> {
    let words = Words {
        name: fold(&atom.name),
        knowledge: fold(&atom.knowledge),
    };
    let revision = next(connection)?;
    let confirmed = atom.confirmed.as_ref();
    let dirty = confirmed.filter(|confirmed| !confirmed.dirty.is_empty());
    let dirty = dirty.map(|confirmed| listed(&confirmed.dirty)).transpose()?;
    let (guard, sql) = match expected {
        None => {
            ATOMS.check_new(connection, atom.id)?;
            index_words(connection, "atom_words", revision, &words)?;
            let sql = "INSERT INTO graph_atoms (id, seq, revision, project_id, molecule_id, name, paths, knowledge, \
                       related_atoms, created_by_task_id, last_task_id, version, created_at, updated_at, name_fold, \
                       knowledge_fold, confirmed_commit, confirmed_at, confirmed_dirty) VALUES \
                       (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)";
            (revision, sql)
        }
        Some(expected) => {
            reindex(connection, "graph_atoms", "atom_words", atom.id, &words)?;
            let sql = "UPDATE graph_atoms SET revision = ?3, project_id = ?4, molecule_id = ?5, name = ?6, paths = ?7, \
                       knowledge = ?8, related_atoms = ?9, created_by_task_id = ?10, last_task_id = ?11, version = ?12, \
                       created_at = ?13, updated_at = ?14, name_fold = ?15, knowledge_fold = ?16, \
                       confirmed_commit = ?17, confirmed_at = ?18, confirmed_dirty = ?19 WHERE id = ?1 AND version = ?2";
            (expected, sql)
        }
    };
    let values = params![
        Key(atom.id),
        guard,
        revision,
        Key(atom.project_id),
        atom.molecule_id.map(Key),
        atom.name,
        listed(&atom.paths)?,
        atom.knowledge,
        listed(&atom.related_atoms)?,
        Key(atom.created_by_task_id),
        Key(atom.last_task_id),
        atom.version,
        atom.created_at,
        atom.updated_at,
        words.name,
        words.knowledge,
        confirmed.map(|confirmed| &confirmed.commit),
        confirmed.map(|confirmed| &confirmed.at),
        dirty
    ];
    let changed = execute(connection, sql, values)?;
    match expected {
        Some(expected) => ATOMS.check_changed(connection, atom.id, expected, changed),
        None => Ok(()),
    }
}

/// The number of a row and the words under which it is indexed.
fn indexed(connection: &Connection, table: &str, id: Id) -> Got<Option<(i64, Words)>> {
    let sql = format!("SELECT seq, name_fold, knowledge_fold FROM {table} WHERE id = ?1");
    one(connection, &sql, [Key(id)], |row| {
        let words = Words {
            name: row.get(1)?,
            knowledge: row.get(2)?,
        };
        Ok((row.get(0)?, words))
    })
}

/// Brings the index of a row up to date. A row that is not changed after all is left to the transaction, which fails then.
fn reindex(connection: &Connection, table: &str, index: &str, id: Id, words: &Words) -> Got<()> {
    match indexed(connection, table, id)? {
        Some((sequence, before)) if before != *words => {
            unindex_words(connection, index, sequence, &before)?;
            index_words(connection, index, sequence, words)
        }
        _ => Ok(()),
    }
}

fn forget(connection: &Connection, of: Parent) -> Got<u64> {
    let sql = "DELETE FROM graph_changelog WHERE parent_type = ?1 AND parent_id = ?2";
    let removed = execute(connection, sql, params![of.kind.word(), Key(of.id)])?;
    Ok(removed as u64)
}

pub(super) fn append(connection: &Connection, entry: &Entry) -> Got<()> {
    CHANGELOG.check_new(connection, entry.id)?;
    let sql = "INSERT INTO graph_changelog (id, parent_type, parent_id, task_id, summary, created_at, seq) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let values = params![
        Key(entry.id),
        entry.parent_type.word(),
        Key(entry.parent_id),
        Key(entry.task_id),
        entry.summary,
        entry.created_at,
        next(connection)?
    ];
    execute(connection, sql, values)?;
    Ok(())
}

fn take_molecule(connection: &Connection, id: Id) -> Got<u64> {
    if let Some((sequence, words)) = indexed(connection, "graph_molecules", id)? {
        unindex_words(connection, "molecule_words", sequence, &words)?;
    }
    MOLECULES.remove(connection, id)?;
    forget(connection, Parent::molecule(id))
}

fn take_atom(connection: &Connection, id: Id) -> Got<u64> {
    if let Some((sequence, words)) = indexed(connection, "graph_atoms", id)? {
        unindex_words(connection, "atom_words", sequence, &words)?;
        let sql = "INSERT INTO graph_removals (project_id, atom_id, revision) \
                   SELECT project_id, id, ?2 FROM graph_atoms WHERE id = ?1";
        execute(connection, sql, params![Key(id), next(connection)?])?;
    }
    ATOMS.remove(connection, id)?;
    forget(connection, Parent::atom(id))
}

pub(super) fn remove_molecule(connection: &Connection, id: Id) -> Got<()> {
    check_childless(connection, "molecule", id, &[("graph_atoms", "molecule_id")])?;
    take_molecule(connection, id).map(drop)
}

pub(super) fn remove_atom(connection: &Connection, id: Id) -> Got<()> {
    take_atom(connection, id).map(drop)
}

pub(super) fn remove_graph(connection: &Connection, project: Id) -> Got<GraphRemoved> {
    let ids = |table: &str| {
        let sql = format!("SELECT id FROM {table} WHERE project_id = ?1 ORDER BY seq");
        all(connection, &sql, [Key(project)], |row| row.get::<_, Key>(0))
    };
    let mut removed = GraphRemoved::default();
    for Key(id) in ids("graph_atoms")? {
        removed.changelog += take_atom(connection, id)?;
        removed.atoms += 1;
    }
    for Key(id) in ids("graph_molecules")? {
        removed.changelog += take_molecule(connection, id)?;
        removed.molecules += 1;
    }
    Ok(removed)
}
