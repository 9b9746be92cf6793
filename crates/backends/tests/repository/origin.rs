//! Where a tree comes from: the remote, the commit, and whether its files differ from that; git itself is the oracle.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::support::{Tree, git};
use lore_seam::{Code, GraphScope, Origin};

fn at(revision: &str) -> GraphScope {
    GraphScope {
        revision: Some(revision.to_owned()),
        ..GraphScope::default()
    }
}

fn origin(tree: &Tree, root: &Path, scope: &GraphScope) -> Origin {
    tree.repository_at(Some(root.to_owned()), None)
        .origin(scope)
        .expect("there is an origin")
}

/// Whether `git status` has anything to say about a directory of a repository.
fn git_sees_a_change(directory: &Path) -> bool {
    let status = git(
        directory,
        &[
            "status",
            "--porcelain",
            "--untracked-files=all",
            "--",
            ".",
            ":(exclude,glob)**/.lore/**",
            ":(exclude,glob)**/*.ccg.zip",
            ":(exclude,glob)**/*.ccg.manifest.json",
        ],
    );
    !status.is_empty()
}

const FILES: &[(&str, &str)] = &[
    ("a.py", "one\n"),
    ("in/b.py", "two\n"),
    ("in/deep/c.py", "three\n"),
    (".gitignore", "*.log\n/build/\n!kept.log\n"),
];

fn committed(files: &[(&str, &str)]) -> Tree {
    let tree = Tree::new(files);
    tree.git(&["init", "-q"]);
    commit(&tree);
    tree
}

fn commit(tree: &Tree) {
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "--allow-empty", "-m", "some"]);
}

