//! Trees of every kind: no git, empty, missing, a single file, unwritable, bare, and what can stand in them.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use crate::support::{Tree, git, listing, skipped};
use lore_model::Cancel;
use lore_seam::{Code, ErrorKind, GraphScope, IndexRequest};

#[test]
fn a_directory_without_git() {
    let tree = Tree::new(&[
        ("a.py", "def f(): pass\n"),
        (".gitignore", "ignored.py\n"),
        ("ignored.py", "x = 1\n"),
    ]);
    assert_eq!(listing(&tree.graph(None).expect("opens")), "a.py: a a.f\n");
}

#[test]
fn an_empty_directory() {
    let tree = Tree::new(&[]);
    let summary = tree.index().expect("indexes");
    assert_eq!((summary.files, summary.symbols), (0, 0));
}

#[test]
fn a_missing_path() {
    let tree = Tree::new(&[]);
    let missing = tree.root().join("nowhere");
    let error = tree
        .repository_at(Some(missing.clone()), None)
        .index(&IndexRequest::default(), &tree.remarks, &Cancel::default())
        .expect_err("there is nothing");
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert_eq!(
        error.message,
        format!("there is no file or directory {}", missing.display())
    );
}

#[test]
fn a_single_file() {
    let tree = Tree::new(&[("a.py", "def f(): pass\n"), ("b.py", "def g(): pass\n")]);
    let repository = tree.repository_at(Some(tree.root().join("a.py")), None);
    let graph = repository
        .graph(&GraphScope::default(), &tree.remarks, &Cancel::default())
        .expect("opens");
    assert_eq!(listing(&graph), "a.py: a a.f\n");
    assert!(
        !tree.root().join(".lore").exists(),
        "the cache of a single file is the user's"
    );
    let source = repository.read(&GraphScope::default(), "a.py").expect("reads");
    assert_eq!(source, b"def f(): pass\n");
}

#[test]
fn a_tree_that_cannot_be_written_to_is_cached_like_any_other() {
    let tree = Tree::new(&[("a.py", "def f(): pass\n")]);
    // A file where the directory would be stops even the superuser.
    tree.write(".lore", "in the way\n");
    let graph = tree.graph(None).expect("opens");
    assert_eq!(listing(&graph), "a.py: a a.f\n");
    assert_eq!(tree.remarks.take(), Vec::<String>::new());
    assert!(tree.own_cache().join("snapshot").exists());
}

#[test]
fn a_bare_repository_answers_at_a_revision_and_only_there() {
    let tree = Tree::new(&[("a.py", "def f(): pass\n")]);
    tree.git(&["init", "-q"]);
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "-m", "one"]);
    let bare = tree.directory.path().join("bare.git");
    git(tree.directory.path(), &["clone", "-q", "--bare", "tree", "bare.git"]);
    let repository = tree.repository_at(Some(bare.clone()), None);
    let at = GraphScope {
        revision: Some("HEAD".to_owned()),
        ..GraphScope::default()
    };
    let graph = repository.graph(&at, &tree.remarks, &Cancel::default()).expect("opens");
    assert_eq!(listing(&graph), "a.py: a a.f\n");
    assert_eq!(repository.read(&at, "a.py").expect("reads"), b"def f(): pass\n");
    let error = repository
        .graph(&GraphScope::default(), &tree.remarks, &Cancel::default())
        .expect_err("has no files");
    assert!(error.message.contains("bare repository"), "{}", error.message);
    assert_eq!(error.hints, ["name a revision: --at HEAD"]);
}

#[test]
fn a_revision_equals_the_same_files_in_a_directory() {
    let tree = Tree::new(&[
        ("src/a.py", "def f(): pass\n"),
        ("b.ts", "export const x = 1\n"),
        ("c.txt", "text\n"),
    ]);
    tree.git(&["init", "-q"]);
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "-m", "one"]);
    tree.index().expect("indexes");
    let at = tree.graph(Some("HEAD")).expect("opens");
    assert!(
        at.as_bytes() == tree.warm_snapshot(),
        "the revision's snapshot differs from the directory's"
    );
}

