//! Git objects that are missing or damaged are reported, never read as empty files (F5).

use std::fs;
use std::path::{Path, PathBuf};

use lore_testing::Conversation;
use serde_json::{Value, json};

use crate::world::{Outcome, World, finish};

/// Questions that rest on objects of git.
const QUESTIONS: &[&[&str]] = &[
    &["impact", "--since", "HEAD~1"],
    &["ccg", "diff", "HEAD~1", "HEAD"],
    &["ccg", "manifest"],
    &["outline", "--at", "HEAD"],
];

/// A repository of two commits; the second adds a function to a file, and another file.
fn two_commits() -> World {
    let world = World::new();
    world.write("a.py", "def f():\n    return g()\n\n\ndef g():\n    return 1\n");
    world.write("lib/b.py", "import a\n\n\ndef k():\n    return a.f()\n");
    world.commit("one");
    world.write(
        "a.py",
        "def f():\n    return g()\n\n\ndef g():\n    return 1\n\n\ndef h():\n    return g()\n",
    );
    world.commit("two");
    world
}

/// Asks with a cache that is empty, so that nothing is known from before.
fn ask(world: &World, directory: &Path, question: &[&str]) -> Outcome {
    let cache = world.base().join("cache");
    let _ = fs::remove_dir_all(&cache);
    let cache = cache.to_str().expect("UTF-8").to_owned();
    let mut arguments = vec!["--cache", cache.as_str()];
    arguments.extend(question);
    world.lore_in(directory, &arguments)
}

#[test]
fn a_partial_clone_without_its_remote_says_what_is_missing() {
    let world = two_commits();
    world.git(&["config", "uploadpack.allowFilter", "true"]);
    world.git(&["config", "uploadpack.allowAnySHA1InWant", "true"]);
    let url = format!("file://{}", world.repo().display());
    world.git_in(
        &world.base(),
        &["clone", "--quiet", "--filter=blob:none", &url, "partial"],
    );
    let whole = ask(&world, &world.repo(), QUESTIONS[0]);
    assert!(
        whole.stdout.contains("a.h") && !whole.stdout.contains("a.g,"),
        "{whole:?}"
    );
    fs::rename(world.repo(), world.base().join("gone")).expect("renamed");
    let partial = world.base().join("partial");
    for question in &QUESTIONS[..2] {
        let told = ask(&world, &partial, question);
        assert_eq!(told.code, Some(2), "{question:?}: {told:?}");
        assert_eq!(told.stdout, "", "{question:?}");
        assert!(
            told.stderr.contains("a.py cannot be read: git object "),
            "{question:?}: {told:?}"
        );
        assert!(
            told.stderr.contains("is missing from this clone"),
            "{question:?}: {told:?}"
        );
        assert!(told.stderr.contains("git fetch origin "), "{question:?}: {told:?}");
        assert!(told.stderr.contains("git backfill"), "{question:?}: {told:?}");
    }
    // What is checked out is there.
    for question in &QUESTIONS[2..] {
        let told = ask(&world, &partial, question);
        assert_eq!(
            (told.code, told.stderr.as_str()),
            (Some(0), ""),
            "{question:?}: {told:?}"
        );
    }
}

#[test]
fn a_shallow_clone_says_that_its_history_is_cut() {
    let world = two_commits();
    let url = format!("file://{}", world.repo().display());
    world.git_in(&world.base(), &["clone", "--quiet", "--depth=1", &url, "shallow"]);
    let shallow = world.base().join("shallow");
    let told = ask(&world, &shallow, &["ccg", "manifest"]);
    assert_eq!(told.code, Some(0), "{told:?}");
    assert!(told.stderr.contains("shallow clone: the history is cut"), "{told:?}");
    let told = ask(&world, &shallow, &["impact", "--since", "HEAD~1"]);
    assert_eq!(told.code, Some(2), "{told:?}");
    assert!(told.stderr.contains("git fetch --unshallow"), "{told:?}");
}

/// Every loose object of a repository.
fn loose_objects(repository: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for directory in fs::read_dir(repository.join(".git/objects"))
        .expect("objects")
        .flatten()
    {
        if directory.file_name().len() == 2 {
            let files = fs::read_dir(directory.path()).expect("objects").flatten();
            found.extend(files.map(|file| file.path()));
        }
    }
    found.sort();
    found
}

