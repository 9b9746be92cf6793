//! What commits changed, the commit that a tree is at, and what differs from it; git is the oracle.

use std::collections::BTreeMap;
use std::fs;

use crate::support::{Tree, git};
use lore_model::Cancel;
use lore_seam::{Code, Log};

fn commit(tree: &Tree, message: &str) -> String {
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "-m", message]);
    tree.git(&["rev-parse", "HEAD"]).trim().to_owned()
}

fn tree() -> Tree {
    let tree = Tree::new(&[
        ("src/pay/a.ts", "one\ntwo\nthree\n"),
        ("src/pay/b.ts", "b\n"),
        ("lib/x.ts", "x\n"),
    ]);
    tree.git(&["init", "-q", "-b", "main"]);
    tree
}

fn log(tree: &Tree) -> std::sync::Arc<Log> {
    let log = tree.repository().log(&tree.remarks, &Cancel::default());
    log.expect("it can be read").expect("there is one")
}

/// A path, what it was called before and whether that is sure, and whether it is there still.
type Told = (String, Option<(String, bool)>, bool);

/// The changes of a commit.
fn changes(log: &Log, id: &str) -> Vec<Told> {
    let commit = &log.commits[log.place(id).expect("known") as usize];
    let changes = commit.changes.iter().map(|change| {
        let from = change.from.as_ref().map(|from| (from.path.clone(), from.sure));
        (change.path.clone(), from, change.blob.is_some())
    });
    changes.collect()
}

#[test]
fn l2_commits_tell_what_they_changed_and_what_was_renamed() {
    let tree = tree();
    let first = commit(&tree, "first");
    tree.write("src/pay/a.ts", "one\ntwo\nfour\n");
    tree.write("new.ts", "new\n");
    let second = commit(&tree, "second");
    tree.git(&["mv", "src/pay", "src/billing"]);
    fs::remove_file(tree.root().join("lib/x.ts")).expect("removed");
    let third = commit(&tree, "third");
    tree.git(&["mv", "src/billing/a.ts", "src/a.ts"]);
    tree.write("src/a.ts", "one\ntwo\nfour\nfive\n");
    let fourth = commit(&tree, "fourth");
    let log = log(&tree);
    assert_eq!(log.head, fourth);
    assert!(!log.cut);
    assert_eq!(log.files, ["new.ts", "src/a.ts", "src/billing/b.ts"]);
    let there = |path: &str| (path.to_owned(), None, true);
    let gone = |path: &str| (path.to_owned(), None, false);
    let moved = |path: &str, from: &str, sure: bool| (path.to_owned(), Some((from.to_owned(), sure)), true);
    assert_eq!(
        changes(&log, &first),
        [there("lib/x.ts"), there("src/pay/a.ts"), there("src/pay/b.ts")]
    );
    assert_eq!(changes(&log, &second), [there("new.ts"), there("src/pay/a.ts")]);
    assert_eq!(
        changes(&log, &third),
        [
            gone("lib/x.ts"),
            moved("src/billing/a.ts", "src/pay/a.ts", true),
            moved("src/billing/b.ts", "src/pay/b.ts", true),
            gone("src/pay/a.ts"),
            gone("src/pay/b.ts"),
        ]
    );
    assert_eq!(
        changes(&log, &fourth),
        [moved("src/a.ts", "src/billing/a.ts", false), gone("src/billing/a.ts")]
    );
    let blob = tree.git(&["rev-parse", "HEAD:src/a.ts"]).trim().to_owned();
    let newest = log.changes_of("src/a.ts").next().expect("changed").1;
    assert_eq!(newest.blob.as_deref(), Some(blob.as_str()));
}

#[test]
fn l2_a_merge_has_parents_and_no_changes() {
    let tree = tree();
    let first = commit(&tree, "first");
    tree.git(&["checkout", "-q", "-b", "side"]);
    tree.write("side.ts", "s\n");
    let side = commit(&tree, "side");
    tree.git(&["checkout", "-q", "main"]);
    tree.write("main.ts", "m\n");
    let main = commit(&tree, "main");
    tree.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    let log = log(&tree);
    let place = |id: &str| log.place(id).expect("known");
    let merge = &log.commits[place(&log.head.clone()) as usize];
    assert!(merge.merge && merge.changes.is_empty());
    assert_eq!(merge.parents, [place(&main), place(&side)]);
    let behind = log.behind(place(&main));
    assert!(behind.contains(&place(&first)) && !behind.contains(&place(&side)));
}

