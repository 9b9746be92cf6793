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
