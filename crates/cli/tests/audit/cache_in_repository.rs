//! A cache that a repository commits is never used, followed or cleaned (F1).

use std::fs;
use std::path::Path;

use crate::world::World;

/// A directory outside of the repository with forty files.
fn victim(world: &World, name: &str) -> std::path::PathBuf {
    let victim = world.base().join(name);
    for directory in ["", "history", "revisions"] {
        fs::create_dir_all(victim.join(directory)).expect("made");
        for number in 0..40 {
            fs::write(victim.join(directory).join(format!("file{number}")), "x").expect("written");
        }
    }
    for name in ["snapshot", "facts", "stamps", "report.new.txt", "x.new.1-0", "writing"] {
        fs::write(victim.join(name), "the user's own").expect("written");
    }
    victim
}

/// Questions of every kind that reads or writes derived data, on the command line and over MCP.
fn ask_everything(world: &World, clone: &Path) {
    for question in [
        &["index"][..],
        &["outline"],
        &["outline", "--at", "HEAD"],
        &["ccg", "manifest"],
        &["index", "--fresh"],
        &["index", "--verify"],
        &["doctor"],
        &["cache", "status"],
        &["cache", "prune", "--max-bytes", "0"],
        &["cache", "clear"],
        &["callers", "f"],
    ] {
        let outcome = world.lore_in(clone, question);
        assert!(matches!(outcome.code, Some(0 | 1)), "{question:?}: {outcome:?}");
    }
    let calls = concat!(
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
        "\n",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        "\n",
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_ccg_manifest","arguments":{}}}"#,
        "\n",
    );
    let outcome = crate::world::finish(world.command_in(clone, &["mcp"]), calls);
    assert!(outcome.stdout.contains(r#""id":1"#), "{outcome:?}");
}

#[test]
#[cfg(unix)]
fn f1_links_in_a_committed_cache_lead_nowhere() {
    for link in [
        ".lore",
        ".lore/cache",
        ".lore/cache/history",
        ".lore/cache/revisions",
        ".lore/cache/snapshot",
    ] {
        let world = World::new();
        let outside = victim(&world, "victim");
        world.write("a.py", "def f(): pass\n");
        let up = "../".repeat(link.split('/').count());
        let target = if link.ends_with("snapshot") {
            format!("{up}victim/snapshot")
        } else {
            format!("{up}victim")
        };
        world.link(link, target);
        world.commit("hostile");
        let clone = world.clone_to("clone");
        let before = world.listing(&outside);
        ask_everything(&world, &clone);
        assert!(world.listing(&outside) == before, "{link}: files outside were changed");
    }
}

#[test]
#[cfg(unix)]
fn f1_dangling_links_in_a_committed_cache_make_no_files() {
    let world = World::new();
    world.write("a.py", "def f(): pass\n");
    for name in [".gitignore", "lock", "writing", "facts", "snapshot", "stamps"] {
        world.link(&format!(".lore/cache/{name}"), format!("../../../made-{name}"));
    }
    world.commit("hostile");
    let clone = world.clone_to("clone");
    ask_everything(&world, &clone);
    let made: Vec<_> = fs::read_dir(world.base())
        .expect("listed")
        .flatten()
        .map(|entry| entry.file_name())
        .filter(|name| name.to_string_lossy().starts_with("made-"))
        .collect();
    assert!(made.is_empty(), "{made:?}");
}

#[test]
fn f1_a_cache_in_the_repository_is_ignored_with_one_remark_and_stays() {
    let world = World::new();
    world.write("a.py", "def f(): pass\n");
    world.write(".lore/cache/snapshot", "old");
    let outcome = world.lore(&["find", "f"]);
    assert_eq!(outcome.code, Some(0));
    assert_eq!(outcome.stderr.matches(".lore/cache").count(), 1, "{}", outcome.stderr);
    assert_eq!(
        fs::read(world.repo().join(".lore/cache/snapshot")).expect("there"),
        b"old"
    );
    let doctor = world.lore(&["doctor"]);
    assert!(doctor.stdout.contains("can be deleted"), "{}", doctor.stdout);
}

#[test]
fn f1_nothing_is_written_into_a_repository_by_questions() {
    let world = World::new();
    world.write("a.py", "def f(): pass\n");
    world.commit("first");
    let before = world.listing(&world.repo());
    for question in [
        &["outline"][..],
        &["outline", "--at", "HEAD"],
        &["ccg", "manifest"],
        &["index"],
    ] {
        assert_eq!(world.lore(question).code, Some(0), "{question:?}");
    }
    assert!(world.listing(&world.repo()) == before);
    assert!(!world.repo().join(".lore").exists());
}
