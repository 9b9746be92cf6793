//! What git knows of the past of files; `git log` is the oracle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::support::{Tree, git};
use lore_model::{Cancel, Progress};
use lore_seam::{Code, ErrorKind, FileHistory, GraphScope, History};

fn at(revision: &str) -> GraphScope {
    GraphScope {
        revision: Some(revision.to_owned()),
        ..GraphScope::default()
    }
}

fn history(tree: &Tree, root: &Path, scope: &GraphScope) -> Option<Arc<History>> {
    tree.repository_at(Some(root.to_owned()), None)
        .history(scope, &tree.remarks, &Cancel::default())
        .expect("it can be read")
}

/// A repository made of a stream for `git fast-import`, checked out.
fn imported(stream: &str) -> Tree {
    let tree = Tree::new(&[]);
    tree.git(&["init", "-q"]);
    let mut import = lore_testing::git(&tree.root());
    let imported = lore_testing::finish(import.args(["fast-import", "--quiet"]), stream.as_bytes());
    assert!(imported.status.success(), "{imported:?}");
    tree.git(&["reset", "-q", "--hard", "main"]);
    tree
}

/// Numbers that look random and are the same each time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

const PEOPLE: &[&str] = &[
    "Ann <ann@example.org>",
    "Ann <ANN@Example.org>",
    "Ann Old <ann@old.example>",
    "Bob <bob@example.org>",
    "Zoë <zoe@example.org>",
    "<nameless@example.org>",
];

const PATHS: &[&str] = &[
    "a.py",
    "in/b.py",
    "in/deep/c.py",
    "in/deep/d e.py",
    "in/ü.py",
    "other/in/b.py",
    "swap",
];

/// A history with branches, merges, removals, renames, changes of mode and files that turn into directories.
fn stream(commits: u64, seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let mut stream = String::new();
    for mark in 1..=commits {
        let person = PEOPLE[numbers.below(PEOPLE.len() as u64) as usize];
        let time = 1_600_000_000 + mark * 61;
        stream.push_str(&format!(
            "commit refs/heads/main\nmark :{mark}\nauthor {person} {} +0200\ncommitter C <c@x> {time} +0000\ndata 1\nm\n",
            time - 7
        ));
        if mark > 1 {
            let back = match numbers.below(4) {
                0 => 1 + numbers.below(mark.min(5) - 1),
                _ => 1,
            };
            stream.push_str(&format!("from :{}\n", mark - back));
            if mark > 5 && numbers.below(6) == 0 {
                stream.push_str(&format!("merge :{}\n", mark - 1 - numbers.below(4)));
            }
        }
        if mark == 1 {
            let mailmap = "Ann <ann@example.org> <ann@old.example>";
            stream.push_str(&format!(
                "M 100644 inline .mailmap\ndata {}\n{mailmap}\n",
                mailmap.len()
            ));
        }
        for _ in 0..1 + numbers.below(3) {
            let path = PATHS[numbers.below(PATHS.len() as u64) as usize];
            match numbers.below(8) {
                0 => stream.push_str(&format!("D {path}\n")),
                1 if path == "swap" => stream.push_str("M 100644 inline swap/x.py\ndata 1\nx\n"),
                2 => stream.push_str(&format!("M 100755 inline {path}\ndata 1\nx\n")),
                3 => stream.push_str(&format!("M 120000 inline {path}\ndata 4\na.py\n")),
                _ => {
                    let text = format!("text {}", numbers.below(40));
                    stream.push_str(&format!("M 100644 inline {path}\ndata {}\n{text}\n", text.len()));
                }
            }
        }
        stream.push('\n');
    }
    stream
}