#[test]
fn every_form_of_revision_without_a_checkout() {
    let tree = Tree::new(&[("a.py", "def old(): pass\n")]);
    tree.git(&["init", "-q"]);
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "-m", "one"]);
    tree.git(&["tag", "-a", "v1", "-m", "first"]);
    tree.write("a.py", "def new(): pass\n");
    tree.git(&["commit", "-q", "-a", "-m", "two"]);
    tree.git(&["gc", "-q"]);
    let old = "a.py: a a.old\n";
    let id = tree.git(&["rev-parse", "v1^{commit}"]);
    for revision in ["v1", "HEAD~1", "HEAD^", id.as_str(), &id[..8], "v1^{tree}", "main~1"] {
        assert_eq!(listing(&tree.graph(Some(revision)).expect(revision)), old, "{revision}");
    }
    assert_eq!(listing(&tree.graph(Some("HEAD")).expect("opens")), "a.py: a a.new\n");
    let error = tree.graph(Some("nowhere")).expect_err("unknown");
    assert_eq!(error.message, "unknown git revision: `nowhere`");
}

#[test]
fn an_ambiguous_commit_id_is_refused_with_its_candidates() {
    let tree = Tree::new(&[]);
    tree.git(&["init", "-q"]);
    // Always the same ids: among 600 of them, two begin with the same four digits.
    let commit = |number: u32| {
        let time = 1_700_000_000 + number;
        format!("commit refs/heads/main\ncommitter A <a@example.org> {time} +0000\ndata 0\n\n")
    };
    let stream: String = (0..600).map(commit).collect();
    let mut import = lore_testing::git(&tree.root());
    lore_testing::finish(import.args(["fast-import", "--quiet"]), stream.as_bytes());
    let listed = tree.git(&["rev-list", "main"]);
    let mut ids: Vec<&str> = listed.lines().collect();
    ids.sort_unstable();
    let is_pair = |pair: &&[&str]| pair[0][..4] == pair[1][..4];
    let pair = ids.windows(2).find(is_pair).expect("two ids with one beginning");
    let prefix = &pair[0][..4];
    let error = tree.graph(Some(prefix)).expect_err("ambiguous");
    assert_eq!(
        (error.kind, error.message.as_str()),
        (
            ErrorKind::Ambiguous,
            format!("ambiguous git revision: `{prefix}`").as_str()
        )
    );
    for id in pair {
        assert!(
            error.hints[0].contains(&format!("{} (commit", &id[..7])),
            "{:?}",
            error.hints
        );
    }
}

#[test]
fn a_revision_of_a_directory_inside_the_repository() {
    let tree = Tree::new(&[("in/a.py", "def f(): pass\n"), ("out.py", "x = 1\n")]);
    tree.git(&["init", "-q"]);
    tree.git(&["add", "-A"]);
    tree.git(&["commit", "-q", "-m", "one"]);
    let repository = tree.repository_at(Some(tree.root().join("in")), None);
    let at = GraphScope {
        revision: Some("HEAD".to_owned()),
        ..GraphScope::default()
    };
    let graph = repository.graph(&at, &tree.remarks, &Cancel::default()).expect("opens");
    assert_eq!(listing(&graph), "a.py: a a.f\n");
    assert_eq!(repository.read(&at, "a.py").expect("reads"), b"def f(): pass\n");
}

#[test]
fn a_revision_needs_git() {
    let tree = Tree::new(&[("a.py", "")]);
    let error = tree.graph(Some("HEAD")).expect_err("no git");
    assert_eq!(error.kind, ErrorKind::Unavailable);
    assert_eq!(
        error.hints,
        ["--at needs a git repository; without --at, Lore reads the files as they are"]
    );
}

#[test]
fn what_is_left_out_says_why() {
    let tree = Tree::new(&[
        ("a.py", "def f(): pass\n"),
        ("node_modules/m/index.js", "function m() {}\n"),
        ("gen.go", "// Code generated by x. DO NOT EDIT.\npackage gen\n"),
        ("app.min.js", "function a(){}\n"),
        ("notes.txt", "text\n"),
        ("docs/b.py", "y = 1\n"),
    ]);
    fs::write(tree.root().join("nul.py"), b"x = 1\n\0\n").expect("a file");
    fs::write(tree.root().join("latin.py"), b"# caf\xe9\n").expect("a file");
    fs::write(tree.root().join("big.py"), "#".repeat(5_000_000)).expect("a file");
    let bad = std::ffi::OsStr::from_bytes(b"bad-\xff.py");
    fs::write(tree.root().join(bad), "x = 1\n").expect("a file");
    symlink(tree.root(), tree.root().join("loop")).expect("a link");
    symlink("nowhere", tree.root().join("dangling.py")).expect("a link");
    let summary = tree
        .index_with(&IndexRequest {
            exclude: vec!["docs/**".to_owned()],
            ..IndexRequest::default()
        })
        .expect("indexes");
    assert_eq!(summary.files, 1);
    let graph = tree.graph(None).expect("opens");
    assert_eq!(
        skipped(&graph),
        "app.min.js minified\n\
         bad-\u{fffd}.py bad-name\n\
         big.py oversized\n\
         dangling.py not-a-file\n\
         docs/b.py excluded\n\
         gen.go generated\n\
         latin.py not-utf8\n\
         loop not-a-file\n\
         node_modules/m/index.js vendored\n\
         notes.txt unknown-language\n\
         nul.py binary\n"
    );
}