/// What stands in the way of writing to a loose object is its mode.
fn overwrite(path: &Path, content: &[u8]) {
    fs::remove_file(path).expect("removed");
    fs::write(path, content).expect("written");
}

/// Asks every question with an object replaced. An answer that is not the right one comes with an error or a remark.
fn check_with(world: &World, right: &[Outcome], what: &str) -> usize {
    let mut told = 0;
    for (question, right) in QUESTIONS.iter().zip(right) {
        let outcome = ask(world, &world.repo(), question);
        let is_right = outcome.code == right.code && outcome.stdout == right.stdout;
        assert!(
            is_right || !outcome.stderr.is_empty(),
            "{what}, {question:?}: {outcome:?}"
        );
        assert!(
            outcome.code.is_some_and(|code| code <= 2),
            "{what}, {question:?}: {outcome:?}"
        );
        told += usize::from(!is_right);
    }
    told
}

#[test]
fn a_flipped_bit_never_changes_an_answer_silently() {
    let world = two_commits();
    let right: Vec<Outcome> = QUESTIONS
        .iter()
        .map(|question| ask(&world, &world.repo(), question))
        .collect();
    assert!(
        right
            .iter()
            .all(|outcome| outcome.code == Some(0) && outcome.stderr.is_empty()),
        "{right:?}"
    );
    let objects = loose_objects(&world.repo());
    assert_eq!(objects.len(), 8, "two commits, three trees, three blobs");
    let mut told = 0;
    for object in &objects {
        let content = fs::read(object).expect("read");
        // The first bytes, the middle, and the checksum at the end.
        for at in [0, 1, 2, content.len() / 2, content.len() - 5, content.len() - 1] {
            let mut damaged = content.clone();
            damaged[at] ^= 1 << (at % 8);
            overwrite(object, &damaged);
            told += check_with(&world, &right, &format!("{} at byte {at}", object.display()));
        }
        overwrite(object, &content);
    }
    assert!(told > objects.len(), "most damage was found: {told}");
}

#[test]
fn an_object_that_is_gone_or_another_one_never_changes_an_answer_silently() {
    let world = two_commits();
    let right: Vec<Outcome> = QUESTIONS
        .iter()
        .map(|question| ask(&world, &world.repo(), question))
        .collect();
    let objects = loose_objects(&world.repo());
    let contents: Vec<Vec<u8>> = objects.iter().map(|object| fs::read(object).expect("read")).collect();
    let mut told = 0;
    for (at, (object, content)) in objects.iter().zip(&contents).enumerate() {
        fs::remove_file(object).expect("removed");
        told += check_with(&world, &right, &format!("{} is gone", object.display()));
        // A whole object under a name that is not its own: every checksum of zlib holds.
        for step in 1..=3 {
            fs::write(object, &contents[(at + step) % objects.len()]).expect("written");
            told += check_with(
                &world,
                &right,
                &format!("{} is object {step} further", object.display()),
            );
            fs::remove_file(object).expect("removed");
        }
        fs::write(object, content).expect("written");
    }
    assert!(told > objects.len(), "most damage was found: {told}");
}

/// Where the loose object of a name is.
fn object(world: &World, name: &str) -> PathBuf {
    let id = world.git(&["rev-parse", name]);
    let (directory, file) = id.trim().split_at(2);
    world.repo().join(".git/objects").join(directory).join(file)
}

/// Asks on 2027-01-01, long after the commits.
fn ask_later(world: &World, question: &[&str]) -> Outcome {
    let mut command = world.command_in(&world.repo(), question);
    command.env("SOURCE_DATE_EPOCH", "1798761600");
    finish(command, "")
}