type Change = (&'static str, fn(&Tree));

const CHANGES: &[Change] = &[
    ("nothing", |_| ()),
    ("content of the same size", |tree| tree.write("a.py", "uno\n")),
    ("other content", |tree| tree.write("in/b.py", "two and more\n")),
    ("the same content, written again", |tree| tree.write("a.py", "one\n")),
    ("removed", |tree| {
        fs::remove_file(tree.root().join("in/b.py")).expect("removed")
    }),
    ("a directory removed", |tree| {
        fs::remove_dir_all(tree.root().join("in/deep")).expect("removed")
    }),
    ("executable", |tree| {
        let path = tree.root().join("a.py");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
    }),
    ("a link instead of a file", |tree| {
        fs::remove_file(tree.root().join("a.py")).expect("removed");
        symlink("in/b.py", tree.root().join("a.py")).expect("a link");
    }),
    ("a directory instead of a file", |tree| {
        fs::remove_file(tree.root().join("a.py")).expect("removed");
        tree.write("a.py/x.py", "x\n");
    }),
    ("untracked", |tree| tree.write("new.py", "new\n")),
    ("untracked in an untracked directory", |tree| {
        tree.write("new/deep/new.py", "new\n")
    }),
    ("an empty directory", |tree| {
        fs::create_dir(tree.root().join("empty")).expect("made")
    }),
    ("ignored by name", |tree| tree.write("in/x.log", "x\n")),
    ("ignored by directory", |tree| tree.write("build/x.py", "x\n")),
    ("not ignored after all", |tree| tree.write("in/kept.log", "x\n")),
    ("only ignored files in a new directory", |tree| {
        tree.write("logs/x.log", "x\n")
    }),
    ("ignored by .git/info/exclude", |tree| {
        fs::create_dir_all(tree.root().join(".git/info")).expect("made");
        fs::write(tree.root().join(".git/info/exclude"), "*.tmp\n").expect("written");
        tree.write("in/x.tmp", "x\n");
    }),
    ("ignored for ripgrep, not for git", |tree| {
        tree.write(".ignore", "*.tmp\n");
        commit(tree);
        tree.write("x.tmp", "x\n");
    }),
    ("tracked though ignored, and changed", |tree| {
        tree.write("build/x.py", "x\n");
        tree.git(&["add", "-f", "build/x.py"]);
        tree.git(&["commit", "-q", "-m", "forced"]);
        tree.write("build/x.py", "y\n");
    }),
    ("Lore's own files", |tree| {
        tree.write(".lore/x.md", "x\n");
        tree.write("in/.lore/x.md", "x\n");
    }),
    ("what Lore exported", |tree| {
        tree.write("x.ccg.manifest.json", "{}\n");
        tree.write("in/x.ccg.zip", "x\n");
    }),
    ("Lore's own files, staged", |tree| {
        tree.write(".lore/x.md", "x\n");
        tree.git(&["add", "-A"]);
    }),
    ("staged and new", |tree| {
        tree.write("new.py", "new\n");
        tree.git(&["add", "new.py"]);
    }),
    ("staged, and back in the file", |tree| {
        tree.write("a.py", "uno\n");
        tree.git(&["add", "a.py"]);
        tree.write("a.py", "one\n");
    }),
    ("staged, and back in the index", |tree| {
        tree.write("a.py", "uno\n");
        tree.git(&["add", "a.py"]);
        tree.write("a.py", "one\n");
        tree.git(&["add", "a.py"]);
    }),
    ("out of the index only", |tree| {
        tree.git(&["rm", "-q", "--cached", "a.py"]);
    }),
    ("out of the index, ignored now", |tree| {
        tree.write("x.log", "x\n");
        tree.git(&["add", "-f", "x.log"]);
        tree.git(&["commit", "-q", "-m", "forced"]);
        tree.git(&["rm", "-q", "--cached", "x.log"]);
    }),
    ("staged as executable", |tree| {
        tree.git(&["update-index", "--chmod=+x", "a.py"]);
    }),
    ("meant to be added", |tree| {
        tree.write("new.py", "new\n");
        tree.git(&["add", "-N", "new.py"]);
    }),
    ("moved", |tree| {
        tree.git(&["mv", "a.py", "in/a.py"]);
    }),
    ("assumed unchanged", |tree| {
        tree.git(&["update-index", "--assume-unchanged", "a.py"]);
        tree.write("a.py", "uno\n");
    }),
    ("skipped in the working tree", |tree| {
        tree.git(&["update-index", "--skip-worktree", "a.py"]);
        fs::remove_file(tree.root().join("a.py")).expect("removed");
    }),
    ("modes do not count", |tree| {
        tree.git(&["config", "core.fileMode", "false"]);
        let path = tree.root().join("a.py");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("set");
    }),
    ("in conflict", |tree| {
        tree.git(&["checkout", "-q", "-b", "other"]);
        tree.write("a.py", "theirs\n");
        commit(tree);
        tree.git(&["checkout", "-q", "main"]);
        tree.write("a.py", "ours\n");
        commit(tree);
        let merge = lore_testing::output(lore_testing::git(&tree.root()).args(["merge", "-q", "other"]));
        assert!(!merge.status.success());
    }),
    ("line ends that git converts", |tree| {
        tree.write(".gitattributes", "*.py text eol=crlf\n");
        tree.write("a.py", "one\r\n");
        tree.git(&["add", "--renormalize", "-A"]);
        commit(tree);
        tree.write("a.py", "one\r\n");
    }),
    ("line ends that git does not convert", |tree| {
        tree.write("a.py", "one\r\n")
    }),
    ("another repository", |tree| {
        fs::create_dir(tree.root().join("nested")).expect("made");
        git(&tree.root().join("nested"), &["init", "-q"]);
        tree.write("nested/x.py", "x\n");
    }),
    ("a link to a directory", |tree| {
        symlink("in", tree.root().join("link")).expect("a link")
    }),
    ("a sparse checkout", |tree| {
        tree.git(&["sparse-checkout", "set", "in/deep"]);
    }),
    ("a sparse checkout, changed", |tree| {
        tree.git(&["sparse-checkout", "set", "in/deep"]);
        tree.write("in/deep/c.py", "drei\n");
    }),
    ("a sparse index", |tree| {
        tree.write("other/x/y.py", "y\n");
        commit(tree);
        tree.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "in/deep"]);
    }),
    ("an index in parts", |tree| {
        tree.git(&["update-index", "--split-index"]);
        tree.write("a.py", "uno\n");
        tree.git(&["add", "a.py"]);
        tree.git(&["commit", "-q", "-m", "more"]);
    }),
    ("an index of version 4", |tree| {
        tree.git(&["update-index", "--index-version", "4"]);
    }),
    ("an index that knows untracked files", |tree| {
        tree.git(&["update-index", "--untracked-cache"]);
        tree.git(&["status"]);
        tree.write("new.py", "new\n");
    }),
    ("a detached head", |tree| {
        tree.git(&["checkout", "-q", "--detach"]);
    }),
    ("no index", |tree| {
        fs::remove_file(tree.root().join(".git/index")).expect("removed")
    }),
];

