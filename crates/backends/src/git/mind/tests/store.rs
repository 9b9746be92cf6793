//! How patches are kept: compare and swap, several writers at once, what a killed process leaves, and what is kept to read faster.

use lore_mind::patch_log::{Appended, NewPatch, PatchLog};
use lore_mind::raw_patch::Descend;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, SystemTime};

use lore_model::Cancel;
use lore_seam::ObjectId;

use super::super::{lock, read};
use super::support::{Yard, changed, one_edge, put_chain, words};

const FIRST: &str = "task:A\ntask:B\ntask:A --[blocks]--> task:B 1 2001-09-09T01:46:40.000Z\n";

#[test]
fn store9_a_patch_is_a_commit_that_git_finds_nothing_wrong_with() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.git(&["config", "user.name", "Ada <of> Lovelace"]);
    place.git(&["config", "user.email", "ada@example.org"]);
    let patch = place.link(1_000_000_000, "task:A blocks task:B").expect("a patch");
    assert_eq!(place.said(), FIRST);
    let writer = place.writer();
    assert_eq!(writer.len(), 26);
    assert_eq!(place.refs(), format!("refs/lore/mind/w/{writer} {patch}"));
    assert_eq!(
        place.git(&["cat-file", "commit", &patch.to_hex()]),
        format!(
            "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\
             author Ada of Lovelace <ada@example.org> 1000000000 +0000\n\
             committer Ada of Lovelace <ada@example.org> 1000000000 +0000\n\n\
             mind: a change\n\n\
             [\"n\",\"task:A\",{{}},[],[]]\n\
             [\"n\",\"task:B\",{{}},[],[]]\n\
             [\"e\",\"task:A\",\"task:B\",\"blocks\",{{\"a\":\"2001-09-09T01:46:40.000Z\",\"c\":1}},[]]\n\n\
             Lore-Mind: 1\nLore-Lamport: 1\nLore-Writer: {writer}\nLore-Operations: 3"
        )
    );
    assert_eq!(place.fsck(), "true");
    assert_eq!(place.link(1_000_000_001, "task:A blocks task:B"), None);
    assert_eq!(place.refs(), format!("refs/lore/mind/w/{writer} {patch}"));
}

#[test]
fn store9_whoever_read_an_older_tip_is_told_to_read_again() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    let log = place.log();
    let writer = log.new_writer(&[7; 16]).expect("a writer");
    assert_eq!(log.new_writer(&[8; 16]).expect("a writer"), writer);
    assert_eq!(writer, place.writer());
    let message = one_edge(1, &writer, "task:A blocks task:B");
    let patch = |expected: Option<ObjectId>| NewPatch {
        expected,
        parents: &[],
        message: &message,
        chunks: &[],
        time_ms: 5_000,
    };
    let Ok(Appended::Done(first)) = log.append(&patch(None)) else {
        panic!("it is appended");
    };
    let other = place.log();
    assert_eq!(other.append(&patch(None)).expect("an answer"), Appended::Moved);
    let Ok(Appended::Done(second)) = other.append(&patch(Some(first))) else {
        panic!("it is appended");
    };
    assert_eq!(log.append(&patch(Some(first))).expect("an answer"), Appended::Moved);
    assert_eq!(log.tips().expect("tips").own(), Some(second));
    place.git(&["update-ref", "-d", &place.own_ref()]);
    assert_eq!(log.append(&patch(Some(second))).expect("an answer"), Appended::Moved);
}