#[test]
fn a_unit_is_not_fresh_because_the_object_of_its_document_is_gone() {
    let world = World::new();
    world.write("doc.md", "# Doc\n");
    world.write(
        "knowledge.yaml",
        "kcp_version: \"0.14\"\nproject: x\nversion: 1.0.0\nupdated: \"2026-01-01\"\nunits:\n  - id: doc\n    path: doc.md\n    intent: what it is\n    scope: project\n    audience: [agent]\n    validated: \"2026-01-02\"\n",
    );
    world.commit("one");
    world.write("doc.md", "# Another\n");
    let whole = ask_later(&world, &["unit", "stale"]);
    assert_eq!(whole.code, Some(1), "{whole:?}");
    fs::remove_file(object(&world, "HEAD:doc.md")).expect("removed");
    let told = ask_later(&world, &["unit", "stale"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{told:?}");
    assert!(told.stderr.contains("is missing from this clone"), "{told:?}");
    // A document that is not there is no missing object.
    fs::remove_file(world.repo().join("doc.md")).expect("removed");
    let told = ask_later(&world, &["unit", "stale"]);
    assert!(!told.stderr.contains("is missing from this clone"), "{told:?}");
}

/// A repository of four commits to a file, and an atom that was confirmed at the first.
fn with_an_atom() -> World {
    let world = World::new();
    world.write("a.py", "def f():\n    return 0\n");
    world.commit("0");
    for arguments in [
        &["memory", "project", "create", "shop", "--summary", "s"][..],
        &["memory", "atom", "create", "Shop", "--path", "a.py", "--knowledge", "k"],
    ] {
        let outcome = world.lore(arguments);
        assert_eq!(outcome.code, Some(0), "{arguments:?}: {outcome:?}");
    }
    for number in 1..4 {
        world.write("a.py", format!("def f():\n    return {number}\n"));
        world.commit(&number.to_string());
    }
    world
}

#[test]
fn an_atom_of_a_log_with_missing_objects_has_at_least_so_many_commits() {
    let world = with_an_atom();
    let whole = world.lore(&["memory", "stale"]);
    assert_eq!((whole.code, whole.stderr.as_str()), (Some(1), ""), "{whole:?}");
    assert!(whole.stdout.contains("3 commits since"), "{whole:?}");
    fs::remove_file(object(&world, "HEAD~2^{tree}")).expect("removed");
    let told = world.lore(&["memory", "stale"]);
    assert!(told.stdout.contains("at least 1 commits since"), "{told:?}");
    assert!(told.stderr.contains("is missing from this clone"), "{told:?}");
}

#[test]
fn a_server_remarks_on_missing_objects_each_time_and_finds_those_that_were_fetched() {
    let world = with_an_atom();
    let tree = object(&world, "HEAD~2^{tree}");
    let content = fs::read(&tree).expect("read");
    fs::remove_file(&tree).expect("removed");
    let mut server = Conversation::start(&mut world.command_in(&world.repo(), &["mcp", "--tools", "memory"]));
    server.say(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}));
    server.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    let mut ask = |number: u64| {
        server.say(json!({"jsonrpc": "2.0", "id": number, "method": "tools/call",
            "params": {"name": "memory_stale", "arguments": {}}}));
        loop {
            let line = server.hear();
            let reply: Value = serde_json::from_str(&line).expect("JSON");
            if reply["id"] == json!(number) {
                return line;
            }
        }
    };
    for number in [1, 2] {
        let reply = ask(number);
        assert!(reply.contains("is missing from this clone"), "{number}: {reply}");
        assert!(reply.contains("at least 1"), "{number}: {reply}");
    }
    fs::write(&tree, content).expect("written");
    let reply = ask(3);
    assert!(!reply.contains("is missing") && !reply.contains("at least"), "{reply}");
    server.finish();
}

#[test]
fn what_differs_from_the_commit_is_not_nothing_because_it_cannot_be_told() {
    let world = with_an_atom();
    fs::write(world.repo().join(".git/index"), b"no index").expect("written");
    let told = world.lore(&["memory", "stale"]);
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{told:?}");
    assert!(
        told.stderr.contains("cannot compare the files with the commit"),
        "{told:?}"
    );
}

#[test]
fn a_mind_graph_whose_newest_patch_is_gone_is_not_called_empty() {
    let world = two_commits();
    for arguments in [&["mind", "init"][..], &["mind", "process-commit", "HEAD"]] {
        let outcome = world.lore(arguments);
        assert_eq!(outcome.code, Some(0), "{arguments:?}: {outcome:?}");
    }
    let whole = world.lore(&["mind", "nodes"]);
    assert!(whole.stdout.contains("commit:"), "{whole:?}");
    let references = world.git(&["for-each-ref", "--format=%(refname)", "refs/lore/mind"]);
    let reference = references.lines().next().expect("a reference");
    fs::remove_file(object(&world, reference)).expect("removed");
    for question in [&["mind", "nodes"][..], &["mind", "edges"], &["mind", "status"]] {
        let told = ask(&world, &world.repo(), question);
        let said = format!("{}{}", told.stdout, told.stderr);
        assert!(said.contains("what it names is not there"), "{question:?}: {told:?}");
    }
}