#[test]
fn i2_a_tree_is_dirty_when_git_says_so() {
    for (change, make) in CHANGES {
        let tree = committed(FILES);
        make(&tree);
        for root in [tree.root(), tree.root().join("in")] {
            let is_there = root.is_dir();
            if is_there {
                let dirty = origin(&tree, &root, &GraphScope::default()).dirty;
                assert_eq!(dirty, git_sees_a_change(&root), "{change}, {}", root.display());
            }
        }
        assert!(
            !origin(&tree, &tree.root(), &at("HEAD")).dirty,
            "a revision is not dirty: {change}"
        );
    }
}

#[test]
fn i2_only_the_root_counts() {
    let tree = committed(FILES);
    tree.write("a.py", "uno\n");
    tree.write("new.py", "new\n");
    tree.write("inner.py", "new\n");
    tree.git(&["add", "inner.py"]);
    assert!(origin(&tree, &tree.root(), &GraphScope::default()).dirty);
    assert!(!origin(&tree, &tree.root().join("in"), &GraphScope::default()).dirty);
    assert!(origin(&tree, &tree.root().join("a.py"), &GraphScope::default()).dirty);
    assert!(!origin(&tree, &tree.root().join("in/b.py"), &GraphScope::default()).dirty);
}

#[test]
fn i2_submodules_count_as_git_counts_them() {
    let changes: &[Change] = &[
        ("nothing", |_| ()),
        ("changed", |tree| tree.write("sub/x.py", "y\n")),
        ("untracked", |tree| tree.write("sub/new.py", "y\n")),
        ("another commit", |tree| {
            git(
                &tree.root().join("sub"),
                &["commit", "-q", "--allow-empty", "-m", "more"],
            );
        }),
        ("another commit, staged", |tree| {
            git(
                &tree.root().join("sub"),
                &["commit", "-q", "--allow-empty", "-m", "more"],
            );
            tree.git(&["add", "sub"]);
        }),
        ("removed", |tree| {
            fs::remove_dir_all(tree.root().join("sub")).expect("removed")
        }),
        ("emptied", |tree| {
            tree.git(&["submodule", "--quiet", "deinit", "-f", "sub"]);
        }),
        ("ignored", |tree| {
            tree.git(&["config", "submodule.sub.ignore", "all"]);
            tree.write("sub/x.py", "y\n");
        }),
        ("changes ignored", |tree| {
            tree.git(&["config", "submodule.sub.ignore", "dirty"]);
            tree.write("sub/x.py", "y\n");
        }),
        ("untracked ignored", |tree| {
            tree.git(&["config", "submodule.sub.ignore", "untracked"]);
            tree.write("sub/new.py", "y\n");
        }),
        ("untracked ignored everywhere", |tree| {
            tree.git(&["config", "diff.ignoreSubmodules", "untracked"]);
            tree.write("sub/new.py", "y\n");
        }),
    ];
    for (change, make) in changes {
        let other = committed(&[("x.py", "x\n")]);
        let tree = committed(FILES);
        let other_root = other.root();
        let url = other_root.to_str().expect("UTF-8");
        tree.git(&[
            "-c",
            "protocol.file.allow=always",
            "submodule",
            "--quiet",
            "add",
            "--name",
            "sub",
            url,
            "sub",
        ]);
        commit(&tree);
        make(&tree);
        let root = tree.root();
        assert_eq!(
            origin(&tree, &root, &GraphScope::default()).dirty,
            git_sees_a_change(&root),
            "{change}"
        );
        assert!(
            !origin(&tree, &root.join("in"), &GraphScope::default()).dirty,
            "{change}"
        );
    }
}