/// What `git log` says.
fn oracle(directory: &Path, revision: &str) -> BTreeMap<String, FileHistory> {
    let log = git(
        directory,
        &[
            "-c",
            "core.quotePath=false",
            "log",
            "--no-merges",
            "--no-renames",
            "--max-count=2000",
            "--name-only",
            "--relative",
            "--format=%x01%H%x09%ct%x09%aE%x09%aN",
            revision,
        ],
    );
    let files = git(
        directory,
        &["-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", revision],
    );
    let files: BTreeSet<&str> = files.lines().collect();
    let mut known: BTreeMap<String, FileHistory> = BTreeMap::new();
    let mut people: BTreeSet<(String, String)> = BTreeSet::new();
    for commit in log.split('\u{1}').skip(1) {
        let mut lines = commit.lines().filter(|line| !line.is_empty());
        let head: Vec<&str> = lines.next().expect("a head").split('\t').collect();
        for path in lines.filter(|path| files.contains(path)) {
            let file = known.entry(path.to_owned()).or_insert_with(|| FileHistory {
                last_commit: head[0].to_owned(),
                last_changed: head[1].parse().expect("a time"),
                last_author: head[3].to_owned(),
                ..FileHistory::default()
            });
            file.changes += 1;
            if people.insert((path.to_owned(), head[2].to_lowercase())) {
                file.authors += 1;
            }
        }
    }
    known
}

#[test]
fn l3_history_is_what_git_log_counts() {
    for seed in 0..6 {
        let tree = imported(&stream(250, seed));
        for root in [tree.root(), tree.root().join("in"), tree.root().join("in/deep")] {
            for revision in ["HEAD", "HEAD~20"] {
                if !git(&tree.root(), &["ls-tree", "-d", "-r", "--name-only", revision]).contains("in/deep") {
                    continue;
                }
                let Some(found) = root
                    .is_dir()
                    .then(|| history(&tree, &root, &at(revision)).expect("a history"))
                else {
                    continue;
                };
                let commits = tree.git(&["rev-list", "--no-merges", "--count", revision]);
                assert_eq!(found.commits.to_string(), commits, "{seed} {revision}");
                assert!(!found.cut);
                assert_eq!(
                    found.files,
                    oracle(&root, revision),
                    "{seed} {} {revision}",
                    root.display()
                );
            }
        }
        let head = history(&tree, &tree.root(), &GraphScope::default());
        assert_eq!(head, history(&tree, &tree.root(), &at("main")));
    }
}

#[test]
fn l3_history_goes_back_so_far_and_says_when_it_was_cut() {
    let tree = imported(&stream(4_000, 7));
    let found = history(&tree, &tree.root(), &GraphScope::default()).expect("a history");
    assert_eq!((found.commits, found.cut), (2_000, true));
    assert_eq!(found.files, oracle(&tree.root(), "HEAD"));
}

#[test]
fn l3_history_of_a_single_file() {
    let tree = imported(&stream(50, 1));
    for (path, file) in oracle(&tree.root().join("in"), "HEAD") {
        let found = history(&tree, &tree.root().join("in").join(&path), &GraphScope::default()).expect("a history");
        let name = path.rsplit('/').next().expect("a name").to_owned();
        assert_eq!(found.files, BTreeMap::from([(name, file)]));
    }
}

#[test]
fn l3_there_is_no_history_without_a_commit() {
    let tree = Tree::new(&[("a.py", "one\n")]);
    assert_eq!(history(&tree, &tree.root(), &GraphScope::default()), None);
    tree.git(&["init", "-q"]);
    assert_eq!(history(&tree, &tree.root(), &GraphScope::default()), None);
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "-m", "one"]);
    assert_eq!(history(&tree, &tree.root(), &at("HEAD^{tree}")), None);
    let error = tree
        .repository()
        .history(&at("nowhere"), &tree.remarks, &Cancel::default())
        .expect_err("unknown");
    assert_eq!(error.message, "unknown git revision: `nowhere`");
    let bare = tree.directory.path().join("bare.git");
    git(tree.directory.path(), &["clone", "-q", "--bare", "tree", "bare.git"]);
    let found = history(&tree, &bare, &GraphScope::default()).expect("a history");
    assert_eq!(found.files, oracle(&tree.root(), "HEAD"));
}

