//! Two processes of several threads each that write the same atoms at once: for every version one wins.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use lore_memory::contract::{atom, entry, project, task};
use lore_memory::envelope::code_of;
use lore_memory::id::Id;
use lore_memory::model::{Blocker, Parent};
use lore_memory::store::Memory;
use lore_memory::testing::numbered;
use lore_seam::{Ids, OpError};
use lore_testing::Dice;

use crate::child::{Job, ordinal, say, told, wait};
use crate::{faults, is_long, store};

/// Atoms that everybody writes.
const HOT: u64 = 20;
/// The first of their numbers.
const FIRST: u64 = 100;

/// What each thread does, in so many acts.
fn acts() -> usize {
    if is_long() { 4_000 } else { 150 }
}

/// Writes with four threads, then tells what it knows of the patterns.
#[test]
fn writer() {
    let Some(path) = told() else { return };
    let store = Arc::new(store(&path));
    let ids = Arc::new(lore_backends::SystemIds::default());
    let threads: Vec<_> = (1..=4)
        .map(|number| {
            let (store, ids) = (Arc::clone(&store), Arc::clone(&ids));
            std::thread::spawn(move || {
                let mut dice = Dice::new(number * 7_919 + ordinal());
                let outcomes = (0..acts()).filter_map(|_| act(&*store, &*ids, &mut dice));
                outcomes.collect::<Vec<_>>()
            })
        })
        .collect();
    for thread in threads {
        for outcome in lore_testing::join(thread, "a writer ends") {
            say(&outcome);
        }
    }
    say("written");
    wait();
    let mut known = String::new();
    store
        .read(&mut |unit| {
            let index = unit.patterns(numbered(1))?;
            known = (FIRST..FIRST + HOT)
                .map(|number| index.patterns(numbered(number)).join(" "))
                .collect();
            Ok(())
        })
        .expect("read");
    say(&format!("patterns {known}"));
}

/// One thing at random; how it went, where that matters.
fn act(store: &dyn Memory, ids: &dyn Ids, dice: &mut Dice) -> Option<String> {
    let id = numbered(FIRST + dice.roll(HOT));
    let failed = |error: &OpError| Some(format!("failed {} {}", code_of(error), error.message));
    match dice.roll(10) {
        0 => {
            let mut why = entry(1, Parent::atom(id), "why");
            why.id = Id::from_bytes(ids.uuid());
            store
                .write(&mut |unit| unit.append(&why))
                .err()
                .and_then(|error| failed(&error))
        }
        1 => {
            let mut work = task(1, Some(numbered(1)), None);
            work.id = Id::from_bytes(ids.uuid());
            let outcome = store.write(&mut |unit| {
                unit.put_task(&work, None)?;
                let mut blocked = work.clone();
                blocked.version = 2;
                blocked.blocked_by = vec![Blocker::NoOp];
                unit.put_task(&blocked, Some(1))
            });
            let outcome = outcome.and_then(|()| store.write(&mut |unit| unit.remove_task(work.id)));
            outcome.err().and_then(|error| failed(&error))
        }
        2 => {
            let mut brief = atom(1, numbered(1), "Brief");
            brief.id = Id::from_bytes(ids.uuid());
            let made = store.write(&mut |unit| unit.put_atom(&brief, None));
            let gone = made.and_then(|()| store.write(&mut |unit| unit.remove_atom(brief.id)));
            gone.err().and_then(|error| failed(&error))
        }
        _ => {
            let mut known = None;
            if let Err(error) = store.read(&mut |unit| {
                known = unit.atom(id)?;
                Ok(())
            }) {
                return failed(&error);
            }
            let mut atom = known?;
            let expected = atom.version;
            atom.version += 1;
            atom.paths = vec![format!("src/{}/**", dice.roll(1_000))];
            atom.knowledge = format!("version {}", atom.version);
            match store.write(&mut |unit| unit.put_atom(&atom, Some(expected))) {
                Ok(()) => Some(format!("won {id} {expected}")),
                Err(error) if code_of(&error) == "CONFLICT" => {
                    let data = error.detail.map(|detail| detail.data).unwrap_or_default();
                    Some(format!("lost {id} {expected} {}", data["currentVersion"]))
                }
                Err(error) => failed(&error),
            }
        }
    }
}

#[test]
fn e18_of_two_processes_that_write_one_version_one_wins() {
    if told().is_some() {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("lore.db");
    let own = store(&path);
    own.write(&mut |unit| {
        unit.put_project(&project(1, "Shop"), None)?;
        (FIRST..FIRST + HOT).try_for_each(|number| unit.put_atom(&atom(number, numbered(1), "Hot"), None))
    })
    .expect("begun");
    let mut jobs = [
        Job::numbered("writers::writer", &path, 1),
        Job::numbered("writers::writer", &path, 2),
    ];
    let mut winners: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    let mut lost = 0;
    for job in &mut jobs {
        loop {
            let line = job.heard().expect("it goes on");
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["won", id, version] => {
                    let is_first = winners
                        .entry((*id).to_owned())
                        .or_default()
                        .insert(version.parse().expect("a version"));
                    assert!(is_first, "{id} {version} was won twice");
                }
                ["lost", id, expected, current] => {
                    let (expected, current): (i64, i64) = (
                        expected.parse().expect("a version"),
                        current.parse().expect("a version"),
                    );
                    assert!(current > expected, "{id}: {expected} lost against {current}");
                    lost += 1;
                }
                ["written"] => break,
                other => panic!("{other:?}"),
            }
        }
    }
    // Everybody has written: what each process keeps of the patterns is what a new one reads.
    let mut known: Vec<String> = Vec::new();
    for job in &mut jobs {
        job.go_on();
        known.extend(job.heard());
    }
    for job in jobs {
        assert!(job.ended());
    }
    let mut patterns = String::from("patterns ");
    let own = store(&path);
    own.read(&mut |unit| {
        for number in FIRST..FIRST + HOT {
            let atom = unit.atom(numbered(number))?.expect("it is there");
            let versions = winners.get(&atom.id.to_string()).cloned().unwrap_or_default();
            let wanted: BTreeSet<i64> = (1..atom.version).collect();
            assert_eq!(versions, wanted, "every version was won once");
            patterns.push_str(&atom.paths.join(" "));
        }
        Ok(())
    })
    .expect("read");
    assert_eq!(known, [patterns.clone(), patterns]);
    assert_eq!(faults(&own), Vec::<String>::new());
    let won: usize = winners.values().map(BTreeSet::len).sum();
    assert!(won > 0, "nothing was written; {lost} lost");
}
