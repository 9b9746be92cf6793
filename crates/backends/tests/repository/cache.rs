//! The cache: damage is noticed and repaired with one line, writers take turns, a kill at any instant leaves it usable.

use std::fs;

use crate::support::{Tree, listing};
use lore_backends::{Repository, RepositoryOptions};
use lore_model::Cancel;
use lore_seam::{CacheControl, Check, Code, GraphScope, Health, IndexRequest};

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
            let path = match name {
                "facts" => tree.facts(),
                name => tree.own_cache().join(name),
            };
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
            // Facts whose end is missing are extracted again, as after a kill.
            let quiet = name == "facts" && matches!(damage, "cut" | "flipped");
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
    assert_eq!(bad[0].hint.as_deref(), Some("`lore index --fresh` rebuilds it"));
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
        ["an earlier process was stopped while it wrote the snapshot; the snapshot is damaged; rebuilding it"]
    );
    assert!(is_well(&tree));
}

#[test]
fn files_left_by_a_killed_writer_do_no_harm() {
    let tree = Tree::new(FILES);
    tree.index().expect("indexes");
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7_200);
    let left = ["", "revisions", "history", "fetched", "mind"].map(|directory| {
        let directory = tree.own_cache().join(directory);
        fs::create_dir_all(&directory).expect("made");
        let left = directory.join(".lore-new-0123456789abcdef0123456789abcdef");
        let file = fs::File::create(&left).expect("made");
        file.set_modified(long_ago).expect("set");
        left
    });
    assert!(!tree.index().expect("indexes").changed);
    tree.write("c.py", "x = 1\n");
    assert!(tree.index().expect("indexes").changed);
    assert!(tree.warm_snapshot() == tree.cold_snapshot());
    for left in left {
        assert!(!left.exists(), "the next writer sweeps: {}", left.display());
    }
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
        lore_testing::scope("six indexers at once", |scope| {
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
fn a_second_clone_shares_the_facts_of_the_first() {
    let tree = Tree::new(FILES);
    assert_eq!(tree.index().expect("indexes").extracted, 2);
    let clone = tree.directory.path().join("clone");
    fs::create_dir(&clone).expect("made");
    for (path, text) in FILES {
        fs::write(clone.join(path), text).expect("written");
    }
    let repository = tree.repository_at(Some(clone.clone()), None);
    let index = |request: &IndexRequest| Code::index(&repository, request, &tree.remarks, &Cancel::default());
    assert_eq!(index(&IndexRequest::default()).expect("indexes").extracted, 0);
    assert!(fs::read(tree.cache_of(&clone).join("snapshot")).expect("a snapshot") == tree.warm_snapshot());
    // Whoever does not trust what is stored has every file extracted again.
    let verify = IndexRequest {
        verify: true,
        ..IndexRequest::default()
    };
    assert_eq!(index(&verify).expect("indexes").extracted, 2);
    assert_eq!(tree.remarks.take(), Vec::<String>::new());
}

#[test]
fn verify_notices_facts_that_differ_from_what_the_files_say() {
    let tree = Tree::new(&[("a.py", "def f(): pass\n"), ("b.py", "def g(): pass\n")]);
    tree.index().expect("indexes");
    // The facts of one content under the key of the other: a lie whose checksums all hold.
    let path = tree.facts();
    let bytes = fs::read(&path).expect("there");
    let head = |at: usize| -> (usize, usize) {
        let len = u32::from_le_bytes(bytes[at + 24..at + 28].try_into().expect("four bytes")) as usize;
        (at + 36, at + 36 + len)
    };
    let first = head(8);
    let second = head(first.1);
    assert_eq!(second.1, bytes.len());
    let mut lie = bytes[..8].to_vec();
    for (key, facts) in [(8, second), (first.1, first)] {
        let mut record = bytes[key..key + 24].to_vec();
        record.extend_from_slice(&((facts.1 - facts.0) as u32).to_le_bytes());
        let checksum = xxhash_rust::xxh3::xxh3_64(&record);
        record.extend_from_slice(&checksum.to_le_bytes());
        record.extend_from_slice(&bytes[facts.0..facts.1]);
        lie.extend_from_slice(&record);
    }
    fs::write(&path, lie).expect("written");
    fs::remove_file(tree.own_cache().join("stamps")).expect("removed");
    let lied = tree.graph(None).expect("opens");
    assert_eq!(listing(&lied), "a.py: a a.g\nb.py: b b.f\n", "the lie is believed");
    tree.remarks.take();
    let verify = IndexRequest {
        verify: true,
        ..IndexRequest::default()
    };
    let summary = tree.index_with(&verify).expect("indexes");
    assert!(summary.changed);
    assert_eq!(
        tree.remarks.take(),
        ["2 cached facts differed from their files and were replaced"]
    );
    assert_eq!(listing(&tree.graph(None).expect("opens")), "a.py: a a.f\nb.py: b b.g\n");
    fs::remove_file(tree.own_cache().join("stamps")).expect("removed");
    assert_eq!(listing(&tree.graph(None).expect("opens")), "a.py: a a.f\nb.py: b b.g\n");
}

#[test]
fn a_cache_inside_the_tree_is_refused() {
    let tree = Tree::new(FILES);
    let repository = tree.repository_at(Some(tree.root()), Some(tree.root().join("cache/here")));
    let error = Code::graph(&repository, &GraphScope::default(), &tree.remarks, &Cancel::default())
        .map(drop)
        .expect_err("it is refused");
    assert!(
        error.message.ends_with("is inside the tree that it is for"),
        "{}",
        error.message
    );
    assert!(!tree.root().join("cache").exists());
}

#[test]
fn without_a_cache_questions_are_answered_from_memory() {
    let tree = Tree::new(FILES);
    fs::write(tree.user_cache(), "a file is in the way").expect("written");
    let repository = tree.repository();
    let ask = || Code::graph(&repository, &GraphScope::default(), &tree.remarks, &Cancel::default()).expect("opens");
    let first = ask();
    assert_eq!(listing(&first), LISTING);
    let remarks = tree.remarks.take();
    assert_eq!(remarks.len(), 1, "{remarks:?}");
    assert!(remarks[0].starts_with("nothing is cached: "), "{remarks:?}");
    tree.write("a.py", "def g(): pass\n");
    assert_eq!(listing(&ask()), "a.py: a a.g\nb.ts: b b.K b.K.m\n");
    assert_eq!(tree.remarks.take(), Vec::<String>::new(), "one remark is enough");
}

#[test]
fn the_cache_can_be_named() {
    let tree = Tree::new(FILES);
    let cache = tree.directory.path().join("elsewhere");
    let repository = tree.repository_at(Some(tree.root()), Some(cache.clone()));
    Code::index(&repository, &IndexRequest::default(), &tree.remarks, &Cancel::default()).expect("indexes");
    assert!(!tree.root().join(".lore").exists());
    assert!(fs::read_dir(cache).expect("the cache").next().is_some());
}

#[test]
fn doctor_removes_nothing() {
    let tree = Tree::new(FILES);
    tree.index().expect("indexes");
    fs::write(tree.facts(), "something else").expect("written");
    assert!(!is_well(&tree));
    assert_eq!(fs::read(tree.facts()).expect("it stays"), b"something else");
    assert!(!is_well(&tree), "it is found again");
}

#[test]
fn stamps_that_are_not_of_the_snapshot_are_not_believed_after_a_kill() {
    let tree = Tree::new(FILES);
    tree.index().expect("indexes");
    let stamps = tree.own_cache().join("stamps");
    let before = fs::read(&stamps).expect("there");
    tree.write("c.py", "def h(): pass\n");
    tree.index().expect("indexes");
    // A process that was killed between the snapshot and the stamps; then the new file is removed.
    fs::write(&stamps, before).expect("written");
    fs::write(tree.own_cache().join("writing"), "").expect("written");
    fs::remove_file(tree.root().join("c.py")).expect("removed");
    assert_eq!(listing(&tree.graph(None).expect("opens")), LISTING);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_tree_does_not_lead_to_a_cache() {
    let tree = Tree::new(FILES);
    let cache = tree.directory.path().join("elsewhere");
    fs::create_dir(&cache).expect("made");
    std::os::unix::fs::symlink("../elsewhere", tree.root().join("link")).expect("linked");
    let repository = tree.repository_at(Some(tree.root()), Some(tree.root().join("link")));
    let graph = Code::graph(&repository, &GraphScope::default(), &tree.remarks, &Cancel::default());
    assert!(graph.is_err_and(|error| error.message.ends_with("is inside the tree that it is for")));
    let control: &dyn CacheControl = &repository;
    assert!(CacheControl::status(control).is_err() && control.prune(None).is_err() && control.clear().is_err());
    assert!(fs::read_dir(cache).expect("there").next().is_none());
}

#[test]
fn the_default_cache_in_the_tree_is_not_used() {
    let tree = Tree::new(FILES);
    let repository = Repository::new(RepositoryOptions {
        user_cache: Some(tree.root().join(".cache")),
        ..tree.options(Some(tree.root()), None)
    });
    let graph = Code::graph(&repository, &GraphScope::default(), &tree.remarks, &Cancel::default()).expect("opens");
    assert_eq!(listing(&graph), LISTING);
    let remarks = tree.remarks.take();
    assert!(remarks[0].starts_with("nothing is cached: "), "{remarks:?}");
    assert!(!tree.root().join(".cache").exists());
}