#[test]
fn l1_the_commit_of_a_tree_is_read_however_git_keeps_it() {
    let tree = tree();
    let head = |root: std::path::PathBuf| tree.repository_at(Some(root), None).head();
    assert_eq!(head(tree.root()), None, "there is no commit yet");
    let first = commit(&tree, "first");
    let told = head(tree.root()).expect("a commit");
    assert_eq!((told.commit.as_str(), told.within.as_str()), (first.as_str(), ""));
    let told = head(tree.root().join("src/pay")).expect("a commit");
    assert_eq!(
        (told.commit.as_str(), told.within.as_str()),
        (first.as_str(), "src/pay")
    );
    tree.git(&["pack-refs", "--all"]);
    assert_eq!(head(tree.root()).map(|head| head.commit), Some(first.clone()));
    let repository = tree.repository();
    assert_eq!(repository.head().map(|head| head.commit), Some(first.clone()));
    tree.write("new.ts", "n\n");
    let second = commit(&tree, "second");
    assert_eq!(
        repository.head().map(|head| head.commit),
        Some(second.clone()),
        "it is read anew"
    );
    tree.git(&["checkout", "-q", "--detach", &first]);
    assert_eq!(repository.head().map(|head| head.commit), Some(first));
    let worktree = tree.directory.path().join("other");
    tree.git(&["worktree", "add", "-q", worktree.to_str().expect("a path"), &second]);
    let other = tree.repository_at(Some(worktree), None);
    assert_eq!(other.head().map(|head| head.commit), Some(second));
    let nothing = Tree::new(&[("a", "a")]);
    assert_eq!(nothing.repository().head(), None);
    assert_eq!(nothing.repository().log(&nothing.remarks, &Cancel::default()), Ok(None));
}

#[test]
fn l3_what_is_not_committed_has_the_object_that_it_will_be() {
    let tree = tree();
    commit(&tree, "first");
    let repository = tree.repository();
    assert_eq!(repository.uncommitted(&[], 10), Ok(BTreeMap::new()));
    tree.write("src/pay/a.ts", "changed\n");
    tree.write("src/new.ts", "new\n");
    tree.write("staged.ts", "staged\n");
    tree.git(&["add", "staged.ts"]);
    fs::remove_file(tree.root().join("lib/x.ts")).expect("removed");
    tree.write(".lore/cache/x", "ours\n");
    let told = repository.uncommitted(&[], 10).expect("told");
    let paths: Vec<&str> = told.keys().map(String::as_str).collect();
    assert_eq!(paths, ["lib/x.ts", "src/new.ts", "src/pay/a.ts", "staged.ts"]);
    assert_eq!(told["lib/x.ts"], None);
    for (below, wanted) in [
        (&["src"][..], "src/new.ts src/pay/a.ts"),
        (&["src/pay", "lib/x.ts"], "lib/x.ts src/pay/a.ts"),
        (&["staged.ts"], "staged.ts"),
        (&["src/pa", "docs"], ""),
    ] {
        let below: Vec<String> = below.iter().map(|place| (*place).to_owned()).collect();
        let told = repository.uncommitted(&below, 10).expect("told");
        let paths: Vec<&str> = told.keys().map(String::as_str).collect();
        assert_eq!(paths.join(" "), wanted, "{below:?}");
    }
    let blobs = told.clone();
    fs::remove_dir_all(tree.root().join(".lore")).expect("removed");
    commit(&tree, "second");
    for (path, blob) in blobs.iter().filter(|(path, _)| *path != "lib/x.ts") {
        let wanted = git(&tree.root(), &["rev-parse", &format!("HEAD:{path}")]);
        assert_eq!(blob.as_deref(), Some(wanted.trim()), "{path}");
    }
    assert_eq!(repository.uncommitted(&[], 10), Ok(BTreeMap::new()));
}
