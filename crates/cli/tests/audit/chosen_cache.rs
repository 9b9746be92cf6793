//! A directory that the user names for the cache: no link of the repository leads to it, and nothing but Lore's own is removed from it.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use super::world::World;

/// Every command that opens the cache.
const COMMANDS: &[&[&str]] = &[
    &["index"],
    &["find", "f"],
    &["outline", "--at", "HEAD"],
    &["ccg", "manifest"],
    &["cache", "status"],
    &["cache", "prune", "--max-bytes", "0"],
    &["cache", "clear"],
    &["mind", "show"],
    &["doctor"],
];

/// A cache that Lore made, full of what may be evicted.
fn cache_of_another(world: &World, name: &str) -> std::path::PathBuf {
    let other = world.base().join("other");
    fs::create_dir(&other).expect("made");
    fs::write(other.join("b.py"), "def b(): pass\n").expect("written");
    let cache = world.base().join(name);
    let named = cache.display().to_string();
    assert_eq!(world.lore_in(&other, &["--cache", &named, "index"]).code, Some(0));
    fs::remove_dir_all(other).expect("removed");
    cache
}

#[test]
fn h1_a_committed_link_does_not_lead_to_the_cache() {
    let world = World::new();
    let victim = cache_of_another(&world, "vic");
    world.write("a.py", "def f(): pass\n");
    world.link(".lore/cache", "../../vic");
    world.link("linked", "..");
    world.commit("hostile");
    let clone = world.clone_to("clone");
    let before = world.listing(&victim);
    let absolute = clone.join(".lore/cache").display().to_string();
    for cache in [".lore/cache", "linked/vic", "./.lore/../.lore/cache", &absolute] {
        for command in COMMANDS {
            let arguments = [&["--cache", cache], *command].concat();
            let outcome = world.lore_in(&clone, &arguments);
            if !matches!(command[0], "doctor" | "mind") {
                assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
                assert!(outcome.stderr.contains("inside the tree"), "{}", outcome.stderr);
            }
            let mut by_variable = world.command_in(&clone, command);
            by_variable.env("LORE_CACHE", cache);
            crate::world::finish(by_variable, "");
            assert!(world.listing(&victim) == before, "{arguments:?} changed the cache");
        }
    }
    // The same directory, named without the link.
    let outcome = world.lore_in(&clone, &["--cache", "../vic", "find", "f"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
}

#[test]
fn h2_a_directory_that_lore_did_not_make_is_refused_and_stays() {
    let world = World::new();
    world.write("a.py", "def f(): pass\n");
    world.commit("first");
    let project = world.base().join("proj");
    for path in [
        "trees/oak/snapshot",
        "trees/oak/tree",
        "trees/oak/history/report.txt",
        "facts/life/00000001.facts",
    ] {
        let path = project.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        fs::write(path, "the user's own").expect("written");
    }
    let before = world.listing(&project);
    let named = project.display().to_string();
    for command in COMMANDS {
        let arguments = [&["--cache", named.as_str()], *command].concat();
        let outcome = world.lore(&arguments);
        if !matches!(command[0], "doctor" | "mind") {
            assert_eq!(outcome.code, Some(2), "{arguments:?}: {outcome:?}");
            assert!(outcome.stderr.contains("Lore did not create it"), "{}", outcome.stderr);
            assert!(outcome.stderr.contains("empty directory"), "{}", outcome.stderr);
        }
        assert!(world.listing(&project) == before, "{arguments:?}");
    }
    // The default directory with something else in it: questions are answered.
    let own = world.home().join(".cache/lore");
    fs::create_dir_all(&own).expect("made");
    fs::write(own.join("notes"), "").expect("written");
    let outcome = world.lore(&["find", "f"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.stderr.contains("nothing is cached"), "{}", outcome.stderr);
    fs::remove_file(own.join("notes")).expect("removed");
    fs::create_dir(own.join("trees")).expect("made");
    let outcome = world.lore(&["find", "f"]);
    assert!(!outcome.stderr.contains("nothing is cached"), "{}", outcome.stderr);
}

fn is_marked(cache: &Path) -> bool {
    let text = fs::read_to_string(cache.join("CACHEDIR.TAG")).unwrap_or_default();
    text.starts_with("Signature: 8a477f597d28d172789f06886806bc55\n") && text.contains("Lore")
}

#[test]
fn h2_the_cache_is_marked_whatever_is_cached_first() {
    let world = World::new();
    world.write("a.py", "def f(): pass\n");
    for (at, command) in COMMANDS.iter().enumerate() {
        let cache = world.base().join(format!("cache{at}"));
        let named = cache.display().to_string();
        world.lore(&[&["--cache", named.as_str()], *command].concat());
        assert!(is_marked(&cache) || !cache.exists(), "{command:?}");
    }
}

#[test]
fn the_cache_can_be_looked_at_from_the_home_directory() {
    let world = World::new();
    for command in [&["cache", "status"][..], &["cache", "prune"], &["cache", "clear"]] {
        let outcome = world.lore_in(&world.home(), command);
        assert_eq!(outcome.code, Some(0), "{command:?}: {outcome:?}");
    }
}

/// Fetched graphs are in the cache: named with it, counted and cleared.
#[test]
fn l2_fetched_graphs_are_part_of_the_cache() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    world.write("a.py", "def f(): pass\n");
    world.commit("first");
    assert_eq!(world.lore(&["ccg", "bundle", "-o", "../b.ccg.zip"]).code, Some(0));
    let cache = world.base().join("cache");
    let named = cache.display().to_string();
    let lore = |arguments: &[&str]| world.lore_in(&world.home(), &[&["--cache", named.as_str()], arguments].concat());
    let found = lore(&["--repo", "../b.ccg.zip", "find", "f"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(is_marked(&cache));
    let mode = fs::metadata(cache.join("graphs/opened"))
        .expect("there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o700);
    let status = lore(&["cache", "status", "--json"]);
    assert!(status.stdout.contains("\"graphs_bytes\":"), "{status:?}");
    assert!(!status.stdout.contains("\"graphs_bytes\":0"), "{status:?}");
    let cleared = lore(&["cache", "clear", "--json"]);
    assert!(!cleared.stdout.contains("\"graphs\":0"), "{cleared:?}");
    assert!(
        fs::read_dir(cache.join("graphs/opened"))
            .expect("there")
            .next()
            .is_none()
    );
}

/// The log counts against limits: an author must not write it.
#[test]
fn m7_the_audit_log_is_not_in_the_repository() {
    let world = crate::links::world("a.py");
    world.write(".lore/audit/access.jsonl", "{\"forged\": true}\n");
    world.commit("forged");
    let before = world.listing(&world.repo().join(".lore"));
    let outcome = world.lore(&["unit", "get", "guide"]);
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert_eq!(outcome.stderr.matches("access.jsonl").count(), 1, "{}", outcome.stderr);
    assert!(world.listing(&world.repo().join(".lore")) == before);
    let logs = world.listing(&world.home().join(".local/share/lore/audit"));
    assert_eq!(logs.len(), 1, "{logs:?}");
    assert!(
        logs[0].0.starts_with("repo-") && logs[0].0.ends_with(".jsonl"),
        "{logs:?}"
    );
}
