//! Links to devices and pipes at paths that Lore reads are refused (F7).
#![cfg(target_os = "linux")]

use std::fs;
use std::process::Command;

use super::links::{MEMORY, commands, world};
use super::world::World;

/// Runs the commands of every path that Lore touches after something was put at the path. Each ends by itself, within the
/// deadline and the memory of the harness.
fn each_path(put: impl Fn(&World, &str)) {
    for path in lore_backends::repository_paths() {
        let world = world(&path);
        let place = world.repo().join(&path);
        fs::create_dir_all(place.parent().expect("a parent")).expect("made");
        let _ = fs::remove_file(&place);
        let _ = fs::remove_dir_all(&place);
        put(&world, &path);
        for command in commands(&path) {
            let outcome = world.lore_limited(MEMORY, &command);
            let ended = matches!(outcome.code, Some(0..=2));
            assert!(ended, "{path}: lore {command:?} ended by a signal: {}", outcome.stderr);
        }
        let kind = fs::symlink_metadata(&place).map(|metadata| metadata.is_file());
        assert!(!matches!(kind, Ok(true)), "{path} was replaced");
    }
}

#[test]
fn a_device_without_an_end_is_not_read() {
    each_path(|world, path| world.link(path, "/dev/zero"));
}

/// The audit's reproduction: files of an old cache in the repository.
#[test]
fn devices_in_an_old_cache_are_not_read() {
    for name in [
        "stamps",
        "facts",
        "snapshot",
        "lock",
        "history",
        "writing",
        ".gitignore",
    ] {
        let world = World::new();
        world.write("a.py", "def f():\n    return 1\n");
        world.link(&format!(".lore/cache/{name}"), "/dev/zero");
        for arguments in [&["index"][..], &["find", "f"], &["doctor"], &["ccg", "manifest"]] {
            let outcome = world.lore_limited(600_000, arguments);
            assert_eq!(outcome.code, Some(0), "{name}: {arguments:?}: {outcome:?}");
        }
        let target = fs::read_link(world.repo().join(".lore/cache").join(name)).expect("the link stays");
        assert_eq!(target.to_str(), Some("/dev/zero"));
    }
}

#[test]
fn a_pipe_is_not_waited_for() {
    each_path(|world, path| {
        lore_testing::run(Command::new("mkfifo").arg(world.repo().join(path)));
    });
}

#[test]
fn rules_that_cannot_be_read_are_named_and_the_question_is_answered() {
    let world = World::new();
    world.write("a.py", "def f():\n    return 1\n");
    world.link(".gitignore", "/dev/zero");
    world.link("docs/.ignore", "/dev/zero");
    let outcome = world.lore_limited(MEMORY, &["outline"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(outcome.stdout.contains("a.py"), "{}", outcome.stdout);
    let skipped = world.lore_limited(MEMORY, &["files", "--skipped"]);
    for path in [".gitignore", "docs/.ignore"] {
        assert!(skipped.stdout.contains(path), "{}", skipped.stdout);
    }
    assert!(skipped.stdout.contains("its rules are not used"), "{}", skipped.stdout);
}

#[test]
fn thousands_of_rules_with_wildcards_are_bounded() {
    let world = World::new();
    world.write("a.py", "def f():\n    return 1\n");
    let rules: String = (0..20_000).map(|number| format!("x{number}*y?z{number}\n")).collect();
    world.write(".gitignore", rules);
    let outcome = world.lore_limited(1_000_000, &["files", "--skipped"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    assert!(
        outcome.stdout.contains("too many rules have wildcards"),
        "{}",
        outcome.stdout
    );
}

/// A rule is read once for every directory that has it, so that a small repository could take all memory: git stores equal files
/// once.
#[test]
fn rules_of_nested_directories_are_bounded_together() {
    let world = World::new();
    world.write("a.py", "def f():\n    return 1\n");
    let names: String = (0..170_000).map(|number| format!("n{number}\n")).collect();
    let names = &names[..1 << 20];
    let mut directory = String::new();
    for _ in 0..60 {
        world.write(&format!("{directory}.gitignore"), names);
        directory.push_str("d/");
    }
    world.write(&format!("{directory}b.py"), "def g():\n    return 1\n");
    let outcome = world.lore_limited(1_500_000, &["files", "--skipped"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    for path in [" .gitignore ", " d/.gitignore ", " d/d/d/.gitignore "] {
        let named = outcome.stdout.lines().find(|line| line.contains(path));
        let is_named =
            named.is_some_and(|line| line.contains("of its rules are not used: a directory has too many rules"));
        assert!(is_named, "{path}: {}", outcome.stdout);
    }
    let files = world.lore_limited(1_500_000, &["files"]);
    assert!(files.stdout.contains("b.py"), "{}", files.stdout);
}

#[test]
fn rules_of_a_whole_tree_are_bounded() {
    let world = World::new();
    world.write(".gitignore", "left_out.py\n");
    world.write("left_out.py", "def f():\n    return 1\n");
    let names: String = (0..15_000).map(|number| format!("name{number}\n")).collect();
    for number in 0..100 {
        world.write(&format!("d{number}/.gitignore"), &names);
        world.write(&format!("d{number}/name1"), "#!/bin/sh\n");
    }
    let outcome = world.lore_limited(1_500_000, &["files", "--skipped", "--all"]);
    assert_eq!(outcome.code, Some(0), "{}", outcome.stderr);
    let named = "its rules are not used: the tree has more than 16 MB of rules";
    assert_eq!(outcome.stdout.matches(named).count(), 100, "{}", outcome.stdout);
    let files = world.lore_limited(1_500_000, &["files", "--all"]);
    assert!(
        files.stdout.contains("d99/name1") && !files.stdout.contains("left_out.py"),
        "{}",
        files.stdout
    );
}
