//! The cache: damage is noticed and repaired with one line, writers take turns, a kill at any instant leaves it usable.

use std::fs;
use std::thread;

use crate::support::{Tree, listing};
use lore_specs::seam::{Check, Health, IndexRequest};

const FILES: &[(&str, &str)] = &[("a.py", "def f(): pass\n"), ("b.ts", "export class K { m() {} }\n")];
const LISTING: &str = "a.py: a a.f\nb.ts: b b.K b.K.m\n";

fn is_well(tree: &Tree) -> bool {
    tree.repository().check().iter().all(|check: &Check| check.ok)
}

#[test]
fn every_damaged_file_is_made_anew_with_one_line_saying_so() {
    for name in ["snapshot", "facts", "stamps"] {
        for damage in ["emptied", "cut", "flipped", "foreign"] {
            let tree = Tree::new(FILES);
            tree.index().expect("indexes");
            let path = tree.own_cache().join(name);
            let mut bytes = fs::read(&path).expect("there");
            match damage {
                "emptied" => bytes.clear(),
                "cut" => bytes.truncate(bytes.len() * 2 / 3),
                "flipped" => bytes[12] ^= 0x55,
                _ => bytes = b"something else entirely, of some length".to_vec(),
            }
            fs::write(&path, &bytes).expect("written");
            // A changed file makes sure that every part of the cache is looked at.
            tree.write("a.py", "def f(): return 2\n");
            tree.remarks.take();
            let graph = tree.graph(None).expect("opens");
            assert_eq!(listing(&graph), LISTING, "{name} {damage}");
            let remarks = tree.remarks.take();
            let quiet = (name, damage) == ("facts", "emptied");
            assert_eq!(remarks.len(), usize::from(!quiet), "{name} {damage}: {remarks:?}");
            assert!(tree.warm_snapshot() == tree.cold_snapshot(), "{name} {damage}");
            assert!(is_well(&tree), "{name} {damage}");
        }
    }
}

#[test]
fn doctor_finds_what_opening_does_not_look_at() {
    let tree = Tree::new(FILES);
    tree.index().expect("indexes");
    assert!(is_well(&tree));
    let path = tree.own_cache().join("snapshot");
    let mut bytes = fs::read(&path).expect("there");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).expect("written");
    let checks = tree.repository().check();
    let bad: Vec<&Check> = checks.iter().filter(|check| !check.ok).collect();
    assert_eq!(bad.len(), 1);
    assert_eq!(bad[0].name, "snapshot");
    assert_eq!(bad[0].hint.as_deref(), Some("`lore index --fresh` makes it anew"));
    tree.index_with(&IndexRequest {
        fresh: true,
        ..IndexRequest::default()
    })
    .expect("indexes");
    assert!(is_well(&tree));
}

#[test]
fn a_snapshot_that_somebody_touched_is_checked_before_it_answers() {
    let tree = Tree::new(FILES);
    tree.index().expect("indexes");
    let path = tree.own_cache().join("snapshot");
    let whole = fs::read(&path).expect("there");
    for at in (0..whole.len()).step_by(97) {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        fs::write(&path, &bytes).expect("written");
        tree.remarks.take();
        assert_eq!(listing(&tree.graph(None).expect("opens")), LISTING, "byte {at}");
        assert_eq!(tree.remarks.take().len(), 1, "byte {at}: one line says so");
        assert!(fs::read(&path).expect("there") == whole, "byte {at}: it was made anew");
    }
}

#[test]
fn a_writer_that_died_is_noticed_and_everything_is_checked() {
    let tree = Tree::new(FILES);
    tree.index().expect("indexes");
    let path = tree.own_cache().join("snapshot");
    let mut bytes = fs::read(&path).expect("there");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).expect("written");
    fs::write(tree.own_cache().join("writing"), "1").expect("written");
    tree.remarks.take();
    assert_eq!(listing(&tree.graph(None).expect("opens")), LISTING);
    assert_eq!(
        tree.remarks.take(),
        ["an earlier lore was stopped while it wrote; the snapshot is damaged and is made anew"]
    );
    assert!(is_well(&tree));
}

#[test]
fn files_left_by_a_killed_writer_do_no_harm() {
    let tree = Tree::new(FILES);
    tree.index().expect("indexes");
    fs::write(tree.own_cache().join("snapshot.new.12345"), "half").expect("written");
    assert!(!tree.index().expect("indexes").changed);
    tree.write("c.py", "x = 1\n");
    assert!(tree.index().expect("indexes").changed);
    assert!(tree.warm_snapshot() == tree.cold_snapshot());
    assert!(
        !tree.own_cache().join("snapshot.new.12345").exists(),
        "the next writer sweeps"
    );
}

#[test]
fn several_indexers_at_once_take_turns_and_agree() {
    let files: Vec<(String, String)> = (0..60)
        .map(|number| (format!("m{number}.py"), format!("def f{number}(): pass\n")))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let tree = Tree::new(&files);
    for round in 0..5 {
        tree.write("m0.py", &format!("def changed{round}(): pass\n"));
        thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| {
                    let graph = tree.graph(None).expect("opens");
                    assert_eq!(graph.file_count(), 60);
                    assert!(!graph.lookup(&format!("changed{round}")).is_empty());
                });
            }
        });
        assert!(tree.warm_snapshot() == tree.cold_snapshot());
    }
    assert!(is_well(&tree));
}

#[test]
fn a_reader_keeps_its_snapshot_while_a_writer_replaces_it() {
    let tree = Tree::new(FILES);
    let before = tree.graph(None).expect("opens");
    let before = {
        drop(before);
        tree.graph(None).expect("opens, mapped this time")
    };
    tree.write("a.py", "def g(): pass\n");
    let after = tree.graph(None).expect("opens");
    assert_eq!(listing(&before), LISTING);
    assert_eq!(listing(&after), "a.py: a a.g\nb.ts: b b.K b.K.m\n");
}

#[test]
fn an_index_of_another_version_of_the_extractor_is_made_anew() {
    let tree = Tree::new(FILES);
    tree.index().expect("indexes");
    let path = tree.own_cache().join("facts");
    let mut bytes = fs::read(&path).expect("there");
    bytes[8] = bytes[8].wrapping_add(1);
    fs::write(&path, bytes).expect("written");
    tree.write("a.py", "def f(): return 3\n");
    tree.remarks.take();
    tree.index().expect("indexes");
    assert_eq!(
        tree.remarks.take(),
        ["the cached facts are those of another version of Lore and are made anew"]
    );
}

#[test]
fn the_cache_can_be_named() {
    let tree = Tree::new(FILES);
    let cache = tree.directory.path().join("elsewhere");
    let repository = tree.repository_at(Some(tree.root()), Some(cache.clone()));
    lore_specs::seam::Code::index(
        &repository,
        &IndexRequest::default(),
        &tree.remarks,
        &Default::default(),
    )
    .expect("indexes");
    assert!(!tree.root().join(".lore").exists());
    assert!(fs::read_dir(cache).expect("the cache").next().is_some());
}