#[test]
fn what_is_left_out_can_be_kept() {
    let tree = Tree::new(&[
        ("node_modules/m/index.js", "function m() {}\n"),
        ("gen.go", "// Code generated by x. DO NOT EDIT.\npackage gen\n"),
        ("app.min.js", "function a(){}\n"),
    ]);
    tree.index().expect("indexes");
    assert_eq!(tree.graph(None).expect("opens").file_count(), 0);
    let all = IndexRequest {
        vendored: true,
        generated: true,
        minified: true,
        ..IndexRequest::default()
    };
    assert_eq!(tree.index_with(&all).expect("indexes").files, 3);
    assert_eq!(
        tree.graph(None).expect("opens").file_count(),
        3,
        "a question keeps the choices of the last index"
    );
    assert_eq!(
        tree.index().expect("indexes").files,
        0,
        "an index without choices goes back"
    );
}

#[test]
fn include_and_exclude_patterns() {
    let tree = Tree::new(&[("src/a.py", ""), ("src/deep/b.py", ""), ("test/c.py", ""), ("d.py", "")]);
    let paths = |include: &[&str], exclude: &[&str]| {
        let owned = |patterns: &[&str]| patterns.iter().map(|text| (*text).to_owned()).collect();
        tree.index_with(&IndexRequest {
            include: owned(include),
            exclude: owned(exclude),
            ..IndexRequest::default()
        })
        .expect("indexes");
        let graph = tree.graph(None).expect("opens");
        graph
            .files()
            .map(|file| file.path().to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(paths(&["src"], &[]), "src/a.py src/deep/b.py");
    assert_eq!(paths(&["src/*.py"], &[]), "src/a.py");
    assert_eq!(paths(&[], &["deep", "d.py"]), "src/a.py test/c.py");
    assert_eq!(paths(&["**/*.py"], &["test/**"]), "d.py src/a.py src/deep/b.py");
    let request = IndexRequest {
        include: vec!["src/[".to_owned()],
        ..IndexRequest::default()
    };
    let error = tree.index_with(&request).expect_err("no pattern");
    assert_eq!(error.kind, ErrorKind::Invalid);
    assert!(
        error.message.starts_with("`src/[` is not a pattern"),
        "{}",
        error.message
    );
}

#[test]
fn ignore_files_are_honoured() {
    let tree = Tree::new(&[
        ("a.py", ""),
        ("b.py", ""),
        ("c.py", ""),
        ("sub/d.py", ""),
        (".gitignore", "b.py\n"),
        (".ignore", "c.py\n"),
        ("sub/.gitignore", "*.py\n"),
        (".hidden/e.py", ""),
        (".lore/f.py", ""),
        (".well-known/g.py", ""),
        (".git/h.py", ""),
        ("i.ccg.arch.json", "{}"),
    ]);
    let graph = tree.graph(None).expect("opens");
    assert_eq!(
        graph.files().map(|file| file.path().to_owned()).collect::<Vec<_>>(),
        [".hidden/e.py", "a.py"]
    );
}

#[test]
fn a_root_that_its_parents_ignore_was_named_on_purpose() {
    let tree = Tree::new(&[(".gitignore", "build/\n"), ("build/a.py", "def f(): pass\n")]);
    tree.git(&["init", "-q"]);
    let repository = tree.repository_at(Some(tree.root().join("build")), None);
    let graph = repository
        .graph(&GraphScope::default(), &tree.remarks, &Cancel::default())
        .expect("opens");
    assert_eq!(listing(&graph), "a.py: a a.f\n");
}

#[test]
fn scripts_are_known_by_their_first_line() {
    let tree = Tree::new(&[
        ("run", "#!/usr/bin/env python3\ndef main(): pass\n"),
        ("LICENSE", "text\n"),
    ]);
    let graph = tree.graph(None).expect("opens");
    assert_eq!(listing(&graph), "run: run run.main\n");
    assert_eq!(skipped(&graph), "LICENSE unknown-language\n");
}

#[test]
fn a_byte_order_mark_shifts_nothing() {
    let tree = Tree::new(&[("a.py", "\u{feff}def f(): pass\n")]);
    let graph = tree.graph(None).expect("opens");
    let place = graph.symbol(graph.lookup("a.f")[0]).place();
    assert_eq!((place.line.get(), place.column.get()), (1, 5));
}