#[test]
fn store9_large_patches_are_blobs_and_come_back_as_they_were() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    let edges = |from: usize, to: usize| -> String {
        let edge = |at| format!("  - {{source: 'task:{at}', target: 'task:{}', type: blocks}}\n", at + 1);
        (from..to).map(edge).collect()
    };
    let nodes: String = (0..=300).map(|at| format!("  - id: 'task:{at}'\n")).collect();
    let patch = place
        .import(9, &format!("version: 1\nnodes:\n{nodes}edges:\n{}", edges(0, 300)))
        .expect("a patch");
    let tree = place.git(&["ls-tree", "-r", "--name-only", &patch.to_hex()]);
    assert_eq!(tree, "ops");
    assert_eq!(place.open(None).expect("a graph").graph.edge_count(), 300);
    // Two blobs, as a larger patch has them.
    let log = place.log();
    let tip = log.tips().expect("tips").own();
    let chunks = [b"first\n".to_vec(), b"second\n".to_vec()];
    let appended = log.append(&NewPatch {
        expected: tip,
        parents: &[],
        message: "mind: several\n\nLore-Mind: 1\n",
        chunks: &chunks,
        time_ms: 0,
    });
    let Ok(Appended::Done(several)) = appended else {
        panic!("it is appended");
    };
    let tree = place.git(&["ls-tree", "-r", "--name-only", &several.to_hex()]);
    assert_eq!(tree, "ops/0000\nops/0001");
    let mut found = Vec::new();
    let known = |id: &ObjectId| *id == patch;
    let visit = &mut |patch: &lore_mind::raw_patch::RawPatch<'_>| {
        found.push((
            patch.id,
            patch.blobs.iter().map(|blob| blob.to_vec()).collect::<Vec<_>>(),
        ));
        Descend::Yes
    };
    log.walk(&[several], &known, visit, &Cancel::default())
        .expect("it is walked");
    assert_eq!(found, [(several, chunks.to_vec())]);
    assert_eq!(place.fsck(), "true");
}

#[test]
fn store10_of_many_that_write_at_once_none_loses_anything() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    lore_testing::scope("four threads write", |scope| {
        for thread in 0..4 {
            let place = &place;
            scope.spawn(move || {
                for at in 0..6 {
                    let (edge, put) = words(&format!("task:{thread} blocks task:{thread}-{at}"));
                    let ctx = place.ctx(1);
                    let written = changed(&ctx, |_, changes, _| changes.put_edge(edge.clone(), put.clone()));
                    assert!(written.expect("it is written").is_some());
                }
            });
        }
    });
    let opened = place.open(None).expect("a graph");
    assert_eq!((opened.graph.edge_count(), opened.patches), (24, 24));
    assert_eq!(opened.tips.tips.len(), 1);
    assert_eq!(place.fsck(), "true");
}

#[test]
fn store11_objects_that_no_reference_names_say_nothing() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.link(1_000_000_000, "task:A blocks task:B");
    let tip = place.git(&["rev-parse", &place.own_ref()]);
    let message = one_edge(2, &place.writer(), "task:A blocks task:C");
    let tree = place.git_with(&["mktree"], "");
    place.git_with(&["commit-tree", &tree, "-p", &tip], &message);
    fs::write(place.file(".git/objects/.tmpAbCdEf"), "half").expect("a file");
    assert_eq!(place.said(), FIRST);
    let log = place.log();
    assert_eq!(log.state().expect("a state").leftovers, (1, 4));
    assert_eq!(log.clean().expect("it is cleaned"), 0);
    let long_ago = SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
    let file = fs::File::options()
        .write(true)
        .open(place.file(".git/objects/.tmpAbCdEf"));
    file.and_then(|file| file.set_modified(long_ago)).expect("it is older");
    assert_eq!(log.clean().expect("it is cleaned"), 1);
    assert_eq!(log.state().expect("a state").leftovers, (0, 0));
}

#[test]
fn store11_a_reference_that_a_killed_process_left_locked_ends_a_chain_and_loses_nothing() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    place.link(1_000_000_000, "task:A blocks task:B");
    let (old, old_writer) = (place.own_ref(), place.writer());
    let stale = place.file(&format!(".git/{old}.lock"));
    fs::write(&stale, "").expect("a lock");
    place.link(1_000_000_001, "task:B blocks task:C").expect("a patch");
    assert!(stale.exists());
    assert_ne!(place.writer(), old_writer);
    let opened = place.open(None).expect("a graph");
    assert_eq!(
        (opened.graph.edge_count(), opened.patches, opened.tips.tips.len()),
        (2, 2, 2)
    );
    assert_eq!(
        place.git(&["rev-parse", &format!("{}^", place.own_ref())]),
        place.git(&["rev-parse", &old])
    );
    let log = place.log();
    assert_eq!(log.state().expect("a state").stale_locks, Vec::<String>::new());
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    let file = fs::File::options().write(true).open(&stale);
    file.and_then(|file| file.set_modified(long_ago)).expect("it is older");
    assert_eq!(log.state().expect("a state").stale_locks, [format!("{old}.lock")]);
}

