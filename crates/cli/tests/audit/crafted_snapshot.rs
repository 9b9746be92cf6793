//! A crafted snapshot neither hangs a question nor makes it allocate without bound (F8).
//!
//! The checksums of each crafted snapshot are right. Lore notices that the content is impossible, says so, and answers from the
//! source.

use std::fs;
use std::path::{Path, PathBuf};

use lore_model::{NONE, SNAPSHOT_VERSION, SectionWriter};

use crate::world::{Outcome, World};

const PREFIXES: usize = 5;
const KINDS: usize = 7;
const PARENTS: usize = 9;
const CHILD_STARTS: usize = 19;
const CHILDREN: usize = 20;
const EDGES: usize = 28;
const EDGE_STARTS: usize = 29;

const SOURCE: &str = "\
import os

class Shop:
    def sell(self, item):
        return self.price(item)

    def price(self, item):
        return len(item)

class Bakery(Shop):
    def sell(self, item):
        os.system('true')
        return helper(item)

def helper(item):
    return Bakery().price(item)

def unused():
    pass
";

const QUESTIONS: &[&[&str]] = &[
    &["dead"],
    &["ccg", "manifest"],
    &["ccg", "architecture"],
    &["impact", "a.helper"],
    &["edges"],
    &["callers", "a.helper"],
    &["outline"],
    &["deps"],
    &["find", "sell"],
    &["query", "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"],
];

/// A way to spoil the sections of a snapshot.
type Spoil = fn(&mut Vec<Vec<u8>>);

fn numbers(numbers: impl IntoIterator<Item = u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}

fn symbols(sections: &[Vec<u8>]) -> u32 {
    sections[KINDS].len() as u32
}

const CASES: &[(&str, Spoil)] = &[
    ("every symbol is its own parent", |sections| {
        sections[PARENTS] = numbers(0..symbols(sections));
    }),
    ("all symbols in one circle, as parents and as children", |sections| {
        let count = symbols(sections);
        sections[PARENTS] = numbers((0..count).map(|symbol| (symbol + 1) % count));
        sections[CHILD_STARTS] = numbers(0..=count);
        sections[CHILDREN] = numbers((0..count).map(|symbol| (symbol + count - 1) % count));
    }),
    ("every name begins with itself", |sections| {
        sections[PREFIXES] = numbers(0..symbols(sections));
    }),
    ("edges start far behind the last one", |sections| {
        let count = symbols(sections);
        sections[EDGE_STARTS] = numbers((0..=count).map(|symbol| if symbol % 2 == 0 { 0 } else { NONE - 1 }));
    }),
    ("every symbol has every edge", |sections| {
        let (count, edges) = (symbols(sections), (sections[EDGES].len() / 19) as u32);
        sections[EDGE_STARTS] = numbers((0..=count).map(|symbol| if symbol % 2 == 0 { 0 } else { edges }));
    }),
    ("edges lead to symbols that do not exist", |sections| {
        for edge in sections[EDGES].chunks_exact_mut(19) {
            edge[7..11].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
        }
    }),
    ("zeros", |sections| {
        sections.iter_mut().skip(1).for_each(|section| section.fill(0));
    }),
];

pub(crate) fn sections(bytes: &[u8]) -> Vec<Vec<u8>> {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes")) as usize;
    let long = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")) as usize;
    let entries = (0..word(8)).map(|number| 28 + number * 28);
    entries
        .map(|entry| {
            let (start, len) = (long(entry + 4), long(entry + 12));
            bytes[start..start + len].to_vec()
        })
        .collect()
}

pub(crate) fn sealed(sections: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = SectionWriter::new(u32::from_le_bytes(*b"LSnp"), SNAPSHOT_VERSION);
    for (number, bytes) in sections.iter().enumerate() {
        writer.section(number as u32, bytes);
    }
    writer.finish()
}

/// The files of a name below a directory.
fn files_named(name: &str, directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory").flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            files_named(name, &path, found);
        } else if entry.file_name() == name {
            found.push(path);
        }
    }
}

fn ask(world: &World, cache: &str, question: &[&str]) -> Outcome {
    let arguments: Vec<&str> = question
        .iter()
        .chain(&["--cache", cache, "--no-refresh"])
        .copied()
        .collect();
    world.lore_limited(4_000_000, &arguments)
}

#[test]
fn f8_a_crafted_snapshot_is_noticed_and_answers_stay_right() {
    let world = World::new();
    world.write("a.py", SOURCE);
    world.commit("one");
    let cache = world.base().join("cache");
    fs::create_dir(&cache).expect("made");
    let cache = cache.to_str().expect("a name").to_owned();
    let indexed = world.lore(&["index", "--cache", &cache]);
    assert_eq!(indexed.code, Some(0), "{indexed:?}");
    let mut found = Vec::new();
    files_named("snapshot", Path::new(&cache), &mut found);
    let [snapshot] = &found[..] else {
        panic!("one snapshot: {found:?}");
    };
    let whole = fs::read(snapshot).expect("read");
    let expected: Vec<Outcome> = QUESTIONS.iter().map(|question| ask(&world, &cache, question)).collect();
    for (name, spoil) in CASES {
        let mut crafted = sections(&whole);
        spoil(&mut crafted);
        for (question, expected) in QUESTIONS.iter().zip(&expected) {
            fs::write(snapshot, sealed(&crafted)).expect("written");
            let outcome = ask(&world, &cache, question);
            assert_eq!(
                (outcome.code, &outcome.stdout),
                (expected.code, &expected.stdout),
                "{name}: {question:?}: {}",
                outcome.stderr
            );
        }
    }
}
