//! Processes that are killed while they write: what they said was written is there, whole, and nothing is there in part.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use lore_backends::{SqlMemory, SystemIds};
use lore_memory::contract::{atom, entry, everything, molecule, project};
use lore_memory::id::Id;
use lore_memory::model::{Parent, Record};
use lore_memory::store::Memory;
use lore_memory::testing::numbered;
use lore_seam::Ids;
use lore_testing::Dice;

use crate::child::{Job, say, told};
use crate::{faults, is_long, store};

/// Atoms of one commit.
const COMMIT: usize = 5;

fn fresh(ids: &SystemIds) -> Id {
    Id::from_bytes(ids.uuid())
}

/// Writes without end, and says what was written when it was.
#[test]
fn writer() {
    let Some(path) = told() else { return };
    let (store, ids) = (store(&path), SystemIds::default());
    let shop = numbered(1);
    begin(&store);
    for round in 0_u64.. {
        let mut one = atom(2, shop, &format!("Handler {round}"));
        one.id = fresh(&ids);
        one.knowledge = format!("what round {round} knows ").repeat(20);
        store.write(&mut |unit| unit.put_atom(&one, None)).expect("written");
        say(&format!("atom {} 1", one.id));
        one.version = 2;
        one.knowledge.push_str("and more");
        store.write(&mut |unit| unit.put_atom(&one, Some(1))).expect("written");
        say(&format!("atom {} 2", one.id));
        let mark = fresh(&ids);
        let many: Vec<_> = (0..COMMIT)
            .map(|number| {
                let mut atom = atom(3, shop, &format!("Part {number}"));
                atom.id = fresh(&ids);
                atom.knowledge = format!("commit {mark}");
                (atom, fresh(&ids))
            })
            .collect();
        store
            .write(&mut |unit| {
                many.iter().try_for_each(|(atom, entry_id)| {
                    unit.put_atom(atom, None)?;
                    let mut why = entry(4, Parent::atom(atom.id), "why");
                    why.id = *entry_id;
                    unit.append(&why)
                })
            })
            .expect("written");
        say(&format!("commit {mark}"));
        if round % 3 == 2 {
            let mut group = molecule(5, shop, "Group");
            group.id = fresh(&ids);
            let members: Vec<Id> = (0..3).map(|_| fresh(&ids)).collect();
            store
                .write(&mut |unit| {
                    unit.put_molecule(&group, None)?;
                    members.iter().try_for_each(|id| {
                        let mut member = atom(6, shop, "Member");
                        member.id = *id;
                        member.molecule_id = Some(group.id);
                        unit.put_atom(&member, None)
                    })
                })
                .expect("written");
            say(&format!("group {}", group.id));
            store
                .write(&mut |unit| {
                    members.iter().try_for_each(|id| unit.remove_atom(*id))?;
                    unit.remove_molecule(group.id)
                })
                .expect("written");
            say(&format!("gone {}", group.id));
        }
    }
}

fn begin(store: &SqlMemory) {
    store
        .write(&mut |unit| match unit.project(numbered(1))? {
            Some(_) => Ok(()),
            None => unit.put_project(&project(1, "Shop"), None),
        })
        .expect("begun");
}

/// What a killed process may not have lost or left in part.
#[derive(Default)]
struct Acknowledged {
    atoms: BTreeMap<String, i64>,
    commits: Vec<String>,
    gone: Vec<String>,
}

impl Acknowledged {
    fn hear(&mut self, line: &str) {
        let mut words = line.split(' ');
        match (words.next(), words.next(), words.next()) {
            (Some("atom"), Some(id), Some(version)) => {
                self.atoms.insert(id.to_owned(), version.parse().expect("a version"));
            }
            (Some("commit"), Some(mark), None) => self.commits.push(mark.to_owned()),
            (Some("gone"), Some(id), None) => self.gone.push(id.to_owned()),
            (Some("group"), Some(_), None) => {}
            other => assert_eq!(other, (None, None, None), "it says something else"),
        }
    }