#[test]
fn store11_the_lock_of_a_process_that_ended_is_nobodys() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    let directory = place.file(".git");
    drop(lock(&directory).expect("a lock"));
    assert!(directory.join("lore/mind/lock").exists());
    place.link(1_000_000_000, "task:A blocks task:B");
    let held = lock(&directory).expect("a lock");
    lore_testing::scope("a writer waits and then writes", |scope| {
        let writer = scope.spawn(|| place.link(1_000_000_001, "task:B blocks task:C"));
        until_awaited(&directory.join("lore/mind/lock"));
        assert!(!writer.is_finished());
        assert_eq!(place.open(None).expect("a graph").patches, 1);
        drop(held);
        assert!(lore_testing::join_scoped(writer, "the writer").is_some());
    });
    assert_eq!(place.open(None).expect("a graph").patches, 2);
}

/// Waits until a thread waits for the lock of a file. Only Linux lists who waits; elsewhere nothing is waited for.
fn until_awaited(lock: &std::path::Path) {
    let file = format!(":{} ", fs::metadata(lock).expect("a lock").ino());
    let awaits = |line: &str| line.contains("->") && line.contains(&file);
    lore_testing::until("a writer waits for the lock", || {
        match fs::read_to_string("/proc/locks") {
            Ok(locks) => locks.lines().any(awaits).then_some(()),
            Err(_) => Some(()),
        }
    });
}

#[test]
fn store13_a_snapshot_is_used_while_references_only_go_forward() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    put_chain(&place, "w", 210);
    place.git(&["config", "lore.mind.writer", "w"]);
    let snapshot = place.snapshots().join("graph");
    assert!(!snapshot.exists());
    let whole = place.said();
    assert!(snapshot.exists());
    assert_eq!(place.said(), whole);
    // Forward.
    place.link(2, "task:0 blocks task:x");
    assert_eq!(place.open(None).expect("a graph").patches, 211);
    // Back.
    place.git(&["update-ref", "refs/lore/mind/w/w", "refs/lore/mind/w/w~6"]);
    let back = place.open(None).expect("a graph");
    assert_eq!((back.patches, back.graph.edge_count()), (205, 205));
    // Away.
    place.git(&["update-ref", "-d", "refs/lore/mind/w/w"]);
    assert_eq!(place.said(), "");
}

#[test]
fn store13_a_push_that_moves_a_copy_leaves_the_snapshot_as_it_is() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    put_chain(&place, "w", 210);
    let copy = "refs/lore/mind/remotes/origin/w/w";
    place.git(&["update-ref", copy, "refs/lore/mind/w/w~100"]);
    let whole = place.said();
    let kept = || fs::metadata(place.snapshots().join("graph")).expect("a snapshot").ino();
    let before = kept();
    place.git(&["update-ref", copy, "refs/lore/mind/w/w"]);
    assert_eq!((place.said(), kept()), (whole.clone(), before));
    // While a copy that goes its own way is read.
    place.git(&["update-ref", "-d", "refs/lore/mind/w/w"]);
    assert_eq!((place.said(), kept()), (whole, before));
    place.git(&["update-ref", copy, &format!("{copy}~1")]);
    assert_eq!(place.open(None).expect("a graph").patches, 209);
    assert_ne!(kept(), before);
}