#[test]
fn i2_no_program_of_a_repository_is_run() {
    let text = "a large file\n";
    let tree = committed(&[
        (".gitattributes", "*.bin filter=lfs\n*.x filter=mark\n"),
        ("b.x", "x\n"),
    ]);
    let dirty = || origin(&tree, &tree.root(), &GraphScope::default()).dirty;
    let digest = sha256(text);
    let size = text.len();
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{digest}\nsize {size}\n");
    fs::write(tree.directory.path().join("pointer"), pointer).expect("written");
    tree.git(&["config", "filter.lfs.clean", "cat ../pointer"]);
    tree.git(&["config", "filter.lfs.required", "true"]);
    tree.write("a.bin", text);
    commit(&tree);
    tree.git(&["config", "filter.mark.clean", "touch ../marker; cat"]);
    tree.git(&["config", "filter.mark.process", "touch ../marker"]);
    // Files that look new are read.
    tree.write("b.x", "x\n");
    tree.write("a.bin", text);
    assert!(!dirty(), "it is what the pointer names");
    tree.write("a.bin", "a large FILE\n");
    assert!(dirty(), "it has another digest");
    tree.write("a.bin", "a larger file\n");
    assert!(dirty(), "it has another size");
    assert!(!tree.directory.path().join("marker").exists());
}

/// As `sha256sum` has it.
fn sha256(text: &str) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), text).expect("written");
    let output = lore_testing::output(std::process::Command::new("sha256sum").arg(file.path()));
    String::from_utf8_lossy(&output.stdout)[..64].to_owned()
}

#[test]
fn i2_the_remote_is_the_first_url_as_configured() {
    let tree = committed(FILES);
    let remote = || origin(&tree, &tree.root(), &GraphScope::default()).remote;
    assert_eq!(remote(), None);
    tree.git(&["remote", "add", "upstream", "https://example.org/up.git"]);
    assert_eq!(remote(), None);
    tree.git(&["remote", "add", "origin", "git@example.org:group/it.git"]);
    tree.git(&[
        "remote",
        "set-url",
        "--add",
        "origin",
        "https://elsewhere.example/it.git",
    ]);
    tree.git(&["config", "url.https://mirror.example/.insteadOf", "git@example.org:"]);
    assert_eq!(remote().as_deref(), Some("git@example.org:group/it.git"));
    let inner = origin(&tree, &tree.root().join("in"), &at("HEAD"));
    assert_eq!(inner.remote.as_deref(), Some("git@example.org:group/it.git"));
    assert_eq!(inner.directory, "in");
}

#[test]
fn i2_the_commit_is_named_in_full() {
    let tree = committed(FILES);
    tree.git(&["tag", "-a", "v1", "-m", "first"]);
    let first = tree.git(&["rev-parse", "HEAD"]);
    tree.write("a.py", "uno\n");
    commit(&tree);
    let head = tree.git(&["rev-parse", "HEAD"]);
    let found = origin(&tree, &tree.root(), &GraphScope::default());
    assert_eq!(found.commit.as_deref(), Some(head.as_str()));
    assert_eq!(
        found.committed.map(|time| time.to_string()),
        Some(tree.git(&["log", "-1", "--format=%ct"]))
    );
    assert_eq!(found.directory, "tree");
    for revision in ["v1", "HEAD~1", "main^", &first[..9]] {
        let found = origin(&tree, &tree.root(), &at(revision));
        assert_eq!(found.commit.as_deref(), Some(first.as_str()), "{revision}");
    }
    assert_eq!(
        origin(&tree, &tree.root(), &at("HEAD^{tree}")).commit,
        None,
        "a tree is no commit"
    );
    let error = tree.repository().origin(&at("nowhere")).expect_err("unknown");
    assert_eq!(error.message, "unknown git revision: `nowhere`");
}