    fn check(&self, store: &SqlMemory) {
        assert_eq!(faults(store), Vec::<String>::new());
        let (mut atoms, mut commits, mut molecules) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (mut entries, mut members) = (0, 0);
        for record in everything(store).expect("read") {
            match record {
                Record::Atom(atom) => {
                    if let Some(mark) = atom.knowledge.strip_prefix("commit ") {
                        *commits.entry(mark.to_owned()).or_insert(0) += 1;
                    }
                    if let Some(group) = atom.molecule_id {
                        *molecules.entry(group.to_string()).or_insert(0) += 1;
                        members += 1;
                    }
                    atoms.insert(atom.id.to_string(), atom.version);
                }
                Record::Molecule(molecule) => drop(molecules.entry(molecule.id.to_string()).or_insert(0)),
                Record::Changelog(_) => entries += 1,
                _ => {}
            }
        }
        for (id, version) in &self.atoms {
            let there = atoms.get(id).copied();
            assert!(there >= Some(*version), "atom {id}: {there:?}, acknowledged {version}");
        }
        for mark in &self.commits {
            assert_eq!(commits.get(mark), Some(&COMMIT), "commit {mark}");
        }
        assert!(
            commits.values().all(|parts| *parts == COMMIT),
            "a commit is there in part"
        );
        assert_eq!(entries, commits.len() * COMMIT);
        for id in &self.gone {
            assert_eq!(molecules.get(id), None, "molecule {id} came back");
        }
        assert!(
            molecules.values().all(|members| *members == 3),
            "a molecule went in part"
        );
        assert_eq!(members, molecules.len() * 3);
    }
}

#[test]
fn s8_a_process_that_is_killed_loses_nothing_that_it_said_was_written() {
    if told().is_some() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("lore.db");
    let mut dice = Dice::new(0x5eed);
    let mut known = Acknowledged::default();
    for round in 0..if is_long() { 200 } else { 25 } {
        let mut job = Job::start("crash::writer", &path);
        for _ in 0..1 + dice.roll(25) {
            known.hear(&job.heard().expect("it goes on"));
        }
        std::thread::sleep(Duration::from_micros(dice.roll(3_000)));
        for line in job.kill() {
            known.hear(&line);
        }
        // Looking at everything takes long when there is much.
        if round < 25 || round % 10 == 0 {
            known.check(&store(&path));
        }
    }
    known.check(&store(&path));
}

/// Makes new stores, one after the other.
#[test]
fn maker() {
    let Some(path) = told() else { return };
    for number in 0.. {
        let store = store(&path.join(format!("{number}/lore.db")));
        say(&format!("making {number}"));
        begin(&store);
    }
}

#[test]
fn s2_a_process_that_is_killed_while_it_makes_a_store_leaves_one_that_can_be_made_on() {
    if told().is_some() {
        return;
    }
    let mut dice = Dice::new(0xca11);
    for _ in 0..if is_long() { 60 } else { 12 } {
        let directory = tempfile::tempdir().expect("a directory");
        let mut job = Job::start("crash::maker", directory.path());
        let mut last = job.heard();
        std::thread::sleep(Duration::from_micros(dice.roll(12_000)));
        for line in job.kill() {
            last = Some(line);
        }
        let number = last.expect("it began").replace("making ", "");
        let store = store(&directory.path().join(number).join("lore.db"));
        begin(&store);
        assert_eq!(faults(&store), Vec::<String>::new());
        assert_eq!(everything(&store).map(|all| all.len()), Ok(1));
    }
}

/// Fills a store and sets it aside, without end.
#[test]
fn emptier() {
    let Some(path) = told() else { return };
    let (store, ids) = (store(&path), SystemIds::default());
    for round in 0.. {
        begin(&store);
        for _ in 0..3 {
            let mut one = atom(2, numbered(1), "Handler");
            one.id = fresh(&ids);
            store.write(&mut |unit| unit.put_atom(&one, None)).expect("written");
            say(&format!("atom {}", one.id));
        }
        store.set_aside(&format!("{round:04}")).expect("set aside");
    }
}

fn atoms_of(path: &Path) -> Vec<String> {
    let store = store(path);
    assert_eq!(faults(&store), Vec::<String>::new(), "{}", path.display());
    let all = everything(&store).expect("read");
    let atoms = all.into_iter().filter_map(|record| match record {
        Record::Atom(atom) => Some(atom.id.to_string()),
        _ => None,
    });
    atoms.collect()
}

#[test]
fn amend6_a_process_that_is_killed_while_it_sets_aside_loses_nothing() {
    if told().is_some() {
        return;
    }
    let mut dice = Dice::new(0xa51de);
    for _ in 0..if is_long() { 60 } else { 10 } {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("lore.db");
        let mut job = Job::start("crash::emptier", &path);
        let mut said = Vec::new();
        for _ in 0..3 + dice.roll(4) {
            said.push(job.heard().expect("it goes on"));
        }
        std::thread::sleep(Duration::from_micros(dice.roll(20_000)));
        said.extend(job.kill());
        let mut found = atoms_of(&path);
        for file in std::fs::read_dir(directory.path()).expect("there") {
            let file = file.expect("there").path();
            let name = file.file_name().expect("a name").to_string_lossy().into_owned();
            if name.starts_with("memory-") && name.ends_with(".db") {
                found.extend(atoms_of(&file));
            }
        }
        for line in said {
            let id = line.replace("atom ", "");
            assert!(found.contains(&id), "atom {id} is neither in the store nor in a backup");
        }
    }
}