#[test]
fn store13_a_damaged_snapshot_is_made_anew_and_one_that_cannot_be_kept_is_none() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    put_chain(&place, "w", 210);
    let whole = place.said();
    let snapshot = place.snapshots().join("graph");
    let bytes = fs::read(&snapshot).expect("a snapshot");
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for damaged in [&bytes[..bytes.len() / 2], &flipped[..], b""] {
        // Lore replaces what may be mapped, and so does whoever breaks it here.
        fs::remove_file(&snapshot).expect("it is removed");
        fs::write(&snapshot, damaged).expect("it is damaged");
        assert_eq!(place.said(), whole);
        assert_eq!(fs::read(&snapshot).expect("a snapshot"), bytes);
    }
    let log = place.log();
    assert!(log.state().expect("a state").snapshot);
    log.drop_snapshots().expect("they are dropped");
    assert!(!log.state().expect("a state").snapshot);
    fs::create_dir(&snapshot).expect("a directory in its place");
    assert_eq!(place.said(), whole);
}

#[test]
fn store13_of_the_moments_four_are_kept() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    let log = place.log();
    log.keep_snapshot("graph", b"g");
    for at in 0..6 {
        log.keep_snapshot(&format!("at-{at}"), b"x");
        let file = fs::File::options()
            .write(true)
            .open(place.snapshots().join(format!("at-{at}")));
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000 + at);
        file.and_then(|file| file.set_modified(time)).expect("it is older");
    }
    let entries = fs::read_dir(place.snapshots()).expect("a directory").flatten();
    let names: BTreeSet<String> = entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(
        names.into_iter().collect::<Vec<_>>(),
        ["at-2", "at-3", "at-4", "at-5", "graph"]
    );
    for name in ["../x", "", "lock", "a/b", "."] {
        log.keep_snapshot(name, b"x");
        assert!(log.snapshot(name).is_none());
    }
    assert_eq!(
        log.snapshot("graph").map(|bytes| (*bytes).as_ref().to_vec()),
        Some(b"g".to_vec())
    );
}

#[test]
fn store13_ten_thousand_patches_are_read_once_each_packed_or_loose() {
    let yard = Yard::new();
    let place = yard.init("a", &[]);
    const COUNT: usize = 10_000;
    put_chain(&place, "w", COUNT as u64);
    let cost = |known: &dyn Fn(&ObjectId) -> bool| {
        let log = place.log();
        let tips = log.tips().expect("tips").ids();
        let repository = log.open().expect("a repository").local();
        let mut visited = 0;
        let visit = &mut |_: &lore_mind::raw_patch::RawPatch<'_>| {
            visited += 1;
            Descend::Yes
        };
        let cost = read::walk(repository, &tips, known, visit, &Cancel::default()).expect("it is walked");
        assert_eq!(visited, cost.objects);
        (cost.objects, cost.headers, cost.processes)
    };
    let all = |_: &ObjectId| false;
    assert_eq!(cost(&all), (COUNT, 0, 0));
    place.git(&["repack", "-adfq", "--depth=50"]);
    assert_eq!(cost(&all), (COUNT, 0, 0));
    let packs = place.file(".git/objects/pack");
    let packs: Vec<_> = fs::read_dir(&packs)
        .expect("packs")
        .flatten()
        .map(|entry| entry.path())
        .collect();
    let pack = packs
        .iter()
        .find(|path| path.extension().is_some_and(|extension| extension == "pack"));
    let moved = yard.path().join("moved.pack");
    fs::rename(pack.expect("a pack"), &moved).expect("it is moved");
    packs.iter().for_each(|path| {
        let _ = fs::remove_file(path);
    });
    let script = format!("git unpack-objects -q < {}", moved.display());
    lore_testing::run(
        std::process::Command::new("sh")
            .arg("-c")
            .arg(script)
            .current_dir(&place.path),
    );
    assert_eq!(cost(&all), (COUNT, 0, 0));
    // What is known is not read again.
    let tip = place.log().tips().expect("tips").ids();
    assert_eq!(cost(&|id| tip.contains(id)), (0, 0, 0));
    let older = ObjectId::from_hex(&place.git(&["rev-parse", "refs/lore/mind/w/w~3"]));
    assert_eq!(cost(&|id| Some(*id) == older), (3, 0, 0));
}