#[test]
fn l3_a_shallow_clone_knows_what_is_there() {
    let tree = imported(&stream(60, 3));
    let url = format!("file://{}", tree.root().display());
    let shallow = tree.directory.path().join("shallow");
    git(tree.directory.path(), &["clone", "-q", "--depth=1", &url, "shallow"]);
    let found = history(&tree, &shallow, &GraphScope::default()).expect("a history");
    assert_eq!(
        (found.commits, found.cut),
        (0, true),
        "what the only commit changed is not known"
    );
    assert!(found.files.is_empty());
    git(&shallow, &["fetch", "-q", "--depth=10"]);
    let deeper = history(&tree, &shallow, &GraphScope::default()).expect("a history");
    assert!(deeper.cut && deeper.commits > 0);
    let all = history(&tree, &tree.root(), &GraphScope::default()).expect("a history");
    for (path, file) in &deeper.files {
        assert_eq!(file.last_commit, all.files[path].last_commit, "{path}");
        assert!(file.changes <= all.files[path].changes, "{path}");
    }
    git(&shallow, &["fetch", "-q", "--unshallow"]);
    assert_eq!(
        history(&tree, &shallow, &GraphScope::default()),
        Some(all),
        "the cache noticed"
    );
}

#[test]
fn l3_a_partial_clone_knows_what_is_there() {
    let tree = imported(&stream(60, 4));
    tree.git(&["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", tree.root().display());
    for (filter, cut) in [("blob:none", false), ("tree:0", true)] {
        let name = filter.replace(':', "-");
        git(
            tree.directory.path(),
            &["clone", "-q", &format!("--filter={filter}"), &url, &name],
        );
        let root = tree.directory.path().join(&name);
        let found = history(&tree, &root, &GraphScope::default()).expect("a history");
        assert_eq!(found.cut, cut, "{filter}");
        let kept = fs::read_dir(tree.cache_of(&root).join("history"));
        let is_kept = kept.is_ok_and(|mut entries| entries.next().is_some());
        assert_eq!(is_kept, !cut, "{filter}: what is missing may come");
    }
}

#[test]
fn l3_history_is_kept_and_made_anew_when_it_is_damaged() {
    let tree = imported(&stream(40, 5));
    let ask = || history(&tree, &tree.root(), &GraphScope::default()).expect("a history");
    let first = ask();
    let path = tree.own_cache().join("history").join(tree.git(&["rev-parse", "HEAD"]));
    let whole = fs::read(&path).expect("it is kept");
    assert_eq!(ask(), first);
    tree.remarks.take();
    for damage in ["emptied", "cut", "flipped", "foreign"] {
        let mut bytes = whole.clone();
        match damage {
            "emptied" => bytes.clear(),
            "cut" => bytes.truncate(bytes.len() / 2),
            "flipped" => {
                let last = bytes.len() - 1;
                bytes[last] ^= 1;
            }
            _ => bytes = b"something else entirely, of some length".to_vec(),
        }
        fs::write(&path, bytes).expect("written");
        assert_eq!(ask(), first, "{damage}");
        let remarks = tree.remarks.take();
        assert_eq!(remarks.len(), 1, "{damage}: {remarks:?}");
        assert!(
            remarks[0].starts_with("the cached history cannot be used"),
            "{remarks:?}"
        );
        assert!(
            fs::read(&path).expect("it is kept") == whole,
            "{damage}: the same bytes"
        );
    }
}

#[test]
fn l3_only_the_newest_histories_are_kept() {
    let tree = imported(&stream(60, 6));
    for back in 0..20 {
        history(&tree, &tree.root(), &at(&format!("HEAD~{back}")));
    }
    let kept = fs::read_dir(tree.own_cache().join("history"))
        .expect("it is kept")
        .count();
    assert_eq!(kept, 16);
}

#[test]
fn l3_reading_the_history_can_be_stopped() {
    /// Asks to stop at the first step.
    struct Stopper(Cancel);
    impl Progress for Stopper {
        fn begin(&self, _: &str, _: u64) {}
        fn advance(&self, _: u64) {
            self.0.cancel();
        }
        fn note(&self, _: &str) {}
    }
    let tree = imported(&stream(300, 8));
    let stopper = Stopper(Cancel::default());
    let error = tree
        .repository()
        .history(&GraphScope::default(), &stopper, &stopper.0)
        .expect_err("stopped");
    assert_eq!(error.kind, ErrorKind::Cancelled);
    assert!(!tree.own_cache().join("history").exists());
}