#[test]
fn i2_every_kind_of_repository_has_an_origin() {
    let plain = Tree::new(&[("a.py", "one\n")]);
    let nothing = Origin {
        directory: "tree".to_owned(),
        ..Origin::default()
    };
    assert_eq!(origin(&plain, &plain.root(), &GraphScope::default()), nothing);
    assert!(plain.repository().origin(&at("HEAD")).is_err());
    plain.git(&["init", "-q", "-b", "trunk"]);
    assert_eq!(
        origin(&plain, &plain.root(), &GraphScope::default()),
        nothing,
        "before the first commit"
    );

    let tree = committed(FILES);
    tree.write("a.py", "uno\n");
    commit(&tree);
    let head = tree.git(&["rev-parse", "HEAD"]);
    let beside = |name: &str| tree.directory.path().join(name);
    tree.git(&["worktree", "add", "-q", "../linked"]);
    git(tree.directory.path(), &["clone", "-q", "--bare", "tree", "bare.git"]);
    let url = format!("file://{}", tree.root().display());
    git(tree.directory.path(), &["clone", "-q", "--depth=1", &url, "shallow"]);
    for (name, remote) in [("linked", None), ("bare.git", None), ("shallow", Some(url.as_str()))] {
        let found = origin(&tree, &beside(name), &GraphScope::default());
        assert_eq!(found.commit.as_deref(), Some(head.as_str()), "{name}");
        assert_eq!(found.directory, name);
        if name != "bare.git" {
            assert_eq!(found.remote.as_deref(), remote, "{name}");
        }
        assert!(!found.dirty, "{name}");
    }
    fs::write(beside("linked").join("new.py"), "new\n").expect("written");
    assert!(origin(&tree, &beside("linked"), &GraphScope::default()).dirty);
    assert!(!origin(&tree, &tree.root(), &GraphScope::default()).dirty);
}

#[test]
fn i2_what_cannot_be_compared_is_an_error() {
    let tree = committed(FILES);
    fs::write(tree.root().join(".git/index"), "no index").expect("written");
    let repository = tree.repository_at(Some(tree.root()), None);
    let error = repository
        .origin(&GraphScope::default())
        .expect_err("the index of git is damaged");
    let expected = "cannot compare the files with the commit: ";
    assert!(error.message.starts_with(expected), "{}", error.message);
    assert!(
        error.hints[0].starts_with("`git status` shows details; "),
        "{:?}",
        error.hints
    );
}

#[test]
fn i2_a_repository_does_not_name_rules_outside_of_it() {
    let tree = committed(FILES);
    let ignore = tree.directory.path().join("ignore");
    fs::write(&ignore, "*.tmp\n").expect("written");
    tree.git(&["config", "core.excludesFile", ignore.to_str().expect("UTF-8")]);
    tree.write("in/x.tmp", "x\n");
    assert!(!git_sees_a_change(&tree.root()));
    assert!(origin(&tree, &tree.root(), &GraphScope::default()).dirty);
}

#[test]
fn c10_a_commit_is_looked_up_and_a_shallow_clone_does_not_say_no() {
    let tree = committed(FILES);
    tree.git(&["remote", "add", "origin", "git@github.com:octo/hello.git"]);
    let first = tree.git(&["rev-parse", "HEAD"]).trim().to_owned();
    let blob = tree.git(&["rev-parse", "HEAD:a.py"]).trim().to_owned();
    commit(&tree);
    let repository = tree.repository_at(Some(tree.root()), None);
    assert_eq!(repository.remote().as_deref(), Some("git@github.com:octo/hello.git"));
    assert_eq!(repository.has_commit(&first), Some(true));
    assert_eq!(
        repository.has_commit(&blob),
        Some(false),
        "it is an object, and no commit"
    );
    assert_eq!(repository.has_commit(&"0".repeat(40)), Some(false));
    assert_eq!(repository.has_commit("HEAD"), None);

    let shallow = tree.directory.path().join("shallow");
    let source = format!("file://{}", tree.root().display());
    git(
        tree.directory.path(),
        &["clone", "-q", "--depth", "1", &source, "shallow"],
    );
    let repository = tree.repository_at(Some(shallow), None);
    assert_eq!(repository.has_commit(&first), None);

    let plain = Tree::new(FILES);
    let repository = plain.repository_at(Some(plain.root()), None);
    assert_eq!((repository.remote(), repository.has_commit(&first)), (None, None));
}
